"""Files written as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
import time
from pathlib import Path

_LEFT = re.compile(r"\.[^/]+\.[0-9a-f]{8}\.part")
STALE = 3600
"""Seconds after which a part of a file belongs to nobody who is still writing."""


def write_whole(path: Path, data: bytes, *, safely: bool = False) -> None:
    """Replace what a file holds in one go: whatever happens on the way, the old file or the new one is there.

    `safely` waits until it is on the disk. Links are followed; what is no plain file (`/dev/stdout`)
    is simply written to.
    """
    path = Path(os.path.realpath(path)) if path.is_symlink() else path
    before = _mode(path)
    if before is not None and not stat.S_ISREG(before):
        path.write_bytes(data)
        return
    beside = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.part")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            if safely:
                os.fsync(file.fileno())
        if before is not None:
            os.chmod(beside, stat.S_IMODE(before))
        os.replace(beside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise


def _mode(path: Path) -> int | None:
    """What kind of file there is, and who may read it; None if there is none."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


def sweep(folder: Path) -> None:
    """Remove the parts of files that processes have left behind when they were killed."""
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if _LEFT.fullmatch(path.name) and time.time() - path.lstat().st_mtime > STALE:
                path.unlink(missing_ok=True)
