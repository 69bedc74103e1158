"""Follows a search, until Ctrl-C: python analysis.py POSITION.json HOST:PORT. Needs emptychair.client."""

import json
import sys
from contextlib import suppress
from pathlib import Path

from emptychair.client import Client, Refused

position, address = sys.argv[1:] if len(sys.argv) == 3 else sys.exit(__doc__)
observation = json.loads(Path(position).read_text())
try:
    with (
        Client(address) as client,
        client.analysis(observation, time_ms=5000) as analysis,
        suppress(KeyboardInterrupt),
    ):
        for advice in analysis:
            print(f"{advice.iterations:>9,} iterations:", "; ".join(step.words for step in advice.plan), flush=True)
except Refused as error:
    sys.exit(str(error))
if analysis.final:
    print(analysis.final.explanation)
