"""Words for what matches are made of: the plain data of views, events and choices, as people read it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import repeat
from math import prod
from typing import Any

from ..core import value_types as t
from ..core.events import Chosen, RowNoted
from ..play.asking import point_of
from ..play.engine import Engine
from ..play.match import Decision, Match, Option
from ..play.rivalry import together
from ..program.layout import Geometry
from ..program.terminators import DecisionPoint
from ..rulebook.english import agree
from .dress import ASCII, Attire, Dress, Glyphs, seat_style
from .lying import Lying
from .text import Line, joined

View = Mapping[str, Any]


class Words:
    """The vocabulary of one game. Reads what is printed on components, never a position."""

    def __init__(self, engine: Engine, glyphs: Glyphs = ASCII) -> None:
        self._engine = engine
        self.layout = engine.layout
        self.game = engine.game
        self.values = engine.watcher.values
        self.glyphs = glyphs
        self.dress = Dress(self.game, self.layout, self.values, glyphs)
        self.partners = self.layout.players if together(self.layout) else 0
        """How many win or lose together; 0 where there are rivals."""
        self.place_keys = {label: key for (key, _), label in engine.watcher.labels.items()}
        self._points = {(p.rule, p.name): p for p in engine.program.decisions}
        self._cases = {
            key: label for p in engine.program.decisions if p.kind == "offer" for key, label in p.cases
        }
        self.you: int | None = None
        """Whose eyes the words are for: that seat is called `you`."""
        self.names: Mapping[int, str] = {}
        """What people call themselves."""
        self._turns: tuple[View | None, dict[str, int]] = (None, {})
        self.view: View | None = None
        """What lies where, for sentences about spaces."""
        self.then: Lying | None = None
        """What lay where, for sentences about what has happened."""

    @classmethod
    def of(cls, match: Match, glyphs: Glyphs = ASCII) -> Words:
        """For a match of this game, with so many players."""
        return cls(match.state.engine, glyphs)

    @cached_property
    def rolled(self) -> dict[str, t.Type]:
        """What a rule rolls, where it is of one type."""
        made = self._engine.generated
        found: dict[str, set[t.Type]] = {}
        for pc in made.rolls:
            found.setdefault(made.rules[pc][-1], set()).add(made.chances[pc])
        return {rule: types.pop() for rule, types in found.items() if len(types) == 1}

    def is_board(self, key: str) -> bool:
        """Is it a place with spaces?"""
        return key in self.layout.geometries

    def board(self, key: str) -> Geometry:
        return self.layout.geometries[key]

    @property
    def boards(self) -> int:
        """How many there are."""
        return len(self.layout.geometries)

    def first_value(self, key: str) -> Any:
        """What a state is at the start, as views tell it."""
        first = self.layout.initial[self.layout.states[key][0]]
        return self.values.encode(first, self.game.states[key].type)

    # ------------------------------------------------------------ things and values
    def attire(self, name: str) -> Attire | None:
        """How `Card#3`, `dragon` or `hero of player 2` looks; None if there is no such thing."""
        found = self.identity(name)
        return self.dress.thing(*found, self._turned(name)) if found is not None else None

    def _turned(self, name: str) -> int:
        """By how many quarters a component is turned where it lies, or lay, as far as is seen."""
        if self.then is not None and name in self.then.turned:
            return self.then.turned[name]
        if self._turns[0] is not self.view:
            places = self.view["places"].values() if self.view is not None else ()
            found = {
                item[0]: item[2]
                for place in places
                for item in place.get("contents") or ()
                if isinstance(item, tuple | list) and len(item) == 3 and isinstance(item[0], str)
            }
            self._turns = (self.view, found)
        return self._turns[1].get(name, 0)

    def identity(self, name: str) -> tuple[str, int] | None:
        """`Card#3` as component and number, from 0."""
        comp, _, number = name.partition("#")
        if number.isdigit() and comp in self.layout.comps:
            return comp, int(number) - 1
        piece, _, seat = name.partition(" of player ")
        if seat.isdigit() and f"player.{piece}" in self.layout.comps:
            return f"player.{piece}", int(seat) - 1
        return (name, 0) if name in self.layout.comps and self.layout.comps[name].decl.piece else None

    def thing(self, name: str) -> str:
        """`Card#3` as what is printed on it; a piece by its name."""
        attire = self.attire(name)
        if attire is None:
            return name
        owner = name.rpartition(" of player ")[2]
        if " of player " in name and self.you is not None and owner == str(self.you):
            return "your " + attire.words.rpartition(" of player ")[0]
        return attire.words

    def shown(self, name: str, *, short: bool = False) -> Line:
        """The same in its colours."""
        attire = self.attire(name)
        if attire is None:
            return Line(name)
        return Line((attire.short if short else self.thing(name), attire.style))

    def player(self, seat: int) -> str:
        return "you" if seat == self.you else self.names.get(seat) or f"player {seat}"

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
                return self.player(value)
            case t.YesNo():
                return "yes" if value else "no"
            case t.Rec():
                return str(value).replace("#", " ")
            case t.SetOf(of) | t.ListOf(of):
                return ", ".join(self.value(v, of) for v in value) or "nothing"
        return str(value)

    def kind(self, value: str) -> str:
        """A kind of token or the name of a token type."""
        return self.token(value).words

    def token(self, value: str) -> Attire:
        for name, decl in self.game.kinds.items():
            if name in self.game.tokens and value in decl.values:
                return self.dress.kind(name, value)
        word = value.replace("_", " ").lower()
        return Attire(word, word, word[:3])

    def tokens(self, amount: int, value: str) -> Line:
        return Line(f"{amount} ", (self.counted(amount, value), self.token(value).style))

    def counted(self, amount: int, value: str) -> str:
        """A kind of token behind a number: `one-gold coins` if the word is that of the tokens, but `silver`."""
        words = self.token(value).words
        names = [name for name in self.game.tokens if value in self.game.kinds[name].values]
        noun = names[0].replace("_", " ").lower() if names else value.lower()
        plural = amount != 1 and words.lower().endswith(noun) and not words.endswith("s")
        return f"{words}s" if plural else words

    def space(self, place: str, xy: Any) -> str:
        geometry = self.layout.geometries[place]
        return self.values.label(geometry.space(*xy), t.Space(place))

    # ------------------------------------------------------------ places and states
    def place(self, label: str) -> str:
        """`player 1: hand` as it is said in a sentence."""
        if label.startswith("box of "):
            return "the box"
        owner = split_label(label)[0]
        called = self.place_name(label)
        if not owner:
            return called
        if owner.startswith("player "):
            seat = int(owner.removeprefix("player "))
            return f"your {called}" if seat == self.you else f"{self.player(seat)}'s {called}"
        return f"{called} of {self.thing(owner)}"

    def place_name(self, label: str) -> str:
        """`player 1: hand` without its owner."""
        name = split_label(label)[1]
        base, bracket, rest = name.partition("[")
        key = self.place_keys.get(label) or self.state_keys.get(label)
        base = self.dress.name(key) if key is not None else base.replace("_", " ")
        if not bracket:
            return base
        inside = " ".join(map(self._index, rest[:-1].split("]["), self._indices(key)))
        return f"{inside} {base}" if rest[:1].isalpha() else f"{base} {inside}"

    def _indices(self, key: str | None) -> Iterable[t.Type | None]:
        """The types of the indices of a place or a state."""
        decl = self.game.places.get(key or "") or self.game.states.get(key or "")
        return decl.indices if decl is not None else repeat(None)

    def _index(self, text: str, type_: t.Type | None) -> str:
        """What stands in brackets, as it is said: `1, 2` of a board is a2."""
        match type_:
            case t.Space(of):
                return self.space(of, tuple(map(int, text.split(", "))))
            case t.Kind() | t.Comp():
                return self.value(text, type_)
        return text.replace("_", " ")

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

    def row(self, record: str, row: Mapping[str, Any]) -> str:
        """What a row of a record says: `you 3 silver, 1 blue; player 3 1 red`; in the words of its look if it has one."""
        parts = []
        for field, (indices, type_) in self.game.records[record].fields.items():
            value: Any = row.get(field)
            if not indices:
                word = self.value(value, type_)
                shown = field if value is True else f"not {field}" if value is False else f"{field} {word}"
            elif len(indices) == 1:
                shown = f"{field} {self._amounts(value, indices[0]) or 'nothing'}"
            else:
                groups: dict[Any, list[Any]] = {}
                for cell in value or ():
                    groups.setdefault(cell[0], []).append(cell[1:])
                shown = "; ".join(
                    f"{self.value(first, indices[0])} {self._amounts(rest, indices[-1])}"
                    for first, rest in groups.items()
                )
                shown = shown or f"{field} nothing"
            parts.append(shown.replace("_", " "))
        return ", ".join(parts)

    def spoken_row(self, event: RowNoted) -> str | None:
        """A row in the words of its look (`{maker} offers {taker} {give}`), with its name; None if it has none."""
        record, _, number = event.row.partition("#")
        look = self.game.looks.get(record)
        if look is None or not look.words:
            return None
        row = dict(event.fields)
        given = {}
        for field, (indices, type_) in self.game.records[record].fields.items():
            value: Any = row.get(field)
            given[field] = self.value(value, type_) if not indices else self._cells(value, indices)
        said = re.sub(r"\{(\w+)\}", lambda found: given.get(found[1], found[0]), look.words)
        return f"{agree(said)} ({record} {number})"

    def names_a_player(self, event: RowNoted) -> bool:
        """Do the words for a row say who has noted it?"""
        record = event.row.partition("#")[0]
        look, fields = self.game.looks.get(record), self.game.records[record].fields
        named = re.findall(r"\{(\w+)\}", look.words or "") if look is not None else []
        return any(not fields[f][0] and fields[f][1] == t.PLAYER for f in named if f in fields)

    def _cells(self, value: Any, indices: Sequence[t.Type]) -> str:
        """The numbers of a row: amounts, by whom they are for where there are two indices."""
        if len(indices) == 1:
            return self._amounts(value, indices[0]) or "nothing"
        groups: dict[Any, list[Any]] = {}
        for cell in value or ():
            groups.setdefault(cell[0], []).append(cell[1:])
        told = [
            f"{self._amounts(rest, indices[-1])} for {self.value(first, indices[0])}"
            for first, rest in groups.items()
        ]
        return "; ".join(told) or "nothing"

    def _amounts(self, found: Iterable[Any], type_: t.Type) -> str:
        tokens = isinstance(type_, t.Kind) and type_.name in self.game.tokens
        return listed(
            [
                f"{n} {self.counted(n, what) if tokens else self.value(what, type_)}"
                for *_, what, n in found or ()
            ]
        )

    # ------------------------------------------------------------ choices
    def choice(self, rule: str, key: tuple[Any, ...]) -> str:
        """What somebody has chosen, from the key of the option."""
        if key[0] == "offer":
            return self.case(str(key[1]))
        point = self._points.get((rule, key[0]))
        if point is None or point.kind == "vector" or point.type is None:
            return str(key[1])
        if key[1] is None and point.none:
            return point.none
        return self.value(key[1], point.type)

    def told_by_a_row(self, event: Chosen) -> bool:
        """Is it one of the numbers for several things at once, which the row that is noted tells in words?"""
        if not self.game.records:
            return False
        point = self._points.get((event.rule, event.key[0]))
        return point is not None and point.kind == "vector"

    def case(self, key: str) -> str:
        """A case of a menu: an action by its name or its look, or words as they stand."""
        if key in self.game.rules:
            return self.dress.name(key)
        return self._cases.get(key, key).replace("_", " ")

    def option(self, match: Match, option: Option, view: View, chosen: Iterable[str] = ()) -> Line:
        """An option as the one who decides should read it: with what lies there, and where it lies.

        `chosen` are the things picked before in the same form, the latest first.
        """
        point = point_of(match)
        if point.kind == "offer":
            return Line(self.case(str(option.key[-1])))
        none = bool(point.none) and option.key[-1] is None
        if point.kind == "vector" or point.type is None or none:
            return Line(option.label)
        return self._described(option.key[-1], point.type, view, tuple(chosen))

    def _described(self, value: Any, type_: t.Type, view: View, chosen: tuple[str, ...]) -> Line:
        match type_:
            case t.Opt(of) if value is not None:
                return self._described(value, of, view, chosen)
            case t.Comp():
                spot = where_is(view, str(value))
                word = self.shown(str(value))
                if spot is None:
                    return word
                return Line(word, f" at {self.space(self.place_keys[spot[0]], spot[1])}")
            case t.Space(of):
                there = self.lying_at(of, value, view)
                name = self.space(of, value)
                if there:
                    return Line(f"{name}: ", there)
                near = self._neighbour(of, value, view) if self.layout.geometries[of].grows else Line()
                return Line(f"{name} ", near) if near else Line(name)
            case t.Player():
                return Line((self.player(value), seat_style(value)))
            case t.Rec(name):
                row = view["records"][name][int(str(value).partition("#")[2]) - 1]
                return Line(f"{name.lower()} {str(value).partition('#')[2]}: {self.row(name, row)}")
            case t.Kind("rotation"):
                turned = ("r0", "r90", "r180", "r270").index(value)
                for name in chosen:
                    found = self.identity(name)
                    ways = self.dress.ways(*found, turned) if found is not None else None
                    if ways:
                        return Line(f"exits {self.dress.arrows(ways)}")
                return Line(self.value(value, type_))
            case t.Kind(name):
                attire = self.dress.kind(name, value)
                return Line((attire.words, attire.style))
        return Line(self.value(value, type_))

    def lying_at(self, place: str, xy: Any, view: View) -> Line:
        """What a seat sees on a space of a board: what lies there and who stands on it."""
        parts: list[Line] = []
        name = None
        for label, shown in view["places"].items():
            if self.place_keys.get(label) == place:
                for item in shown.get("contents", ()):
                    if isinstance(item[0], str) and tuple(item[1]) == tuple(xy):
                        name = item[0]
                        parts.append(self.shown(name))
                    elif not isinstance(item[0], str) and tuple(item[0]) == tuple(xy):
                        attire = self.token(item[1])
                        parts.append(Line((attire.words, attire.style)))
        guests = [
            Line((self.symbol(piece), found.style if (found := self.attire(piece)) else ""))
            for piece, where in view["pieces"].items()
            if where is not None
            and (where == name or (not isinstance(where, str) and tuple(where) == tuple(xy)))
            and self.stands_on(piece, where, place)
        ]
        return joined([*parts, *guests], " ")

    def _neighbour(self, place: str, xy: Any, view: View) -> Line:
        """An empty space by what it is next to: `left of Start`."""
        x, y = xy
        for (dx, dy), words in (
            ((1, 0), "left of"),
            ((-1, 0), "right of"),
            ((0, -1), "above"),
            ((0, 1), "below"),
        ):
            for label, shown in view["places"].items():
                if self.place_keys.get(label) == place:
                    for item in shown.get("contents", ()):
                        if isinstance(item[0], str) and tuple(item[1]) == (x + dx, y + dy):
                            attire, found = self.attire(item[0]), self.identity(item[0])
                            if attire is not None and found is not None:
                                name = self.dress.without_ways(*found)[0]
                                return Line((f"{words} ", "dim"), (name, attire.style))
        return Line()

    def symbol(self, name: str) -> str:
        """A piece as it stands on the board: its symbol, or its short name where it has none."""
        attire, found = self.attire(name), self.identity(name)
        if attire is None or found is None:
            return name
        look = self.game.looks.get(found[0])
        single = not found[0].startswith("player.") and (look is None or look.symbol is None)
        return attire.short if single else attire.symbol

    def spot(self, place: str, xy: Any) -> str:
        """A space in a sentence, with what is seen to lie there, or lay."""
        name = self.space(place, xy)
        if self.view is None:
            return name
        for label, shown in self.view["places"].items():
            if self.place_keys.get(label) == place:
                there, known = self.then.at(label, tuple(xy)) if self.then is not None else (None, False)
                if known:
                    return f"{name} ({self.thing(there)})" if there is not None else name
                for item in shown.get("contents", ()):
                    if isinstance(item[0], str) and tuple(item[1]) == tuple(xy):
                        return f"{name} ({self.thing(item[0])})"
        return name

    def stands_on(self, name: str, where: Any, place: str) -> bool:
        """Is that a space of this board, for a piece that stands on spaces?"""
        if isinstance(where, str):
            return True
        found = self.identity(name)
        return found is not None and self.layout.comps[found[0]].decl.on == t.Space(place)

    def question(self, decision: Decision, *, in_form: bool = False) -> str:
        """What is asked: in the words of the rules, or made up from the rule's name and the type of the answer.

        In a form, what was filled in stands in front, and the rule goes without saying.
        """
        point = self._points.get((decision.rule, decision.name))
        if point is None or point.kind == "offer":
            return self._menu(decision)
        if point.prompt:
            cell = [word.replace(f"player {self.you}", "you") for word in decision.cell]
            return f"{point.prompt} ({', '.join(cell)})" if cell else str(point.prompt)
        what = (
            f"which {self.part(point)}"
            if point.kind == "choose" and not isinstance(point.type, t.Num)
            else f"how many {', '.join(decision.cell) or point.name.replace('_', ' ')}"
        )
        rule = self.rule(decision.rule) if not in_form else None
        return f"{rule}: {what}" if rule is not None else what

    def _menu(self, decision: Decision) -> str:
        """A menu asks in its own words, or simply what to do."""
        if decision.prompt.replace(" ", "_") in self.game.menus or decision.prompt in self.game.rules:
            return "what do you do"
        return "what do you do" if self.rule(decision.prompt) is None else decision.prompt

    def part(self, point: DecisionPoint) -> str:
        """What one part of a form is about, in a word or two."""
        if point.kind == "offer":
            return "choice"
        if point.kind == "vector" or point.type is None:
            return point.name.replace("_", " ")
        return re.sub(r"^an? ", "", self.type(point.type))

    def type(self, type_: t.Type) -> str:
        match type_:
            case t.Space(of):
                one = sum(place.form.spaces for place in self.game.places.values()) == 1
                return "a space" if one else f"a space of {self.dress.name(of)}"
            case t.Comp(name) | t.Kind(name):
                look = self.game.looks.get(name)
                word = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.rpartition(".")[2]).replace("_", " ").lower()
                word = (look.says if look is not None else None) or word
                return f"{'an' if word[:1] in 'aeiou' else 'a'} {word}"
            case t.Num():
                return "a number"
            case t.Opt(of):
                return self.type(of)
            case t.Rec(name):
                return f"a {name.lower()}"
        return f"a {type_}"

    def rule(self, name: str) -> str | None:
        """The name of a rule in a sentence; None for a phase, which goes without saying."""
        if name == "setup" or any(phase.name == name for phase in self.game.phases):
            return None
        return self.dress.name(name)


def split_label(label: str) -> tuple[str, str]:
    """`player 1: hand` as owner and name; the first is empty for what is nobody's."""
    owner, colon, name = label.partition(": ")
    return (owner, name) if colon else ("", label)


def where_is(view: View, name: str) -> tuple[str, tuple[int, int]] | None:
    """The board, by its label, and the space on which a seat sees something lie."""
    for label, shown in view["places"].items():
        for item in shown.get("contents") or ():
            if isinstance(item, tuple) and len(item) == 3 and item[0] == name:
                return label, tuple(item[1])
    return None


def listed(words: list[str], joint: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {joint} {words[-1]}"


def capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
