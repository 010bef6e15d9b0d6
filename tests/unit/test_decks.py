"""A deck keeps only what is known of its order. Here it is compared with a list that keeps it all."""

from __future__ import annotations

from typing import Any

from dragonrules.interpreter.program.layout import DECK_LISTS
from dragonrules.interpreter.python.runtime import (
    below_known_top,
    deck_cards,
    deck_outcomes,
    peek_one,
    peek_show,
    put_at_depth,
    shuffle,
    take_from_deck,
)
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

CARDS = 9
seats = st.integers(0, 7)


class Decks(RuleBasedStateMachine):
    """`order` is the deck from top to bottom: a card and who knows it, or None where nobody could know."""

    def __init__(self) -> None:
        super().__init__()
        self.L: list[list[int]] = [[] for _ in range(DECK_LISTS)]
        self.order: list[tuple[int, int] | None] = []
        self.unknown: set[int] = set()
        self.outside: list[int] = list(range(CARDS))

    @initialize(size=st.integers(0, CARDS))
    def deal(self, size: int) -> None:
        self.L[0] = self.outside[:size]
        self.unknown = set(self.L[0])
        self.order = [None] * size
        del self.outside[:size]

    # ------------------------------------------------------------ putting
    @precondition(lambda self: self.outside)
    @rule(seats=seats)
    def put_on_top(self, seats: int) -> None:
        card = self.outside.pop()
        self.L[1].append(card)
        self.L[3].append(seats)
        self.order.insert(0, (card, seats))

    @precondition(lambda self: self.outside)
    @rule(seats=seats)
    def put_at_the_bottom(self, seats: int) -> None:
        card = self.outside.pop()
        self.L[2].append(card)
        self.L[4].append(seats)
        self.order.append((card, seats))

    @precondition(lambda self: self.outside)
    @rule(seats=seats, position=st.integers(1, CARDS + 2))
    def put_at_a_position(self, seats: int, position: int) -> None:
        card = self.outside.pop()
        put_at_depth(self.L, 0, card, position, seats)
        self.order.insert(position - 1, (card, seats))

    # ------------------------------------------------------------ taking
    def expected(self, place: int) -> list[int]:
        spot = self.order[place]
        return sorted(self.unknown) if spot is None else [spot[0]]

    @precondition(lambda self: self.order)
    @rule(data=st.data())
    def draw(self, data: st.DataObject) -> None:
        outcomes, weights = deck_outcomes(self.L, 0)
        assert sorted(outcomes) == self.expected(0)
        assert set(weights) == {1}
        card = data.draw(st.sampled_from(list(outcomes)))
        take_from_deck(self.L, 0, card)
        self.order.pop(0)
        self.unknown.discard(card)
        self.outside.append(card)

    @precondition(lambda self: any(self.order))
    @rule(data=st.data())
    def take_one_whose_place_is_known(self, data: st.DataObject) -> None:
        spot = data.draw(st.sampled_from([s for s in self.order if s is not None]))
        take_from_deck(self.L, 0, spot[0])
        self.order.remove(spot)
        self.outside.append(spot[0])

    # ------------------------------------------------------------ looking and mixing
    @rule(amount=st.integers(0, 4), seats=seats, data=st.data())
    def peek(self, amount: int, seats: int, data: st.DataObject) -> None:
        amount = min(amount, len(self.order))
        while len(self.L[1]) < amount:
            place = len(self.L[1])
            outcomes, _ = below_known_top(self.L, 0)
            assert sorted(outcomes) == self.expected(place)
            card = data.draw(st.sampled_from(list(outcomes)))
            peek_one(self.L, 0, card)
            self.unknown.discard(card)
            if self.order[place] is None:
                self.order[place] = (card, 0)
        peek_show(self.L, 0, amount, seats)
        self.order[:amount] = [(spot[0], spot[1] | seats) for spot in self.order[:amount] if spot is not None]

    @rule()
    def shuffle(self) -> None:
        shuffle([0] * CARDS, self.L, 0, 0, 0, True)
        self.unknown = set(deck_cards(self.L, 0))
        self.order = [None] * len(self.order)

    # ------------------------------------------------------------ what must be true
    @invariant()
    def the_same_is_known(self) -> None:
        known: list[Any] = list(zip(self.L[1][::-1], self.L[3][::-1], strict=True))
        middle = len(self.L[0])
        above = 0
        for card, depth, viewers in zip(self.L[5], self.L[6], self.L[7], strict=True):
            known += [None] * (depth - above)
            known.append((card, viewers))
            above = depth
        known += [None] * (middle - above)
        known += list(zip(self.L[2], self.L[4], strict=True))
        assert known == self.order
        assert set(self.L[0]) == self.unknown
        assert self.L[0] == sorted(self.L[0])
        assert sorted([*deck_cards(self.L, 0), *self.outside]) == list(range(CARDS))


TestDecks = Decks.TestCase
TestDecks.settings = settings(derandomize=True, deadline=None, max_examples=60, stateful_step_count=25)
