"""Words for what matches are made of: the plain data of views, events and choices, as people read it."""

from __future__ import annotations

import re
from functools import cached_property
from math import prod
from typing import Any

from ..interpreter import types as t
from ..interpreter.engine import Engine
from ..interpreter.match import Decision


class Words:
    """The vocabulary of one game. Reads what is printed on components, never a position."""

    def __init__(self, engine: Engine) -> None:
        self.layout = engine.layout
        self.game = engine.game
        self.values = engine.watcher.values
        self.place_keys = {label: key for (key, _), label in engine.watcher.labels.items()}
        self._points = {(p.rule, p.name): p for p in engine.program.decisions}
        self._cases = {
            key: label for p in engine.program.decisions if p.kind == "offer" for key, label in p.cases
        }

    # ------------------------------------------------------------ things and values
    def thing(self, name: str) -> str:
        """`Card#3` as what is printed on it; a piece by its name."""
        comp, _, number = name.partition("#")
        if number.isdigit() and comp in self.layout.comps:
            return self.values.comp_label(comp, int(number) - 1)
        return name

    def value(self, value: Any, type_: t.Type) -> str:
        """Words for an encoded value of a type."""
        match type_:
            case t.Opt(of):
                return "none" if value is None else self.value(value, of)
            case t.Comp():
                return self.thing(str(value))
            case t.Space(of):
                return self.space(of, value)
            case t.Kind(name):
                values = self.game.kinds[name].values
                return self.values.label(values.index(value), type_) if value in values else str(value)
            case t.Player():
                return f"player {value}"
            case t.YesNo():
                return "yes" if value else "no"
            case t.SetOf(of) | t.ListOf(of):
                return ", ".join(self.value(v, of) for v in value) or "nothing"
        return str(value)

    def kind(self, value: str) -> str:
        """A kind of token or the name of a token type."""
        for name, decl in self.game.kinds.items():
            if name in self.game.tokens and value in decl.values:
                return self.values.label(decl.values.index(value), t.Kind(name))
        return value

    def space(self, place: str, xy: Any) -> str:
        geometry = self.layout.geometries[place]
        return self.values.label(geometry.space(*xy), t.Space(place))

    # ------------------------------------------------------------ places and states
    def place(self, label: str) -> str:
        """`player 1: hand` as it is said in a sentence."""
        if label.startswith("box of "):
            return "the box"
        label = re.sub(r"(?<=\[)\w+#\d+(?=[],])", lambda found: self.thing(found[0]), label)
        owner, colon, name = label.replace("_", " ").partition(": ")
        if not colon:
            return owner
        owner = label.partition(": ")[0]
        return f"{owner}'s {name}" if owner.startswith("player ") else f"{name} of {self.thing(owner)}"

    def at(self, label: str, xy: Any) -> str:
        key = self.place_keys.get(label)
        return (
            f"{self.place(label)} {self.space(key, xy)}"
            if key in self.layout.geometries and key
            else self.place(label)
        )

    @cached_property
    def state_keys(self) -> dict[str, str]:
        """The declaration that each label of a state belongs to."""
        out = {}
        for key in self.game.states:
            _, sizes, _ = self.layout.states[key]
            for index in range(prod(sizes)):
                out[self.values.state_label(key, index)] = key
        return out

    def state(self, label: str, value: Any) -> str:
        key = self.state_keys.get(label)
        return self.value(value, self.game.states[key].type) if key is not None else str(value)

    # ------------------------------------------------------------ choices
    def choice(self, rule: str, key: tuple[Any, ...]) -> str:
        """What somebody has chosen, from the key of the option."""
        if key[0] == "offer":
            return self._cases.get(key[1], str(key[1])).replace("_", " ")
        point = self._points.get((rule, key[0]))
        if point is None or point.kind == "vector" or point.type is None:
            return f"{key[0]} {key[1]}" if isinstance(key[1], int) else str(key[1])
        return self.value(key[1], point.type)

    def question(self, decision: Decision) -> str:
        """What is asked: in the words of the rules, or made up from the rule's name and the type of the answer."""
        point = self._points.get((decision.rule, decision.name))
        if point is None or point.prompt or point.kind == "offer":
            return decision.prompt
        rule = self.rule(decision.rule)
        what = (
            f"choose {self.type(point.type)}"
            if point.kind == "choose"
            else f"how many ({', '.join(decision.cell) or decision.name})"
        )
        return f"{rule}: {what}" if rule is not None else what

    def type(self, type_: t.Type) -> str:
        match type_:
            case t.Space(of):
                return f"a space of {of.rpartition('.')[2]}"
            case t.Comp(name) | t.Kind(name):
                word = name.rpartition(".")[2].replace("_", " ")
                return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"
            case t.Num():
                return "a number"
            case t.Opt(of):
                return self.type(of)
        return f"a {type_}"

    def rule(self, name: str) -> str | None:
        """The name of a rule in a sentence; None for a phase, which goes without saying."""
        return None if any(phase.name == name for phase in self.game.phases) else name.replace("_", " ")


def listed(words: list[str], joint: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {joint} {words[-1]}"


def capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
