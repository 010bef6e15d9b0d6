"""The machine code of thinking, beside that of a game: made when a bot first needs it, and kept like that.

It is an object of its own, so that random games do not wait for it. It calls the functions of the game's object by
their names; that one calls back, to report what happens in a watched state, by addresses that the books hold.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..memory import AT, HEAD
from ..object_cache import compiled, keep_part, kept_part
from ..translate import library
from .books import REPORTS, BookPlan
from .desk import places

if TYPE_CHECKING:
    from ..engine import NativeEngine

_WORD, _ADDRESS = ctypes.c_int64, ctypes.c_void_p
_CALLED = {
    "run": ("ptr", "i64", "i64"), "step": ("ptr", "i64"), "copy_state": ("ptr", "ptr"), "worth_of": ("ptr", "i64"),
    "look_at_lead": ("ptr", "ptr", "ptr"), "random_pick": ("ptr", "ptr"), "starter_of": ("ptr",),
}  # fmt: skip
_SIGNATURES = {"choose_greedily": (_ADDRESS,), "search_tree": (_ADDRESS,), "negotiate": (_ADDRESS,)}
_OF_BOOKS = {
    "thinking_game": (*(_ADDRESS,) * 4, _WORD, _WORD, _WORD, _ADDRESS, _ADDRESS),
    "begin_watched": (_ADDRESS, _ADDRESS, _ADDRESS, _WORD),
    "step_watched": (_ADDRESS, _ADDRESS, _WORD),
    "prepare": (_ADDRESS, _ADDRESS, _ADDRESS, _WORD, _WORD),
}
_DECLARED = """
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.fshr.i64(i64, i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.x86.bmi.pdep.64(i64, i64)
declare double @llvm.sqrt.f64(double)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
"""


class SearchFunctions:
    """What thinks, callable from Python. A call lets other threads run meanwhile."""

    choose_greedily: Callable[[int], int]
    search_tree: Callable[[int], int]
    negotiate: Callable[[int], int]
    thinking_game: Callable[..., int]
    begin_watched: Callable[..., int]
    step_watched: Callable[..., int]
    prepare: Callable[..., int]

    def __init__(self, native: NativeEngine) -> None:
        self.plan = None if native.shape.no_books else BookPlan(native.engine, native.shape.memory)
        code = kept_part(native.engine, "search")
        if code is None:
            code = compiled(_text(native, self.plan))
            keep_part(native.engine, "search", code)
        self.loaded = native.functions.loaded
        self.loaded.add(code)
        wanted = _SIGNATURES | (_OF_BOOKS if self.plan is not None else {})
        for name, args in wanted.items():
            setattr(self, name, ctypes.CFUNCTYPE(_WORD, *args)(self.loaded.address(name)))

    @property
    def reports(self) -> list[int]:
        """The addresses of what the books of a match are told through."""
        return [self.loaded.address(name) for name in REPORTS]


def _text(native: NativeEngine, plan: BookPlan | None) -> str:
    shape, memory = native.shape, native.shape.memory
    constants = {name.upper(): at // 8 for name, at in AT.items()}
    constants |= {
        "TURN_AT": HEAD + 4 * native.engine.layout.TURN, "STACK_AT": memory.stack, "OPTIONS_AT": memory.options,
        "SIZE": memory.size, "PLAYERS": shape.players, "ENTRY": shape.entry, "HEAD": HEAD,
        "SCORED": int(shape.scored), "WORTH": int(shape.has_worth),
    }  # fmt: skip
    constants |= places(memory.size)
    called, parts = dict(_CALLED), ["deal_library", "look_library", "tree_library", "agree_library"]
    if plan is not None:
        constants |= plan.places
        called["who_sees"] = ("ptr", "i64", "i64")
        parts += ["book_library", "knowledge_library", "series_library"]
    lines = [_DECLARED, *(f"declare i64 @{name}({', '.join(types)})" for name, types in called.items())]
    lines += library("core_library")
    for part in parts:
        lines += library(f"search/{part}", 0, tuple(constants.items()))
    return "\n".join(lines)
