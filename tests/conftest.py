"""What every test can count on."""

from __future__ import annotations

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Started with `trap '' INT` or in the background of a script. Programs inherit that, and tests of
    # what they do when they are interrupted would wait for ever.
    signal.signal(signal.SIGINT, signal.default_int_handler)
