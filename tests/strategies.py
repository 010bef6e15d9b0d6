"""Games to play and ways to play them: what every property test draws from.

A `Table` is a spec with the variants laid over it and a number of players.
`TABLES` holds every complete game of the repository, found by looking, so a new
spec is tested without a word here: all numbers of players of the game itself,
and every variant alone at one of its own. `ONE_EACH` has one number of players
for the game, too; `ALL_TABLES` has all of them, also for every pair of variants
that may be played together. `pytest -m long tests/properties` goes through it.

A `Play` says how a match goes: a seed for the match, how many choices a
generator makes blindly, and the choices after those. It shrinks towards the
first option, again and again, in a short match.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import dragonrules as dr
from dragonrules.grammar import Report, Source, syntax
from dragonrules.interpreter.core.player_counts import player_counts
from dragonrules.interpreter.files.reading import read_tree
from dragonrules.interpreter.overlay.lay import lay_over
from hypothesis import settings
from hypothesis import strategies as st

from .playing import go_on

ROOT = Path(__file__).parents[1]

NOT_READY: frozenset[str] = frozenset()
"""Specs that are still being written: nothing is asked of them. Nothing else may stand here."""

SHORT = settings(derandomize=True, deadline=None, max_examples=2)
LONG = settings(SHORT, max_examples=60)

LONGEST_OPENING = 90


# ---------------------------------------------------------------- games
@dataclass(frozen=True, slots=True)
class Table:
    """A game, the variants laid over it, and how many sit down to play it."""

    path: Path
    variants: tuple[str, ...]
    players: int

    def __str__(self) -> str:
        return "+".join([self.path.stem, *(_slug(v) for v in self.variants), str(self.players)])

    @property
    def game(self) -> Any:
        return load(self.path, self.variants)

    def start(self, seed: int = 0, **how: Any) -> Any:
        """A new match, with code that can also ask a pending decision anew, as scenarios do. That code
        stands in for the usual one, so that only one of them has to be made; other processes use the other."""
        engine = self.game.engine(self.players, watched=True, anew=True)
        self.game._engines[self.players, True, False, False] = engine
        return self.game.start(self.players, seed=seed, **how)


@cache
def load(path: Path, variants: tuple[str, ...]) -> Any:
    return dr.load(path, variants=variants)


def complete_games() -> list[Path]:
    """Every file under `games` and every test spec that declares a game."""
    found = {p for p in (ROOT / "games").rglob("*.dragon") if not {"variants", "scenarios"} & set(p.parts)}
    found |= set((ROOT / "tests").rglob("specs/*.dragon"))
    return sorted(path for path in found if path.stem not in NOT_READY and _declares_a_game(path))


def _declares_a_game(path: Path) -> bool:
    return any(isinstance(decl, syntax.Game) for decl in _parsed(path).decls)


@cache
def _parsed(path: Path) -> Any:
    return read_tree(Source(str(path), path.read_text(encoding="utf-8")), Report())


def variants_of(path: Path) -> dict[str, Any]:
    """The variants of a game by name, from its own file and from the folder beside it."""
    files = [path, *sorted((path.parent / "variants").glob("*.dragon"))]
    found = (decl for file in files for decl in _parsed(file).decls if isinstance(decl, syntax.Variant))
    return {str(v.name): v for v in found if Path(str(v.base)).stem == path.stem}


def combinations(path: Path) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
    """Sets of variants that may be played together, none, one or two, with their numbers of players."""
    known = variants_of(path)
    done: set[frozenset[str]] = set()
    for size in range(3):
        for names in permutations(known, size):
            if frozenset(names) in done:
                continue
            report = Report()
            file = lay_over(_parsed(path), [known[name] for name in names], report)
            if not report.errors:
                done.add(frozenset(names))
                game = next(decl for decl in file.decls if isinstance(decl, syntax.Game))
                counts = player_counts(game.players)
                if size > 1 and any(isinstance(decl, syntax.Demand) for decl in file.decls):
                    counts = tuple(count for count in counts if _go_together(path, names, count))
                if counts:
                    yield names, counts


def _go_together(path: Path, names: tuple[str, ...], players: int) -> bool:
    """Do the options that these variants set keep what the rules require of them?"""
    try:
        load(path, names)._demand(players)
    except dr.UsageError:
        return False
    return True


def _tables() -> Iterator[tuple[Table, bool]]:
    """All of them, and whether each is the one that stands for others with the same variants."""
    for place, path in enumerate(complete_games()):
        for number, (names, counts) in enumerate(combinations(path)):
            for count in counts:
                yield Table(path, names, count), count == counts[(place + number) % len(counts)]


def _slug(text: str) -> str:
    return "".join(ch for ch in text.lower() if ch.isalnum())


_FOUND = list(_tables())
ALL_TABLES = [table for table, _ in _FOUND]
TABLES = [table for table, chosen in _FOUND if not table.variants or (chosen and len(table.variants) == 1)]
ONE_EACH = [table for table, chosen in _FOUND if chosen and len(table.variants) < 2]


# ---------------------------------------------------------------- matches
@dataclass(frozen=True, slots=True)
class Play:
    seed: int
    opening: int
    then: tuple[int, ...] = ()

    def choices(self) -> Iterator[int]:
        """A number for each decision; which option it means depends on how many there are."""
        blind = Random(self.seed)
        for _ in range(self.opening):
            yield blind.randrange(1 << 30)
        yield from self.then

    def endless(self) -> Iterator[int]:
        yield from self.choices()
        blind = Random(-1 - self.seed)
        while True:
            yield blind.randrange(1 << 30)


def plays(longest: int = LONGEST_OPENING) -> st.SearchStrategy[Play]:
    return st.builds(
        Play,
        st.integers(0, 1 << 16),
        st.integers(0, longest),
        st.lists(st.integers(0, 40), max_size=8).map(tuple),
    )


def played(table: Table, play: Play, **how: Any) -> Any:
    """A match after all choices of a play, or over."""
    return go_on(table.start(play.seed, **how), play.choices())
