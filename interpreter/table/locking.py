"""A file that one process at a time may write to."""

from __future__ import annotations

import errno
from typing import IO

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]
    import msvcrt

_FAR_BEHIND = 1 << 40
"""Windows locks bytes, also for reading; one that is never reached disturbs nobody."""


def lock(file: IO[bytes]) -> bool:
    """Take the lock of an open file, which is given back when it is closed or the process ends. False if
    another process has it; where files cannot be locked everybody gets it."""
    try:
        if fcntl is not None:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            here = file.tell()
            file.seek(_FAR_BEHIND)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
            file.seek(here)
    except OSError as problem:
        return problem.errno not in (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
    return True
