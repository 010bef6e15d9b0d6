"""The native module of an engine: all of its functions, as text of LLVM's intermediate language.

Functions are written when something first needs them: definitions, actions that
may be possible, plain procedures, endings, and one function for each procedure
that waits. `run` goes from block to block until the match waits or is over.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..core import (
    DefineDecl,
    Finish,
    Gen,
    Seal,
    Var,
    changed,
)
from ..core import value_types as t
from ..core.facts import reads, touches
from ..play.engine import Engine
from ..program.ir import Proc
from ..program.known_cards import known_cards
from ..program.layout import Geometry, neighbours
from ..program.representations import Bits, Listed, Representation, Vector, representations
from ..program.slot_types import gather
from ..program.terminators import Call, answered
from .code import Unsupported, llvm_type
from .decks import write_deck_end, write_deck_putter, write_deck_taker, write_taker, write_viewers
from .facts import Facts
from .function import FunctionCode
from .memory import Memory, lay_memory
from .search.books import BookPlan, NoBooks
from .swaps import write_swapper

LAID_OUT = frozenset(("bag", "row", "stack", "deck", "slot", "grid", "ring"))
"""The structures of places that have a layout in memory; games with others are played by the Python back end."""


class Module:
    def __init__(self, engine: Engine, *, checked: bool = False) -> None:
        self.engine = engine
        self.game = engine.game
        self.layout = engine.layout
        self.program = engine.program
        self.checked = checked
        self.facts = Facts(engine)
        self.reps = representations(self.program, self.layout)
        self.known_cards = known_cards(self.program)
        if unknown := {place.shape for place in self.game.places.values()} - LAID_OUT:
            raise Unsupported(f"a {min(unknown)}")
        self.memory: Memory = lay_memory(
            self.game,
            self.layout,
            self.reps,
            self.known_cards,
            self._result_words(),
            seals=any(isinstance(i.st, Seal) for block in self.program.blocks for i in block.code),
        )
        self.books: BookPlan | None = None
        self.no_books = ""
        try:
            self.books = BookPlan(engine, self.memory)
            self.books.check_rules()
        except NoBooks as problem:
            self.books, self.no_books = None, str(problem)
        self.shapes, self.sorts = [""] * len(self.layout.lists), [""] * len(self.layout.lists)
        for key, place in self.game.places.items():
            if not place.tokens:
                for instance in self.layout.instances[key]:
                    self.shapes[instance.ref], self.sorts[instance.ref] = place.shape, place.of
        self.functions: list[FunctionCode] = []
        self.finished: set[str] = set()
        self.done: dict[str, FunctionCode] = {}
        self.tables: dict[tuple[int, tuple[int, ...]], str] = {}
        self.table_lines: list[str] = []
        self.widths: set[int] = set()
        self.reasons: list[str | None] = [None]
        self.labels: list[str] = []
        self._frame_places: dict[str, dict[str, int]] = {}
        self._frame_words: dict[str, int] = {}
        self.slot_reps: dict[str, Representation] = {}
        self.resumes: set[int] = set()
        self.askers: dict[
            int, int
        ] = {}  # behind a seal: a block that a decision goes on with, and the one that asks
        self._numbered = 0
        self._reads: dict[str, set[str]] = {}
        self.types: dict[str, t.Type] = {}
        for proc in self.program.procs.values():
            gather([*proc.params, proc.me], self.types)
            for number in proc.blocks:
                block = self.program.blocks[number]
                gather([block.code, block.term, [s.cleanup for s in block.scopes]], self.types)
        self.sites = engine.sites  # what is counted, in a covered engine
        self.entries: dict[int, tuple[Var, str | None]] = {}  # a block, what it begins with, what was called
        self.askings: dict[
            int, tuple[int, Var]
        ] = {}  # a block whose answer is counted: where, which variable
        for block in self.program.blocks:
            entered = answered(block.term) if block.term is not None else None
            if block.term is not None and entered is not None:
                called = block.term.proc if isinstance(block.term, Call) else None
                self.entries[entered[0]] = (entered[1], called)
                asked = None if self.sites is None else self.sites.asked_by(block.term)
                if asked is not None:
                    self.askings[entered[0]] = (asked, entered[1])

    def _result_words(self) -> int:
        types = [rule.type for rule in self.game.rules.values() if rule.type is not None]
        return max([2, *(self.reps.of(type_).words for type_ in types)])

    # ------------------------------------------------------------ slots
    def slot_rep(self, uid: str) -> Representation:
        if uid not in self.slot_reps:
            self.slot_reps[uid] = self.reps.of_var(uid, self.types.get(uid, t.UNKNOWN))
        return self.slot_reps[uid]

    def frame_words(self, proc: Proc) -> int:
        self.frame_places(proc)
        return self._frame_words[proc.name]

    def frame_places(self, proc: Proc) -> dict[str, int]:
        """Where each slot lies in a frame, in words."""
        if proc.name not in self._frame_places:
            at, places = 0, {}
            for uid in proc.slots:
                places[uid] = at
                at += self.slot_rep(uid).words
            self._frame_places[proc.name], self._frame_words[proc.name] = places, at
        return self._frame_places[proc.name]

    # ------------------------------------------------------------ constants
    def table(self, values: Sequence[int]) -> tuple[str, int]:
        """The name of a table of constants, and the bits of an entry."""
        least, most = min(values), max(values)
        bits = next((b for b in (8, 16, 32, 64) if -(1 << (b - 1)) <= least and most < 1 << (b - 1)), 0)
        if not bits:
            raise Unsupported("a number of more than 64 bits")
        key = (bits, tuple(values))
        if key not in self.tables:
            name = self.tables[key] = f"@table{len(self.tables)}"
            entries = ", ".join(f"i{bits} {v}" for v in values)
            self.table_lines.append(
                f"{name} = private unnamed_addr constant [{len(values)} x i{bits}] [{entries}]"
            )
        return self.tables[key], bits

    def wants_width(self, limbs: int) -> None:
        self.widths.add(limbs)

    def reason(self, words: str | None) -> int:
        if words not in self.reasons:
            self.reasons.append(words)
        return self.reasons.index(words)

    def label_number(self, label: str) -> int:
        if label not in self.labels:
            self.labels.append(label)
        return self.labels.index(label)

    def engine_lines(self, geometry: Geometry) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each direction and space the spaces from there on; the last is for `none`."""
        out = []
        for table in neighbours(geometry):
            rows = []
            for start in range(geometry.size):
                line, space = [], table[start]
                while space >= 0 and space != start:
                    line.append(space)
                    space = table[space]
                rows.append(tuple(line))
            out.append((*rows, ()))
        return tuple(out)

    # ------------------------------------------------------------ functions
    def new_function(self, name: str, params: Sequence[tuple[str, str]], result: str = "i64") -> FunctionCode:
        self._numbered += 1
        code = FunctionCode(self, f"{re.sub(r'[^0-9A-Za-z_]', '_', name)}_{self._numbered}", params, result)
        self.functions.append(code)
        return code

    def may_fail(self, code: FunctionCode) -> bool:
        return code.fails or code.name not in self.finished

    def _made(
        self, key: str, params: Sequence[tuple[str, str]], write: Any, result: str = "i64"
    ) -> FunctionCode:
        if key not in self.done:
            code = self.done[key] = self.new_function(key, params, result)
            write(code)
            self.finished.add(code.name)
        return self.done[key]

    def _params(self, params: Sequence[Any], me: bool) -> list[tuple[str, str]]:
        out = [("%S", "ptr")]
        if me:
            out.append(("%me", "i64"))
        for i, param in enumerate(params):
            type_ = "i64" if isinstance(param.type, t.Place) else llvm_type(self.reps.of(param.type))
            out.append((f"%p{i}", type_))
        return out

    def definition(self, decl: DefineDecl) -> FunctionCode:
        rep = self.reps.of(decl.type)
        params = self._params(decl.params, decl.uses_me)
        words = isinstance(rep, Listed | Vector)
        if words:
            params.append(("%out", "ptr"))

        def write(code: FunctionCode) -> None:
            again = self.facts.recursive(f"define {decl.name}")
            code.in_place = not again
            code.counting.definition(decl)
            if decl.uses_me:
                code.me = "%me"
            if again:
                code.deeper()
            for i, param in enumerate(decl.params):
                code.env[param.uid] = f"%p{i}"
            value = code.exprs.as_type(decl.body, decl.type)
            if words:
                code.copy_words("%out", value, rep)
                value = "0"
            code.give(value)

        return self._made(f"define {decl.name}", params, write, "i64" if words else llvm_type(rep))

    def can(self, action: str) -> FunctionCode:
        rule = self.game.rules[action]

        def write(code: FunctionCode) -> None:
            code.me = "%me"
            if self.facts.recursive(f"can {action}"):
                code.deeper()
            for i, param in enumerate(rule.params):
                code.env[param.uid] = f"%p{i}"
            no = code.new_label("no")
            code.blocks.possible(list(rule.header), lambda: code.give("1"), no)
            code.label(no)
            code.give("0")

        return self._made(f"can {action}", self._params(rule.params, True), write)

    def result_type(self, name: str) -> t.Type | None:
        """What a procedure gives back."""
        if not self.program.procs[name].returns:
            return None
        rule = self.game.rules.get(name.rstrip("!"))
        return rule.type if rule is not None and rule.type is not None else t.YES_NO

    def procedure(self, name: str) -> FunctionCode:
        proc = self.program.procs[name]
        assert proc.plain, name
        type_ = self.result_type(name)
        rep = self.reps.of(type_) if type_ is not None else self.reps.of(t.YES_NO)
        params = self._params(proc.params, proc.me is not None)
        if isinstance(rep, Listed | Vector):
            params.append(("%out", "ptr"))

        def write(code: FunctionCode) -> None:
            code.gives_back = type_
            if proc.me is not None:
                code.me = "%me"
            if self.facts.recursive(f"rule {name}"):
                code.deeper()
            for i, param in enumerate(proc.params):
                code.bind(param, f"%p{i}")
            code.statements.stmts(proc.body)
            code.give("0")

        return self._made(f"rule {name}", params, write, llvm_type(rep) if isinstance(rep, Bits) else "i64")

    def endings_after(self, written: set[str]) -> list[str]:
        return [
            name
            for name, ending in self.game.endings.items()
            if ending.before is None and touches(written, self._read_by(name))
        ]

    def _read_by(self, name: str) -> set[str]:
        if name not in self._reads:
            ending = self.game.endings[name]
            domain = reads(ending.domain, self.game) if ending.domain is not None else set()
            self._reads[name] = reads(ending.when, self.game) | domain
        return self._reads[name]

    def ending(self, name: str) -> FunctionCode:
        ending = self.game.endings[name]
        body = ending.body if self.sites is None else self.sites.counted(ending.body, ending.span)

        def write(code: FunctionCode) -> None:
            go, no = code.new_label(), code.new_label()
            code.branch(code.compare("eq", code.head("atomic"), 0), go, no)
            code.label(no)
            code.give("0")
            code.label(go)

            def hit(_: str = "") -> None:
                def end() -> None:
                    for st in body:
                        if isinstance(st, Finish) and st.because is None:
                            st = changed(st, because=name)
                        code.statements.stmt(st)

                code.when(code.test(ending.when), end)

            if ending.var is not None and ending.domain is not None:
                code.loops.loop((Gen(ending.var, ending.domain),), hit, more=(ending.when,))
            else:
                hit()
            code.give("0")

        return self._made(f"ending {name}", [("%S", "ptr")], write)

    # ------------------------------------------------------------ functions for places
    _ONE = (("%S", "ptr"), ("%c", "i64"))

    def taker(self, name: str) -> str:
        return self._made(f"take {name}", self._ONE, lambda code: write_taker(code, name)).name

    def viewers(self, name: str) -> str:
        return self._made(f"viewers {name}", self._ONE, lambda code: write_viewers(code, name)).name

    def deck_taker(self, name: str) -> str:
        params = (("%S", "ptr"), ("%p", "i64"), ("%c", "i64"))
        return self._made(f"deck take {name}", params, lambda code: write_deck_taker(code, name)).name

    def deck_putter(self, name: str) -> str:
        params = (("%S", "ptr"), *((n, "i64") for n in ("%p", "%c", "%position", "%viewers")))
        return self._made(f"deck put {name}", params, lambda code: write_deck_putter(code, name)).name

    def deck_end(self, name: str, end: str) -> str:
        params = (("%S", "ptr"), ("%p", "i64"))
        return self._made(f"deck {end} {name}", params, lambda code: write_deck_end(code, name, end)).name

    def swapper(self, name: str) -> str:
        params = (("%S", "ptr"), ("%a", "i64"), ("%b", "i64"))
        return self._made(f"swap {name}", params, lambda code: write_swapper(code, name)).name

    # ------------------------------------------------------------ all of it
    def text(self) -> str:
        from .assembly import Assembly  # which writes into this module

        return Assembly(self).text()
