"""The state of a match: plain data, and the step from one decision to the next.

`I`, `L`, `G` are described in layout.py. `st` is the control stack: for each
procedure under way the slots of its frame, and between two frames the block to
go back to. `pc` is the block that the pending choice resumes. Nothing else
matters for what comes next, so a fork is a copy of these lists, and equality
and hash are over them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.depth import LONG_RUN
from ..core.events import Chosen, ClockRan, Observation, TimeIsUp, TurnBegan
from ..python.runtime import Failure, Grown, Over
from ..python.vector_plans import takers

if TYPE_CHECKING:
    from .engine import Engine
    from .handles import Names

ENDLESS = range(LONG_RUN)

Snapshot = tuple[list[int], list[list[int]]]


class State:
    __slots__ = (
        "I",
        "L",
        "G",
        "st",
        "pc",
        "player",
        "options",
        "weights",
        "rv",
        "over",
        "winners",
        "reason",
        "atomic",
        "sealed",
        "queue",
        "held",
        "seen",
        "names",
        "engine",
        "blocks",
        "rng",
        "auto",
    )

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.blocks = engine.blocks
        self.I = engine.layout.initial.copy()
        self.L = [x.copy() for x in engine.layout.lists]
        self.G = [Grown() for _ in range(engine.layout.grown_count)]
        self.st: list[Any] = []
        self.pc = -1
        self.player = -1  # who decides; -1 at a chance point
        self.options: Any = ()
        self.weights: Any = ()
        self.rv: Any = None
        self.over = False
        self.winners = 0
        self.reason: str | None = None
        self.atomic = 0
        self.sealed: Snapshot | None = None
        self.queue: list[tuple[int, Observation]] = []
        self.held: list[tuple[Chosen, int]] = []
        self.seen: list[list[Observation]] | None = None
        self.names: Names | None = None
        self.rng: Any = None
        self.auto = False  # chance is settled on the way, without stopping

    # ------------------------------------------------------------ stepping
    def run(self, pc: int, value: Any = None) -> None:
        blocks = self.blocks
        try:
            pc = blocks[pc](self, value)
            if pc >= 0:
                for _ in ENDLESS:
                    pc = blocks[pc](self, self.rv)
                    if pc < 0:
                        break
                else:
                    raise self.engine.endless(self, pc)
        except Over:
            return
        except Failure as failure:
            raise self.engine.explain(failure, self, pc) from None
        except RecursionError as problem:
            raise self.engine.explain_depth(problem) from None
        except (ZeroDivisionError, IndexError, ValueError) as problem:
            raise self.engine.explain_crash(problem, self, pc) from problem

    def step(self, value: Any) -> None:
        """Go on with a choice or a chance outcome, up to the next decision or chance point."""
        if self.seen is not None:
            self.engine.watcher.chosen(self, value)
        self.run(self.pc, value)

    def apply(self, index: int) -> None:
        """Choose by position, and let the generator settle the chance that follows."""
        if self.seen is not None:
            self.engine.watcher.chosen(self, self.options[index])
        blocks = self.blocks
        pc = self.pc
        try:
            pc = blocks[pc](self, self.options[index])
            if pc >= 0:
                for _ in ENDLESS:
                    pc = blocks[pc](self, self.rv)
                    if pc < 0:
                        break
                else:
                    raise self.engine.endless(self, pc)
        except Over:
            return
        except Failure as failure:
            raise self.engine.explain(failure, self, pc) from None
        except RecursionError as problem:
            raise self.engine.explain_depth(problem) from None
        except (ZeroDivisionError, IndexError, ValueError) as problem:
            raise self.engine.explain_crash(problem, self, pc) from problem
        if self.player < 0 and not self.over:
            self.settle()

    @property
    def takers(self) -> int:
        """Of a whole that is dealt out cell by cell: how many behind this one take from it; else 1."""
        where = self.engine.generated.vectors.get(self.pc)
        return 1 if where is None else takers(self.st[where[0]], self.st[where[1]])

    def settle(self) -> None:
        """Let the generator decide every chance point up to the next decision."""
        for _ in ENDLESS:
            if self.player >= 0 or self.over:
                return
            self.step(self.rng.settle(self.options, self.weights))
        raise self.engine.endless(self, self.pc)

    def finished(self, winners: int, reason: str | None) -> int:
        """The match is over: no frames, no resets; the position stays for scoring and views."""
        self.over = True
        self.winners = winners
        self.reason = reason
        if self.seen is not None:
            self.engine.watcher.finished(self)
        self.st.clear()
        self.pc = self.player = -1
        self.options = ()
        return -1

    def finish(self, winners: int, reason: str | None) -> None:
        """The same from the depth of a plain procedure."""
        self.finished(winners, reason)
        raise Over

    def unwind(self, size: int, label: str) -> int:
        """Drop frames up to the one that opened `label`, closing what is open in each."""
        st, frames = self.st, self.engine.frames
        while st:
            if size:
                del st[-size:]
            pc = st.pop()
            size, scopes = frames[pc]
            for name, exit_block, cleanup in reversed(scopes):
                if name == label:
                    return int(exit_block)
                if cleanup is not None:
                    cleanup(self)
        raise self.engine.error(
            "D0405", f"`{label}` is stopped, but it is not under way", self.engine.game.phases[0].span
        )

    def expire(self) -> bool:
        """Time is up in the innermost `rounds` around the pending decision, if there is one."""
        size, scopes = self.engine.frames[self.pc]
        st, frames = self.st, self.engine.frames
        depth = len(st)
        pending = [(depth, scopes)]
        while depth - size > 0:
            depth -= size + 1
            size, outer = frames[st[depth]]
            pending.append((depth, outer))
        target = next(
            ((d, s[0]) for d, open_ in pending for s in reversed(open_) if (s[0] or "").startswith("clock ")),
            None,
        )
        if target is None:
            return False
        for height, open_ in pending:
            del st[height:]
            for name, exit_block, cleanup in reversed(open_):
                if name == target[1]:
                    self.engine.watcher.begin_step(self)
                    self.run(exit_block)
                    return True
                if cleanup is not None:
                    cleanup(self)
        return False

    # ------------------------------------------------------------ secrecy
    def seal(self) -> None:
        self.sealed = (self.I.copy(), [x.copy() for x in self.L])

    def unseal(self) -> None:
        self.sealed = None
        if self.seen is not None:
            self.engine.watcher.unsealed(self)

    # what generated code reports in the watched build
    def before_move(self, comp: str, c: int) -> Any:
        return self.engine.watcher.before_move(self, comp, c)

    def seen_move(self, comp: str, c: int, before: Any, dest: int, spot: int | str) -> None:
        self.engine.watcher.moved(self, comp, c, before, dest, spot)

    def viewers_of(self, comp: str, c: int) -> int:
        return self.engine.watcher.viewers_of(self, comp, c)

    def seen_tokens(self, token: str, amount: int, kind: int, src: int, dest: int, cell: int = -1) -> None:
        self.engine.watcher.tokens(self, token, amount, kind, src, dest, cell)

    def seen_set(self, key: str, index: int, only: int | None = None) -> None:
        self.engine.watcher.was_set(self, key, index, only)

    def seen_note(self, record: str, row: int) -> None:
        self.engine.watcher.noted(self, record, row)

    def seen_stand(self, comp: str, c: int) -> None:
        self.engine.watcher.stands(self, comp, c)

    def seen_all(self, comp: str, src: int, dest: int) -> None:
        self.engine.watcher.all_moved(self, src, dest)

    def seen_shuffle(self, src: int, dest: int) -> None:
        self.engine.watcher.shuffled(self, src, dest)

    def seen_swap(self, of: str, a: int, b: int) -> None:
        self.engine.watcher.swapped(self, of, a, b)

    def seen_exchange(self, comp: str, a: int, b: int) -> None:
        self.engine.watcher.exchanged(self, comp, a, b)

    def seen_place(self, key: str, index: int, viewers: int, secretly: bool = False) -> None:
        self.engine.watcher.shown(self, key, index, viewers, secretly=secretly)

    def unseen_places(self, granted: tuple[int, ...]) -> None:
        """What was shown is closed again; `granted` says where it is kept who sees it."""
        layout = self.engine.layout
        for slot in granted[::2]:
            for key, base in layout.grants.items():
                if key in layout.instances and base <= slot < base + len(layout.instances[key]):
                    self.unseen_place(key, slot - base)

    def unseen_place(self, key: str, index: int) -> None:
        self.engine.watcher.covered(self, key, index)

    def seen_peek(self, comp: str, place: int, amount: int, viewers: int, secretly: bool = False) -> None:
        self.engine.watcher.peeked(self, comp, place, amount, viewers, secretly=secretly)

    def seen_turn(self, player: int) -> None:
        self.engine.watcher.everybody(self, TurnBegan(player + 1))

    def seen_clock(self, name: str | None, ticks: int) -> None:
        self.engine.watcher.everybody(self, ClockRan(name, ticks))

    def seen_expiry(self, name: str | None) -> None:
        self.engine.watcher.everybody(self, TimeIsUp(name))

    # ------------------------------------------------------------ as data
    def fork(self) -> State:
        twin = State.__new__(State)
        twin.engine = self.engine
        twin.blocks = self.blocks
        twin.I = self.I.copy()
        twin.L = [x.copy() for x in self.L]
        twin.G = [x.copy() for x in self.G] if self.G else []
        twin.st = self.st.copy()
        twin.pc = self.pc
        twin.player = self.player
        twin.options = self.options
        twin.weights = self.weights
        twin.rv = self.rv
        twin.over = self.over
        twin.winners = self.winners
        twin.reason = self.reason
        twin.atomic = self.atomic
        twin.sealed = self.sealed
        twin.queue = self.queue.copy()
        twin.held = self.held.copy()
        twin.seen = [x.copy() for x in self.seen] if self.seen is not None else None
        twin.names = self.names.copy() if self.names is not None else None
        twin.rng = self.rng.copy() if self.rng is not None else None
        twin.auto = self.auto
        return twin

    def without_history(self) -> State:
        """A fork that does not know what anybody has noticed so far."""
        seen, self.seen = self.seen, None
        twin = self.fork()
        self.seen = seen
        return twin

    def key(self) -> tuple[Any, ...]:
        """Everything that matters for what comes next; slots that are not in use count as empty."""
        return (
            self.pc,
            self.player,
            self.over,
            self.winners,
            tuple(self.I),
            tuple(map(tuple, self.L)),
            self._live_stack(),
            self.sealed is not None,
        )

    def _live_stack(self) -> tuple[Any, ...]:
        st = self.st
        if not st:
            return ()
        out = list(st)
        frames, live = self.engine.frames, self.engine.live
        top, pc = len(st), self.pc
        while top > 0:
            size = frames[pc][0]
            used = live[pc]
            start = top - size
            for slot in range(size):
                if slot not in used:
                    out[start + slot] = 0
            if start <= 0:
                break
            top = start - 1
            pc = st[top]
        return tuple(out)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, State)
            and self.engine.identity == other.engine.identity
            and self.key() == other.key()
        )

    def __hash__(self) -> int:
        return hash(self.key())
