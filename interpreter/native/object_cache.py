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
import sys
from typing import TYPE_CHECKING

from ...grammar.cache_folder import keep_bytes, kept_bytes
from ..files import cache
from .compile import machine_name, object_code
from .made import Made, Outline

if TYPE_CHECKING:
    from ..play.engine import Engine

BETTER = 2  # the level of optimisation of better code (improvement.py)
LONGEST = 120  # seconds for a compilation
_FORMAT = 9


def key_of(engine: Engine, level: int = 0) -> str:
    made_for = (engine.identity, engine.wanted.covered, sorted(engine.options.items()))
    parts = (_FORMAT, cache.version(), machine_name(), made_for)
    return f"{hashlib.sha256(repr(parts).encode()).hexdigest()}.native{level or ''}"


def kept(engine: Engine, level: int = 0) -> Made | None:
    """What was kept, if anything was. Raises `Died` if it is known that there is no code."""
    if not engine.identity[0]:
        return None
    data = kept_bytes(key_of(engine, level))
    if data is None:
        return None
    try:
        found = cache.from_bytes(data)
        if isinstance(found, str):
            raise Died(found)
        outline, shape, code = found
        return Made(Outline(*outline), shape, code) if isinstance(code, bytes) else None
    except Died:
        raise
    except Exception:  # damaged, or of another form
        return None


def keep(engine: Engine, made: Made, level: int = 0) -> None:
    if engine.identity[0]:
        data = (tuple(made.outline), made.shape, made.code)
        keep_bytes(key_of(engine, level), pickle.dumps(data, pickle.HIGHEST_PROTOCOL))


def keep_death(engine: Engine, reason: str, level: int = 0) -> None:
    """A program that the compiler does not survive is not tried again and again."""
    if engine.identity[0]:
        keep_bytes(key_of(engine, level), pickle.dumps(reason, pickle.HIGHEST_PROTOCOL))


def kept_part(engine: Engine, name: str) -> bytes | None:
    """Machine code that goes with that of an engine."""
    return kept_bytes(f"{name}.{key_of(engine)}") if engine.identity[0] else None


def keep_part(engine: Engine, name: str, code: bytes) -> None:
    if engine.identity[0]:
        keep_bytes(f"{name}.{key_of(engine)}", code)


class Died(Exception):
    """The compiler did not survive a program."""


def command() -> list[str]:
    return [sys.executable, "-m", f"{__package__}.compile_alone"]


def request(text: str, level: int | None = None) -> bytes:
    """What that process reads: a line with the level of optimisation, or an empty one for the short list of
    passes; then the module."""
    return f"{'' if level is None else level}\n{text}".encode()


def surroundings() -> dict[str, str]:
    """In which a process finds the same packages as this one."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def in_processes() -> bool:
    """Is there a process for each compilation? Not in tests, which compile hundreds."""
    return os.environ.get("DRAGONRULES_COMPILE") != "here"


def compiled(text: str) -> bytes:
    """Machine code, made in a process of its own."""
    if not in_processes():
        return object_code(text)
    import subprocess  # late: as rarely needed as this

    try:
        done = subprocess.run(
            command(),
            input=request(text),
            capture_output=True,
            timeout=LONGEST,
            check=False,
            env=surroundings(),
        )
    except (OSError, subprocess.SubprocessError) as problem:
        raise Died(str(problem)) from None
    if done.returncode != 0:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise Died(last[0] if last else f"it ended with {done.returncode}")
    return done.stdout
