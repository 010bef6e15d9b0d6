"""Dragon Keeper: its scenarios, its components, and whole games against a second implementation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import dragonrules as dr
import pytest
from dragonrules.grammar import Report, Source, syntax
from dragonrules.interpreter.check.citations import cited
from dragonrules.interpreter.files.reading import read_tree
from dragonrules.interpreter.play.scenarios import run_scenarios

from ..playing import by_true_numbers, true_keys
from .dragon_keeper_by_hand import TILES, play

GAMES = Path(__file__).parents[2] / "games"
SPEC = GAMES / "dragon_keeper.dragon"
SCENARIOS = sorted((GAMES / "scenarios").glob("dragon_keeper_*.dragon"))
ITEMS = {f"DK-{number:02d}" for number in range(1, 109)}
MOST_DECISIONS = 115
MOST_TURNS = 13  # of a level


@cache
def rules() -> dr.Game:
    return dr.load(SPEC)


# ---------------------------------------------------------------- the rulebook
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenarios_hold(path: Path) -> None:
    outcomes = run_scenarios(dr.load(SPEC, variants=[path]))
    assert outcomes
    assert not [f"{o.scenario.name}: {o.problem}" for o in outcomes if not o.ok]


def declarations(path: Path) -> Iterator[Any]:
    report = Report()
    for decl in read_tree(Source(str(path), path.read_text(encoding="utf-8")), report).decls:
        yield from decl.items if isinstance(decl, syntax.Variant) else (decl,)
    assert not report.errors


def test_every_item_is_cited_by_a_rule_and_by_a_scenario() -> None:
    by_rules = {item for decl in declarations(SPEC) for item in cited(decl)}
    by_scenarios = {item for path in SCENARIOS for decl in declarations(path) for item in cited(decl)}
    assert by_rules == ITEMS
    assert by_scenarios == ITEMS


def test_the_tiles_are_those_of_the_table() -> None:
    columns = rules().engine(2).layout.comps["Adventurer"].columns
    colours = rules().checked.kinds["Colour"].values
    specials = rules().checked.kinds["Special"].values
    rows = zip(columns["colour"], columns["value"], columns["special"], strict=True)
    found = [(colours[c], v, specials[s] if s >= 0 else None) for c, v, s in rows]
    assert found == [(t.colour, t.value, t.special) for t in TILES.values()]
    assert len(found) == 75
    assert {c: sum(v for d, v, _ in found if d == c) for c in colours} == {
        "red": 48, "yellow": 35, "green": 35, "blue": 35, "purple": 35,
    }  # fmt: skip


def test_it_is_for_two_to_four() -> None:
    assert rules().players == (2, 3, 4)
    assert rules().options == {"toll_after_last_level": True}


# ---------------------------------------------------------------- whole games
class Table:
    """A match, and the same game by hand, which draws what the match drew."""

    def __init__(self, players: int, seed: int, *, last_toll: bool = True) -> None:
        game = rules() if last_toll else dr.load(SPEC, options={"toll_after_last_level": "no"})
        self.match = game.start(players, seed=seed, check=True)
        self.read = 0
        self.twin = play(players, self.drawn, last_toll=last_toll)
        self.result: Any = None
        self.asked = next(self.twin)

    def drawn(self) -> Any:
        while self.match.log[self.read][0] != "chance":
            self.read += 1
        self.read += 1
        return self.match.log[self.read - 1][1]

    def step(self, rng: Random) -> None:
        decision = self.match.decision
        assert decision is not None
        keys = true_keys(self.match)
        assert (decision.player, {*keys}) == self.asked
        assert len(keys) == len(self.asked[1])
        key = rng.choice(keys)
        self.match.choose(keys.index(key))
        try:
            self.asked = self.twin.send(key)
        except StopIteration as end:
            self.result = end.value


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("last_toll", [True, False])
def test_random_games_are_those_played_by_hand(players: int, last_toll: bool) -> None:
    for seed in range(10):
        rng = Random(seed)
        table = Table(players, seed, last_toll=last_toll)
        decisions = 0
        while not table.match.over:
            table.step(rng)
            decisions += 1
        assert decisions <= MOST_DECISIONS
        assert table.result == (table.match.winners, table.match.scores)


def choose_any(match: dr.Match, rng: Random) -> None:
    assert match.decision is not None
    match.choose(rng.randrange(len(match.decision.options)))


def level_of(match: dr.Match) -> int:
    level: int = match.view(1)["states"]["level"]
    return level


@pytest.mark.parametrize("players", [2, 3, 4])
def test_levels_are_short_and_start_full(players: int) -> None:
    for seed in range(10):
        rng = Random(seed)
        match = rules().start(players, seed=seed)
        level, first_turn = 0, 0
        while not match.over:
            places = match.view(1)["places"]
            if level_of(match) != level:
                level, first_turn = level_of(match), match.turn
                board = [name for name, _, _ in places["board"]["contents"]]
                assert len(board) == 25
                assert sum(TILES[name].special == "staircase" for name in board) == (1 if level < 3 else 0)
                assert places["dungeon"] == {"size": {1: 49, 2: 25, 3: 0}[level]}
            assert match.turn - first_turn < MOST_TURNS
            choose_any(match, rng)


# ---------------------------------------------------------------- what is hidden
def names_in(data: Any) -> set[str]:
    return set(re.findall(r"(?:Adventurer|Guild)#\d+", repr(data)))


def open_to(match: dr.Match, viewer: int) -> set[str]:
    """Every tile that a seat may know by name, read straight from the state."""
    engine = match.state.engine
    found: set[str] = set()
    for key, instances in engine.layout.instances.items():
        for instance in instances:
            if instance.decl.tokens:
                continue
            tiles = [f"{instance.decl.of}#{c + 1}" for c in match.state.L[instance.ref]]
            if key in ("board", "gone", "staircases") or instance.owner == viewer - 1:
                found.update(tiles)
            elif key == "player.stack":
                found.update(tiles[-1:])
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_views_never_show_what_is_hidden(players: int) -> None:
    for seed in range(3):
        rng = Random(seed)
        match = rules().start(players, seed=seed)
        while not match.over:
            for viewer in range(1, players + 1):
                check_view(match, viewer)
            choose_any(match, rng)
        view = match.view(1)
        survivors = {p for p in range(1, players + 1) if not view["states"][f"player {p}: eliminated"]}
        if survivors and (view["states"]["level"] == 3 or match.reason == "the dragon's esteem"):
            assert len(guilds_in(view)) == len(survivors | {1})
        else:
            assert len(guilds_in(view)) == 1


def guilds_in(view: Any) -> set[str]:
    return {name for name in names_in(view) if name.startswith("Guild")}


def check_view(match: dr.Match, viewer: int) -> None:
    view = by_true_numbers(match).view(viewer)
    assert guilds_in(view) <= open_to(match, viewer)
    assert match.decision is not None
    if not match.decision.sealed:  # behind a seal, a view is of the moment before it
        staircase = {view["states"]["staircase_here"]}
        assert names_in(view) <= open_to(match, viewer) | staircase
    for label, place in view["places"].items():
        if label in ("dungeon", "guilds"):
            assert set(place) == {"size"}
        if ": stack" in label:
            mine = label.startswith(f"player {viewer}:")
            assert set(place) == {"contents"} if mine else set(place) <= {"size", "top"}


def test_a_tribute_is_sealed_until_all_have_decided() -> None:
    rng = Random(3)
    seen = 0
    for seed in range(40):
        match = rules().start(2, seed=seed)
        while not match.over:
            decision = match.decision
            assert decision is not None
            if decision.sealed and decision.player == 1:
                before = match.view(2)
                twin = match.fork()
                twin.choose(rng.choice(decision.options))
                then = twin.decision
                if then is not None and then.rule == decision.rule == "Tribute":
                    assert before["places"] == twin.view(2)["places"]
                    assert before["waiting_for"] is None
                    seen += 1
            choose_any(match, rng)
    assert seen > 5


# ---------------------------------------------------------------- house rules
HOUSE = """
variant "Our table" of dragon_keeper:
    "Other marks, a dearer toll and no toll at the end."
    set toll_after_last_level = no
    replace table axis(on_level: 1..3, mark: 1..2) -> Axis:
        | on_level | 1      | 2      |
        | 1, 3     | column | row    |
        | 2        | row    | column |
    replace table toll(left: 0..25) -> 0..3:
        | left | due |
        | any  |   3 |
"""


def test_a_house_variant_sets_option_and_tables(tmp_path: Path) -> None:
    path = tmp_path / "our_table.dragon"
    path.write_text(HOUSE, encoding="utf-8")
    game = dr.load(SPEC, variants=[path])
    assert game.options == {"toll_after_last_level": False}
    rng = Random(1)
    for seed in range(10):
        match = game.start(3, seed=seed, check=True)
        assert match.decision is not None
        assert {o.key[1][0] for o in match.decision.options} == {3}
        while level_of(match) == 1 and not match.over:
            owned = [count_treasures(match, seat) for seat in (1, 2, 3)]
            choose_any(match, rng)
        taker = match.view(1)["states"]["last_taker"]
        for seat in (1, 2, 3):
            due = 3 + (seat == taker)
            last_gift = seat == taker  # which may have earned one more
            left = count_treasures(match, seat)
            assert left in {max(0, owned[seat - 1] + won - due) for won in range(1 + last_gift)}


def count_treasures(match: dr.Match, seat: int) -> int:
    return sum(n for _, n in match.view(1)["places"][f"player {seat}: treasures"]["contents"])
