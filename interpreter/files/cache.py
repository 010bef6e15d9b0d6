"""The cache of checked games and generated code, keyed by content.

A key covers the text of every file involved and the source of dragonrules
itself (checker, lowering and generator), so nothing has to be thrown away by
hand. `DRAGONRULES_CACHE` names the folder; `off` does without.

What is kept is data of our own classes: whatever else a file asks for when it is
read (a function, a class of some other package) is not looked up, and the file is
as good as absent. The one thing that will be run is the code of an engine, which is
why the folder and its files must be ours alone (cache_folder.py).
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import pickle
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from ...grammar.cache_folder import keep_bytes, kept_bytes
from ..core.collecting import building

Made = TypeVar("Made")

_PLAIN = (
    {
        ("builtins", name)
        for name in (
            "set",
            "frozenset",
            "complex",
            "bytearray",
            "range",
            "slice",
            "object",
            "list",
            "dict",
            "tuple",
        )
    }
    | {("collections", name) for name in ("OrderedDict", "defaultdict", "Counter", "deque")}
    | {("pathlib", name) for name in ("Path", "PosixPath", "WindowsPath", "PurePosixPath", "PureWindowsPath")}
)
_OURS = tuple(f"{__name__.split('.')[0]}.{layer}." for layer in ("interpreter", "grammar"))


class _Reader(pickle.Unpickler):
    """Knows our classes and plain collections, and nothing that does anything."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _PLAIN and not module.startswith(_OURS):
            raise pickle.UnpicklingError(f"{module}.{name} does not belong into the cache")
        found = super().find_class(module, name)
        if not isinstance(found, type) or found.__module__ != module:
            raise pickle.UnpicklingError(f"{module}.{name} is no class of its own")
        return found


def from_bytes(data: bytes) -> Any:
    with building():
        return _Reader(io.BytesIO(data)).load()


@lru_cache(maxsize=1)
def version() -> str:
    """A fingerprint of this installation of dragonrules: all of its code and its grammar."""
    parts = [sys.version]
    for layer in ("grammar", "interpreter", "cli"):
        for folder, folders, names in os.walk(Path(__file__).parents[2] / layer):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            for name in sorted(names):
                if name.endswith((".py", ".lark")):
                    stat = os.stat(os.path.join(folder, name))
                    parts.append(f"{folder}/{name} {stat.st_size} {stat.st_mtime_ns}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _name(key: tuple[Any, ...]) -> str:
    return f"{hashlib.sha256(repr((version(), key)).encode()).hexdigest()}.pickle"


def known(key: tuple[Any, ...]) -> Any:
    """What was kept under the key, or None."""
    data = kept_bytes(_name(key))
    if data is not None:
        with contextlib.suppress(Exception):  # damaged, or of classes that look different now
            return from_bytes(data)
    return None


def keep(key: tuple[Any, ...], made: Any) -> None:
    """Keep it for later runs, if that is possible."""
    with contextlib.suppress(RecursionError, pickle.PicklingError):
        keep_bytes(_name(key), pickle.dumps(made, pickle.HIGHEST_PROTOCOL))


def kept(key: tuple[Any, ...], make: Callable[[], Made], *, worth: Callable[[], bool] = lambda: True) -> Made:
    """What was kept under the key, or what `make` gives, which is then kept if it is `worth` it."""
    if key[0] is None:
        return make()
    found: Made | None = known(key)
    if found is not None:
        return found
    made = make()
    if worth():
        keep(key, made)
    return made
