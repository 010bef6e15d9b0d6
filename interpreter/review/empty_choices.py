"""Choices that may have no options, where nothing says what happens then.

Whether a choice can be empty depends on the course of a game, so this looks for
choices that nobody seems to have thought about. A binder is no question when

- there are certainly values: `1..3`, `players`, `1..3 where n = 1 or ...`, `Hero where nobody has it` with
  enough heroes, one of as many shares as there are players in a loop over them;
- a condition on the way to it, here or wherever the rule is called from, asks
  about what is chosen from;
- something was put there on the way;
- the game anywhere asks whether the place is empty;
- nothing ever leaves the place once the game is set up.

In the header of an action an empty choice means "not possible", so these, and
vectors, are left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, field, frozen

from ...grammar import Report
from ..core import (
    OPERATORS,
    And,
    Apply,
    CallDefine,
    CallRule,
    CheckedGame,
    Choose,
    Conditional,
    Const,
    Ex,
    For,
    Gen,
    If,
    Let,
    Local,
    May,
    Near,
    Offer,
    Or,
    PartitionOf,
    PlaceRef,
    Reduction,
    Require,
    RuleDecl,
    St,
    StateRef,
    Swap,
    Turns,
    Universe,
    applies,
    bodies,
    own_bodies,
)
from ..core import value_types as t
from ..core.facts import LEAVES, PUTS, reads, state_name
from .origins import Origins
from .shortages import after_setup, places_asked_about
from .trees import header_of, inner, own_expressions, procedures, statements


@frozen
class Way:
    """What is known on the way to a statement: what was asked about, where something was put."""

    asked: frozenset[str] = frozenset()
    filled: frozenset[str] = frozenset()
    loops: tuple[Ex, ...] = ()
    """What the loops around it run over."""

    def asking(self, names: set[str]) -> Way:
        return evolve(self, asked=self.asked | names)

    def filling(self, name: str) -> Way:
        return evolve(self, filled=self.filled | {name})


@frozen(eq=False)
class Site:
    """A statement that matters, in its procedure."""

    st: St
    procedure: RuleDecl
    way: Way = field(repr=False)


def empty_choices(game: CheckedGame, report: Report) -> None:
    _Choices(game).tell(report)


class _Choices:
    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self.choices: list[Site] = []
        self.calls: dict[str, list[Site]] = {}
        self.lets: dict[str, Ex] = {}
        self.asked = places_asked_about(game) | _spaces_asked_about(game)
        self.losing = _losing_places(game)
        for procedure in procedures(game):
            way = Way()
            if procedure.where is not None:
                way = way.asking(reads(procedure.where, game))
            headers = {id(st) for st in procedure.header} if procedure.kind == "action" else set()
            self._walk(procedure, procedure.body, way, headers)

    def _walk(self, procedure: RuleDecl, body: tuple[St, ...], way: Way, headers: set[int]) -> None:
        for st in body:
            own = list(own_expressions(st))
            if isinstance(st, Choose) and not (st.orelse or st.choice.decline or id(st) in headers):
                self.choices.append(Site(st, procedure, way))
            for name in self._called(st):
                self.calls.setdefault(name, []).append(Site(st, procedure, way))
            questions = (
                reads(own, self.game) if isinstance(st, If | Require | For | Turns | May | Choose) else set()
            )
            inside = way.asking(questions)
            if isinstance(st, For) and len(st.gens) == 1:
                inside = evolve(inside, loops=(*way.loops, st.gens[0].domain))
            if isinstance(st, Let) and isinstance(st.value, Ex):
                self.lets[st.var.uid] = st.value
            for part in bodies(st):
                self._walk(procedure, part, inside, headers | _header(st, part))
            leaves = any(part and isinstance(part[-1], LEAVES) for part in own_bodies(st))
            if isinstance(st, Require) or (isinstance(st, If) and leaves):
                way = inside
            elif isinstance(st, Choose):  # what was chosen fulfils its conditions
                way = way.asking(reads([gen.where for gen in st.choice.gens], self.game))
            for name in self._filled(st):
                way = way.filling(name)

    def _called(self, st: St) -> list[str]:
        if isinstance(st, CallRule):
            return [str(st.rule)]
        if isinstance(st, Offer | May):
            menu = self.game.menus.get(st.offering.menu, []) if st.offering.menu else []
            return [*menu, *(case.action for case in st.offering.cases if case.action is not None)]
        return []

    def _filled(self, st: St) -> Iterator[str]:
        for part in statements((st,)):
            target = part.place if isinstance(part, PUTS) else None
            if isinstance(target, Ex) and isinstance(target, PlaceRef):
                yield f"in {state_name(target.place)}"

    # ------------------------------------------------------------ judging
    def tell(self, report: Report) -> None:
        for site in self.choices:
            for gen in site.st.choice.gens if isinstance(site.st, Choose) else ():
                doubt = self._doubt(gen, site)
                if doubt is not None:
                    report.add(
                        "D0506",
                        f"there may be nothing to choose for `{gen.var.name}`, and nothing says what happens then",
                        gen.domain.span,
                        severity="warning",
                        help="say it: `... else return`, `... else skip`; or ask before",
                    )
                    break

    def _doubt(self, gen: Gen, site: Site) -> Gen | None:
        if gen.cells or self._fewest(gen) > 0 or self._one_each(gen, site) or _always_one(gen):
            return None
        moving = [condition for condition in gen.where if reads(condition, self.game)]
        names = reads((gen.domain, *moving), self.game)
        if names and all(self._answered(name, filtered=bool(moving)) for name in names):
            return None
        return None if self._thought_of(names, site.procedure, site.way, set()) else gen

    def _one_each(self, gen: Gen, site: Site) -> bool:
        """`for p in order as p: choose s in 1..count(order) where not taken[s]`"""
        marked = (
            len(gen.where) == 1
            and applies(gen.where[0], "not")
            and isinstance(gen.where[0].args[0], StateRef)
        )
        if not applies(gen.domain, "range") or not marked or not site.way.loops:
            return False
        over, last = site.way.loops[-1], gen.domain.args[1]
        if isinstance(last, Local) and last.var.uid in self.lets:
            last = self.lets[last.var.uid]
        if applies(last, "player_count"):
            return applies(over, "players", "clockwise")
        if isinstance(last, Reduction) and last.kind == "count" and len(last.gens) == 1:
            return bool(last.gens[0].domain == over)
        return applies(last, "length", "size") and bool(last.args[0] == over)

    def _answered(self, name: str, *, filtered: bool) -> bool:
        """A place whose emptiness is asked about somewhere or, as a whole, one that nothing leaves."""
        kind, _, place = name.partition(" ")
        return kind == "in" and (place in self.asked or (not filtered and place not in self.losing))

    def _thought_of(self, names: set[str], procedure: RuleDecl, way: Way, seen: set[str]) -> bool:
        """Has anybody asked on the way, here or wherever control comes from?"""
        if names & (way.asked | way.filled) or not names:
            return True
        callers = list(self._callers(procedure))
        key = f"{procedure.kind} {procedure.name}"
        if not callers or key in seen:
            return False
        seen.add(key)
        return all(self._thought_of(names, site.procedure, site.way, seen) for site in callers)

    def _callers(self, procedure: RuleDecl) -> Iterator[Site]:
        if procedure.kind == "trigger":
            for kind, name in procedure.events:
                if kind == "rule":
                    yield from self.calls.get(name, ())
        else:
            yield from self.calls.get(procedure.name, ())

    # ------------------------------------------------------------ counting
    def _fewest(self, gen: Gen) -> float:
        """How many values there are at least."""
        left = self._size(gen.domain)
        for condition in gen.where:
            left -= self._excluded(condition, gen)
        return left

    def _excluded(self, condition: Ex, gen: Gen) -> float:
        """How many values a condition can take away at most."""
        if applies(condition, "ne") and any(_is_var(a, gen) for a in condition.args):
            return 1
        if isinstance(condition, Reduction) and condition.kind == "none":  # nobody has it yet
            comp = condition
            taken = applies(comp.value, "eq") and any(_is_var(a, gen) for a in comp.value.args)
            if taken and len(comp.gens) == 1 and applies(comp.gens[0].domain, "players"):
                return max(self.game.players) - 1
        return float("inf")

    def _size(self, domain: Ex) -> float:
        match domain:
            case Apply(op="players"):
                return min(self.game.players)
            case Apply(op="clockwise"):
                return min(self.game.players)
            case Apply(op="others"):
                return min(self.game.players) - 1
            case Universe():
                kind = domain.of
                if isinstance(kind, t.Kind) and kind.name in self.game.kinds:
                    return len(self.game.kinds[kind.name].values)
                return 4 if isinstance(kind, t.Kind) else 1
            case Apply(op="set"):
                return min(1, len(domain.args))
            case Apply(op="range"):
                low, high = (a.type for a in domain.args)
                if isinstance(low, t.Num) and isinstance(high, t.Num):
                    return high.low - low.high + 1
            case Apply(op="subsets"):
                low = domain.args[1].type
                return 1 if isinstance(low, t.Num) and low.high <= 0 else 0
            case Near() | PartitionOf() | Apply(op="row_of" | "column_of"):
                return 1
            case Apply(op="union"):
                return max(self._size(a) for a in domain.args)
            case Apply(op=op) if OPERATORS[op].recast:
                return self._size(domain.args[0])
            case Conditional():
                return min(self._size(a) for a in (domain.condition, domain.then, domain.otherwise)[1:])
            case CallDefine():
                return self._size(domain.define.body)
            case Reduction() if domain.kind == "most" or domain.kind == "least":
                gens = domain.gens
                return 1 if len(gens) == 1 and not gens[0].where and self._size(gens[0].domain) > 0 else 0
        return 0


def _always_one(gen: Gen) -> bool:
    """`choose n in 1..3 where n = 1 or ...`: a value that the conditions name and always leave."""
    named = {
        ex.value
        for condition in gen.where
        for ex in inner(condition)
        if isinstance(ex, Const) and ex.value >= 0
    }
    return any(
        _certainly_in(value, gen.domain) and all(_holds(condition, gen, value) for condition in gen.where)
        for value in named
    )


def _certainly_in(value: int, domain: Ex) -> bool:
    match domain:
        case Apply(op="set", args=args):
            return any(isinstance(a, Const) and a.value == value for a in args)
        case Apply(op="range", args=(Ex(type=t.Num() as low), Ex(type=t.Num() as high))):
            return low.high <= value <= high.low
        case Universe(of=t.Kind()):
            return True
        case Apply(op=op, args=(inside,)) if OPERATORS[op].recast:
            return _certainly_in(value, inside)
    return False


def _holds(condition: Ex, gen: Gen, value: int) -> bool:
    """Does a condition certainly hold for this value, whatever the position?"""
    match condition:
        case Or():
            return _holds(condition.left, gen, value) or _holds(condition.right, gen, value)
        case And():
            return _holds(condition.left, gen, value) and _holds(condition.right, gen, value)
        case Apply(op="eq" | "ne" as op, args=(one, other)):
            if _is_var(other, gen):  # `1 = n`
                one, other = other, one
            return isinstance(other, Const) and _is_var(one, gen) and (other.value == value) == (op == "eq")
    return False


def _is_var(ex: Ex, gen: Gen) -> bool:
    return isinstance(ex, Local) and ex.var.uid == gen.var.uid


def _header(st: St, body: tuple[St, ...]) -> set[int]:
    """The header of a case of an `offer` or `may`, which decides whether it is offered."""
    if not isinstance(st, Offer | May) or body is st.orelse or (isinstance(st, May) and body is st.body):
        return set()
    return {id(part) for part in header_of(body)}


def _spaces_asked_about(game: CheckedGame) -> set[str]:
    """The boards of which an ending asks whether spaces are empty."""
    found: set[str] = set()
    for ending in game.endings.values():
        for ex in inner(ending.when):
            if (
                applies(ex, "eq", "ne")
                and applies(ex.args[0], "cell")
                and isinstance(ex.args[0].args[0], PlaceRef)
            ):
                found.add(state_name(ex.args[0].args[0].place))
    return found


def _losing_places(game: CheckedGame) -> set[str]:
    """The places that something can leave once the game is set up."""
    out: set[str] = set()
    for procedure in after_setup(game):
        origins = Origins(game, procedure.body)
        for st in statements(procedure.body):
            out |= set(game.places) if isinstance(st, Swap) else origins.of(st)
    return out
