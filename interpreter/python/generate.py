"""The Python back end: a module of functions from a rule program.

`generate` gives the source text of the module and the tables that go with it.
The text is plain Python over local variables and the lists of the state; it can
be printed with `dragonrules debug python FILE`.
"""

from __future__ import annotations

import re
from typing import Any

from ...grammar import Span
from ..core import (
    CallDefine,
    Case,
    CheckedGame,
    Choose,
    DefineDecl,
    Ex,
    Finish,
    Gen,
    Let,
    Reduction,
    TableDecl,
    Var,
    changed,
    children,
    header,
)
from ..core import value_types as t
from ..core.facts import fails, reads, touches
from ..program.ir import Proc, Program, statements
from ..program.layout import Geometry, Layout, neighbours
from ..program.liveness import _read
from ..program.passes.counters import Sites
from ..program.passes.interchangeable import copies_of
from ..program.passes.tabulate import is_worth_remembering, tabulate
from ..program.passes.worth import VALUE, worth
from ..program.slot_types import component_slots, typed_slots
from ..program.terminators import Call, DecisionPoint, Terminator, answered, targets
from .context import CAUSE, Context
from .generated import Generated
from .geometry import with_lookups

_POSITION = re.compile(r"\b[SILG]\b")
_HANDED_ON = "(S, I, L"


def generate(pool: Pool) -> Generated:
    return pool.run()


class Pool:
    """Everything that the functions of a module share."""

    def __init__(
        self,
        game: CheckedGame,
        layout: Layout,
        program: Program,
        watched: bool,
        sites: Sites | None = None,
        *,
        rerun: bool = False,
    ) -> None:
        self.game = game
        self.sites = sites  # what is counted, in a covered engine
        self.layout = layout
        self.program = program
        self.watched = watched
        self.spans: list[Span] = []
        self._span_ids: dict[tuple[str, int, int], int] = {}
        self.consts: dict[str, Any] = {}
        self._const_names: dict[Any, str] = {}
        self.functions: list[str] = []
        self.written = 0  # how much of it the module has; what comes later, a question asked at play needs
        self._done: dict[str, str] = {}
        self._tabled: dict[str, str | None] = {}
        self._remembered: dict[str, bool] = {}
        self._blocks: dict[int, list[str]] = {}
        self._todo: list[int] = []
        self._entries: dict[int, tuple[Var, str]] = {}
        self._weights: dict[str, int] = {}
        self.points: dict[int, int] = {}
        self._rolls: dict[int, Any] = {}
        self._ways: dict[int, int] = {}
        self.askers: dict[int, int] = {}
        self.starts: dict[int, int] = {}
        self.vectors: dict[int, tuple[int, int]] = {}
        self.chances: dict[int, t.Type] = {}
        self.rerun = rerun  # shall pending decisions be asked anew, as scenarios do?
        self._ending_reads: dict[str, set[str]] = {}
        self._askings: dict[int, tuple[int, Var]] = {}
        for block in program.blocks:
            entered = None if block.term is None else answered(block.term)
            if block.term is not None and entered is not None:
                target, var = entered
                self._entries[target] = (var, "S.rv" if isinstance(block.term, Call) else "v")
                self._count_answers(block.term, target, var)

    # ------------------------------------------------------------ the module
    def run(self) -> Generated:
        for name, ending in self.game.endings.items():
            self._ending_reads[name] = reads(ending.when, self.game) | (
                reads(ending.domain, self.game) if ending.domain else set()
            )
        main = self.program.procs[self.program.main]
        self.wanted(main.entry)
        while self._todo:
            number = self._todo.pop()
            self._blocks[number] = self.emitter(block=True).blocks.function(self.program.blocks[number])
        for name in self.game.invariants:
            self._invariant(name)
        if self.game.score is not None:
            self.function(self.game.score)
        if (value := worth(self.game)) is not None:
            self.function(value, VALUE)
        for name in self.game.menus:
            for action in self.game.menus[name]:
                self.can(action)
        frames = self._frames()
        lines = []
        for number in sorted(self._blocks):
            lines += [*self._blocks[number], ""]
        text = "\n".join([*self.functions, *lines])
        self.written = len(self.functions)
        table = ", ".join(f"{n}: b{n}" for n in sorted(self._blocks))
        text += f"\nBLOCKS = {{{table}}}\n"
        slots = typed_slots(self.program, self._blocks)
        return Generated(
            text,
            self.spans,
            self.points,
            self._rolls,
            frames,
            self._live(),
            self.askers,
            self.chances,
            main.entry,
            {n: self.program.blocks[n].trail for n in self._blocks},
            self.consts,
            self.vectors,
            component_slots(slots),
            {number: slots[number] for number in self.points},
            {n: rule for n, line in enumerate(text.splitlines(), 1) if (rule := line.partition(CAUSE)[2])},
            self.starts,
        )

    # ------------------------------------------------------------ counting, in a covered engine
    def site(self, kind: str, span: Span, label: str = "") -> int | None:
        return None if self.sites is None else self.sites.number(kind, span, label)

    def asking(self, number: int) -> tuple[int, Var] | None:
        """If the answers that a block goes on with are counted: where, and the variable that has them."""
        return self._askings.get(number)

    def _count_answers(self, term: Terminator, target: int, var: Var) -> None:
        asking = None if self.sites is None else self.sites.asked_by(term)
        if asking is not None:
            self._askings[target] = (asking, var)

    # ------------------------------------------------------------ parts of the module
    def emitter(self, *, block: bool = False) -> Context:
        return Context(self, in_block=block)

    def _frames(self) -> dict[int, tuple[int, tuple[tuple[str | None, int, str | None], ...]]]:
        """For each block that may be returned to: its frame's size and what is open around it."""
        out = {}
        cleanups: dict[int, str | None] = {}
        for number in list(self._blocks):
            block = self.program.blocks[number]
            scopes = []
            for scope in block.scopes:
                if id(scope) not in cleanups:
                    cleanups[id(scope)] = self._cleanup(block.proc, scope.cleanup) if scope.cleanup else None
                exit_block = scope.exit
                if exit_block >= 0 and exit_block not in self._blocks:
                    self._blocks[exit_block] = self.emitter(block=True).blocks.function(
                        self.program.blocks[exit_block]
                    )
                scopes.append((scope.label, exit_block, cleanups[id(scope)]))
            out[number] = (len(self.program.procs[block.proc].slots), tuple(scopes))
        while self._todo:
            number = self._todo.pop()
            self._blocks[number] = self.emitter(block=True).blocks.function(self.program.blocks[number])
        if len(out) < len(self._blocks):
            return self._frames()
        return out

    def _cleanup(self, proc_name: str, instrs: Any) -> str:
        emitter = self.emitter()
        emitter.proc = self.program.procs[proc_name]
        emitter.env = {uid: f"v_{uid}" for uid in emitter.proc.slots}
        emitter.dirty = set()
        for instr in instrs:
            emitter.me = emitter.env.get(instr.me.uid) if instr.me is not None else None
            emitter.stmt(instr.st)
        name = f"k{len(self.functions)}"
        loads = [
            f"    v_{uid} = {emitter.blocks.slot(uid)}"
            for uid in emitter.proc.slots
            if any(f"v_{uid}" in x for x in emitter.lines)
        ]
        self._define(
            name,
            f"def {name}(S):",
            ["    I = S.I; L = S.L; st = S.st; G = S.G", *loads, *(emitter.lines or ["    pass"])],
        )
        return name

    def _live(self) -> dict[int, tuple[int, ...]]:
        out = {}
        for number in self._blocks:
            block = self.program.blocks[number]
            slots = self.program.procs[block.proc].slots
            out[number] = tuple(slots.index(uid) for uid in block.live)
        return out

    def _define(self, name: str, header_line: str, lines: list[str]) -> None:
        self.functions += [header_line, *with_lookups(lines), ""]

    # ------------------------------------------------------------ constants
    def span(self, span: Span) -> int:
        key = (span.source.name, span.start, span.end)
        if key not in self._span_ids:
            self._span_ids[key] = len(self.spans)
            self.spans.append(span)
        return self._span_ids[key]

    def const(self, prefix: str, value: Any) -> str:
        if value not in self._const_names:
            name = f"{prefix}{len(self._const_names)}"
            self._const_names[value] = name
            self.consts[name] = value
        return self._const_names[value]

    def column(self, comp: str, field: str) -> str:
        return self.const(
            f"C_{comp.replace('.', '_')}_{field}_", (*self.layout.comps[comp].columns[field], -1)
        )

    def alike(self, comp: str, cards: str) -> str | None:
        """Which of these copies are identical: the printed row of each, if nothing else tells them apart."""
        copies = copies_of(self.game, self.layout, comp)
        if copies is None:
            return None
        rows = self.const("ALIKE", copies.rows)
        return (
            f"alike_now(I, {cards}, {rows}, {self.const('MARKS', copies.marks)})"
            if any(copies.marks)
            else rows
        )

    def table(self, decl: TableDecl) -> str:
        sizes = [self.layout.size(p.type) for p in decl.params]
        lows = [self.layout.low(p.type) for p in decl.params]
        total = 1
        for size in sizes:
            total *= size
        values = [0] * total
        for key, value in decl.rows:
            index = 0
            for k, size, low in zip(key, sizes, lows, strict=True):
                index = index * size + k - low
            values[index] = value
        return self.const(f"T_{decl.name}_", tuple(values))

    def lines(self, geometry: Geometry) -> tuple[tuple[tuple[int, ...], ...], ...]:
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

    def tabled(self, decl: DefineDecl) -> str | None:
        """The table that stands for a definition, if it can be one."""
        if decl.name not in self._tabled:
            values = tabulate(decl, self.layout) if self.sites is None else None
            self._tabled[decl.name] = self.const(f"T_{decl.name}_", values) if values is not None else None
        return self._tabled[decl.name]

    def remembers(self, decl: DefineDecl) -> bool:
        """Are the values of a definition kept?"""
        if decl.name not in self._remembered:
            self._remembered[decl.name] = (
                self.sites is None
                and self.tabled(decl) is None
                and is_worth_remembering(decl, self.layout)
                and not any(
                    _POSITION.search(line.replace(_HANDED_ON, "(")) for line in self._body(decl)[1][1:]
                )
            )
        return self._remembered[decl.name]

    def memory(self, decl: DefineDecl) -> str | None:
        """The name of the kept values, by the arguments."""
        if not self.remembers(decl):
            return None
        name = f"m_{decl.name}"
        if name not in self._done:
            self._done[name] = name
            args, lines = self._body(decl)
            params = ", ".join(("S", "I", "L", *args))
            self._define(f"of_{name}", f"def of_{name}({params}):", lines[1:])
            self.functions += [f"{name} = Remembered(of_{name}, {len(args)})", ""]
        return name

    # ------------------------------------------------------------ how heavy, how safe
    def weight(self, decl: DefineDecl) -> int:
        if decl.name not in self._weights:
            self._weights[decl.name] = 10**6
            self._weights[decl.name] = self.weight_of(decl.body)
        return self._weights[decl.name]

    def weight_of(self, node: Ex) -> int:
        match node:
            case CallDefine():
                own = 1 + self.weight(node.define)
            case Reduction():
                own = 1 + 2 * len(node.gens)
            case _:
                own = 1
        return own + sum(self.weight_of(part) for part in children(node))

    def may_fail(self, node: Ex) -> bool:
        if fails(node) or (isinstance(node, CallDefine) and self.may_fail(node.define.body)):
            return True
        return any(self.may_fail(part) for part in children(node))

    # ------------------------------------------------------------ functions
    def function(self, decl: DefineDecl, name: str | None = None) -> str:
        name = name or f"d_{decl.name}"
        if name not in self._done:
            self._done[name] = name
            args, lines = self._body(decl)
            self._define(name, f"def {name}({', '.join(('S', 'I', 'L', *args))}):", lines)
        return name

    def _body(self, decl: DefineDecl) -> tuple[list[str], list[str]]:
        """The parameters of a definition and its lines."""
        emitter = self.emitter()
        args = []
        if decl.uses_me:
            emitter.me = "me"
            args.append("me")
        args += [emitter.name_of(p) for p in decl.params]
        emitter.line("G = S.G")
        site = self.site("run", decl.span)
        if site is not None:
            emitter.line(f"HITS[{site}] += 1")
        emitter.line(f"return {emitter.exprs.same_shape(decl.body, decl.type)}")
        return args, emitter.lines

    def can(self, action: str) -> str:
        name = f"can_{action}"
        if name not in self._done:
            self._done[name] = name
            rule = self.game.rules[action]
            emitter = self.emitter()
            emitter.me = "me"
            args = ["S", "I", "L", "me", *(emitter.name_of(p) for p in rule.params)]
            emitter.line("G = S.G")
            emitter.offers.possible(rule.body)
            emitter.line("return False")
            self._define(name, f"def {name}({', '.join(args)}):", emitter.lines)
        return name

    def possible(self, case: Case, outer: Context) -> str:
        """A function for the header of a case that is written in place."""
        used: set[str] = set()
        bound: set[str] = set()
        for st in header(case.body):
            if isinstance(st, Choose):
                _read(st.choice.gens, used, self.game)
                bound |= {g.var.uid for g in st.choice.gens}
            else:
                _read(list(children(st)), used, self.game)
                if isinstance(st, Let):
                    bound.add(st.var.uid)
        free = sorted(u for u in used - bound if u in outer.env)
        name = f"may{len(self._done)}"
        self._done[name] = name
        emitter = self.emitter()
        emitter.me = "me"
        emitter.env = {uid: f"v_{uid}" for uid in free}
        emitter.line("G = S.G")
        emitter.offers.possible(case.body)
        emitter.line("return False")
        params = ", ".join(["S", "I", "L", "me", *(f"v_{uid}" for uid in free)])
        self._define(name, f"def {name}({params}):", emitter.lines)
        return f"{name}({', '.join(['S', 'I', 'L', str(outer.me), *(outer.env[uid] for uid in free)])})"

    def proc(self, name: str) -> Proc:
        return self.program.procs[name]

    def proc_name(self, name: str) -> str:
        python = "r_" + re.sub(r"\W", "_", name)
        if python not in self._done:
            self._done[python] = python
            proc = self.program.procs[name]
            assert proc.plain, name
            emitter = self.emitter()
            emitter.proc, emitter.rule = proc, proc.rule
            emitter.dirty = set()
            args = ["S", "I", "L"]
            if proc.me is not None:
                emitter.me = "me"
                args.append("me")
            args += [emitter.name_of(p) for p in proc.params]
            emitter.line("G = S.G")
            emitter.stmts(proc.body)
            self._define(python, f"def {python}({', '.join(args)}):", emitter.lines)
        return python

    def taker(self, comp: str) -> str | None:
        """A function that takes a component out of where it is, or None if that is one line."""
        if not any(p.form.hidden or p.form.spaces for p in self.game.places.values() if p.of == comp):
            return None
        name = f"take_{comp}"
        if name not in self._done:
            self._done[name] = name
            layout = self.layout.comps[comp]
            lines = [f"    p = I[{layout.where} + c]"]
            for key, place in self.game.places.items():
                if place.of != comp or place.tokens or not (place.form.hidden or place.form.spaces):
                    continue
                base, _, _, stride = self.layout.places[key]
                count = len(self.layout.instances[key])
                last = base + (count - 1) * stride
                lines.append(f"    if {base} <= p <= {last}:" if count > 1 else f"    if p == {base}:")
                if place.form.hidden:
                    lines += ["        take_from_deck(L, p, c)", "        return"]
                    continue
                geometry = self.layout.geometries[key]
                if geometry.grows:
                    first = self.layout.grown[key]
                    lines.append(f"        G[p - {base} + {first}].take(I[{layout.cell} + c])")
                else:
                    cells, (_, width), _ = self.layout.states[f"cells of {key}"]
                    lines.append(f"        I[{cells} + (p - {base}) * {width} + I[{layout.cell} + c]] = -1")
                lines.append(f"        I[{layout.cell} + c] = -1")
                lines.append(f"        I[{layout.turned} + c] = 0")
            lines.append("    L[p].remove(c)")
            self._define(name, f"def {name}(I, L, G, c):", lines)
        return name

    # ------------------------------------------------------------ endings and invariants
    def endings_after(self, written: set[str]) -> list[str]:
        return [
            self.ending(name)
            for name, ending in self.game.endings.items()
            if ending.before is None and touches(written, self._ending_reads[name])
        ]

    def all_endings(self) -> list[str]:
        return [self.ending(name) for name, ending in self.game.endings.items() if ending.before is None]

    def ending(self, name: str) -> str:
        python = f"e_{name}"
        if python not in self._done:
            self._done[python] = python
            ending = self.game.endings[name]
            emitter = self.emitter()
            emitter.dirty = set()
            emitter.line("G = S.G")
            emitter.line("if S.atomic: return")

            body = ending.body if self.sites is None else self.sites.counted(ending.body, ending.span)

            def hit() -> None:
                with emitter.block(f"if {emitter.condition(ending.when)}:"):
                    for st in body:
                        if isinstance(st, Finish) and st.because is None:
                            st = changed(st, because=name)
                        emitter.stmt(st)

            if ending.var is not None and ending.domain is not None:
                emitter.loops.over((Gen(ending.var, ending.domain),), hit)
            else:
                hit()
            self._define(python, f"def {python}(S, I, L):", emitter.lines)
        return python

    def _invariant(self, name: str) -> None:
        emitter = self.emitter()
        emitter.line("G = S.G")
        emitter.line(f"return {emitter.condition(self.game.invariants[name].condition)}")
        self._define(f"i_{name}", f"def i_{name}(S, I, L):", emitter.lines)

    # ------------------------------------------------------------ blocks
    def wanted(self, number: int) -> int:
        if number not in self._blocks:
            self._blocks[number] = []
            self._todo.append(number)
        return number

    def entry_of(self, number: int) -> tuple[Var, str] | None:
        return self._entries.get(number)

    def ways_to(self, number: int) -> int:
        """From how many places of its procedure control comes to a block."""
        if not self._ways:
            for block in self.program.blocks:
                if block.term is not None:
                    for target in targets(block.term):
                        self._ways[target] = self._ways.get(target, 0) + 1
        return self._ways.get(number, 0)

    def block_size(self, number: int) -> int:
        return statements(tuple(instr.st for instr in self.program.blocks[number].code))

    def is_entered(self, number: int) -> bool:
        return number in self._entries

    def point_at(self, number: int, point: DecisionPoint, asked_by: int) -> None:
        """The block `asked_by` asks; `number` goes on with the answer."""
        self.points[number] = point.id
        self.askers[number] = asked_by
        if self.rerun:
            self.wanted(asked_by)

    def starts_at(self, number: int, start: int) -> None:
        """A vector whose cells `number` goes on with is asked as a whole from `start` on."""
        self.starts[number] = start
        if self.rerun:
            self.wanted(start)

    def chance_at(self, number: int, type_: t.Type) -> None:
        self.chances[number] = type_

    def rolls(self, number: int, audience: str | None) -> None:
        """Who sees a roll: a mask, or None when it is worked out at play."""
        self._rolls[number] = audience
