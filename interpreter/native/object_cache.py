"""Machine code kept between runs, and made in a child process when it is new.

An object file is code: whoever can write it can run anything as the user. It lies in
the private folder of the cache (grammar/cache_folder.py), which checks owner, mode and
a digest; its key covers the rules, the options, the number of players, dragonrules,
the compiler and the processor. Whatever does not fit is as good as absent.

LLVM is a large program and can abort. So what was never compiled before is compiled in
a process of its own, and if that dies there is no native code for that game.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import subprocess
import sys
from typing import TYPE_CHECKING

from ...grammar.cache_folder import keep_bytes, kept_bytes
from ..files import cache
from .compile import machine_name, object_code
from .states import Shape

if TYPE_CHECKING:
    from ..play.engine import Engine

LONGEST = 120  # seconds for a compilation
_FORMAT = 3


def key_of(engine: Engine) -> str:
    parts = (_FORMAT, cache.version(), machine_name(), engine.identity, sorted(engine.options.items()))
    return f"{hashlib.sha256(repr(parts).encode()).hexdigest()}.native"


def kept(engine: Engine) -> tuple[Shape, bytes] | None:
    """The shape of states and the machine code, if they were kept; the first without is kept as a reason."""
    if not engine.identity[0]:
        return None
    data = kept_bytes(key_of(engine))
    if data is None:
        return None
    try:
        shape, code = cache.from_bytes(data)
    except Exception:  # damaged, or of classes that look different now
        return None
    return (shape, code) if isinstance(shape, Shape) and isinstance(code, bytes) else None


def keep(engine: Engine, shape: Shape, code: bytes) -> None:
    if engine.identity[0]:
        keep_bytes(key_of(engine), pickle.dumps((shape, code), pickle.HIGHEST_PROTOCOL))


class Died(Exception):
    """The compiler did not survive a program."""


def compiled(text: str) -> bytes:
    """Machine code, made in a process of its own."""
    if os.environ.get("DRAGONRULES_COMPILE") == "here":  # for tests, which compile thousands
        return object_code(text)
    command = [sys.executable, "-m", f"{__package__}.compile_alone"]
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=LONGEST, check=False)
    except (OSError, subprocess.SubprocessError) as problem:
        raise Died(str(problem)) from None
    if done.returncode != 0:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise Died(last[0] if last else f"it ended with {done.returncode}")
    return done.stdout
