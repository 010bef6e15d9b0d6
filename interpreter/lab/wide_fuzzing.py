"""Many random games in machine code that only look for what goes wrong.

A guided game (fuzzing.py) looks at every position and takes its time. In machine code a
thousand games take as long, with the invariants tested at every decision all the
same. They see nothing but that something fails; that game is then repeated step by step
in Python, where it becomes a failure like any other. Making machine code takes a second, so a setting
must have been played a while before it is worth it, unless somebody insists on native code.
"""

from __future__ import annotations

from ..core.randomness import Generator
from ..native.engine import NativeEngine
from ..play.engine import Engine
from ..players.base import even, key_of
from .fuzzing import Failed, Failure, Setting, Step, Walk
from .playing import seed_of

WIDE = 500
"""Games for each guided one."""
AFTER = 25
"""Guided games of a setting before machine code is made for it."""
PATIENCE = 3
"""Games for which native code may lack room; then the rest is left."""


def native_for(setting: Setting, played: int) -> NativeEngine | None:
    """What plays many games of a setting, if that is worth while by now."""
    if played < AFTER and setting.game.engine_choice != "native":
        return None
    return setting.game.native(setting.players)


def sweep(setting: Setting, native: NativeEngine, seed: int, number: int, limit: int) -> Failure | None:
    """Play `WIDE` games; the first that fails. Everything follows from the seed and the number of the guided game."""
    numbers = range(number * WIDE, (number + 1) * WIDE)
    for _ in range(PATIENCE):
        found = native.first_wrong(~seed, numbers, limit)
        if found is None:
            return None
        failure = repeated(setting, seed_of(~seed, found), limit)
        if failure is not None:
            return failure
        numbers = range(found + 1, numbers.stop)  # native code lacked room
    return None


def repeated(setting: Setting, seed: int, limit: int) -> Failure | None:
    """One random game step by step, chance and picks as in a series; None if nothing fails."""
    engine: Engine = setting.engine
    keys = [key_of(seed, seat) for seat in range(1, setting.players + 1)]
    luck, decisions = Generator(seed), 0
    steps: list[Step] = []
    try:
        walk = Walk.begin(engine)
        state = walk.state
        while not state.over:
            if state.player < 0:
                value = luck.settle(state.options, state.weights)
            else:
                if decisions == limit:
                    return None
                count = len(state.options)
                dice = Generator(keys[state.player] ^ decisions)
                value = state.options[even(dice, count, state.takers) if count > 1 else 0]
                decisions += 1
            steps.append((state.pc, value))
            walk.take(value)
    except Failed as failed:
        return Failure(setting, failed.error, tuple(steps), failed.scoring)
    return None
