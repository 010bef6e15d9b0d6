"""What follows an effect: endings, lifetimes, triggers.

An effect is one move, one `set`, one reset. Behind it, in this order:

1. The endings that read something it has touched are tested, in the order of
   declaration. What an ending reads is taken down whenever it is worked out, so
   nothing has to be known in advance; it cannot have changed unless one of these
   things has. Inside `atomic` they wait until that is over.
2. What a component has `until moved` is put back; that is an effect of its own.
3. The triggers on places that something has entered or left run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core import EndingDecl, Ex, RuleDecl
from .play import Frame, Play, Steps
from .trouble import Cancel, Over, Return, Trouble


def after_effect(play: Play) -> Steps:
    table = play.table
    moved, crossed = table.moved, table.crossed
    table.moved, table.crossed = [], set()
    test_endings(play)
    for comp, c in moved:
        for key, state in play.game.states.items():
            if state.until == "moved" and state.owner == comp:
                put_back(play, key, c)
                test_endings(play)
    if crossed:
        for trigger in play.game.triggers.values():
            if crossed & set(trigger.events):
                yield from fire(play, trigger, [], None)


# ---------------------------------------------------------------- endings
def test_endings(play: Play) -> None:
    """Those that read something that has been touched since they were last tested."""
    if play.atomic:
        return
    touched, play.table.touched = play.table.touched, set()
    for name, ending in play.game.endings.items():
        if ending.before is None and touched & play.ending_reads[name]:
            test(play, name, ending)


def open_again(play: Play) -> None:
    """Behind `atomic`, and behind `setup`, each ending is tested once, if that was the outermost."""
    play.atomic -= 1
    if not play.atomic:
        play.table.touched = set()
        for name, ending in play.game.endings.items():
            if ending.before is None:
                test(play, name, ending)


def look_at_endings(play: Play) -> None:
    """Take down what endings read before anything has happened."""
    for name, ending in play.game.endings.items():
        play.ending_reads[name] = set()
        try:
            for frame in candidates(play, ending):
                noted(play, ending, ending.when, frame)
        except Trouble:  # it would be one only if it were tested
            pass


def noted(play: Play, ending: EndingDecl, ex: Ex, frame: Frame) -> Any:
    """Work something out and take down what it reads."""
    play.table.reading.append(play.ending_reads[ending.name])
    try:
        return play.value(ex, frame)
    finally:
        play.table.reading.pop()


def candidates(play: Play, ending: EndingDecl) -> list[Frame]:
    """For whom an ending may hold."""
    frame = Frame(ending.name, ends=True)
    if ending.var is None or ending.domain is None:
        return [frame]
    uid = ending.var.uid
    return [frame.inner({uid: value}) for value in noted(play, ending, ending.domain, frame)]


def test(play: Play, name: str, ending: EndingDecl) -> None:
    play.ending_reads[name] = set()
    for frame in candidates(play, ending):
        if noted(play, ending, ending.when, frame):
            for _ in play.run(ending.body, frame):
                raise AssertionError("nothing is chosen or drawn in an ending")


def test_before(play: Play, what: str) -> None:
    """The endings that are tested before a `turn`, before a `round`, or at `rest`."""
    if play.atomic:
        return
    for name, ending in play.game.endings.items():
        if ending.before == what:
            test(play, name, ending)


def finish(play: Play, winners: tuple[int, ...], reason: str | None) -> None:
    play.over = True
    play.winners = set(winners)
    play.reason = reason
    play.seeing.finished()
    raise Over


# ---------------------------------------------------------------- lifetimes
def put_back(play: Play, key: str, owner: int | None = None) -> None:
    """Give a state its first value again; of those that belong to a component, that one's."""
    states = play.table.states[key]
    for index in states:
        if owner is None or index[0] == owner:
            states[index] = play.table.first_values[key]
            play.table.touch(("state", key, index))


def reset(play: Play, *lifetimes: str | None) -> None:
    """What lasts until these end is put back: one effect."""
    for key, state in play.game.states.items():
        if state.until is not None and state.until in lifetimes:
            put_back(play, key)
    test_endings(play)


# ---------------------------------------------------------------- triggers
def fire(play: Play, trigger: RuleDecl, args: list[Any], me: int | None) -> Steps:
    """Run a trigger if its condition holds; tells whether it drops or replaces its event."""
    frame = Frame(trigger.name, dict(zip((p.uid for p in trigger.params), args, strict=False)), me)
    if trigger.me is not None:
        frame = frame.deciding(play.value(trigger.me, frame))
    if trigger.where is not None and not play.value(trigger.where, frame):
        return False
    try:
        yield from play.run(trigger.body, frame)
    except Return:
        pass
    except Cancel:
        return True
    return trigger.timing == "instead"


def hooks_of(play: Play, events: set[tuple[str, str]]) -> list[RuleDecl]:
    return [trigger for trigger in play.game.triggers.values() if events & set(trigger.events)]


def with_triggers(
    play: Play,
    events: set[tuple[str, str]],
    args: list[Any],
    me: int | None,
    body: Callable[[], Steps],
    dropped: Callable[[], None] = lambda: None,
) -> Steps:
    """What happens with its triggers: all `before`, the body or the one `instead of` it, all `after`."""
    hooks = hooks_of(play, events)
    for hook in hooks:
        if hook.timing == "before" and (yield from fire(play, hook, args, me)):
            return
    replaced = False
    for hook in hooks:
        if hook.timing == "instead" and not replaced:
            replaced = yield from fire(play, hook, args, me)
    if replaced:
        dropped()
    else:
        yield from body()
    for hook in hooks:
        if hook.timing == "after":
            yield from fire(play, hook, args, me)
