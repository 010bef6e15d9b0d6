"""`together`: sealed decisions that must not get into each other's way.

All players decide at once, but a machine asks them one by one. Both must come
to the same: so inside `together p in ...` only what belongs to `p` may change,
a shared place may be added to if nobody looks at it, and what one body writes
no other body may read.

The bodies of called rules and of triggers are followed. `mine` holds the
variables that certainly stand for `p`, or for a component out of a place of
`p`'s; `me` is `p` unless `as` says otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_never

from attrs import Factory, define, evolve, frozen

from ...grammar import Span
from ..core import (
    OPERATORS,
    Apply,
    As,
    Atomic,
    Attribute,
    CallDefine,
    CallRule,
    Cancel,
    Choose,
    Conditional,
    Draw,
    Ex,
    Expire,
    Finish,
    For,
    Gen,
    If,
    Let,
    Local,
    May,
    Me,
    Move,
    MoveAll,
    MoveCell,
    MoveOn,
    MoveSet,
    MoveTokens,
    Note,
    Nothing,
    Offer,
    OwnedPiece,
    Peek,
    Pick,
    PlaceRef,
    Reduction,
    Repeat,
    Require,
    Return,
    Reveal,
    Roll,
    Rounds,
    RuleDecl,
    Set,
    Show,
    Shuffle,
    Skip,
    St,
    StateRef,
    Stop,
    Swap,
    Together,
    Turns,
    as_checked,
    bodies,
    children,
)
from ..core import value_types as t
from ..core.facts import state_name

if TYPE_CHECKING:
    from .context import Context


@frozen
class Where:
    """What is known at one point of a body."""

    mine: frozenset[str]
    me: bool = True


@define
class _Together:
    c: Context
    head: Span
    written: dict[str, Span] = Factory(dict)  # states and places that the bodies change
    given_to: dict[str, Span] = Factory(dict)  # shared places that they put things into
    reads: list[tuple[str, Ex, bool]] = Factory(list)  # what is read, and whether it is p's own
    targets: set[int] = Factory(set)  # expressions that are not read but changed
    seen: set[tuple[str, Where]] = Factory(set)

    # ------------------------------------------------------------ whose is it?
    def own(self, ex: Any, at: Where) -> bool:
        """Does an expression certainly stand for `p`, or for something of p's?"""
        if not isinstance(ex, Ex):
            return False
        if isinstance(ex.type, t.Unknown):
            return True
        match ex:
            case Me():
                return at.me
            case Local():
                return ex.var.uid in at.mine
            case PlaceRef() | StateRef() if ex.indices:
                return any(self.own(a, at) for a in ex.indices)
            case OwnedPiece(player=of) | Attribute(of=of, name="space" | "on"):
                return self.own(of, at)
            case Apply(op=op) if OPERATORS[op].part:
                return self.own(ex.args[0], at)
            case Reduction():
                for gen in ex.gens:
                    at = self.bound(gen.var.uid, at) if self.own(gen.domain, at) else at
                return self.own(ex.value, at)
            case CallDefine():
                mine = frozenset(
                    p.uid for p, a in zip(ex.define.params, ex.args, strict=False) if self.own(a, at)
                )
                return self.own(ex.define.body, Where(mine, at.me))
            case Conditional():
                return self.own(ex.then, at) and self.own(ex.otherwise, at)
            case Apply(op="union" | "difference" | "concat" | "set"):
                return all(self.own(a, at) for a in ex.args)
        return False

    # ------------------------------------------------------------ statements
    def body(self, body: tuple[St, ...], at: Where) -> None:
        for st in body:
            at = self.statement(st, at)

    def statement(self, st: St, at: Where) -> Where:
        """Looks at a statement; the answer knows the names that it binds."""
        if not isinstance(st, Choose | Offer | May):
            self.look(st.gens if isinstance(st, For) else tuple(children(st)), at)
        stated = as_checked(st)
        match stated:
            case Let():
                return self.bound(stated.var.uid, at) if self.own(stated.value, at) else at
            case Choose():
                for gen in stated.choice.gens:
                    self.look(gen, at)
                    at = self.bound(gen.var.uid, at) if self.own(gen.domain, at) else at
            case Set():
                self.write(stated.target, at, stated.target.span)
            case Swap():
                for side in (stated.left, stated.right):
                    self.write(side, at, side.span)
            case MoveOn():
                self.moved(stated.thing, at)
            case Move(thing=moved) | MoveSet(things=moved):
                self.moved(moved, at)
                self.put(stated.place, at)
            case MoveAll():
                self.write(stated.source, at, stated.source.span)
                self.put(stated.place, at)
            case MoveCell():
                self.write(stated.source, at, stated.space.span)
                self.put(stated.place, at)
            case MoveTokens() | Pick():
                self.write(stated.source, at, stated.source.span)
                self.put(stated.place, at)
            case Draw():
                self.write(stated.source, at, stated.source.span)
                self.put(stated.place, at)
            case Shuffle():
                self.write(stated.into, at, stated.into.span)
            case Note():
                self.complain("nothing can be noted", stated.span)
            case Finish():
                self.complain("the match cannot end", stated.span)
            case Turns() | Rounds():
                self.complain(
                    "there cannot be turns",
                    Span(stated.span.source, stated.span.start, stated.span.start + 6),
                )
            case CallRule():
                self.call(stated.rule, stated.args, at)
            case Offer() | May():
                self.offer(stated, at)
            case (
                Nothing() | Roll() | Peek() | Together() | Show() | Reveal() | If() | For() | Repeat() | As()
                | Atomic() | Require() | Return() | Stop() | Skip() | Cancel() | Expire()
            ):  # fmt: skip
                pass  # changes nothing itself
            case _:
                assert_never(stated)
        inner = at
        if isinstance(st, As):
            inner = evolve(at, me=self.own(st.who, at))
        elif isinstance(st, For):
            inner = self.loop(st, at)
        self.body(getattr(st, "body", ()), inner)
        self.body(getattr(st, "orelse", ()), at)
        return at

    def bound(self, uid: str, at: Where) -> Where:
        return evolve(at, mine=at.mine | {uid})

    def loop(self, st: For, at: Where) -> Where:
        for gen in st.gens:
            self.look(gen, at)
            if self.own(gen.domain, at):
                at = self.bound(gen.var.uid, at)
        return at if st.who is None else evolve(at, me=self.own(st.who, at))

    def offer(self, st: Offer | May, at: Where) -> None:
        offering = st.offering
        for case in offering.cases:
            self.look(case.args, at)
            if case.action is not None:
                self.call(case.action, case.args, at)
            self.body(case.body, at)
        for action in self.c.game.menus.get(offering.menu, []) if offering.menu else []:
            self.call(action, offering.menu_args, at)

    def call(self, name: str, args: tuple[Any, ...], at: Where) -> None:
        rule = self.c.game.rules.get(name)
        if rule is None:
            return
        self.enter(rule, args, at)
        for trigger in self.c.game.triggers.values():
            if ("rule", name) in trigger.events:
                me = at.me if trigger.me is None else self.own(trigger.me, at)
                self.enter(trigger, args, evolve(at, me=me))

    def enter(self, rule: RuleDecl, args: tuple[Any, ...], at: Where) -> None:
        mine = frozenset(p.uid for p, a in zip(rule.params, args, strict=False) if self.own(a, at))
        inner = Where(mine, at.me)
        key = (f"{rule.kind} {rule.name}", inner)
        if key not in self.seen:
            self.seen.add(key)
            self.body(rule.body, inner)

    # ------------------------------------------------------------ changes
    def complain(self, what: str, span: Span) -> None:
        outside = not self.head.start <= span.start or span.source is not self.head.source
        related = [(self.head, "all decide at once here")] if outside or span.line != self.head.line else []
        self.c.error("D0404", f"{what} while all decide together", span, related=related)

    def write(self, ex: Ex, at: Where, span: Span) -> None:
        name = _name(ex)
        self.targets.add(id(ex))
        if name is not None:
            self.written.setdefault(name, span)
        if not self.own(ex, at):
            shown = " ".join(span.text.split())
            self.complain(f"`{shown}` is not `me`'s own, so it cannot change", span)

    def moved(self, thing: Ex, at: Where) -> None:
        if not self.own(thing, at):
            shown = " ".join(thing.span.text.split())
            self.complain(f"`{shown}` is not out of `me`'s own places, so it cannot move", thing.span)

    def put(self, place: Ex, at: Where) -> None:
        name = _name(place)
        self.targets.add(id(place))
        if name is None:
            return
        if self.own(place, at):
            self.written.setdefault(name, place.span)
        elif isinstance(place, PlaceRef) and not place.place.owner:
            self.given_to.setdefault(name, place.span)
        else:
            self.write(place, at, place.span)

    # ------------------------------------------------------------ reads
    def look(self, node: Any, at: Where) -> None:
        """Notes every state and place that is read."""
        match node:
            case Ex():
                name = _name(node)
                if name is not None:
                    self.reads.append((name, node, self.own(node, at)))
                if isinstance(node, Reduction):
                    for gen in node.gens:
                        self.look(gen, at)
                        at = self.bound(gen.var.uid, at) if self.own(gen.domain, at) else at
                    self.look((node.value, *node.by, node.while_), at)
                    return
                self.look(tuple(children(node)), at)
                if isinstance(node, CallDefine):
                    mine = frozenset(
                        p.uid for p, a in zip(node.define.params, node.args, strict=False) if self.own(a, at)
                    )
                    key = (f"define {node.define.name}", Where(mine, at.me))
                    if key not in self.seen:
                        self.seen.add(key)
                        self.look(node.define.body, key[1])
            case Gen():
                self.look(node.domain, at)
                inner = self.bound(node.var.uid, at) if self.own(node.domain, at) else at
                self.look(node.where, inner)
            case tuple() | list():
                for part in node:
                    self.look(part, at)

    def settle(self) -> None:
        for name, ex, own in self.reads:
            shown = " ".join(ex.span.text.split())
            if id(ex) in self.targets:
                continue
            if name in self.written and not own:
                self.complain(f"`{shown}` is being decided, so it cannot be read", ex.span)
            elif name in self.given_to:
                self.complain(f"`{shown}` is being added to, so it cannot be read", ex.span)


def _name(ex: Ex) -> str | None:
    if isinstance(ex, StateRef):
        return f"state {state_name(ex.state)}"
    return f"place {state_name(ex.place)}" if isinstance(ex, PlaceRef) else None


def check_together(c: Context) -> None:
    game = c.game
    for rule in (*game.rules.values(), *game.triggers.values(), *game.phases):
        todo = list(rule.body)
        while todo:
            st = todo.pop()
            if isinstance(st, Together):
                gen = st.gen
                head = Span(st.span.source, st.span.start, st.span.start + len("together"))
                check = _Together(c, head)
                check.body(st.body, Where(frozenset((gen.var.uid,))))
                check.settle()
                continue
            todo += [inner for body in bodies(st) for inner in body]
