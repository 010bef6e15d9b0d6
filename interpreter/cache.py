"""The cache of checked games and generated code, keyed by content.

A key covers the text of every file involved and the source of dragonrules
itself (checker, lowering and generator), so nothing has to be thrown away by
hand. `DRAGONRULES_CACHE` names the folder; `off` does without.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import sys
import tempfile
from collections.abc import Callable
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

from ..grammar.cache_folder import cache_folder

Made = TypeVar("Made")


@lru_cache(maxsize=1)
def version() -> str:
    """A fingerprint of this installation of dragonrules."""
    parts = [sys.version]
    here = Path(__file__).parent
    for layer in (here, here / "review", here.parent / "grammar"):
        for file in sorted([*layer.glob("*.py"), *layer.glob("*.lark")]):
            stat = file.stat()
            parts.append(f"{file.name} {stat.st_size} {stat.st_mtime_ns}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def fingerprint_of_files(spec: str | PathLike[str], variants: tuple[str, ...]) -> str | None:
    """A fingerprint of all the texts that could matter for a game; None if it cannot be told."""
    from .places_of_specs import files_of

    digest = hashlib.sha256()
    try:
        for path in files_of(spec, variants):
            digest.update(str(path).encode() + b"\0" + path.read_bytes() + b"\0")
    except OSError:
        return None
    digest.update(repr(variants).encode())
    return digest.hexdigest()


def kept(key: tuple[Any, ...], make: Callable[[], Made]) -> Made:
    """What was kept under the key, or what `make` gives, which is then kept."""
    where = cache_folder()
    if where is None or key[0] is None:
        return make()
    name = hashlib.sha256(repr((version(), key)).encode()).hexdigest()
    path = where / f"{name}.pickle"
    try:
        with path.open("rb") as file:
            found: Made = pickle.load(file)
        return found
    except Exception:  # absent, damaged or unreadable: make it anew
        pass
    made = make()
    _keep(path, made)
    return made


def _keep(path: Path, made: Any) -> None:
    """Written beside and renamed, so that nobody ever reads half a file."""
    with contextlib.suppress(OSError, RecursionError, pickle.PicklingError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            pickle.dump(made, file, protocol=pickle.HIGHEST_PROTOCOL)
        os.replace(name, path)
