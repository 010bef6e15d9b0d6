"""The checked game: declarations with types, bodies as small typed trees.

Names are resolved and sugar is gone, but nothing is fixed yet for a number of
players. Expressions are `Ex` and statements `St`: an operation name, operands,
a type and the span they came from; the operations are listed in
docs/architecture.md and each is handled by name in lower*.py and generate*.py.
"""

from __future__ import annotations

from typing import Any

from attrs import Factory, define, field, frozen

from ..grammar import Span
from . import types as t
from .looks import Look


@frozen
class Ex:
    """A pure expression."""

    op: str
    type: t.Type = field(eq=False)  # narrowing changes the type of one and the same value
    span: Span = field(eq=False, repr=False)
    args: tuple[Any, ...] = ()
    data: Any = None

    @property
    def place_type(self) -> t.Place:
        """The type of an expression that is known to be a place."""
        assert isinstance(self.type, t.Place)
        return self.type


@frozen
class Var:
    """A local name; `uid` tells two with the same name apart."""

    name: str
    uid: str
    type: t.Type = field(eq=False)


@frozen
class Gen:
    """One generator of a comprehension or choice: a variable, what it runs over, and the
    conditions that can be tested as soon as it is bound."""

    var: Var
    domain: Ex
    where: tuple[Ex, ...] = ()
    cells: tuple[tuple[Var, Ex], ...] = ()  # of a vector: its index variables and their domains


@frozen
class Comp:
    """`value by keys for gens where ... while ...`, reduced by `kind`."""

    kind: str
    gens: tuple[Gen, ...]
    value: Ex
    by: tuple[Ex, ...] = ()
    while_: Ex | None = None


@define(eq=False)
class St:
    """A statement with effects."""

    op: str
    span: Span
    args: tuple[Any, ...] = ()
    body: tuple[St, ...] = ()
    orelse: tuple[St, ...] = ()
    data: Any = None


@frozen
class Guard:
    """A condition of a choice with the words that explain it."""

    condition: Ex
    because: str | None
    span: Span


@define(eq=False)
class Choice:
    """What a `choose` asks: its binders in order, its conditions, its group."""

    prompt: str | None
    gens: tuple[Gen, ...]
    guards: tuple[Guard, ...]
    distinct: tuple[Ex, ...] = ()
    alike: tuple[str, ...] = ()
    pick: bool = False


@define(eq=False)
class Case:
    """One option of an offer: an action of a menu, or words with a body."""

    key: str
    label: str
    span: Span
    action: str | None = None
    args: tuple[Ex, ...] = ()
    body: tuple[St, ...] = ()


@define(eq=False)
class Offering:
    prompt: str | None
    cases: list[Case]
    menu: str | None = None
    menu_args: tuple[Ex, ...] = ()
    decline: bool = False
    always: bool = False
    able: bool = False  # it is said that not being asked may tell the others something
    window: bool = False  # asked of one player after the other


def free_vars(ex: object) -> set[str]:
    """The uids of the locals that an expression reads and does not bind itself."""
    found: set[str] = set()
    _walk(ex, found)
    return found


def _walk(ex: object, found: set[str]) -> None:
    if isinstance(ex, Ex):
        if ex.op == "local":
            found.add(ex.data.uid)
        for arg in ex.args:
            _walk(arg, found)
        _walk(ex.data, found)
    elif isinstance(ex, tuple):
        for item in ex:
            _walk(item, found)
    elif isinstance(ex, Gen):
        inner: set[str] = set()
        _walk((ex.domain, ex.where, tuple(domain for _, domain in ex.cells)), inner)
        found |= inner - bound_by(ex)
    elif isinstance(ex, Comp):
        inside: set[str] = set()
        _walk((ex.gens, ex.value, ex.by, ex.while_), inside)
        found |= inside.difference(*(bound_by(gen) for gen in ex.gens))


def bound_by(gen: Gen) -> set[str]:
    """The uids of the locals that a generator binds: its own, and the indices of a vector."""
    return {gen.var.uid, *(var.uid for var, _ in gen.cells)}


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
    seen: Any = "all"  # "all", "nobody", "owner" or an Ex of players
    size_seen: Any = "all"
    top_seen: Any = None
    cap: Ex | None = None
    rest: Ex | None = None
    per: str | None = None

    @property
    def type(self) -> t.Place:
        return t.Place(self.shape, self.of)


@define(eq=False, kw_only=True)
class StateDecl(Decl):
    owner: str
    indices: tuple[t.Type, ...]
    type: t.Type
    initial: Ex
    seen: Any = "all"
    until: str | None = None


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

    @property
    def header(self) -> tuple[St, ...]:
        """The leading statements without effects: what decides whether an action is possible."""
        size = 0
        while size < len(self.body) and self.body[size].op in ("require", "let", "choose"):
            size += 1
        return self.body[:size]


@define(eq=False, kw_only=True)
class EndingDecl(Decl):
    var: Var | None
    domain: Ex | None
    when: Ex
    body: tuple[St, ...]
    before: str | None = None


@define(eq=False, kw_only=True)
class InvariantDecl(Decl):
    condition: Ex


@define(eq=False)
class Part:
    """One line of a scenario: what it does, its expressions, its words."""

    op: str  # given, chooses, refused, chance, time_out, check, decides, over
    span: Span
    player: Ex | None = None
    values: tuple[Any, ...] = ()  # Ex or words
    words: str | None = None
    body: tuple[St, ...] = ()


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
