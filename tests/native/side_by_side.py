"""The native engine and the Python back end side by side: at every decision the same options, the same
position, the same frames, the same chance; where one fails, so does the other."""

from __future__ import annotations

from random import Random
from typing import Any

import dragonrules as dr
from dragonrules.interpreter.core.errors import NotNative
from dragonrules.interpreter.native.conversion import NoRoom
from dragonrules.interpreter.native.engine import NativeEngine, native_engine

LIMITS = {3, 4, 12, 13, 14}
"""Trouble that is a limit of native code: too deep, too many, without end, too wide, too large."""


def native_of(game: Any, players: int, *, checked: bool = True) -> NativeEngine:
    return native_engine(game.engine(players), checked=checked)


def frames(engine: Any, state: Any) -> list[Any]:
    """The control stack of Python: for each frame the block it goes on with and its live slots; of a plan
    the cells that are asked and their bounds."""
    program, out = engine.program, []
    top, pc = len(state.st), state.pc
    while True:
        block = program.blocks[pc]
        slots = program.procs[block.proc].slots
        start = top - len(slots)
        held = zip(slots, state.st[start:top], strict=True)
        out.append(
            (pc, {u: tuple(v[:3]) if u.startswith("cells_") else v for u, v in held if u in block.live})
        )
        top = start - 1
        if top <= 0:
            return out
        pc = state.st[top]


def differences(engine: Any, python: Any, native: Any, functions: Any) -> dict[str, Any]:
    """What is not the same, by name: (Python, native)."""
    pairs = {
        "over": (python.over, native.over),
        "I": (python.I, native.numbers()),
        "L": ([list(x) for x in python.L], native.lists()),
        "atomic": (python.atomic, native.head("atomic")),
        "sealed": (python.sealed is not None, bool(native.head("sealed"))),
    }
    if python.over:
        pairs["result"] = ((python.winners, python.reason), (native.head("winners"), native.reason))
    else:
        pairs["asked"] = (
            (python.pc, python.player, list(python.options)),
            (native.head("pc"), native.player, native.options),
        )
        pairs["frames"] = (frames(engine, python), native.stack())
        pairs["takers"] = (python.takers, functions.takers_of(native.address))
        if python.player < 0:
            pairs["weights"] = (list(python.weights), native.weights)
    if native.head("auto"):
        pairs["generator"] = (python.rng.state, native.generator)
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def play(
    native: NativeEngine,
    seed: int,
    limit: int,
    *,
    ask: bool = False,
    convert: bool = False,
    all_of: bool = True,
) -> int:
    """One random match on both; how many steps. `convert` turns the state to the other back end and back
    now and then. Without `all_of` only who is asked and the options are compared, and all else in the end."""
    engine, random = native.engine, Random(seed)
    ours = native.new(seed, settle=not ask)
    try:
        theirs = engine.new(seed, settle=not ask)
    except dr.PlayError:
        assert ours.error, "Python fails at the start, native code does not"
        return 0
    for steps in range(limit):
        if ours.error in LIMITS:
            return steps
        assert not ours.error, f"trouble {ours.error} after {steps} steps with seed {seed}"
        if all_of or theirs.over or steps == limit - 1:
            found = differences(engine, theirs, ours, native.functions)
        else:
            pair = ((theirs.player, list(theirs.options)), (ours.player, ours.options))
            found = {"asked": pair} if pair[0] != pair[1] else {}
        assert not found, f"after {steps} steps with seed {seed}: {found}"
        if theirs.over:
            return steps
        if convert and steps % 7 == 3:
            ours = there_and_back(native, ours)
        choices = range(len(theirs.options))
        index = random.randrange(len(choices))
        if theirs.player < 0 and any(theirs.weights):
            index = random.choices(choices, theirs.weights)[0]
        native.functions.step(ours.address, index)
        try:
            if ask:
                theirs.step(theirs.options[index])
            else:
                theirs.apply(index)
        except dr.PlayError:
            _also_fails(ours, steps, seed)
            return steps
    return limit


def _also_fails(ours: Any, steps: int, seed: int) -> None:
    assert ours.error, f"Python fails after {steps} steps with seed {seed}, native code does not"


def there_and_back(native: NativeEngine, state: Any) -> Any:
    """As a state of Python, which equals the one of a match there, and native again."""
    python = native.to_python(state)
    try:
        again = native.to_native(python)
    except NoRoom as problem:
        raise AssertionError(f"no way back: {problem}") from problem
    assert again.stack() == state.stack() or state.over
    assert native.to_python(again) == python
    again.set_head("auto", state.head("auto"))
    return again


__all__ = ["NotNative", "native_of", "play"]
