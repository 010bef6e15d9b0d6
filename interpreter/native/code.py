"""Native code, the base: a function that works on a state, its names, and what happens when something fails.

Trouble is a number in the header of the state and a return at once: whoever calls
a function that can fail asks for that number before using what it gave. The number
is all that native code says. Words, places and rules of a diagnostic come from the
Python back end, which repeats the step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..core import Ex, Var
from ..program.ir import Proc
from ..program.representations import Bits, Listed, Representation, Scalar
from .builder import Builder, Value, constant
from .memory import AT, HEAD, OPTIONS

if TYPE_CHECKING:
    from .module import Module

FAILED, RANGE, DEEP, TOO_MANY, NO_ROOM, NOTHING, NOT_ONE, NONE, DEMAND, ZERO, WEIGHTS, ENDLESS, WINDOW, LARGE, UNCHECKED = range(1, 16)  # fmt: skip
"""Numbers of trouble: a failure of the rules, or a limit of native code."""

DEEPEST = 1_000  # calls of functions inside each other


def llvm_type(rep: Representation) -> str:
    match rep:
        case Scalar():
            return "i64"
        case Bits():
            return f"i{64 * rep.limbs}"
    return "ptr"


class Unsupported(Exception):
    """Something that native code cannot do, in words."""


class Code(Builder):
    def __init__(
        self, module: Module, name: str, params: Sequence[tuple[str, str]], result: str = "i64"
    ) -> None:
        super().__init__(name, params, result)
        self.module = module
        self.layout = module.layout
        self.game = module.game
        self.reps = module.reps
        self.memory = module.memory
        self.program = module.program
        self.checked = module.checked
        self.env: dict[str, Value] = {}  # locals: where they are kept (%a..) or what they are
        self.consts: dict[str, int] = {}
        self.hoisted: dict[Ex, Value] = {}
        self.me: Value | None = None
        self.proc: Proc | None = None  # whose frame this function works on
        self.frame: Value | None = None  # where it lies, if that is the same in all of the function
        self.fails = False
        self.counts_depth = False
        self.loop_labels: list[tuple[str, str]] = []  # labels: the next pass, the way out

    # ------------------------------------------------------------ header and I
    def head(self, name: str) -> Value:
        return self.load(self.at("%S", AT[name]))

    def set_head(self, name: str, value: Value | int) -> None:
        self.store(value, self.at("%S", AT[name]))

    def slot_at(self, index: Value | int, words: int = 1) -> Value:
        """Where a word of `I` lies."""
        self.within(index, self.memory.numbers - words + 1)
        fixed = constant(str(index))
        if fixed is not None:
            return self.at("%S", HEAD + 4 * fixed)
        return self.at(self.at("%S", HEAD), index, "i32")

    def number_at(self, index: Value | int) -> Value:
        return self.load_int(self.slot_at(index), 32)

    def set_number(self, index: Value | int, value: Value | int) -> None:
        self.store_int(value, self.slot_at(index), 32)

    def within(self, index: Value | int, size: int) -> None:
        """In a build that checks everything: an index within its bounds."""
        if self.checked and constant(str(index)) is None and self.open:
            self.fail_if(self.compare("uge", index, size), UNCHECKED)

    def table(self, values: Sequence[int], index: Value | int) -> Value:
        """An entry of a table of constants."""
        fixed = constant(str(index))
        if fixed is not None and 0 <= fixed < len(values):
            return str(values[fixed])
        if len(set(values)) == 1:
            return str(values[0])
        self.within(index, len(values))
        name, bits = self.module.table(values)
        return self.load_int(self.at(name, index, f"i{bits}"), bits)

    # ------------------------------------------------------------ trouble
    def fail(self, number: int) -> None:
        self.fails = True
        self.set_head("error", number)
        self.give_up()

    def give_up(self) -> None:
        """Leave; what is given means nothing."""
        self.give("-1" if self.proc is not None else "undef" if self.result == "ptr" else "0")

    def give(self, value: Value) -> None:
        if self.open and self.counts_depth:
            self.set_head("depth", self.op("sub", self.head("depth"), 1))
        super().give(value)

    def fail_if(self, test: Value, number: int) -> None:
        if test == "false":
            return
        bad, ok = self.new_label("bad"), self.new_label("ok")
        self.branch(test, bad, ok)
        self.label(bad)
        self.fail(number)
        self.label(ok)

    def after_call(self, stops: bool = True) -> None:
        """Leave if what was called has failed, or (`stops`) has ended the match."""
        self.fails = True
        found = self.head("error")
        if stops:
            found = self.op("or", found, self.head("over"))
        bad, ok = self.new_label("bad"), self.new_label("ok")
        self.branch(self.compare("ne", found, 0), bad, ok)
        self.label(bad)
        self.give_up()
        self.label(ok)

    def deeper(self) -> None:
        """In a function that can come to call itself: count how deep."""
        depth = self.add(self.head("depth"), 1)
        self.fail_if(self.compare("sgt", depth, DEEPEST), DEEP)
        self.set_head("depth", depth)
        self.counts_depth = True

    # ------------------------------------------------------------ locals
    def rep(self, var: Var) -> Representation:
        return self.reps.of_var(var.uid, var.type)

    def bind(self, var: Var, value: Value) -> None:
        self.bind_uid(var.uid, self.rep(var), value)

    def bind_uid(self, uid: str, rep: Representation, value: Value) -> None:
        self.consts.pop(uid, None)
        self.forget(uid)
        type_ = llvm_type(rep)
        if type_ == "ptr":
            to = self.buffer(uid, rep)
            if to != value:
                self.copy_words(to, value, rep)
            return
        where = self.env.get(uid, "")
        if not where.startswith("%a"):
            where = self.env[uid] = self.room(type_)
        self.store(value, where, type_)

    def buffer(self, uid: str, rep: Representation) -> Value:
        """Where a local of several words lies: in the frame if it has a slot there."""
        if self.proc is not None and uid in self.proc.slots and uid not in self.env:
            return self.frame_at(uid)
        if uid not in self.env:
            self.env[uid] = self.room(f"[{max(1, rep.words)} x i32]")
        return self.env[uid]

    def local(self, var: Var) -> Value:
        return self.local_uid(var.uid, self.rep(var))

    def local_uid(self, uid: str, rep: Representation) -> Value:
        if uid in self.consts:
            return str(self.consts[uid])
        type_ = llvm_type(rep)
        if type_ == "ptr":
            return self.buffer(uid, rep)
        where = self.env.get(uid)
        if where is None:  # in a frame, on a way on which nobody reads it
            where = self.env[uid] = self.room(type_)
        return self.load(where, type_) if where.startswith("%a") else where

    def forget(self, uid: str) -> None:
        """A variable gets another value: what was worked out with the old one is of no use."""
        if self.hoisted:
            from ..core import free_vars

            self.hoisted = {ex: v for ex, v in self.hoisted.items() if uid not in free_vars(ex)}

    # ------------------------------------------------------------ the frame
    def stack_at(self, index: Value) -> Value:
        return self.at(self.at("%S", self.memory.stack), index, "i32")

    def frame_start(self) -> Value:
        """Where the frame of the procedure lies that is on top."""
        assert self.proc is not None
        return self.stack_at(self.op("sub", self.head("sp"), self.module.frame_words(self.proc)))

    def frame_at(self, uid: str) -> Value:
        assert self.proc is not None
        return self.at(self.frame or self.frame_start(), 4 * self.module.frame_places(self.proc)[uid])

    def load_rep(self, pointer: Value, rep: Representation) -> Value:
        match rep:
            case Scalar(long=False):
                return self.load_int(pointer, 32)
            case Scalar() | Bits():
                return self.load(pointer, llvm_type(rep), align=4)
        return pointer

    def store_rep(self, pointer: Value, rep: Representation, value: Value) -> None:
        match rep:
            case Scalar(long=False):
                self.store_int(value, pointer, 32)
            case Scalar() | Bits():
                self.store(value, pointer, llvm_type(rep), align=4)
            case _:
                if value != pointer:
                    self.copy_words(pointer, value, rep)

    def copy_words(self, to: Value, source: Value, rep: Representation) -> None:
        """A value of several words. The memory of a list may be smaller than that of where it goes, so no more
        is read than there is; one that has no room is a failure."""
        if not isinstance(rep, Listed):
            self.copy(to, source, 4 * rep.words)
            return
        length = self.load_int(source, 32)
        self.fail_if(self.compare("ugt", length, rep.room), TOO_MANY)
        self.copy(to, source, self.op("shl", self.add(length, 1), 2))

    def option_at(self, index: Value) -> Value:
        return self.at(self.at("%S", self.memory.options), index, "i32")

    def weight_at(self, index: Value) -> Value:
        return self.at(self.at("%S", self.memory.weights), index, "i32")

    def push_option(self, count: Value, value: Value, weight: Value | None = None) -> None:
        """One more option; `count` is where their number is kept."""
        index = self.load(count)
        self.fail_if(self.compare("sge", index, OPTIONS), TOO_MANY)
        self.store_int(value, self.option_at(index), 32)
        if weight is not None:
            self.store_int(weight, self.weight_at(index), 32)
        self.store(self.add(index, 1), count)

    # ------------------------------------------------------------ control
    def when(
        self, test: Value, then: Callable[[], None], otherwise: Callable[[], None] | None = None
    ) -> None:
        """Do something if a test says so."""
        yes, no, done = self.new_label("then"), self.new_label("else"), self.new_label("done")
        self.branch(test, yes, no if otherwise is not None else done)
        self.label(yes)
        then()
        if otherwise is not None:
            self.jump(done)
            self.label(no)
            otherwise()
        self.label(done)
