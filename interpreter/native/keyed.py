"""Series of random games with luck that is keyed by what it is for, in machine code (lab/keyed.py).

An object of its own beside that of the game, made when such a series is first played. What names things is
hashed by Python: all decision and chance points at the beginning, components and options when they first come
up, in a table that stays.
"""

from __future__ import annotations

import ctypes
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from attrs import frozen

from ..core.depth import LONG_RUN
from ..core.errors import NotNative
from .code import ENDLESS, TOO_MANY
from .engine import ROW, NativeEngine, Row, word
from .memory import AT, HEAD, OPTIONS
from .object_cache import Died, compiled, keep_part, kept_part
from .states import NativeState
from .translate import library

if TYPE_CHECKING:
    from .functions import Functions

_WORD, _ADDRESS = ctypes.c_int64, ctypes.c_void_p
_PLACES = (
    "SEED", "TURN", "SEAT", "HAD", "STAMP", "AHEAD", "GAME", "UNDER_WAY", "PILES", "STRIDE", "REFS", "SETTLED",
    "DICE", "LOOKED", "MISSING", "_VALUE", "SEATS",
)  # fmt: skip
LUCK = {name: place for place, name in enumerate(_PLACES)}
"""Words of what is under way; behind the last those for each seat."""
WORD_BITS = 16
MOST_TRIED = 64

_CALLED = {
    "step": ("ptr", "i64"), "begin": ("ptr", "ptr", "i64", "i64"), "even_pick": ("ptr", "i64", "i64"),
    "starter_of": ("ptr",), "look_at_lead": ("ptr", "ptr", "ptr"), "close_row": ("ptr", "ptr", "ptr", "i64"),
    "takers_of": ("ptr",),
}  # fmt: skip
_DECLARED = """
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.fshr.i64(i64, i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.x86.bmi.pdep.64(i64, i64)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
"""


@frozen
class Point:
    """A decision or chance point: the number of what it is for, two words for that, and, if chance
    draws components there, where in `I` it says where each lies (else -1)."""

    site: int
    words: tuple[int, int]
    where: int = -1


class Keys(Protocol):
    """What things are called in the hashes (lab/keyed.py)."""

    kinds: tuple[int, int, int]
    """The numbers of draws, rolls and picks."""

    @property
    def points(self) -> dict[int, Point]: ...

    @property
    def places(self) -> dict[int, int]:
        """Places that are drawn from, with their words."""

    def word(self, pc: int, value: int) -> int: ...


class KeyedEngine:
    """What plays series with keyed luck, beside a native engine."""

    def __init__(self, native: NativeEngine, keys: Keys) -> None:
        self.native, self.keys = native, keys
        self._lock = Lock()
        self._functions: Functions | None = None
        engine, players = native.engine, native.shape.players
        sites = 1 + max((point.site for point in keys.points.values()), default=0)
        self.points = (_WORD * (4 * len(engine.blocks) + 4))()
        for pc, point in keys.points.items():
            self.points[4 * pc : 4 * pc + 4] = [
                point.site,
                word(point.words[0]),
                word(point.words[1]),
                point.where,
            ]
        refs = 1 + max(keys.places, default=0)
        self.refs = (_WORD * (2 * refs))()
        piles: dict[int, int] = {}
        for ref, place in keys.places.items():
            self.refs[2 * ref : 2 * ref + 2] = [piles.setdefault(place, len(piles) + 1), word(place)]
        stride = 2 + (63 + max((comp.count for comp in engine.layout.comps.values()), default=1)) // 64
        self.piles = (_WORD * (stride * (len(piles) + 1)))()
        self.words = (_WORD * (2 << WORD_BITS))()
        self.times = (_WORD * (2 * sites * (players + 1)))()
        self.found = (_WORD * OPTIONS)()
        self.luck = (_WORD * (len(LUCK) + players + 1))()
        for name, value in (("PILES", len(piles)), ("STRIDE", stride), ("REFS", refs)):
            self.luck[LUCK[name]] = value

    def series(self, master: int, numbers: range, limit: int, *, lead: bool = True) -> list[Row]:
        with self._lock, self.native.timed() as functions:
            self._link(functions)
            shape, games, luck = self.native.shape, len(numbers), self.luck
            width = ROW + shape.players
            rows = (_WORD * (width * max(1, games)))()
            state = NativeState(shape)
            luck[LUCK["GAME"]] = luck[LUCK["UNDER_WAY"]] = 0
            given = (
                state.address,
                self.native.first.address,
                word(master),
                numbers.start,
                games,
                limit,
                int(lead and shape.scored),
                *map(
                    ctypes.addressof,
                    (rows, luck, self.points, self.words, self.refs, self.piles, self.times, self.found),
                ),
            )
            while self._play(*given):
                self._learn(luck[LUCK["MISSING"]], luck[LUCK["MISSING"] + 1], state)
            return [self.native.row(rows[i * width : (i + 1) * width]) for i in range(games)]

    def _learn(self, pc: int, value: int, state: NativeState) -> None:
        """All that can be chosen or drawn here, so that it does not come to a stop for each."""
        for option in state.options:
            self._learn_word(ctypes.addressof(self.words), pc, option, word(self.keys.word(pc, option)))

    def _link(self, functions: Functions) -> None:
        if functions is self._functions:
            return
        engine = self.native.engine
        code = kept_part(engine, "keyed")
        if code is None:
            try:
                code = compiled(_text(self.native, self.keys.kinds))
            except Died as problem:
                raise NotNative(f"the compiler failed: {problem}") from None
            keep_part(engine, "keyed", code)
        functions.loaded.add(code)
        address = functions.loaded.address
        words: tuple[Any, ...] = (_WORD,) * 5
        self._play = ctypes.CFUNCTYPE(_WORD, *(_ADDRESS,) * 2, *words, *(_ADDRESS,) * 8)(
            address("keyed_series")
        )
        self._learn_word = ctypes.CFUNCTYPE(_WORD, _ADDRESS, _WORD, _WORD, _WORD)(address("learn_word"))
        self._functions = functions


def _text(native: NativeEngine, kinds: tuple[int, int, int]) -> str:
    layout, memory = native.engine.layout, native.shape.memory
    constants = {name.upper(): at // 8 for name, at in AT.items()} | LUCK
    constants |= dict(zip(("DRAWN", "ROLLED", "PICKED"), kinds, strict=True))
    constants |= {
        "TURN_AT": HEAD + 4 * layout.TURN, "ACTIVE_AT": HEAD + 4 * layout.ACTIVE, "HEAD": HEAD,
        "OPTIONS_AT": memory.options, "WEIGHTS_AT": memory.weights, "PLAYERS": native.shape.players,
        "ENDLESS": ENDLESS, "LONG_RUN": LONG_RUN, "FULL": TOO_MANY, "WORD_BITS": WORD_BITS, "MOST_TRIED": MOST_TRIED,
    }  # fmt: skip
    lines = [_DECLARED, *(f"declare i64 @{name}({', '.join(types)})" for name, types in _CALLED.items())]
    lines += library("core_library")
    lines += library("keyed_library", 0, tuple(constants.items()))
    return "\n".join(lines)
