"""The Python back end: states and records, which lie in the list of numbers `I`."""

from __future__ import annotations

from typing import Any

from ..core import (
    Apply,
    Ex,
    RecordField,
    Rows,
    StateRef,
    applies,
)
from ..core import value_types as t
from .part import Part, writes_value


class States(Part):
    # ------------------------------------------------------------ states
    def offset(
        self, base: int, args: tuple[Ex, ...], sizes: tuple[int, ...], lows: tuple[int, ...], stride: int = 1
    ) -> str:
        """`base` plus the place of the indices, constants folded."""
        fixed, parts = base, []
        for arg, size, low in zip(reversed(args), reversed(sizes), reversed(lows), strict=True):
            value = self.known(arg)
            if value is not None:
                fixed += (value - low) * stride
            else:
                code = self.emit(arg)
                parts.append(code if stride == 1 else f"{code} * {stride}")
                fixed -= low * stride
            stride *= size
        parts.reverse()
        if not parts:
            return str(fixed)
        if fixed == 0:
            return " + ".join(parts)
        return f"{fixed} + {' + '.join(parts)}" if fixed > 0 else f"{' + '.join(parts)} - {-fixed}"

    def state_key(self, decl: Any) -> str:
        return f"{decl.owner}.{decl.name}" if decl.owner else decl.name

    def state_slot(self, ex: Ex) -> str:
        """The index in `I` of a state or record field."""
        if isinstance(ex, RecordField):
            decl, name = (ex.record, ex.name)
            _, limit, fields = self.layout.records[decl.name]
            base, sizes, lows = fields[name]
            return self.offset(base, ex.indices, (limit, *sizes), (0, *lows))
        assert isinstance(ex, StateRef)
        base, sizes, lows = self.layout.states[self.state_key(ex.state)]
        return self.offset(base, ex.indices, sizes, lows)

    @writes_value(StateRef)
    def x_state(self, ex: StateRef) -> str:
        doubtful = [i for i, a in enumerate(ex.indices) if isinstance(a.type, t.Opt)]
        if not doubtful:
            return f"I[{self.state_slot(ex)}]"
        names = {i: self.atom(ex.indices[i]) for i in doubtful}
        slot = self.state_slot(ex)
        test = " and ".join(f"{name} >= 0" for name in names.values())
        return f"(I[{slot}] if {test} else -1)"

    @writes_value(RecordField)
    def x_rec_field(self, ex: RecordField) -> str:
        decl, name = (ex.record, ex.name)
        sizes = self.layout.records[decl.name][2][name][1]
        if len(ex.indices) == 1 and sizes:
            width = 1
            for size in sizes:
                width *= size
            start = self.temp()
            base, _, _ = self.layout.records[decl.name][2][name]
            self.line(f"{start} = {base} + {self.emit(ex.indices[0])} * {width}")
            return f"tuple(I[{start}:{start} + {width}])"
        return f"I[{self.state_slot(ex)}]"

    @writes_value(Rows)
    def x_rec_rows(self, ex: Rows) -> str:
        count, _, _ = self.layout.records[ex.record.name]
        return f"tuple(range(I[{count}]))"

    @writes_value("array_at")
    def x_array_at(self, ex: Apply) -> str:
        """A cell of a vector value; nested indexing is folded into one."""
        chain: list[Ex] = []
        node: Ex = ex
        while applies(node, "array_at"):
            chain.append(node.args[1])
            node = node.args[0]
        chain.reverse()
        assert isinstance(node.type, t.Array)
        index = node.type.index
        sizes = tuple(self.layout.size(i) for i in index)
        lows = tuple(self.layout.low(i) for i in index)
        return f"{self.emit(node)}[{self.offset(0, tuple(chain), sizes, lows)}]"
