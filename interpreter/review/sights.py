"""What is known at one point of the rules: secrets, what has been shown of them, and a sight.

A *secret* is one read of something that not everybody sees. It says what is read
(which place or state, whose, which cell), who knows it, and where it is read. A
*grant* is something that was opened: exactly this cell of this owner to exactly
these players. It covers a secret only if both surely mean the same cell, so that
one open cell does not open the others.

A secret is of the moment at which it was read. Once the place or state has been
changed, opening it no longer tells what was there: the secret is *past*, and no
grant covers it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

from attrs import field, fields, frozen

from ...grammar import Span
from ..core import PlaceDecl
from .people import NO_ONE, OWNER, UNKNOWN, AllBut, Apart, People, Viewer, Viewers, Who

MOST_PRIMES = 3
Thing = TypeVar("Thing")
Cell = tuple[Viewer, ...]
"""The owner and the indices of a place or state. In a grant also `EVERYBODY` for all of them."""


def evolve(thing: Thing, **new: Any) -> Thing:
    """As attrs does it, without asking the class for its fields every time: this is done by the ten thousand."""
    cls: Any = type(thing)
    values_of, place_of = _fields_of(cls)
    values = [*values_of(thing)]
    for name, value in new.items():
        values[place_of[name]] = value
    made: Thing = cls(*values)
    return made


@cache
def _fields_of(cls: Any) -> tuple[Callable[[Any], tuple[Any, ...]], dict[str, int]]:
    """What gives all values of a thing (of two fields at least), and the place of each field among them."""
    names = [field.name for field in fields(cls)]
    return attrgetter(*names), {name: place for place, name in enumerate(names)}


@frozen
class Secret:
    """One read of something hidden."""

    what: str
    """`contents`, `size`, `top`, `bottom`, `whereabouts`, `state` or `roll`."""
    decl: Any
    cell: Cell
    viewers: Viewers
    span: Span
    past: bool = False


Label = frozenset[Secret]
NOTHING: Label = frozenset()


@frozen
class Grant:
    """Something shown or revealed, and to whom; `top`: only what lies on top of a deck."""

    decl: Any
    cell: Cell
    viewers: Viewers
    top: bool = False

    def names(self) -> Iterator[Who]:
        yield from names_in((*self.cell, *self.viewers))


@frozen
class PlaceSeen:
    decl: PlaceDecl
    cell: Cell

    @property
    def owner(self) -> Who:
        return owner_of(self.decl, self.cell)


@frozen
class Binding:
    """What is known of a local name."""

    who: Who = UNKNOWN
    label: Label = NOTHING
    place: PlaceSeen | None = None
    of: str | None = None
    """The one other name that all its secrets come from: who learns that learns this."""


@frozen
class Sight:
    """What is known at one point: who decides, whose turn it is, names, what is shown, and the
    secrets on which it depends that this point is reached at all (`pc`)."""

    people: People = field(eq=False)
    me: Who | None = None
    active: Who | None = None
    vars: dict[str, Binding] = field(factory=dict)
    grants: frozenset[Grant] = frozenset()
    apart: Apart = frozenset()
    pc: Label = NOTHING
    told: bool = False
    """Since `pc` was last looked at, somebody was asked: all know where play stands."""
    sealed: bool = False

    # ------------------------------------------------------------ names
    def bind(self, uid: str, binding: Binding) -> Sight:
        return evolve(self, vars={**self.vars, uid: binding})

    def fresh(self, base: str) -> tuple[Sight, Who]:
        """A word for somebody new. A rule inside itself binds its names again: the word must not be
        one that still stands for somebody else, and what was known under it is forgotten."""
        live = {who.base for who in self.live()}
        name = base
        for _ in range(MOST_PRIMES):
            if name not in live:
                return self.without(name), Who(name)
            name += "'"
        return self, UNKNOWN

    def live(self) -> Iterator[Who]:
        """Everybody whom something here still speaks of, apart from grants."""
        yield from (who for who in (self.me, self.active) if who is not None)
        yield from names_of(self.pc)
        for binding in self.vars.values():
            yield binding.who
            yield from names_of(binding.label)
            if binding.place is not None:
                yield from names_in(binding.place.cell)

    def without(self, base: str) -> Sight:
        grants = frozenset(g for g in self.grants if all(who.base != base for who in g.names()))
        apart = frozenset(pair for pair in self.apart if all(who.base != base for who in pair))
        return evolve(self, grants=grants, apart=apart)

    def parted(self, a: Who, b: Who) -> Sight:
        """The sight where these two are known to be different."""
        if UNKNOWN in (a, b) or a == b:
            return self
        pair = (a, b) if a < b else (b, a)
        return evolve(self, apart=self.apart | {pair})

    def renamed(self, old: str, new: str) -> Sight:
        """Another word for whoever was meant by one, everywhere."""

        def viewer(v: Viewer) -> Viewer:
            if isinstance(v, AllBut):
                return AllBut(Who(new, v.who.steps)) if v.who is not None and v.who.base == old else v
            return Who(new, v.steps) if v.base == old else v

        def who(w: Who) -> Who:
            return Who(new, w.steps) if w.base == old else w

        def label(found: Label) -> Label:
            return frozenset(
                evolve(x, cell=tuple(map(viewer, x.cell)), viewers=frozenset(map(viewer, x.viewers)))
                for x in found
            )

        def binding(b: Binding) -> Binding:
            place = b.place and evolve(b.place, cell=tuple(map(viewer, b.place.cell)))
            return evolve(b, who=who(b.who), label=label(b.label), place=place)

        return evolve(
            self,
            me=self.me and who(self.me),
            active=self.active and who(self.active),
            vars={uid: binding(b) for uid, b in self.vars.items()},
            grants=frozenset(
                evolve(g, cell=tuple(map(viewer, g.cell)), viewers=frozenset(map(viewer, g.viewers)))
                for g in self.grants
            ),
            apart=frozenset((who(a), who(b)) for a, b in self.apart),
            pc=label(self.pc),
        )

    def relabelled(self, change: Callable[[Secret], Iterable[Secret]]) -> Sight:
        """The same with other secrets in its names."""
        return evolve(
            self,
            vars={
                uid: evolve(b, label=frozenset(x for secret in b.label for x in change(secret)))
                for uid, b in self.vars.items()
            },
        )

    def meet(self, other: Sight) -> Sight:
        """What is known when play may have come either way."""
        names = {
            uid: evolve(
                binding,
                label=binding.label | other.vars[uid].label,
                who=binding.who if binding.who == other.vars[uid].who else UNKNOWN,
            )
            for uid, binding in self.vars.items()
            if uid in other.vars
        }
        return evolve(self, vars=names, grants=self.grants & other.grants, apart=self.apart & other.apart)

    # ------------------------------------------------------------ seeing
    def shown(self, decl: Any, cell: Cell, *, top: bool = False) -> Viewers:
        """To whom a cell is open by `show`, `reveal` or `peek`."""
        out: Viewers = NO_ONE
        for grant in self.grants:
            if grant.decl is decl and (top or not grant.top) and self._covers(grant.cell, cell):
                out |= _for_owner(grant.viewers, owner_of(decl, cell), self.people)
        return out

    def _covers(self, grant: Cell, cell: Cell) -> bool:
        return len(grant) == len(cell) and all(
            isinstance(there, Who) and self.people.includes((here,), there, self.apart)
            for here, there in zip(grant, cell, strict=True)
        )

    def knowers(self, secret: Secret) -> Viewers:
        if secret.past or secret.what == "roll":
            return secret.viewers
        top = secret.what == "top" and secret.decl.form.hidden
        return secret.viewers | self.shown(secret.decl, secret.cell, top=top)

    def sees(self, secret: Secret) -> bool:
        """Does who decides here surely see it?"""
        return self.people.includes(self.knowers(secret), self.me, self.apart)

    def public(self, secret: Secret) -> bool:
        return self.people.everybody(self.knowers(secret))

    def open_to(self, secret: Secret, viewers: Viewers) -> bool:
        """Do all of these players surely see it?"""
        known = self.knowers(secret)
        if self.people.everybody(known):
            return True
        return all(
            self.people.includes(known, viewer, self.apart) if isinstance(viewer, Who) else viewer in known
            for viewer in viewers
        )


def owner_of(decl: Any, cell: Cell) -> Who:
    first = cell[0] if cell and getattr(decl, "owner", "") == "player" else UNKNOWN
    return first if isinstance(first, Who) else UNKNOWN


def _for_owner(viewers: Viewers, owner: Who, people: People) -> Viewers:
    def viewer(v: Viewer) -> Viewer:
        if isinstance(v, AllBut):
            return (
                AllBut(people.step(owner, v.who.steps))
                if v.who is not None and v.who.base == OWNER.base
                else v
            )
        return people.step(owner, v.steps) if v.base == OWNER.base else v

    return frozenset(map(viewer, viewers))


def names_in(viewers: Iterable[Viewer]) -> Iterator[Who]:
    for viewer in viewers:
        if isinstance(viewer, Who):
            yield viewer
        elif viewer.who is not None:
            yield viewer.who


def names_of(label: Label) -> Iterator[Who]:
    for secret in label:
        yield from names_in(secret.cell)
        yield from names_in(secret.viewers)


def knowing(label: Label, viewers: Viewers, people: People) -> Label:
    """The label of what some more players have learned."""
    if people.everybody(viewers):
        return NOTHING
    found = (evolve(secret, viewers=secret.viewers | viewers) for secret in label)
    return frozenset(secret for secret in found if not people.everybody(secret.viewers))
