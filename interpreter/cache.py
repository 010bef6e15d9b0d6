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
import pickle
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from ..grammar.cache_folder import keep_bytes, kept_bytes

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
_OURS = (f"{__package__}.", f"{__package__.rpartition('.')[0]}.grammar.")


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
    return _Reader(io.BytesIO(data)).load()


@lru_cache(maxsize=1)
def version() -> str:
    """A fingerprint of this installation of dragonrules."""
    parts = [sys.version]
    here = Path(__file__).parent
    for layer in (here, here / "core", here / "review", here.parent / "grammar"):
        for file in sorted([*layer.glob("*.py"), *layer.glob("*.lark")]):
            stat = file.stat()
            parts.append(f"{file.name} {stat.st_size} {stat.st_mtime_ns}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def kept(key: tuple[Any, ...], make: Callable[[], Made], *, worth: Callable[[], bool] = lambda: True) -> Made:
    """What was kept under the key, or what `make` gives, which is then kept if it is `worth` it."""
    if key[0] is None:
        return make()
    name = f"{hashlib.sha256(repr((version(), key)).encode()).hexdigest()}.pickle"
    data = kept_bytes(name)
    if data is not None:
        try:
            found: Made = from_bytes(data)
            return found
        except Exception:  # damaged, or of classes that look different now: make it anew
            pass
    made = make()
    if worth():
        with contextlib.suppress(RecursionError, pickle.PicklingError):
            keep_bytes(name, pickle.dumps(made, pickle.HIGHEST_PROTOCOL))
    return made
