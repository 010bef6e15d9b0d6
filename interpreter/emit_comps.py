"""The Python back end, part 2: comprehensions as loops.

Conditions are tested as soon as what they read is bound; what does not change in
a loop is worked out in front of it; what several conditions of a loop use is
worked out once. Loops over a few constants are written out.
"""

from __future__ import annotations

from collections.abc import Callable

from . import types as t
from .core import Comp, Ex, Gen, free_vars
from .emit_sets import SetEmitter
from .opening import bound_in, opened, overlap
from .reads import by_kind
from .types import is_mask

WORTH_HOISTING = frozenset(("cell", "tally", "call", "if", "state", "field", "line", "on", "comp_space"))
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

    def loops(
        self, gens: tuple[Gen, ...], body: Callable[[], None], stop: str | None = None, more: Ex | None = None
    ) -> None:
        """Nested loops with their conditions; `stop` names a flag that ends all of them, `more` is
        what the body works out, if that is worth preparing in front of the loop."""
        gen, *rest = gens
        gen = self.opened(gen)
        saved = dict(self.consts)
        iterable, gen = self.narrowed(gen)
        iterable = iterable or self.iterable(gen.domain)
        hoisted = self.hoist(gen)
        if more is not None:
            self.hoist_value(gen, more)
        name = self.name_of(gen.var)
        length = self.known(gen.domain.args[1]) if gen.domain.op == "lines" else None
        if length is not None:
            parts = [self.temp("e") for _ in range(length - 1)]
            self.unpacked[gen.var.uid] = parts
            name = ", ".join(parts) + ("," if len(parts) == 1 else "")
            self.env[gen.var.uid] = f"({name})"
        with self.block(f"for {name} in {iterable}:"):
            depth = self.indent
            for condition in gen.where:
                self.open_if(condition)
            if rest:
                self.loops(tuple(rest), body, stop)
                if stop is not None:
                    self.line(f"if {stop}: break")
            else:
                body()
            self.close_to(depth)
        self.hoisted = hoisted
        self.consts = saved

    def opened(self, gen: Gen) -> Gen:
        return opened(gen, self.inlines if self.pool.sites is None else lambda _: False)

    def two_sets(self, comp: Comp) -> tuple[str, Ex, Ex] | None:
        """A test over one set that asks about another, when both are masks: one operation will do."""
        found = overlap(comp)
        if found is None or not all(isinstance(x.type, t.SetOf) and is_mask(x.type.of) for x in found[1:]):
            return None
        return found

    def hoist_value(self, gen: Gen, value: Ex) -> None:
        found: dict[Ex, str] = {}
        inner = (
            value.data.value if value.op == "comp" and value.data.kind in ("every", "any", "none") else value
        )
        self._hoistable(inner, gen.var.uid, found)
        self.hoisted = {**self.hoisted, **found}

    def hoist(self, gen: Gen) -> dict[Ex, str]:
        """Reads in the conditions of a loop that do not change in it are made once, in front."""
        saved = self.hoisted
        found: dict[Ex, str] = {}
        for condition in gen.where:
            self._hoistable(condition, gen.var.uid, found)
        self.hoisted = {**saved, **found}
        self.share(gen)
        return saved

    def share(self, gen: Gen) -> None:
        """A value that the conditions use more than once is named where it is first worked out,
        provided that it is certainly worked out there before it is used again."""
        counts: dict[Ex, int] = {}
        for condition in gen.where:
            _count_uses(condition, counts)
        first: set[Ex] = set()
        lazy: set[Ex] = set()
        for condition in gen.where:
            _first_uses(condition, first, lazy, strict=True)
        for ex, count in counts.items():
            if count > 1 and ex in first and ex not in self.hoisted and gen.var.uid in free_vars(ex):
                if self.known(ex) is None and self.simple(ex):
                    self.shared[ex] = self.temp("w")

    def _hoistable(self, ex: Ex, uid: str, found: dict[Ex, str], inner: frozenset[str] = frozenset()) -> None:
        """`inner` are the names bound between the loop and this part of its condition."""
        if not isinstance(ex, Ex) or ex in found or ex in self.hoisted or self.known(ex) is not None:
            return
        if ex.op in WORTH_HOISTING and not self.pool.may_fail(ex):
            names = free_vars(ex)
            if (
                uid not in names
                and not names & inner
                and all(n in self.env or n in self.consts for n in names)
            ):
                code = self.condition(ex)
                if code not in self.common:
                    self.common[code] = self.temp("h")
                    self.line(f"{self.common[code]} = {code}")
                found[ex] = self.common[code]
                return
        sets = overlap(ex.data) if ex.op == "comp" else None
        if sets is not None:
            for part in sets[1:]:
                self._hoistable(part, uid, found, inner | bound_in(ex.data))
        elif ex.op not in ("comp", "call"):
            for arg in ex.args:
                self._hoistable(arg, uid, found, inner)

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

    def x_comp(self, ex: Ex) -> str:
        comp: Comp = ex.data
        if comp.while_ is not None:
            return self._prefix(comp, ex)
        sets = self.two_sets(comp)
        if sets is not None:
            kind, whole, part = sets[0], *(self.emit_mask(x) for x in sets[1:])
            return (
                f"({part} & ~{whole} == 0)"
                if kind == "every"
                else f"({part} & {whole} {'!=' if kind == 'any' else '=='} 0)"
            )
        if comp.kind == "the" and len(comp.gens) == 1 and not comp.gens[0].where:
            single = comp.gens[0].domain
            if (
                single.op == "set"
                and len(single.args) == 1
                and comp.value.op == "local"
                and comp.value.data == comp.gens[0].var
            ):
                return f"the_one({self.emit(single.args[0])}, {self.pool.span(ex.span)})"
        if comp.kind in ("any", "every", "none", "sum", "count", "set") and len(comp.gens) == 1:
            unrolled = self._unrolled(comp)
            if unrolled is not None:
                return unrolled
        handler: Callable[[Comp, Ex], str] = getattr(self, f"c_{comp.kind}")
        return handler(comp, ex)

    def _unrolled(self, comp: Comp) -> str | None:
        (gen,) = comp.gens
        if (
            gen.domain.op == "local"
            and gen.domain.data.uid in self.unpacked
            and comp.kind in ("any", "every", "none")
        ):
            return self._spelled_out(comp, gen, self.unpacked[gen.domain.data.uid])
        values = self.elements(gen.domain)
        limit = UNROLL if self.pool.weight_of(comp.value) < 60 else 3
        if values is None or not 0 < len(values) <= limit:
            return None
        if comp.kind == "set" and (not is_mask(comp.value.type) or comp.value.op != "local"):
            return None
        gen = self.opened(gen)
        name = self.temp("u")
        saved_env, saved = dict(self.env), dict(self.consts)
        if comp.kind in ("any", "every", "none"):
            hit = "True" if comp.kind == "any" else "False"
            miss = "False" if comp.kind == "any" else "True"
            with self.block("while True:"):
                self.line(f"{name} = {hit}")
                for value in values:
                    self.consts[gen.var.uid] = value
                    depth = self.indent
                    for condition in gen.where:
                        self.open_if(condition)
                    code = self.condition(comp.value)
                    self.line(f"if not ({code}): break" if comp.kind == "every" else f"if {code}: break")
                    self.indent = depth
                self.line(f"{name} = {miss}")
                self.line("break")
        else:
            self.line(f"{name} = 0")
            for value in values:
                self.consts[gen.var.uid] = value
                depth = self.indent
                for condition in gen.where:
                    self.open_if(condition)
                if comp.kind == "set":
                    element = self.known(comp.value)
                    self.line(
                        f"{name} |= {1 << element if element is not None else f'1 << {self.emit(comp.value)}'}"
                    )
                else:
                    self.line(f"{name} += {'1' if comp.kind == 'count' else self.condition(comp.value)}")
                self.indent = depth
        self.env, self.consts = saved_env, saved
        return name

    def _spelled_out(self, comp: Comp, gen: Gen, names: list[str]) -> str | None:
        """A test over a list of known length as one expression."""
        if not self.simple(comp.value) or not all(self.simple(c) for c in gen.where):
            return None
        tests = []
        saved = dict(self.env)
        for name in names:
            self.env[gen.var.uid] = name
            test = self.emit(comp.value)
            for condition in gen.where:
                test = (
                    f"(not {self.emit(condition)} or {test})"
                    if comp.kind == "every"
                    else f"({self.emit(condition)} and {test})"
                )
            tests.append(test)
        self.env = saved
        if comp.kind == "every":
            return f"({' and '.join(tests)})"
        joined = f"({' or '.join(tests)})"
        return joined if comp.kind == "any" else f"(not {joined})"

    def _prefix(self, comp: Comp, ex: Ex) -> str:
        """A comprehension with `while`: runs as long as the condition holds."""
        (gen,) = comp.gens
        assert comp.while_ is not None
        name = self.temp("p")
        element = ex.type.of if isinstance(ex.type, t.SetOf | t.ListOf) else comp.value.type
        mask = isinstance(ex.type, t.SetOf) and is_mask(element)
        start = {
            "count": "0",
            "sum": "0",
            "any": "False",
            "every": "True",
            "none": "True",
            "first": "-1",
            "last": "-1",
        }
        self.line(f"{name} = {'0' if mask else start.get(comp.kind, '[]')}")
        iterable = self.iterable(gen.domain)
        guard = Gen(gen.var, gen.domain, (*gen.where, comp.while_))
        saved = self.hoist(guard)
        var = self.name_of(gen.var)
        with self.block(f"for {var} in {iterable}:"):
            depth = self.indent
            for condition in gen.where:
                self.open_if(condition)
            self.line(f"if {self.negated(comp.while_)}: break")
            match comp.kind:
                case "count":
                    self.line(f"{name} += 1")
                case "sum":
                    self.line(f"{name} += {self.condition(comp.value)}")
                case "any" | "none" | "every":
                    test = self.emit(comp.value)
                    self.line(
                        f"if {'not ' if comp.kind == 'every' else ''}{test}: {name} = {comp.kind == 'any'}; break"
                    )
                case "first":
                    self.line(f"{name} = {self.condition(comp.value)}")
                    self.line("break")
                case "last":
                    self.line(f"{name} = {self.condition(comp.value)}")
                case _ if mask:
                    self.line(f"{name} |= 1 << {self.emit(comp.value)}")
                case _:
                    self.line(f"{name}.append({self.condition(comp.value)})")
            self.close_to(depth)
        self.hoisted = saved
        if comp.kind in ("set", "most", "least") and not mask:
            return f"tuple(sorted(set({name})))"
        return f"tuple({name})" if comp.kind == "sort" else name

    def _all_of(self, comp: Comp) -> Ex | None:
        """The domain of a comprehension that gives each of its elements as it is."""
        gen = comp.gens[0]
        whole = (
            len(comp.gens) == 1 and not gen.where and comp.value.op == "local" and comp.value.data == gen.var
        )
        return gen.domain if whole else None

    def c_count(self, comp: Comp, ex: Ex) -> str:
        whole = self._all_of(comp)
        if (
            whole is not None
            and isinstance(whole.type, t.SetOf)
            and is_mask(whole.type.of)
            and whole.op != "range"
        ):
            return f"({self.condition(whole)}).bit_count()"
        if whole is not None and whole.op in ("local", "items"):
            return f"len({self.iterable(whole)})"
        name = self.temp("n")
        self.line(f"{name} = 0")
        self.loops(comp.gens, lambda: self.line(f"{name} += 1"))
        return name

    def c_sum(self, comp: Comp, ex: Ex) -> str:
        name = self.temp("n")
        self.line(f"{name} = 0")
        self.loops(comp.gens, lambda: self.line(f"{name} += {self.condition(comp.value)}"))
        return name

    def _search(self, comp: Comp, start: str, found: str, negate: bool) -> str:
        name = self.temp("q")
        self.line(f"{name} = {start}")

        def test() -> None:
            code = self.condition(comp.value)
            with self.block(f"if not ({code}):" if negate else f"if {code}:"):
                self.line(f"{name} = {found}")
                self.line("break")

        self.loops(
            comp.gens,
            test,
            name if start == "False" else f"not {name}",
            comp.value if len(comp.gens) == 1 else None,
        )
        return name

    def c_any(self, comp: Comp, ex: Ex) -> str:
        return self._search(comp, "False", "True", False)

    def c_none(self, comp: Comp, ex: Ex) -> str:
        return self._search(comp, "True", "False", False)

    def c_every(self, comp: Comp, ex: Ex) -> str:
        return self._search(comp, "True", "False", True)

    def _bound(self, comp: Comp, op: str) -> str:
        name = self.temp("m")
        self.line(f"{name} = None")

        def test() -> None:
            code = self.temp()
            self.line(f"{code} = {self.condition(comp.value)}")
            self.line(f"if {name} is None or {code} {op} {name}: {name} = {code}")

        self.loops(comp.gens, test)
        return f"({name} or 0)"

    def c_max(self, comp: Comp, ex: Ex) -> str:
        return self._bound(comp, ">")

    def c_min(self, comp: Comp, ex: Ex) -> str:
        return self._bound(comp, "<")

    def _keys(self, comp: Comp) -> str:
        codes = [self.condition(key) for key in comp.by]
        return codes[0] if len(codes) == 1 else f"({', '.join(codes)},)"

    def _best(self, comp: Comp, ex: Ex, op: str) -> str:
        assert isinstance(ex.type, t.SetOf)
        name, best = self.temp("s"), self.temp("b")
        mask = is_mask(ex.type.of)
        self.line(f"{name} = {'0' if mask else '[]'}")
        self.line(f"{best} = None")

        def test() -> None:
            key, value = self.temp(), self.temp()
            self.line(f"{key} = {self._keys(comp)}")
            self.line(f"{value} = {self.condition(comp.value)}")
            one = f"1 << {value}" if mask else f"[{value}]"
            self.line(f"if {best} is None or {key} {op} {best}: {best} = {key}; {name} = {one}")
            more = f"{name} |= 1 << {value}" if mask else f"{name}.append({value})"
            self.line(f"elif {key} == {best}: {more}")

        self.loops(comp.gens, test)
        return name if mask else f"tuple(sorted({name}))"

    def c_most(self, comp: Comp, ex: Ex) -> str:
        return self._best(comp, ex, ">")

    def c_least(self, comp: Comp, ex: Ex) -> str:
        return self._best(comp, ex, "<")

    def c_set(self, comp: Comp, ex: Ex) -> str:
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

            self.loops(comp.gens, add)
            return name
        gen, value = comp.gens[0], comp.value
        if (
            len(comp.gens) == 1
            and value.op == "local"
            and value.data == gen.var
            and isinstance(gen.domain.type, t.SetOf)
        ):
            self.line(f"{name} = []")  # part of a set is in order already
            self.loops(comp.gens, lambda: self.line(f"{name}.append({self.condition(value)})"))
            return f"tuple({name})"
        self.line(f"{name} = set()")
        self.loops(comp.gens, lambda: self.line(f"{name}.add({self.condition(comp.value)})"))
        if maybe:
            self.line(f"{name}.discard(-1)")
        return f"tuple(sorted({name}))"

    def c_sort(self, comp: Comp, ex: Ex) -> str:
        name = self.temp("s")
        self.line(f"{name} = []")
        self.loops(
            comp.gens,
            lambda: self.line(
                f"{name}.append(({self._keys(comp) if comp.by else 0}, {self.condition(comp.value)}))"
            ),
        )
        return f"tuple([x[-1] for x in sorted({name})])"

    def c_first(self, comp: Comp, ex: Ex) -> str:
        if comp.by:
            return f"{self.c_sort_list(comp)}"
        name, done = self.temp("f"), self.temp("f")
        self.line(f"{name} = -1")
        self.line(f"{done} = False")

        def take() -> None:
            self.line(f"{name} = {self.condition(comp.value)}")
            self.line(f"{done} = True")
            self.line("break")

        self.loops(comp.gens, take, done)
        return name

    def c_sort_list(self, comp: Comp) -> str:
        name = self.temp("s")
        self.line(f"{name} = []")
        self.loops(
            comp.gens, lambda: self.line(f"{name}.append(({self._keys(comp)}, {self.condition(comp.value)}))")
        )
        return f"(min({name})[-1] if {name} else -1)"

    def c_last(self, comp: Comp, ex: Ex) -> str:
        whole = self._all_of(comp)
        if whole is not None and isinstance(whole.type, t.ListOf) and whole.op in ("local", "items"):
            code = self.temp("f")
            self.line(f"{code} = {self.iterable(whole)}")
            return f"({code}[-1] if {code} else -1)"
        name = self.temp("f")
        self.line(f"{name} = -1")
        self.loops(comp.gens, lambda: self.line(f"{name} = {self.condition(comp.value)}"))
        return name

    def c_the(self, comp: Comp, ex: Ex) -> str:
        name, many = self.temp("f"), self.temp("f")
        self.line(f"{name} = -1")
        self.line(f"{many} = 0")

        def take() -> None:
            self.line(f"{name} = {self.condition(comp.value)}")
            self.line(f"{many} += 1")

        self.loops(comp.gens, take)
        self.line(f"if {many} != 1: {self.fail('D0909', ex.span, many)}")
        return name


_SHARED = frozenset(("neighbour", "cell", "state", "field", "tally", "on", "comp_space", "beyond"))


def _count_uses(ex: object, counts: dict[Ex, int]) -> None:
    if isinstance(ex, Ex) and ex.op not in ("comp", "call"):
        if ex.op in _SHARED:
            counts[ex] = counts.get(ex, 0) + 1
        for arg in ex.args:
            _count_uses(arg, counts)


def _first_uses(ex: object, first: set[Ex], lazy: set[Ex], *, strict: bool) -> None:
    """Sort shareable values by whether their first use is certain to be worked out."""
    if not isinstance(ex, Ex) or ex.op in ("comp", "call"):
        return
    if ex.op in ("and", "or"):
        _first_uses(ex.args[0], first, lazy, strict=strict)
        _first_uses(ex.args[1], first, lazy, strict=False)
        return
    if ex.op == "if":
        _first_uses(ex.args[0], first, lazy, strict=strict)
        for branch in ex.args[1:]:
            _first_uses(branch, first, lazy, strict=False)
        return
    if ex.op == "in":  # may be written as a chain that stops early
        strict = False
    if ex.op in _SHARED and ex not in first and ex not in lazy:
        (first if strict else lazy).add(ex)
    for arg in ex.args:
        _first_uses(arg, first, lazy, strict=strict)
