"""For how many players a game with variants over it is.

`for` says for which numbers a variant is made, also beyond those of its base: a number
may be played if every variant with a `for` lists it. Tables that then lack a row are
found by the checker. Scenarios of the base and of other variants that are for numbers
which cannot be played any more are left out: they are right where they stand.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from ...grammar import Report, Word, syntax
from ..core.player_counts import player_counts


def with_players(game: syntax.Game, variants: list[syntax.Variant], report: Report) -> syntax.Game:
    """The header of the game, for the numbers that every variant is made for."""
    choosy = [(v, v.players) for v in variants if v.players is not None]
    if not choosy:
        return game
    *lower, (_, wanted) = choosy
    numbers = [n for n in player_counts(wanted) if all(n in player_counts(p) for _, p in lower)]
    if not numbers:
        names = " and ".join(f'"{v.name}"' for v, _ in choosy)
        report.add(
            "D0605",
            f"there is no number of players that {names} are all made for",
            wanted.span,
            related=[(p.span, f'what "{v.name}" is made for') for v, p in lower],
        )
        return game
    words = tuple(Word(str(n), wanted.span) for n in numbers)
    return attrs.evolve(game, players=syntax.CountList(words, span=wanted.span))


def fitting(
    decls: Iterable[syntax.Decl], base: syntax.File, variants: list[syntax.Variant]
) -> tuple[syntax.Decl, ...]:
    """Without the scenarios that only the number of players of another variant keeps from being played."""
    decls = tuple(decls)
    game = next((d for d in decls if isinstance(d, syntax.Game)), None)
    first = next((d for d in base.decls if isinstance(d, syntax.Game)), None)
    if game is None or first is None or game is first:
        return decls
    now, at_first = set(player_counts(game.players)), set(player_counts(first.players))

    def at_home(scenario: syntax.Scenario) -> set[int]:
        """The numbers that can be played under the rules beside which a scenario stands."""
        beside = [v for v in variants if v.span.source.name == scenario.span.source.name]
        around = [v for v in beside if v.span.start <= scenario.span.start < v.span.end]
        if not around and scenario.span.source.name == base.span.source.name:
            return at_first
        homes = [set(player_counts(v.players)) if v.players else at_first for v in around or beside]
        return set().union(*homes) if homes else at_first

    def is_left_out(decl: syntax.Decl) -> bool:
        if not isinstance(decl, syntax.Scenario) or decl.players is None:
            return False
        players = int(decl.players[:4])
        return players not in now and players in at_home(decl)

    return tuple(d for d in decls if not is_left_out(d))
