"""Declarations of the checked game: what there is, with its types, and the bodies that happen."""

from __future__ import annotations

from typing import Any

from attrs import Factory, define

from ...grammar import Span
from . import value_types as t
from .audiences import Audience, SeenByAll
from .expressions import Ex, Var
from .headers import header
from .look import Look
from .shapes import SHAPES, Shape
from .statements import St


@define(eq=False, kw_only=True)
class Decl:
    """What every named declaration has."""

    name: str
    span: Span
    cites: tuple[str, ...] = ()
    doc: str | None = None


@define(eq=False, kw_only=True)
class OptionDecl(Decl):
    type: t.Type
    default: Any = None


@define(eq=False, kw_only=True)
class KindDecl(Decl):
    values: tuple[str, ...]


@define(eq=False, kw_only=True)
class CompDecl(Decl):
    """A component type; `count` when it has no rows."""

    fields: dict[str, t.Type] = Factory(dict)
    on: t.Type | None = None
    count: Ex | None = None
    rows: list[tuple[dict[str, int], Ex | int]] = Factory(list)
    piece: bool = False


@define(eq=False, kw_only=True)
class TokenDecl(Decl):
    amounts: tuple[Ex, ...]


@define(eq=False, kw_only=True)
class TableDecl(Decl):
    params: tuple[Var, ...]
    type: t.Type
    rows: list[tuple[tuple[Any, ...], int]] = Factory(list)


@define(eq=False, kw_only=True)
class PlaceDecl(Decl):
    owner: str  # "" for the table, "player", or a component's name
    indices: tuple[t.Type, ...]
    shape: str
    of: str
    tokens: bool
    width: Ex | None = None
    height: Ex | None = None
    seen: Audience = Factory(SeenByAll)
    size_seen: Audience = Factory(SeenByAll)
    top_seen: Audience | None = None
    cap: Ex | None = None
    rest: Ex | None = None
    per: str | None = None

    @property
    def type(self) -> t.Place:
        return t.Place(self.shape, self.of)

    @property
    def form(self) -> Shape:
        return SHAPES[self.shape]


@define(eq=False, kw_only=True)
class StateDecl(Decl):
    owner: str
    indices: tuple[t.Type, ...]
    type: t.Type
    initial: Ex
    seen: Audience = Factory(SeenByAll)
    until: str | None = None


NEXT = "next in turn"
"""Where it is kept, in games that say `next p`, whose turn of the innermost `turns` comes next."""


@define(eq=False, kw_only=True)
class RecordDecl(Decl):
    limit: Ex
    fields: dict[str, tuple[tuple[t.Type, ...], t.Type]]


@define(eq=False, kw_only=True)
class PartitionDecl(Decl):
    by: Ex
    var: Var


@define(eq=False, kw_only=True)
class DefineDecl(Decl):
    params: tuple[Var, ...]
    type: t.Type
    body: Ex
    uses_me: bool = False
    told: tuple[St, ...] = ()
    """The body as it is written, where it has one: for the words of a rulebook alone."""


@define(eq=False, kw_only=True)
class RuleDecl(Decl):
    """A rule, action, trigger, phase or case: parameters and a body with effects."""

    kind: str
    params: tuple[Var, ...] = ()
    type: t.Type | None = None
    body: tuple[St, ...] = ()
    menu: str | None = None
    uses_me: bool = False
    gives_me: bool = False
    timing: str = ""
    events: tuple[tuple[str, str], ...] = ()  # ("rule", name), ("entering", "player.purse"), ...
    where: Ex | None = None
    me: Ex | None = None
    made: bool = False  # it counts turns for an ending `after 3 turns`

    @property
    def header(self) -> tuple[St, ...]:
        """What decides whether an action is possible."""
        return header(self.body)


@define(eq=False, kw_only=True)
class EndingDecl(Decl):
    var: Var | None
    domain: Ex | None
    when: Ex
    body: tuple[St, ...]
    before: str | None = None
    after: tuple[Ex, Ex] | None = (
        None  # of `after 3 turns when c`: how many, and the condition as it is written
    )
    made: bool = False  # it is no declaration, but settles one that comes after some turns


@define(eq=False, kw_only=True)
class InvariantDecl(Decl):
    condition: Ex


@define(eq=False, kw_only=True)
class Scenario(Decl):
    players: int
    options: dict[str, Any]
    parts: list[Any] = Factory(list)


@define(eq=False)
class CheckedGame:
    """Everything that the later stages need, by name."""

    name: str = ""
    players: tuple[int, ...] = ()
    together: bool = False  # do all win or lose?
    doc: str | None = None
    options: dict[str, OptionDecl] = Factory(dict)
    demands: list[tuple[Ex, str | None, Span]] = Factory(list)
    kinds: dict[str, KindDecl] = Factory(dict)
    components: dict[str, CompDecl] = Factory(dict)
    tokens: dict[str, TokenDecl] = Factory(dict)
    tables: dict[str, TableDecl] = Factory(dict)
    places: dict[str, PlaceDecl] = Factory(dict)  # "pile", "player.purse", "Dragon.treasure"
    states: dict[str, StateDecl] = Factory(dict)
    records: dict[str, RecordDecl] = Factory(dict)
    partitions: dict[str, PartitionDecl] = Factory(dict)
    defines: dict[str, DefineDecl] = Factory(dict)
    rules: dict[str, RuleDecl] = Factory(dict)
    menus: dict[str, list[str]] = Factory(dict)
    triggers: dict[str, RuleDecl] = Factory(dict)
    orders: list[tuple[str, ...]] = Factory(list)  # triggers, first to last
    phases: list[RuleDecl] = Factory(list)
    endings: dict[str, EndingDecl] = Factory(dict)
    invariants: dict[str, InvariantDecl] = Factory(dict)
    scenarios: list[Scenario] = Factory(list)
    digests: dict[str, str] = Factory(dict)  # "trigger escape" to a short fingerprint of its text
    score: DefineDecl | None = None
    value: DefineDecl | None = None  # what a position is worth to a player; no rule reads it
    looks: dict[str, Look] = Factory(dict)  # "Chamber", "player.purse", "Colour.red"
