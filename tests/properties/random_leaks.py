"""Small random rules about secrets, of which most leak somewhere.

Only player 2 is ever asked. The rules read secrets of both, name them, hand
them on, return, stop, open and tell them, in any order.
"""

from __future__ import annotations

from random import Random

from .leaks import GEMS, TABLE

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


class Writer:
    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.names = 0

    def spec(self) -> str:
        setup = (
            GEMS.rstrip()
            + "\n    for p in players:\n        roll s in 1..2 seen by {p}\n        set p.secret = s\n"
        )
        who = self.rng.choice(("one", "two", "at"))
        trigger = f"trigger answer after knock(at) where {who}.secret = 2: ask(told)\n"
        body = self.block(1, 4, [], [])
        return f"{TABLE}{setup}{RULES}{trigger}rule go():\n{body}phase Play:\n    go()\n    mark(3)\n    ask(told)\n"

    def value(self, names: list[str]) -> str:
        fixed = ["one.secret", "two.secret", "told", "many", "count(two.screen)", "2"]
        return self.rng.choice(fixed + names * 2)

    def condition(self, names: list[str]) -> str:
        if self.rng.random() < 0.2:
            return f"strong({self.rng.choice(('one', 'two'))})"
        return f"{self.value(names)} {self.rng.choice(('= 1', '> 1', '!= 2'))}"

    def block(self, depth: int, size: int, names: list[str], loops: list[str]) -> str:
        names = list(names)
        lines = [self.statement(depth, names, loops) for _ in range(self.rng.randint(1, size))]
        return "".join(lines)

    def statement(self, depth: int, names: list[str], loops: list[str]) -> str:
        pad = "    " * depth
        kinds = ["let", "ask", "ask", "set", "call", "result", "knock", "reveal", "learn"]
        if depth < 4:
            kinds += ["if", "if", "if", "show", "repeat"]
        kinds += ["return", "stop"] if loops else ["return"]
        match self.rng.choice(kinds):
            case "let" | "result" as kind:
                self.names += 1
                name = f"x{self.names}"
                given = self.value(names) if kind == "let" else f"limit({self.rng.choice(('one', 'two'))})"
                names.append(name)
                return f"{pad}let {name} = {given}\n"
            case "ask":
                self.names += 1
                n = f"n{self.names}"
                return (
                    f"{pad}as two:\n{pad}    choose {n} in 1..2 where {n} = 1 or {self.condition(names)}\n"
                    f"{pad}    mark({n})\n"
                )
            case "set" | "learn":
                return f"{pad}set told = {self.value(names)}\n"
            case "call":
                return f"{pad}ask({self.value(names)})\n"
            case "knock":
                return f"{pad}knock({self.rng.choice(('one', 'two'))})\n"
            case "reveal":
                return f"{pad}reveal one.secret to all\n"
            case "show":
                inner = self.block(depth + 1, 3, names, loops)
                return f"{pad}show one.{self.rng.choice(('secret', 'screen'))} to two:\n{inner}"
            case "repeat":
                self.names += 1
                label = f"loop{self.names}"
                inner = self.block(depth + 1, 3, names, [*loops, label])
                return f"{pad}repeat {label} up to 2:\n{inner}"
            case "return":
                return f"{pad}if {self.condition(names)}: return\n"
            case "stop":
                return f"{pad}if {self.condition(names)}: stop {self.rng.choice(loops)}\n"
        inner = self.block(depth + 1, 3, names, loops)
        other = f"{pad}else:\n{self.block(depth + 1, 2, names, loops)}" if self.rng.random() < 0.4 else ""
        return f"{pad}if {self.condition(names)}:\n{inner}{other}"
