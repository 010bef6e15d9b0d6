"""Where games are found: by path, or by name among those that ship with dragonrules."""

from __future__ import annotations

from importlib.resources import files
from os import PathLike
from pathlib import Path

from ...grammar import did_you_mean
from ..core.errors import UsageError
from .texts import is_file

Pathlike = str | PathLike[str]
SUFFIX = ".dragon"


def find_spec(name: Pathlike) -> Path:
    """A path as it is, or the name of a game that ships with dragonrules."""
    path = Path(name)
    if path.suffix == SUFFIX or is_file(path):
        return path
    for folder in shipped_folders().values():
        candidate = folder / f"{path.name}{SUFFIX}"
        if candidate.exists():
            return candidate
    raise UsageError("D0707", f"there is no game `{name}`", did_you_mean(str(name), shipped_games()))


def shipped() -> Path:
    """The folder of the games that come with dragonrules."""
    return Path(str(files("dragonrules.games")))


def shipped_games() -> list[str]:
    return [p.stem for folder in shipped_folders().values() for p in sorted(folder.glob(f"*{SUFFIX}"))]


def shipped_folders() -> dict[str, Path]:
    """The folders of the games that come with dragonrules, by the kind of game that lies there."""
    games = shipped()
    library = sorted(folder for folder in (games / "library").glob("*") if folder.is_dir())
    return {"dragons": games, "classics": games / "classics", **{folder.name: folder for folder in library}}
