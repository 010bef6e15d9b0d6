"""Control: branches, calls, jumps, phases; `as` and `atomic`."""

from __future__ import annotations

from typing import Any

from .. import core
from ..core import As, Atomic, CallRule, If, RuleDecl
from .events import finish, open_again, reset, test_before, with_triggers
from .play import Frame, Play, Steps, executes
from .statements import nobody_waits
from .trouble import Cancel, Expire, Jump, Return, Skip, Stop


@executes(If)
def branch(play: Play, st: If, frame: Frame) -> Steps:
    yield from play.run(st.body if play.value(st.condition, frame) else st.orelse, frame)


@executes(As)
def as_player(play: Play, st: As, frame: Frame) -> Steps:
    yield from play.run(st.body, frame.deciding(play.value(st.who, frame)))


@executes(Atomic)
def atomic(play: Play, st: Atomic, frame: Frame) -> Steps:
    play.atomic += 1
    try:
        yield from play.run(st.body, frame)
    except Jump:
        open_again(play)
        raise
    open_again(play)


# ---------------------------------------------------------------- calls
@executes(CallRule)
def call(play: Play, st: CallRule, frame: Frame) -> Steps:
    result = yield from call_rule(play, st.rule, play.values(st.args, frame), frame.me)
    if st.var is not None:
        frame.vars[st.var.uid] = result


def call_rule(play: Play, name: str, args: list[Any], me: int | None) -> Steps:
    """A rule with its triggers; gives what it returns."""
    rule = play.game.rules[name]
    result: list[Any] = []

    def body() -> Steps:
        result.append((yield from rule_body(play, rule, args, me)))

    yield from with_triggers(play, {("rule", name)}, args, me, body)
    return result[0] if result else None


def rule_body(play: Play, rule: RuleDecl, args: list[Any], me: int | None) -> Steps:
    frame = Frame(rule.name, {p.uid: v for p, v in zip(rule.params, args, strict=True)}, me)
    try:
        yield from play.run(rule.body, frame)
    except Return as leaving:
        return leaving.value
    return None


# ---------------------------------------------------------------- jumps
@executes(core.Return)
def return_value(play: Play, st: core.Return, frame: Frame) -> Steps:
    yield from nobody_waits()
    raise Return(play.value(st.value, frame) if st.value is not None else None)


@executes(core.Stop)
def stop(play: Play, st: core.Stop, frame: Frame) -> Steps:
    yield from nobody_waits()
    raise Stop(st.label)


@executes(core.Skip)
def skip(play: Play, st: core.Skip, frame: Frame) -> Steps:
    yield from nobody_waits()
    raise Skip


@executes(core.Cancel)
def cancel(play: Play, st: core.Cancel, frame: Frame) -> Steps:
    yield from nobody_waits()
    raise Cancel


@executes(core.Expire)
def expire(play: Play, st: core.Expire, frame: Frame) -> Steps:
    yield from nobody_waits()
    raise Expire(frame.vars[f"clock {st.label}"])


# ---------------------------------------------------------------- the whole game
def whole_game(play: Play) -> Steps:
    """All phases, one after the other; then it is over."""
    for phase in play.game.phases:
        if phase.name == "setup":  # a half-dealt hand ends nothing
            play.atomic += 1
            yield from one_phase(play, phase)
            open_again(play)
        else:
            yield from one_phase(play, phase)
    finish(play, (), "the phases are over")


def one_phase(play: Play, phase: RuleDecl) -> Steps:
    def body() -> Steps:
        yield from play.run(phase.body, Frame(phase.name))

    try:
        yield from with_triggers(play, {("scope", phase.name)}, [], None, body)
    except Stop as stopped:
        if stopped.label != phase.name:
            raise
    except Return:
        pass
    reset(play, phase.name, "phase")
    if phase.name != "setup":
        test_before(play, "rest")
