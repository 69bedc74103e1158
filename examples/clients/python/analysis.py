"""Follows a search, until Ctrl-C: python analysis.py POSITION.json HOST:PORT. Needs emptychair.client."""

import json
import sys
from contextlib import suppress
from pathlib import Path

from emptychair.client import Client, Refused

position, address = sys.argv[1:] if len(sys.argv) == 3 else sys.exit(__doc__)
try:
    observation = json.loads(Path(position).read_text(encoding="utf-8"))
    with (
        Client(address) as client,
        client.analysis(observation, time_ms=5000) as analysis,
        suppress(KeyboardInterrupt),
    ):
        for answer in analysis:
            advice = answer.recommendation
            print(f"{advice.iterations:>9,} iterations:", "; ".join(step.words for step in advice.plan), flush=True)
except (OSError, ValueError) as error:
    sys.exit(f"{position}: {error}")
except Refused as error:
    sys.exit(str(error))
if last := analysis.latest:
    print(last.recommendation.explanation if last.final else "Stopped: " + last.recommendation.explanation)
