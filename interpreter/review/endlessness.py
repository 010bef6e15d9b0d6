"""Games that the players could go on with for ever.

Turns without a limit are fine as long as something wears out: a pile that only
shrinks, a discard that only grows, a score that only rises, a mark that is set
once and never taken back. Only where there is no such thing at all, and nothing
asks how many turns there have been, is there a question for the author. What
wears out need not do so in every turn; this says nothing about that.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ...grammar import Report, Span
from ..core import (
    CheckedGame,
    Choose,
    Const,
    Ex,
    Finish,
    For,
    If,
    InRange,
    Local,
    MoveCell,
    MoveTokens,
    PlaceRef,
    Repeat,
    Require,
    Rounds,
    RuleDecl,
    Set,
    Shuffle,
    St,
    StateRef,
    Swap,
    Turns,
    applies,
    bodies,
    own_bodies,
)
from ..core import value_types as t
from ..core.facts import PUTS, reads, state_name
from .origins import Origins
from .shortages import after_setup
from .trees import inner, own_expressions, statements


def endlessness(game: CheckedGame, report: Report) -> None:
    bodies = list(after_setup(game))
    loops = [st for procedure in bodies for st in statements(procedure.body) if _without_limit(st)]
    if not loops or _counts_turns(game, bodies) or _wears_out(game, bodies):
        return
    if any(d.code == "D0502" for d in report.found.values()):
        return  # there is not even a way out, which has been told
    loop = min(loops, key=lambda st: (st.span.source.name, st.span.start))
    word = type(loop).__name__.lower()
    report.add(
        "D0507",
        f"nothing bounds how long these {word} go on: nothing in the game only ever grows or shrinks",
        Span(loop.span.source, loop.span.start, loop.span.start + len(word)),
        severity="warning",
        help="limit them: `ending too_long before turn when turn_number > 500: finish {}`",
    )


def _without_limit(st: St) -> bool:
    return (isinstance(st, Turns) and not st.once) or (isinstance(st, Rounds) and st.clock is None)


def _counts_turns(game: CheckedGame, bodies: list[RuleDecl]) -> bool:
    conditions = [ending.when for ending in game.endings.values()]
    conditions += [ex for body in bodies for st in statements(body.body) for ex in own_expressions(st)]
    conditions += [define.body for define in game.defines.values()]
    return any(applies(part, "turn_number") for ex in conditions for part in inner(ex))


# ---------------------------------------------------------------- what only grows or shrinks
def _wears_out(game: CheckedGame, bodies: list[RuleDecl]) -> bool:
    gains, loses = _traffic(game, bodies)
    return bool(gains ^ loses) or any(_one_way_states(game, bodies)) or any(map(_raises, bodies))


def _raises(body: RuleDecl) -> bool:
    """Is something chosen that must be higher than before, and kept as the new mark?"""
    chosen: dict[str, set[str]] = {}
    for st in statements(body.body):
        if isinstance(st, Choose):
            names = {gen.var.uid for gen in st.choice.gens}
            for ex in own_expressions(st):
                for part in inner(ex):
                    if applies(part, "lt", "gt"):
                        marks = {state_name(a.state) for a in part.args if isinstance(a, StateRef)}
                        for arg in part.args:
                            if isinstance(arg, Local) and arg.var.uid in names:
                                chosen.setdefault(arg.var.uid, set()).update(marks)
        if isinstance(st, Set) and isinstance(st.target, StateRef):
            value = st.value
            while isinstance(value, InRange):
                value = value.of
            if isinstance(value, Local) and state_name(st.target.state) in chosen.get(value.var.uid, ()):
                return True
    return False


def _traffic(game: CheckedGame, bodies: list[RuleDecl]) -> tuple[set[str], set[str]]:
    """The places that gain something during the game, and those that lose something."""
    gains: set[str] = set()
    loses: set[str] = set()
    for body in bodies:
        origins = Origins(game, body.body)
        for st in _while_it_lasts(body.body):
            if isinstance(st, Swap):
                both = {
                    n for a in (st.left, st.right) if isinstance(a.type, t.Place) for n in _places(a, game)
                }
                gains |= both
                loses |= both
            target = st.place if isinstance(st, PUTS) else None
            if isinstance(target, Ex) and isinstance(target.type, t.Place):
                gains |= _places(target, game)
            loses |= origins.of(st)
            if isinstance(st, Shuffle):
                gains |= _places(st.into, game)
                loses |= _places(st.place, game) - _places(st.into, game)
    return gains, loses


def _while_it_lasts(body: tuple[St, ...]) -> Iterator[St]:
    """The statements of a body, without those that end the match behind them, and without
    exchanges: what is lifted off a space and replaced at once changes no numbers."""
    if body and isinstance(body[-1], Finish):
        for st in body:  # but what goes on before that is meant
            if _without_limit(st):
                yield from _while_it_lasts(own_bodies(st)[0])
        return
    skipped: set[int] = set()
    for first, second in pairwise(body):
        if isinstance(first, MoveCell) and isinstance(second, MoveTokens) and second.at == first.space:
            skipped |= {id(first), id(second)}
    for st in body:
        if id(st) not in skipped:
            yield st
        for part in bodies(st):
            yield from _while_it_lasts(part)


def _places(ex: Ex, game: CheckedGame) -> set[str]:
    assert isinstance(ex.type, t.Place)
    return {state_name(ex.place)} if isinstance(ex, PlaceRef) else _all_of(ex.type.of, game)


def _all_of(of: str, game: CheckedGame) -> set[str]:
    """Where such things lie during a game; the box is not meant."""
    return {
        state_name(place)
        for place in game.places.values()
        if place.of == of and not place.name.startswith("box of ")
    }


def _one_way_states(game: CheckedGame, bodies: list[RuleDecl]) -> Iterator[bool]:
    """For each state that changes and is asked about: does it change in one direction only?"""
    changes: dict[str, list[tuple[Ex, Ex]]] = {}
    for body in bodies:
        for st in statements(body.body):
            if isinstance(st, Set) and isinstance(st.target, StateRef):
                changes.setdefault(state_name(st.target.state), []).append((st.target, st.value))
            elif isinstance(st, Swap) and isinstance(st.left, StateRef):
                changes.setdefault(state_name(st.left.state), []).append((st.left, st.right))
    asked = reads([ending.when for ending in game.endings.values()], game)
    for body in bodies:
        for st in statements(body.body):
            if isinstance(st, If | Turns | Rounds | Require | Choose | Repeat | For):
                asked |= reads(list(own_expressions(st)), game)
    for name, sets in changes.items():
        state = game.states.get(name)
        if state is not None and state.until is None and name in asked:
            yield len({_direction(target, value) for target, value in sets}) == 1 and (
                _direction(*sets[0]) is not None
            )


def _direction(target: Ex, value: Ex) -> str | None:
    """`up`, `down`, or the one value that it is set to; None for anything else."""
    while isinstance(value, InRange):
        value = value.of
    if isinstance(value, Const):
        return f"to {value.value}"
    if applies(value, "add", "sub") and value.args[0] == target:
        by = value.args[1].type
        if isinstance(by, t.Num) and (by.low > 0 or by.high < 0):
            return "up" if (by.low > 0) == (applies(value, "add")) else "down"
    if applies(value, "union") and value.args[0] == target:
        return "up"
    return None
