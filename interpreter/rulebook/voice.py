"""How things are called in sentences: declarations by their names or their `look`, local names by what they are.

A `Voice` speaks to somebody: `me` is who decides, usually "you". It knows what
the local names in sight refer to: the first chamber chosen is "the chamber"; if
there are two, both are called by their letters. `addressed` tells that "you" is
taken, so that others who decide are spoken of in the third person.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import attrs
from attrs import Factory, define

from ..core import CheckedGame, Var
from ..core import value_types as t
from .document import Targets, em, plain
from .english import a, agree, plural, third_person, words

_TURNS = ("as it is", "a quarter turn", "half a turn", "three quarters of a turn")
_COMPASS = {
    "N": "north",
    "NE": "north-east",
    "E": "east",
    "SE": "south-east",
    "S": "south",
    "SW": "south-west",
    "W": "west",
    "NW": "north-west",
}


@define
class Voice:
    game: CheckedGame
    targets: Targets
    me: str = "you"
    addressed: bool = False
    names: dict[str, str] = Factory(dict)

    # ------------------------------------------------------------ whom and about what
    def speaking_as(self, me: str) -> Voice:
        return attrs.evolve(self, me=me, names=dict(self.names))

    def addressing(self) -> Voice:
        """For a turn: from here on "you" is somebody in particular."""
        return attrs.evolve(self, me="you", addressed=True, names=dict(self.names))

    def inside(self) -> Voice:
        """For a block: names bound in it are not known behind it."""
        return attrs.evolve(self, names=dict(self.names))

    def call(self, var: Var, reference: str) -> None:
        self.names[var.uid] = reference

    def introduce(self, variables: Sequence[Var], *, running: bool = True) -> list[str]:
        """Names for variables that come into sight together, each told apart from all that are in sight.

        `running` ones stand for one after the other: "that player"; parameters do not: "the player"."""
        nouns = [self._short_noun(var) for var in variables]
        out = []
        for var, noun in zip(variables, nouns, strict=True):
            word = words(var.name)
            if noun is None:
                is_plain = isinstance(t.plain(var.type), t.Num | t.YesNo)
                reference = em(word) if is_plain else f"the {word}"
            else:
                is_that = self._is_way(var) or (running and self._is_running(var))
                reference = f"that {noun}" if is_that else f"the {noun}"
                if nouns.count(noun) > 1 or reference in self.names.values():
                    reference = f"{noun} {em(var.name)}"
            self.call(var, reference)
            out.append(reference)
        return out

    def _short_noun(self, var: Var) -> str | None:
        """The noun of a variable whose own name says nothing; None if its name is a word."""
        noun = self.noun(var.type)
        if isinstance(t.plain(var.type), t.Num | t.YesNo | t.Array):
            return None
        if self.is_token_kind(var.type):
            own = words(var.name)
            generic = len(own) < 3 or own in (noun.removeprefix("kind of "), "token", "kind", "colour")
            return "kind" if generic else f"{own} kind"
        return noun if len(var.name) < 3 or words(var.name) == noun else None

    def _is_running(self, var: Var) -> bool:
        return isinstance(t.plain(var.type), t.Player | t.Kind)

    def _is_way(self, var: Var) -> bool:
        return t.plain(var.type) == t.ROTATION or self._short_noun(var) == "kind"

    def is_token_kind(self, type_: t.Type) -> bool:
        bare = t.plain(type_)
        return isinstance(bare, t.Kind) and bare.name in self.game.tokens

    # ------------------------------------------------------------ nouns
    def noun(self, type_: t.Type) -> str:
        match t.plain(type_):
            case t.Comp(name):
                decl = self.game.components.get(name)
                return self.noun_of(name) if decl is None or not decl.piece else "piece"
            case t.Kind("direction"):
                return "direction"
            case t.Kind("rotation"):
                return "way"
            case t.Kind(name):
                return f"kind of {self.noun_of(name)}" if name in self.game.tokens else self.noun_of(name)
            case t.Player():
                return "player"
            case t.Space():
                return "space"
            case t.Rec(name):
                return words(name)
            case t.SetOf(of) | t.ListOf(of):
                return plural(self.noun(of))
            case t.Num() | t.Array():
                return "number"
            case t.Place():
                return "place"
        return "thing"

    def noun_of(self, name: str) -> str:
        """What one of a kind of component, token or value is called."""
        return self.sentence(name) or words(name)

    def held(self, place: t.Place) -> str:
        """What lies in a place, one of it."""
        return self.noun_of(place.of)

    # ------------------------------------------------------------ values of kinds
    def value(self, value: int, type_: t.Type) -> str:
        """A constant of a type, as people say it."""
        match t.plain(type_):
            case t.Kind("rotation"):
                return _TURNS[value]
            case t.Kind("direction"):
                return _COMPASS[t.DIRECTIONS[value]]
            case t.Kind(name):
                return self.kind_label(name, self.game.kinds[name].values[value])
            case t.YesNo():
                return "yes" if value else "no"
            case t.Player():
                return f"player {value + 1}"
        return "none" if isinstance(type_, t.Nothing) else str(value).replace("-", "−")

    def kind_label(self, kind: str, value: str) -> str:
        look = self.game.looks.get(f"{kind}.{value}")
        if look is not None and look.words and not look.words.endswith((" the", " of")):
            return look.words
        return words(value)

    def token(self, kind: str, value: str, many: bool = False) -> str:
        """A token of a kind: `yellow cube`; a word with a capital stands by itself: `Merchant`."""
        label, noun = self.kind_label(kind, value), self.noun_of(kind)
        if label[:1].isupper() or label.split()[-1] == noun:
            whole = label
        else:
            whole = f"{label} {noun}"
        return plural(whole) if many else whole

    # ------------------------------------------------------------ sentences of declarations
    def sentence(self, name: str) -> str | None:
        """The sentence that `look NAME: says "..."` gives."""
        look = self.game.looks.get(name)
        return look.says if look is not None else None

    def name(self, key: str) -> str:
        """What a thing is called: its words if they are no sentence, else its name."""
        look = self.game.looks.get(key)
        if look is not None and look.words and "{" not in look.words:
            return look.words
        return words(key)

    def the(self, key: str) -> str:
        """A single thing by its name; a name with a capital needs no article."""
        name = self.name(key)
        return name if name[:1].isupper() else f"the {name}"

    def filled(self, template: str, given: dict[str, str]) -> str:
        """A `look` with what stands for its names; `you` in it is who decides."""
        if plain(self.me) != "you":
            template = third_person(template, self.me)
        text = re.sub(r"\{(\w+)\}", lambda found: given.get(found[1], found[1]), template)
        text = re.sub(r"\b(\w+) \ue003\1\ue004", "\ue003\\1\ue004", text)
        return agree(re.sub(r"\b1 (\w+)\b", self._single, text))

    def _single(self, found: re.Match[str]) -> str:
        """`1 cubes` with the noun that goes with one."""
        nouns = [self.noun_of(name) for name in (*self.game.tokens, *self.game.components)]
        return next((f"1 {noun}" for noun in nouns if plural(noun) == found[1]), found[0])

    def parameters(self, params: Sequence[Var]) -> list[str]:
        """The parameters of a rule or definition, introduced: "a player", "a chamber c"."""
        references = self.introduce(params, running=False)
        out = []
        for reference in references:
            bare = plain(reference)
            if bare.startswith(("the ", "that ")):
                out.append(a(bare.partition(" ")[2]))
            else:
                out.append(a(reference) if " " in bare else f"a number {reference}")
        return out
