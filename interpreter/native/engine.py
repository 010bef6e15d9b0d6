"""The native engine: a game made ready as machine code, beside the engine of the Python back end.

`native_engine` gives it, or says why there is none. It plays whole loops inside: series
of random games with their counters, playouts, enumeration. Trouble comes back as a
number; then the game or the step is repeated on the Python back end, which finds the
words. Calls let other threads run, so threads use all cores.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from ..core.errors import NotNative
from ..files import cache
from .functions import Functions
from .made import Made, Room
from .object_cache import BETTER, Died, compiled, in_processes, keep, keep_death, kept

if TYPE_CHECKING:
    from ..play.engine import Engine
    from ..play.state import State
    from .counted import CountingEngine
    from .improvement import Improvement
    from .keyed import KeyedEngine, Keys
    from .search.object import SearchFunctions
    from .states import NativeState, Shape

ROW = 12  # words of a row of a series before the scores (loop_library.py)
BATCH = 256  # games in a call
HOT = 3.0  # seconds of play after which better code is made


MISSING = "llvmlite is not installed: `pip install dragonrules[native]`"


def available() -> bool:
    """Is what makes machine code installed?"""
    return find_spec("llvmlite") is not None


class Row(NamedTuple):
    """One random game of a series. `trouble` is not 0 if it has to be repeated on the Python back end."""

    trouble: int
    decisions: int
    forced: int
    options: int
    widest: int
    turns: int
    winners: int
    reason: str | None
    over: bool
    lead_changes: int
    starter: int | None
    scores: tuple[int, ...] | None


class NativeEngine:
    improves = False
    """Is better code made when it has played for long?"""

    def __init__(self, engine: Engine, made: Made) -> None:
        self.engine = engine
        self.outline = made.outline
        self.size = len(made.code)
        self.functions = Functions(made.code)
        self.first = Room(made.outline.size, made.outline.first)
        self._made = made
        self._lock = Lock()
        self._spent = 0.0
        self._improvement: Improvement | None = None
        self._keyed: KeyedEngine | None = None
        self._before: list[Functions] = []  # somebody may still be in them

    @cached_property
    def shape(self) -> Shape:
        """What single states are read and written with."""
        found: Shape = cache.from_bytes(self._made.shape)
        return found

    # ------------------------------------------------------------ better code
    def improve(self) -> bool:
        """Take the time to make better code, some seconds for a large game, and keep it; False if that fails."""
        self._begin_improvement()
        assert self._improvement is not None
        self._improvement.wait()
        return self._take_improvement()

    def _begin_improvement(self) -> None:
        from .improvement import Improvement  # late: few need it

        if self._improvement is None:
            self._improvement = Improvement(self.engine, self._made)

    def _take_improvement(self) -> bool:
        code = None if self._improvement is None else self._improvement.take()
        if code is not None:
            self._before.append(self.functions)
            self.functions, self.size = Functions(code), len(code)
        return code is not None

    def _has_played(self, seconds: float) -> None:
        """Who plays for long is worth better code, which is made beside the play."""
        with self._lock:  # threads play together
            self._spent += seconds
            if self._improvement is not None:
                self._take_improvement()
            elif self._spent > HOT and self.improves:
                self._begin_improvement()

    @contextmanager
    def timed(self) -> Iterator[Functions]:
        """The functions for play that counts as such."""
        begin = time.perf_counter()
        yield self.functions
        self._has_played(time.perf_counter() - begin)

    @cached_property
    def counting(self) -> CountingEngine:
        """What plays series and counts; for a covered engine."""
        from .counted import CountingEngine

        return CountingEngine(self)

    def keyed(self, keys: Keys) -> KeyedEngine:
        """What plays series with luck keyed by what it is for."""
        if self._keyed is None:
            from .keyed import KeyedEngine

            self._keyed = KeyedEngine(self, keys)
        return self._keyed

    @cached_property
    def search(self) -> SearchFunctions:
        """What thinks for bots; raises `NotNative` if that cannot be made."""
        from .search.object import SearchFunctions

        try:
            return SearchFunctions(self)
        except Died as problem:
            raise NotNative(f"the compiler failed: {problem}") from None

    # ------------------------------------------------------------ single states
    def new(self, seed: int = 0, *, settle: bool = True) -> NativeState:
        """A state at the first decision, or with settle=False at the first chance point or decision."""
        from .states import NativeState

        state = NativeState(self.shape)
        self.functions.begin(state.address, self.first.address, word(seed), int(settle))
        return state

    def fork(self, state: NativeState) -> NativeState:
        twin = type(state)(self.shape)
        self.functions.copy_state(twin.address, state.address)
        return twin

    def step(self, state: NativeState, index: int) -> None:
        """Go on with an option. What native code cannot do is done by the Python back end from the state
        before: it raises its diagnostic, or has more room; `NoRoom` if there is no way back from there."""
        before = self.fork(state)
        if not self.functions.step(state.address, index):
            return
        self.functions.copy_state(state.address, before.address)
        python = self.to_python(before)
        if state.head("auto"):
            python.apply(index)
        else:
            python.step(python.options[index])
        found = self.to_native(python)
        self.functions.copy_state(state.address, found.address)

    def to_python(self, state: NativeState) -> State:
        from .conversion import to_python

        return to_python(self.engine, state)

    def to_native(self, state: State) -> NativeState:
        """Raises `NoRoom` where native code has no room for it."""
        from .conversion import to_native

        return to_native(self.functions, self.shape, state)

    def scores(self, state: NativeState) -> tuple[int, ...] | None:
        """None if there are none, or if they cannot be worked out here."""
        if not self.shape.scored:
            return None
        found = tuple(self.functions.score_of(state.address, p) for p in range(self.shape.players))
        return None if self._failed(state) else found

    def worth(self, state: NativeState, seat: int) -> int | None:
        if not self.shape.has_worth:
            return None
        found = self.functions.worth_of(state.address, seat)
        return None if self._failed(state) else found

    def broken_invariant(self, state: NativeState) -> str | None:
        """The name of an invariant that does not hold; raises `NoRoom` if that cannot be told here."""
        found = self.functions.broken_invariant(state.address)
        if self._failed(state):
            from .conversion import NoRoom

            raise NoRoom("an invariant that fails")
        return None if found < 0 else self.shape.invariants[found]

    def _failed(self, state: NativeState) -> bool:
        failed = bool(state.error)
        state.set_head("error", 0)
        return failed

    # ------------------------------------------------------------ loops inside
    def series(
        self, master: int, numbers: range, limit: int, *, lead: bool = True, threads: int = 1
    ) -> list[Row]:
        """The random games of a series (lab/playing.py) with these numbers, a row for each."""
        starts = range(numbers.start, numbers.stop, BATCH)
        batches = [range(start, min(start + BATCH, numbers.stop)) for start in starts]
        if threads < 2 or len(batches) < 2:
            return [row for batch in batches for row in self._batch(master, batch, limit, lead)]
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(threads) as pool:
            found = pool.map(lambda batch: self._batch(master, batch, limit, lead), batches)
            return [row for rows in found for row in rows]

    def _batch(self, master: int, numbers: range, limit: int, lead: bool) -> list[Row]:
        players, width = self.outline.players, ROW + self.outline.players
        state = Room(self.outline.size)
        rows = (ctypes.c_int64 * (width * len(numbers)))()
        keys = (ctypes.c_int64 * (players + 2))()
        with self.timed() as functions:
            functions.series(
                state.address,
                self.first.address,
                word(master),
                numbers.start,
                len(numbers),
                limit,
                int(lead and self.outline.scored),
                ctypes.addressof(rows),
                ctypes.addressof(keys),
            )
        return [self.row(rows[i * width : (i + 1) * width]) for i in range(len(numbers))]

    def row(self, words: list[int]) -> Row:
        return Row(
            trouble=words[0],
            decisions=words[1],
            forced=words[2],
            options=words[3],
            widest=words[4],
            turns=words[5],
            winners=words[6],
            reason=self.outline.reasons[words[7]],
            over=bool(words[8]),
            lead_changes=words[9],
            starter=words[11] or None,
            scores=tuple(words[ROW:]) if words[10] else None,
        )

    def first_wrong(self, master: int, numbers: range, limit: int) -> int | None:
        """The number of the first game of a series in which something fails (an error, an invariant, a score),
        or may: native code may only lack room. None if all went well."""
        state, keys = Room(self.outline.size), (ctypes.c_int64 * (self.outline.players + 2))()
        well = self.functions.first_wrong(
            state.address,
            self.first.address,
            word(master),
            numbers.start,
            len(numbers),
            limit,
            ctypes.addressof(keys),
        )
        return None if well == len(numbers) else numbers.start + well

    def playouts(
        self, games: int, seed: int = 0, *, start: NativeState | None = None, limit: int = 1 << 40
    ) -> Playouts:
        """Random games from a position on, or new ones, whose chance and picks follow from the seed. Every option
        is as likely as the others, also where a whole is dealt out cell by cell (`series` deals evenly)."""
        state, words = Room(self.outline.size), (ctypes.c_int64 * (self.outline.players + 2))()
        generator = ctypes.c_int64(word(seed))
        decisions = self.functions.playouts(
            state.address,
            (start or self.first).address,
            games,
            ctypes.addressof(generator),
            limit,
            ctypes.addressof(words),
        )
        return Playouts(games, decisions, tuple(words[:-2]), words[-2], words[-1])

    def histories(self, depth: int, *, start: NativeState | None = None) -> Histories:
        """All ways to go on, so many steps deep; chance and decisions are steps alike."""
        if start is None:
            start = self.new(settle=False)
        start = self.fork(start)
        start.set_head("auto", 0)
        arena = (ctypes.c_char * (self.shape.memory.size * max(1, depth)))()
        counts = (ctypes.c_int64 * (depth + 3))()
        self.functions.count_histories(
            start.address, ctypes.addressof(arena), depth, depth, ctypes.addressof(counts)
        )
        return Histories(tuple(counts[: depth + 1]), counts[depth + 1], counts[depth + 2])


class Playouts(NamedTuple):
    games: int
    decisions: int
    wins: tuple[int, ...]
    unfinished: int
    trouble: int


class Histories(NamedTuple):
    """How many stand at each depth, how many are over, how many met trouble (and were not followed)."""

    at_depth: tuple[int, ...]
    over: int
    trouble: int


def word(value: int) -> int:
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value


def is_kept(engine: Engine) -> bool:
    """Is its machine code in the cache, or that there is none?"""
    try:
        return available() and kept(engine) is not None
    except Died:
        return True


def native_engine(engine: Engine, *, checked: bool = False) -> NativeEngine:
    """The native engine beside one of the Python back end (not watched; of a covered one it counts, too). `checked` is a
    build that tests every index; it is not kept."""
    if not available():
        raise NotNative(MISSING)
    if checked:
        return NativeEngine(engine, _made(engine, checked))
    better = _kept(engine, BETTER)
    found = better or _kept(engine)
    if found is None:
        found = _made(engine, checked)
        keep(engine, found)
    native = NativeEngine(engine, found)
    native.improves = better is None and bool(engine.identity[0]) and in_processes()
    return native


def _kept(engine: Engine, level: int = 0) -> Made | None:
    try:
        return kept(engine, level)
    except Died as problem:
        if level:
            return None
        raise NotNative(f"the compiler failed: {problem}") from None


def _made(engine: Engine, checked: bool) -> Made:
    from ..program.representations import NoBound  # late: an engine from the cache does not need all this
    from .code import Unsupported
    from .module import Module
    from .states import made_of, shape_of_module

    try:
        module = Module(engine, checked=checked)
        text = module.text()
    except (Unsupported, NoBound) as problem:
        raise NotNative(f"{problem} has no native form yet") from None
    except RecursionError:
        raise NotNative("the rules are nested too deep") from None
    try:
        return made_of(shape_of_module(module), engine.layout, compiled(text))
    except Died as problem:
        keep_death(engine, str(problem))
        raise NotNative(f"the compiler failed: {problem}") from None
