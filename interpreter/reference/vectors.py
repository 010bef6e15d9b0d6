"""Vectors chosen cell by cell: `choose n[k in Gem] in 0..heap[k] where sum(n[j] for j in Gem) = 3`.

A value of a cell is offered exactly if all the cells behind it can be filled so
that every condition holds and what is chosen behind the vector can be chosen too.
That is found out by trying: cells are filled in order, and a prefix is given up
as soon as a condition surely fails, whatever the open cells become. To see that,
conditions are worked out with a range in place of each open cell (`_range`,
`_truth`); what they cannot judge is left open, and decided when all is filled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..core import And, Apply, Ex, Gen, Local, Or, Reduction, Var, applies, free_vars
from ..core import value_types as t
from .play import Frame, Play
from .trouble import Trouble

Index = tuple[Any, ...]
Range = tuple[int, int]


class Unjudged(Exception):
    """A part of a condition that tells nothing before all cells are filled."""


def bindings(play: Play, cells: list[tuple[Var, Ex]], frame: Frame) -> Iterator[Frame]:
    """A frame for each way to bind index variables, in order."""
    if not cells:
        yield frame
        return
    (var, domain), *rest = cells
    for value in play.value(domain, frame):
        yield from bindings(play, rest, frame.inner({var.uid: value}))


class Vector:
    """The cells of a vector with what each may be, and the conditions on them."""

    def __init__(self, play: Play, gen: Gen, alike: tuple[str, ...], frame: Frame) -> None:
        self.play, self.gen, self.frame = play, gen, frame
        self.uid = gen.var.uid
        self.fixed: dict[int, bool] = {}
        self.may: dict[Index, list[int]] = {}
        for inner in bindings(play, list(gen.cells), frame):
            index = tuple(inner.vars[var.uid] for var, _ in gen.cells)
            self.may[index] = list(play.value(gen.domain, inner))
        self.alike = gen.cells[0][0].name in alike
        self.now: dict[Index, Range] = {}
        self.read: set[Index] = set()
        self.conditions = [
            (condition, inner) for condition in gen.where for inner in self._each(condition, frame)
        ]
        self._open_all()
        self.concerns: list[set[Index] | None] = []
        for condition, inner in self.conditions:
            self.read = set()
            try:
                self._truth(condition, inner)
                self.concerns.append(self.read)
            except Unjudged:
                self.concerns.append(None)
            except Trouble:
                if self._bounds_a_sum(condition):
                    raise
                self.concerns.append(None)
        self.read = set()
        self._leave_out_by_one()
        self.order = list(self.may)
        self.asked = [index for index in self.order if len(self.may[index]) != 1]
        """A cell that its bounds leave one value is no question."""

    def _each(self, condition: Ex, frame: Frame) -> Iterator[Frame]:
        """A condition that names indices is meant for every cell."""
        named = free_vars(condition)
        yield from bindings(self.play, [(v, d) for v, d in self.gen.cells if v.uid in named], frame)

    def _open_all(self) -> None:
        self.now = {i: (min(may), max(may)) for i, may in self.may.items() if may}

    def _leave_out_by_one(self) -> None:
        """Take out values that a bound on that cell alone forbids."""
        for (condition, inner), concerns in zip(self.conditions, self.concerns, strict=True):
            if concerns is None or len(concerns) != 1 or not self._bounds_a_sum(condition):
                continue
            (index,) = concerns
            kept = []
            for value in self.may.get(index, ()):
                self.now[index] = (value, value)
                if self._maybe(condition, inner):
                    kept.append(value)
            self.may[index] = kept
            self._open_all()

    def _bounds_a_sum(self, ex: Ex) -> bool:
        """Is a sum of cells compared with something that does not depend on the vector, perhaps
        beside an `or` that does not name the vector either?"""
        match ex:
            case Or(left=one, right=other):
                free, rest = (one, other) if self._fixed(one) else (other, one)
                return self._fixed(free) and self._bounds_a_sum(rest)
            case Apply(op="in", args=(number, Apply(op="range", args=limits))):
                return self._is_sum(number) and all(map(self._fixed, limits))
            case Apply(op="eq" | "lt" | "le" | "gt" | "ge", args=(one, other)):
                free, rest = (one, other) if self._fixed(one) else (other, one)
                return self._fixed(free) and self._is_sum(rest)
        return False

    def _is_sum(self, ex: Ex) -> bool:
        """Cells and numbers added up, perhaps with numbers taken off."""
        match ex:
            case _ if self._fixed(ex):
                return isinstance(ex.type, t.Num)
            case Apply(op="array_at", args=(of, index)):
                return self._fixed(index) and (isinstance(of, Local) or self._is_sum(of))
            case Apply(op="add", args=args):
                return all(map(self._is_sum, args))
            case Apply(op="sub", args=(number, less)):
                return self._is_sum(number) and self._fixed(less)
            case Reduction(kind="sum", while_=None, gens=gens, value=value):
                return self._is_sum(value) and all(
                    self._fixed(part) for gen in gens for part in (gen.domain, *gen.where)
                )
        return False

    # ------------------------------------------------------------ searching
    def options(self, filled: dict[Index, int], behind: Callable[[dict[Index, int]], bool]) -> list[int]:
        """The values for the next cell that is asked, given those before it."""
        index = self.asked[len(filled)]
        return [v for v in self.may[index] if next(self.ways({**filled, index: v}, behind), None) is not None]

    def ways(
        self, filled: dict[Index, int], behind: Callable[[dict[Index, int]], bool]
    ) -> Iterator[dict[Index, int]]:
        """All whole vectors with these cells filled so."""
        if not all(self.may.values()):
            return
        self._open_all()
        for index, value in filled.items():
            self.now[index] = (value, value)
        for condition, inner in self.conditions:
            if not self._maybe(condition, inner):
                return
        yield from self._fill(0, filled, behind)

    def _fill(
        self, number: int, given: dict[Index, int], behind: Callable[[dict[Index, int]], bool]
    ) -> Iterator[dict[Index, int]]:
        if number == len(self.order):
            whole = self.whole()
            inner = {self.uid: whole}
            if all(self.play.value(c, f.inner(inner)) for c, f in self.conditions) and behind(whole):
                yield whole
            return
        index = self.order[number]
        before = self.now[index]
        for value in [given[index]] if index in given else self.may[index]:
            self.now[index] = (value, value)
            if self._in_order(number) and (index in given or self._still_possible(index)):
                yield from self._fill(number + 1, given, behind)
        self.now[index] = before

    def _still_possible(self, index: Index) -> bool:
        return all(
            self._maybe(condition, inner)
            for (condition, inner), concerns in zip(self.conditions, self.concerns, strict=True)
            if concerns is not None and index in concerns
        )

    def _in_order(self, number: int) -> bool:
        """Heaps that look the same are told in one order: each is at most the one before it."""
        if not self.alike:
            return True
        heaps = list(dict.fromkeys(index[0] for index in self.order))
        heap = heaps.index(self.order[number][0])
        if heap == 0:
            return True
        mine = [self.now[i][0] for i in self.order[: number + 1] if i[0] == heaps[heap]]
        before = [self.now[i][0] for i in self.order if i[0] == heaps[heap - 1]]
        return mine <= before[: len(mine)]

    def whole(self) -> dict[Index, int]:
        """The vector as a value; cells outside of its domain are 0."""
        assert isinstance(self.gen.var.type, t.Array)
        empty: dict[Index, int] = {(): 0}
        for type_ in self.gen.var.type.index:
            empty = {(*index, key): 0 for index in empty for key in self.play.table.universe(type_)}
        return {**empty, **{index: self.now[index][0] for index in self.order}}

    # ------------------------------------------------------------ judging
    def _maybe(self, condition: Ex, frame: Frame) -> bool:
        try:
            return self._truth(condition, frame) is not False
        except (Unjudged, Trouble):
            return True

    def _fixed(self, ex: Ex) -> bool:
        """Does an expression not depend on the vector?"""
        if id(ex) not in self.fixed:
            self.fixed[id(ex)] = self.uid not in free_vars(ex)
        return self.fixed[id(ex)]

    def _truth(self, ex: Ex, frame: Frame) -> bool | None:
        """Yes, no, or None: that depends on the open cells."""
        if self._fixed(ex):
            return bool(self.play.value(ex, frame))
        match ex:
            case And(left=one, right=other) | Or(left=one, right=other):
                left = self._truth(one, frame)
                decided = isinstance(ex, Or)
                right = self._truth(other, frame) if left is not decided else None
                if decided in (left, right):
                    return decided
                return None if None in (left, right) else not decided
            case Apply(op="not", args=(denied,)):
                inner = self._truth(denied, frame)
                return None if inner is None else not inner
            case Apply(op="eq" | "ne" | "lt" | "le" | "gt" | "ge"):
                return self._compared(ex, frame)
            case Apply(op="in", args=(number, Apply(op="range", args=limits))):
                a, b = self._range(number, frame)
                (low, most_low), (least_high, high) = (self._range(x, frame) for x in limits)
                if b < low or a > high:
                    return False
                return True if a >= most_low and b <= least_high else None
        raise Unjudged

    def _compared(self, ex: Apply, frame: Frame) -> bool | None:
        (a, b), (c, d) = (self._range(x, frame) for x in ex.args)
        match ex.op:
            case "lt":
                return True if b < c else False if a >= d else None
            case "le":
                return True if b <= c else False if a > d else None
            case "gt":
                return True if a > d else False if b <= c else None
            case "ge":
                return True if a >= d else False if b < c else None
        same = True if a == b == c == d else False if b < c or a > d else None
        return same if ex.op == "eq" or same is None else not same

    def _range(self, ex: Ex, frame: Frame) -> Range:
        """The lowest and the highest that a number can become."""
        if self._fixed(ex):
            value = self.play.value(ex, frame)
            if not isinstance(value, int):
                raise Unjudged
            return value, value
        match ex:
            case Apply(op="array_at"):
                return self._cell(ex, frame)
            case Apply(op="add", args=args):
                (a, b), (c, d) = (self._range(x, frame) for x in args)
                return a + c, b + d
            case Apply(op="sub", args=args):
                (a, b), (c, d) = (self._range(x, frame) for x in args)
                return a - d, b - c
            case Apply(op="mul", args=args):
                one, other = (self._range(x, frame) for x in args)
                ends = [x * y for x in one for y in other]
                return min(ends), max(ends)
            case Reduction(kind="sum", while_=None):
                return self._sum(ex, frame)
        raise Unjudged

    def _cell(self, ex: Ex, frame: Frame) -> Range:
        index: Index = ()
        while applies(ex, "array_at"):
            index = (self.play.value(ex.args[1], frame), *index)
            ex = ex.args[0]
        if not isinstance(ex, Local) or ex.var.uid != self.uid or len(index) != len(self.gen.cells):
            raise Unjudged
        if index in self.may:
            self.read.add(index)
        return self.now.get(index, (0, 0))

    def _sum(self, comp: Reduction, frame: Frame) -> Range:
        from .comprehensions import passes

        if not all(self._fixed(part) for gen in comp.gens for part in (gen.domain, *gen.where)):
            raise Unjudged
        low = high = 0
        for inner in passes(self.play, comp.gens, frame):
            a, b = self._range(comp.value, inner)
            low, high = low + a, high + b
        return low, high
