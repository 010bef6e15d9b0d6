"""Loops: `for`, `repeat`, `turns`, `rounds`, `together`.

What lasts until a loop ends is put back however the loop is left: by its end,
by `stop`, or because something outside of it is left. Only the end of the match
leaves everything as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import count

from ..core import NEXT, For, Gen, Repeat, Rounds, St, Together, Turns
from .events import hooks_of, put_back, reset, test_before, test_endings, with_triggers
from .play import Frame, Play, Steps, executes
from .trouble import Expire, Jump, Skip, Stop


def until_left(label: str | None, body: Steps, close: Callable[[], None]) -> Steps:
    """Run a loop; `stop` with its name leaves it; in any case, close it."""
    try:
        yield from body
    except Stop as stopped:
        close()
        if label is None or stopped.label != label:
            raise
    except Jump:
        close()
        raise
    else:
        close()


def over(play: Play, *labels: str | None) -> None:
    """A loop is over: what lasts until then, or until its next pass, is put back."""
    reset(play, *labels, *(f"next {label}" for label in labels))


def next_pass(play: Play, label: str | None) -> None:
    """What lasts until the next pass of a loop is put back."""
    reset(play, f"next {label}")


def one_pass(play: Play, body: tuple[St, ...], frame: Frame) -> Steps:
    with suppress(Skip):
        yield from play.run(body, frame)


@executes(For)
def for_loop(play: Play, st: For, frame: Frame) -> Steps:
    conditions = [condition for gen in st.gens for condition in gen.where]

    def nest(gens: tuple[Gen, ...]) -> Steps:
        if not gens:
            # asked when the turn of this pass comes: an earlier one may have changed what it reads
            if all(play.value(condition, frame) for condition in conditions):
                next_pass(play, st.label)
                inner = frame if st.who is None else frame.deciding(play.value(st.who, frame))
                yield from one_pass(play, st.body, inner)
            return
        gen, *rest = gens
        for value in play.value(gen.domain, frame):
            frame.vars[gen.var.uid] = value
            if all(play.value(condition, frame) for condition in gen.where):
                yield from nest(tuple(rest))

    yield from until_left(st.label, nest(st.gens), lambda: over(play, st.label))


@executes(Repeat)
def repeat(play: Play, st: Repeat, frame: Frame) -> Steps:
    def body() -> Steps:
        passes = count() if st.limit is None else range(play.value(st.limit, frame))
        for _ in passes:
            next_pass(play, st.label)
            yield from one_pass(play, st.body, frame)

    yield from until_left(st.label, body(), lambda: over(play, st.label))


@executes(Turns)
def turns(play: Play, st: Turns, frame: Frame) -> Steps:
    """Seat after seat, clockwise, for ever; ends when stopped, or when nobody may have a turn."""
    first = play.value(st.start, frame) if st.start is not None else 0
    was_active = play.table.active
    events = {("turn", "turn"), *([("scope", st.label)] if st.label else [])}

    def listed() -> Steps:
        """The players of a list, again and again until all are skipped in a row, or once."""
        order, place, skipped = play.value(st.order, frame), 0, 0  # type: ignore[arg-type]
        while (place if st.once else skipped) < len(order):
            player = order[place % len(order)]
            frame.vars[st.var.uid] = player
            mine = frame.deciding(player)
            if place % len(order) == 0 and was_active is None:
                test_before(play, "round")
            test_before(play, "turn")
            place += 1
            if st.where is None or play.value(st.where, mine):
                skipped = 0
                yield from one_turn(play, st, mine, player, events)
            else:
                skipped += 1
            called = called_up(play, None)
            if called is not None:
                place = order.index(called) if called in order else len(order)

    def body() -> Steps:
        if st.order is not None:
            yield from listed()
            return
        player, skipped = first, 0
        while skipped < play.players:
            frame.vars[st.var.uid] = player
            mine = frame.deciding(player)
            if player == first and was_active is None:
                test_before(play, "round")
            test_before(play, "turn")
            if st.where is None or play.value(st.where, mine):
                skipped = 0
                yield from one_turn(play, st, mine, player, events)
            else:
                skipped += 1
            called = called_up(play, None)
            if called is None:
                called = (player + 1) % play.players if st.then is None else play.value(st.then, mine)
            player = called

    kept = called_up(play, None)

    def close() -> None:
        play.table.active = was_active
        if kept is not None:
            play.table.states[NEXT][()] = kept
            play.table.touch(("state", NEXT, ()))
            play.seeing.was_set(NEXT, ())
        over(play, "turn", st.label)

    yield from until_left(st.label, body(), close)


def called_up(play: Play, otherwise: int | None) -> int | None:
    """Whom `next p` has called up, who is so no longer."""
    if NEXT not in play.game.states or play.table.states[NEXT][()] is None:
        return otherwise
    player: int = play.table.states[NEXT][()]
    reset(play, NEXT)
    return player


def one_turn(play: Play, st: Turns, mine: Frame, player: int, events: set[tuple[str, str]]) -> Steps:
    """A turn is told when it is certain: something that happens instead of it makes it no turn."""
    doubtful = any(hook.timing == "instead" for hook in hooks_of(play, events))
    for key, state in play.game.states.items():
        if state.until == "next turn":
            put_back(play, key, player)
    next_pass(play, st.label)
    play.table.active = player
    play.table.turn += 1
    play.table.touch(("turn",))
    if not doubtful:
        play.seeing.everybody(("turn", player + 1))
    test_endings(play)

    def body() -> Steps:
        if doubtful:
            play.seeing.everybody(("turn", player + 1))
        yield from one_pass(play, st.body, mine)

    def dropped() -> None:
        play.table.turn -= 1
        play.table.touch(("turn",))
        test_endings(play)

    yield from with_triggers(play, events, [player], player, body, dropped)
    reset(play, "turn")


@executes(Rounds)
def rounds(play: Play, st: Rounds, frame: Frame) -> Steps:
    """Players in turn against a clock: each pass costs a tick, `else` is time running out."""
    play.begun += 1
    number = play.begun
    frame.vars[f"clock {st.label}"] = number
    order = play.value(st.order, frame)
    clock = play.value(st.clock, frame) if st.clock is not None else None
    tick = play.value(st.tick, frame) if st.tick is not None else 1

    def passes() -> Steps:
        """Tells whether time ran out."""
        left, idle, turn = clock, 0, 0
        while True:
            if left is not None and (left < tick or idle >= len(order)):
                return True
            if idle >= len(order):
                return False
            player = order[turn % len(order)]
            turn += 1
            frame.vars[st.var.uid] = player
            mine = frame.deciding(player)
            if st.where is not None and not play.value(st.where, mine):
                idle += 1
                continue
            idle = 0
            if left is not None:
                play.seeing.everybody(("clock", st.label, clock - left + tick))
            next_pass(play, st.label)
            yield from one_pass(play, st.body, mine)
            if left is not None:
                left -= tick

    def body() -> Steps:
        if clock is not None:
            play.clocks.append(number)
        try:
            expired = yield from passes()
        except Expire as expiry:
            if expiry.clock != number:
                raise
            expired = True
        finally:
            if number in play.clocks:
                play.clocks.remove(number)
        if expired:
            if clock is not None:
                play.seeing.everybody(("time is up", st.label))
            yield from play.run(st.orelse, frame)

    def close() -> None:
        for key, record in play.table.records.items():
            if record.rows:
                play.table.touch(("record", key))
            record.rows.clear()
        test_endings(play)
        over(play, st.label)

    yield from until_left(st.label, body(), close)


@executes(Together)
def together(play: Play, st: Together, frame: Frame) -> Steps:
    """All decide behind a seal: what one does is nobody's business until all are done."""
    gen = st.gen
    play.seeing.seal()
    for player in play.value(gen.domain, frame):
        frame.vars[gen.var.uid] = player
        if all(play.value(condition, frame) for condition in gen.where):
            yield from one_pass(play, st.body, frame.deciding(player))
    play.seeing.unseal()
