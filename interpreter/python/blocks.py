"""The Python back end, part 4: blocks.

One function a block: it loads what it needs from the frame, runs, and returns
the number of the next block, or -1 when it waits. A block that another one
simply runs into is written into it, so that from one decision to the next there
is usually one call. What a frame must keep is stored only where control leaves
the function.
"""

from __future__ import annotations

import re
from typing import Any

from attrs import define

from ..core import Ex, Finish, Gen, Guard, Rows, SeenBy, Var, applies, bound_by, free_vars
from ..core import value_types as t
from ..program.ir import Block, Proc, Program
from ..program.layout import Layout
from ..program.terminators import (
    AskCase,
    AskCell,
    AskValue,
    Back,
    Binding,
    Branch,
    Call,
    ChanceDraw,
    ChanceRoll,
    Finished,
    Jump,
    Switch,
    Unwind,
)
from ..program.vector_bounds import depend
from .depth import LONGEST_STACK
from .emitting import writes_end, writes_lines
from .geometry import with_lookups
from .possible import OfferEmitter

MERGE_LIMIT = 30  # blocks in one function
COPY_LIMIT = 5  # of them, blocks that other functions have too
COPY_SIZE = 10  # statements in such a block
_LOADED = re.compile(r"\bv_\w+")


@define
class Path:
    """What is true at one point of a function: names, which of them the frame does not have yet."""

    env: dict[str, str]
    dirty: set[str]
    trail: tuple[int, ...]


class BlockEmitter(OfferEmitter):
    program: Program
    proc: Proc
    in_block = False

    def __init__(self, layout: Layout, pool: Any) -> None:
        super().__init__(layout, pool)
        self.prepared: dict[str, str] = {}  # domains of later binders, worked out in advance
        self.dirty: set[str] = set()
        self.merged = 0
        self.copied = 0

    def function(self, block: Block) -> list[str]:
        self.proc = self.program.procs[block.proc]
        self.merged = 0
        self.copied = 0
        self.dirty = set()
        self.env = {uid: _identifier(uid) for uid in block.live}
        self.loaded = dict(self.env)
        entry = self.pool.entry_of(block.id)
        self.run(block, entry, ())
        head = [f"def b{block.id}(S, v):", "    I = S.I; L = S.L; st = S.st"]
        if any("G[" in line or ", G," in line for line in self.lines):
            head.append("    G = S.G")
        return with_lookups(head + self._with_loads())

    def _with_loads(self) -> list[str]:
        """The lines, and in front of the first statement that needs a slot of the frame, its load:
        a way that leaves early does not pay for what only the others need."""
        first: dict[str, int] = {}
        start = 0
        for number, line in enumerate(self.lines):
            if line[4] != " " and not line.startswith(("    else:", "    elif ")):
                start = number
            for name in _LOADED.findall(line):
                first.setdefault(name, start)
        loads: dict[int, list[str]] = {}
        for uid, name in self.loaded.items():
            if name in first:
                loads.setdefault(first[name], []).append(f"    {name} = {self.slot(uid)}")
        return [text for number, line in enumerate(self.lines) for text in (*loads.get(number, ()), line)]

    def slot(self, uid: str) -> str:
        return f"st[-{len(self.proc.slots) - self.proc.slots.index(uid)}]"

    # ------------------------------------------------------------ the way through
    def run(self, block: Block, entry: tuple[Var, str] | None, trail: tuple[int, ...]) -> None:
        self.merged += 1
        if entry is not None:
            var, source = entry
            self.bind(var, source)
        self.count_answer(block)
        for instr in block.code:
            self.me = self.env.get(instr.me.uid) if instr.me is not None else None
            self.stmt(instr.st)
        term = block.term
        assert term is not None, f"block {block.id} of {block.proc} has no end"
        self.me = self.env.get(term.me.uid) if term.me is not None else None
        writes_end[term](self, term, (*trail, block.id))

    def count_answer(self, block: Block) -> None:
        """In a covered engine, take note of what was chosen or came up."""
        asked = self.pool.asking(block.id)
        if asked is not None:
            number, var = asked
            self.line(f"TAKEN[{number}][{self.env[var.uid]}] += 1")

    def stored(self, var: Var, name: str) -> None:
        self.dirty.add(var.uid)

    @writes_lines(Finish)
    def s_finish(self, st: Finish) -> None:
        """In a block the end can be returned; only inside loops of statements it has to be raised."""
        if not self.in_block:
            super().s_finish(st)
            return
        winners = self.set_value(st.winners, t.PLAYER)
        self.line(f"return S.finished({winners}, {st.because!r})")

    def go(self, target: int, trail: tuple[int, ...]) -> None:
        """Run into a block of the same procedure, or leave for it."""
        if not self.pool.is_entered(target) and self.merges(target, trail):
            self.run(self.program.blocks[target], None, trail)
            return
        self.leave(target)
        self.line(f"return {self.pool.wanted(target)}")

    def merges(self, target: int, trail: tuple[int, ...]) -> bool:
        """A block that is reached from here only is always written in place; one that is reached
        from elsewhere too is copied if it is small, and only a few times."""
        if target in trail or self.merged >= MERGE_LIMIT:
            return False
        if self.pool.ways_to(target) <= 1:
            return True
        self.copied += 1
        return self.copied <= COPY_LIMIT and self.pool.block_size(target) <= COPY_SIZE

    def leave(self, target: int) -> None:
        """Store in the frame what the target needs and the frame does not have."""
        for uid in self.program.blocks[target].live:
            if uid in self.dirty:
                self.line(f"{self.slot(uid)} = {self.env[uid]}")

    def fork_path(self) -> tuple[dict[str, str], set[str], dict[Ex, str], str | None]:
        return dict(self.env), set(self.dirty), dict(self.hoisted), self.me

    def restore(self, saved: tuple[dict[str, str], set[str], dict[Ex, str], str | None]) -> None:
        self.env, self.dirty, self.hoisted = dict(saved[0]), set(saved[1]), dict(saved[2])
        self.me = saved[3]

    @writes_end(Jump)
    def t_jump(self, term: Jump, trail: tuple[int, ...]) -> None:
        self.go(term.target, trail)

    @writes_end(Branch)
    def t_branch(self, term: Branch, trail: tuple[int, ...]) -> None:
        fixed = self.known(term.condition)
        if fixed is not None:
            self.go(term.then if fixed else term.otherwise, trail)
            return
        code = self.condition(term.condition)
        saved = self.fork_path()
        with self.block(f"if {code}:"):
            self.go(term.then, trail)
        self.restore(saved)
        self.go(term.otherwise, trail)

    @writes_end(Switch)
    def t_switch(self, term: Switch, trail: tuple[int, ...]) -> None:
        which = self.atom(term.which)
        saved = self.fork_path()
        for number, target in enumerate(term.cases):
            with self.block(f"if {which} == {number}:"):
                self.go(target, trail)
            self.restore(saved)
        self.go(term.otherwise, trail)

    @writes_end(Call)
    def t_call(self, term: Call, trail: tuple[int, ...]) -> None:
        callee = self.program.procs[term.proc]
        values = {}
        for param, arg in zip(callee.params, term.args, strict=True):
            if param.uid in callee.slots:
                values[param.uid] = (
                    self.condition(arg)
                    if isinstance(arg.type, t.Place)
                    else self._same_shape(arg, param.type)
                )
        if callee.me is not None:
            values[callee.me.uid] = self.me or "-1"
        self.leave(term.after)
        frame = [str(self.pool.wanted(term.after)), *(values.get(uid, "0") for uid in callee.slots)]
        self.line(f"st += ({', '.join(frame)},)")
        self.line(f"if len(st) > {LONGEST_STACK}: too_deep(S, {self.pool.wanted(callee.entry)})")
        self.line(f"return {self.pool.wanted(callee.entry)}")

    @writes_end(Back)
    def t_return(self, term: Back, trail: tuple[int, ...]) -> None:
        if term.value is not None:
            self.line(f"S.rv = {self._same_shape(term.value, term.value.type)}")
        size = len(self.proc.slots)
        if size:
            self.line(f"del st[-{size}:]")
        self.line("return st.pop()")

    @writes_end(Finished)
    def t_end(self, term: Finished, trail: tuple[int, ...]) -> None:
        """`finish` has already left."""

    @writes_end(Unwind)
    def t_stop(self, term: Unwind, trail: tuple[int, ...]) -> None:
        self.line(f"return S.unwind({len(self.proc.slots)}, {term.label!r})")

    # ------------------------------------------------------------ waiting
    def wait(self, target: int, options: str, who: str) -> None:
        self.leave(target)
        asked = self.pool.asking(target)
        if asked is not None:
            self.line(f"OFFERED[{asked[0]}].update({options})")
        self.line(f"S.pc = {self.pool.wanted(target)}; S.options = {options}; S.player = {who}")
        self.line("return -1")

    def without_options(self, term: AskValue, options: str, trail: tuple[int, ...]) -> None:
        """What happens when there is nothing to choose from."""
        saved = self.fork_path()
        with self.block(f"if not {options}:"):
            self._nothing_to_choose(term, trail)
        self.restore(saved)

    def _nothing_to_choose(self, term: AskValue | AskCell, trail: tuple[int, ...]) -> None:
        """Go where `else` says, if there is one."""
        if term.orelse is not None:
            self.go(term.orelse, trail)
        else:
            self.line(self.fail("D0908", term.span))

    @writes_end(AskValue)
    def t_choose(self, term: AskValue, trail: tuple[int, ...]) -> None:
        self.pool.point_at(term.after, term.point, trail[-1])
        options = self.options_of(term.binding)
        self.without_options(term, options, trail)
        assert self.me is not None
        self.wait(term.after, options, self.me)

    def options_of(self, binding: Binding) -> str:
        """The name of a list with the values that the binder may take."""
        gen = self.opened(binding.gen)
        name = self.temp("o")
        saved = dict(self.env), dict(self.consts)
        alike = self.alike(gen.domain)
        if alike is not None and not alike.isidentifier():
            alike, code = self.temp("a"), alike
            self.line(f"{alike} = {code}")
        iterable, gen = self.narrowed(gen)
        iterable = iterable or self.iterable(gen.domain)
        with self.knowing():
            self.hoist(gen)
            self.prepare(gen, binding.rest)
            self._list_options(name, iterable, binding, gen, alike)
        self.env, self.consts, self.prepared = *saved, {}
        return name

    def _list_options(self, name: str, iterable: str, binding: Binding, gen: Gen, alike: str | None) -> None:
        """Lines that fill the list `name`."""
        var = self.name_of(gen.var)
        if not binding.rest and not binding.distinct and alike is None:
            if all(self.simple(c) for c in gen.where) and not self.shares(gen.where):
                tests = [self.emit(c) for c in gen.where if self.known(c) != 1]
                tail = f" if {' and '.join(tests)}" if tests else ""
                self.line(
                    f"{name} = [{var} for {var} in {iterable}{tail}]"
                    if tail
                    else f"{name} = list({iterable})"
                )
                return
        self.line(f"{name} = []")
        known = None
        if binding.distinct or alike is not None:
            known = self.temp("k")
            self.line(f"{known} = set()")
        with self.block(f"for {var} in {iterable}:"), self.guarded(gen.where):
            if known is not None:
                keys = [self.condition(e) for e in binding.distinct]
                if alike is not None and not binding.distinct:
                    keys.append(f"{alike}[{var}]")
                if keys:
                    key = self.temp("k")
                    self.line(f"{key} = ({', '.join(keys)},)")
                    self.line(f"if {key} in {known}: continue")
            if binding.rest:
                self.completable(
                    binding.rest,
                    f"{name}.append({var})",
                    f"{known}.add({key})" if known is not None and keys else None,
                )
            else:
                if known is not None and keys:
                    self.line(f"{known}.add({key})")
                self.line(f"{name}.append({var})")

    def prepare(self, gen: Gen, rest: tuple[Gen, ...]) -> None:
        """What the search for the remaining binders needs again and again is worked out once: what
        depends on none of the binders up to there."""
        bound = bound_by(gen)
        for other in map(self.opened, rest):
            if not (
                other.cells
                or (isinstance(other.domain, Rows) or applies(other.domain, "items"))
                or free_vars(other.domain) & bound
            ):
                if not self.pool.may_fail(other.domain):
                    code = self.iterable(other.domain)
                    if not code.isidentifier():
                        name = self.temp("r")
                        self.line(f"{name} = {code}")
                        code = name
                    self.prepared[other.var.uid] = code
            bound = bound | bound_by(other)
            for condition in other.where:
                self.in_front(condition, bound)

    def _rest_possible(self, rest: tuple[Gen, ...]) -> str:
        """The name of a flag that tells whether some binders can be bound."""
        flag = self.temp("z")
        self.line(f"{flag} = False")
        saved = dict(self.env), dict(self.consts)
        with self.knowing():
            self._search_rest(rest, flag)
        self.env, self.consts = saved
        return flag

    def completable(self, rest: tuple[Gen, ...], found: str, more: str | None) -> None:
        """Run `found` once if the remaining binders can be bound."""
        flag = self.temp("z")
        self.line(f"{flag} = False")
        self._search_rest(rest, flag)
        with self.block(f"if {flag}:"):
            self.line(found)
            if more:
                self.line(more)

    def _search_rest(self, rest: tuple[Gen, ...], flag: str) -> None:
        gen, *others = rest
        if gen.cells:
            dependent = depend(tuple(others), gen.var.uid)
            fits = self.fits(gen, tuple(others)) if dependent else None
            with self.block(f"if {self.vector_possible(gen, fits)}:"):
                if others and not dependent:
                    self._search_rest(tuple(others), flag)
                else:  # what depends on the vector has been tried with it
                    self.line(f"{flag} = True")
            return
        iterable, gen = self.narrowed(self.opened(gen))
        iterable = iterable or self.prepared.get(gen.var.uid) or self.iterable(gen.domain)
        with self.knowing():
            self.hoist(gen)
            var = self.name_of(gen.var)
            with self.block(f"for {var} in {iterable}:"), self.guarded(gen.where):
                if others:
                    self._search_rest(tuple(others), flag)
                    self.line(f"if {flag}: break")
                else:
                    self.line(f"{flag} = True")
                    self.line("break")

    def alike(self, domain: Ex) -> str | None:
        """A table that tells copies apart, when the domain is an unordered place of components:
        identical ones are offered once."""
        if not applies(domain, "items"):
            return None
        place = domain.args[0]
        if not place.place_type.form.heap:
            return None
        table: str | None = self.pool.alike(place.place_type.of, self.contents(place))
        return table

    @writes_end(AskCase)
    def t_offer(self, term: AskCase, trail: tuple[int, ...]) -> None:
        self.pool.point_at(term.chosen, term.point, trail[-1])
        cases, decline = term.cases, term.decline
        name = self.temp("o")
        if not any(self.header_of(case) for case in cases):
            self.line(f"{name} = {list(range(len(cases) + int(decline)))}")
        else:
            self.line(f"{name} = []")
            self.possible_cases(cases, name)
            saved = self.fork_path()
            if decline and not term.always:
                with self.block(f"if not {name}:"):
                    self.go(term.otherwise, trail)
                self.restore(saved)
            elif not decline:
                with self.block(f"if not {name}:"):
                    if term.has_else:
                        self.go(term.otherwise, trail)
                    else:
                        self.line(self.fail("D0908", term.span))
                self.restore(saved)
            if decline:
                self.line(f"{name}.append({len(cases)})")
        assert self.me is not None
        self.wait(term.chosen, name, self.me)

    @writes_end(AskCell)
    def t_vector(self, term: AskCell, trail: tuple[int, ...]) -> None:
        binding, chosen = term.binding, term.chosen
        self.pool.point_at(chosen, term.point, trail[-1])
        slots = self.proc.slots
        self.pool.vectors[chosen] = (
            slots.index(term.cells.var.uid) - len(slots),
            slots.index(term.filled.var.uid) - len(slots),
        )
        done, todo = self.emit(term.filled), self.emit(term.cells)
        dependent = depend(binding.rest, binding.gen.var.uid)
        assert self.me is not None
        saved = self.fork_path()
        with self.block(f"if len({done}) < len({todo}[0]):"):
            options = self.vector_options(binding, todo, done)
            if binding.rest and not dependent:  # asked once: it does not depend on the cells
                with self.block(f"if not {done}:"):
                    self.line(f"if not {self._rest_possible(binding.rest)}: {options} = ()")
            with self.block(f"if not {options}:"):
                self._nothing_to_choose(term, trail)
            self.restore(saved)
            self.wait(chosen, options, self.me)
        self.restore(saved)
        with self.block(f"if not {todo}[0]:"):  # nothing to ask, but is it allowed as it is?
            fits = self.fits(binding.gen, binding.rest) if dependent else None
            test = f"{self.witness_of(binding.gen, todo, fits)} is None"
            if binding.rest and not dependent:
                test += f" or not {self._rest_possible(binding.rest)}"
            with self.block(f"if {test}:"):
                self._nothing_to_choose(term, trail)
            self.restore(saved)
        self.go(term.after, trail)

    @writes_end(ChanceDraw)
    def t_draw(self, term: ChanceDraw, trail: tuple[int, ...]) -> None:
        source = term.source
        name = source.place_type.of
        place = self.atom(source)
        if name in self.game.tokens:
            kinds = len(self.game.kinds[name].values)
            listed, direct = f"token_outcomes(I, {place}, {kinds})", f"token_draw(S.rng, I, {place}, {kinds})"
        elif term.how == "peek":
            listed = f"below_known_top(L, {place})"
            direct = f"S.rng.settle(*{listed})"
        elif term.how == "random":
            cards = self.contents(source)
            if not (source.place_type.form.heap or source.place_type.form.single):
                cards = f"sorted({cards})"
            listed, direct = f"some_outcomes({cards})", f"some_draw(S.rng, {cards})"
        elif source.place_type.form.hidden:
            listed, direct = f"deck_outcomes(L, {place})", f"deck_draw(S.rng, L, {place})"
        else:
            listed, direct = f"((L[{place}][-1],), (1,))", f"L[{place}][-1]"
        self.pool.chance_at(term.after, t.Kind(name) if name in self.game.tokens else t.Comp(name))
        self.chance(term, trail, listed, direct)

    def chance(
        self, term: ChanceDraw | ChanceRoll, trail: tuple[int, ...], outcomes: str, direct: str
    ) -> None:
        """Wait for chance; where the engine settles it itself, there is no need to list the outcomes
        or to stop."""
        target = term.after
        if not self.pool.watched:
            saved = self.fork_path()
            with self.block("if S.auto:"):
                if self.merges(target, trail):
                    self.bind(term.binds, direct)
                    self.run(self.program.blocks[target], None, trail)
                else:
                    self.leave(target)
                    self.line(f"S.rv = {direct}")
                    self.line(f"return {self.pool.wanted(target)}")
            self.restore(saved)
        self.leave(target)
        self.line(f"S.options, S.weights = {outcomes}")
        self.line(f"S.pc = {self.pool.wanted(target)}; S.player = -1")
        self.line("return -1")

    @writes_end(ChanceRoll)
    def t_roll(self, term: ChanceRoll, trail: tuple[int, ...]) -> None:
        domain, weight, target = term.domain, term.weight, term.after
        outcomes = self.temp("o")
        self.line(f"{outcomes} = list({self.iterable(domain)})")
        if not self.elements(domain):
            self.line(f"if not {outcomes}: {self.fail('D0908', term.span, repr('there is nothing to roll'))}")
        self.pool.chance_at(target, term.binds.type)
        depends = isinstance(term.audience, SeenBy)
        self.pool.rolls(target, None if depends else self.audience(term.audience))
        if depends and self.pool.watched:
            self.line(f"S.rv = {self.audience(term.audience)}")
        if weight is None:
            self.chance(term, trail, f"{outcomes}, (1,) * len({outcomes})", f"one_of(S.rng, {outcomes})")
            return
        weights = self.temp("w")
        self.line(f"{weights} = []")
        name = self.name_of(term.binds)
        with self.block(f"for {name} in {outcomes}:"):
            self.line(f"{weights}.append({self.condition(weight)})")
        self.line(f"if min({weights}) < 0 or not any({weights}): {self.fail('D0913', weight.span)}")
        self.chance(term, trail, f"{outcomes}, {weights}", f"S.rng.settle({outcomes}, {weights})")


def _identifier(uid: str) -> str:
    return f"v_{uid}"


__all__ = ["BlockEmitter", "Guard", "Path"]
