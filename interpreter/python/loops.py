"""The Python back end, part 2: comprehensions as loops.

Conditions are tested as soon as what they read is bound; what does not change in
a loop is worked out in front of it; what several conditions of a loop use is
worked out once. Loops over a few constants are written out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..core import (
    And,
    Attribute,
    CallDefine,
    Conditional,
    Ex,
    Field,
    Gen,
    Local,
    Or,
    Reduction,
    StateRef,
    applies,
    bound_by,
    free_vars,
    operands,
)
from ..core import value_types as t
from ..core.value_types import is_mask
from ..program.passes.inline_conditions import opened, overlap
from ..program.searched_grids import by_kind
from .emitting import writes_value
from .sets import SetEmitter

UNROLL = 8  # as many values of a constant domain are written out


class CompEmitter(SetEmitter):
    def narrowed(self, gen: Gen) -> tuple[str | None, Gen]:
        """A search for the spaces of one kind runs over the list that is kept of them."""
        hit = by_kind(gen)
        if hit is None or hit[0] not in self.layout.indexed:
            return None, gen
        key, kind = hit
        base, value = self.layout.indexed[key], self.known(kind)
        code = f"L[{base + value}]" if value is not None else f"L[{base} + {self.emit(kind)}]"
        return code, Gen(gen.var, gen.domain, gen.where[1:], gen.cells)

    def each(
        self, comp: Reduction, body: Callable[[], None], stop: str | None = None, more: Ex | None = None
    ) -> None:
        """The loops of a comprehension."""
        self.loops(comp.gens, body, stop, more, comp.while_)

    def loops(
        self,
        gens: tuple[Gen, ...],
        body: Callable[[], None],
        stop: str | None = None,
        more: Ex | None = None,
        while_: Ex | None = None,
    ) -> None:
        """Nested loops with their conditions; `stop` names a flag that ends all of them, `more` is
        what the body works out, if that is worth preparing in front of the loop, and a loop is
        over when `while_` does not hold."""
        saved = dict(self.env), dict(self.consts)
        with self.knowing():
            self._loop(gens, body, stop, more, while_)
        self.env, self.consts = saved

    def _loop(
        self,
        gens: tuple[Gen, ...],
        body: Callable[[], None],
        stop: str | None,
        more: Ex | None,
        while_: Ex | None,
    ) -> None:
        gen, *rest = gens
        gen = self.opened(gen)
        iterable, gen = self.narrowed(gen)
        iterable = iterable or self.iterable(gen.domain)
        self.hoist(gen, while_, more)
        name = self.name_of(gen.var)
        length = self.known(gen.domain.args[1]) if applies(gen.domain, "lines") else None
        if length is not None:
            parts = [self.temp("e") for _ in range(length - 1)]
            self.unpacked[gen.var.uid] = parts
            name = ", ".join(parts) + ("," if len(parts) == 1 else "")
            self.env[gen.var.uid] = f"({name})"
        with self.block(f"for {name} in {iterable}:"), self.guarded(gen.where):
            if while_ is not None:
                self.line(f"if {self.negated(while_)}: break")
            if rest:
                self.loops(tuple(rest), body, stop)
                if stop is not None:
                    self.line(f"if {stop}: break")
            else:
                body()

    def opened(self, gen: Gen) -> Gen:
        return opened(gen, self.opens if self.pool.sites is None else lambda _: False)

    def two_sets(self, comp: Reduction) -> tuple[str, Ex, Ex] | None:
        """A test over one set that asks about another, when both are masks: one operation will do."""
        found = overlap(comp)
        if found is None or not all(isinstance(x.type, t.SetOf) and is_mask(x.type.of) for x in found[1:]):
            return None
        return found

    def hoist(self, gen: Gen, *more: Ex | None) -> None:
        """Write in front of a loop what its conditions (and `more`, which is worked out in it too)
        read that does not change in it."""
        for part in (*gen.where, *more):
            self.in_front(part, bound_by(gen))

    def in_front(self, ex: Ex | None, bound: set[str]) -> None:
        """Work out here, once, the parts of an expression that do not depend on what is bound
        between here and there. Whether they will be needed is not known, so they must not fail."""
        if not isinstance(ex, Ex) or ex in self.hoisted or self.known(ex) is not None:
            return
        if worth_hoisting(ex) and not self.pool.may_fail(ex):
            names = free_vars(ex)
            if not names & bound and all(n in self.env or n in self.consts for n in names):
                code = self.condition(ex)
                if code not in self.common:
                    self.common[code] = self.temp("h")
                    self.line(f"{self.common[code]} = {code}")
                self.hoisted[ex] = self.common[code]
                return
        sets = overlap(ex) if isinstance(ex, Reduction) else None
        if isinstance(ex, Reduction) and sets is not None:
            for part in sets[1:]:
                self.in_front(part, bound | bound_by(ex.gens[0]))
        elif not isinstance(ex, Reduction | CallDefine):
            for arg in operands(ex):
                self.in_front(arg, bound)

    @contextmanager
    def guarded(self, where: tuple[Ex, ...]) -> Iterator[None]:
        """Lines that run where all conditions hold. What several conditions read gets a name in
        front of the first one that is certain to read it."""
        depth = self.indent
        counts: dict[Ex, int] = {}
        for condition in where:
            _count_reads(condition, counts)
        with self.knowing():
            for condition in where:
                for ex in certain_reads(condition):
                    if counts.get(ex, 0) > 1 and ex not in self.hoisted and self.known(ex) is None:
                        name, code = self.temp("w"), self.condition(ex)
                        self.line(f"{name} = {code}")
                        self.hoisted[ex] = name
                self.open_if(condition)
            yield
        self.close_to(depth)

    def shares(self, where: tuple[Ex, ...]) -> bool:
        """Do conditions read something twice, so that naming it pays?"""
        counts: dict[Ex, int] = {}
        for condition in where:
            _count_reads(condition, counts)
        return any(
            counts.get(ex, 0) > 1 and ex not in self.hoisted and self.known(ex) is None
            for condition in where
            for ex in certain_reads(condition)
        )

    def open_if(self, condition: Ex) -> None:
        fixed = self.known(condition)
        if fixed == 1:
            return
        self.line(f"if {self.condition(condition)}:")
        self.indent += 1

    def close_to(self, depth: int) -> None:
        if self.lines and self.lines[-1].endswith(":"):
            self.line("pass")
        self.indent = depth

    @writes_value(Reduction)
    def x_comp(self, ex: Reduction) -> str:
        comp: Reduction = ex
        sets = self.two_sets(comp)
        if sets is not None:
            kind, whole, part = sets[0], *(self.emit_mask(x) for x in sets[1:])
            return (
                f"({part} & ~{whole} == 0)"
                if kind == "every"
                else f"({part} & {whole} {'!=' if kind == 'any' else '=='} 0)"
            )
        if comp.kind == "the" and self._all_of(comp) is not None:
            single = comp.gens[0].domain
            if applies(single, "set") and len(single.args) == 1:
                return f"the_one({self.emit(single.args[0])}, {self.pool.span(ex.span)})"
        if comp.kind in ("any", "every", "none", "sum", "count", "set") and len(comp.gens) == 1:
            unrolled = self._unrolled(comp)
            if unrolled is not None:
                return unrolled
        handler: Callable[[Reduction, Ex], str] = getattr(self, f"c_{comp.kind}")
        return handler(comp, ex)

    def _unrolled(self, comp: Reduction) -> str | None:
        (gen,) = comp.gens
        if comp.while_ is not None:
            return None
        if (
            isinstance(gen.domain, Local)
            and gen.domain.var.uid in self.unpacked
            and comp.kind in ("any", "every", "none")
        ):
            return self._spelled_out(comp, gen, self.unpacked[gen.domain.var.uid])
        values = self.elements(gen.domain)
        limit = UNROLL if self.pool.weight_of(comp.value) < 60 else 3
        if values is None or not 0 < len(values) <= limit:
            return None
        if comp.kind == "set" and (not is_mask(comp.value.type) or not isinstance(comp.value, Local)):
            return None
        gen = self.opened(gen)
        name = self.temp("u")
        with self.knowing():
            self._write_out(comp, gen, values, name)
        return name

    def _write_out(self, comp: Reduction, gen: Gen, values: list[int], name: str) -> None:
        saved = dict(self.consts)
        self.forget(gen.var.uid)
        if comp.kind in ("any", "every", "none"):
            hit = "True" if comp.kind == "any" else "False"
            miss = "False" if comp.kind == "any" else "True"
            with self.block("while True:"):
                self.line(f"{name} = {hit}")
                for value in values:
                    self.consts[gen.var.uid] = value
                    with self.guarded(gen.where):
                        code = self.condition(comp.value)
                        self.line(f"if not ({code}): break" if comp.kind == "every" else f"if {code}: break")
                self.line(f"{name} = {miss}")
                self.line("break")
        else:
            self.line(f"{name} = 0")
            for value in values:
                self.consts[gen.var.uid] = value
                with self.guarded(gen.where):
                    if comp.kind == "set":
                        element = self.known(comp.value)
                        self.line(
                            f"{name} |= {1 << element if element is not None else f'1 << {self.emit(comp.value)}'}"
                        )
                    else:
                        self.line(f"{name} += {'1' if comp.kind == 'count' else self.condition(comp.value)}")
        self.consts = saved

    def _spelled_out(self, comp: Reduction, gen: Gen, names: list[str]) -> str | None:
        """A test over a list of known length as one expression."""
        if not self.simple(comp.value) or not all(self.simple(c) for c in gen.where):
            return None
        tests = []
        saved = dict(self.env), self.hoisted
        self.forget(gen.var.uid)
        for name in names:
            self.env[gen.var.uid] = name
            test = self.emit(comp.value)
            for condition in reversed(gen.where):
                test = (
                    f"(not {self.emit(condition)} or {test})"
                    if comp.kind == "every"
                    else f"({self.emit(condition)} and {test})"
                )
            tests.append(test)
        self.env, self.hoisted = saved
        if comp.kind == "every":
            return f"({' and '.join(tests)})"
        joined = f"({' or '.join(tests)})"
        return joined if comp.kind == "any" else f"(not {joined})"

    def _all_of(self, comp: Reduction) -> Ex | None:
        """The domain of a comprehension that gives each of its elements as it is."""
        gen = comp.gens[0]
        if len(comp.gens) > 1 or gen.where or comp.while_ is not None:
            return None
        return gen.domain if isinstance(comp.value, Local) and comp.value.var == gen.var else None

    def c_count(self, comp: Reduction, ex: Ex) -> str:
        whole = self._all_of(comp)
        if (
            whole is not None
            and isinstance(whole.type, t.SetOf)
            and is_mask(whole.type.of)
            and not applies(whole, "range")
        ):
            return f"({self.condition(whole)}).bit_count()"
        if whole is not None and (isinstance(whole, Local) or applies(whole, "items")):
            return f"len({self.iterable(whole)})"
        name = self.temp("n")
        self.line(f"{name} = 0")
        self.each(comp, lambda: self.line(f"{name} += 1"))
        return name

    def c_sum(self, comp: Reduction, ex: Ex) -> str:
        name = self.temp("n")
        self.line(f"{name} = 0")
        self.each(comp, lambda: self.line(f"{name} += {self.condition(comp.value)}"))
        return name

    def _search(self, comp: Reduction, start: str, found: str, negate: bool) -> str:
        name = self.temp("q")
        self.line(f"{name} = {start}")

        def test() -> None:
            code = self.condition(comp.value)
            with self.block(f"if not ({code}):" if negate else f"if {code}:"):
                self.line(f"{name} = {found}")
                self.line("break")

        self.each(
            comp,
            test,
            name if start == "False" else f"not {name}",
            _tested(comp.value) if len(comp.gens) == 1 else None,
        )
        return name

    def c_any(self, comp: Reduction, ex: Ex) -> str:
        return self._search(comp, "False", "True", False)

    def c_none(self, comp: Reduction, ex: Ex) -> str:
        return self._search(comp, "True", "False", False)

    def c_every(self, comp: Reduction, ex: Ex) -> str:
        return self._search(comp, "True", "False", True)

    def _bound(self, comp: Reduction, op: str) -> str:
        name = self.temp("m")
        self.line(f"{name} = None")

        def test() -> None:
            code = self.temp()
            self.line(f"{code} = {self.condition(comp.value)}")
            self.line(f"if {name} is None or {code} {op} {name}: {name} = {code}")

        self.each(comp, test)
        return f"({name} or 0)"

    def c_max(self, comp: Reduction, ex: Ex) -> str:
        return self._bound(comp, ">")

    def c_min(self, comp: Reduction, ex: Ex) -> str:
        return self._bound(comp, "<")

    def _keys(self, comp: Reduction) -> str:
        codes = [self.condition(key) for key in comp.by]
        return codes[0] if len(codes) == 1 else f"({', '.join(codes)},)"

    def _best(self, comp: Reduction, ex: Ex, op: str) -> str:
        assert isinstance(ex.type, t.SetOf)
        name, best = self.temp("s"), self.temp("b")
        mask = is_mask(ex.type.of)
        self.line(f"{name} = {'0' if mask else 'set()'}")
        self.line(f"{best} = None")

        def test() -> None:
            key, value = self.temp(), self.temp()
            self.line(f"{key} = {self._keys(comp)}")
            self.line(f"{value} = {self.condition(comp.value)}")
            one = f"1 << {value}" if mask else f"{{{value}}}"
            self.line(f"if {best} is None or {key} {op} {best}: {best} = {key}; {name} = {one}")
            more = f"{name} |= 1 << {value}" if mask else f"{name}.add({value})"
            self.line(f"elif {key} == {best}: {more}")

        self.each(comp, test)
        return name if mask else f"tuple(sorted({name}))"

    def c_most(self, comp: Reduction, ex: Ex) -> str:
        return self._best(comp, ex, ">")

    def c_least(self, comp: Reduction, ex: Ex) -> str:
        return self._best(comp, ex, "<")

    def c_set(self, comp: Reduction, ex: Ex) -> str:
        assert isinstance(ex.type, t.SetOf)
        name = self.temp("s")
        maybe = isinstance(comp.value.type, t.Opt)
        if is_mask(ex.type.of):
            self.line(f"{name} = 0")

            def add() -> None:
                if maybe:
                    value = self.atom(comp.value)
                    self.line(f"if {value} >= 0: {name} |= 1 << {value}")
                else:
                    self.line(f"{name} |= 1 << {self.emit(comp.value)}")

            self.each(comp, add)
            return name
        gen, value = comp.gens[0], comp.value
        if (
            len(comp.gens) == 1
            and isinstance(value, Local)
            and value.var == gen.var
            and isinstance(gen.domain.type, t.SetOf)
        ):
            self.line(f"{name} = []")  # part of a set is in order already
            self.each(comp, lambda: self.line(f"{name}.append({self.condition(value)})"))
            return f"tuple({name})"
        self.line(f"{name} = set()")
        self.each(comp, lambda: self.line(f"{name}.add({self.condition(comp.value)})"))
        if maybe:
            self.line(f"{name}.discard(-1)")
        return f"tuple(sorted({name}))"

    def c_sort(self, comp: Reduction, ex: Ex) -> str:
        name = self.temp("s")
        self.line(f"{name} = []")
        self.each(
            comp,
            lambda: self.line(
                f"{name}.append(({self._keys(comp) if comp.by else 0}, {self.condition(comp.value)}))"
            ),
        )
        return f"tuple([x[-1] for x in sorted({name}, key=itemgetter(0))])"

    def c_first(self, comp: Reduction, ex: Ex) -> str:
        if comp.by:
            return f"{self.c_sort_list(comp)}"
        name, done = self.temp("f"), self.temp("f")
        self.line(f"{name} = -1")
        self.line(f"{done} = False")

        def take() -> None:
            self.line(f"{name} = {self.condition(comp.value)}")
            self.line(f"{done} = True")
            self.line("break")

        self.each(comp, take, done)
        return name

    def c_sort_list(self, comp: Reduction) -> str:
        name = self.temp("s")
        self.line(f"{name} = []")
        self.each(
            comp, lambda: self.line(f"{name}.append(({self._keys(comp)}, {self.condition(comp.value)}))")
        )
        return f"(min({name}, key=itemgetter(0))[-1] if {name} else -1)"

    def c_last(self, comp: Reduction, ex: Ex) -> str:
        whole = self._all_of(comp)
        if (
            whole is not None
            and isinstance(whole.type, t.ListOf)
            and (isinstance(whole, Local) or applies(whole, "items"))
        ):
            code = self.temp("f")
            self.line(f"{code} = {self.iterable(whole)}")
            return f"({code}[-1] if {code} else -1)"
        name = self.temp("f")
        self.line(f"{name} = -1")
        self.each(comp, lambda: self.line(f"{name} = {self.condition(comp.value)}"))
        return name

    def c_the(self, comp: Reduction, ex: Ex) -> str:
        name, many = self.temp("f"), self.temp("f")
        self.line(f"{name} = -1")
        self.line(f"{many} = 0")

        def take() -> None:
            self.line(f"{name} = {self.condition(comp.value)}")
            self.line(f"{many} += 1")

        self.each(comp, take)
        self.line(f"if {many} != 1: {self.fail('D0909', ex.span, many)}")
        return name


def _tested(value: Ex) -> Ex:
    """What a test of tests asks in each pass: worth a look into the inner one."""
    inner = value if isinstance(value, Reduction) else None
    return inner.value if inner is not None and inner.kind in ("every", "any", "none") else value


def worth_hoisting(ex: Ex) -> bool:
    """Is it worth a name of its own in front of a loop?"""
    match ex:
        case CallDefine() | Conditional() | StateRef() | Field() | Attribute(name="on" | "space"):
            return True
    return applies(ex, "cell", "tally", "line")


def _shared(ex: Ex) -> bool:
    """Is it worth a name of its own where several conditions read it?"""
    match ex:
        case StateRef() | Field() | Attribute(name="on" | "space"):
            return True
    return applies(ex, "neighbour", "cell", "tally", "beyond")


def _count_reads(ex: object, counts: dict[Ex, int]) -> None:
    """How often something is read; the parts of what is read again are not read again."""
    if isinstance(ex, Ex) and not isinstance(ex, Reduction | CallDefine):
        if _shared(ex):
            counts[ex] = counts.get(ex, 0) + 1
            if counts[ex] > 1:
                return
        for arg in operands(ex):
            _count_reads(arg, counts)


def certain_reads(ex: object) -> Iterator[Ex]:
    """The reads in an expression that are made whatever it comes to, inner ones first."""
    if not isinstance(ex, Ex) or isinstance(ex, Reduction | CallDefine):
        return
    first = isinstance(ex, And | Or | Conditional) or applies(ex, "in")
    for arg in operands(ex)[:1] if first else operands(ex):
        yield from certain_reads(arg)
    if _shared(ex):
        yield ex
