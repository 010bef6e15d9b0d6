"""The whole native module of a game: its procedures, `run`, and the functions that are called from outside."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..core import Let, Seal
from ..core import value_types as t
from ..core.depth import LONG_RUN
from ..program.ir import Proc
from ..program.passes.worth import worth
from ..program.representations import Bits, Plan
from ..program.slot_types import gather
from ..program.terminators import AskCase, AskCell, AskValue, Unwind, targets
from .code import ENDLESS, FAILED, llvm_type
from .counting import ANSWERS, HITS, MOST_TRIED, TABLE_BITS
from .function import FunctionCode
from .memory import AT, HEAD
from .module import Module
from .translate import library

SMALL = 30  # lines of a definition that is written where it is called


class Assembly:
    def __init__(self, module: Module) -> None:
        self.module = module
        self._closers: dict[tuple[str, int], FunctionCode] = {}

    def text(self) -> str:
        main = self.module.program.procs[self.module.program.main]
        procs = self._procedures(main.entry)
        self._unwinder()
        self._exported()
        self._takers()
        self._plans()
        if self.module.books is not None:
            self._sight()
        calls = self._run(procs, main)
        widths = sorted({64} | {64 * limbs for limbs in self.module.widths})
        functions = [code.text(SMALL) for code in self.module.functions]
        loops = [*library("loop_library", 0, self._constants()), *self._counters()]
        calling = "\n".join([*functions, *loops])
        parts = [_DECLARED, *(f"declare i{w} @llvm.ctpop.i{w}(i{w})" for w in widths)]
        parts += library("core_library")
        if "@vec_" in calling:
            parts += [*library("vector_library"), *library("vector_search_library")]
        for entry in (8, 16, 32):
            if re.search(rf"@array_\w+_{entry}\(", calling):
                parts += library("core_library", entry)
        parts += [*loops, *self.module.table_lines, *functions, calls]
        return "\n".join(parts)

    def _counters(self) -> list[str]:
        """What a covered build counts in."""
        if self.module.sites is None:
            return []
        constants = {**dict(self._constants()), "TABLE_BITS": TABLE_BITS, "MOST_TRIED": MOST_TRIED}
        sizes = ((HITS, max(1, len(self.module.sites.sites))), (ANSWERS, 3 << TABLE_BITS))
        words = [f"@{name} = global [{size} x i64] zeroinitializer" for name, size in sizes]
        return [*words, *library("count_library", 0, tuple(constants.items()))]

    def _constants(self) -> tuple[tuple[str, int], ...]:
        """What the loops must know about a state."""
        found = {name.upper(): at // 8 for name, at in AT.items()}
        memory = self.module.memory
        found |= {
            "TURN_AT": HEAD + 4 * self.module.layout.TURN, "ACTIVE_AT": HEAD + 4 * self.module.layout.ACTIVE,
            "DEALS": int(bool(self._cells_asked())), "STACK_AT": memory.stack, "OPTIONS_AT": memory.options,
            "WEIGHTS_AT": memory.weights, "SIZE": memory.size, "FAILED": FAILED, "PLAYERS": self.module.layout.players,
            "ENTRY": self.module.program.procs[self.module.program.main].entry, "HEAD": HEAD,
            "FIXED": memory.fixed, "SEAL_AT": memory.seal, "SCORED": int(self.module.game.score is not None),
        }  # fmt: skip
        return tuple(found.items())

    def _procedures(self, entry: int) -> dict[str, FunctionCode]:
        """A function for each procedure that waits; anew where another way into it turns up."""
        self._find_askers()
        wanted = {entry}
        made: dict[str, tuple[frozenset[int], FunctionCode]] = {}
        blocks = self.module.program.blocks
        while True:
            names = sorted({blocks[n].proc for n in wanted})
            before = set(wanted)
            for name in names:
                entered = frozenset(n for n in wanted if blocks[n].proc == name)
                if name in made and made[name][0] == entered:
                    continue
                if name in made:
                    self.module.functions.remove(made[name][1])
                code = self._procedure_that_waits(name, entered)
                made[name] = (entered, code)
                wanted |= code.wanted
            wanted |= {asker for number, asker in self.module.askers.items() if number in wanted}
            for number in sorted(wanted):
                for scope in blocks[number].scopes:
                    if scope.exit >= 0 and scope.label is not None and self._stopped(scope.label):
                        wanted.add(scope.exit)
            if wanted == before:
                self.module.resumes = wanted
                return {name: code for name, (_, code) in made.items()}

    def _find_askers(self) -> None:
        """What is asked first behind a seal is asked anew in every world that a bot imagines."""
        program = self.module.program
        if not any(isinstance(instr.st, Seal) for block in program.blocks for instr in block.code):
            return
        for block in program.blocks:
            if isinstance(block.term, AskValue | AskCell | AskCase) and not block.code:
                number = targets(block.term)[0]
                if set(block.live) <= set(program.blocks[number].live):
                    self.module.askers[number] = block.id

    def _stopped(self, label: str) -> bool:
        return label.startswith("clock ") or any(
            isinstance(block.term, Unwind) and block.term.label == label
            for block in self.module.program.blocks
        )

    def _procedure_that_waits(self, name: str, entered: frozenset[int]) -> FunctionCode:
        code = self.module.new_function(f"proc {name}", [("%S", "ptr"), ("%pc", "i64"), ("%v", "i64")])
        code.proc = self.module.program.procs[name]
        for uid in code.proc.slots:
            rep = self.module.slot_rep(uid)
            if llvm_type(rep) != "ptr":
                code.env[uid] = code.room(llvm_type(rep))
        code.frame = code.frame_start()  # calls and returns leave this function
        arms = " ".join(f"i64 {n}, label %r{n}" for n in sorted(entered))
        code.do(f"switch i64 %pc, label %nowhere [{arms}]")
        code.open = False
        for number in sorted(entered):
            block = self.module.program.blocks[number]
            code.label(f"r{number}")
            for uid in block.live:
                rep = self.module.slot_rep(uid)
                if llvm_type(rep) != "ptr":
                    code.bind_uid(uid, rep, code.load_rep(code.frame_at(uid), rep))
            if number in self.module.entries:
                self._enter(code, number)
            code.blocks.go(number)
        while code.todo:
            code.blocks.write_block(self.module.program.blocks[code.todo.pop()])
        code.label("nowhere")
        code.fail(FAILED)
        self.module.finished.add(code.name)
        return code

    def _enter(self, code: FunctionCode, number: int) -> None:
        var, name = self.module.entries[number]
        if name is None:
            code.bind(var, "%v")
            return
        type_ = self.module.result_type(name) or var.type
        rep, wanted = self.module.reps.of(type_), code.rep(var)
        value = code.load_rep(code.at("%S", self.module.memory.result), rep)
        if isinstance(rep, Bits) and isinstance(wanted, Bits):
            value = code.sets.fit_bits(value, rep, wanted)
        code.bind(var, value)

    def _unwinder(self) -> None:
        """Drop frames up to the one that opened a label, closing what is open in each."""
        code = self.module.new_function("unwind", [("%S", "ptr"), ("%size", "i64"), ("%label", "i64")])
        code.name = "unwind"
        size = code.room()
        code.store("%size", size)
        code.label("top")
        top = code.op("sub", code.op("sub", code.head("sp"), code.load(size)), 1)
        none = code.compare("slt", top, 0)
        code.fail_if(none, FAILED)
        code.set_head("sp", top)
        target = code.load_int(code.stack_at(top), 32)
        arms = " ".join(f"i64 {n}, label %u{n}" for n in sorted(self.module.resumes))
        code.do(f"switch i64 {target}, label %nowhere [{arms}]")
        code.open = False
        for number in sorted(self.module.resumes):
            block = self.module.program.blocks[number]
            proc = self.module.program.procs[block.proc]
            code.label(f"u{number}")
            code.store(self.module.frame_words(proc), size)
            for scope in reversed(block.scopes):
                if scope.label is not None and scope.label in self.module.labels:
                    yes, no = code.new_label(), code.new_label()
                    code.branch(code.compare("eq", "%label", self.module.labels.index(scope.label)), yes, no)
                    code.label(yes)
                    code.give(str(scope.exit))
                    code.label(no)
                if scope.cleanup:
                    closer = self._closer(proc, scope.cleanup)
                    code.call(closer.name, "ptr %S")
                    if closer.fails:
                        code.after_call(False)
            code.jump("top")
        code.label("nowhere")
        code.fail(FAILED)
        code.proc = None

    def _closer(self, proc: Proc, cleanup: Any) -> FunctionCode:
        """What closes a scope whose frame is on top; written once for all blocks in it."""
        key = (proc.name, id(cleanup))
        if key not in self._closers:
            code = self._closers[key] = self.module.new_function(f"close {proc.name}", [("%S", "ptr")])
            code.proc = proc
            mentioned: dict[str, t.Type] = {}
            gather([(instr.me, instr.st) for instr in cleanup], mentioned)
            self._load_frame(code, proc, mentioned)
            for instr in cleanup:
                code.me = code.local(instr.me) if instr.me is not None else None
                code.statements.stmt(instr.st)
            code.give("0")
        return self._closers[key]

    def _sight(self) -> None:
        """Who sees a component, by the number of its sort among those that books are kept of."""
        assert self.module.books is not None
        code = self.module.new_function("who_sees", [("%S", "ptr"), ("%sort", "i64"), ("%c", "i64")])
        code.name, code.exported = "who_sees", True
        for number, name in enumerate(self.module.books.sorts):
            yes, no = code.new_label(), code.new_label()
            code.branch(code.compare("eq", "%sort", number), yes, no)
            code.label(yes)
            code.give(code.call(self.module.viewers(name), "ptr %S", "i64 %c"))
            code.label(no)
        code.give("0")

    def _exported(self) -> None:
        """Scores, what a position is worth, invariants: functions of their own."""
        seat = [("%S", "ptr"), ("%seat", "i64")]
        for name, decl in (("score_of", self.module.game.score), ("worth_of", worth(self.module.game))):
            code = self.module.new_function(name, seat)
            code.name, code.exported = name, True
            if decl is not None:
                args = ["ptr %S"] + (["i64 %seat"] if decl.uses_me else [])
                if len(decl.params) == 1:
                    args.append("i64 %seat")
                function = self.module.definition(decl)
                code.give(code.call(function.name, *args))
            code.give("0")
        code = self.module.new_function("broken_invariant", [("%S", "ptr")])
        code.name, code.exported = "broken_invariant", True
        for number, invariant in enumerate(self.module.game.invariants.values()):
            holds, broken = code.new_label(), code.new_label()
            code.branch(code.test(invariant.condition), holds, broken)
            code.label(broken)
            code.give(str(number))
            code.label(holds)
        code.give("-1")

    def _cells_asked(self) -> dict[int, tuple[Proc, AskCell]]:
        """Where a match waits for the next cell of a vector."""
        return {
            block.term.chosen: (self.module.program.procs[block.proc], block.term)
            for block in self.module.program.blocks
            if isinstance(block.term, AskCell) and block.term.chosen in self.module.resumes
        }

    def _takers(self) -> None:
        """Of a whole that is dealt out cell by cell: how many heaps take from it; else 1."""
        code = self.module.new_function("takers_of", [("%S", "ptr")])
        code.name, code.exported = "takers_of", True
        found = self._cells_asked()
        arms = " ".join(f"i64 {n}, label %c{n}" for n in sorted(found))
        code.do(f"switch i64 {code.head('pc')}, label %none [{arms}]")
        code.open = False
        for number, (proc, term) in sorted(found.items()):
            code.label(f"c{number}")
            code.proc = proc
            plan, filled = (code.frame_at(part.var.uid) for part in (term.cells, term.filled))
            code.give(code.call("vec_takers", f"ptr {plan}", f"ptr {filled}"))
        code.proc = None
        code.label("none")
        code.give("1")

    def _plans(self) -> None:
        """For each choice by cells a function that works out its plan anew, when its state comes from outside."""
        for number in sorted(self.module.resumes):
            block = self.module.program.blocks[number]
            proc = self.module.program.procs[block.proc]
            for uid in block.live:
                if isinstance(self.module.slot_rep(uid), Plan) and f"plan_{uid}" not in self.module.finished:
                    self.module.finished.add(f"plan_{uid}")
                    self._plan(proc, uid)

    def _plan(self, proc: Proc, uid: str) -> None:
        found = (
            instr
            for number in proc.blocks
            for instr in self.module.program.blocks[number].code
            if isinstance(instr.st, Let) and instr.st.var.uid == uid
        )
        instr = next(found)
        code = self.module.new_function("plan", [("%S", "ptr")])
        code.name, code.exported, code.proc = f"plan_{uid}", True, proc
        mentioned: dict[str, t.Type] = {}
        gather([instr.me, instr.st], mentioned)
        self._load_frame(code, proc, mentioned)
        code.me = code.local(instr.me) if instr.me is not None else None
        code.statements.stmt(instr.st)
        code.give("0")

    def _load_frame(self, code: FunctionCode, proc: Proc, wanted: Mapping[str, t.Type]) -> None:
        """Some of the slots."""
        code.frame = code.frame_start()
        for uid in proc.slots:
            rep = self.module.slot_rep(uid)
            if llvm_type(rep) != "ptr" and uid in wanted:
                code.bind_uid(uid, rep, code.load_rep(code.frame_at(uid), rep))

    def _run(self, procs: dict[str, FunctionCode], main: Proc) -> str:
        numbers = {name: i for i, name in enumerate(procs)}
        cases = " ".join(
            f"i64 {n}, label %p{numbers[self.module.program.blocks[n].proc]}"
            for n in sorted(self.module.resumes)
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
declare i64 @llvm.x86.bmi.pdep.64(i64, i64)
declare i64 @llvm.fshr.i64(i64, i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare {i64, i1} @llvm.smul.with.overflow.i64(i64, i64)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"""
