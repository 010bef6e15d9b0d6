"""The Python back end: moving, drawing, showing."""

from __future__ import annotations

from typing import Any

from . import types as t
from .core import Ex, St, Var
from .emit_comps import CompEmitter

SLOT_FULL = repr("there is no room: the slot holds one already")
TAKEN = repr("there is no room: something lies there already")
FULL = repr("there is no room: the place is full")
NOTHING_THERE = repr("nothing lies there")


class MoveEmitter(CompEmitter):
    def stmts(self, body: tuple[St, ...]) -> None:
        raise NotImplementedError

    def _seen(self, call: str) -> None:
        """A line of the build that keeps what everybody has seen."""
        if self.pool.watched:
            self.line(call)

    def bind(self, var: Var, code: str) -> None:
        name = self.env.get(var.uid) or self.name_of(var)
        self.line(f"{name} = {code}")
        self.stored(var, name)

    def stored(self, var: Var, name: str) -> None:
        """A hook for blocks: variables that outlive the block go to the frame."""

    # ------------------------------------------------------------ moving components
    def s_move(self, st: St) -> None:
        thing, place, at, turned = st.args
        comp = self.atom(thing)
        self.place_comp(comp, thing.type.name, place, at, turned, st.data, st)

    def place_comp(
        self,
        comp: str,
        name: str,
        place: Ex,
        at: Ex | None,
        turned: Ex | None,
        end: str,
        st: St,
        source: Ex | None = None,
    ) -> None:
        """Take a component from where it is (`source`, if the statement says so) and put it somewhere."""
        dest = self.atom(place)
        if place.op == "place" and place.data.cap is not None and place.data.rest is not None:
            full = f"len(L[{dest}]) >= {self.emit(place.data.cap)} and I[{self.layout.comps[name].where} + {comp}] != {dest}"
            with self.block(f"if {full}:"):
                self.place_comp(comp, name, _rest_of(place), None, None, "", st, source)
            with self.block("else:"):
                self._place_comp(comp, name, place, at, turned, end, st, source)
            return
        self._place_comp(comp, name, place, at, turned, end, st, source)

    def _place_comp(
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
        shape = place.place_type.shape
        space = self.atom(at) if at is not None else "-1"
        turn = self.atom(turned) if turned is not None else "0"
        before = "-1"
        layout = self.layout.comps[name]
        if self.pool.watched:
            before = self.temp("w")
            self.line(f"{before} = S.before_move({name!r}, {comp})")
        viewers = "0"
        if shape == "deck" and (end or at is not None):
            viewers = self.temp("w")
            self.line(f"{viewers} = S.viewers_of({name!r}, {comp})")
        if source is not None and source.place_type.shape == "deck":
            self.line(f"take_from_deck(L, {self.atom(source)}, {comp})")
        elif self.pool.taker(name):
            self.line(f"{self.pool.taker(name)}(I, L, G, {comp})")
        else:
            self.line(f"L[I[{layout.where} + {comp}]].remove({comp})")
        match shape:
            case "bag":
                self.line(f"insort(L[{dest}], {comp})")
            case "stack" | "row":
                self.line(f"L[{dest}].insert(0, {comp})" if end == "bottom" else f"L[{dest}].append({comp})")
            case "slot":
                self.line(f"if L[{dest}]: {self.fail('D0906', st.span, SLOT_FULL)}")
                self.line(f"L[{dest}].append({comp})")
            case "deck":
                self._put_in_deck(comp, dest, space if at is not None else None, end, viewers)
            case "grid" | "ring":
                self._put_on_grid(comp, name, place, dest, space, turn, st)
            case _:
                self.line(f"put_anywhere(I, L, SHAPES, {dest}, {comp})")
        self.line(f"I[{layout.where} + {comp}] = {dest}")
        if place.op == "place" and place.data.cap is not None and place.data.rest is None:
            self.line(f"if len(L[{dest}]) > {self.emit(place.data.cap)}: {self.fail('D0906', st.span, FULL)}")
        spot = repr(end) if end and shape in ("deck", "stack", "row") else space
        self._seen(f"S.seen_move({name!r}, {comp}, {before}, {dest}, {spot})")

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
        if self.geometry(place).grows:
            self.line(f"if {space} in {self.grown(place)}.cells: {self.fail('D0906', st.span, TAKEN)}")
            self.line(f"{self.grown(place)}.put({space}, {comp})")
        else:
            base = self.cells_base(place)
            self.line(f"if I[{base} + {space}] != -1: {self.fail('D0906', st.span, TAKEN)}")
            self.line(f"I[{base} + {space}] = {comp}")
        self.line(f"insort(L[{dest}], {comp})")
        self.line(f"I[{layout.cell} + {comp}] = {space}")
        self.line(f"I[{layout.turned} + {comp}] = {turn}")

    def s_move_on(self, st: St) -> None:
        thing, target = st.args
        base = self.layout.comps[thing.type.name].on
        comp = self.known(thing)
        slot = str(base + comp) if comp is not None else f"{base} + {self.atom(thing)}"
        self.line(f"I[{slot}] = {self.emit(target)}")
        self._seen(f"S.seen_stand({thing.type.name!r}, {slot} - {base})")

    def s_move_set(self, st: St) -> None:
        things, place = st.args
        name = self.temp("c")
        with self.block(f"for {name} in tuple({self.iterable(things)}):"):
            self.place_comp(name, things.type.of.name, place, None, None, st.data, st)

    def s_move_all(self, st: St) -> None:
        source, place = st.args
        of = source.type.of
        if of in self.game.tokens:
            kinds = len(self.game.kinds[of].values)
            src, dest = self.atom(source), self.atom(place)
            if source.type.shape in ("slot", "grid", "ring"):
                self._gather_cells(source, src, place, dest, st)
                return
            for kind in range(kinds):
                amount = self.temp("n")
                self.line(f"{amount} = I[{src} + {kind}]")
                with self.block(f"if {amount}:"):
                    if place.type.shape == "slot":
                        self.line(
                            f"if {amount} > 1 or I[{dest}] != -1: {self.fail('D0906', st.span, SLOT_FULL)}"
                        )
                        self.line(f"I[{src} + {kind}] = 0; I[{dest}] = {kind}")
                        self._seen(f"S.seen_tokens({of!r}, 1, {kind}, {src}, {dest})")
                    else:
                        self.shift(amount, str(kind), source, src, place, dest, st, checked=True)
            return
        if source.type.shape == "deck" or place.type.shape in ("grid", "ring"):
            self.line(
                f"move_everything(I, L, {self.layout.comps[of].where}, {self.condition(source)}, {self.condition(place)})"
            )
            self._seen(f"S.seen_all({of!r}, {self.condition(source)}, {self.condition(place)})")
            return
        name = self.temp("c")
        with self.block(f"for {name} in tuple(L[{self.condition(source)}]):"):
            self.place_comp(name, of, place, None, None, st.data, st)

    def _gather_cells(self, source: Ex, src: str, place: Ex, dest: str, st: St) -> None:
        cells = 1 if source.place_type.shape == "slot" else self.geometry(source).size
        name, kind = self.temp("s"), self.temp("k")
        with self.block(f"for {name} in range({src}, {src} + {cells}):"):
            self.line(f"{kind} = I[{name}]")
            with self.block(f"if {kind} >= 0:"):
                self.line(f"I[{name}] = -1")
                self.index(source, "L[{0}].remove({1})", kind, f"{name} - {src}")
                if place.place_type.shape == "slot":
                    self.line(f"if I[{dest}] != -1: {self.fail('D0906', st.span, SLOT_FULL)}")
                    self.line(f"I[{dest}] = {kind}")
                    self._seen(f"S.seen_tokens({source.place_type.of!r}, 1, {kind}, {src}, {dest})")
                else:
                    self.line(f"I[{dest} + {kind}] += 1")
                    self._seen(f"S.seen_tokens({source.place_type.of!r}, 1, {kind}, {src}, {dest})")
                    self._spill(kind, place, dest, st)

    # ------------------------------------------------------------ moving tokens
    def s_move_tokens(self, st: St) -> None:
        amount, kind, source, place, at = st.args
        src, dest = self.atom(source), self.atom(place)
        what = self.atom(kind)
        if source.type.shape in ("grid", "ring"):
            self.line(self.fail("D0316", st.span))
            return
        if place.type.shape in ("grid", "ring", "slot"):
            cell = f"{dest} + {self.emit(at)}" if at is not None else dest
            slot = self.temp("s")
            if cell.replace(" ", "").replace("+", "").isdigit():
                cell = str(sum(int(part) for part in cell.split("+")))
            self.line(f"{slot} = {cell}")
            left = self.temp("n")
            self.line(f"{left} = I[{src} + {what}]")
            self.line(f"if {left} < 1: {self.fail('D0901', st.span, '1', left)}")
            self.line(
                f"if I[{slot}] != -1: {self.fail('D0906', st.span, SLOT_FULL if place.type.shape == 'slot' else TAKEN)}"
            )
            self.line(f"I[{src} + {what}] = {left} - 1")
            self.line(f"I[{slot}] = {what}")
            self.index(place, "insort(L[{0}], {1})", what, f"{slot} - {dest}")
            self._seen(f"S.seen_tokens({source.place_type.of!r}, 1, {what}, {src}, {dest}, {slot} - {dest})")
            return
        self.shift(self.atom(amount), what, source, src, place, dest, st, checked=amount.op == "tally")

    def shift(
        self, amount: str, kind: str, source: Ex, src: str, place: Ex, dest: str, st: St, *, checked: bool
    ) -> None:
        """Move a number of tokens of one kind between two bags."""
        if not checked:
            self.line(
                f"if not 0 <= {amount} <= I[{src} + {kind}]: {self.fail('D0901', st.span, amount, f'I[{src} + {kind}]')}"
            )
        self.line(f"I[{src} + {kind}] -= {amount}")
        self.line(f"I[{dest} + {kind}] += {amount}")
        self._seen(f"S.seen_tokens({source.place_type.of!r}, {amount}, {kind}, {src}, {dest})")
        self._spill(kind, place, dest, st)

    def _spill(self, kind: str, place: Ex, dest: str, st: St) -> None:
        """Tokens of a kind have come to a bag: what is too much goes on to where the rest goes."""
        if place.op != "place" or place.data.cap is None:
            return
        of = place.place_type.of
        cap = self.emit(place.data.cap)
        kinds = len(self.game.kinds[of].values)
        over = self.temp("n")
        self.line(f"{over} = sum(I[{dest}:{dest} + {kinds}]) - {cap}")
        with self.block(f"if {over} > 0:"):
            if place.data.rest is None:
                self.line(self.fail("D0906", st.span, FULL))
            else:
                self.line(f"I[{dest} + {kind}] -= {over}")
                rest = self.atom(_rest_of(place))
                self.line(f"I[{rest} + {kind}] += {over}")
                self._seen(f"S.seen_tokens({of!r}, {over}, {kind}, {dest}, {rest})")

    def s_move_cell(self, st: St) -> None:
        source, space, place, at = st.args
        here = self.temp("s")
        base = self.cells_base(source)
        self.line(f"{here} = {base} + {self.emit(space)}")
        kind = self.temp("k")
        self.line(f"{kind} = I[{here}]")
        self.line(f"if {kind} < 0: {self.fail('D0910', space.span, NOTHING_THERE)}")
        self.line(f"I[{here}] = -1")
        self.index(source, "L[{0}].remove({1})", kind, f"{here} - {base}")
        if place.type.shape in ("grid", "ring", "slot"):
            there = self.temp("s")
            self.line(
                f"{there} = {self.cells_base(place)} + {self.emit(at)}"
                if at is not None
                else f"{there} = {self.emit(place)}"
            )
            self.line(f"if I[{there}] != -1: {self.fail('D0906', st.span, TAKEN)}")
            self.line(f"I[{there}] = {kind}")
            self.index(place, "insort(L[{0}], {1})", kind, f"{there} - {self.cells_base(place)}")
            self._seen(
                f"S.seen_tokens({source.place_type.of!r}, 1, {kind}, {base}, {self.cells_base(place)}, {there} - {self.cells_base(place)})"
            )
        else:
            dest = self.atom(place)
            self.line(f"I[{dest} + {kind}] += 1")
            self._seen(f"S.seen_tokens({source.place_type.of!r}, 1, {kind}, {base}, {dest})")

    def index(self, place: Ex, change: str, kind: str, space: str) -> None:
        """Keep the list of the spaces of each kind, for grids that are searched by kind."""
        if place.op == "place":
            base = self.layout.indexed.get(self.place_key(place.data))
            if base is not None:
                self.line(change.format(f"{base} + {kind}", space))

    def s_draw_one(self, st: St) -> None:
        what, source, place, at = st.args
        name = source.type.of
        code = self.emit(what)
        if name in self.game.tokens:
            src, dest = self.atom(source), self.atom(place)
            if place.type.shape in ("slot", "grid", "ring"):
                one = Ex("const", t.Num(1, 1), st.span, data=1)
                kind = Ex("raw", t.Kind(name), st.span, data=code)
                self.s_move_tokens(St("move_tokens", st.span, (one, kind, source, place, at)))
                return
            self.shift("1", code, source, src, place, dest, st, checked=True)
            return
        self.place_comp(code, name, place, at, None, st.data, st, source)

    def s_peek_one(self, st: St) -> None:
        what, place = st.args
        dest, comp = self.atom(place), self.emit(what)
        self.line(f"peek_one(L, {dest}, {comp})")

    def s_peek_show(self, st: St) -> None:
        place, amount = st.args
        self.line(f"peek_show(L, {self.atom(place)}, {self.emit(amount)}, {self.audience(st.data)})")
        self._seen(
            f"S.seen_peek({place.type.of!r}, {self.atom(place)}, {self.emit(amount)}, {self.audience(st.data)})"
        )

    def s_shuffle(self, st: St) -> None:
        place, into = st.args
        src, dest = self.atom(place), self.atom(into)
        self.line(
            f"shuffle(I, L, {self.layout.comps[into.type.of].where}, {src}, {dest}, {place.type.shape == 'deck'})"
        )
        self._seen(f"S.seen_shuffle({src}, {dest})")

    def s_swap(self, st: St) -> None:
        left, right = st.args
        if left.op in ("state", "rec_field"):
            a, b = self.state_slot(left), self.state_slot(right)
            if left.op == "rec_field":
                decl, name = left.data
                sizes = self.layout.records[decl.name][2][name][1]
                given = len(left.args) - 1
                width = 1
                for size in sizes[given:]:
                    width *= size
                self.line(f"swap_slices(I, {a}, {b}, {width})")
                return
            self.line(f"I[{a}], I[{b}] = I[{b}], I[{a}]")
            return
        if isinstance(left.type, t.Place):
            of = left.type.of
            a, b = self.atom(left), self.atom(right)
            if of in self.game.tokens:
                width = 1 if left.type.shape == "slot" else len(self.game.kinds[of].values)
                self.line(f"swap_slices(I, {a}, {b}, {width})")
            else:
                self.line(f"swap_places(I, L, {self.layout.comps[of].where}, {a}, {b})")
            self._seen(f"S.seen_swap({of!r}, {a}, {b})")
            return
        name = left.type.name
        layout = self.layout.comps[name]
        a, b = self.atom(left), self.atom(right)
        self.line(f"swap_comps(I, L, G, {layout.where}, {layout.cell}, {layout.turned}, {a}, {b}, CELLS)")
        self._seen(f"S.seen_exchange({name!r}, {a}, {b})")

    # ------------------------------------------------------------ seeing
    def audience(self, who: Any) -> str:
        """A mask of seats."""
        if who == "all":
            return str((1 << self.layout.players) - 1)
        if who == "nobody":
            return "0"
        return self.set_value(who, t.PLAYER)

    def _grant_slots(self, ex: Ex) -> list[str]:
        if ex.op == "places_of":
            key = self.place_key(ex.data)
            base = self.layout.grants[key]
            name = self.temp("p")
            self.line(
                f"{name} = {self.set_value(ex.args[0], t.PLAYER) if isinstance(ex.args[0].type, t.SetOf) else self.emit(ex.args[0])}"
            )
            return [f"({base}, {name})"]
        if ex.op == "state":
            key = self.state_key(ex.data)
            base, sizes, lows = self.layout.states[key]
            return [f"{self.offset(self.layout.grants[key], ex.args, sizes, lows)}"]
        key = self.place_key(ex.data)
        base, sizes, lows, _ = self.layout.places[key]
        return [f"{self.offset(self.layout.grants[key], ex.args, sizes, lows)}"]

    def s_reveal(self, st: St) -> None:
        self._grant(st.args[0], self.audience(st.data))

    def _grant(self, ex: Ex, mask: str) -> str | None:
        (slot,) = self._grant_slots(ex)
        who = self.temp("v")
        self.line(f"{who} = {mask}")
        if ex.op == "places_of":
            key = self.place_key(ex.data)
            base = self.layout.grants[key]
            owners = slot.strip("()").split(", ")[1]
            saved = self.temp("v")
            self.line(f"{saved} = tuple(I[{base}:{base + self.layout.players}])")
            with self.block(f"for p in bits({owners}):"):
                self.line(f"I[{base} + p] |= {who}")
                self._seen(f"S.seen_place({key!r}, p, {who})")
            return saved
        saved = self.temp("v")
        self.line(f"{saved} = I[{slot}]")
        self.line(f"I[{slot}] |= {who}")
        if ex.op == "state":
            key = self.state_key(ex.data)
            self._seen(f"S.seen_set({key!r}, {slot} - {self.layout.grants[key]})")
        else:
            key = self.place_key(ex.data)
            self._seen(f"S.seen_place({key!r}, {slot} - {self.layout.grants[key]}, {who})")
        return saved

    def s_show_on(self, st: St) -> None:
        audience, var = st.data
        saved = self._grant(st.args[0], self.audience(audience))
        self.bind(var, str(saved))

    def s_show_off(self, st: St) -> None:
        ex = st.args[0]
        saved = self.env[st.data.uid]
        if ex.op == "places_of":
            base = self.layout.grants[self.place_key(ex.data)]
            self.line(f"I[{base}:{base + self.layout.players}] = {saved}")
            return
        (slot,) = self._grant_slots(ex)
        self.line(f"I[{slot}] = {saved}")

    def s_show(self, st: St) -> None:
        var = Var("shown", f"shown_{self.temp()}", t.UNKNOWN)
        self.s_show_on(St("show_on", st.span, st.args, data=(st.data, var)))
        self.stmts(st.body)
        self.s_show_off(St("show_off", st.span, st.args, data=var))

    def s_atomic_on(self, st: St) -> None:
        self.line("S.atomic += 1")

    def s_atomic_off(self, st: St) -> None:
        self.line("S.atomic -= 1")
        for name in self.pool.all_endings():
            self.line(f"{name}(S, I, L)")

    def s_atomic(self, st: St) -> None:
        self.s_atomic_on(st)
        self.stmts(st.body)
        self.s_atomic_off(st)

    def s_seal(self, st: St) -> None:
        self.line("S.seal()")

    def s_unseal(self, st: St) -> None:
        self.line("S.unseal()")


def _rest_of(place: Ex) -> Ex:
    """Where the rest goes: `my` in its path means the owner of the place."""
    rest: Ex = place.data.rest
    return _with_me(rest, place.args[0]) if place.data.owner == "player" else rest


def _with_me(ex: Ex, me: Ex) -> Ex:
    if ex.op == "me":
        return me
    args = tuple(_with_me(a, me) if isinstance(a, Ex) else a for a in ex.args)
    return Ex(ex.op, ex.type, ex.span, args, ex.data)
