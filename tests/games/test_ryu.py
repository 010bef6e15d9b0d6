"""Ryu: its scenarios, what is in the box, random games against the invariants, and what players see."""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import cache
from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.interpreter.play.game import Game
from dragonrules.interpreter.play.match import Match
from dragonrules.interpreter.play.scenarios import run_scenario

ROOT = Path(__file__).parents[2]
SPEC = ROOT / "games" / "ryu.dragon"
SCENARIOS = sorted((ROOT / "games" / "scenarios").glob("ryu_*.dragon"))
ITEMS = [f"RYU-{number:02}" for number in range(1, 124)]
COLOURS = ("yellow", "blue", "orange", "violet")


@cache
def ryu(turn_limit: int = 5000) -> Game:
    return dr.load(SPEC, options={"turn_limit": turn_limit})


@cache
def with_scenarios() -> Game:
    return dr.load(SPEC, variants=SCENARIOS)


def titles() -> list[str]:
    return [scenario.name for scenario in with_scenarios().checked.scenarios]


@pytest.mark.parametrize("number", range(len(titles())), ids=titles())
def test_scenario(number: int) -> None:
    game = with_scenarios()
    outcome = run_scenario(game, number, game.checked.scenarios[number])
    assert outcome.ok, f"{outcome.span}: {outcome.problem}"


def cited(text: str) -> set[str]:
    """The rulebook items that a text cites, ranges written out."""
    found = set()
    for low, high in re.findall(r"RYU-(\d+)(?:\.\.(\d+))?", text):
        found |= {f"RYU-{n:02}" for n in range(int(low), int(high or low) + 1)}
    return found


def test_every_item_is_cited_by_a_rule_and_shown_by_a_scenario() -> None:
    rules = cited(SPEC.read_text(encoding="utf-8"))
    shown = {cite for scenario in with_scenarios().checked.scenarios for cite in scenario.cites}
    assert sorted(rules) == sorted(ITEMS)
    assert sorted(shown) == sorted(ITEMS)


# ---------------------------------------------------------------- components
def test_number_of_players() -> None:
    assert ryu().players == (2, 3, 4, 5)
    for count in (1, 6):
        with pytest.raises(dr.DragonError):
            ryu().start(players=count)


CUBES_IN_PLAY = {2: (15, 5, 5, 5, 1), 3: (18, 6, 6, 6, 1), 4: (21, 7, 7, 7, 1), 5: (24, 8, 8, 8, 1)}


@pytest.mark.parametrize("players", CUBES_IN_PLAY)
def test_components_on_the_table(players: int) -> None:
    match = ryu().start(players=players, seed=3)
    counts = cubes(match)
    assert tuple(counts[k] for k in (*COLOURS, "white")) == CUBES_IN_PLAY[players]
    islands = match.view(1)["places"]["sea"]["contents"]
    assert len(islands) == 9
    assert len({where for _, where, _ in islands}) == 9
    for seat in range(1, players + 1):
        assert match.view(seat)["places"][f"player {seat}: screen"]["contents"] == (("yellow", 2),)


def cubes(match: Match) -> Counter[str]:
    """All cubes outside the box, whoever sees them."""
    layout = match.state.engine.layout
    kinds = match.game.checked.kinds["Cube"].values
    out: Counter[str] = Counter()
    for key, instances in layout.instances.items():
        for place in instances:
            if place.decl.of == "Cube" and not key.startswith("box of"):
                out.update({kind: match.state.I[place.ref + n] for n, kind in enumerate(kinds)})
    return out


def test_island_orders_differ_by_seed() -> None:
    orders = {ryu().start(players=2, seed=seed).view(1)["places"]["sea"]["contents"] for seed in range(8)}
    assert len(orders) == 8


# ---------------------------------------------------------------- random games
def play(match: Match, seed: int) -> Match:
    chooser = random.Random(seed)
    while not match.over:
        decision = match.decision
        assert decision is not None and decision.options
        match.choose(chooser.randrange(len(decision.options)))
    return match


@pytest.mark.parametrize("players", (2, 3, 4, 5))
@pytest.mark.parametrize("seed", range(3))
def test_random_games_keep_the_invariants(players: int, seed: int) -> None:
    match = play(ryu(turn_limit=120).start(players=players, seed=seed, check=True), seed)
    assert match.reason in ("unfinished", "dragon_done")
    if match.reason == "unfinished":
        assert match.turn == 120 and not match.winners


@pytest.mark.parametrize("players", (2, 5))
def test_a_random_game_ends_with_one_dragon(players: int) -> None:
    engine = ryu().engine(players)
    chooser = random.Random(players)
    for seed in range(4):
        state = engine.new(seed)
        while not state.over:
            state.apply(chooser.randrange(len(state.options)))
        assert state.reason == "dragon_done"
        assert bin(state.winners).count("1") == 1


# ---------------------------------------------------------------- what is hidden
def test_views_hide_cubes_and_their_number() -> None:
    match = ryu(turn_limit=60).start(players=3, seed=5)
    chooser = random.Random(5)
    while not match.over:
        decision = match.decision
        assert decision is not None
        open_screens = "reveal" in decision.rule or "free_yellow" in decision.rule
        for seat in (1, 2, 3):
            places = match.view(seat)["places"]
            assert places["bag"] == {}
            for other in {1, 2, 3} - {seat}:
                assert open_screens or places[f"player {other}: screen"] == {}
                assert places[f"player {other}: bid"] == {}
        match.choose(chooser.randrange(len(decision.options)))


def test_observations_suffice_to_track_every_hand() -> None:
    """RYU-120: all transfers are open, so whoever remembers everything knows all hands and the bag."""
    for seed in range(4):
        match = play(ryu(turn_limit=100).start(players=3, seed=seed), seed)
        for viewer in (1, 2, 3):
            assert tracked(match, viewer) == actual(match)


def tracked(match: Match, viewer: int) -> dict[str, Counter[str]]:
    """The cubes behind each screen, added up from the moves that a seat noticed."""
    hands: dict[str, Counter[str]] = {f"player {p}: screen": Counter() for p in (1, 2, 3)}
    for event in match.observations(viewer):
        if event[0] != "move" or not isinstance(event[1], int):
            continue
        _, amount, kind, source, target = event
        if source.endswith(": bid"):  # a bid leaves the screen unseen and comes out in the open
            source = source.replace("bid", "screen")
        if target.endswith(": bid"):
            continue
        if source in hands:
            hands[source][kind] -= amount
        if target in hands:
            hands[target][kind] += amount
    return {place: +hand for place, hand in hands.items()}


def actual(match: Match) -> dict[str, Counter[str]]:
    contents = {p: match.view(p)["places"] for p in (1, 2, 3)}
    return {
        f"player {p}: screen": Counter(dict(contents[p][f"player {p}: screen"]["contents"]))
        + Counter(dict(contents[p][f"player {p}: bid"]["contents"]))
        for p in (1, 2, 3)
    }


def test_sealed_bids_leave_no_trace_before_the_reveal() -> None:
    """Two matches that differ only in player 1's sealed bid look the same to the others."""
    match = at_a_bid()
    twin = match.fork()
    match.choose(0)
    twin.choose(len(twin.decision.options) - 1 if twin.decision else 0)
    for seat in (2, 3):
        assert match.observations(seat) == twin.observations(seat)
        assert match.view(seat) == twin.view(seat)


def at_a_bid() -> Match:
    """A match in which the first bidder is asked for more than one thing, so that the next choice stays sealed."""
    for seed in range(200):
        match = ryu(turn_limit=200).start(players=3, seed=seed)
        chooser = random.Random(seed)
        while not match.over:
            decision = match.decision
            assert decision is not None
            if decision.rule == "dragon_bid" and decision.player == 1 and len(decision.options) > 1:
                return match
            match.choose(chooser.randrange(len(decision.options)))
    raise AssertionError("no bid came up")


def test_save_and_resume_in_the_middle_of_a_bid(tmp_path: Path) -> None:
    match = at_a_bid()
    match.save(tmp_path / "bid.json")
    again = dr.resume(tmp_path / "bid.json", game=match.game)
    assert again == match
    assert play(again, 1).observations(2) == play(match, 1).observations(2)
