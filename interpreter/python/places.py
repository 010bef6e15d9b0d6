"""The Python back end: taking things out of places and putting them into others.

Everything that moves goes through `take_*` and `put_*`, which know the
structures of places: how the state holds what lies in each, whether one thing
or many fit in, what `at most` allows and where the rest goes. A statement that
moves says only what, from where and to where (moves.py).

| structure | tokens | components |
|---|---|---|
| bag, and a place known by name only | a count for each kind in `I` | a list in `L`, sorted |
| row, stack | | a list in `L`, in order |
| deck | | eight lists in `L` |
| slot | the kind in one cell of `I` | a list in `L` of one at most |
| grid, ring | a kind for each cell of `I` | a cell of `I` each, and a sorted list in `L` |
| growing grid | | a dictionary in `G`, and a sorted list in `L` |

Only a bag, a row or a stack has a limit, and a place with a limit is always
named where it is used, so the limit is known here.
"""

from __future__ import annotations

from ..core import Ex, PlaceRef, St
from ..core.facts import rest_of
from .part import Part

SLOT_FULL = repr("there is no room: the slot holds one already")
TAKEN = repr("there is no room: something lies there already")
FULL = repr("there is no room: the place is full")
ONE_EACH = repr("there is no room: only one fits there")
NOTHING_THERE = repr("nothing lies there")


class Places(Part):
    def limit_of(self, place: Ex) -> Ex | None:
        limit: Ex | None = place.place.cap if isinstance(place, PlaceRef) else None
        return limit

    # ------------------------------------------------------------ components
    def put_comp(
        self,
        comp: str,
        name: str,
        place: Ex,
        st: St,
        *,
        at: Ex | None = None,
        turned: Ex | None = None,
        end: str = "",
        source: Ex | None = None,
    ) -> None:
        """Take a component from where it is (`source`, if the statement says so) and put it into a
        place, or where the rest goes."""
        limit, rest = self.limit_of(place), rest_of(place)
        if limit is None or rest is None:
            self._put_here(comp, name, place, at, turned, end, st, source)
            return
        dest = self.atom(place)
        full = (
            f"len(L[{dest}]) >= {self.emit(limit)} and I[{self.layout.comps[name].where} + {comp}] != {dest}"
        )
        with self.c.block(f"if {full}:"):
            self.put_comp(comp, name, rest, st, source=source)
        with self.c.block("else:"):
            self._put_here(comp, name, place, at, turned, end, st, source)

    def take_comp(self, comp: str, name: str, source: Ex | None) -> None:
        if source is not None and source.place_type.form.hidden:
            self.line(f"take_from_deck(L, {self.atom(source)}, {comp})")
        elif self.pool.taker(name):
            self.line(f"{self.pool.taker(name)}(I, L, G, {comp})")
        else:
            self.line(f"L[I[{self.layout.comps[name].where} + {comp}]].remove({comp})")

    def _put_here(
        self,
        comp: str,
        name: str,
        place: Ex,
        at: Ex | None,
        turned: Ex | None,
        end: str,
        st: St,
        source: Ex | None,
    ) -> None:
        dest = self.atom(place)
        shape = place.place_type.form
        space = self.atom(at) if at is not None else "-1"
        turn = self.atom(turned) if turned is not None else "0"
        before = "-1"
        if self.pool.watched:
            before = self.temp("w")
            self.line(f"{before} = S.before_move({name!r}, {comp})")
        viewers = "0"
        if shape.hidden and (end or at is not None):
            viewers = self.temp("w")
            self.line(f"{viewers} = S.viewers_of({name!r}, {comp})")
        self.take_comp(comp, name, source)
        if shape.heap:
            self.line(f"insort(L[{dest}], {comp})")
        elif shape.hidden:
            self._put_in_deck(comp, dest, space if at is not None else None, end, viewers)
        elif shape.spaces:
            self._put_on_grid(comp, name, place, dest, space, turn, st)
        elif shape.single:
            self.line(f"if L[{dest}]: {self.c.fail('D0906', st.span, SLOT_FULL)}")
            self.line(f"L[{dest}].append({comp})")
        elif shape.ordered:
            self.line(f"L[{dest}].insert(0, {comp})" if end == "bottom" else f"L[{dest}].append({comp})")
        else:
            assert not shape.name, shape
            self.line(
                f"if not put_anywhere(L, SHAPES, {dest}, {comp}): {self.c.fail('D0906', st.span, SLOT_FULL)}"
            )
        self.line(f"I[{self.layout.comps[name].where} + {comp}] = {dest}")
        limit = self.limit_of(place)
        if limit is not None and isinstance(place, PlaceRef) and place.place.rest is None:
            self.line(f"if len(L[{dest}]) > {self.emit(limit)}: {self.c.fail('D0906', st.span, FULL)}")
        spot = repr(end) if end and shape.ends else space
        self.c.seen(f"S.seen_move({name!r}, {comp}, {before}, {dest}, {spot})")

    def _put_in_deck(self, comp: str, dest: str, position: str | None, end: str, viewers: str) -> None:
        if end == "bottom":
            self.line(f"L[{dest} + 2].append({comp}); L[{dest} + 4].append({viewers})")
        elif end == "top":
            self.line(f"L[{dest} + 1].append({comp}); L[{dest} + 3].append({viewers})")
        elif position is not None:
            self.line(f"put_at_depth(L, {dest}, {comp}, {position}, {viewers})")
        else:
            self.line(f"insort(L[{dest}], {comp})")

    def _put_on_grid(self, comp: str, name: str, place: Ex, dest: str, space: str, turn: str, st: St) -> None:
        layout = self.layout.comps[name]
        if self.c.spaces.geometry(place).grows:
            self.line(
                f"if {space} in {self.c.spaces.grown(place)}.cells: {self.c.fail('D0906', st.span, TAKEN)}"
            )
            self.line(f"{self.c.spaces.grown(place)}.put({space}, {comp})")
        else:
            base = self.c.spaces.cells_base(place)
            self.line(f"if I[{base} + {space}] != -1: {self.c.fail('D0906', st.span, TAKEN)}")
            self.line(f"I[{base} + {space}] = {comp}")
        self.line(f"insort(L[{dest}], {comp})")
        self.line(f"I[{layout.cell} + {comp}] = {space}")
        self.line(f"I[{layout.turned} + {comp}] = {turn}")

    # ------------------------------------------------------------ tokens
    def take_tokens(self, amount: str, kind: str, src: str, st: St, *, checked: bool) -> None:
        """Out of a bag; `checked` if it is known that there are so many."""
        if not checked:
            left = f"I[{src} + {kind}]"
            short = f"{left} < {amount}" if amount.isdigit() else f"not 0 <= {amount} <= {left}"
            self.line(f"if {short}: {self.c.fail('D0901', st.span, amount, left)}")
        self.line(f"I[{src} + {kind}] -= {amount}")

    def take_cell(self, source: Ex, cell: str, kind: str) -> None:
        """Out of a cell, whose kind is known already; `cell` is where it is in the state."""
        self.line(f"I[{cell}] = -1")
        if not source.place_type.form.single:
            self.index(source, "L[{0}].remove({1})", kind, f"{cell} - {self.c.spaces.cells_base(source)}")

    def put_tokens(self, amount: str, kind: str, place: Ex, st: St, src: str, at: Ex | None = None) -> None:
        """So many of a kind, at least one, into a place, or where the rest goes; `src` is where they come
        from, for those who see it."""
        if place.place_type.form.cells:
            self._put_cell(amount, kind, place, at, st, src)
            return
        dest = self.atom(place)
        limit = self.limit_of(place)
        if limit is None:
            self.line(f"I[{dest} + {kind}] += {amount}")
            self.c.seen(f"S.seen_tokens({place.place_type.of!r}, {amount}, {kind}, {src}, {dest})")
            return
        of = place.place_type.of
        kinds = len(self.game.kinds[of].values)
        stays, goes = self.temp("n"), self.temp("n")
        self.line(f"{stays} = max(0, min({amount}, {self.emit(limit)} - sum(I[{dest}:{dest} + {kinds}])))")
        rest = rest_of(place)
        if rest is None:
            self.line(f"if {stays} < {amount}: {self.c.fail('D0906', st.span, FULL)}")
        else:
            self.line(f"{goes} = {amount} - {stays}")
        with self.c.block(f"if {stays}:"):
            self.line(f"I[{dest} + {kind}] += {stays}")
            self.c.seen(f"S.seen_tokens({of!r}, {stays}, {kind}, {src}, {dest})")
        if rest is not None:
            with self.c.block(f"if {goes}:"):
                self.put_tokens(goes, kind, rest, st, src)

    def _put_cell(self, amount: str, kind: str, place: Ex, at: Ex | None, st: St, src: str) -> None:
        of, single = place.place_type.of, place.place_type.form.single
        dest = self.atom(place) if single else str(self.c.spaces.cells_base(place))
        cell = self.temp("s")
        self.line(f"{cell} = {_sum(dest, self.emit(at))}" if at is not None else f"{cell} = {dest}")
        if amount != "1":
            self.line(f"if {amount} > 1: {self.c.fail('D0906', st.span, ONE_EACH)}")
        taken = SLOT_FULL if single else TAKEN
        self.line(f"if I[{cell}] != -1: {self.c.fail('D0906', st.span, taken)}")
        self.line(f"I[{cell}] = {kind}")
        if single:
            self.c.seen(f"S.seen_tokens({of!r}, 1, {kind}, {src}, {dest})")
        else:
            self.index(place, "insort(L[{0}], {1})", kind, f"{cell} - {dest}")
            self.c.seen(f"S.seen_tokens({of!r}, 1, {kind}, {src}, {dest}, {cell} - {dest})")

    def index(self, place: Ex, change: str, kind: str, space: str) -> None:
        """Keep the list of the spaces of each kind, for grids that are searched by kind."""
        if isinstance(place, PlaceRef):
            base = self.layout.indexed.get(self.c.holdings.place_key(place.place))
            if base is not None:
                self.line(change.format(f"{base} + {kind}", space))

    # ------------------------------------------------------------ too much at once
    def spill(self, place: Ex, st: St) -> None:
        """A place has got new contents as a whole: what is too much goes on to where the rest goes."""
        limit, rest = self.limit_of(place), rest_of(place)
        if limit is None:
            return
        dest, of, cap = self.atom(place), place.place_type.of, self.emit(limit)
        if of not in self.game.tokens:
            if rest is None:
                self.line(f"if len(L[{dest}]) > {cap}: {self.c.fail('D0906', st.span, FULL)}")
                return
            name = self.temp("c")
            with self.c.block(f"for {name} in tuple(L[{dest}][{cap}:]):"):
                self.put_comp(name, of, rest, st, source=place)
            return
        kinds = len(self.game.kinds[of].values)
        over = self.temp("n")
        self.line(f"{over} = sum(I[{dest}:{dest} + {kinds}]) - {cap}")
        with self.c.block(f"if {over} > 0:"):
            if rest is None:
                self.line(self.c.fail("D0906", st.span, FULL))
                return
            kind, goes = self.temp("k"), self.temp("n")
            with self.c.block(f"for {kind} in range({kinds - 1}, -1, -1):"):
                self.line(f"{goes} = min({over}, I[{dest} + {kind}])")
                with self.c.block(f"if {goes}:"):
                    self.line(f"{over} -= {goes}")
                    self.take_tokens(goes, kind, dest, st, checked=True)
                    self.put_tokens(goes, kind, rest, st, dest)


def _sum(a: str, b: str) -> str:
    return str(int(a) + int(b)) if a.isdigit() and b.isdigit() else f"{a} + {b}"
