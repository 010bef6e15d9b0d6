"""Random expressions of the language, as text, by the type that is wanted.

The table is always the same (`TABLE` in random_games.py); what is said about it
is not. `Scope` knows the names in force. A text may still be refused, since
ranges and secrets are the checker's business; most are not.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

CARDS = ("line", "pile", "spare", "floor")  # open places of cards
GEMS = ("heap", "pot")
HUES = ("red", "green", "blue")
KINDS = ("ruby", "jade")


@dataclass(frozen=True)
class Scope:
    me: bool = False
    turn: bool = False
    waits: bool = True
    loops: tuple[str, ...] = ()  # what can be stopped
    inside: bool = False  # a loop: `skip` has a meaning
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)  # type to names

    def having(self, type_: str, *names: str) -> Scope:
        return replace(self, names={**self.names, type_: (*self.names.get(type_, ()), *names)})


class Expressions:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.counter = 0
        self.defines: list[tuple[str, str, tuple[str, ...]]] = []  # name, result, parameters

    def fresh(self, letter: str) -> str:
        self.counter += 1
        return f"{letter}{self.counter}"

    def one(self, *options: str) -> str:
        return self.random.choice(options)

    def named(self, type_: str, scope: Scope) -> str | None:
        names = scope.names.get(type_, ())
        return self.random.choice(names) if names and self.random.random() < 0.7 else None

    def call(self, result: str, scope: Scope, depth: int) -> str | None:
        fitting = [d for d in self.defines if d[1] == result]
        if not fitting or self.random.random() > 0.15:
            return None
        name, _, params = self.random.choice(fitting)
        args = [getattr(self, p)(scope, depth - 1) for p in params]
        return f"{name}({', '.join(args)})" if all(args) else None

    # ------------------------------------------------------------ by type
    def number(self, scope: Scope, depth: int = 2) -> str:
        known = self.call("number", scope, depth) or self.named("number", scope)
        if known:
            return known
        if depth <= 0 or self.random.random() < 0.25:
            return self.one("0", "1", "2", "3", "level", f"count({self.place(scope)})", self.tally(scope))
        n = lambda: self.number(scope, depth - 1)  # noqa: E731
        match self.random.randrange(12):
            case 0:
                return f"({n()} + {n()})"
            case 1:
                return f"({n()} - {n()})"
            case 2:
                return f"({n()} mod 3)"
            case 3:
                return f"{self.one('max', 'min')}({n()}, {n()})"
            case 4:
                return f"({n()} if {self.condition(scope, depth - 1)} else {n()})"
            case 5:
                return f"{self.player(scope)}.points"
            case 6:
                card = self.named("card", scope)
                return f"{card}.value" if card else f"number({self.hue(scope)})"
            case 7:
                x, domain, inner = self.binder(scope, depth - 1)
                return f"{self.one('sum', 'max', 'min')}({self.number(inner, depth - 1)} for {x} in {domain}{self.where(inner, depth)})"
            case 8:
                x, domain, inner = self.binder(scope, depth - 1)
                return f"count({x} for {x} in {domain}{self.where(inner, depth)})"
            case 9:
                return f"{self.player(scope)}.seat"
            case 10:
                return f"{self.space(scope)}.{self.one('x', 'y')}"
        return f"distance({self.space(scope)}, {self.space(scope)})"

    def tally(self, scope: Scope) -> str:
        return f"{self.gems(scope)}[{self.kind(scope)}]"

    def condition(self, scope: Scope, depth: int = 2) -> str:
        known = self.call("condition", scope, depth)
        if known:
            return known
        n = lambda: self.number(scope, depth - 1)  # noqa: E731
        match self.random.randrange(14 if depth > 0 else 5):
            case 0:
                return f"{n()} {self.one('<', '<=', '>', '>=', '=', '!=')} {n()}"
            case 1:
                return f"{self.place(scope)} {self.one('=', '!=')} {{}}"
            case 2:
                return f"{self.hue(scope)} {self.one('in', 'not in')} hues"
            case 3:
                return f"{self.one('tray', 'wheel')}[{{}}] = {self.one('none', 'ruby')}".replace(
                    "tray[{}]", f"tray[{self.space(scope)}]"
                ).replace("wheel[{}]", f"wheel[space_at(wheel, {self.one('1', '2', '4')}, 1)]")
            case 4:
                card = self.named("card", scope)
                if card is None:
                    return self.one("flag", "not flag", "mark = none", "mark != none", "hues = {red}")
                return self.one(
                    f"{card} in {self.cards(scope)}", f"{card}.used", f"{card}.hue = {self.hue(scope)}",
                    f"mark = {card}", f"{card}.hue in hues", f"{card}.owner = none", f"{card} = top(pile)",
                )  # fmt: skip
            case 5 | 6:
                return f"({self.condition(scope, depth - 1)} {self.one('and', 'or')} {self.condition(scope, depth - 1)})"
            case 7:
                return f"not ({self.condition(scope, depth - 1)})"
            case 8 | 9:
                x, domain, inner = self.binder(scope, depth - 1)
                kind = self.one("any", "every", "none")
                return f"{kind}({self.condition(inner, depth - 1)} for {x} in {domain}{self.where(inner, depth)})"
            case 10:
                return f"{self.player(scope)} {self.one('=', '!=')} {self.player(scope)}"
            case 11:
                return f"{self.hue(scope)} {self.one('=', '<')} {self.hue(scope)}"
            case 12:
                return f"{self.space(scope)} + {self.one('N', 'E', 'SW')} {self.one('=', '!=')} none"
        return f"{self.player(scope)} in {self.one('players', f'others({self.player(scope)})')}"

    def where(self, scope: Scope, depth: int) -> str:
        return f" where {self.condition(scope, depth - 1)}" if self.random.random() < 0.5 else ""

    def player(self, scope: Scope, depth: int = 1) -> str:
        known = self.named("player", scope)
        options = [known] if known else ["player(1)", "player(2)"]
        if scope.me:
            options += ["me", "left(me)"]
        if scope.turn:
            options.append("active")
        return self.random.choice(options)

    def card(self, scope: Scope, depth: int = 1) -> str | None:
        names = scope.names.get("card", ())
        return self.random.choice(names) if names else None

    def hue(self, scope: Scope, depth: int = 1) -> str:
        card = self.named("card", scope)
        return self.named("hue", scope) or (
            f"{card}.hue" if card and self.random.random() < 0.5 else self.one(*HUES)
        )

    def kind(self, scope: Scope, depth: int = 1) -> str:
        return self.named("kind", scope) or self.one(*KINDS)

    def space(self, scope: Scope, depth: int = 1) -> str:
        return (
            self.named("space", scope) or f"space_at(tray, {self.one('1', '2', '3')}, {self.one('1', '2')})"
        )

    # ------------------------------------------------------------ places and domains
    def cards(self, scope: Scope) -> str:
        return self.one(*CARDS, f"{self.player(scope)}.hand")

    def gems(self, scope: Scope) -> str:
        return self.one(*GEMS, f"{self.player(scope)}.purse")

    def place(self, scope: Scope) -> str:
        return self.one(self.cards(scope), self.gems(scope), "deck", "tray", "niche")

    def binder(self, scope: Scope, depth: int) -> tuple[str, str, Scope]:
        """A name, what it runs over, and the scope in which it is known."""
        type_ = self.one("number", "card", "card", "hue", "kind", "player", "space")
        x = self.fresh(type_[0])
        return x, self.domain(type_, scope, depth), scope.having(type_, x)

    def domain(self, type_: str, scope: Scope, depth: int) -> str:
        match type_:
            case "number":
                return self.one("1..3", "{1, 3}", "0..2", f"1..min(3, {self.number(scope, depth - 1)})")
            case "card":
                inner = self.fresh("c")
                condition = self.condition(scope.having("card", inner), depth - 1)
                return self.one(
                    self.cards(scope), self.cards(scope), "Card", f"{{{inner} for {inner} in Card where {condition}}}",
                    f"most({inner} by {inner}.value for {inner} in {self.cards(scope)})",
                )  # fmt: skip
            case "hue":
                return self.one(
                    "Hue", "hues", "{red, blue}", f"(hues + {{{self.hue(scope)}}})", "(hues - {red})"
                )
            case "kind":
                return self.one("Gem", "{ruby}")
            case "player":
                who = self.player(scope)
                return self.one("players", f"others({who})", f"clockwise({who})", f"{{{who}}}")
        space = self.space(scope)
        return self.one(
            "spaces(tray)",
            f"near({space}, 1)",
            f"line({space}, {self.one('N', 'E', 'W')})",
            f"row_of({space})",
        )
