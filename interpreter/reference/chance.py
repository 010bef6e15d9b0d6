"""Chance: `draw`, `roll`, `peek`. Each outcome is one chance point, also a certain one."""

from __future__ import annotations

from ..core import Draw, Peek, Roll
from ..core import value_types as t
from .events import after_effect
from .moving import lift_from_deck, move_one, move_tokens
from .play import Drawn, Frame, Play, Steps, executes
from .statements import audience
from .table import Known, Place
from .trouble import Trouble, no_choice


@executes(Draw)
def draw(play: Play, st: Draw, frame: Frame) -> Steps:
    """One after the other, as long as there is something; if that was not enough, the `else`."""
    amount = play.value(st.amount, frame)
    source, place = play.value(st.source, frame), play.value(st.place, frame)
    at = play.value(st.at, frame) if st.at is not None else None
    drawn = 0
    if st.var is not None:
        frame.vars[st.var.uid] = None
    while drawn < amount and source.size():
        what = yield outcomes(source, st.random)
        if st.var is not None:
            frame.vars[st.var.uid] = what
        if source.decl.tokens:
            move_tokens(play, 1, what, source, place, at, st.span)
        else:
            move_one(play, source.decl.of, what, place, st.span, st.end, at)
        drawn += 1
        yield from after_effect(play)
    if drawn < amount:
        yield from play.run(st.orelse, frame)


def outcomes(source: Place, at_random: bool) -> Drawn:
    """What may be drawn next."""
    if source.decl.tokens:
        kinds = [k for k, count in enumerate(source.counts) if count]
        return Drawn(kinds, [source.counts[k] for k in kinds], t.Kind(source.decl.of))
    if at_random:
        cards = sorted(source.contents())
    elif source.decl.shape == "deck":
        cards = [source.top[0].card] if source.top else below_known_top(source)
    else:
        cards = source.items[-1:]
    return Drawn(cards, [1] * len(cards), t.Comp(source.decl.of))


def below_known_top(deck: Place) -> list[int]:
    """The cards that may be the first below those that are known to lie on top."""
    rest = [*deck.middle, *deck.bottom]
    return [rest[0].card] if rest[0] is not None else sorted(deck.items)


@executes(Peek)
def peek(play: Play, st: Peek, frame: Frame) -> Steps:
    """The top of a deck becomes known, to the audience, card by card."""
    amount, deck = play.value(st.amount, frame), play.value(st.place, frame)
    while len(deck.top) < min(amount, deck.size()):
        cards = below_known_top(deck)
        card = yield Drawn(cards, [1] * len(cards), t.Comp(deck.decl.of))
        known = next((k for k in deck.known() if k.card == card), None) or Known(card, set())
        lift_from_deck(deck, card)
        deck.top.append(known)
    viewers = audience(play, st.audience, frame)
    looked_at = deck.top[: max(0, amount)]
    for known in looked_at:
        known.viewers |= viewers
    play.seeing.peeked(deck, [known.card for known in looked_at], viewers, secretly=st.secretly)


@executes(Roll)
def roll(play: Play, st: Roll, frame: Frame) -> Steps:
    values = list(play.value(st.domain, frame))
    if not values:
        raise no_choice(st.span, "there is nothing to roll")
    viewers = audience(play, st.audience, frame)
    weights = [1] * len(values)
    if st.weight is not None:
        weights = [play.value(st.weight, frame.inner({st.var.uid: value})) for value in values]
        if min(weights) < 0 or not any(weights):
            raise Trouble("D0913", st.weight.span, "the weights must not be negative, and not all zero")
    frame.vars[st.var.uid] = yield Drawn(values, weights, st.var.type, viewers)
