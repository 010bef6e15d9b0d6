"""Native code: states, records, cells of vectors, and what is known about components."""

from __future__ import annotations

from ..core import (
    Apply,
    Attribute,
    Ex,
    Field,
    OwnedPiece,
    RecordField,
    StateRef,
    applies,
)
from ..core import value_types as t
from ..core.facts import state_name
from .builder import Value
from .code import Unsupported, llvm_type
from .memory import WideAt
from .part import Part, gives


class Reading(Part):
    # ------------------------------------------------------------ states and records
    def state_slot(self, ex: Ex) -> Value:
        """The index in `I` of a state or of a field of a record."""
        if isinstance(ex, RecordField):
            _, limit, fields = self.layout.records[ex.record.name]
            base, sizes, lows = fields[ex.name]
            given = len(ex.indices)
            stride = 1
            for size in sizes[given - 1 :]:
                stride *= size
            return self.c.calls.offset(base, ex.indices, (limit, *sizes)[:given], (0, *lows)[:given], stride)
        assert isinstance(ex, StateRef)
        base, sizes, lows = self.layout.states[state_name(ex.state)]
        return self.c.calls.offset(base, ex.indices, sizes, lows)

    def wide(self, ex: Ex) -> WideAt | None:
        """If it is a set that lies beside `I`: where."""
        if isinstance(ex, StateRef):
            return self.memory.wide_of(self.layout.states[state_name(ex.state)][0])
        if isinstance(ex, RecordField):
            return self.memory.wide_of(self.layout.records[ex.record.name][2][ex.name][0])
        return None

    def wide_at(self, wide: WideAt, slot: Value) -> Value:
        index = self.c.op("sub", slot, wide.first)
        self.c.within(index, wide.count)
        return self.c.at("%S", self.c.add(self.c.op("mul", index, wide.size), wide.at))

    def set_in_memory(self, ex: Ex) -> Value | None:
        wide = self.wide(ex)
        if wide is None or wide.bits.limbs == 1 or any(_maybe(i) for i in ex.indices):  # type: ignore[attr-defined]
            return None
        return self.wide_at(wide, self.state_slot(ex))

    @gives(StateRef)
    def _state(self, ex: StateRef) -> Value:
        wide = self.wide(ex)
        doubtful = [i for i, index in enumerate(ex.indices) if _maybe(index)]
        if not doubtful:
            return self.kept(wide, self.state_slot(ex))
        if wide is not None:
            raise Unsupported("a set that is kept for something that may be none")
        args: list[Ex | Value] = list(ex.indices)
        certain = "true"
        for i in doubtful:
            value = self.c.value(ex.indices[i])
            some = self.c.compare("sge", value, 0)
            certain = self.c.both(certain, some)
            low = self.layout.states[state_name(ex.state)][2][i]
            args[i] = self.c.select(some, value, str(low))
        base, sizes, lows = self.layout.states[state_name(ex.state)]
        found = self.c.number_at(self.c.calls.offset(base, tuple(args), sizes, lows))
        return self.c.select(certain, found, "-1")

    def kept(self, wide: WideAt | None, slot: Value) -> Value:
        if wide is not None:
            return self.c.load(self.wide_at(wide, slot), llvm_type(wide.bits), align=8)
        return self.c.number_at(slot)

    @gives(RecordField)
    def _record_field(self, ex: RecordField) -> Value:
        sizes = self.layout.records[ex.record.name][2][ex.name][1]
        slot = self.state_slot(ex)
        if len(ex.indices) == 1 and sizes:
            if self.wide(ex) is not None:
                raise Unsupported("a vector of sets in a record")
            words = 1
            for size in sizes:
                words *= size
            return self.c.slot_at(slot, words)
        return self.kept(self.wide(ex), slot)

    @gives("array_at")
    def _array_at(self, ex: Apply) -> Value:
        """A cell of a vector; nested indices are one."""
        vector, index = self.cell_index(ex)
        size = 1
        assert isinstance(vector.type, t.Array)
        for part in vector.type.index:
            size *= self.layout.size(part)
        if self.doubtful(ex):
            self.c.fail_if(self.c.compare("uge", index, size), 1)
        else:
            self.c.within(index, size)
        return self.c.load_int(self.c.at(self.c.value(vector), index, "i32"), 32)

    def doubtful(self, ex: Ex) -> bool:
        """May an index of a vector be none?"""
        while applies(ex, "array_at"):
            if not isinstance(ex.args[1].type, t.Kind | t.Player | t.Num | t.YesNo):
                return True
            ex = ex.args[0]
        return False

    def cell_index(self, ex: Ex) -> tuple[Ex, Value]:
        chain: list[Ex] = []
        while applies(ex, "array_at"):
            chain.append(ex.args[1])
            ex = ex.args[0]
        assert isinstance(ex.type, t.Array)
        return ex, self.c.calls.linear(tuple(reversed(chain)), ex.type.index)

    # ------------------------------------------------------------ components
    @gives(Field)
    def _field(self, ex: Field) -> Value:
        column = self.layout.comps[ex.component.name].columns[ex.name]
        if not all(isinstance(value, int) for value in column):
            raise Unsupported(f"a printed {ex.type}")
        return self.c.table([-1, *column], self.c.add(self.c.value(ex.of), 1))

    @gives(OwnedPiece)
    def _owned_piece(self, ex: OwnedPiece) -> Value:
        return self.c.value(ex.player)

    @gives(Attribute)
    def _attribute(self, ex: Attribute) -> Value:
        slots = self.layout.comps[ex.component.name]
        if ex.name == "owner":
            if ex.component.piece:
                return self.c.value(ex.of)
            owners = [self.layout.place_owner.get(ref, -1) for ref in range(len(self.layout.lists))]
            return self.c.table([-1, *owners], self.c.add(self._of_component(slots.where, ex), 1))
        base = {"on": slots.on, "place": slots.where, "space": slots.cell, "turned": slots.turned}[ex.name]
        return self._of_component(base, ex)

    def _of_component(self, base: int, ex: Attribute) -> Value:
        value = self.c.value(ex.of)
        if not isinstance(ex.of.type, t.Opt):
            return self.c.number_at(self.c.add(value, base))
        some = self.c.compare("sge", value, 0)
        return self.c.select(some, self.c.number_at(self.c.add(self.c.select(some, value, "0"), base)), "-1")


def _maybe(ex: Ex) -> bool:
    return isinstance(ex.type, t.Opt)
