"""Statements that change values, and those that show things."""

from __future__ import annotations

from typing import Any

from ..core import (
    Audience,
    Ex,
    Finish,
    Let,
    Note,
    Nothing,
    PlacesOf,
    RecordField,
    Require,
    Reveal,
    SeenBy,
    SeenByAll,
    Set,
    Show,
    StateRef,
)
from ..core import value_types as t
from .events import after_effect, finish
from .expressions import state_spot
from .play import Frame, Play, Steps, executes
from .table import Place, key_of
from .trouble import Jump, Outside, Trouble, no_room


def nobody_waits() -> Steps:
    """For statements that never ask: makes their functions generators."""
    yield from ()


@executes(Nothing)
def nothing(play: Play, st: Nothing, frame: Frame) -> Steps:
    yield from nobody_waits()


@executes(Let)
def let(play: Play, st: Let, frame: Frame) -> Steps:
    frame.vars[st.var.uid] = play.value(st.value, frame)
    yield from nobody_waits()


@executes(Set)
def set_value(play: Play, st: Set, frame: Frame) -> Steps:
    value = play.value(st.value, frame)
    limits = t.plain(st.target.type)
    if isinstance(limits, t.Num) and value is not None and not limits.low <= value <= limits.high:
        raise Outside(st.span, value, limits.low, limits.high)
    write(play, st.target, value, frame)
    yield from after_effect(play)


def write(play: Play, target: Ex, value: Any, frame: Frame) -> None:
    """Give a state, or a field of a row, another value."""
    if isinstance(target, StateRef):
        key, index = state_spot(play, target, frame)
        play.table.states[key][index] = value
        play.table.touch(("state", key, index))
        play.seeing.was_set(key, index)
        return
    assert isinstance(target, RecordField)
    record, name = target.record, target.name
    row, *rest = play.values(target.indices, frame)
    fields = play.table.records[record.name].rows[row]
    if rest:
        fields[name] = {**fields[name], tuple(rest): value}
    else:
        fields[name] = value
    play.table.touch(("record", record.name))
    play.seeing.noted(record.name, row)


@executes(Note)
def note(play: Play, st: Note, frame: Frame) -> Steps:
    """The row that is equal, added if there is none."""
    record = play.table.records[st.record.name]
    fields = {name: play.value(ex, frame) for name, ex in st.fields}
    if fields not in record.rows:
        if len(record.rows) >= record.limit:
            raise no_room(st.span, f"the record has {record.limit} rows already")
        record.rows.append(fields)
        play.table.touch(("record", st.record.name))
    row = record.rows.index(fields)
    play.seeing.noted(st.record.name, row)
    if st.var is not None:
        frame.vars[st.var.uid] = row
    yield from after_effect(play)


@executes(Require)
def require(play: Play, st: Require, frame: Frame) -> Steps:
    if not play.value(st.condition, frame):
        raise Trouble("D0911", st.span, "this was called although its requirement does not hold")
    yield from nobody_waits()


@executes(Finish)
def end_match(play: Play, st: Finish, frame: Frame) -> Steps:
    finish(play, play.value(st.winners, frame), st.because or (frame.rule if frame.ends else None))
    yield from nobody_waits()


# ---------------------------------------------------------------- showing
def audience(play: Play, who: Audience, frame: Frame) -> set[int]:
    if isinstance(who, SeenBy):
        return set(play.value(who.players, frame))
    return set(range(play.players)) if isinstance(who, SeenByAll) else set()


def opened(play: Play, st: Show | Reveal, frame: Frame) -> list[tuple[set[int], set[int]]]:
    """Open places or a state to viewers; gives each list of viewers with those who are new on it."""
    ex = st.place
    viewers = audience(play, st.audience, frame)
    new = []
    if isinstance(ex, StateRef):
        key, index = state_spot(play, ex, frame)
        shown = play.table.shown_states.setdefault((key, index), set())
        new.append((shown, viewers - shown))
        shown |= viewers
        play.seeing.was_set(key, index, viewers if st.secretly else None)
        return new
    places: list[Place]
    if isinstance(ex, PlacesOf):
        of = play.table.places[key_of(ex.place)]
        owners = play.value(ex.players, frame)
        if ex.place.per:
            owners = sorted({play.table.groups[ex.place.per][p] for p in owners})
        places = [of[(p,)] for p in owners]
    else:
        places = [play.value(ex, frame)]
    for place in places:
        new.append((place.shown_to, viewers - place.shown_to))
        place.shown_to |= viewers
        play.seeing.shown(place, viewers, secretly=st.secretly)
    return new


@executes(Reveal)
def reveal(play: Play, st: Reveal, frame: Frame) -> Steps:
    opened(play, st, frame)
    yield from nobody_waits()


@executes(Show)
def show(play: Play, st: Show, frame: Frame) -> Steps:
    opened_to = opened(play, st, frame)

    def close() -> None:
        for shown, new in opened_to:
            shown -= new

    try:
        yield from play.run(st.body, frame)
    except Jump:
        close()
        raise
    close()
