"""States of the two back ends, each made from the other.

What a frame holds is converted slot by slot. The plan of a choice by cells is no
plain data: the back ends go by different ones. So it is worked out anew, from the
position (which does not change while cells are asked), by code made for that.
"""

from __future__ import annotations

import ctypes
from typing import Any

from ..core import Let, VectorCells
from ..core.randomness import Generator
from ..play.engine import Engine
from ..play.state import State
from ..program.representations import Bits, Listed, Plan, Scalar, Vector
from ..python.runtime import Grown
from .functions import Functions
from .memory import GROWN, GROWN_CELLS, GROWN_ROWS, HEAD, OPTIONS, STACK, WINDOW
from .states import NativeState, Shape, Slot, first_state, slot_value, write_wide


class NoRoom(Exception):
    """A state that native code has no room for: it stays with Python."""


# ---------------------------------------------------------------- to Python
def to_python(engine: Engine, native: NativeState) -> State:
    state = State(engine)
    state.I = native.numbers()
    state.L = native.lists()
    state.G = [_grown(state, *grid) for grid in native.shape.grown]
    state.over = native.over
    state.pc, state.player = native.head("pc"), native.player
    state.winners, state.reason = native.head("winners"), native.reason
    state.atomic = native.head("atomic")
    state.rng, state.auto = Generator(native.generator), bool(native.head("auto"))
    if native.head("sealed"):
        before = native.under_seal()
        state.sealed = (before.numbers(), before.lists())
    if state.over:
        return state
    state.options = native.options
    state.weights = native.weights if state.player < 0 else ()
    state.st = _stack(native)
    for slot in _pending_plans(native.shape, state.pc):
        frame = native.shape.frames[state.pc]
        place = len(state.st) - len(frame.slots) + [s.uid for s in frame.slots].index(slot.uid)
        state.st[place] = _python_plan(engine, slot.uid, state)
    return state


def _grown(state: State, ref: int, where: int, cell: int, count: int) -> Grown:
    grown = Grown()
    for c in range(count):
        if state.I[where + c] == ref:
            grown.put(state.I[cell + c], c)
    return grown


def _stack(native: NativeState) -> list[Any]:
    words = native.words(native.shape.memory.stack, native.head("sp"))
    frames: list[list[Any]] = []
    top, pc = len(words), native.head("pc")
    while True:
        frame = native.shape.frames[pc]
        start = top - frame.words
        frames.append(
            [slot_value(words[start + s.at :], s) if s.uid in frame.live else 0 for s in frame.slots]
        )
        if start <= 0:
            break
        pc = words[start - 1]
        frames.append([pc])
        top = start - 1
    return [value for part in reversed(frames) for value in part]


def _pending_plans(shape: Shape, pc: int) -> list[Slot]:
    frame = shape.frames[pc]
    return [s for s in frame.slots if isinstance(s.rep, Plan) and s.uid in frame.live]


def _python_plan(engine: Engine, uid: str, state: State) -> Any:
    """What Python's code for the beginning of the choice gives in this position."""
    block = engine.program.blocks[state.pc]
    proc = engine.program.procs[block.proc]
    for number in proc.blocks:
        for instr in engine.program.blocks[number].code:
            st = instr.st
            if isinstance(st, Let) and st.var.uid == uid and isinstance(st.value, VectorCells):
                emitter = engine.pool.emitter()
                emitter.proc = proc
                emitter.env = {slot: f"v_{slot}" for slot in proc.slots}
                emitter.me = emitter.env.get(instr.me.uid) if instr.me is not None else None
                value = emitter.emit(st.value)
                size = len(proc.slots)
                loads = [f"    v_{slot} = st[{n - size}]" for n, slot in enumerate(proc.slots)]
                head = ["def plan(S):", "    I = S.I; L = S.L; st = S.st; G = S.G", *loads]
                return engine.function([*head, *emitter.lines, f"    return {value}"], "plan")(state)
    raise AssertionError(uid)


# ---------------------------------------------------------------- from Python
def to_native(functions: Functions, shape: Shape, state: State) -> NativeState:
    native = first_state(shape, state.engine.layout)
    memory = shape.memory
    if len(state.options) > OPTIONS:
        raise NoRoom("options")
    numbers = [_word(x) for x in state.I]
    native.write_words(HEAD, numbers)
    write_wide(native, state.I)
    _write_lists(native, state.L)
    if state.sealed is not None:
        before = native.under_seal()
        before.write_words(HEAD, [_word(x) for x in state.sealed[0]])
        write_wide(before, state.sealed[0])
        _write_lists(before, state.sealed[1])
    for number, grid in enumerate(state.G):
        _write_grid(native, number, grid)
    for name, value in (
        ("pc", state.pc), ("player", state.player), ("over", int(state.over)), ("winners", state.winners),
        ("reason", shape.reasons.index(state.reason)), ("atomic", state.atomic), ("auto", int(state.auto)),
        ("sealed", int(state.sealed is not None)), ("options", len(state.options)), ("error", 0), ("sp", 0),
    ):  # fmt: skip
        native.set_head(name, value)
    generator = state.rng.state if state.rng is not None else 0
    native.set_head("rng", generator - (1 << 64) if generator >> 63 else generator)
    native.write_words(memory.options, [_word(x) for x in state.options])
    if state.player < 0:
        native.write_words(memory.weights, [_word(x) for x in state.weights])
    if not state.over:
        _write_stack(native, state)
        for slot in _pending_plans(shape, state.pc):
            functions.plan(slot.uid)(native.address)
            if native.error:
                raise NoRoom("a plan")
    return native


def _word(value: Any) -> int:
    if not isinstance(value, int):
        return 0
    if not -(1 << 31) <= value < 1 << 31:
        raise NoRoom("a number")
    return value


def _write_lists(native: NativeState, lists: list[list[int]]) -> None:
    for found, cards in zip(native.shape.memory.lists, lists, strict=True):
        if found.kind == "bits":
            if list(cards) != sorted(cards):
                raise NoRoom("an order")
            native.write_bits(found.at, Bits(found.room), sum(1 << c for c in cards))
        elif found.kind == "array":
            if len(cards) > found.room:
                raise NoRoom("a list")
            size = found.entry // 8
            data = b"".join(c.to_bytes(size, "little") for c in cards)
            native.write_words(found.at, [len(cards)])
            ctypes.memmove(native.address + found.at + 4, data, len(data))
        elif cards:
            raise NoRoom("known cards")


def _write_grid(native: NativeState, number: int, grid: Grown) -> None:
    at = native.address + native.shape.memory.grids + GROWN * number
    if not grid.cells:
        return
    xs, ys = [s >> 12 for s in grid.cells], [s & 4095 for s in grid.cells]
    if max(max(xs) - min(xs), max(ys) - min(ys)) > WINDOW - 3:
        raise NoRoom("a grid")
    native.write_extremes(number, (min(xs), max(xs), min(ys), max(ys)))
    rows = (ctypes.c_uint64 * WINDOW).from_address(at + GROWN_ROWS)
    cells = (ctypes.c_uint8 * (WINDOW * WINDOW)).from_address(at + GROWN_CELLS)
    for space, comp in grid.cells.items():
        x, y = space >> 12 & 63, space & 63
        rows[x] |= 1 << y
        cells[x << 6 | y] = comp + 1


def _write_stack(native: NativeState, state: State) -> None:
    shape = native.shape
    frames: list[list[int]] = []
    top, pc = len(state.st), state.pc
    while True:
        frame = shape.frames.get(pc)
        if frame is None:
            raise NoRoom("a block")
        start = top - len(frame.slots)
        words: list[int] = []
        for slot, value in zip(frame.slots, state.st[start:top], strict=True):
            words += _slot_words(slot, value if slot.uid in frame.live else None)
        frames.append(words)
        if start <= 0:
            break
        pc = state.st[start - 1]
        frames.append([pc])
        top = start - 1
    flat = [word for part in reversed(frames) for word in part]
    if len(flat) > STACK:
        raise NoRoom("frames")
    native.write_words(shape.memory.stack, flat)
    native.set_head("sp", len(flat))


def _slot_words(slot: Slot, value: Any) -> list[int]:
    rep, out = slot.rep, [0] * slot.rep.words
    if value is None or isinstance(rep, Plan):
        return out
    match rep:
        case Scalar(long=False):
            out[0] = _word(int(value))
        case Scalar():
            out[:] = _halves(int(value), 1)
        case Bits():
            found = (
                [i for i in range(value.bit_length()) if value >> i & 1] if isinstance(value, int) else value
            )
            out[:] = _halves(sum(1 << (x - rep.low) for x in found), rep.limbs)
        case Listed() | Vector():
            start = int(isinstance(rep, Listed))
            if len(value) + start > len(out):
                raise NoRoom("a list")
            if start:
                out[0] = len(value)
            out[start : start + len(value)] = [_word(x) for x in value]
    return out


def _halves(value: int, limbs: int) -> list[int]:
    data = (value & ((1 << 64 * limbs) - 1)).to_bytes(8 * limbs, "little")
    return [int.from_bytes(data[i : i + 4], "little", signed=True) for i in range(0, len(data), 4)]
