"""How often rules were used over many games, in the form in which it travels between processes.

A covered engine counts in lists whose order depends on the game alone
(counters.py). A tally is a copy of these numbers: small, quickly added up in any
order, and turned into a `Coverage`, with names and places, once at the end.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from attrs import Factory, define, frozen

from ..core import value_types as t
from ..play.coverage import Coverage, Declaration
from ..play.engine import Engine

if TYPE_CHECKING:
    from ..native.counted import Counted


@define
class Tally:
    """`in_games`: for each declaration, in the order of the sites, how many games it was used in."""

    games: int = 0
    hits: list[int] = Factory(list)
    offered: list[Counter[Any]] = Factory(list)
    taken: list[Counter[Any]] = Factory(list)
    in_games: list[int] = Factory(list)

    def add(self, other: Tally) -> None:
        self.games += other.games
        self.hits = _sum(self.hits, other.hits)
        self.in_games = _sum(self.in_games, other.in_games)
        for mine, theirs in ((self.offered, other.offered), (self.taken, other.taken)):
            mine += [Counter() for _ in range(len(theirs) - len(mine))]
            for total, more in zip(mine, theirs):
                total.update(more)


def _sum(mine: list[int], theirs: list[int]) -> list[int]:
    return [a + b for a, b in zip(mine, theirs, strict=True)] if mine and theirs else mine or theirs.copy()


class Following:
    """Follows a covered engine from game to game."""

    def __init__(self, engine: Engine) -> None:
        assert engine.counts is not None and engine.sites is not None
        self.counts = engine.counts
        self.counts.reset()
        self.runs = [n for n, site in enumerate(engine.sites.sites) if site.kind == "run"]
        self.in_games = [0] * len(self.runs)
        self.games = 0
        self._before = [0] * len(self.runs)

    def game_over(self) -> None:
        now = [self.counts.hits[n] for n in self.runs]
        self.in_games = [
            times + (a != b) for times, a, b in zip(self.in_games, self._before, now, strict=True)
        ]
        self._before = now
        self.games += 1

    def of_native(self, counted: Counted, games: int) -> Tally:
        """What machine code has counted, in the same form."""
        in_games = [counted.in_games[n] for n in self.runs]
        return Tally(games, counted.hits, counted.offered, counted.taken, in_games)

    def tally(self) -> Tally:
        counts = self.counts
        return Tally(
            self.games,
            counts.hits.copy(),
            [Counter(c) for c in counts.offered],
            [Counter(c) for c in counts.taken],
            self.in_games,
        )


# ---------------------------------------------------------------- with names
@frozen
class Use:
    """A declaration, how often it was used and in how many games."""

    declaration: Declaration
    games: int


@frozen
class Thing:
    """A component as it is printed, or a kind of token: how often it was drawn by chance, and chosen."""

    type: str
    label: str
    drawn: int
    chosen: int


@frozen
class Usage:
    """What came into play in a series, and what never did."""

    games: int
    coverage: Coverage
    uses: tuple[Use, ...]
    things: tuple[Thing, ...]

    @property
    def unused(self) -> list[Use]:
        return [use for use in self.uses if not use.declaration.runs]

    @property
    def unused_things(self) -> list[Thing]:
        return [thing for thing in self.things if not thing.drawn and not thing.chosen]


def usage(engine: Engine, tally: Tally) -> Usage:
    """A tally under the names of the game whose covered engine this is."""
    counts, sites = engine.counts, engine.sites
    assert counts is not None and sites is not None
    counts.reset()
    if tally.hits:
        counts.hits[:] = tally.hits
        for counters, more in ((counts.offered, tally.offered), (counts.taken, tally.taken)):
            for counter, values in zip(counters, more, strict=True):
                counter.update(values)
    coverage = Coverage.of(engine, reset=True)
    runs = [site for site in sites.sites if site.kind == "run"]
    games = {
        (site.span.source.name, site.owner): times
        for site, times in zip(runs, tally.in_games or [0] * len(runs), strict=True)
    }
    uses = [
        Use(d, games.get((d.file, f"{d.kind} {d.name}"), 0))
        for d in coverage.declarations()
        if d.kind not in ("define", "score")  # worked out again and again to list options: no event in a game
    ]
    return Usage(tally.games, coverage, tuple(uses), tuple(_things(engine, coverage)))


def _things(engine: Engine, coverage: Coverage) -> list[Thing]:
    """Components and kinds of tokens by what decisions and chance have picked."""
    assert engine.sites is not None
    drawn: Counter[tuple[str, str]] = Counter()
    chosen: Counter[tuple[str, str]] = Counter()
    for asking in engine.sites.askings:
        match asking.type:
            case t.Comp(name) | t.Opt(t.Comp(name)):
                pass
            case t.Kind(name) if name in engine.game.tokens:
                pass
            case _:
                continue
        span = asking.span
        for question, answers in coverage.answers.items():
            if (question.file, question.line, question.column, question.end, question.name) == (
                span.source.name, span.line, span.column, span.end, asking.name,
            ):  # fmt: skip
                into = drawn if asking.kind == "chance" else chosen
                for word in answers.values:
                    into[name, word] += answers.taken[word]
    keys = dict.fromkeys(sorted((*drawn, *chosen)))
    return [Thing(name, word, drawn[name, word], chosen[name, word]) for name, word in keys]
