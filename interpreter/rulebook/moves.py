"""Statements that move, change and show things, in words. Half of `Sentences`; the other half asks and decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import (
    NEXT,
    Apply,
    Audience,
    Const,
    Draw,
    Ex,
    Gen,
    InRange,
    Let,
    Local,
    Move,
    MoveAll,
    MoveCell,
    MoveOn,
    MoveSet,
    MoveTokens,
    Note,
    Nothing,
    Peek,
    Pick,
    PlacesOf,
    Reduction,
    Reveal,
    Roll,
    SeenByAll,
    Set,
    Show,
    Shuffle,
    St,
    StateRef,
    Swap,
    applies,
)
from ..core import value_types as t
from ..core.dispatch import Dispatch
from ..core.facts import secretly
from .document import Step, capital, em, plain
from .english import a, inflected, is_are, listed, ordinal, plural, words
from .phrases import Phrases, audience_words
from .voice import Voice

saying = Dispatch()
"""How each statement is said."""


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
    @saying(Nothing)
    def _s_nothing(self, st: Nothing) -> list[Step]:
        return []

    @saying(Let)
    def _s_let(self, st: Let) -> list[Step]:
        value = self.say.thing(st.value)
        name = words(st.var.name)
        if isinstance(t.plain(st.var.type), t.Place) or plain(value) in (f"the {name}", name):
            self.voice.call(st.var, value)
            return []
        self.voice.introduce([st.var])
        reference = self.voice.names[st.var.uid]
        if isinstance(st.var.type, t.YesNo):
            return [Step(f"Remember as {em(name)}: {value}.")]
        if plain(reference).startswith("the "):
            many = isinstance(t.plain(st.var.type), t.SetOf | t.ListOf)
            return [Step(f"The {em(plain(reference)[4:])} {is_are('', many)} {value}.")]
        return [Step(f"{capital(reference)} is {value}.")]

    @saying(Set)
    def _s_set(self, st: Set) -> list[Step]:
        target, value = st.target, st.value
        if isinstance(target, StateRef) and target.state.name == NEXT:
            return [
                Step(f"The next to have a turn: {self.say.thing(value)}. From there it goes on clockwise.")
            ]
        name = self.say.thing(target)
        bare = value
        while isinstance(bare, InRange) or applies(bare, "some"):
            bare = bare.of if isinstance(bare, InRange) else bare.args[0]
        if isinstance(t.plain(target.type), t.YesNo) and isinstance(bare, Const):
            clause = self.say.clause(target)
            return [Step(f"From now on: {clause}." if bare.value else f"It no longer holds that {clause}.")]
        if applies(bare, "add") and bare.args[0] == target:
            by = bare.args[1]
            if isinstance(by, Const) and by.value < 0:
                return [Step(f"Lower {name} by {-by.value}.")]
            if applies(by, "neg"):
                return [Step(f"Lower {name} by {self.say.thing(by.args[0])}.")]
            return [Step(f"Raise {name} by {self.say.thing(by)}.")]
        if applies(bare, "union") and bare.args[0] == target:
            return [Step(f"Add {self.say.thing(bare.args[1])} to {name}.")]
        if isinstance(value.type, t.Nothing):
            return [Step(f"{capital(name)} is nothing again.")]
        if applies(bare, "not") and bare.args[0] == target:
            return [Step(f"Turn it over: {self.say.clause(target)}, or no longer.")]
        if isinstance(t.plain(target.type), t.YesNo):
            return [Step(f"{capital(self.say.clause(target))} exactly if {self.say.clause(value)}.")]
        return [Step(f"{capital(name)} is now {self.say.thing(value)}.")]

    @saying(Note)
    def _s_note(self, st: Note) -> list[Step]:
        record, var = (st.record, st.var)
        parts = [f"{words(name)}: {self.say.thing(value)}" for name, value in st.fields]
        if var is not None:
            self.voice.call(var, f"this {words(str(getattr(record, 'name', record)))}")
        return [Step(f"Put {a(words(str(getattr(record, 'name', record))))} on the table ({listed(parts)}).")]

    # ------------------------------------------------------------ moving
    def _to(self, place: Ex, at: Ex | None, turned: Ex | None = None, end: str | None = None) -> str:
        where = self.say.thing(place)
        kind = place.type.shape if isinstance(place.type, t.Place) else ""
        if at is not None and kind == "deck":
            text = f"{where}, as the {ordinal(at.value) if isinstance(at, Const) else self.say.thing(at)} card from the top"
        elif at is not None:
            text = f"{where}, onto {self.say.thing(at)}"
        elif end:
            text = f"the {end} of {where}"
        else:
            text = where
        if turned is not None:
            text += (
                ", turned as chosen" if isinstance(turned, Local) else f", turned {self.say.thing(turned)}"
            )
        return text

    @saying(Move)
    def _s_move(self, st: Move) -> list[Step]:
        thing, place, at, turned = (st.thing, st.place, st.at, st.turned)
        return [Step(f"Move {self.say.thing(thing)} to {self._to(place, at, turned, _end(st.end))}.")]

    @saying(MoveSet)
    def _s_move_set(self, st: MoveSet) -> list[Step]:
        things = self._some_of(st.things) or self.say.thing(st.things)
        return [Step(f"Move {things} to {self._to(st.place, None, None, _end(st.end))}.")]

    def _some_of(self, things: Ex) -> str | None:
        """`2 of Card(duke) from court`: so many of those that lie there."""
        amount = "all"
        if applies(things, "foremost"):
            things, number = things.args
            amount = self.say.thing(number.args[0] if applies(number, "min_of") else number)
            amount = f"up to {amount}" if applies(number, "min_of") else amount
        match things:
            case Reduction(
                gens=(Gen(domain=Apply(op="items", args=(source,)), where=(Apply(op="in") as test,)),)
            ):
                chosen = test.args[1]
                told = self.say.printed(chosen, amount) or f"{amount} of {self.say.thing(chosen)}"
                return f"{told} from {self.say.thing(source)}"
        return None

    @saying(MoveAll)
    def _s_move_all(self, st: MoveAll) -> list[Step]:
        source, dest = (st.source, st.place)[:2]
        what = plural(self.voice.held(source.type)) if isinstance(source.type, t.Place) else "things"
        return [
            Step(
                f"Move all {what} from {self.say.thing(source)} to {self._to(dest, None, None, _end(st.end))}."
            )
        ]

    @saying(MoveTokens)
    def _s_move_tokens(self, st: MoveTokens) -> list[Step]:
        amount, kind, source, dest, at = (st.amount, st.kind, st.source, st.place, st.at)
        noun = self.voice.held(source.type) if isinstance(source.type, t.Place) else "token"
        if (
            applies(amount, "min_of")
            and applies(amount.args[-1], "tally")
            and amount.args[-1].args == (source, kind)
        ):
            what = f"up to {self.say.amount(amount.args[0], kind, noun)}"
        else:
            what = self.say.amount(amount, kind, noun)
        return [Step(f"Move {what} from {self.say.thing(source)} to {self._to(dest, at)}.")]

    @saying(MoveCell)
    def _s_move_cell(self, st: MoveCell) -> list[Step]:
        _, space, place, at = (st.source, st.space, st.place, st.at)
        return [Step(f"Move what stands on {self.say.thing(space)} to {self._to(place, at)}.")]

    @saying(MoveOn)
    def _s_move_on(self, st: MoveOn) -> list[Step]:
        return [Step(f"Move {self.say.piece(st.thing)} to {self.say.thing(st.target)}.")]

    @saying(Draw)
    def _s_draw(self, st: Draw) -> list[Step]:
        amount, source, dest, at = (st.amount, st.source, st.place, st.at)
        random, end = (st.random, st.end)
        noun = self.voice.held(source.type) if isinstance(source.type, t.Place) else "card"
        if applies(amount, "size"):
            what = f"all {plural(noun)}"
        else:
            what = self.say.amount(amount, None, noun)
        chance = " at random" if random else ""
        there = ""
        if any(isinstance(part, Nothing) for part in st.orelse):  # fewer are all right
            there = ", if there is one" if what.startswith("1 ") else ", or as many as there are"
        if st.var is not None:
            self.voice.call(st.var, f"the drawn {noun}")
        otherwise = [part for part in st.orelse if not isinstance(part, Nothing)]
        return [
            Step(
                f"Draw {what}{chance} from {self.say.thing(source)} to {self._to(dest, at, None, end)}{there}."
            ),
            *self._joined("If there were not enough", self.block(otherwise)),
        ]

    @saying(Pick)
    def _s_pick(self, st: Pick) -> list[Step]:
        low, high, source, dest = (st.low, st.high, st.source, st.place)
        noun = plural(self.voice.held(source.type)) if isinstance(source.type, t.Place) else "tokens"
        if low == high:
            what = (
                self.say.amount(low, None, noun.removesuffix("s"))
                if isinstance(low, Const)
                else f"{self.say.thing(low)} {noun}"
            )
            if not isinstance(low, Const | Local):
                what = f"{noun} of {_your(self.voice)} choice, as many as {self.say.thing(low)},"
        elif applies(high, "size"):
            what = (
                f"any number of {noun}"
                if isinstance(low, Const) and low.value == 0
                else f"{self.say.thing(low)} or more {noun}"
            )
        else:
            pair = isinstance(low, Const) and isinstance(high, Const) and high.value == low.value + 1
            joint = "or" if pair else "to"
            what = f"{self.say.thing(low)} {joint} {self.say.thing(high)} {noun}"
        put = inflected("put", self.voice.me)
        source_words, dest_words = self.say.thing(source), self.say.thing(dest)
        return [Step(f"{self.actor('choose', what)} from {source_words} and {put} them into {dest_words}.")]

    @saying(Swap)
    def _s_swap(self, st: Swap) -> list[Step]:
        return [Step(f"Swap {self.say.thing(st.left)} with {self.say.thing(st.right)}.")]

    @saying(Shuffle)
    def _s_shuffle(self, st: Shuffle) -> list[Step]:
        place, into = (st.place, st.into)
        if into is None:
            return [Step(f"Shuffle {self.say.thing(place)}.")]
        source = self.say.thing(place)
        noun = plural(self.voice.held(place.type)) if isinstance(place.type, t.Place) else "cards"
        there = f"the {noun} in the box" if source == "the box" else source
        return [Step(f"Shuffle {there} into {self.say.thing(into)}.")]

    @saying(Roll)
    def _s_roll(self, st: Roll) -> list[Step]:
        outcomes, weight = (st.domain, st.weight)
        var, audience = (st.var, st.audience)
        what = self.domain(outcomes, var.type)
        self.voice.introduce([var])
        reference = self.voice.names[var.uid]
        odds = f", weighted by {self.say.thing(weight)}" if weight is not None else ""
        secret = "" if isinstance(audience, SeenByAll) else f", seen by {self.audience(audience)} alone"
        if isinstance(t.plain(var.type), t.Num):
            return [Step(f"Roll {what}{odds}{secret}: this is {reference}.")]
        name = "" if plain(reference).startswith("that ") else f": this is {reference}"
        return [Step(f"Pick at random {what}{odds}{secret}{name}.")]

    # ------------------------------------------------------------ seeing
    def audience(self, audience: Audience) -> str:
        return audience_words(audience, self.say)

    @saying(Show)
    def _s_show(self, st: Show) -> list[Step]:
        what = self._shown(st.place)
        steps = self.block(st.body)
        if not steps:
            return [Step(f"Show {what} to {self.audience(st.audience)}{_in_secret(st)}.")]
        return [
            Step(f"Show {what} to {self.audience(st.audience)}{_in_secret(st)}. While it is open:", steps)
        ]

    def _shown(self, place: Ex) -> str:
        if isinstance(place, PlacesOf):
            return f"the {plural(words(place.place.name))} of {self.say.thing(place.players)}"
        return self.say.thing(place)

    @saying(Reveal)
    def _s_reveal(self, st: Reveal) -> list[Step]:
        return [
            Step(f"Open {self._shown(st.place)} to {self.audience(st.audience)}{_in_secret(st)}, for good.")
        ]

    @saying(Peek)
    def _s_peek(self, st: Peek) -> list[Step]:
        amount, place = (st.amount, st.place)
        noun = self.voice.held(place.type) if isinstance(place.type, t.Place) else "card"
        what = self.say.amount(amount, None, noun)
        return [
            Step(
                f"{capital(self.audience(st.audience))} may look at the top {what} of "
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
