"""What every test shares."""

import signal

from hypothesis import settings

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # started in the background: processes that tests start hear it
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("project", deadline=None, print_blob=True)  # a first call may compile
settings.load_profile("project")
