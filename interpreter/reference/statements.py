"""Statements that change values, and those that show things."""

from __future__ import annotations

from typing import Any

from .. import types as t
from ..core import Ex, St
from ..facts import secretly
from .events import after_effect, finish
from .expressions import state_spot
from .play import Frame, Play, Steps, executes
from .table import Place, key_of
from .trouble import Jump, Trouble, no_room, outside


def nobody_waits() -> Steps:
    """For statements that never ask: makes their functions generators."""
    yield from ()


@executes("nothing")
def nothing(play: Play, st: St, frame: Frame) -> Steps:
    yield from nobody_waits()


@executes("let")
def let(play: Play, st: St, frame: Frame) -> Steps:
    frame.vars[st.data.uid] = play.value(st.args[0], frame)
    yield from nobody_waits()


@executes("set")
def set_value(play: Play, st: St, frame: Frame) -> Steps:
    target, ex = st.args
    value = play.value(ex, frame)
    limits = t.plain(target.type)
    if isinstance(limits, t.Num) and value is not None and not limits.low <= value <= limits.high:
        raise outside(st.span, value, limits.low, limits.high)
    write(play, target, value, frame)
    yield from after_effect(play)


def write(play: Play, target: Ex, value: Any, frame: Frame) -> None:
    """Give a state, or a field of a row, another value."""
    if target.op == "state":
        key, index = state_spot(play, target, frame)
        play.table.states[key][index] = value
        play.table.touch(("state", key, index))
        play.seeing.was_set(key, index)
        return
    record, name = target.data
    row, *rest = play.values(target.args, frame)
    fields = play.table.records[record.name].rows[row]
    if rest:
        fields[name] = {**fields[name], tuple(rest): value}
    else:
        fields[name] = value
    play.table.touch(("record", record.name))
    play.seeing.noted(record.name, row)


@executes("note")
def note(play: Play, st: St, frame: Frame) -> Steps:
    """The row that is equal, added if there is none."""
    decl, var = st.data
    record = play.table.records[decl.name]
    fields = {name: play.value(ex, frame) for name, ex in st.args}
    if fields not in record.rows:
        if len(record.rows) >= record.limit:
            raise no_room(st.span, f"the record has {record.limit} rows already")
        record.rows.append(fields)
        play.table.touch(("record", decl.name))
    row = record.rows.index(fields)
    play.seeing.noted(decl.name, row)
    if var is not None:
        frame.vars[var.uid] = row
    yield from after_effect(play)


@executes("require")
def require(play: Play, st: St, frame: Frame) -> Steps:
    if not play.value(st.args[0], frame):
        raise Trouble("D0911", st.span, "this was called although its requirement does not hold")
    yield from nobody_waits()


@executes("finish")
def end_match(play: Play, st: St, frame: Frame) -> Steps:
    finish(play, play.value(st.args[0], frame), st.data or (frame.rule if frame.ends else None))
    yield from nobody_waits()


# ---------------------------------------------------------------- showing
def audience(play: Play, who: Any, frame: Frame) -> set[int]:
    if who == "all":
        return set(range(play.players))
    return set() if who == "nobody" else set(play.value(who, frame))


def opened(play: Play, st: St, frame: Frame) -> list[tuple[set[int], set[int]]]:
    """Open places or a state to viewers; gives each list of viewers with what it was before."""
    ex: Ex = st.args[0]
    viewers = audience(play, st.data, frame)
    before = []
    if ex.op == "state":
        key, index = state_spot(play, ex, frame)
        shown = play.table.shown_states.setdefault((key, index), set())
        before.append((shown, set(shown)))
        shown |= viewers
        play.seeing.was_set(key, index, viewers if secretly(st) else None)
        return before
    places: list[Place]
    if ex.op == "places_of":
        of = play.table.places[key_of(ex.data)]
        owners = play.value(ex.args[0], frame)
        if ex.data.per:
            owners = sorted({play.table.groups[ex.data.per][p] for p in owners})
        places = [of[(p,)] for p in owners]
    else:
        places = [play.value(ex, frame)]
    for place in places:
        before.append((place.shown_to, set(place.shown_to)))
        place.shown_to |= viewers
        play.seeing.shown(place, viewers, secretly=secretly(st))
    return before


@executes("reveal")
def reveal(play: Play, st: St, frame: Frame) -> Steps:
    opened(play, st, frame)
    yield from nobody_waits()


@executes("show")
def show(play: Play, st: St, frame: Frame) -> Steps:
    before = opened(play, st, frame)

    def close() -> None:
        for shown, old in before:
            shown.clear()
            shown.update(old)

    try:
        yield from play.run(st.body, frame)
    except Jump:
        close()
        raise
    close()
