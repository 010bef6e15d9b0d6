"""Dragon's Gold: its scenarios, its components, what is hidden, and random games in every mode."""

from __future__ import annotations

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
from dragonrules.interpreter.play.views import contents_of

from ..playing import true_keys
from .dragons_gold_by_hand import Hunt

GAMES = Path(__file__).parents[2] / "games"
SPEC = GAMES / "dragons_gold.dragon"
VARIANTS = sorted((GAMES / "variants").glob("dragons_gold_*.dragon"))
SCENARIOS = sorted((GAMES / "scenarios").glob("dragons_gold_*.dragon"))
ITEMS = {f"DG-{number:02d}" for number in range(1, 145)}
MODES = [
    (),
    ("2001",),
    ("strategic",),
    ("advanced",),
    ("2001", "advanced"),
    ("advanced", "strategic"),
]
TREASURE = {
    "silver": 35, "gold": 20, "red": 16, "blue": 12, "green": 12, "purple": 12, "yellow": 12, "white": 6, "black": 1,
}  # fmt: skip
DRAGONS = [
    (5, 3, 2), (5, 5, 0), (6, 3, 3), (6, 6, 0), (6, 1, 5), (7, 4, 3), (7, 5, 2), (7, 2, 5), (7, 7, 1),
    (8, 5, 3), (8, 4, 4), (8, 0, 9), (8, 6, 1), (9, 6, 3), (9, 3, 6), (9, 8, 1), (10, 11, 0), (10, 4, 5),
]  # fmt: skip
ONCE_IN_2001 = {
    "ring_of_confusion", "swap_powder", "trickster_stone", "light_fingers", "scale_balm", "seers_glass", "alchemist_flask",
}  # fmt: skip
OBJECTS = ONCE_IN_2001 | {"recall_horn", "banishing_scroll", "flame_blade", "ward_amulet", "haste_boots"}


@cache
def rules(*variants: str) -> dr.Game:
    return dr.load(SPEC, variants=variants)


def modes_for(path: Path) -> tuple[str, ...]:
    """The variants that a file of scenarios needs."""
    needs = [
        c
        for d in parsed(path)
        if isinstance(d, syntax.Variant)
        for c in d.clauses
        if isinstance(c, syntax.Needs)
    ]
    return tuple(str(name).lower() for clause in needs for name in clause.names)


@cache
def parsed(path: Path) -> tuple[Any, ...]:
    report = Report()
    decls = read_tree(Source(str(path), path.read_text(encoding="utf-8")), report).decls
    assert not report.errors
    return decls


# ---------------------------------------------------------------- the rulebooks
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenarios_hold(path: Path) -> None:
    outcomes = run_scenarios(dr.load(SPEC, variants=[*modes_for(path), path]))
    assert outcomes
    assert not [f"{o.scenario.name}: {o.problem}" for o in outcomes if not o.ok]


def citations(*paths: Path) -> Iterator[tuple[bool, str]]:
    """(by a scenario?, item)"""
    for path in paths:
        for decl in parsed(path):
            parts = decl.items if isinstance(decl, syntax.Variant) else (decl,)
            for part in parts:
                for item in cited(part):
                    yield isinstance(part, syntax.Scenario), item


def test_every_item_is_cited_by_a_rule_and_by_a_scenario() -> None:
    found = set(citations(SPEC, *VARIANTS, *SCENARIOS))
    assert {item for by_scenario, item in found if by_scenario} == ITEMS
    assert {item for by_scenario, item in found if not by_scenario} == ITEMS


def test_it_is_for_three_to_six() -> None:
    assert rules().players == (3, 4, 5, 6)
    with pytest.raises(dr.DragonError, match="3 to 6 players"):
        rules().start(2)


def test_divide_and_choose_is_refused_for_the_first_edition() -> None:
    with pytest.raises(dr.DragonError, match="divide and choose belongs to the 2011 edition"):
        rules("2001", "strategic").start(3)


# ---------------------------------------------------------------- components
def test_the_cards_are_those_of_the_tables() -> None:
    comps = rules().engine(6).layout.comps
    cards = comps["Card"].columns
    dragons = list(zip(cards["strength"], cards["known"], cards["hidden"], strict=True))
    assert dragons == [*DRAGONS, (0, 0, 0)]
    assert sum(known + hidden for _, known, hidden in dragons) == 136
    team = comps["Adventurer"].columns
    roles = rules().checked.kinds["Role"].values
    rows = list(zip(team["colour"], team["role"], team["value"], strict=True))
    for colour in range(1, 7):
        own = {(roles[role], value) for c, role, value in rows if c == colour}
        assert own == {("knight", 4), ("knight", 3), ("thief", 2), ("wizard", 1)}
    assert len(rows) == 24


@pytest.mark.parametrize(("edition", "total"), [("y2011", 24), ("y2001", 17)])
def test_there_are_enough_magic_objects(edition: str, total: int) -> None:
    game = dr.load(SPEC, variants=["advanced"], options={"edition": edition})
    names = game.checked.kinds["Object"].values
    cards = [names[row] for row in game.engine(3).layout.comps["Magic"].columns["object"]]
    assert len(cards) == total
    assert set(cards) == OBJECTS
    for name in OBJECTS:
        assert cards.count(name) == (1 if edition == "y2001" and name in ONCE_IN_2001 else 2)


def test_the_basic_game_has_no_magic_objects() -> None:
    assert "Magic" not in rules().engine(3).layout.comps


# ---------------------------------------------------------------- whole games
def treasure(match: dr.Match) -> dict[str, int]:
    """All tokens at the table by colour, counted in the places themselves."""
    state = match.state
    watcher = state.engine.watcher
    total = dict.fromkeys(TREASURE, 0)
    for key, instances in state.engine.layout.instances.items():
        if instances[0].decl.of == "Treasure":
            for index in range(len(instances)):
                for colour, count in contents_of(watcher.values, state.I, state.L, key, index):
                    total[colour] += count
    return total


class Table:
    """A match, and the same game by hand, which draws what the match drew."""

    def __init__(self, mode: tuple[str, ...], players: int, seed: int) -> None:
        self.match = rules(*mode).start(players, seed=seed, check=True)
        self.read = 0
        self.result: Any = None
        hunt = Hunt(
            players,
            self.drawn,
            advanced="advanced" in mode,
            strategic="strategic" in mode,
            first_edition="2001" in mode,
        )
        self.twin = hunt.play()
        self.asked = next(self.twin)

    def drawn(self) -> Any:
        while self.match.log[self.read][0] != "chance":
            self.read += 1
        self.read += 1
        return self.match.log[self.read - 1][1]

    def step(self, rng: Random) -> None:
        decision = self.match.decision
        assert decision is not None
        player, expected = self.asked
        keys = true_keys(self.match)
        assert decision.player == player
        assert expected is None or (len(expected) == len(keys) and expected == {*keys})
        key = rng.choice(keys)
        self.match.choose(keys.index(key))
        try:
            self.asked = self.twin.send(key)
        except StopIteration as end:
            self.result = end.value


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("mode", MODES, ids="+".join)
def test_random_games_are_those_played_by_hand(mode: tuple[str, ...], players: int) -> None:
    for seed in range(3):
        rng = Random(seed)
        table = Table(mode, players, seed)
        decisions = 0
        while not table.match.over:
            table.step(rng)
            decisions += 1
            assert decisions < 6000
        assert treasure(table.match) == TREASURE
        assert table.result == (table.match.winners, table.match.scores)


@pytest.mark.parametrize("mode", MODES, ids="+".join)
def test_a_game_can_be_saved_forked_and_replayed(mode: tuple[str, ...], tmp_path: Path) -> None:
    rng = Random(5)
    match = rules(*mode).start(4, seed=5)
    for _ in range(150):
        assert match.decision is not None
        match.choose(rng.randrange(len(match.decision.options)))
    match.save(tmp_path / "table.json")
    again = dr.resume(tmp_path / "table.json", game=rules(*mode))
    twin = match.fork()
    assert again == match
    for _ in range(40):
        assert match.decision is not None
        choice = rng.randrange(len(match.decision.options))
        for table in (match, again, twin):
            table.choose(choice)
    assert again == match == twin
    assert again.observations(2) == match.observations(2) == twin.observations(2)


# ---------------------------------------------------------------- who sees what
def test_a_theft_is_seen_in_full_by_two_players_only() -> None:
    """Thief and victim learn the colour; the others notice that one token moved."""
    thefts = 0
    for seed in range(6):
        rng = Random(seed)
        match = rules("strategic").start(4, seed=seed)
        while not match.over:
            assert match.decision is not None
            match.choose(rng.randrange(len(match.decision.options)))
        for seat in range(1, 5):
            for event in match.observations(seat):
                if event[0] == "move" and "screen" in str(event[3]) and "screen" in str(event[4]):
                    involved = {f"player {seat}: screen"} & {event[3], event[4]}
                    assert (event[2] != "Treasure") == bool(involved)
                    thefts += 1
    assert thefts > 20


def test_a_look_behind_a_screen_is_seen_by_the_thief_alone() -> None:
    looks = 0
    for seed in range(12):
        rng = Random(seed)
        match = rules("strategic").start(3, seed=seed)
        while not match.over:
            decision = match.decision
            assert decision is not None
            words = [o.key[-1] for o in decision.options]
            if "look behind the screen" in words:
                match.choose(words.index("look behind the screen"))
                looked = match.decision
                assert looked is not None
                assert looked.player == decision.player
                for seat in range(1, 4):
                    last = [e for e in match.observations(seat) if e[0] == "shown"][-1]
                    assert (len(last) == 3) == (seat == decision.player)
                looks += 1
            else:
                match.choose(rng.randrange(len(words)))
    assert looks


def test_nobody_sees_more_of_the_others_than_sizes() -> None:
    match = rules("advanced").start(3, seed=1)
    rng = Random(1)
    for _ in range(200):
        for seat in range(1, 4):
            places = match.view(seat)["places"]
            assert "contents" not in places["bag"]
            assert "contents" not in places["deck"]
            assert "contents" not in places["pile"]
            for other in range(1, 4):
                for place in ("screen", "magic"):
                    shown = places[f"player {other}: {place}"]
                    assert ("contents" in shown) == (other == seat), (seat, other, place)
                    assert ("size" in shown) == (other != seat)
        decision = match.decision
        assert decision is not None
        if decision.name == "k":
            break
        match.choose(rng.randrange(len(decision.options)))


def test_the_clock_is_part_of_what_is_noticed() -> None:
    """Every word has its second, never later than sixty, and running out of time is an event."""
    rng = Random(3)
    match = rules().start(3, seed=3)
    while not match.over:
        assert match.decision is not None
        match.choose(rng.randrange(len(match.decision.options)))
    times = [e[2] for e in match.observations(1) if e[0] == "clock"]
    assert set(times) <= set(range(5, 65, 5))
    assert max(times) == 60
    assert ("time is up", "Talk") in match.observations(1)


def test_the_sand_may_run_out_at_any_word() -> None:
    rng = Random(2)
    match = rules().start(3, seed=2)
    while not match.over:
        decision = match.decision
        assert decision is not None
        if decision.rule == "divide":
            lost = sum(amount for _, amount in match.view(1)["places"]["lid"]["contents"])
            match.expire()
            assert match.log[-1] == ["expire"] or ["expire"] in match.log
            if not match.over:
                assert sum(amount for _, amount in match.view(1)["places"]["lid"]["contents"]) > lost
            break
        match.choose(rng.randrange(len(decision.options)))


def test_any_split_can_be_proposed() -> None:
    """All ways to share a small hoard are met by walking through the options."""
    match = rules().start(3, seed=0)
    rng = Random(0)
    while match.decision is not None and match.decision.rule != "divide":
        match.choose(rng.randrange(len(match.decision.options)))
    assert match.decision is not None
    hoards = [
        dict(shown["contents"])
        for label, shown in match.view(1)["places"].items()
        if label.endswith(": hoard") and shown["contents"]
    ]
    found: set[Any] = set()
    match.choose(("offer", "propose"))

    def walk(table: dr.Match) -> None:
        if table.view(1)["records"]["Plan"]:
            found.add(table.view(1)["records"]["Plan"][0]["gets"])
            return
        assert table.decision is not None
        for option in table.decision.options:
            twin = table.fork()
            twin.choose(option)
            walk(twin)

    walk(match)
    sides = {seat for plan in found for seat, _, _ in plan}
    sizes = []
    for hoard in hoards:
        ways = 1
        for amount in hoard.values():
            ways *= _splits(amount, len(sides))
        sizes.append(ways)
    assert len(found) in sizes


def _splits(amount: int, sides: int) -> int:
    return 1 if sides == 1 else sum(_splits(amount - first, sides - 1) for first in range(amount + 1))


# ---------------------------------------------------------------- house variants
POOR_DRAGONS = """
variant "Poor Dragons" of dragons_gold:
    replace rows Card:
        | face   | strength | known | hidden | count |
        | dragon |        5 |     1 |      1 |    18 |
        | market |        0 |     0 |      0 |     1 |
"""
BLANK_CARDS = """
variant "Blank Cards" of dragons_gold needs "Advanced":
    replace kinds Object: ring_of_confusion, swap_powder, trickster_stone, light_fingers, recall_horn, banishing_scroll, flame_blade, scale_balm, seers_glass, ward_amulet, haste_boots, alchemist_flask, blank
    replace rows Magic:
        | object | count |
        | blank  |    24 |
"""
BITING_AMULET = """
variant "Biting Amulet" of dragons_gold needs "Advanced":
    replace action ward_amulet(robber: player) in robbed:
        require holds(me, ward_amulet)
        use(ward_amulet)
        draw 1 at random from robber.screen to my.screen
"""


def house(tmp_path: Path, text: str, *others: str) -> dr.Game:
    path = tmp_path / "house.dragon"
    path.write_text(text.strip() + "\n", encoding="utf-8")
    return dr.load(SPEC, variants=[*others, path])


def played(game: dr.Game, players: int, seed: int) -> dr.Match:
    rng = Random(seed)
    match = game.start(players, seed=seed, check=True)
    while not match.over:
        assert match.decision is not None
        match.choose(rng.randrange(len(match.decision.options)))
    return match


def test_poor_dragons_leave_treasure_in_the_bag(tmp_path: Path) -> None:
    """The deck runs out first; the game then ends with the last dragon."""
    game = house(tmp_path, POOR_DRAGONS, "strategic")
    for seed in range(3):
        match = played(game, 3, seed)
        places = match.view(1)["places"]
        assert places["bag"]["size"] == 126 - 36
        assert places["deck"]["size"] == 0
        assert match.reason == "the last dragon is dead"


def test_a_deck_of_blank_cards_still_runs(tmp_path: Path) -> None:
    match = played(house(tmp_path, BLANK_CARDS, "advanced"), 4, 1)
    assert match.view(1)["places"]["discard"]["contents"] == ()


def test_a_card_can_be_swapped_for_another(tmp_path: Path) -> None:
    game = house(tmp_path, BITING_AMULET, "advanced")
    assert game.fingerprint != rules("advanced").fingerprint
    played(game, 4, 2)
