"""Small random rules about secrets, of which most leak somewhere.

Each game hides two or three sorts of things, so that all its matches can be looked
at: numbers that their owners see, gems behind a screen, cells that nobody sees,
numbers and beads in chests, decks. The rules read them through indices, names that
may be one player, definitions, parameters and results; they hand them on, return,
stop, show, reveal, peek and do so in secret, in any order. Mostly player 2 is asked.
"""

from __future__ import annotations

from random import Random

from .leaks import TABLE

HIDDEN: dict[str, tuple[str, str]] = {
    "secret": (
        "",
        "    for p in players:\n        roll s in 1..2 seen by {p}\n        set p.secret = s\n",
    ),
    "screen": (
        "",
        "    move all from box(Gem) to bag\n    roll g in 0..1 seen by {player(1)}\n"
        "    move g of ruby from bag to player(1).screen\n",
    ),
    "spot": (
        "state spot[1..2]: 0..9 = 0, seen by nobody\n",
        "    for i in 1..2:\n        roll s in 1..2 seen by nobody\n        set spot[i] = s\n",
    ),
    "chest": (
        "component Chest count 2\nplace hall: row of Chest\n"
        "each Chest has: state worth: 0..9 = 0, seen by nobody\n"
        "define old = the(c for c in Chest where c = first(d for d in Chest))\n"
        "define new = the(c for c in Chest where c = last(d for d in Chest))\n",
        "    for c in Chest:\n        move c to hall\n        roll s in 1..2 seen by nobody\n"
        "        set c.worth = s\n",
    ),
    "inside": (
        "token Bead: jet 1\ncomponent Box_ count 2\nplace shelf: row of Box_\n"
        "each Box_ has: place inside: bag of Bead, seen by nobody, size seen by nobody\n"
        "define left_box = the(c for c in Box_ where c = first(d for d in Box_))\n"
        "define right_box = the(c for c in Box_ where c = last(d for d in Box_))\n",
        "    for c in Box_: move c to shelf\n    roll b in 1..2 seen by nobody\n"
        "    if b = 1: move 1 of jet from box(Bead) to left_box.inside\n"
        "    else: move 1 of jet from box(Bead) to right_box.inside\n",
    ),
    "pack": (
        "component Leaf:\n    mark: 1..2\nrows Leaf:\n    | mark | count |\n    | 1..2 |     1 |\n"
        "place pack[1..2]: deck of Leaf, seen by nobody\n",
        "    move all from box(Leaf) to pack[1]\n    draw 1 from pack[1] to pack[2]\n",
    ),
}
"""What is declared, and how it is dealt."""

RULES = """
rule ask(most: 0..9):
    as two:
        choose n in 1..2 where n = 1 or most > 1
        mark(n)
rule limit(p: player) -> 1..2:
    if p.secret = 2: return 2
    return 1
rule knock(at: player): nothing
define strong(p: player) = p.secret = 2
define many = count(one.screen)
"""
PLAYERS = ("one", "two")
MOST_CHOICES = 6
"""In the text of a game: each doubles the number of its matches, some more than once."""


class Writer:
    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.names = 0
        self.choices = 0
        others = [sort for sort in HIDDEN if sort != "secret"]
        self.sorts = ["secret", *self.rng.sample(others, self.rng.randint(1, 2))]
        self.players = list(PLAYERS)
        self.numbers = ["1", "2"]

    def spec(self) -> str:
        declared = "".join(HIDDEN[sort][0] for sort in self.sorts)
        setup = "setup:\n" + "".join(HIDDEN[sort][1] for sort in self.sorts)
        who = self.rng.choice(("one", "two", "at"))
        trigger = f"trigger answer after knock(at) where {who}.secret = 2: ask(told)\n"
        body = self.block(1, 4, [], [])
        rest = f"rule go():\n{body}phase Play:\n    go()\n    mark(3)\n    ask(told)\n"
        return f"{TABLE}{declared}{setup}{RULES}{trigger}{rest}"

    # ------------------------------------------------------------ words
    def pick(self, *words: str) -> str:
        return self.rng.choice(words)

    def new(self, letter: str) -> str:
        self.names += 1
        return f"{letter}{self.names}"

    def player(self) -> str:
        plain = self.pick(*self.players)
        return f"left({plain})" if self.rng.random() < 0.15 else plain

    def cell(self, sort: str) -> str:
        """Something that can be shown."""
        match sort:
            case "secret":
                return f"{self.player()}.secret"
            case "screen":
                return f"{self.player()}.screen"
            case "spot":
                return f"spot[{self.pick(*self.numbers)}]"
            case "chest":
                return f"{self.pick('old', 'new')}.worth"
            case "inside":
                return f"{self.pick('left_box', 'right_box')}.inside"
        return f"pack[{self.pick(*self.numbers)}]"

    def number(self, sort: str) -> str:
        """What can be read of it."""
        cell = self.cell(sort)
        match sort:
            case "secret" | "spot" | "chest":
                return cell
            case "screen":
                return self.pick(f"count({cell})", f"{cell}[ruby]", "many")
            case "inside":
                return self.pick(f"count({cell})", f"{cell}[jet]")
        return self.pick(
            f"sum(c.mark for c in {cell})", f"count(c for c in {cell} where c.mark = 2)", f"count({cell})"
        )

    def value(self, names: list[str]) -> str:
        fixed = [self.number(self.pick(*self.sorts)), self.number("secret"), "told", "2"]
        return self.rng.choice(fixed + names * 2)

    def condition(self, names: list[str]) -> str:
        roll = self.rng.random()
        if roll < 0.15:
            return f"strong({self.player()})"
        if roll < 0.25:
            return f"{self.player()} {self.pick('=', '!=')} {self.player()}"
        return f"{self.value(names)} {self.pick('= 1', '> 1', '!= 2')}"

    def audience(self) -> str:
        who = self.player()
        return self.pick("all", who, f"{{{who}}}", f"others({who})")

    def secretly(self) -> str:
        return self.pick("", "", " secretly")

    # ------------------------------------------------------------ statements
    def block(self, depth: int, size: int, names: list[str], loops: list[str]) -> str:
        names, players, numbers = list(names), list(self.players), list(self.numbers)
        lines = [self.statement(depth, names, loops) for _ in range(self.rng.randint(1, size))]
        self.players, self.numbers = players, numbers
        return "".join(lines)

    def statement(self, depth: int, names: list[str], loops: list[str]) -> str:
        kinds = ["let", "ask", "ask", "set", "call", "result", "knock", "reveal", "learn", "alias", "hide"]
        if depth < 4:
            kinds += ["if", "if", "if", "show", "show", "repeat", "each", "every_cell", "chosen", "chosen"]
        kinds += ["return", "stop"] if loops else ["return"]
        kinds += ["peek", "peek", "carry"] if "pack" in self.sorts else ["look"]
        return self._statement(self.rng.choice(kinds), "    " * depth, depth, names, loops)

    def _statement(self, kind: str, pad: str, depth: int, names: list[str], loops: list[str]) -> str:
        match kind:
            case "let" | "result":
                name = self.new("x")
                given = self.value(names) if kind == "let" else f"limit({self.player()})"
                names.append(name)
                return f"{pad}let {name} = {given}\n"
            case "ask":
                return self._ask(pad, names)
            case "alias":
                return self._alias(pad)
            case "set" | "learn":
                return f"{pad}set told = {self.value(names)}\n"
            case "hide":
                sort = next((s for s in self.sorts if s in ("spot", "chest")), None)
                return f"{pad}set {self.cell(sort) if sort else 'told'} = {self.value(names)}\n"
            case "call":
                return f"{pad}ask({self.value(names)})\n"
            case "knock":
                return f"{pad}knock({self.player()})\n"
            case "reveal":
                return (
                    f"{pad}reveal {self.cell(self.pick(*self.sorts))} to {self.audience()}{self.secretly()}\n"
                )
            case "look":
                return f"{pad}show {self.cell(self.pick(*self.sorts))} to {self.audience()}{self.secretly()}: nothing\n"
            case "peek":
                return f"{pad}peek 1 of {self.cell('pack')} to {self.audience()}{self.secretly()}\n"
            case "carry":
                ends = self.pick("from pack[1] to pack[2]", "from pack[2] to pack[1]")
                return f"{pad}move all {ends}\n"
            case "return":
                return f"{pad}if {self.condition(names)}: return\n"
            case "stop":
                return f"{pad}if {self.condition(names)}: stop {self.rng.choice(loops)}\n"
        return self._around(kind, pad, depth, names, loops)

    def _ask(self, pad: str, names: list[str]) -> str:
        if self.choices >= MOST_CHOICES:
            return f"{pad}mark(5)\n"
        self.choices += 1
        n, who = self.new("n"), self.pick("two", "two", "two", self.player())
        return (
            f"{pad}as {who}:\n{pad}    choose {n} in 1..2 where {n} = 1 or {self.condition(names)}\n"
            f"{pad}    mark({n})\n"
        )

    def _alias(self, pad: str) -> str:
        """Another name for a player."""
        name = self.new("q")
        given = self.pick(self.player(), f"({self.player()} if told = 1 else {self.player()})")
        self.players.append(name)
        return f"{pad}let {name} = {given}\n"

    def _around(self, kind: str, pad: str, depth: int, names: list[str], loops: list[str]) -> str:
        """A statement with a block of its own."""
        match kind:
            case "show":
                head = f"show {self.cell(self.pick(*self.sorts))} to {self.audience()}{self.secretly()}"
                return f"{pad}{head}:\n{self.block(depth + 1, 3, names, loops)}"
            case "repeat":
                label = self.new("loop")
                return f"{pad}repeat {label} up to 2:\n{self.block(depth + 1, 3, names, [*loops, label])}"
            case "each":
                name = self.new("p")
                where = self.pick("", "", f" where {name} != {self.player()}")
                return f"{pad}for {name} in players{where}:\n{self._named(self.players, name, depth, names, loops)}"
            case "every_cell":
                name = self.new("i")
                domain = self.pick("1..2", "1..1")
                return f"{pad}for {name} in {domain}:\n{self._named(self.numbers, name, depth, names, loops)}"
            case "chosen" if self.choices < MOST_CHOICES:
                self.choices += 1
                name = self.new("q")
                domain = self.pick("players", "players", "others(me)", "1..2")
                known = self.numbers if domain == "1..2" else self.players
                inner = self._named(known, name, depth, names, loops)
                return f"{pad}as two:\n{pad}    choose {name} in {domain}\n{inner}"
        inner = self.block(depth + 1, 3, names, loops)
        other = f"{pad}else:\n{self.block(depth + 1, 2, names, loops)}" if self.rng.random() < 0.4 else ""
        return f"{pad}if {self.condition(names)}:\n{inner}{other}"

    def _named(self, known: list[str], name: str, depth: int, names: list[str], loops: list[str]) -> str:
        known += [name, name]
        inner = self.block(depth + 1, 2, names, loops)
        for words in (self.players, self.numbers):
            while name in words:
                words.remove(name)
        return inner
