"""A game made ready for one number of players and one set of options: generated code, compiled.

This is the one place where generated Python is run (a test looks for others)."""

from __future__ import annotations

import hashlib
import marshal
import re
from collections.abc import Sequence
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, Protocol

from attrs import evolve, frozen

from ...grammar import Diagnostic, Span
from ..core import CheckedGame, PlaceRef, PlacesOf, Reveal, Show, St, StateRef, bodies
from ..core.depth import comes_back, going_deeper
from ..core.errors import PlayError
from ..core.randomness import Generator
from ..core.scenario_parts import Given
from ..program.ir import Program
from ..program.layout import Layout
from ..program.passes.counters import Counts, Sites
from ..program.passes.talks import talks
from ..program.terminators import targets
from ..python.generated import Generated
from ..python.runtime import NAMESPACE, Failure
from .state import State
from .visibility import Watcher

if TYPE_CHECKING:
    from ..adapters.encoding import Encoding
    from ..adapters.numbering import Actions
    from ..native.engine import NativeEngine
    from ..python.generate import Pool

_MESSAGES = {
    "D0901": "{0} should move, but there are {1}",
    "D0902": "this is {0}, outside {1}..{2}",
    "D0906": "there is no room",
    "D0908": "there is nothing to choose from",
    "D0909": "exactly one was expected here, but there are {0}",
    "D0910": "this is none",
    "D0911": "this was called although its requirement does not hold",
    "D0912": "this divides by zero",
    "D0913": "the weights must not be negative, and not all zero",
    "D0914": "this goes on without end: nobody decides anything",
}
_HELP = {
    "D0901": "ask before: `require`, `if`; or `draw`, which takes what is there",
    "D0908": "say what happens then: `... else skip`, `... else return`",
    "D0910": "ask before: `... != none`",
    "D0911": "ask before: `if can ...`",
}


GOING_ON = 1_000  # blocks

_MADE_ANEW = frozenset(
    (
        "namespace",
        "blocks",
        "frames",
        "live",
        "watcher",
        "counts",
        "_first",
        "program",
        "pool",
        "code",
        "maker",
    )
)
"""What an engine from the cache makes itself."""


@frozen
class Wanted:
    """For whom an engine is: how many players, which options, and what it must be able to do."""

    players: int
    options: dict[str, int]
    fingerprint: str = ""
    watched: bool = False
    anew: bool = False
    covered: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        return (self.fingerprint, self.players, self.watched, self.anew, self.covered)


@frozen
class Compiled:
    """What the passes behind the check have made of a game."""

    layout: Layout
    program: Program
    pool: Pool
    generated: Generated
    sites: Sites | None


class Maker(Protocol):
    """Whoever makes what a game needs for a number of players: the driver."""

    def engine(self, game: CheckedGame, wanted: Wanted, texts: str | None) -> Engine: ...

    def compiled(self, game: CheckedGame, wanted: Wanted, layout: Layout | None = None) -> Compiled: ...

    def native(self, engine: Engine, *, make: bool) -> NativeEngine | None: ...

    def actions(self, engine: Engine) -> Actions: ...

    def encoding(self, engine: Engine, actions: Actions) -> Encoding: ...


class Engine:
    """Made by the driver; `Game.engine` asks for it."""

    maker: Maker
    """Makes the program and its pool again, for an engine from the cache. Whoever hands it out says who."""

    def __init__(self, game: CheckedGame, wanted: Wanted, made: Compiled) -> None:
        self.identity = (wanted.fingerprint, wanted.players)
        self.wanted = wanted
        self.game = game
        self.players = wanted.players
        self.options = wanted.options
        self.watched = wanted.watched
        self.sites = made.sites
        self.layout = made.layout
        self.program = made.program
        self.pool = made.pool
        self.generated = made.generated
        self.shape = shape_of(self.program, self.layout)
        plain = {name: proc.body for name, proc in self.program.procs.items() if proc.plain}
        self.goes_deep = comes_back(plain)
        self.points = {pc: self.program.decisions[number] for pc, number in self.generated.points.items()}
        self.talks = talks(self.program, game, self.layout)
        """Decisions inside a negotiation, by the block that the answer goes on with."""
        self.code = compile(self.generated.source, f"<{game.name} for {self.players}>", "exec")
        self._link()

    def _link(self) -> None:
        """Make the functions of the generated module, and what refers to them."""
        self.namespace: dict[str, Any] = {**NAMESPACE, **self.generated.consts, **self._tables()}
        self.counts: Counts | None = None
        if self.sites is not None:
            counts = self.counts = Counts(self.sites)
            self.namespace |= {"HITS": counts.hits, "OFFERED": counts.offered, "TAKEN": counts.taken}
            self.namespace["hit"] = counts.hit
        exec(self.code, self.namespace)
        table: dict[int, Any] = self.namespace["BLOCKS"]
        if self.goes_deep:
            table = {number: going_deeper(block) for number, block in table.items()}
        self.blocks: list[Any] = [table.get(n) for n in range(max(table) + 1)]
        self.frames = {
            pc: (size, tuple((label, ex, self.namespace[k] if k else None) for label, ex, k in scopes))
            for pc, (size, scopes) in self.generated.frames.items()
        }
        self.live = self.generated.live
        self.watcher = Watcher(self)
        self._first: State | None = None

    def function(self, lines: Sequence[str], name: str) -> Any:
        """A function beside those of the module, from text that its pool has written later."""
        space = {**self.namespace, **self.pool.consts}
        exec("\n".join([*self.pool.functions[self.pool.written :], *lines]), space)
        return space[name]

    # ------------------------------------------------------------ as data, for the cache
    def __getstate__(self) -> dict[str, Any]:
        """Without functions, and without the program, which only "why not?" and scenarios need."""
        kept = {k: v for k, v in self.__dict__.items() if k not in _MADE_ANEW}
        return {**kept, "code": marshal.dumps(self.code)}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self.code = marshal.loads(kept["code"])
        self._link()

    def __getattr__(self, name: str) -> Any:
        if name not in ("program", "pool") or "generated" not in self.__dict__:
            raise AttributeError(name)
        made = self.maker.compiled(self.game, self.wanted, self.layout)
        self.program, self.pool = made.program, made.pool
        self.generated.spans = self.pool.spans  # code that is made later adds to them
        return self.__dict__[name]

    def _tables(self) -> dict[str, Any]:
        """Tables by place that only the run-time helpers need."""
        shapes = [""] * len(self.layout.lists)
        cells: dict[Any, Any] = {}
        for key, place in self.game.places.items():
            if place.tokens:
                continue
            for number, instance in enumerate(self.layout.instances[key]):
                shapes[instance.ref] = place.shape
                if place.form.sorted or place.form.hidden:
                    cells["sorted", instance.ref] = True
                if len(place.form.lists) > 1:
                    cells["lists", instance.ref] = place.form.lists
                if key in self.layout.grown:
                    cells[instance.ref] = ("grown", self.layout.grown[key] + number)
                elif place.form.spaces:
                    base, (_, width), _ = self.layout.states[f"cells of {key}"]
                    cells[instance.ref] = ("cells", base + number * width)
        return {"SHAPES": shapes, "CELLS": cells, "too_deep": self._too_deep}

    def _too_deep(self, state: State, entry: int) -> None:
        raise self._depth(self.chain(state, entry))

    def _depth(self, chain: list[str]) -> PlayError:
        """The innermost rules tell which ones call each other."""
        starts = {d.name: d.span for d in (*self.game.rules.values(), *self.game.triggers.values())}
        names = set(chain[-8:])
        last = max((n for n in names if n in starts), key=lambda n: starts[n].start, default=None)
        while last is not None and chain[-1] != last:  # how deep Python goes does not change the words
            chain = chain[:-1]
        span = next((starts[name] for name in reversed(chain) if name in starts), self.game.phases[0].span)
        shown = ["...", *chain[-8:]] if len(chain) > 8 else chain
        circle = [f"`{name}`" for name in dict.fromkeys(chain[-8:])] or ["a rule"]
        who = (
            f"{', '.join(circle[:-1])} and {circle[-1]} call each other"
            if len(circle) > 1
            else f"{circle[0]} calls itself"
        )
        return self.error("D0903", f"{who} deeper and deeper", span, shown)

    def explain_depth(self, problem: RecursionError) -> PlayError:
        return self._depth(self._plain_rules(problem))

    def _plain_rules(self, problem: Exception) -> list[str]:
        """Rules that never wait call each other as Python functions do: those on the way to a problem."""
        rules = {
            f"r_{re.sub(r'[^0-9A-Za-z_]', '_', name)}": proc.rule for name, proc in self.program.procs.items()
        }
        frames = (frame.f_code.co_name for frame, _ in walk_tb(problem.__traceback__))
        return [rules[name] for name in frames if name in rules]

    def chain(self, state: State, pc: int | None = None) -> list[str]:
        """The procedures under way, outermost first; `pc` is the block that was running."""
        out: list[str] = []
        frames = self.frames
        top, pc = len(state.st), state.pc if pc is None else pc
        while pc in frames and top > 0:
            out += self.generated.rules[pc][::-1]
            start = top - frames[pc][0]
            if start <= 0:
                break
            top = start - 1
            pc = state.st[top]
        return [name for name in out[::-1] if name != "main"]

    def _trail(self, failure: Failure, state: State, span: Span, pc: int | None) -> list[str]:
        """The rules under way, up to the one in whose text something went wrong."""
        chain = self.chain(state, pc)
        chain += [rule for rule in self._plain_rules(failure) if rule not in chain]
        game = self.game
        named = (game.rules, game.triggers, game.endings, game.defines, game.invariants)
        decls = [*(d for group in named for d in group.values()), *game.phases]
        starts = [
            (d.span.start, d.name)
            for d in decls
            if d.span.source == span.source and d.span.start <= span.start
        ]
        here = max(starts, default=(0, ""))[1]
        if here in chain:
            return chain[: len(chain) - chain[::-1].index(here)]
        return [*chain, here] if here else chain

    # ------------------------------------------------------------ matches
    def new(self, seed: int = 0, *, settle: bool = True) -> State:
        """A state at the first decision, or with settle=False at the first chance point or decision."""
        if self._first is None or self.counts is not None:  # up to there every match is the same
            first = State(self)
            if self.watched:
                first.names = self.watcher.handles.new()
                first.seen = [[] for _ in range(self.players + 1)]  # the last one: a spectator's
            first.st = [0] * self.frames[self.generated.entry][0]
            first.run(self.generated.entry)
            self._first = first
        state = self._first.fork()
        state.rng = Generator(seed)
        if settle:
            state.auto = True
            if state.player < 0:
                state.settle()
        return state

    # ------------------------------------------------------------ errors at play
    def error(self, code: str, message: str, span: Span, trail: list[str] | None = None) -> PlayError:
        return PlayError(Diagnostic(code, message, span, _HELP.get(code), trail=tuple(trail or ())))

    def work_out(self, state: State, name: str, *args: Any) -> Any:
        """The value of a generated function outside of a step: a score, an invariant."""
        try:
            return self.namespace[name](state, state.I, state.L, *args)
        except Failure as failure:
            raise self.explain(failure, state) from None

    def endless(self, state: State, pc: int) -> PlayError:
        """Play goes round and round. Going on for a while shows which loop it cannot leave."""
        trail = self.chain(state, pc)
        visited = {pc}
        try:
            for _ in range(GOING_ON):
                pc = state.blocks[pc](state, state.rv)
                visited.add(pc)
        except Exception:  # whatever comes of it: the match is broken off anyway
            pass
        blocks = [self.program.blocks[n] for n in visited if n >= 0]
        around = [[s for s in block.scopes if s.loop is not None] for block in blocks]
        inside = [scopes for scopes in around if scopes]  # what a rule does that is called is around no loop
        common = [s for s in inside[0] if all(s in scopes for scopes in inside)] if inside else []
        found = common or next(iter(inside), [])
        span = found[-1].loop if found else None
        if span is None:
            span = self.program.procs[blocks[0].proc].span
        return self.error("D0914", _MESSAGES["D0914"], span, trail)

    def explain(self, failure: Failure, state: State, pc: int | None = None) -> PlayError:
        text = _MESSAGES[failure.code].format(*failure.values, *["?"] * 3)
        if failure.values and isinstance(failure.values[0], str):
            text = failure.values[0]
        elif failure.code == "D0901" and failure.values[0] < 0:
            text = f"{failure.values[0]} cannot be moved: a number of tokens is not negative"
        span = self.generated.spans[failure.span]
        error = self.error(failure.code, text, span, self._trail(failure, state, span, pc))
        own_words = bool(failure.values) and text is failure.values[0]
        return PlayError(evolve(error.diagnostic, help=None)) if own_words else error

    def explain_crash(self, problem: Exception, state: State, pc: int | None = None) -> PlayError:
        if isinstance(problem, ZeroDivisionError):
            text = "a number was divided by zero"
        else:
            text = f"an effect could not be carried out ({problem})"
        spans = [p.span for p in (self.points.get(state.pc),) if p is not None]
        return self.error(
            "D0902", text, spans[0] if spans else self.game.phases[0].span, self.chain(state, pc)
        )

    def place_label(self, ref: int) -> str:
        key, index, _ = self.watcher.comp_places[ref]
        return self.watcher.labels[key, index]


def shape_of(program: Program, layout: Layout) -> str:
    """A fingerprint of what numbers in a state refer to: blocks, slots of frames, places. It changes
    when another version of dragonrules makes another program of the same rules."""
    procs = program.procs
    blocks = [program.blocks[n] for proc in procs.values() for n in proc.blocks]
    ends = [
        (b.id, b.term.word, list(targets(b.term)), b.live) if b.term else (b.id, "", (), b.live)
        for b in blocks
    ]
    slots = [(name, proc.slots) for name, proc in procs.items()]
    size = (layout.initial, layout.lists, layout.grown_count)
    return hashlib.sha256(repr((ends, slots, size)).encode()).hexdigest()


def shown_things(game: CheckedGame) -> set[str]:
    """Places and states that a `show` or `reveal` somewhere opens."""
    found: set[str] = set()

    def walk(body: tuple[St, ...]) -> None:
        for st in body:
            if isinstance(st, Show | Reveal):
                ex = st.place
                assert isinstance(ex, PlaceRef | PlacesOf | StateRef)
                decl = ex.state if isinstance(ex, StateRef) else ex.place
                found.add(f"{decl.owner}.{decl.name}" if decl.owner else decl.name)
            for inner in bodies(st):
                walk(inner)

    for rule in (*game.rules.values(), *game.triggers.values(), *game.phases):
        walk(rule.body)
    for scenario in game.scenarios:
        for part in scenario.parts:
            walk(part.body if isinstance(part, Given) else ())
    return found
