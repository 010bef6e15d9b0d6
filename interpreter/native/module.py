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
    OPERATORS,
    Apply,
    CallDefine,
    CallRule,
    Can,
    CanMenu,
    DefineDecl,
    Ex,
    Finish,
    Gen,
    InRange,
    Let,
    Lookup,
    PlaceRef,
    Reduction,
    SpaceAt,
    St,
    Var,
    bodies,
    changed,
    children,
)
from ..core import value_types as t
from ..core.facts import reads, touches
from ..play.engine import Engine
from ..program.ir import Proc
from ..program.known_cards import known_cards
from ..program.layout import Geometry, neighbours
from ..program.passes.tabulate import tabulate
from ..program.passes.worth import worth
from ..program.representations import Bits, Listed, Plan, Representation, Vector, representations
from ..program.slot_types import _gather
from ..program.terminators import Call, Unwind, answered
from .blocks import FunctionCode
from .code import ENDLESS, FAILED, LONG_RUN, llvm_type
from .decks import write_deck_end, write_deck_putter, write_deck_taker, write_taker, write_viewers
from .memory import AT, HEAD, Memory, lay_memory
from .swaps import write_swapper
from .translate import library

SMALL = 30  # lines of a definition that is written where it is called
OPENED = 70  # weight of a definition that is opened in the conditions of a loop


class Module:
    def __init__(self, engine: Engine, *, checked: bool = False) -> None:
        self.engine = engine
        self.game = engine.game
        self.layout = engine.layout
        self.program = engine.program
        self.checked = checked
        self.reps = representations(self.program, self.layout)
        self.known_cards = known_cards(self.program)
        self.memory: Memory = lay_memory(
            self.game, self.layout, self.reps, self.known_cards, self._result_words()
        )
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
        self.slot_reps: dict[str, Representation] = {}
        self.resumes: set[int] = set()
        self._numbered = 0
        self._fails: dict[str, bool] = {}
        self._tabled: dict[str, tuple[int, ...] | None] = {}
        self._recursive: dict[str, bool] = {}
        self._weights: dict[str, int] = {}
        self._reads: dict[str, set[str]] = {}
        self._types: dict[str, t.Type] = {}
        for proc in self.program.procs.values():
            _gather([*proc.params, proc.me], self._types)
            for number in proc.blocks:
                block = self.program.blocks[number]
                _gather([block.code, block.term, [s.cleanup for s in block.scopes]], self._types)
        self.entries: dict[int, tuple[Var, str | None]] = {}  # a block, what it begins with, what was called
        for block in self.program.blocks:
            entered = answered(block.term) if block.term is not None else None
            if entered is not None:
                called = block.term.proc if isinstance(block.term, Call) else None
                self.entries[entered[0]] = (entered[1], called)

    def _result_words(self) -> int:
        types = [rule.type for rule in self.game.rules.values() if rule.type is not None]
        return max([2, *(self.reps.of(type_).words for type_ in types)])

    # ------------------------------------------------------------ slots
    def slot_rep(self, uid: str) -> Representation:
        if uid not in self.slot_reps:
            self.slot_reps[uid] = self.reps.of_var(uid, self._types.get(uid, t.UNKNOWN))
        return self.slot_reps[uid]

    def frame_words(self, proc: Proc) -> int:
        return sum(self.slot_rep(uid).words for uid in proc.slots)

    # ------------------------------------------------------------ constants
    def table(self, values: Sequence[int]) -> tuple[str, int]:
        """The name of a table of constants, and the bits of an entry."""
        least, most = min(values), max(values)
        bits = next(b for b in (8, 16, 32, 64) if -(1 << (b - 1)) <= least and most < 1 << (b - 1))
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

    # ------------------------------------------------------------ facts about definitions
    def tabled(self, decl: DefineDecl) -> tuple[int, ...] | None:
        if decl.name not in self._tabled:
            self._tabled[decl.name] = tabulate(decl, self.layout)
        return self._tabled[decl.name]

    def opens(self, decl: DefineDecl) -> bool:
        """Is it opened where the condition of a loop calls it?"""
        return (
            self.weight(decl) <= OPENED
            and not self.recursive(f"define {decl.name}")
            and self.tabled(decl) is None
        )

    def weight(self, decl: DefineDecl) -> int:
        if decl.name not in self._weights:
            self._weights[decl.name] = 10**6
            self._weights[decl.name] = self._weight(decl.body)
        return self._weights[decl.name]

    def _weight(self, ex: Ex) -> int:
        own = 1
        if isinstance(ex, CallDefine):
            own += self.weight(ex.define)
        elif isinstance(ex, Reduction):
            own += 2 * len(ex.gens)
        return own + sum(self._weight(part) for part in children(ex))

    def can_fail(self, ex: Ex) -> bool:
        match ex:
            case InRange() | SpaceAt() | Lookup() | Can() | CanMenu():
                return True
            case Apply(op=op) if OPERATORS[op].fails or op in ("player", "set", "range", "mul", "as_set"):
                return True
            case PlaceRef(indices=indices) if any(isinstance(i.type, t.Opt) for i in indices):
                return True
            case Reduction(kind="the" | "set" | "most" | "least" | "sort"):
                return True
            case CallDefine(define=define):
                name = define.name
                if name not in self._fails:
                    self._fails[name] = True  # one that calls itself may go too deep
                    self._fails[name] = self.can_fail(define.body)
                if self._fails[name]:
                    return True
        return any(self.can_fail(part) for part in children(ex))

    def recursive(self, key: str) -> bool:
        """Can a function come to call itself? Keys: `define x`, `can x`, `rule x`."""
        if key not in self._recursive:
            seen: set[str] = set()
            todo = list(self._called(key))
            while todo and key not in seen:
                name = todo.pop()
                if name not in seen:
                    seen.add(name)
                    todo += self._called(name)
            self._recursive[key] = key in seen
        return self._recursive[key]

    def _called(self, key: str) -> set[str]:
        kind, _, name = key.partition(" ")
        found: set[str] = set()

        def look(node: Any) -> None:
            match node:
                case CallDefine():
                    found.add(f"define {node.define.name}")
                case Can():
                    found.add(f"can {node.action}")
                case CanMenu():
                    found.update(f"can {action}" for action in self.game.menus[node.menu])
                case CallRule():
                    found.add(f"rule {node.rule}")
            for child in children(node):
                look(child)
            if isinstance(node, St):
                for body in bodies(node):
                    for st in body:
                        look(st)

        if kind == "define":
            if name in self.game.defines:
                look(self.game.defines[name].body)
        elif kind == "can":
            for st in self.game.rules[name].header:
                look(st)
        elif name in self.program.procs:
            for st in self.program.procs[name].body:
                look(st)
        return found

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
            again = self.recursive(f"define {decl.name}")
            code.in_place = not again
            if decl.uses_me:
                code.me = "%me"
            if again:
                code.deeper()
            for i, param in enumerate(decl.params):
                code.env[param.uid] = f"%p{i}"
            value = code.as_type(decl.body, decl.type)
            if words:
                code.copy("%out", value, 4 * rep.words)
                value = "0"
            code.give(value)

        return self._made(f"define {decl.name}", params, write, "i64" if words else llvm_type(rep))

    def can(self, action: str) -> FunctionCode:
        rule = self.game.rules[action]

        def write(code: FunctionCode) -> None:
            code.me = "%me"
            if self.recursive(f"can {action}"):
                code.deeper()
            for i, param in enumerate(rule.params):
                code.env[param.uid] = f"%p{i}"
            no = code.new_label("no")
            code.possible(list(rule.header), lambda: code.give("1"), no)
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
            if self.recursive(f"rule {name}"):
                code.deeper()
            for i, param in enumerate(proc.params):
                code.bind(param, f"%p{i}")
            code.stmts(proc.body)
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

        def write(code: FunctionCode) -> None:
            go, no = code.new_label(), code.new_label()
            code.branch(code.compare("eq", code.head("atomic"), 0), go, no)
            code.label(no)
            code.give("0")
            code.label(go)

            def hit(_: str = "") -> None:
                def end() -> None:
                    for st in ending.body:
                        if isinstance(st, Finish) and st.because is None:
                            st = changed(st, because=name)
                        code.stmt(st)

                code.when(code.test(ending.when), end)

            if ending.var is not None and ending.domain is not None:
                code.loop((Gen(ending.var, ending.domain),), hit, more=(ending.when,))
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
        main = self.program.procs[self.program.main]
        procs = self._procedures(main.entry)
        self._unwinder()
        self._exported()
        self._plans()
        calls = self._run(procs, main)
        widths = sorted({64} | {64 * limbs for limbs in self.widths})
        parts = [_DECLARED, *(f"declare i{w} @llvm.ctpop.i{w}(i{w})" for w in widths)]
        parts += [*library("core_library"), *library("vector_library")]
        for entry in (8, 16, 32):
            parts += library("core_library", entry)
        parts += library("loop_library", 0, self._constants())
        parts += [*self.table_lines, *(code.text(SMALL) for code in self.functions), calls]
        return "\n".join(parts)

    def _constants(self) -> tuple[tuple[str, int], ...]:
        """What the loops must know about a state."""
        found = {name.upper(): at // 8 for name, at in AT.items()}
        memory = self.memory
        found |= {
            "TURN_AT": HEAD + 4 * self.layout.TURN, "STACK_AT": memory.stack, "OPTIONS_AT": memory.options,
            "WEIGHTS_AT": memory.weights, "SIZE": memory.size, "FAILED": FAILED, "PLAYERS": self.layout.players,
            "ENTRY": self.program.procs[self.program.main].entry, "HEAD": HEAD,
            "FIXED": memory.grids - HEAD, "SCORED": int(self.game.score is not None),
        }  # fmt: skip
        return tuple(found.items())

    def _procedures(self, entry: int) -> dict[str, FunctionCode]:
        """A function for each procedure that waits; anew where another way into it turns up."""
        wanted = {entry}
        made: dict[str, tuple[frozenset[int], FunctionCode]] = {}
        blocks = self.program.blocks
        while True:
            names = sorted({blocks[n].proc for n in wanted})
            before = set(wanted)
            for name in names:
                entered = frozenset(n for n in wanted if blocks[n].proc == name)
                if name in made and made[name][0] == entered:
                    continue
                if name in made:
                    self.functions.remove(made[name][1])
                code = self._procedure_that_waits(name, entered)
                made[name] = (entered, code)
                wanted |= code.wanted
            for number in sorted(wanted):
                for scope in blocks[number].scopes:
                    if scope.exit >= 0 and scope.label is not None and self._stopped(scope.label):
                        wanted.add(scope.exit)
            if wanted == before:
                self.resumes = wanted
                return {name: code for name, (_, code) in made.items()}

    def _stopped(self, label: str) -> bool:
        return label.startswith("clock ") or any(
            isinstance(block.term, Unwind) and block.term.label == label for block in self.program.blocks
        )

    def _procedure_that_waits(self, name: str, entered: frozenset[int]) -> FunctionCode:
        code = self.new_function(f"proc {name}", [("%S", "ptr"), ("%pc", "i64"), ("%v", "i64")])
        code.proc = self.program.procs[name]
        for uid in code.proc.slots:
            rep = self.slot_rep(uid)
            if llvm_type(rep) != "ptr":
                code.env[uid] = code.room(llvm_type(rep))
        arms = " ".join(f"i64 {n}, label %r{n}" for n in sorted(entered))
        code.do(f"switch i64 %pc, label %nowhere [{arms}]")
        code.open = False
        for number in sorted(entered):
            block = self.program.blocks[number]
            code.label(f"r{number}")
            for uid in block.live:
                rep = self.slot_rep(uid)
                if llvm_type(rep) != "ptr":
                    code.bind_uid(uid, rep, code.load_rep(code.frame_at(uid), rep))
            if number in self.entries:
                self._enter(code, number)
            code.go(number)
        while code.todo:
            code.write_block(self.program.blocks[code.todo.pop()])
        code.label("nowhere")
        code.fail(FAILED)
        self.finished.add(code.name)
        return code

    def _enter(self, code: FunctionCode, number: int) -> None:
        var, name = self.entries[number]
        if name is None:
            code.bind(var, "%v")
            return
        type_ = self.result_type(name) or var.type
        rep, wanted = self.reps.of(type_), code.rep(var)
        value = code.load_rep(code.at("%S", self.memory.result), rep)
        if isinstance(rep, Bits) and isinstance(wanted, Bits):
            value = code.fit_bits(value, rep, wanted)
        code.bind(var, value)

    def _unwinder(self) -> None:
        """Drop frames up to the one that opened a label, closing what is open in each."""
        code = self.new_function("unwind", [("%S", "ptr"), ("%size", "i64"), ("%label", "i64")])
        code.name = "unwind"
        size = code.room()
        code.store("%size", size)
        code.label("top")
        top = code.op("sub", code.op("sub", code.head("sp"), code.load(size)), 1)
        none = code.compare("slt", top, 0)
        code.fail_if(none, FAILED)
        code.set_head("sp", top)
        target = code.load_int(code.stack_at(top), 32)
        arms = " ".join(f"i64 {n}, label %u{n}" for n in sorted(self.resumes))
        code.do(f"switch i64 {target}, label %nowhere [{arms}]")
        code.open = False
        for number in sorted(self.resumes):
            block = self.program.blocks[number]
            proc = self.program.procs[block.proc]
            code.label(f"u{number}")
            code.store(self.frame_words(proc), size)
            for scope in reversed(block.scopes):
                if scope.label is not None and scope.label in self.labels:
                    yes, no = code.new_label(), code.new_label()
                    code.branch(code.compare("eq", "%label", self.labels.index(scope.label)), yes, no)
                    code.label(yes)
                    code.give(str(scope.exit))
                    code.label(no)
                if scope.cleanup:
                    self._close(code, proc, scope.cleanup)
            code.jump("top")
        code.label("nowhere")
        code.fail(FAILED)
        code.proc = None

    def _close(self, code: FunctionCode, proc: Proc, cleanup: Any) -> None:
        code.proc, code.env, code.hoisted = proc, {}, {}
        self._load_frame(code, proc)
        for instr in cleanup:
            code.me = code.local(instr.me) if instr.me is not None else None
            code.stmt(instr.st)
        code.proc = None

    def _exported(self) -> None:
        """Scores, what a position is worth, invariants: functions of their own."""
        seat = [("%S", "ptr"), ("%seat", "i64")]
        for name, decl in (("score_of", self.game.score), ("worth_of", worth(self.game))):
            code = self.new_function(name, seat)
            code.name, code.exported = name, True
            if decl is not None:
                args = ["ptr %S"] + (["i64 %seat"] if decl.uses_me else [])
                if len(decl.params) == 1:
                    args.append("i64 %seat")
                function = self.definition(decl)
                code.give(code.call(function.name, *args))
            code.give("0")
        code = self.new_function("broken_invariant", [("%S", "ptr")])
        code.name, code.exported = "broken_invariant", True
        for number, invariant in enumerate(self.game.invariants.values()):
            holds, broken = code.new_label(), code.new_label()
            code.branch(code.test(invariant.condition), holds, broken)
            code.label(broken)
            code.give(str(number))
            code.label(holds)
        code.give("-1")

    def _plans(self) -> None:
        """For each choice by cells a function that works out its plan anew, when its state comes from outside."""
        for number in sorted(self.resumes):
            block = self.program.blocks[number]
            proc = self.program.procs[block.proc]
            for uid in block.live:
                if isinstance(self.slot_rep(uid), Plan) and f"plan_{uid}" not in self.finished:
                    self.finished.add(f"plan_{uid}")
                    self._plan(proc, uid)

    def _plan(self, proc: Proc, uid: str) -> None:
        found = (
            instr
            for number in proc.blocks
            for instr in self.program.blocks[number].code
            if isinstance(instr.st, Let) and instr.st.var.uid == uid
        )
        instr = next(found)
        code = self.new_function("plan", [("%S", "ptr")])
        code.name, code.exported, code.proc = f"plan_{uid}", True, proc
        self._load_frame(code, proc)
        code.me = code.local(instr.me) if instr.me is not None else None
        code.stmt(instr.st)
        code.give("0")

    def _load_frame(self, code: FunctionCode, proc: Proc) -> None:
        for uid in proc.slots:
            rep = self.slot_rep(uid)
            if llvm_type(rep) != "ptr":
                code.bind_uid(uid, rep, code.load_rep(code.frame_at(uid), rep))

    def _run(self, procs: dict[str, FunctionCode], main: Proc) -> str:
        numbers = {name: i for i, name in enumerate(procs)}
        cases = " ".join(
            f"i64 {n}, label %p{numbers[self.program.blocks[n].proc]}" for n in sorted(self.resumes)
        )
        arms = "\n".join(
            f"p{i}:\n  %r{i} = call i64 @{procs[name].name}(ptr %S, i64 %pc, i64 %v)\n  br label %next"
            for name, i in numbers.items()
        )
        results = ", ".join(f"[%r{i}, %p{i}]" for i in numbers.values())
        return f"""
define i64 @run(ptr %S, i64 %first, i64 %v) nounwind {{
start:
  %steps = getelementptr i8, ptr %S, i64 {AT["steps"]}
  store i64 0, ptr %steps
  %depth = getelementptr i8, ptr %S, i64 {AT["depth"]}
  store i64 0, ptr %depth
  br label %top
top:
  %pc = phi i64 [%first, %start], [%n, %more]
  %round = phi i64 [0, %start], [%round1, %more]
  switch i64 %pc, label %bad [{cases}]
{arms}
next:
  %n = phi i64 {results}
  %waits = icmp slt i64 %n, 0
  br i1 %waits, label %done, label %more
more:
  %round1 = add i64 %round, 1
  %long = icmp ugt i64 %round1, {LONG_RUN}
  br i1 %long, label %bad, label %top
bad:
  %e = getelementptr i8, ptr %S, i64 {AT["error"]}
  store i64 {ENDLESS}, ptr %e
  br label %done
done:
  ret i64 0
}}
"""


_DECLARED = """
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i64 @llvm.fshr.i64(i64, i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare {i64, i1} @llvm.smul.with.overflow.i64(i64, i64)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"""
