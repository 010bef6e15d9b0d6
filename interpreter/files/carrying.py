"""The texts of rules in saves, journals and parcels, so that these open on any machine.

What comes with dragonrules goes by name; all other files go as text, with their
places beside each other, which is how variants find what they build on. A save is
opened with the files that it was made with while they are there, so that rules
that were edited since are noticed (D0701); when they are gone, moved or on another
machine, with the texts that it carries.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.resources import files as resources
from pathlib import Path, PurePosixPath
from typing import Any

from attrs import frozen

from ...grammar.cache_folder import private_folder
from ...grammar.writing import write_whole
from ..core.errors import UsageError
from .find_specs import SUFFIX, find_spec
from .find_variants import find_variant, headers_of, needed_files

_SHIPPED = "shipped:"
_SENT = "sent:"
MOST_FILES, LONGEST = 200, 3_000_000


@frozen
class Carried:
    """Files as paths and texts; `spec` and `variants` say where they are: among those sent, among those
    that ship with dragonrules, or a plain name."""

    files: tuple[tuple[str, str], ...]
    spec: str
    variants: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {"files": [list(pair) for pair in self.files], "spec": self.spec, "variants": [*self.variants]}


def carried(
    spec: str | os.PathLike[str], variants: tuple[str, ...], read: Callable[[Path], bytes]
) -> Carried:
    """What has to be sent along for somebody else to have these rules."""
    game = find_spec(spec)
    own = {path.resolve(): path for path in needed_files(game, variants)}
    sent = [path for path in own if not path.is_relative_to(_shipped_folder())]
    root = Path(os.path.commonpath([path.parent for path in sent])) if sent else Path()

    def where(name: str) -> str:
        path = Path(name)
        if path.suffix != SUFFIX:
            file, title = find_variant(game, name) if name != str(spec) else (game, None)
            alone = title is None or len(headers_of(file)) == 1
            if not alone or file.resolve().is_relative_to(_shipped_folder()):
                return name
            path = file
        path = path.resolve()
        if path.is_relative_to(_shipped_folder()):
            return _SHIPPED + path.relative_to(_shipped_folder()).as_posix()
        return _SENT + path.relative_to(root).as_posix()

    return Carried(
        tuple((path.relative_to(root).as_posix(), read(own[path]).decode("utf-8-sig")) for path in sent),
        where(str(spec)),
        tuple(where(name) for name in variants),
    )


def from_json(data: Any) -> Carried | None:
    """What a save carries; None if it carries nothing. It may have been written by anybody."""
    if data is None:
        return None
    try:
        pairs = tuple((name, text) for name, text in data["files"])
        made = Carried(pairs, data["spec"], tuple(data["variants"]))
        names = [made.spec, *made.variants, *(part for pair in pairs for part in pair)]
        if not all(isinstance(name, str) for name in names):
            raise TypeError
    except (KeyError, TypeError, ValueError):
        raise UsageError("D0702", "the rules that the save carries are damaged") from None
    for name in (made.spec, *made.variants):
        inside = name.removeprefix(_SENT).removeprefix(_SHIPPED)
        if inside != name or name.endswith(SUFFIX):  # all others are titles and names of games
            _stays_inside(inside)
    for name, text in pairs:
        _stays_inside(name)
        if PurePosixPath(name).suffix != SUFFIX or len(text) > LONGEST:
            raise UsageError("D0702", f"the save carries `{name}`, which is no rule file")
    if len(pairs) > MOST_FILES:
        raise UsageError("D0702", f"the save carries {len(pairs)} files; the most is {MOST_FILES}")
    return made


def _stays_inside(name: str) -> None:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name or "\0" in name:
        raise UsageError("D0702", f"the save names `{name}`, which is outside of what it carries")


def laid_out(rules: Carried) -> tuple[str, tuple[str, ...]]:
    """Spec and variants for `load`, after the files have been written somewhere."""
    folder = _written(rules.files)

    def there(name: str) -> str:
        if name.startswith(_SHIPPED):
            return str(_shipped_folder() / name.removeprefix(_SHIPPED))
        return str(folder / name.removeprefix(_SENT)) if name.startswith(_SENT) else name

    return there(rules.spec), tuple(there(name) for name in rules.variants)


def still_there(head: Mapping[str, Any], rules: Carried) -> bool:
    """Are the files that a save names where they were? What was sent along is no file of ours, even if one of
    ours goes by its name."""
    try:
        game = find_spec(head["spec"])
        names = tuple(head["variants"])
        for name, where in zip(names, rules.variants, strict=False):
            if where.startswith(_SENT) and Path(name).suffix != SUFFIX:
                file, _ = find_variant(game, name)
                if file.resolve().is_relative_to(_shipped_folder()):
                    return False
        return game.is_file() and all(path.is_file() for path in needed_files(game, names))
    except UsageError:
        return False


def _shipped_folder() -> Path:
    return Path(str(resources("dragonrules.games"))).resolve()


def _written(files: tuple[tuple[str, str], ...]) -> Path:
    """The files in a folder of their own. It is named after their texts, so that all processes of a
    machine share it and what the cache keeps of them."""
    texts = hashlib.sha256(json.dumps(files).encode()).hexdigest()[:32]
    folder = (private_folder() or _for_now()) / "sent" / texts
    for name, text in files:
        path = folder / name
        data = text.encode()
        if not (path.is_file() and path.read_bytes() == data):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, data)  # another process may be writing the same
    return folder


@lru_cache(maxsize=1)
def _for_now() -> Path:
    """A folder for as long as this process lives."""
    folder = tempfile.TemporaryDirectory(prefix="dragonrules-")
    atexit.register(folder.cleanup)
    return Path(folder.name)
