"""Where specs and variants are found; no reading, no parsing."""

from __future__ import annotations

from importlib.resources import files
from os import PathLike
from pathlib import Path

from ..grammar import did_you_mean
from .errors import UsageError

Pathlike = str | PathLike[str]


def find_spec(name: Pathlike) -> Path:
    """A path as it is, or the name of a game that ships with dragonrules."""
    path = Path(name)
    if path.suffix == ".dragon" or path.is_file():
        return path
    shipped = Path(str(files("dragonrules.games")))
    for folder in (shipped, shipped / "classics"):
        candidate = folder / f"{path.name}.dragon"
        if candidate.exists():
            return candidate
    known = [p.stem for folder in (shipped, shipped / "classics") for p in folder.glob("*.dragon")]
    raise UsageError("D0707", f"there is no game `{name}`", did_you_mean(str(name), known))


def files_of(spec: Pathlike, variants: tuple[str, ...]) -> list[Path]:
    """Every file that may have a say in a game with these variants."""
    path = find_spec(spec)
    out = [path]
    folder = path.parent / "variants"
    for name in variants:
        if Path(name).suffix == ".dragon":
            out.append(Path(name))
        else:
            out += sorted(folder.glob("*.dragon"))
    return out
