"""Statements that move, change and show things, in words. Half of `Sentences`; the other half asks and decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import types as t
from ..core import Ex, St
from ..facts import secretly
from .document import Step, capital, em, plain
from .english import a, inflected, is_are, listed, ordinal, plural, words
from .phrases import Phrases
from .voice import Voice


class Moves:
    """Words for plain statements, in one voice."""

    def __init__(self, voice: Voice) -> None:
        self.voice = voice
        self.say = Phrases(voice)

    # ------------------------------------------------------------ what sentences.py adds
    def _joined(self, lead: str, steps: list[Step]) -> list[Step]:
        raise NotImplementedError

    def block(self, body: Sequence[St], me: str | None = None) -> list[Step]:
        raise NotImplementedError

    def domain(self, domain: Ex, type_: t.Type) -> str:
        raise NotImplementedError

    def actor(self, verb: str, rest: str) -> str:
        """Somebody does something: an imperative to you, else with the subject."""
        me = self.voice.me
        if plain(me) == "you":
            return f"{capital(verb)} {rest}"
        return f"{capital(me)} {inflected(verb, me)} {rest}"

    # ------------------------------------------------------------ values
    def _s_nothing(self, st: St) -> list[Step]:
        return []

    def _s_let(self, st: St) -> list[Step]:
        value = self.say.thing(st.args[0]) if isinstance(st.args[0], Ex) else ""
        name = words(st.data.name)
        if isinstance(t.plain(st.data.type), t.Place) or plain(value) in (f"the {name}", name):
            self.voice.call(st.data, value)
            return []
        self.voice.introduce([st.data])
        reference = self.voice.names[st.data.uid]
        if isinstance(st.data.type, t.YesNo):
            return [Step(f"Remember as {em(name)}: {value}.")]
        if plain(reference).startswith("the "):
            many = isinstance(t.plain(st.data.type), t.SetOf | t.ListOf)
            return [Step(f"The {em(plain(reference)[4:])} {is_are('', many)} {value}.")]
        return [Step(f"{capital(reference)} is {value}.")]

    def _s_set(self, st: St) -> list[Step]:
        target, value = st.args
        name = self.say.thing(target)
        bare = value
        while bare.op in ("in_range", "some"):
            bare = bare.args[0]
        if isinstance(t.plain(target.type), t.YesNo) and bare.op == "const":
            clause = self.say.clause(target)
            return [Step(f"From now on: {clause}." if bare.data else f"It no longer holds that {clause}.")]
        if bare.op == "add" and bare.args[0] == target:
            by = bare.args[1]
            if by.op == "const" and by.data < 0:
                return [Step(f"Lower {name} by {-by.data}.")]
            if by.op == "neg":
                return [Step(f"Lower {name} by {self.say.thing(by.args[0])}.")]
            return [Step(f"Raise {name} by {self.say.thing(by)}.")]
        if bare.op == "union" and bare.args[0] == target:
            return [Step(f"Add {self.say.thing(bare.args[1])} to {name}.")]
        if isinstance(value.type, t.Nothing):
            return [Step(f"{capital(name)} is nothing again.")]
        if bare.op == "not" and bare.args[0] == target:
            return [Step(f"Turn it over: {self.say.clause(target)}, or no longer.")]
        if isinstance(t.plain(target.type), t.YesNo):
            return [Step(f"{capital(self.say.clause(target))} exactly if {self.say.clause(value)}.")]
        return [Step(f"{capital(name)} is now {self.say.thing(value)}.")]

    def _s_note(self, st: St) -> list[Step]:
        record, var = st.data
        parts = [f"{words(name)}: {self.say.thing(value)}" for name, value in st.args]
        if var is not None:
            self.voice.call(var, f"this {words(str(getattr(record, 'name', record)))}")
        return [Step(f"Put {a(words(str(getattr(record, 'name', record))))} on the table ({listed(parts)}).")]

    # ------------------------------------------------------------ moving
    def _to(self, place: Ex, at: Ex | None, turned: Ex | None = None, end: str | None = None) -> str:
        where = self.say.thing(place)
        kind = place.type.shape if isinstance(place.type, t.Place) else ""
        if at is not None and kind == "deck":
            text = f"{where}, as the {ordinal(at.data) if at.op == 'const' else self.say.thing(at)} card from the top"
        elif at is not None:
            text = f"{where}, onto {self.say.thing(at)}"
        elif end:
            text = f"the {end} of {where}"
        else:
            text = where
        if turned is not None:
            text += ", turned as chosen" if turned.op == "local" else f", turned {self.say.thing(turned)}"
        return text

    def _s_move(self, st: St) -> list[Step]:
        thing, place, at, turned = st.args
        return [Step(f"Move {self.say.thing(thing)} to {self._to(place, at, turned, _end(st.data))}.")]

    def _s_move_set(self, st: St) -> list[Step]:
        return [
            Step(f"Move {self.say.thing(st.args[0])} to {self._to(st.args[1], None, None, _end(st.data))}.")
        ]

    def _s_move_all(self, st: St) -> list[Step]:
        source, dest = st.args[:2]
        what = plural(self.voice.held(source.type)) if isinstance(source.type, t.Place) else "things"
        return [
            Step(
                f"Move all {what} from {self.say.thing(source)} to {self._to(dest, None, None, _end(st.data))}."
            )
        ]

    def _s_move_tokens(self, st: St) -> list[Step]:
        amount, kind, source, dest, at = st.args
        noun = self.voice.held(source.type) if isinstance(source.type, t.Place) else "token"
        what = self.say.amount(amount, kind, noun)
        return [Step(f"Move {what} from {self.say.thing(source)} to {self._to(dest, at)}.")]

    def _s_move_cell(self, st: St) -> list[Step]:
        _, space, place, at = st.args
        return [Step(f"Move what stands on {self.say.thing(space)} to {self._to(place, at)}.")]

    def _s_move_on(self, st: St) -> list[Step]:
        return [Step(f"Move {self.say.piece(st.args[0])} to {self.say.thing(st.args[1])}.")]

    def _s_draw(self, st: St) -> list[Step]:
        amount, source, dest, at = st.args
        random, end = st.data
        noun = self.voice.held(source.type) if isinstance(source.type, t.Place) else "card"
        if amount.op == "size":
            what = f"all {plural(noun)}"
        else:
            what = self.say.amount(amount, None, noun)
        chance = " at random" if random else ""
        there = ""
        if any(part.op == "nothing" for part in st.orelse):  # fewer are all right
            there = ", if there is one" if what.startswith("1 ") else ", or as many as there are"
        otherwise = [part for part in st.orelse if part.op != "nothing"]
        return [
            Step(
                f"Draw {what}{chance} from {self.say.thing(source)} to {self._to(dest, at, None, end)}{there}."
            ),
            *self._joined("If there were not enough", self.block(otherwise)),
        ]

    def _s_pick(self, st: St) -> list[Step]:
        low, high, source, dest = st.args
        noun = plural(self.voice.held(source.type)) if isinstance(source.type, t.Place) else "tokens"
        if low == high:
            what = (
                self.say.amount(low, None, noun.removesuffix("s"))
                if low.op == "const"
                else f"{self.say.thing(low)} {noun}"
            )
            if low.op not in ("const", "local"):
                what = f"{noun} of {_your(self.voice)} choice, as many as {self.say.thing(low)},"
        elif high.op == "size":
            what = f"any number of {noun}" if low.data == 0 else f"{self.say.thing(low)} or more {noun}"
        else:
            joint = "or" if low.op == high.op == "const" and high.data == low.data + 1 else "to"
            what = f"{self.say.thing(low)} {joint} {self.say.thing(high)} {noun}"
        put = inflected("put", self.voice.me)
        source_words, dest_words = self.say.thing(source), self.say.thing(dest)
        return [Step(f"{self.actor('choose', what)} from {source_words} and {put} them into {dest_words}.")]

    def _s_swap(self, st: St) -> list[Step]:
        return [Step(f"Swap {self.say.thing(st.args[0])} with {self.say.thing(st.args[1])}.")]

    def _s_shuffle(self, st: St) -> list[Step]:
        place, into = st.args
        if into is None:
            return [Step(f"Shuffle {self.say.thing(place)}.")]
        source = self.say.thing(place)
        noun = plural(self.voice.held(place.type)) if isinstance(place.type, t.Place) else "cards"
        there = f"the {noun} in the box" if source == "the box" else source
        return [Step(f"Shuffle {there} into {self.say.thing(into)}.")]

    def _s_roll(self, st: St) -> list[Step]:
        outcomes, weight = st.args
        var, audience = st.data
        what = self.domain(outcomes, var.type)
        self.voice.introduce([var])
        reference = self.voice.names[var.uid]
        odds = f", weighted by {self.say.thing(weight)}" if weight is not None else ""
        secret = "" if audience == "all" else f", seen by {self.audience(audience)} alone"
        if isinstance(t.plain(var.type), t.Num):
            return [Step(f"Roll {what}{odds}{secret}: this is {reference}.")]
        name = "" if plain(reference).startswith("that ") else f": this is {reference}"
        return [Step(f"Chance picks {what}{odds}{secret}{name}.")]

    # ------------------------------------------------------------ seeing
    def audience(self, audience: Any) -> str:
        if audience == "all":
            return "everybody"
        if audience == "nobody":
            return "nobody"
        if audience == "owner":
            return "its owner"
        return self.say.thing(audience)

    def _s_show(self, st: St) -> list[Step]:
        what = self._shown(st.args[0])
        steps = self.block(st.body)
        if not steps:
            return [Step(f"Show {what} to {self.audience(st.data)}{_in_secret(st)}.")]
        return [Step(f"Show {what} to {self.audience(st.data)}{_in_secret(st)}. While it is open:", steps)]

    def _shown(self, place: Ex) -> str:
        if place.op == "places_of":
            return f"the {plural(words(place.data.name))} of {self.say.thing(place.args[0])}"
        return self.say.thing(place)

    def _s_reveal(self, st: St) -> list[Step]:
        return [
            Step(f"Open {self._shown(st.args[0])} to {self.audience(st.data)}{_in_secret(st)}, for good.")
        ]

    def _s_peek(self, st: St) -> list[Step]:
        amount, place = st.args
        noun = self.voice.held(place.type) if isinstance(place.type, t.Place) else "card"
        what = self.say.amount(amount, None, noun)
        return [
            Step(
                f"{capital(self.audience(st.data))} may look at the top {what} of "
                f"{self.say.thing(place)}{_in_secret(st)}."
            )
        ]


def _in_secret(st: St) -> str:
    return ", unnoticed by the others" if secretly(st) else ""


def _your(voice: Voice) -> str:
    return "your" if plain(voice.me) == "you" else "their"


def _end(data: Any) -> str | None:
    if data is None or data is False:
        return None
    text = str(data)
    return text if text in ("top", "bottom") else None
