"""Draws from places that may run out, where nothing says what happens then.

`draw` takes what is there. That may be meant, or nobody has thought of it. It
counts as thought of when the draw has an `else`, or when the game anywhere asks
how much is left: a condition, a definition or an ending that looks at the size,
the top or the emptiness of the place. Nor is there a question where a count
shows that there is enough for all draws of a match (how_often.py). Set-up is not looked at: there the box
is full, and D0508 tells what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...grammar import Report
from ..core import CallRule, CheckedGame, Draw, Ex, If, May, Offer, Pick, PlaceRef, RuleDecl, Turns, applies
from ..core.facts import state_name
from .how_often import HowOften, highest, supply
from .trees import inner, own_expressions, procedures, statements

_LOOKS = frozenset(("empty", "size", "top", "bottom", "nth"))


def shortages(game: CheckedGame, report: Report) -> None:
    fine = places_asked_about(game) | _plenty(game)
    for procedure in after_setup(game):
        for st in statements(procedure.body):
            if not isinstance(st, Draw) or st.orelse or _all_of_it(st):
                continue
            source = st.source
            if (
                not isinstance(source, PlaceRef)
                or state_name(source.place) in fine
                or _counted(st, procedure)
            ):
                continue
            name = _written(source)
            report.add(
                "D0504",
                f"`{name}` may run out, and nothing says what happens then",
                st.span,
                severity="warning",
                related=[(source.place.span, "declared here")],
                help=f"`... else nothing`, `else stop ...`, or ask: `if {name} = {{}}: ...`",
            )


def _plenty(game: CheckedGame) -> set[str]:
    """The places from which no more is ever drawn than there is."""
    often = HowOften(game)
    drawn: dict[str, float] = {}
    kinds: dict[str, str] = {}
    for procedure in procedures(game):
        for st in statements(procedure.body):
            if isinstance(st, Draw) and isinstance(st.source, PlaceRef):
                name = state_name(st.source.place)
                kinds[name] = st.source.place.of
                drawn[name] = drawn.get(name, 0) + highest(st.amount) * often.times(procedure, st)
    return {name for name, number in drawn.items() if number <= supply(game, kinds[name])}


def _counted(draw: Draw, procedure: RuleDecl) -> bool:
    """Is what was drawn counted where it came to?"""
    target = draw.place
    return any(
        applies(ex, *_LOOKS) and ex.args[0] == target
        for st in statements(procedure.body)
        if isinstance(st, If)
        for ex in inner(st.condition)
    )


def _all_of_it(st: Draw) -> bool:
    return applies(st.amount, "size") and st.amount.args[0] == st.source


def _written(source: Ex) -> str:
    return " ".join(source.span.text.split())


def places_asked_about(game: CheckedGame) -> set[str]:
    """The places of which the game somewhere asks how much there is."""
    found: set[str] = set()
    for ex in _questions(game):
        for part in inner(ex):
            if applies(part, *_LOOKS) and isinstance(part.args[0], PlaceRef):
                found.add(state_name(part.args[0].place))
    return found


def _questions(game: CheckedGame) -> Iterator[Ex]:
    """All expressions but those of invariants and scenarios, which play no part in the game."""
    for procedure in procedures(game):
        if procedure.where is not None:
            yield procedure.where
        for st in statements(procedure.body):
            if isinstance(st, Pick) or (isinstance(st, Draw) and _all_of_it(st)):
                continue  # "all" is no question
            yield from own_expressions(st)
    for define in game.defines.values():
        yield define.body
    for ending in game.endings.values():
        yield ending.when


def after_setup(game: CheckedGame) -> Iterator[RuleDecl]:
    """The procedures that can be reached behind the set-up."""
    todo: list[RuleDecl] = [phase for phase in game.phases if phase.name != "setup"]
    seen: set[int] = set()
    while todo:
        procedure = todo.pop(0)
        if id(procedure) in seen:
            continue
        seen.add(id(procedure))
        yield procedure
        events = {
            ("turn", "turn"),
            ("scope", procedure.name),
            ("rule", procedure.name),
            ("menu", procedure.menu),
        }
        for st in statements(procedure.body):
            if isinstance(st, CallRule):
                todo += [game.rules[n] for n in (str(st.rule),) if n in game.rules]
            elif isinstance(st, Offer | May):
                names = [*game.menus.get(st.offering.menu, [])] if st.offering.menu else []
                names += [case.action for case in st.offering.cases if case.action is not None]
                todo += [game.rules[name] for name in names]
            elif isinstance(st, Turns) and st.label is not None:
                events.add(("scope", str(st.label)))
        for trigger in game.triggers.values():
            if events & set(trigger.events) or any(k in ("entering", "leaving") for k, _ in trigger.events):
                todo.append(trigger)
