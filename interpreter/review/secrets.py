"""What an expression gives away: the secrets that its value depends on.

The *label* of an expression is the set of secrets in it (sights.py); nothing in a
label is seen by all. Who is meant by a player's name, and which cell by an index,
is told by words (people.py): what belongs to one is taken to be hidden from another
unless both are surely the same.

An operation that is not listed here is not let pass: it is noted in `unknown`, and
flow.py says that the check could not be completed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, assert_never

from ...grammar import Span
from ..core import (
    And,
    Apply,
    Attribute,
    Audience,
    CallDefine,
    Can,
    CanMenu,
    CheckedGame,
    Choose,
    Conditional,
    Const,
    Coordinate,
    Ex,
    Field,
    InRange,
    Let,
    Local,
    Lookup,
    Me,
    Near,
    Option,
    Or,
    OwnedPiece,
    PartitionOf,
    PlaceDecl,
    PlaceIs,
    PlaceRef,
    RecordField,
    Reduction,
    Require,
    Rows,
    SeenBy,
    SeenByAll,
    SeenByNobody,
    SeenByOwner,
    SpaceAt,
    St,
    StateDecl,
    StateRef,
    TotalComponents,
    TotalTokens,
    Universe,
    applies,
    free_vars,
    operands,
    word_of,
)
from ..core import value_types as t
from ..core.dispatch import Key, key_of
from ..core.operators import OPERATORS
from .people import ALL, NO_ONE, UNKNOWN, AllBut, People, Viewer, Viewers, Who
from .sights import NOTHING, Binding, Cell, Label, PlaceSeen, Secret, Sight, evolve, owner_of
from .trees import own_expressions

_LOOKS = frozenset[Key](row.name for row in OPERATORS.values() if row.looks == "contents")
"""Questions that are shown as a whole when they are about something hidden."""
_OPEN: tuple[type[Ex], ...] = (Const, Option, Universe, Me, TotalTokens, TotalComponents)
OPEN = frozenset[Key](_OPEN) | {row.name for row in OPERATORS.values() if row.told}
"""Operations whose value is no secret, whatever they are about."""
_PLAIN: tuple[type[Ex], ...] = (
    Field,
    Lookup,
    RecordField,
    Rows,
    PartitionOf,
    OwnedPiece,
    PlaceIs,
    InRange,
    Near,
    SpaceAt,
    Coordinate,
)
PLAIN = _LOOKS | frozenset[Key](_PLAIN) | {row.name for row in OPERATORS.values() if row.plain}
"""Operations whose value follows from their operands, and from nothing else that is hidden."""


class Reader:
    """Labels of expressions, and words for whom and what they mean."""

    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self.people = People(game.players)
        self.private_decks: set[PlaceDecl] = set()
        """Decks in which somebody knows a card that others do not."""
        self.unknown: dict[str, Span] = {}
        """Operations that nothing is known of, each with a place where it is used."""
        self._calls: dict[Any, Label] = {}
        self._opening: set[str] = set()
        self._by_kind: dict[str, list[PlaceDecl]] = {}
        for place in game.places.values():
            self._by_kind.setdefault(place.of, []).append(place)

    def forget(self) -> None:
        """What was worked out may have changed."""
        self._calls.clear()

    # ------------------------------------------------------------ players and indices
    def who(self, ex: Any, s: Sight) -> Who:
        """A word for the value of an expression: the same word only for the same value."""
        if not isinstance(ex, Ex):
            return UNKNOWN
        match ex:
            case Me():
                return s.me or UNKNOWN
            case Local():
                binding = s.vars.get(ex.var.uid)
                return binding.who if binding is not None else UNKNOWN
            case Apply(op="active"):
                return s.active or UNKNOWN
            case InRange(of=value) | Apply(op="some", args=(value,)):
                return self.who(value, s)
            case Apply(op="player") if ex.args and isinstance(ex.args[0], Const):
                return self.people.seat(ex.args[0].value)
            case Apply(op="left" | "right"):
                return self.people.step(self.who(ex.args[0], s), 1 if applies(ex, "left") else -1)
            case Const():
                return Who(f"= {ex.value}")
            case Option():
                return Who(f"option {getattr(ex.name, 'name', ex.name)}")
            case CallDefine() if ex.define.name not in self._opening:
                self._opening.add(ex.define.name)
                found = self.who(ex.define.body, self._inside(ex.define, ex.args, s))
                self._opening.discard(ex.define.name)
                return found
            case StateRef() if not ex.indices and ex.state.until is None:
                return Who(state_word(ex.state))
        return UNKNOWN

    def audience(self, seen: Audience | None, owner: Who, s: Sight) -> Viewers:
        """The players that a `seen by` surely names."""
        match seen:
            case SeenByAll():
                return ALL
            case SeenByOwner():
                return frozenset((owner,)) if owner != UNKNOWN else NO_ONE
            case SeenBy():
                named = self._players(seen.players, s)
                return frozenset(v for v in named if v not in (UNKNOWN, AllBut(UNKNOWN)))
            case SeenByNobody() | None:
                return NO_ONE
            case _:
                assert_never(seen)

    def _players(self, ex: Ex, s: Sight) -> Iterator[Viewer]:
        match ex:
            case Apply(op="players" | "clockwise"):
                yield AllBut()
            case Apply(op="set" | "union"):
                for arg in ex.args:
                    yield from self._players(arg, s)
            case Apply(op="others"):
                yield AllBut(self.who(ex.args[0], s))
            case PartitionOf(player=player):
                yield from self._players(player, s)
            case Apply(op=op, args=(same,)) if OPERATORS[op].recast:
                yield from self._players(same, s)
            case CallDefine() if not isinstance(ex.type, t.Player) and ex.define.name not in self._opening:
                self._opening.add(ex.define.name)
                yield from list(self._players(ex.define.body, self._inside(ex.define, ex.args, s)))
                self._opening.discard(ex.define.name)
            case _ if isinstance(t.plain(ex.type), t.Player):
                yield self.who(ex, s)

    def excluded(self, domain: Ex, s: Sight) -> frozenset[Who]:
        """Players who are surely not among these."""
        match domain:
            case Apply(op="others"):
                return frozenset((self.who(domain.args[0], s),)) - {UNKNOWN}
            case InRange():
                return self.excluded(domain.of, s)
            case Apply(op=op) if OPERATORS[op].recast:
                return self.excluded(domain.args[0], s)
            case Apply(op="difference"):
                left, right = domain.args
                gone = {v for v in self._players(right, s) if isinstance(v, Who) and v != UNKNOWN}
                return self.excluded(left, s) | gone
            case Conditional(then=one, otherwise=other) | Apply(op="union", args=(one, other)):
                return self.excluded(one, s) & self.excluded(other, s)
            case Apply(op="set"):
                members = [self.who(arg, s) for arg in domain.args]
                around = {b.who for b in s.vars.values()} | {w for w in (s.me, s.active) if w is not None}
                return frozenset(w for w in around if all(self.people.differ(m, w, s.apart) for m in members))
            case CallDefine() if domain.define.name not in self._opening:
                self._opening.add(domain.define.name)
                found = self.excluded(domain.define.body, self._inside(domain.define, domain.args, s))
                self._opening.discard(domain.define.name)
                return found
            case Reduction():
                return self._left_out(domain, s)
        return frozenset()

    def _left_out(self, comp: Reduction, s: Sight) -> frozenset[Who]:
        """`{q for q in players where q != p}` is without p."""
        if (
            len(comp.gens) != 1
            or not isinstance(comp.value, Local)
            or comp.value.var.uid != comp.gens[0].var.uid
        ):
            return frozenset()
        _, inner = self.generators(comp.gens, s)
        token = inner.vars[comp.gens[0].var.uid].who
        around = {w for w in s.live() if w != UNKNOWN} | {w for pair in inner.apart for w in pair}
        return frozenset(w for w in around - {token} if self.people.differ(token, w, inner.apart))

    # ------------------------------------------------------------ places
    def place(self, ex: Ex, s: Sight) -> PlaceSeen | None:
        """The place that an expression stands for, if that can be told."""
        if isinstance(ex, PlaceRef):
            return PlaceSeen(ex.place, self.cell(ex, s))
        if isinstance(ex, Local):
            binding = s.vars.get(ex.var.uid)
            return binding.place if binding is not None else None
        return None

    def cell(self, ex: PlaceRef | StateRef, s: Sight) -> Cell:
        return tuple(self.who(arg, s) for arg in ex.indices)

    def viewers(self, ref: PlaceSeen, what: str, s: Sight) -> Viewers:
        decl = ref.decl
        audiences: list[Audience | None] = [decl.seen]
        if what == "size":
            audiences.append(decl.size_seen)
        elif what in ("top", "bottom") and decl.form.hidden:
            if decl not in self.private_decks:
                return ALL  # what is known of it, all know
        elif what == "top":
            audiences.append(decl.top_seen)
        found = NO_ONE.union(*(self.audience(a, ref.owner, s) for a in audiences))
        return found | s.shown(decl, ref.cell, top=what == "top" and decl.form.hidden)

    def look(self, ex: Ex, what: str, s: Sight, span: Span | None = None) -> Label:
        """The label of a look into a place; `span` is that of the whole question."""
        span = span or ex.span
        ref = self.place(ex, s)
        inside = NOTHING.union(*(self.label(arg, s) for arg in operands(ex)))
        if isinstance(ex, Local) and (binding := s.vars.get(ex.var.uid)) is not None:
            inside |= binding.label
        if ref is None:
            of = ex.type.of if isinstance(ex.type, t.Place) else ""
            return inside | self._any_place(of, what, span, s)
        viewers = self.viewers(ref, what, s)
        if self.people.everybody(viewers):
            return inside
        return inside | {Secret(what, ref.decl, ref.cell, viewers, span)}

    def _any_place(self, of: str, what: str, span: Span, s: Sight, *, on_spaces: bool = False) -> Label:
        """A look into one of the places of a kind, who knows which."""
        for decl in self._by_kind.get(of, ()):
            if on_spaces and not decl.form.spaces:
                continue
            anywhere = (UNKNOWN,) * (len(decl.indices) + bool(decl.owner))
            viewers = self.viewers(PlaceSeen(decl, anywhere), "size" if what == "size" else "contents", s)
            if not self.people.everybody(viewers):
                return frozenset((Secret(what, decl, anywhere, NO_ONE, span),))
        return NOTHING

    # ------------------------------------------------------------ labels
    def label(self, ex: Ex | None, s: Sight) -> Label:
        if ex is None:
            return NOTHING
        if key_of(ex) in OPEN:
            return NOTHING
        match ex:
            case Local():
                binding = s.vars.get(ex.var.uid)
                if binding is None:
                    self.unknown.setdefault(f"the name `{ex.var.name}`", ex.span)
                    return NOTHING
                return binding.label
            case StateRef():
                return self._state(ex, s)
            case PlaceRef():
                return self.look(ex, "contents", s)
            case Apply(op=op) if OPERATORS[op].looks == "size":
                return self.look(ex.args[0], "size", s)
            case Apply(op=op) if OPERATORS[op].looks in ("top", "bottom"):
                known = applies(ex, "top") or _is_deck(ex.args[0])
                return self.look(ex.args[0], ex.op if known else "contents", s, ex.span)
            case Attribute(name="on"):
                return self.label(ex.of, s)
            case Attribute(name="owner" | "place"):
                return self.label(ex.of, s) | self._any_place(ex.component.name, "whereabouts", ex.span, s)
            case Attribute(name="space" | "turned"):
                where = self._any_place(ex.component.name, "whereabouts", ex.span, s, on_spaces=True)
                return self.label(ex.of, s) | where
            case Apply(op="eq" | "ne") if _asks_for_room(ex):
                (look,) = (arg for arg in ex.args if not isinstance(arg.type, t.Nothing))
                assert isinstance(look, Apply)
                return self.look(look.args[0], "size", s, ex.span) | self.labels(look.args[1:], s)
            case And():
                left, right = (ex.left, ex.right)
                return self.label(left, s) | self.label(right, self.narrowed(left, s))
            case Or():
                left, right = (ex.left, ex.right)
                return self.label(left, s) | self.label(right, self.narrowed(left, s, holds=False))
            case Conditional():
                condition, yes, no = (ex.condition, ex.then, ex.otherwise)
                inner, other = self.narrowed(condition, s), self.narrowed(condition, s, holds=False)
                return self.label(condition, s) | self.labels((yes,), inner) | self.labels((no,), other)
            case Reduction():
                return self._comprehension(ex, s)
            case CallDefine():
                return self._call(ex, s)
            case Can():
                return self.header(ex.action, ex.args, s)
            case CanMenu():
                actions = self.game.menus.get(ex.menu, ())
                return NOTHING.union(*(self.header(name, ex.args, s) for name in actions))
        key = key_of(ex)
        if key not in PLAIN:
            name = key if isinstance(key, str) else word_of(ex)
            self.unknown.setdefault(f"the operation `{name}`", ex.span)
        return self.labels(operands(ex), s, ex.span if key in _LOOKS else None)

    def labels(self, args: Iterable[Any], s: Sight, span: Span | None = None) -> Label:
        found = NOTHING
        for arg in args:
            if isinstance(arg, Ex):
                if isinstance(arg.type, t.Place):
                    found |= self.look(arg, "contents", s, span)
                else:
                    found |= self.label(arg, s)
            elif isinstance(arg, tuple):
                found |= self.labels(arg, s)
        return found

    def _state(self, ex: StateRef, s: Sight) -> Label:
        decl = ex.state
        inside = self.labels(ex.indices, s)
        cell = self.cell(ex, s)
        viewers = self.audience(decl.seen, owner_of(decl, cell), s) | s.shown(decl, cell)
        if self.people.everybody(viewers):
            return inside
        return inside | {Secret("state", decl, cell, viewers, ex.span)}

    def _call(self, ex: CallDefine, s: Sight) -> Label:
        decl = ex.define
        inner = self._inside(decl, ex.args, s)
        key = (decl.name, tuple(inner.vars.items()), s.me, s.active, s.grants, s.apart)
        if key not in self._calls:
            self._calls[key] = NOTHING  # definitions do not need themselves
            self._calls[key] = self.label(decl.body, inner)
        return self._calls[key]

    def _inside(self, decl: Any, args: tuple[Any, ...], s: Sight) -> Sight:
        names = {
            param.uid: self.binding(arg, s)
            for param, arg in zip(decl.params, args, strict=False)
            if isinstance(arg, Ex)
        }
        return evolve(s, vars=names)

    def binding(self, ex: Ex, s: Sight) -> Binding:
        """What a name for the value of an expression stands for."""
        if isinstance(ex.type, t.Place):
            return Binding(place=self.place(ex, s), label=self.labels(operands(ex), s))
        return Binding(self.who(ex, s), self.label(ex, s))

    # ------------------------------------------------------------ binders
    def _comprehension(self, comp: Reduction, s: Sight) -> Label:
        if comp.kind == "spread":
            return self._spread(comp, s)
        found, s = self.generators(comp.gens, s)
        return found | self.labels((comp.value, *comp.by, comp.while_), s)

    def _spread(self, comp: Reduction, s: Sight) -> Label:
        """Who is met on the way may be anybody, and follows from all that is read on the way."""
        first, *rest = comp.gens
        found = self.label(first.domain, s)
        while True:
            here, who = s.fresh(first.var.uid)
            more, inner = self.generators(rest, here.bind(first.var.uid, Binding(who, found)))
            more |= found | self.label(comp.value, inner)
            if more == found:
                return found
            found = more

    def generators(self, gens: Iterable[Any], s: Sight) -> tuple[Label, Sight]:
        """What binders read, and the sight behind them."""
        found = NOTHING
        for gen in gens:
            for var, domain in gen.cells:
                found |= self.label(domain, s)
                s = self._element(var, domain, self.label(domain, s), s)
            label = self.labels((gen.domain,), s)
            found |= label
            s = self._element(gen.var, gen.domain, label, s)
            for condition in gen.where:
                found |= self.label(condition, s)
                s = self.narrowed(condition, s)
        return found, s

    def _element(self, var: Any, domain: Ex, label: Label, s: Sight) -> Sight:
        """The sight where a name is bound to something out of a domain."""
        if applies(domain, "set") and len(domain.args) == 1:
            only = self.who(domain.args[0], s)
            if only != UNKNOWN:
                return s.bind(var.uid, Binding(only, label))
        if not isinstance(var.type, t.Player):
            s, who = s.fresh(var.uid)
            return s.bind(var.uid, Binding(who, label))
        without = self.excluded(domain, s)
        if self.people.pair and without:
            return s.bind(var.uid, Binding(self.people.step(min(without), 1), label))
        s, who = s.fresh(var.uid)
        for other in without:
            s = s.parted(who, other)
        return s.bind(var.uid, Binding(who, label))

    def narrowed(self, condition: Ex, s: Sight, *, holds: bool = True) -> Sight:
        """The sight where a condition holds, or does not: `p = me` makes them one, `p != me` two."""
        match condition:
            case Apply(op="not"):
                return self.narrowed(condition.args[0], s, holds=not holds)
            case And() | Or() if (isinstance(condition, And)) == holds:
                left, right = (condition.left, condition.right)
                return self.narrowed(right, self.narrowed(left, s, holds=holds), holds=holds)
            case Apply(op="eq" | "ne") if all(isinstance(t.plain(a.type), t.Player) for a in condition.args):
                same = (applies(condition, "eq")) == holds
                left, right = condition.args
                return self._one_or_two(left, right, s, same=same)
        return s

    def _one_or_two(self, left: Ex, right: Ex, s: Sight, *, same: bool) -> Sight:
        if not same and not all(isinstance(a.type, t.Player) for a in (left, right)):
            return s  # being different from nobody says nothing
        for one, other in ((left, right), (right, left)):
            who = self.who(other, s)
            if not same and self.people.pair:
                who = self.people.step(who, 1)
            if (
                (same or self.people.pair)
                and isinstance(one, Local)
                and one.var.uid in s.vars
                and who != UNKNOWN
            ):
                return s.bind(one.var.uid, evolve(s.vars[one.var.uid], who=who))
        return s if same else s.parted(self.who(left, s), self.who(right, s))

    # ------------------------------------------------------------ headers
    def header(self, action: str, args: tuple[Any, ...], s: Sight, *, possible: bool = False) -> Label:
        """What the header of an action reads."""
        rule = self.game.rules.get(action)
        if rule is None:
            return NOTHING
        return self.header_of(rule.header, self._inside(rule, args, s), possible=possible)

    def header_of(self, header: tuple[St, ...], s: Sight, *, possible: bool = False) -> Label:
        """`possible`: only whether something can be chosen, not what."""
        found = NOTHING
        for st in header:
            if isinstance(st, Require):
                found |= self.label(st.condition, s)
                s = self.narrowed(st.condition, s)
            elif isinstance(st, Let):
                s = s.bind(st.var.uid, self.binding(st.value, s))
            elif isinstance(st, Choose):
                label, inner = self.generators(st.choice.gens, s)
                if possible and _free_choice(st, header):
                    label = NOTHING.union(*(self._any_at_all(gen.domain, s) for gen in st.choice.gens))
                found |= label
                s = inner
        return found

    def _any_at_all(self, domain: Ex, s: Sight) -> Label:
        if applies(domain, "items"):
            return self.look(domain.args[0], "size", s)
        return self.label(domain, s)


def state_word(decl: StateDecl) -> str:
    """The word for whoever a state names at the moment; writing.py says when it no longer holds."""
    return f"state {decl.name}"


def _asks_for_room(ex: Apply) -> bool:
    """`board[s] = none`: who sees how much lies somewhere has also seen where it was put."""
    looks = [arg for arg in ex.args if not isinstance(arg.type, t.Nothing)]
    return (
        len(looks) == 1
        and applies(looks[0], "cell", "top", "bottom", "nth", "slot_kind")
        and not _is_deck(looks[0].args[0])
    )


def _is_deck(ex: Ex) -> bool:
    return isinstance(ex.type, t.Place) and ex.type.form.hidden


def _free_choice(st: Choose, header: tuple[St, ...]) -> bool:
    """Is every value of the binders possible? Then it matters only whether there is one."""
    gens = st.choice.gens
    mine = {gen.var.uid for gen in gens}
    rest = header[header.index(st) + 1 :]
    read = [gen.domain for gen in gens] + [ex for other in rest for ex in own_expressions(other)]
    return not any(gen.where or gen.cells for gen in gens) and not any(mine & free_vars(ex) for ex in read)
