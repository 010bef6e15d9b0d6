"""The variants of a game as a list and as a page: what each says, changes and goes with, from the files."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import attrs

from ...grammar import Report, syntax
from ...interpreter.core.player_counts import player_counts
from ...interpreter.driver import DRIVER
from ...interpreter.files.find_variants import known_variants
from ...interpreter.overlay.lay import name_of, word_for
from ...interpreter.overlay.layers import thing


@attrs.frozen
class VariantEntry:
    """A variant, by its own text. `touches` are the things that it changes or adds, in words."""

    title: str
    game: str
    name: str
    sentence: str
    players: tuple[int, ...]
    lines: int
    touches: tuple[str, ...]
    needs: tuple[str, ...]
    excludes: tuple[str, ...]


def entries(game: Path) -> list[VariantEntry]:
    """The variants of a game."""
    return [_entry(game, file, title) for title, file in known_variants(game).items()]


def _entry(game: Path, file: Path, title: str) -> VariantEntry:
    variant = next(v for v in DRIVER.parsed(file).variants if v.name == title)
    rules = [item for item in variant.items if not isinstance(item, syntax.Scenario)]
    clauses: dict[type, list[str]] = {}
    for clause in variant.clauses:
        clauses.setdefault(type(clause), []).extend(map(str, clause.names))
    base = [] if Path(str(variant.base)).stem == game.stem else [Path(str(variant.base)).stem]
    return VariantEntry(
        title,
        game.stem,
        file.stem.removeprefix(f"{game.stem}_"),
        str(variant.doc.text) if variant.doc is not None else "",
        tuple(player_counts(variant.players)) if variant.players is not None else (),
        sum(len([line for line in item.span.text.splitlines() if line.strip()]) for item in rules),
        tuple(dict.fromkeys(_touched(rules))),
        (*base, *clauses.get(syntax.Needs, ())),
        tuple(clauses.get(syntax.Excludes, ())),
    )


def _touched(items: list[Any]) -> Iterator[str]:
    for item in items:
        decl = item.decl if isinstance(item, syntax.Replace) else item
        if isinstance(decl, syntax.EachHas | syntax.EachHasOne):
            yield from (f"{word_for(m)} {decl.owner}.{m.name}" for m in decl.members)  # type: ignore[attr-defined]
        elif not type(decl).__name__.startswith("Look"):
            word = "step" if "Step" in type(decl).__name__ else word_for(decl)
            name = thing(item) if not hasattr(decl, "name") else name_of(decl)
            yield f"{ {'changeplace': 'place', 'remove': 'no', 'changedoc': 'words of'}.get(word, word) } {name}".strip()


def goes_with(game: Path, titles: list[str]) -> dict[frozenset[str], str]:
    """Every pair laid and looked at: together, note, order or clash."""
    out: dict[frozenset[str], str] = {}
    for pair in combinations(titles, 2):
        report = Report()
        laid = DRIVER.laid(DRIVER.stack(game, pair, report))
        codes = {d.code for d in report}
        fine = not report.errors and DRIVER.checked(laid.file, laid.report).game is not None
        verdict = "note" if "D0614" in codes else "together"
        out[frozenset(pair)] = ("order" if "D0613" in codes else verdict) if fine else "clash"
    return out


__all__ = ["VariantEntry", "entries", "goes_with"]
