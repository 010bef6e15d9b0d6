"""Worlds agree with all that a seat sees, are possible, and are as likely as they should be."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import dragonrules as dr
import pytest
from dragonrules.interpreter.play.match import Match
from dragonrules.interpreter.players.worlds import Worlds

from .positions import CLASSICS, FOUR_GAMES, game, positions


def as_match(match: dr.Match, world: Any) -> Match:
    twin = Match(match.game, world, seed=0, ask_chance=False, check=False)
    twin.state.names = match.state.names  # what the seat calls things
    return twin


def asked_anew(match: dr.Match, world: Any) -> list[Any]:
    """The options that the rules offer in a world."""
    asking = match.game.engine(match.players, anew=True)
    twin = world.fork()
    twin.engine, twin.blocks = asking, asking.blocks
    twin.run(asking.generated.askers[twin.pc])
    assert twin.player == match.state.player
    return list(twin.options)


@pytest.mark.parametrize(("name", "players", "variants"), FOUR_GAMES + CLASSICS)
def test_a_world_looks_like_the_truth_to_the_seat(name: str, players: int, variants: Any) -> None:
    one_in = 60 if players > 2 else 3
    for seed in range(2 if players > 2 else 8):
        for match in positions(name, players, variants, seed, one_in):
            seat = match.state.player
            view = match.view(seat + 1)
            worlds = Worlds(match, seat)
            for number in range(2):
                world = worlds.draw(number)
                twin = as_match(match, world)
                assert twin.view(seat + 1) == view
                twin.check_invariants()
                assert asked_anew(match, world) == list(match.state.options)


@pytest.mark.parametrize(("name", "players", "variants"), FOUR_GAMES)
def test_worlds_can_be_played_on_to_the_end(name: str, players: int, variants: Any) -> None:
    rng = Random(1)
    for match in positions(name, players, variants, 5, 120, 400):
        world = Worlds(match, match.state.player).draw(3)
        for _ in range(300):
            if world.over:
                break
            world.apply(rng.randrange(len(world.options)))


def test_the_same_number_is_the_same_world() -> None:
    for match in positions("drakon", 3, (), 2, 40):
        seat = match.state.player
        assert Worlds(match, seat).draw(7) == Worlds(match, seat).draw(7)


def test_what_is_hidden_differs_from_world_to_world() -> None:
    match = game("drakon").start(players=3, seed=4)
    for _ in range(3):
        match.choose(0)
    worlds = Worlds(match, match.state.player)
    assert len({worlds.draw(n).key() for n in range(5)}) == 5


# ---------------------------------------------------------------- what was seen to go somewhere is there
def test_a_stack_that_was_seen_to_grow_is_known() -> None:
    """In Dragon Keeper only the top tile of a stack lies open, but everybody saw the others go there."""
    for match in positions("dragon_keeper", 3, (), 3, 10):
        state, seat = match.state, match.state.player
        layout = state.engine.layout
        rows = layout.comps["Adventurer"].rows  # copies are as good as each other
        world = Worlds(match, seat).draw(1)
        for place in layout.instances["player.stack"]:
            assert [rows[c] for c in world.L[place.ref]] == [rows[c] for c in state.L[place.ref]]


def test_tokens_that_were_seen_to_go_behind_a_screen_are_there() -> None:
    """In Ryu all cubes are drawn openly: screens have no secrets from who keeps count, except in a bid."""
    for match in positions("ryu", 3, (), 1, 15):
        if match.state.sealed is not None:
            continue
        world = Worlds(match, match.state.player).draw(1)
        assert world.I == match.state.I


def test_of_a_random_theft_only_the_kind_is_unknown() -> None:
    uncertain = 0
    for match in positions("dragons_gold", 3, (), 2, 5):
        state, seat = match.state, match.state.player
        layout, kinds = state.engine.layout, 9
        world = Worlds(match, seat).draw(1)
        thefts = sum(event[0] == "move" and event[2] == "Treasure" for event in match.observations(seat + 1))
        for place in layout.instances["player.screen"]:
            off = sum(
                abs(a - b)
                for a, b in zip(
                    world.I[place.ref : place.ref + kinds],
                    state.I[place.ref : place.ref + kinds],
                    strict=True,
                )
            )
            assert off <= 2 * thefts
            uncertain += off
    assert uncertain > 0


def test_choices_behind_a_seal_are_drawn_anew() -> None:
    match = game("goofspiel").start(seed=3)
    match.choose(12)
    layout = match.state.engine.layout
    bid = layout.instances["player.bid"][0].ref
    bids = {tuple(Worlds(match, 1).draw(n).L[bid]) for n in range(60)}
    assert len(bids) > 8


# ---------------------------------------------------------------- how likely
def chi_square(counts: Counter[Any], expected: dict[Any, float]) -> float:
    total = sum(counts.values())
    assert set(counts) <= set(expected)
    return sum((counts[k] - p * total) ** 2 / (p * total) for k, p in expected.items())


def test_kuhn_worlds_are_as_likely_as_bayes_says() -> None:
    """Against somebody who bets at random, either of the other two cards is as likely."""
    for seed in range(4):
        match = game("kuhn_poker").start(seed=seed)
        for _ in range(seed % 3):
            if not match.over:
                match.choose(0)
        if match.over:
            continue
        seat = match.state.player
        hands = match.state.engine.layout.instances["player.hand"]
        mine = match.state.L[hands[seat].ref][0]
        worlds = Worlds(match, seat)
        counts = Counter(worlds.draw(n).L[hands[1 - seat].ref][0] for n in range(2000))
        assert chi_square(counts, {c: 0.5 for c in range(3) if c != mine}) < 10.8  # one in a thousand


def test_leduc_worlds_are_as_likely_as_bayes_says() -> None:
    rng = Random(5)
    checked = 0
    for seed in range(30):
        match = game("leduc_poker").start(seed=seed)
        while not match.over:
            seat = match.state.player
            layout = match.state.engine.layout
            hands, common = layout.instances["player.hand"], layout.instances["common"][0]
            known = {match.state.L[hands[seat].ref][0], *match.state.L[common.ref]}
            if len(known) == 2 and checked < 4:
                checked += 1
                worlds = Worlds(match, seat)
                counts = Counter(worlds.draw(n).L[hands[1 - seat].ref][0] for n in range(2000))
                rest = [c for c in range(6) if c not in known]
                assert chi_square(counts, {c: 1 / len(rest) for c in rest}) < 16.3  # one in a thousand
            match.choose(rng.randrange(len(match.state.options)))
    assert checked == 4


def test_a_hidden_die_shows_each_face_as_often() -> None:
    match = game("liars_dice").start(seed=2)
    die = match.state.engine.layout.states["player.die"][0]
    counts = Counter(Worlds(match, 0).draw(n).I[die + 1] for n in range(1500))
    assert chi_square(counts, dict.fromkeys(range(1, 7), 1 / 6)) < 20.5  # one in a thousand


def test_coins_taken_at_random_are_as_likely_as_the_hoard_says() -> None:
    """What a rival has found in Drakon is a draw without replacement from all coins that are hidden."""
    for match in positions("drakon", 2, (), 8, 1):
        seat = match.state.player
        layout = match.state.engine.layout
        purses = layout.instances["player.purse"]
        rival, mine = purses[1 - seat].ref, purses[seat].ref
        if sum(match.state.I[rival : rival + 3]) != 1:
            continue
        left = [n - match.state.I[mine + k] for k, n in enumerate((10, 9, 9))]
        worlds = Worlds(match, seat)
        counts = Counter(worlds.draw(n).I[rival : rival + 3].index(1) for n in range(1500))
        assert chi_square(counts, {k: n / sum(left) for k, n in enumerate(left)}) < 13.8
        return
    raise AssertionError("nobody found exactly one coin")


WRITTEN = """
game "Written" for 2 players
component Card count 4
place table: bag of Card
each Card has: state worth: 0..3 = 1
each player has: place hand: bag of Card, seen by owner
setup:
    move all from box(Card) to table
    for c in table:
        if c = first(d for d in Card): set c.worth = 3
    for p in players, n in 1..2: draw 1 at random from table to p.hand
phase Play:
    as player(1):
        choose c in my.hand
        set c.worth = 2
    as player(2): choose n in 1..2
"""


def test_what_is_written_on_hidden_cards_is_not_read_but_remembered() -> None:
    match = dr.loads(WRITTEN).start(seed=2)
    match.choose(0)
    state, layout = match.state, match.state.engine.layout
    base = layout.states["Card.worth"][0]
    hidden = state.L[layout.instances["player.hand"][0].ref]
    truth = [state.I[base + c] for c in hidden]
    assert 2 in truth  # player 1 has written it out of sight of player 2
    for worth in ([0, 0], [3, 2], truth):
        for c, value in zip(hidden, worth, strict=True):
            state.I[base + c] = value
        world = Worlds(match, 1).draw(1)
        assert [world.I[base + c] for c in range(4)] == [3, 1, 1, 1]
