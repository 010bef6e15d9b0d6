"""A series as plain text, for workers on other machines.

Rules travel as the text of their files; games that ship with dragonrules by
name. Whoever unpacks a parcel makes the game anew and compares fingerprints: of
the rules, and of the program that this version of dragonrules makes of them. So
two machines either play the same games or say that they do not.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from functools import cached_property, lru_cache
from importlib.resources import files as resources
from pathlib import Path

from attrs import frozen

from ...grammar.cache_folder import cache_folder
from ..errors import UsageError
from ..game import load
from ..places_of_specs import SUFFIX, files_of
from .playing import Series

_SHIPPED = "shipped:"
_SENT = "sent:"


class OtherRules(UsageError):
    """This machine would not play the same games."""

    def __init__(self, what: str) -> None:
        super().__init__(
            "D0709",
            f"a worker makes {what} than this machine",
            "install the same version of dragonrules on all workers",
        )


@frozen(slots=False)
class Parcel:
    """Everything that the games of a series follow from. `files` are paths and texts; `spec` and `variants`
    say where they are: among those sent, among those that ship with dragonrules, or a plain name."""

    files: tuple[tuple[str, str], ...]
    spec: str
    variants: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    fingerprint: str
    shape: str
    lineup: tuple[str, ...]
    seed: int
    rotate: bool
    limit: int
    counted: bool

    @cached_property
    def digest(self) -> str:
        """Names the parcel: equal contents, equal name."""
        data = [getattr(self, a.name) for a in self.__attrs_attrs__]
        return hashlib.sha256(json.dumps(data).encode()).hexdigest()[:32]


def pack(series: Series) -> Parcel:
    game = series.game
    own = [path.resolve() for path in files_of(game.spec, game.variants)]
    sent = [path for path in own if not path.is_relative_to(_shipped_folder())]
    root = Path(os.path.commonpath([path.parent for path in sent])) if sent else Path()

    def where(name: str) -> str:
        path = Path(name)
        if path.suffix != SUFFIX:
            return name
        path = path.resolve()
        if path.is_relative_to(_shipped_folder()):
            return _SHIPPED + path.relative_to(_shipped_folder()).as_posix()
        return _SENT + path.relative_to(root).as_posix()

    return Parcel(
        files=tuple(
            (path.relative_to(root).as_posix(), path.read_text(encoding="utf-8-sig")) for path in sent
        ),
        spec=where(game.spec),
        variants=tuple(where(name) for name in game.variants),
        options=tuple(sorted((name, str(value)) for name, value in game.given_options.items())),
        fingerprint=game.fingerprint,
        shape=series.engine.shape,
        lineup=series.lineup,
        seed=series.seed,
        rotate=series.rotate,
        limit=series.limit,
        counted=series.counted,
    )


@lru_cache(maxsize=64)
def unpack(parcel: Parcel) -> Series:
    """The series again, made once in a process however many batches it plays."""
    folder = _written(parcel)

    def there(name: str) -> str:
        if name.startswith(_SHIPPED):
            return str(_shipped_folder() / name.removeprefix(_SHIPPED))
        return str(folder / name.removeprefix(_SENT)) if name.startswith(_SENT) else name

    game = load(
        there(parcel.spec), variants=[there(name) for name in parcel.variants], options=dict(parcel.options)
    )
    if game.fingerprint != parcel.fingerprint:
        raise OtherRules("other rules of the same files")
    series = Series(
        game,
        parcel.lineup,
        seed=parcel.seed,
        rotate=parcel.rotate,
        limit=parcel.limit,
        counted=parcel.counted,
    )
    if series.engine.shape != parcel.shape:
        raise OtherRules("another program of the same rules")
    return series


def _shipped_folder() -> Path:
    return Path(str(resources("dragonrules.games"))).resolve()


def _written(parcel: Parcel) -> Path:
    """The files of a parcel in a folder of their own. It is named after their texts, so that all workers of
    a machine share it and what the cache keeps of them."""
    texts = hashlib.sha256(json.dumps(parcel.files).encode()).hexdigest()[:32]
    kept = cache_folder()
    folder = (kept / "sent" if kept is not None else Path(tempfile.mkdtemp())) / texts
    for name, text in parcel.files:
        path = folder / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, partial = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(partial, path)  # another worker may be writing the same
    return folder
