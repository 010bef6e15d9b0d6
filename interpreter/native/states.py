"""Native states: made, looked at, and converted to states of the Python back end and back.

What a frame holds is decoded by the representation of each slot. Of a choice by
cells the plan of the two back ends differs, while the cells and their values are
the same: so Python's plan is worked out anew, from the position, by code made for
that, and native code does the same the other way.
"""

from __future__ import annotations

import ctypes
import pickle
from typing import TYPE_CHECKING, Any

from attrs import define

from ..core import value_types as t
from ..program.representations import Bits, Listed, Plan, Representation, Scalar, Vector
from .made import Made, Outline, Room
from .memory import AT, GROWN, HEAD, Memory

if TYPE_CHECKING:
    from .module import Module

_MASK = (1 << 64) - 1


@define(eq=False)
class Slot:
    """One slot of a frame: which variable, where, how it is kept, and how Python keeps it."""

    uid: str
    at: int
    rep: Representation
    mask: bool  # of a set: is it a mask in Python?


@define(eq=False)
class FrameShape:
    """The frame of a procedure, for a block that may be returned to."""

    words: int
    slots: list[Slot]
    live: frozenset[str]
    plans: dict[str, str]  # the plan of a choice by cells, and what was filled


@define(eq=False)
class Shape:
    """Everything that has to be known to read and write native states; kept with the machine code."""

    memory: Memory
    frames: dict[int, FrameShape]
    reasons: list[str | None]
    main_words: int
    entry: int
    players: int
    scored: bool
    has_worth: bool
    invariants: list[str]
    grown: list[tuple[int, int, int, int]]  # growing grids: index in L, first `where`, `cell`, components
    results: dict[int, Representation]  # what a call brings back to a block
    askers: dict[int, int]  # a block that a decision goes on with, and the one that asks it anew
    no_books: str  # why machine code keeps no books for bots; nothing if it does


def shape_of_module(module: Module) -> Shape:
    frames = {}
    for number in sorted(module.resumes):
        block = module.program.blocks[number]
        proc = module.program.procs[block.proc]
        slots, at, plans = [], 0, {}
        for uid in proc.slots:
            rep = module.slot_rep(uid)
            type_ = module.types.get(uid, t.UNKNOWN)
            mask = isinstance(type_, t.SetOf) and t.is_mask(type_.of)
            slots.append(Slot(uid, at, rep, mask))
            at += rep.words
            if isinstance(rep, Plan):
                plans[uid] = uid.replace("cells_", "filled_")
        frames[number] = FrameShape(at, slots, frozenset(block.live), plans)
    from ..program.passes.worth import worth

    layout = module.layout
    grown: list[tuple[int, int, int, int]] = []
    for key, first in layout.grown.items():
        comp = layout.comps[module.game.places[key].of]
        for index, instance in enumerate(layout.instances[key]):
            assert first + index == len(grown)
            grown.append((instance.ref, comp.where, comp.cell, comp.count))
    return Shape(
        module.memory,
        frames,
        module.reasons,
        module.frame_words(module.program.procs[module.program.main]),
        module.program.procs[module.program.main].entry,
        layout.players,
        module.game.score is not None,
        worth(module.game) is not None,
        list(module.game.invariants),
        grown,
        {},
        module.askers,
        module.no_books,
    )


def made_of(shape: Shape, layout: Any, code: bytes) -> Made:
    """All that is kept, with a state of this shape before its first step."""
    first = first_state(shape, layout)
    content = ctypes.string_at(first.address, shape.memory.stack + 4 * shape.main_words)
    outline = Outline(shape.players, shape.scored, tuple(shape.reasons), shape.memory.size, content)
    return Made(outline, pickle.dumps(shape, pickle.HIGHEST_PROTOCOL), code)


class NativeState(Room):
    """A state in a block of memory of its own, which can be looked at."""

    __slots__ = ("shape",)

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape.memory.size)
        self.shape = shape

    def under_seal(self) -> NativeState:
        """The same state as others see it: of `I`, lists and wide sets, how they were when the seal was put on."""
        twin = object.__new__(NativeState)
        twin.shape, twin.block = self.shape, self.block
        twin.address = self.address + self.shape.memory.seal - HEAD
        return twin

    def head(self, name: str) -> int:
        return ctypes.c_int64.from_address(self.address + AT[name]).value

    def set_head(self, name: str, value: int) -> None:
        ctypes.c_int64.from_address(self.address + AT[name]).value = value

    @property
    def over(self) -> bool:
        return bool(self.head("over"))

    @property
    def player(self) -> int:
        return self.head("player")

    @property
    def error(self) -> int:
        return self.head("error")

    def words(self, at: int, count: int) -> list[int]:
        return list((ctypes.c_int32 * count).from_address(self.address + at))

    @property
    def options(self) -> list[int]:
        return self.words(self.shape.memory.options, self.head("options"))

    @property
    def weights(self) -> list[int]:
        return self.words(self.shape.memory.weights, self.head("options"))

    @property
    def generator(self) -> int:
        return self.head("rng") & _MASK

    @property
    def reason(self) -> str | None:
        return self.shape.reasons[self.head("reason")]

    def write_words(self, at: int, words: list[int]) -> None:
        ctypes.memmove(self.address + at, (ctypes.c_int32 * len(words))(*words), 4 * len(words))

    def write_extremes(self, number: int, extremes: tuple[int, int, int, int]) -> None:
        at = self.address + self.shape.memory.grids + GROWN * number
        ctypes.memmove(at, (ctypes.c_int64 * 4)(*extremes), 32)

    def bits(self, at: int, rep: Bits) -> list[int]:
        value = int.from_bytes(ctypes.string_at(self.address + at, 8 * rep.limbs), "little")
        return members(value, rep)

    def write_bits(self, at: int, rep: Bits, value: int) -> None:
        ctypes.memmove(self.address + at, value.to_bytes(8 * rep.limbs, "little"), 8 * rep.limbs)

    # ------------------------------------------------------------ reading
    def numbers(self) -> list[Any]:
        """`I`, as Python has it."""
        memory = self.shape.memory
        out: list[Any] = self.words(HEAD, memory.numbers)
        for wide in memory.wide:
            for i in range(wide.count):
                if wide.rows is not None and i // wide.rows[1] >= out[wide.rows[0]]:
                    continue  # a row that is not there
                found = self.bits(wide.at + i * wide.size, wide.bits)
                out[wide.first + i] = sum(1 << x for x in found) if wide.mask else tuple(found)
        return out

    def lists(self) -> list[list[int]]:
        out = []
        for found in self.shape.memory.lists:
            if found.kind == "bits":
                out.append(self.bits(found.at, Bits(found.room)))
            elif found.kind == "array":
                size = ctypes.c_int32.from_address(self.address + found.at).value
                kind = {8: ctypes.c_uint8, 16: ctypes.c_uint16, 32: ctypes.c_int32}[found.entry]
                out.append(list((kind * size).from_address(self.address + found.at + 4)))
            else:
                out.append([])
        return out

    def stack(self) -> list[tuple[int, dict[str, Any]]]:
        """For each frame, innermost first, the block it goes on with and its slots that are in use;
        of a plan the cells that are asked and their bounds."""
        words = self.words(self.shape.memory.stack, self.head("sp"))
        out, top, pc = [], len(words), self.head("pc")
        while top > 0:
            frame = self.shape.frames[pc]
            start = top - frame.words
            held = {s.uid: slot_value(words[start + s.at :], s) for s in frame.slots if s.uid in frame.live}
            out.append((pc, held))
            if start <= 0:
                break
            top = start - 1
            pc = words[top]
        return out


def members(value: int, rep: Bits) -> list[int]:
    out, place = [], rep.low
    while value:
        low = (value & -value).bit_length() - 1
        out.append(place + low)
        value >>= low + 1
        place += low + 1
    return out


def slot_value(words: list[int], slot: Slot) -> Any:
    match slot.rep:
        case Scalar(long=False):
            return words[0]
        case Scalar():
            return words[0] & 0xFFFFFFFF | words[1] << 32
        case Bits():
            whole = sum((w & 0xFFFFFFFF) << (32 * i) for i, w in enumerate(words[: slot.rep.words]))
            found = members(whole, slot.rep)
            return sum(1 << x for x in found) if slot.mask else tuple(found)
        case Listed():
            return tuple(words[1 : 1 + words[0]])
        case Vector(cells=cells):
            return tuple(words[:cells])
        case Plan(cells=cells):
            asked = words[0]
            return tuple(tuple(words[10 + k * cells : 10 + k * cells + asked]) for k in range(3))
    raise AssertionError(slot.rep)


def first_state(shape: Shape, layout: Any) -> NativeState:
    """A state before its first step."""
    state = NativeState(shape)
    memory = shape.memory
    numbers = [x if isinstance(x, int) and -(1 << 31) <= x < 1 << 31 else 0 for x in layout.initial]
    state.write_words(HEAD, numbers)
    write_wide(state, layout.initial)
    for found, cards in zip(memory.lists, layout.lists, strict=True):
        if found.kind == "bits":
            state.write_bits(found.at, Bits(found.room), sum(1 << c for c in cards))
        else:
            assert not cards
    for number in range(memory.grid_count):
        state.write_extremes(number, (8000, -1, 8000, -1))
    state.set_head("sp", shape.main_words)
    state.set_head("player", -1)
    state.set_head("pc", -1)
    return state


def write_wide(state: NativeState, numbers: list[Any]) -> None:
    for wide in state.shape.memory.wide:
        for i in range(wide.count):
            value = numbers[wide.first + i]
            if wide.rows is not None and value == 0:
                value = ()
            found = members(value, Bits(1 << 30)) if isinstance(value, int) else value
            state.write_bits(wide.at + i * wide.size, wide.bits, sum(1 << (x - wide.bits.low) for x in found))
