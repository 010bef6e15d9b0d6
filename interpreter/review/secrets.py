"""What an expression gives away: the secrets that its value depends on.

A *secret* is one read of something that not everybody sees: the contents, the
size or the top of a place, a state, a secret roll. It carries who knows it and
where it is read. The *label* of an expression is the set of secrets in it;
nothing in a label is seen by all.

Players are known by *tokens*, words that stand for whoever is meant: `p_12`
for the variable of a loop, `seat 1`, `left(p_12)`. Two equal tokens are one
player; of two different ones nothing is known, so what belongs to one is taken
to be hidden from the other. `Sight` is what is known at one point of a body.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import evolve, field, frozen

from ...grammar import Span
from .. import types as t
from ..core import CheckedGame, Comp, DefineDecl, Ex, PlaceDecl, St, StateDecl, free_vars
from .trees import own_expressions

Label = frozenset["Secret"]
NOTHING: Label = frozenset()
EVERYBODY = "*"
LONGEST_TOKEN = 60
_LOOKS = frozenset(("tally", "cell", "nth", "slot_kind", "is_at", "frontier", "beside"))
"""Questions that are shown as a whole when they are about something hidden."""


@frozen
class Secret:
    """One read of something hidden."""

    what: str
    """`contents`, `size`, `top`, `whereabouts`, `state` or `roll`."""
    decl: Any
    owner: str | None
    viewers: frozenset[str]
    span: Span

    def seen_by(self, player: str | None) -> bool:
        return includes(self.viewers, player)


@frozen
class Grant:
    """Something shown or revealed: of whom, and to whom. An owner `!p` means everybody but p."""

    decl: Any
    owner: str | None
    viewers: frozenset[str]

    def covers(self, decl: Any, owner: str | None) -> bool:
        if decl is not self.decl:
            return False
        if self.owner is None or self.owner == EVERYBODY:
            return True
        return self.owner == owner or (self.owner.startswith("!") and owner != self.owner[1:])


def includes(viewers: Iterable[str], player: str | None) -> bool:
    """Is a player among these? `!p` are all but p."""
    return any(
        v in (EVERYBODY, player) or (v.startswith("!") and player is not None and v[1:] != player)
        for v in viewers
    )


@frozen
class PlaceRef:
    decl: PlaceDecl
    owner: str | None


@frozen
class Binding:
    """What is known of a local name."""

    token: str | None = None
    label: Label = NOTHING
    place: PlaceRef | None = None
    of: str | None = None
    """The one other name that all its secrets come from: who learns that learns this."""


@frozen
class Sight:
    """What is known at one point: who decides, whose turn it is, names, what is shown, and the
    secrets on which it depends that this point is reached at all (`pc`)."""

    me: str | None = None
    active: str | None = None
    vars: dict[str, Binding] = field(factory=dict)
    grants: frozenset[Grant] = frozenset()
    pc: Label = NOTHING
    told: bool = False
    """Since `pc` was last looked at, somebody was asked: all know where play stands."""
    sealed: bool = False

    def bind(self, uid: str, binding: Binding) -> Sight:
        return evolve(self, vars={**self.vars, uid: binding})

    def fresh(self, uid: str) -> str:
        """A token for a new name; a rule inside itself binds its names again."""
        return f"{uid}'" if uid == self.me else uid

    def sees(self, secret: Secret) -> bool:
        """Does who decides here see it?"""
        return secret.seen_by(self.me) or any(
            g.covers(secret.decl, secret.owner) and includes(g.viewers, self.me) for g in self.grants
        )

    def public(self, secret: Secret) -> bool:
        return EVERYBODY in secret.viewers or any(
            g.covers(secret.decl, secret.owner) and EVERYBODY in g.viewers for g in self.grants
        )


def knowing(label: Label, viewers: frozenset[str]) -> Label:
    """The label of what some more players have learned."""
    if EVERYBODY in viewers:
        return NOTHING
    return frozenset(evolve(secret, viewers=secret.viewers | viewers) for secret in label)


class Reader:
    """Labels and tokens of expressions."""

    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self.private_decks: set[PlaceDecl] = set()
        """Decks in which somebody knows a card that others do not."""
        self._calls: dict[Any, Label] = {}
        self._opening: set[str] = set()
        self._by_kind: dict[str, list[PlaceDecl]] = {}
        for place in game.places.values():
            self._by_kind.setdefault(place.of, []).append(place)

    def forget(self) -> None:
        """What was worked out may have changed."""
        self._calls.clear()

    # ------------------------------------------------------------ players
    def token(self, ex: Ex, s: Sight) -> str | None:
        """Who an expression of a player stands for."""
        match ex.op:
            case "me":
                return s.me
            case "local":
                binding = s.vars.get(ex.data.uid)
                return binding.token if binding is not None else None
            case "active":
                return s.active or "active"
            case "some" | "in_range":
                return self.token(ex.args[0], s)
            case "player" if ex.args and ex.args[0].op == "const":
                return f"seat {ex.args[0].data}"
            case "left" | "right":
                inner = self.token(ex.args[0], s)
                made = f"{ex.op}({inner})"
                return made if inner is not None and len(made) < LONGEST_TOKEN else None
            case "call" if ex.data.name not in self._opening:
                self._opening.add(ex.data.name)
                found = self.token(ex.data.body, self._inside(ex.data, ex.args, s))
                self._opening.discard(ex.data.name)
                return found
            case "state" if not ex.args:
                return f"state {ex.data.name}"
        return None

    def audience(self, seen: Any, owner: str | None, s: Sight) -> frozenset[str]:
        """The players that a `seen by` names."""
        match seen:
            case "all":
                return frozenset((EVERYBODY,))
            case None | "nobody":
                return frozenset()
            case "owner":
                return frozenset((owner,)) if owner is not None else frozenset()
            case Ex():
                return frozenset(self._players(seen, s))
        return frozenset()

    def _players(self, ex: Ex, s: Sight) -> Iterator[str]:
        match ex.op:
            case "players":
                yield EVERYBODY
            case "set" | "union":
                for arg in ex.args:
                    yield from self._players(arg, s)
            case "others":
                who = self.token(ex.args[0], s)
                if who is not None:
                    yield f"!{who}"
            case "as_set" | "snapshot" | "partition":
                yield from self._players(ex.args[0], s)
            case "call" if not isinstance(ex.type, t.Player):
                yield from self._players(ex.data.body, self._inside(ex.data, ex.args, s))
            case _:
                who = self.token(ex, s)
                if who is not None:
                    yield who

    # ------------------------------------------------------------ places
    def place(self, ex: Ex, s: Sight) -> PlaceRef | None:
        """The place that an expression stands for, if that can be told."""
        if ex.op == "place":
            owner = self.token(ex.args[0], s) if ex.data.owner == "player" and ex.args else None
            return PlaceRef(ex.data, owner)
        if ex.op == "local":
            binding = s.vars.get(ex.data.uid)
            return binding.place if binding is not None else None
        return None

    def viewers(self, ref: PlaceRef, what: str, s: Sight) -> frozenset[str]:
        decl = ref.decl
        audiences = [decl.seen]
        if what == "size":
            audiences.append(decl.size_seen)
        elif what == "top" and decl.shape == "deck":
            if decl not in self.private_decks:
                return frozenset((EVERYBODY,))  # what is known of it, all know
        elif what == "top":
            audiences.append(decl.top_seen)
        found = frozenset[str]().union(*(self.audience(a, ref.owner, s) for a in audiences))
        shown = [g.viewers for g in s.grants if g.covers(decl, ref.owner)]
        return found.union(*shown)

    def look(self, ex: Ex, what: str, s: Sight, span: Span | None = None) -> Label:
        """The label of a look into a place; `span` is that of the whole question."""
        span = span or ex.span
        ref = self.place(ex, s)
        inside = NOTHING.union(*(self.label(arg, s) for arg in ex.args if isinstance(arg, Ex)))
        if ref is None:
            of = ex.type.of if isinstance(ex.type, t.Place) else ""
            return inside | self._any_place(of, what, span, s)
        viewers = self.viewers(ref, what, s)
        if EVERYBODY in viewers:
            return inside
        return inside | {Secret(what, ref.decl, ref.owner, viewers, span)}

    def _any_place(self, of: str, what: str, span: Span, s: Sight, shapes: tuple[str, ...] = ()) -> Label:
        """A look into one of the places of a kind, who knows which."""
        for decl in self._by_kind.get(of, ()):
            if shapes and decl.shape not in shapes:
                continue
            viewers = self.viewers(PlaceRef(decl, None), "size" if what == "size" else "contents", s)
            if EVERYBODY not in viewers:
                return frozenset((Secret(what, decl, None, frozenset(), span),))
        return NOTHING

    # ------------------------------------------------------------ labels
    def label(self, ex: Ex | None, s: Sight) -> Label:
        if ex is None:
            return NOTHING
        match ex.op:
            case (
                "const" | "option" | "players" | "player_count" | "universe" | "me" | "active" | "turn_number"
            ):
                return NOTHING
            case "total_token" | "total_comp" | "revealed":
                return NOTHING
            case "local":
                binding = s.vars.get(ex.data.uid)
                return binding.label if binding is not None else NOTHING
            case "state":
                return self._state(ex, s)
            case "place":
                return self.look(ex, "contents", s)
            case "size" | "empty":
                return self.look(ex.args[0], "size", s)
            case "top" | "bottom":
                known = ex.op == "top" or _is_deck(ex.args[0])
                return self.look(ex.args[0], "top" if known else "contents", s, ex.span)
            case "comp_owner" | "comp_place":
                return self.label(ex.args[0], s) | self._any_place(ex.data.name, "whereabouts", ex.span, s)
            case "comp_space" | "turned":
                where = self._any_place(ex.data.name, "whereabouts", ex.span, s, ("grid", "ring"))
                return self.label(ex.args[0], s) | where
            case "eq" | "ne" if _asks_for_room(ex):
                (look,) = (arg for arg in ex.args if not isinstance(arg.type, t.Nothing))
                return self.look(look.args[0], "size", s, ex.span) | self.labels(look.args[1:], s)
            case "and":
                left, right = ex.args
                return self.label(left, s) | self.label(right, self.narrowed(left, s))
            case "if":
                condition, yes, no = ex.args
                inner = self.narrowed(condition, s)
                return self.label(condition, s) | self.label(yes, inner) | self.label(no, s)
            case "comp":
                return self._comprehension(ex.data, s)
            case "call":
                return self._call(ex, s)
            case "can":
                return self.header(ex.data, ex.args, s)
            case "can_menu":
                actions = self.game.menus.get(ex.data, ())
                return NOTHING.union(*(self.header(name, ex.args, s) for name in actions))
        return self.labels(ex.args, s, ex.span if ex.op in _LOOKS else None)

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

    def _state(self, ex: Ex, s: Sight) -> Label:
        decl: StateDecl = ex.data
        inside = self.labels(ex.args, s)
        owner = self.token(ex.args[0], s) if decl.owner == "player" and ex.args else None
        viewers = self.audience(decl.seen, owner, s)
        viewers = viewers.union(*(g.viewers for g in s.grants if g.covers(decl, owner)))
        if EVERYBODY in viewers:
            return inside
        return inside | {Secret("state", decl, owner, viewers, ex.span)}

    def _call(self, ex: Ex, s: Sight) -> Label:
        decl: DefineDecl = ex.data
        inner = self._inside(decl, ex.args, s)
        key = (decl.name, tuple(inner.vars.items()), s.me, s.active, s.grants)
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
            return Binding(place=self.place(ex, s), label=self.labels(ex.args, s))
        token = self.token(ex, s) if isinstance(t.plain(ex.type), t.Player) else None
        return Binding(token, self.label(ex, s))

    # ------------------------------------------------------------ binders
    def _comprehension(self, comp: Comp, s: Sight) -> Label:
        found, s = self.generators(comp.gens, s)
        return found | self.labels((comp.value, *comp.by, comp.while_), s)

    def generators(self, gens: Iterable[Any], s: Sight) -> tuple[Label, Sight]:
        """What binders read, and the sight behind them."""
        found = NOTHING
        for gen in gens:
            for var, domain in gen.cells:
                found |= self.label(domain, s)
                s = s.bind(var.uid, self._element(var, self.label(domain, s), s))
            label = self.labels((gen.domain,), s)
            found |= label
            s = s.bind(gen.var.uid, self._element(gen.var, label, s))
            for condition in gen.where:
                found |= self.label(condition, s)
                s = self.narrowed(condition, s)
        return found, s

    def _element(self, var: Any, label: Label, s: Sight) -> Binding:
        return Binding(s.fresh(var.uid) if isinstance(var.type, t.Player) else None, label)

    def narrowed(self, condition: Ex, s: Sight) -> Sight:
        """The sight where a condition holds: `p = me` makes them one."""
        if condition.op == "and":
            return self.narrowed(condition.args[1], self.narrowed(condition.args[0], s))
        if condition.op == "eq" and all(isinstance(t.plain(a.type), t.Player) for a in condition.args):
            left, right = condition.args
            for one, other in ((left, right), (right, left)):
                token = self.token(other, s)
                if one.op == "local" and one.data.uid in s.vars and token is not None:
                    return s.bind(one.data.uid, evolve(s.vars[one.data.uid], token=token))
        return s

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
            if st.op == "require":
                found |= self.label(st.args[0], s)
                s = self.narrowed(st.args[0], s)
            elif st.op == "let":
                s = s.bind(st.data.uid, self.binding(st.args[0], s))
            elif st.op == "choose":
                label, inner = self.generators(st.data.gens, s)
                if possible and _free_choice(st, header):
                    label = NOTHING.union(*(self._any_at_all(gen.domain, s) for gen in st.data.gens))
                found |= label
                s = inner
        return found

    def _any_at_all(self, domain: Ex, s: Sight) -> Label:
        if domain.op == "items":
            return self.look(domain.args[0], "size", s)
        return self.label(domain, s)


def _asks_for_room(ex: Ex) -> bool:
    """`board[s] = none`: who sees how much lies somewhere has also seen where it was put."""
    looks = [arg for arg in ex.args if not isinstance(arg.type, t.Nothing)]
    return (
        len(looks) == 1
        and looks[0].op in ("cell", "top", "bottom", "nth", "slot_kind")
        and not _is_deck(looks[0].args[0])
    )


def _is_deck(ex: Ex) -> bool:
    return isinstance(ex.type, t.Place) and ex.type.shape == "deck"


def _free_choice(st: St, header: tuple[St, ...]) -> bool:
    """Is every value of the binders possible? Then it matters only whether there is one."""
    mine = {gen.var.uid for gen in st.data.gens}
    rest = header[header.index(st) + 1 :]
    read = [gen.domain for gen in st.data.gens] + [ex for other in rest for ex in own_expressions(other)]
    return not any(gen.where or gen.cells for gen in st.data.gens) and not any(
        mine & free_vars(ex) for ex in read
    )
