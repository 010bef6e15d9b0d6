"""Whole small games, made at random: what lies on the table is fixed, what happens is not."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from .random_expressions import CARDS, Expressions, Scope

TABLE = """game "Random" for 2 to 3 players
kinds Hue: red, green, blue
component Card:
    hue: Hue
    value: 1..3
rows Card:
    | hue         | value | count |
    | red, green  | 1..2  | 1     |
    | blue        | 3     | 2     |
token Gem: ruby 5, jade 4
place deck: deck of Card, seen by nobody
place line: row of Card{LINE}
place pile: stack of Card
place spare: bag of Card
place niche: slot of Card
place floor: grid 3 by 2 of Card
place tray: grid 3 by 2 of Gem
place wheel: ring 4 of Gem
place heap: bag of Gem
place pot: bag of Gem{POT}
each player has:
    place hand: {HAND} of Card
    place purse: bag of Gem{PURSE}
    state points: 0..9 = 0{POINTS}
each Card has: state used: yes/no = no{USED}
state level: 0..5 = 1{LEVEL}
state flag: yes/no = no{FLAG}
state hues: set of Hue = {red}
state mark: Card or none = none
record Deal at most 4:
    who: player
    gets[Gem]: 0..5
setup:
    move all from box(Card) to deck
    move all from box(Gem) to heap
    for p in players: draw 2 from deck to p.hand
    draw 2 from deck to line
    for p in players: move 1 of ruby from heap to p.purse
"""


class Games(Expressions):
    def __init__(self, seed: int) -> None:
        super().__init__(Random(seed))
        self.rules: list[str] = []

    def maybe(self, text: str, chance: float = 0.5) -> str:
        return text if self.random.random() < chance else ""

    def game(self) -> str:
        def until() -> str:
            return self.maybe(
                f" until {self.one('turn ends', 'Play ends', 'Round ends', 'action ends')}", 0.4
            )

        text = TABLE
        for name, value in {
            "LINE": self.maybe(", at most 3 rest to spare", 0.3),
            "POT": self.maybe(", at most 2", 0.2),
            "HAND": self.one("bag", "bag", "row"),
            "PURSE": self.maybe(", at most 3 rest to pot", 0.3),
            "POINTS": until(),
            "USED": self.maybe(" until moved"),
            "LEVEL": until(),
            "FLAG": until(),
        }.items():
            text = text.replace(f"{{{name}}}", value)
        parts = [text, *(self.define() for _ in range(self.random.randrange(3)))]
        parts += [self.rule() for _ in range(self.random.randrange(1, 4))]
        parts += [self.action(n) for n in range(self.random.randrange(1, 4))]
        parts += [self.trigger(n) for n in range(self.random.randrange(3))]
        parts += [self.ending(n) for n in range(self.random.randrange(3))]
        parts.append(
            f"score(p: player) = p.points + count(p.purse) + {self.number(Scope().having('player', 'p'))}\n"
        )
        parts.append(self.phase())
        return "".join(parts)

    # ------------------------------------------------------------ declarations
    def define(self) -> str:
        params = tuple(
            self.one("number", "card", "hue", "player", "kind") for _ in range(self.random.randrange(3))
        )
        types = {"number": "number", "card": "Card", "hue": "Hue", "player": "player", "kind": "Gem"}
        scope, shown = Scope(), []
        for param in params:
            name = self.fresh(param[0])
            scope = scope.having(param, name)
            shown.append(f"{name}: {types[param]}")
        result = self.one("number", "condition")
        body = getattr(self, result)(scope, 2)
        name = self.fresh("what")
        self.defines.append((name, result, params))
        return f"define {name}({', '.join(shown)}) = {body}\n" if shown else self._plain(name, result, body)

    def _plain(self, name: str, result: str, body: str) -> str:
        self.defines.pop()
        return f"define {name} = {body}\n"

    def rule(self) -> str:
        name = self.fresh("deed")
        body = self.block(Scope(waits=True).having("player", "who"), 1, 2)
        self.rules.append(name)
        return f"rule {name}(who: player):\n{body}"

    def action(self, number: int) -> str:
        scope = Scope(me=True)
        head = self.maybe(f"    require {self.condition(scope, 1)}\n")
        if self.random.random() < 0.5:
            line, scope = self.choose(scope, header=True)
            head += f"    {line}\n"
        return f"action act{number} in menu:\n{head}{self.block(scope, 1, 2)}"

    def trigger(self, number: int) -> str:
        scope = Scope(waits=self.random.random() < 0.3)
        where = lambda inner: self.maybe(f" where {self.condition(inner, 1)}")  # noqa: E731
        match self.random.randrange(4):
            case 0 if self.rules:
                inner = scope.having("player", "w")
                timing = (
                    self.one("before", "after", "instead of") if number == 0 else self.one("before", "after")
                )
                return f"trigger t{number} {timing} {self.one(*self.rules)}(w){where(inner)}:\n{self.block(inner, 1, 1)}"
            case 1:
                inner = scope.having("player", "w")
                return f"trigger t{number} {self.one('before', 'after')} {self.one('turn', 'Round')}(w){where(inner)}:\n{self.block(inner, 1, 1)}"
            case 2:
                edge = self.one("entering", "leaving")
                place = self.one(*CARDS, "player.hand", "heap", "pot", "player.purse", "tray")
                flat = (
                    "    "
                    + self.one("change level by 1 - level", "set flag = yes", "set hues = hues + {green}")
                    + "\n"
                )
                return f"trigger t{number} after {edge} {place}{where(Scope())}:\n{flat}"
        return f"trigger t{number} {self.one('before', 'after')} Play:\n{self.block(scope, 1, 1)}"

    def ending(self, number: int) -> str:
        if self.random.random() < 0.5:
            inner = Scope().having("player", "p")
            return f"ending e{number} for p in players when p.points >= 4 and {self.condition(inner, 1)}: finish {{p}}\n"
        return f"ending e{number}{self.maybe(' before turn', 0.3)} when {self.condition(Scope(), 1)} and level > 3: finish {{}}\n"

    def phase(self) -> str:
        scope = Scope(me=True, turn=True, loops=("Round", "Play"), inside=True).having("player", "p")
        skip = self.maybe(f" where {self.condition(replace(scope, turn=False), 1)}", 0.2)
        body = self.block(scope, 2, 3)
        limit = "        if turn_number >= 5: stop Round\n"
        after = self.block(Scope(loops=("Play",)), 1, 2)
        return f"phase Play:\n    turns Round p{skip}:\n{limit}{body}{after}    finish most(p by score(p) for p in players)\n"

    # ------------------------------------------------------------ statements
    def block(self, scope: Scope, depth: int, most: int) -> str:
        """Lines with their indentation."""
        lines: list[str] = []
        for _ in range(self.random.randrange(1, most + 1)):
            made, scope = self.statement(scope, 3 - depth)
            lines += made
        return "".join("    " * depth + line + "\n" for line in lines)

    def inner(self, scope: Scope, depth: int, most: int = 2) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randrange(1, most + 1)):
            made, scope = self.statement(scope, depth - 1)
            lines += made
        return ["    " + line for line in lines]

    def statement(self, scope: Scope, depth: int) -> tuple[list[str], Scope]:
        if scope.waits and self.random.random() < 0.45:
            return self.waiting(scope, depth)
        if depth > 0 and self.random.random() < 0.45:
            return self.nested(scope, depth), scope
        return [self.simple(scope)], scope

    def simple(self, scope: Scope) -> str:
        card = self.card(scope)
        options = [
            f"change {self.player(scope)}.points by {self.one('1', '1', '2', '-1', self.number(scope, 1))}",
            f"set level = {self.number(scope, 1)} mod 6",
            f"set level = min(5, max(0, {self.number(scope)}))",
            f"set flag = {self.condition(scope, 1)}",
            f"set hues = {self.domain('hue', scope, 1)}",
            f"set mark = {self.one('none', 'top(pile)', 'first(c for c in line)', 'line[2]')}",
            f"move all from {self.one('line', 'pile', 'spare')} to {self.one('pile', 'spare', 'deck')}",
            f"move all from {self.gems(scope)} to {self.one('heap', 'pot')}",
            "shuffle deck",
            f"shuffle {self.one('pile', 'spare')} into deck",
            f"swap {self.player(scope)}.hand with {self.player(scope)}.hand",
            f"swap {self.player(scope)}.points with {self.player(scope)}.points",
            f"move {self.one('1', '2', self.number(scope, 1))} of {self.kind(scope)} from {self.gems(scope)} to {self.gems(scope)}",
            f"for k in Gem where heap[k] > 0: move 1 of k from heap to {self.player(scope)}.purse",
            "for s in spaces(tray) where tray[s] = none and heap[ruby] > 1: move 1 of ruby from heap to tray at s",
            f"for s in spaces(tray) where tray[s] != none: move s to {self.gems(scope)}",
            f"for c in {self.cards(scope)}: move c to {self.one('top of pile', 'bottom of line', 'spare', 'bottom of deck', 'deck', 'top of deck')}",
            f"move {{c for c in {self.cards(scope)} where c.value > {self.one('1', '2')}}} to {self.one('line', 'pile', 'spare')}",
            f"note Deal(who: {self.player(scope)}, gets: best)" if "array" in scope.names else "nothing",
        ]  # fmt: skip
        if card is not None:
            options += [
                f"move {card} to {self.one('line', 'pile', 'spare', 'deck', 'bottom of pile', 'niche', 'deck at 2')}",
                f"move {card} to {self.player(scope)}.hand",
                f"set mark = {card}",
                f"set {card}.used = yes",
                f"for s in spaces(floor) where floor[s] = none and s.x = 2: move {card} to floor at s",
            ] * 2
        if self.rules and self.random.random() < 0.3:
            options.append(f"{self.one(*self.rules)}({self.player(scope)})")
        if scope.inside and self.random.random() < 0.1:
            return "skip"
        if scope.loops and self.random.random() < 0.08:
            return f"stop {self.random.choice(scope.loops)}"
        return self.random.choice(options)

    def nested(self, scope: Scope, depth: int) -> list[str]:
        match self.random.randrange(7):
            case 0 | 1:
                lines = [f"if {self.condition(scope)}:", *self.inner(scope, depth)]
                return [*lines, "else:", *self.inner(scope, depth)] if self.random.random() < 0.4 else lines
            case 2 | 3:
                x, domain, inner = self.binder(scope, 1)
                label = self.fresh("Loop")
                where = self.where(inner, 2)
                inner = replace(inner, loops=(*scope.loops, label), inside=True)
                return [f"for {label} {x} in {domain}{where}:", *self.inner(inner, depth)]
            case 4:
                label = self.fresh("Again")
                inner = replace(scope, loops=(*scope.loops, label), inside=True)
                return [f"repeat {label} up to {self.one('2', '3', 'level')}:", *self.inner(inner, depth)]
            case 5:
                inner = replace(scope, loops=(), waits=False)
                return ["atomic:", *self.inner(replace(inner, inside=False), depth)]
        return [f"as {self.player(scope)}:", *self.inner(replace(scope, me=True), depth)]

    # ------------------------------------------------------------ statements that wait
    def waiting(self, scope: Scope, depth: int) -> tuple[list[str], Scope]:
        card_place = self.one("spare", "line", "pile", f"{self.player(scope)}.hand")
        chance = [
            f"draw {self.one('1', '2', 'level')} from deck to {card_place}{self.maybe(' else nothing', 0.7)}",
            f"draw {self.one('1', '2')} at random from {self.one('heap', 'pot')} to {self.player(scope)}.purse else nothing",
            f"draw 1 at random from {self.one('line', 'spare')} to {self.one('pile', 'spare')} else set flag = yes",
            f"draw 1 from {self.one('pile', 'line')} to spare else nothing",
            f"peek {self.one('1', '2')} of deck to {self.one('all', self.player(scope))}",
        ]
        if not scope.me or self.random.random() < 0.3:
            if self.random.random() < 0.3:
                n = self.fresh("n")
                weights = self.maybe(f" by {n}")
                return [f"roll {n} in {self.one('1..3', '1..2')}{weights}"], scope.having("number", n)
            return [self.random.choice(chance)], scope
        match self.random.randrange(10):
            case 0 | 1 | 2:
                line, inner = self.choose(scope)
                return [line], inner
            case 8:
                x, domain, named = self.binder(scope, 1)
                asked = f"may choose {x} in {domain}{self.where(named, 2)}{self.one('', ' always', ' when able')}:"
                lines = [asked, *self.inner(named, max(depth, 1), 1)]
                other = self.inner(scope, max(depth, 1), 1)
                return [*lines, *(["else:", *other] if self.random.random() < 0.4 else [])], scope
            case 9:
                amount = self.one("1", "0..1", "0..all", "1..2")
                return [f"pick {amount} from my.hand to {self.one('spare', 'pile', 'line')}"], scope
            case 3:
                return ["offer menu else nothing"], scope
            case 4:
                return [self.one("may menu", "window menu", "may act0 else set flag = no")], scope
            case 5:
                other = self.inner(scope, max(depth, 1), 1)
                words = [f'may "{self.fresh("go")}":', *self.inner(scope, max(depth, 1), 1)]
                return [*words, *(["else:", *other] if self.random.random() < 0.4 else [])], scope
            case 6:
                cases = []
                for name in ("one", "two", "three")[: self.random.randrange(2, 4)]:
                    need = [f"    require {self.condition(scope, 1)}"] if self.random.random() < 0.4 else []
                    cases += [f'"{name}":', *need, *self.inner(scope, max(depth, 1), 1)]
                return ["offer:", *("    " + line for line in cases), "else: nothing"], scope
        return [
            f"pick {self.one('1', '0..1', '0..all', '0..2')} from my.purse to {self.one('heap', 'pot')}"
        ], scope

    def choose(self, scope: Scope, *, header: bool = False) -> tuple[str, Scope]:
        inner, parts, of_sets = scope, [], ""
        for _ in range(self.random.choice((1, 1, 2, 3))):
            if self.random.random() < 0.12:
                _, domain, _ = self.binder(inner, 1)
                several = self.fresh("several")
                parts.append(f"{self.one('1', '2', '0..1', '1..2', '0..all')} {several} in {domain}")
                of_sets += self.maybe(
                    f" where count({several}) {self.one('!=', '<', '>=')} {self.one('1', '2')}"
                )
                continue
            if self.random.random() < 0.2 and "array" not in inner.names:
                top = self.one("heap[j]", "2", "count(heap)")
                parts.append(f"best[j in Gem] in 0..{top}")
                inner = inner.having("array", "best").having("number", "best[ruby]", "best[jade]")
                continue
            x, domain, inner = self.binder(inner, 1)
            parts.append(f"{x} in {domain}")
        wheres = of_sets
        if "array" in inner.names and "array" not in scope.names:
            wheres += self.maybe(
                f" where sum(best[i] for i in Gem) {self.one('=', '<=', '>=')} {self.one('2', '3')}", 0.8
            )
        wheres += self.maybe(f" where {self.condition(inner, 2)}", 0.6)
        otherwise = (
            ""
            if header
            else self.one(" else return", " else finish {}")
            if self.random.random() < 0.8
            else ""
        )
        if not header and scope.inside and otherwise:
            otherwise = " else skip"
        return f"choose {', '.join(parts)}{wheres}{otherwise}", inner


def random_game(seed: int) -> str:
    return Games(seed).game()
