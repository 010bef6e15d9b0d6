"""The Python back end: what a comprehension makes of its loops: a number, a test, a set, the best.

Loops over a few constants are written out, so that their table look-ups become constants.
"""

from __future__ import annotations

from collections.abc import Callable

from ..core import (
    Ex,
    Gen,
    Local,
    Reduction,
    applies,
)
from ..core import value_types as t
from ..core.value_types import is_mask
from .part import Part, writes_value

UNROLL = 8  # as many values of a constant domain are written out


class Reductions(Part):
    @writes_value(Reduction)
    def x_comp(self, ex: Reduction) -> str:
        comp: Reduction = ex
        sets = self.c.loops.two_sets(comp)
        if sets is not None:
            kind, whole, part = sets[0], *(self.c.sets.emit_mask(x) for x in sets[1:])
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
        return KINDS[comp.kind](self, comp, ex)

    def _unrolled(self, comp: Reduction) -> str | None:
        (gen,) = comp.gens
        if comp.while_ is not None:
            return None
        if (
            isinstance(gen.domain, Local)
            and gen.domain.var.uid in self.c.unpacked
            and comp.kind in ("any", "every", "none")
        ):
            return self._spelled_out(comp, gen, self.c.unpacked[gen.domain.var.uid])
        values = self.c.sets.elements(gen.domain)
        limit = UNROLL if self.pool.weight_of(comp.value) < 60 else 3
        if values is None or not 0 < len(values) <= limit:
            return None
        if comp.kind == "set" and (not is_mask(comp.value.type) or not isinstance(comp.value, Local)):
            return None
        gen = self.c.loops.opened(gen)
        name = self.temp("u")
        with self.c.knowing():
            self._write_out(comp, gen, values, name)
        return name

    def _write_out(self, comp: Reduction, gen: Gen, values: list[int], name: str) -> None:
        saved = dict(self.c.consts)
        self.c.forget(gen.var.uid)
        if comp.kind in ("any", "every", "none"):
            hit = "True" if comp.kind == "any" else "False"
            miss = "False" if comp.kind == "any" else "True"
            with self.c.block("while True:"):
                self.line(f"{name} = {hit}")
                for value in values:
                    self.c.consts[gen.var.uid] = value
                    with self.c.loops.guarded(gen.where):
                        code = self.condition(comp.value)
                        self.line(f"if not ({code}): break" if comp.kind == "every" else f"if {code}: break")
                self.line(f"{name} = {miss}")
                self.line("break")
        else:
            self.line(f"{name} = 0")
            for value in values:
                self.c.consts[gen.var.uid] = value
                with self.c.loops.guarded(gen.where):
                    if comp.kind == "set":
                        element = self.known(comp.value)
                        self.line(
                            f"{name} |= {1 << element if element is not None else f'1 << {self.emit(comp.value)}'}"
                        )
                    else:
                        self.line(f"{name} += {'1' if comp.kind == 'count' else self.condition(comp.value)}")
        self.c.consts = saved

    def _spelled_out(self, comp: Reduction, gen: Gen, names: list[str]) -> str | None:
        """A test over a list of known length as one expression."""
        if not self.c.knows.simple(comp.value) or not all(self.c.knows.simple(c) for c in gen.where):
            return None
        tests = []
        saved = dict(self.c.env), self.c.hoisted
        self.c.forget(gen.var.uid)
        for name in names:
            self.c.env[gen.var.uid] = name
            test = self.emit(comp.value)
            for condition in reversed(gen.where):
                test = (
                    f"(not {self.emit(condition)} or {test})"
                    if comp.kind == "every"
                    else f"({self.emit(condition)} and {test})"
                )
            tests.append(test)
        self.c.env, self.c.hoisted = saved
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
            return f"len({self.c.sets.iterable(whole)})"
        name = self.temp("n")
        self.line(f"{name} = 0")
        self.c.loops.each(comp, lambda: self.line(f"{name} += 1"))
        return name

    def c_sum(self, comp: Reduction, ex: Ex) -> str:
        name = self.temp("n")
        self.line(f"{name} = 0")
        self.c.loops.each(comp, lambda: self.line(f"{name} += {self.condition(comp.value)}"))
        return name

    def _search(self, comp: Reduction, start: str, found: str, negate: bool) -> str:
        name = self.temp("q")
        self.line(f"{name} = {start}")

        def test() -> None:
            code = self.condition(comp.value)
            with self.c.block(f"if not ({code}):" if negate else f"if {code}:"):
                self.line(f"{name} = {found}")
                self.line("break")

        self.c.loops.each(
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

        self.c.loops.each(comp, test)
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

        self.c.loops.each(comp, test)
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

            self.c.loops.each(comp, add)
            return name
        gen, value = comp.gens[0], comp.value
        if (
            len(comp.gens) == 1
            and isinstance(value, Local)
            and value.var == gen.var
            and isinstance(gen.domain.type, t.SetOf)
        ):
            self.line(f"{name} = []")  # part of a set is in order already
            self.c.loops.each(comp, lambda: self.line(f"{name}.append({self.condition(value)})"))
            return f"tuple({name})"
        self.line(f"{name} = set()")
        self.c.loops.each(comp, lambda: self.line(f"{name}.add({self.condition(comp.value)})"))
        if maybe:
            self.line(f"{name}.discard(-1)")
        return f"tuple(sorted({name}))"

    def c_spread(self, comp: Reduction, ex: Ex) -> str:
        """The list grows while it is gone through."""
        assert isinstance(ex.type, t.SetOf)
        first, *rest = comp.gens
        found, known = self.temp("w"), self.temp("k")
        self.line(f"{found} = list({self.c.sets.iterable(first.domain)})")
        self.line(f"{known} = set({found})")
        saved = dict(self.c.env), dict(self.c.consts)
        self.c.forget(first.var.uid)
        with self.c.block(f"for {self.c.name_of(first.var)} in {found}:"):

            def reach() -> None:
                value = self.atom(comp.value)
                some = f" and {value} != -1" if isinstance(comp.value.type, t.Opt | t.Nothing) else ""
                with self.c.block(f"if {value} not in {known}{some}:"):
                    self.line(f"{known}.add({value})")
                    self.line(f"{found}.append({value})")

            self.c.loops.over(tuple(rest), reach)
        self.c.env, self.c.consts = saved
        if is_mask(ex.type.of):
            name = self.temp("s")
            self.line(f"{name} = sum([1 << member for member in {found}])")
            return name
        return f"tuple(sorted({found}))"

    def c_sort(self, comp: Reduction, ex: Ex) -> str:
        name = self.temp("s")
        self.line(f"{name} = []")
        self.c.loops.each(
            comp,
            lambda: self.line(
                f"{name}.append(({self._keys(comp) if comp.by else 0}, {self.condition(comp.value)}))"
            ),
        )
        return f"tuple([x[-1] for x in sorted({name}, key=itemgetter(0))])"

    def c_first(self, comp: Reduction, ex: Ex) -> str:
        if comp.by:
            return f"{self._least_by(comp)}"
        name, done = self.temp("f"), self.temp("f")
        self.line(f"{name} = -1")
        self.line(f"{done} = False")

        def take() -> None:
            self.line(f"{name} = {self.condition(comp.value)}")
            self.line(f"{done} = True")
            self.line("break")

        self.c.loops.each(comp, take, done)
        return name

    def _least_by(self, comp: Reduction) -> str:
        name = self.temp("s")
        self.line(f"{name} = []")
        self.c.loops.each(
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
            self.line(f"{code} = {self.c.sets.iterable(whole)}")
            return f"({code}[-1] if {code} else -1)"
        name = self.temp("f")
        self.line(f"{name} = -1")
        self.c.loops.each(comp, lambda: self.line(f"{name} = {self.condition(comp.value)}"))
        return name

    def c_the(self, comp: Reduction, ex: Ex) -> str:
        name, many = self.temp("f"), self.temp("f")
        self.line(f"{name} = -1")
        self.line(f"{many} = 0")

        def take() -> None:
            self.line(f"{name} = {self.condition(comp.value)}")
            self.line(f"{many} += 1")

        self.c.loops.each(comp, take)
        self.line(f"if {many} != 1: {self.c.fail('D0909', ex.span, many)}")
        return name


def _tested(value: Ex) -> Ex:
    """What a test of tests asks in each pass: worth a look into the inner one."""
    inner = value if isinstance(value, Reduction) else None
    return inner.value if inner is not None and inner.kind in ("every", "any", "none") else value


KINDS: dict[str, Callable[[Reductions, Reduction, Ex], str]] = {
    "count": Reductions.c_count,
    "sum": Reductions.c_sum,
    "any": Reductions.c_any,
    "none": Reductions.c_none,
    "every": Reductions.c_every,
    "max": Reductions.c_max,
    "min": Reductions.c_min,
    "most": Reductions.c_most,
    "least": Reductions.c_least,
    "set": Reductions.c_set,
    "spread": Reductions.c_spread,
    "sort": Reductions.c_sort,
    "first": Reductions.c_first,
    "last": Reductions.c_last,
    "the": Reductions.c_the,
}
"""Which method writes a comprehension, by what is made of it."""
