"""Statements that ask somebody: `choose`, `pick`, `offer`, `may`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...grammar import Span
from ..core import (
    Apply,
    Case,
    Choice,
    Choose,
    Const,
    Gen,
    Local,
    May,
    Offer,
    Offering,
    Pick,
    Reduction,
    Universe,
    Var,
    several,
)
from ..core import value_types as t
from .choices import Check, behind_in_header, case_possible, completable, holds, options, vector_of
from .control import call_rule
from .events import after_effect, reset, test_before, with_triggers
from .moving import move_tokens
from .names import key_of_value, words_for
from .play import Asked, Frame, Play, Steps, executes
from .several import Members
from .trouble import Jump, no_choice

NO = "no"
"""Choosing nothing at all."""


@executes(Choose)
def choose(play: Play, st: Choose, frame: Frame) -> Steps:
    test_before(play, "rest")
    then = behind_in_header(play, st)
    choice = st.choice
    if not completable(play, choice, 0, frame, then) and not choice.always:
        if not st.orelse and not choice.decline:
            raise no_choice(st.span)
        yield from play.run(st.orelse, frame)
        return
    taken = yield from ask(play, choice, st.span, frame, then)
    yield from play.run(st.body if taken else st.orelse, frame) if choice.decline else ()


def ask(play: Play, choice: Choice, span: Span, frame: Frame, then: tuple[Check, ...]) -> Steps:
    """Binder after binder, cell after cell; False if it was declined."""
    assert frame.me is not None
    private = play.seeing.is_private(choice, span)
    rule = frame.rule.replace("_", " ")
    for position, gen in enumerate(choice.gens):
        name = gen.var.name
        asked = Asked(
            frame.me, "choose", name, frame.rule, span, [], [], choice.prompt or f"{rule}: {name}",
            position == 0, position == len(choice.gens) - 1, (), private, type=gen.var.type,
        )  # fmt: skip
        if gen.cells:
            frame.vars[gen.var.uid] = yield from ask_cells(play, choice, position, asked, frame, then)
            continue
        if several(gen):
            members = Members(play, gen, frame)
            frame.vars[gen.var.uid] = yield from members.ask(asked, fits(play, choice, position, frame, then))
            continue
        asked.values = options(play, choice, position, frame, then)
        asked.keys = [(name, key_of_value(play, v, gen.var.type)) for v in asked.values]
        if choice.decline and position == 0:
            asked.values.append(NO)
            asked.keys.append((name, None))
            asked.declined = NO
        chosen = yield asked
        if chosen == NO:
            return False
        frame.vars[gen.var.uid] = chosen
    return True


def fits(
    play: Play, choice: Choice, position: int, frame: Frame, then: tuple[Check, ...]
) -> Callable[[Any], bool]:
    """Can a binder have this value, and what is behind it be completed?"""
    gen = choice.gens[position]

    def holding(value: Any) -> bool:
        inner = frame.inner({gen.var.uid: value})
        return all(holds(play, c, choice.gens, inner) for c in gen.where) and completable(
            play, choice, position + 1, inner, then
        )

    return holding


def ask_cells(
    play: Play, choice: Choice, position: int, asked: Asked, frame: Frame, then: tuple[Check, ...]
) -> Steps:
    gen = choice.gens[position]
    vector = vector_of(play, choice, position, frame)

    def behind(whole: Any) -> bool:
        return completable(play, choice, position + 1, frame.inner({gen.var.uid: whole}), then)

    filled: dict[Any, int] = {}
    for index in vector.asked:
        values = vector.options(filled, behind)
        cell = tuple(words_for(play, v, var.type) for v, (var, _) in zip(index, gen.cells, strict=True))
        filled[index] = yield Asked(
            asked.player, "vector", asked.name, asked.rule, asked.span, values,
            [(asked.name, v) for v in values], f"{asked.prompt} ({', '.join(cell)})",
            asked.first, asked.last, cell, asked.private,
        )  # fmt: skip
    return next(vector.ways(filled, behind))


@executes(Pick)
def pick(play: Play, st: Pick, frame: Frame) -> Steps:
    """Tokens of `me`'s choice: a vector of amounts, one for each kind, then the moves."""
    choice, amounts = pick_choice(st)
    yield from choose(play, Choose(st.span, choice), frame)
    for kind in play.table.universe(t.Kind(st.source.place_type.of)):
        amount = frame.vars[amounts.uid][(kind,)]
        source, place = play.value(st.source, frame), play.value(st.place, frame)
        move_tokens(play, amount, kind, source, place, None, st.span)
        yield from after_effect(play)


def pick_choice(st: Pick) -> tuple[Choice, Var]:
    """`amount[kind in T] in 0..source[kind] where sum(amount[k] for k in T) in low..high`."""
    span, kind, whole = st.span, t.Kind(st.source.place_type.of), t.Num(0, t.MANY)
    numbers = t.SetOf(whole)
    every = Universe(t.SetOf(kind), span, kind)
    cell, each = Var("kind", f"kind of {span.start}", kind), Var("k", f"k of {span.start}", kind)
    amounts = Var("amount", f"amount of {span.start}", t.Array((kind,), whole))
    there = Apply(whole, span, "tally", (st.source, Local(kind, span, cell)))
    zero = Const(t.Num(0, 0), span, 0)
    vector = Local(amounts.type, span, amounts)
    term = Apply(whole, span, "array_at", (vector, Local(kind, span, each)))
    total = Reduction(whole, span, "sum", (Gen(each, every),), term)
    condition = Apply(t.YES_NO, span, "in", (total, Apply(numbers, span, "range", (st.low, st.high))))
    gen = Gen(amounts, Apply(numbers, span, "range", (zero, there)), (condition,), ((cell, every),))
    return Choice(None, (gen,), (), pick=True), amounts


# ---------------------------------------------------------------- menus
@executes(Offer, May)
def offer(play: Play, st: Offer | May, frame: Frame) -> Steps:
    test_before(play, "rest")
    offering = st.offering
    assert frame.me is not None
    cases = cases_of(play, offering)
    values = [n for n, case in enumerate(cases) if case_possible(play, case, frame)]
    no = len(cases)
    if not values and not offering.always:
        if isinstance(st, Offer) and not st.orelse:
            raise no_choice(st.span)
        yield from play.run(st.orelse, frame)
        return
    keys = [("offer", cases[n].key) for n in values]
    if isinstance(st, May):
        values.append(no)
        keys.append(("offer", "no"))
    menu = offering.menu.replace("_", " ") if offering.menu else None
    prompt = offering.prompt or menu or frame.rule.replace("_", " ")
    declined = no if isinstance(st, May) else None
    chosen = yield Asked(
        frame.me,
        "offer",
        "offer",
        frame.rule,
        st.span,
        values,
        keys,
        prompt,
        declined=declined,
        unnamed=offering.window and not offering.always,
    )
    if chosen == no:
        yield from play.run(st.orelse, frame)
        return
    yield from take_case(play, offering, cases[chosen], frame)
    if isinstance(st, May):
        yield from play.run(st.body, frame)


def cases_of(play: Play, offering: Offering) -> list[Case]:
    if offering.menu is None:
        return offering.cases
    rules = play.game.rules
    return [
        Case(name, name, rules[name].span, name, offering.menu_args)
        for name in play.game.menus[offering.menu]
    ]


def take_case(play: Play, offering: Offering, case: Case, frame: Frame) -> Steps:
    if case.action is None:
        yield from play.run(case.body, frame)
        return
    action = case.action
    args = play.values(case.args, frame)

    def body() -> Steps:
        yield from call_rule(play, action, args, frame.me)

    events = {("menu", offering.menu)} if offering.menu else set()
    if play.game.rules[action].menu is None:
        yield from with_triggers(play, events, args, frame.me, body)
        return
    play.table.actions += 1
    try:
        yield from with_triggers(play, events, args, frame.me, body)
    except Jump:
        action_over(play)
        raise
    action_over(play)


def action_over(play: Play) -> None:
    """What lasts until an action ends lasts until the outermost one is over."""
    play.table.actions -= 1
    if play.table.actions == 0:
        reset(play, "action")
