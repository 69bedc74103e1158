"""Where the guided fuzzer can be tested: it has no wheels for other machines."""

import platform
import sys

collect_ignore = [] if (sys.platform, platform.machine()) == ("linux", "x86_64") else ["test_guided.py"]
