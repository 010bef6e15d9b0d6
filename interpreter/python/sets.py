"""The Python back end: sets, lists and what a loop runs over.

Sets of kinds, players and small numbers are bit masks, all others sorted tuples.
"""

from __future__ import annotations

from ..core import Apply, CallDefine, Conditional, Ex, Local, Reduction, Rows, Universe, applies
from ..core import value_types as t
from ..core.value_types import is_mask
from .part import Part, writes_value


class Sets(Part):
    def emit_mask(self, ex: Ex) -> str:
        code = self.emit(ex)
        return code if code.isidentifier() or code.isdigit() else f"({code})"

    def set_value(self, ex: Ex, element: t.Type) -> str:
        """A set as a value: a mask or a sorted tuple, by the type of its elements."""
        if is_mask(element):
            fixed = self.known(ex)
            if fixed is not None:
                return str(fixed)
            if applies(ex, "set"):
                if not ex.args:
                    return "0"
                parts = []
                for item in ex.args:
                    if isinstance(item.type, t.Opt):
                        name = self.atom(item)
                        parts.append(f"(1 << {name} if {name} >= 0 else 0)")
                    elif isinstance(item.type, t.Num) and not is_mask(item.type):
                        parts.append(f"1 << ranged({self.emit(item)}, 0, 62, {self.pool.span(item.span)})")
                    else:
                        parts.append(f"1 << {self.emit(item)}")
                return f"({' | '.join(f'({p})' for p in parts) if len(parts) > 1 else parts[0]})"
            if isinstance(ex.type, t.SetOf) and not is_mask(ex.type.of):
                return f"mask_of({self.iterable(ex)}, 0, 62, {self.pool.span(ex.span)})"
            if applies(ex, "range"):
                low, high = (self.atom(a) for a in ex.args)
                return f"((1 << max({high} + 1, {low})) - (1 << {low}))"
            return self.emit(ex)
        if applies(ex, "set"):
            if not ex.args:
                return "()"
            if len(ex.args) == 1 and not isinstance(ex.args[0].type, t.Opt):
                return f"({self.emit(ex.args[0])},)"
            return f"tuple(sorted({{{', '.join(self._member(a) for a in ex.args)}}}))"
        if (isinstance(ex, Universe) or applies(ex, "items", "range", "frontier")) or _is_mask_set(ex.type):
            return f"tuple({self.iterable(ex)})"
        return self.emit(ex)

    def _member(self, item: Ex) -> str:
        """One of the things listed in a set: `none` is never in it."""
        if not isinstance(item.type, t.Opt | t.Nothing):
            return self.emit(item)
        name = self.atom(item)
        return f"*(() if {name} == -1 else ({name},))"

    @writes_value("as_set")
    def x_as_set(self, ex: Apply) -> str:
        """A set in the form of another type; members outside of its range are an error."""
        assert isinstance(ex.type, t.SetOf)
        (given,), element = ex.args, ex.type.of
        assert isinstance(given.type, t.SetOf)
        own = given.type.of
        if not isinstance(element, t.Num) or not isinstance(own, t.Num):
            return self.set_value(given, element)
        if element.low <= own.low and own.high <= element.high:
            return self.set_value(given, element)
        make = "mask_of" if is_mask(element) else "tuple_of"
        limits = f"{element.low}, {element.high}, {self.pool.span(given.span)}"
        return f"{make}({self.iterable(given)}, {limits})"

    def list_value(self, ex: Ex) -> str:
        return f"tuple({self.iterable(ex)})" if applies(ex, "items") else self.emit(ex)

    @writes_value("set")
    def x_set(self, ex: Apply) -> str:
        assert isinstance(ex.type, t.SetOf)
        return self.set_value(ex, ex.type.of)

    @writes_value("range")
    def x_range(self, ex: Apply) -> str:
        assert isinstance(ex.type, t.SetOf)
        return self.set_value(ex, ex.type.of)

    @writes_value(Universe)
    def x_universe(self, ex: Universe) -> str:
        return str(self.pool.const("U", tuple(self.layout.universe(ex.of))))

    @writes_value("items")
    def x_items(self, ex: Apply) -> str:
        return f"tuple({self.iterable(ex)})"

    @writes_value("union")
    def x_union(self, ex: Apply) -> str:
        assert isinstance(ex.type, t.SetOf)
        a, b = (self.set_value(x, ex.type.of) for x in ex.args)
        return f"({a} | {b})" if is_mask(ex.type.of) else f"tuple(sorted({{*{a}, *{b}}}))"

    @writes_value("difference")
    def x_difference(self, ex: Apply) -> str:
        assert isinstance(ex.type, t.SetOf)
        a, b = (self.set_value(x, ex.type.of) for x in ex.args)
        return f"({a} & ~{b})" if is_mask(ex.type.of) else f"tuple(sorted({{*{a}}} - {{*{b}}}))"

    @writes_value("concat")
    def x_concat(self, ex: Apply) -> str:
        a, b = (self.list_value(x) for x in ex.args)
        return f"({a} + {b})"

    @writes_value("snapshot")
    def x_snapshot(self, ex: Apply) -> str:
        (domain,) = ex.args
        code = self.iterable(domain)
        return (
            code
            if (isinstance(domain, Reduction | Local) or applies(domain, "clockwise")) and not _listy(domain)
            else f"tuple({code})"
        )

    @writes_value("length")
    def x_length(self, ex: Apply) -> str:
        return f"len({self.emit(ex.args[0])})"

    @writes_value("element")
    def x_element(self, ex: Apply) -> str:
        return f"{self.emit(ex.args[0])}[{self.condition(ex.args[1])}]"

    @writes_value("foremost")
    def x_foremost(self, ex: Apply) -> str:
        whole, amount = self.list_value(ex.args[0]), self.emit(ex.args[1])
        return f"foremost({whole}, {amount}, {self.pool.span(ex.span)})"

    @writes_value("list_at")
    def x_list_at(self, ex: Apply) -> str:
        whole, index = self.temp(), self.atom(ex.args[1])
        self.line(f"{whole} = {self.list_value(ex.args[0])}")
        return f"({whole}[{index} - 1] if 0 < {index} <= len({whole}) else -1)"

    @writes_value("subsets")
    def x_subsets(self, ex: Apply) -> str:
        within, low, high = ex.args
        return f"subsets({self.iterable(within)}, {self.emit(low)}, {self.emit(high)}, {self._masked(ex)})"

    @writes_value("subsets_from")
    def x_subsets_from(self, ex: Apply) -> str:
        within, low, high, chosen, following = ex.args
        marks = self._marks(within)
        items = self.iterable(within)
        limits = f"{self.emit(low)}, {self.emit(high)}"
        begun = f"{self.emit(chosen)}, {self.emit(following)}"
        return f"subsets_from({items}, {limits}, {begun}, {self._masked(ex)}, {marks})"

    @writes_value("next_members")
    def x_next_members(self, ex: Apply) -> str:
        within, chosen, low = ex.args
        marks = self._marks(within)
        return f"next_members({self.iterable(within)}, {self.emit(chosen)}, {self.emit(low)}, {marks})"

    def _marks(self, within: Ex) -> str:
        """What tells copies apart, as where one of them is chosen."""
        return str(self.c.asks.alike(within))

    def _masked(self, ex: Apply) -> bool:
        assert isinstance(ex.type, t.ListOf) and isinstance(ex.type.of, t.SetOf)
        return is_mask(ex.type.of.of)

    def elements(self, ex: Ex) -> list[int] | None:
        """The elements of a domain, when they are known while emitting."""
        if not isinstance(ex.type, t.SetOf | t.ListOf):
            return None
        if applies(ex, "range"):
            low, high = (self.known(a) for a in ex.args)
            return list(range(low, high + 1)) if low is not None and high is not None else None
        if isinstance(ex, Universe):
            return list(self.layout.universe(ex.of))
        if is_mask(ex.type.of):
            mask = self.known(ex)
            if mask is not None:
                return [i for i in range(mask.bit_length()) if mask >> i & 1]
        if applies(ex, "set"):
            values = [self.known(a) for a in ex.args]
            if all(v is not None for v in values):
                given = zip(ex.args, values, strict=True)
                return sorted({int(v or 0) for a, v in given if v != -1 or isinstance(a.type, t.Num)})
        return None

    def iterable(self, ex: Ex) -> str:
        """Something that a Python `for` runs over, in the order of the language."""
        fixed = self.elements(ex)
        if fixed is not None:
            return str(self.pool.const("U", tuple(fixed)))
        match ex:
            case Apply(op="range"):
                low, high = ex.args
                top = self.known(high)
                stop = str(top + 1) if top is not None else f"{self.emit(high)} + 1"
                return f"range({self.emit(low)}, {stop})"
            case Apply(op="items"):
                return self.c.holdings.contents(ex.args[0])
            case Apply(op="set") if (
                isinstance(ex.type, t.SetOf) and len(ex.args) == 1 and not isinstance(ex.args[0].type, t.Opt)
            ):
                return f"({self.emit(ex.args[0])},)"
            case Conditional():
                condition, first, second = (ex.condition, ex.then, ex.otherwise)
                if (
                    self.c.knows.simple(condition)
                    and self.elements(first) is not None
                    and self.elements(second) is not None
                ):
                    return f"({self.iterable(first)} if {self.emit(condition)} else {self.iterable(second)})"
            case CallDefine() if self.c.knows.inlines(ex.define) and not isinstance(ex.define.body, tuple):
                with self.c.calls.inlined(ex) as body:
                    return self.c.exprs.counted("run", ex.define.span, self.iterable(body))
            case Rows():
                count, _, _ = self.layout.records[ex.record.name]
                return f"range(I[{count}])"
        if isinstance(ex.type, t.SetOf) and is_mask(ex.type.of):
            return self._bits(ex)
        return self.emit(ex)

    def _bits(self, ex: Ex) -> str:
        assert isinstance(ex.type, t.SetOf)
        width = 63
        if not isinstance(ex.type.of, t.Unknown):
            width = self.layout.size(ex.type.of) + self.layout.low(ex.type.of)
        code = self.condition(ex)
        return f"BITS[{code}]" if width <= 10 else f"bits({code})"


def _listy(ex: Ex) -> bool:
    return applies(ex, "items")


def _is_mask_set(type_: t.Type) -> bool:
    return isinstance(type_, t.SetOf) and is_mask(type_.of)
