"""What can be chosen: the options of a binder, and whether a header can be completed.

One rule is behind all of it: something is offered only if what belongs to the
same choice can still be completed. The binders of one `choose` are tried one
inside the other; so are the lines of a header, which is one choice as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..core import (
    Can,
    CanMenu,
    Case,
    Choice,
    Choose,
    Ex,
    Gen,
    Let,
    May,
    Offer,
    Require,
    St,
    applies,
    bodies,
    free_vars,
)
from ..core import value_types as t
from .play import Frame, Play, evaluates
from .table import Place
from .vectors import Vector, bindings

Check = Require | Let | Choose


def holds(play: Play, condition: Ex, gens: tuple[Gen, ...], frame: Frame) -> bool:
    """A condition of a choice; one that names an index of a vector is meant for every cell."""
    named = free_vars(condition)
    cells = [cell for gen in gens for cell in gen.cells if cell[0].uid in named]
    return all(play.value(condition, inner) for inner in bindings(play, cells, frame))


def ways(play: Play, choice: Choice, position: int, frame: Frame) -> Iterator[Frame]:
    """A frame for each way to bind the binders from `position` on."""
    if position == len(choice.gens):
        yield frame
        return
    gen = choice.gens[position]
    if gen.cells:
        for whole in vector_of(play, choice, position, frame).ways({}, lambda _: True):
            yield from ways(play, choice, position + 1, frame.inner({gen.var.uid: whole}))
        return
    for value in play.value(gen.domain, frame):
        inner = frame.inner({gen.var.uid: value})
        if all(holds(play, condition, choice.gens, inner) for condition in gen.where):
            yield from ways(play, choice, position + 1, inner)


def completable(
    play: Play, choice: Choice, position: int, frame: Frame, then: tuple[Check, ...] = ()
) -> bool:
    """Can the binders from `position` on be bound so that the lines behind can be completed, too?"""
    return any(possible(play, then, inner) for inner in ways(play, choice, position, frame))


def options(
    play: Play, choice: Choice, position: int, frame: Frame, then: tuple[Check, ...] = ()
) -> list[Any]:
    """The values that a binder may take, given those before it and the lines of a header behind."""
    gen = choice.gens[position]
    distinct = choice.distinct if position == len(choice.gens) - 1 else ()
    apart = told_apart(play, gen.domain, frame) if not distinct else None
    out: list[Any] = []
    known: set[Any] = set()
    for value in play.value(gen.domain, frame):
        inner = frame.inner({gen.var.uid: value})
        if not all(holds(play, condition, choice.gens, inner) for condition in gen.where):
            continue
        key: Any = None
        if distinct:
            key = tuple(map(hashable, play.values(distinct, inner)))
        elif apart is not None:
            key = apart[value]
        if (key is None or key not in known) and completable(play, choice, position + 1, inner, then):
            out.append(value)
            if key is not None:
                known.add(key)
    return out


def hashable(value: Any) -> Any:
    return tuple(sorted(value.items())) if isinstance(value, dict) else value


def vector_of(play: Play, choice: Choice, position: int, frame: Frame) -> Vector:
    return Vector(play, choice.gens[position], choice.alike, frame)


# ---------------------------------------------------------------- copies
def told_apart(play: Play, domain: Ex, frame: Frame) -> list[int] | None:
    """Of a bag of components: what tells each from the others; copies that nothing tells apart have
    the same number. None where each is its own."""
    if not applies(domain, "items") or domain.args[0].place_type.shape != "bag":
        return None
    place: Place = play.value(domain.args[0], frame)
    return marks(play, place.decl.of, place.items)


def marks(play: Play, comp: str, among: list[int]) -> list[int] | None:
    """The printed row of each component, if nothing but print could tell copies apart."""
    table, game = play.table, play.game
    owners = {s.owner for s in game.states.values()} | {p.owner for p in game.places.values()}
    if comp in owners:
        return None
    for record in game.records.values():
        if any(
            t.mentions(part, comp) for indices, type_ in record.fields.values() for part in (type_, *indices)
        ):
            return None
    for key, state in game.states.items():
        if state.indices == (t.Comp(comp),) and not t.mentions(state.type, comp):
            if any(table.states[key][(c,)] != table.first_values[key] for c in among):
                return None
        elif t.plain(state.type) == t.Comp(comp) and not any(t.mentions(i, comp) for i in state.indices):
            if any(value in among for value in table.states[key].values()):
                return None
        elif any(t.mentions(part, comp) for part in (state.type, *state.indices)):
            return None
    return [thing.row for thing in table.things[comp]]


# ---------------------------------------------------------------- headers


def header(body: tuple[St, ...]) -> tuple[Check, ...]:
    """The lines that decide whether an action is possible: up to the first with an effect."""
    out: list[Check] = []
    for st in body:
        if not isinstance(st, Require | Let | Choose) or (
            isinstance(st, Choose) and (st.orelse or st.choice.pick or st.choice.decline)
        ):
            break
        out.append(st)
    return tuple(out)


def behind_in_header(play: Play, st: Choose) -> tuple[Check, ...]:
    """Of a choice in the header of an action or of a case: the lines of the header behind it."""
    if play.headers is None:
        headers = [header(body) for body in headed_bodies(play)]
        play.headers = {id(line): lines[n + 1 :] for lines in headers for n, line in enumerate(lines)}
    return play.headers.get(id(st), ())


def headed_bodies(play: Play) -> Iterator[tuple[St, ...]]:
    game = play.game
    todo = [rule.body for rule in (*game.rules.values(), *game.triggers.values(), *game.phases)]
    yield from (rule.body for rule in game.rules.values() if rule.kind == "action")
    while todo:
        for st in todo.pop():
            todo += bodies(st)
            if isinstance(st, Offer | May):
                yield from (case.body for case in st.offering.cases)


def possible(play: Play, checks: tuple[Check, ...], frame: Frame) -> bool:
    """Can a header be completed?"""
    if not checks:
        return True
    st, *rest = checks
    if isinstance(st, Require):
        return bool(play.value(st.condition, frame)) and possible(play, tuple(rest), frame)
    if isinstance(st, Let):
        bound = {st.var.uid: play.value(st.value, frame)}
        return possible(play, tuple(rest), frame.inner(bound))
    return any(possible(play, tuple(rest), inner) for inner in ways(play, st.choice, 0, frame))


def can_take(play: Play, action: str, args: list[Any], me: int | None) -> bool:
    rule = play.game.rules[action]
    bound = {p.uid: v for p, v in zip(rule.params, args, strict=True)}
    return possible(play, header(rule.body), Frame(action, bound, me))


def case_possible(play: Play, case: Case, frame: Frame) -> bool:
    if case.action is not None:
        return can_take(play, case.action, play.values(case.args, frame), frame.me)
    return possible(play, header(case.body), frame.inner())


@evaluates(Can)
def can(play: Play, ex: Can, frame: Frame) -> Any:
    return can_take(play, ex.action, play.values(ex.args, frame), frame.me)


@evaluates(CanMenu)
def can_menu(play: Play, ex: CanMenu, frame: Frame) -> Any:
    args = play.values(ex.args, frame)
    return any(can_take(play, action, args, frame.me) for action in play.game.menus[ex.menu])
