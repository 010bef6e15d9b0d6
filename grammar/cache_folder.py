"""Where things that can be made again are kept between runs, and who may put them there.

What is kept is believed, so nobody else may write it: the folder is for its owner
alone, one that belongs to somebody else or that others can write to is not used at
all, and neither is a file of somebody else or one whose contents are not those that
were written. Then everything is made again, which takes longer and is all that is lost.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from pathlib import Path

from .writing import sweep, write_whole

_MARK = b"dragonrules cache 1\n"
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_swept: set[Path] = set()


def cache_folder() -> Path | None:
    """`DRAGONRULES_CACHE` (`off` for none), else the user's cache folder; None if there is none."""
    named = os.environ.get("DRAGONRULES_CACHE")
    if named:
        return None if named == "off" else Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "dragonrules"
    except RuntimeError:  # no home
        return None


def private_folder() -> Path | None:
    """The cache folder, made if need be; None if there is none that is ours alone."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        with contextlib.suppress(FileExistsError):
            folder.parent.mkdir(parents=True, exist_ok=True)
            folder.mkdir(mode=0o700)
        found = folder.stat()
        if not stat.S_ISDIR(found.st_mode) or not _ours(found):
            return None
        if os.name == "posix" and stat.S_IMODE(found.st_mode) != 0o700:
            folder.chmod(0o700)
    except OSError:
        return None
    return folder


def _ours(found: os.stat_result) -> bool:
    """Does it belong to this user, and can nobody else write to it?"""
    if os.name != "posix":
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & _OTHERS_WRITE


def kept_bytes(name: str) -> bytes | None:
    """What was kept under a name, if it is there, ours and whole."""
    folder = private_folder()
    if folder is None:
        return None
    try:
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(folder / name, flags), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode) or not _ours(found):
                return None
            data = file.read()
    except OSError:
        return None
    start = len(_MARK) + 32
    if not data.startswith(_MARK) or hashlib.sha256(data[start:]).digest() != data[len(_MARK) : start]:
        return None
    return data[start:]


def keep_bytes(name: str, data: bytes) -> None:
    """Keep something for the next run, if that is possible."""
    folder = private_folder()
    if folder is None:
        return
    if folder not in _swept:
        _swept.add(folder)
        sweep(folder)
    with contextlib.suppress(OSError):
        write_whole(folder / name, _MARK + hashlib.sha256(data).digest() + data)
