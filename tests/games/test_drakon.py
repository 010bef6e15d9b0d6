"""Drakon: its scenarios, its components, and whole games against a second implementation."""

from __future__ import annotations

import re
from collections import Counter
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

from ..playing import true_keys
from .drakon_by_hand import ARROWS, EFFECT, Ask, Drakon, Over

GAMES = Path(__file__).parents[2] / "games"
SPEC = GAMES / "drakon.dragon"
VARIANTS = sorted((GAMES / "variants").glob("drakon_*.dragon"))
SCENARIOS = sorted((GAMES / "scenarios").glob("drakon_*.dragon"))
ITEMS = {f"DRA-{number:02d}" for number in range(1, 137)}
TURN_LIMIT = 400
TABLES = [
    *((players, ()) for players in range(2, 7)),
    *((players, ("heroes",)) for players in range(2, 7)),
    (3, ("escape",)),
    (3, ("fixed_gold",)),
    (4, ("teams",)),
    (6, ("teams",)),
    (4, ("heroes", "escape")),
    (5, ("fixed_gold", "heroes")),
    (4, ("teams", "heroes")),
    (6, ("heroes", "teams")),
]


@cache
def rules(*variants: str) -> dr.Game:
    return dr.load(SPEC, variants=variants, options={"turn_limit": TURN_LIMIT})


# ---------------------------------------------------------------- the rulebook
def needed(path: Path) -> list[str]:
    """The variants that a file of scenarios is written for."""
    decls = read_tree(Source(str(path), path.read_text(encoding="utf-8")), Report()).decls
    clauses = [clause for decl in decls if isinstance(decl, syntax.Variant) for clause in decl.clauses]
    return [str(name) for clause in clauses if isinstance(clause, syntax.Needs) for name in clause.names]


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenarios_hold(path: Path) -> None:
    outcomes = run_scenarios(dr.load(SPEC, variants=[*needed(path), path]))
    assert outcomes
    assert not [f"{o.scenario.name}: {o.problem}" for o in outcomes if not o.ok]


def declarations(path: Path) -> Iterator[Any]:
    report = Report()
    for decl in read_tree(Source(str(path), path.read_text(encoding="utf-8")), report).decls:
        yield from decl.items if isinstance(decl, syntax.Variant) else (decl,)
    assert not report.errors


def test_every_item_is_cited_by_a_rule_and_by_a_scenario() -> None:
    by_rules = {item for path in (SPEC, *VARIANTS) for decl in declarations(path) for item in cited(decl)}
    by_scenarios = {item for path in SCENARIOS for decl in declarations(path) for item in cited(decl)}
    assert by_rules == ITEMS
    assert by_scenarios == ITEMS


def test_the_chambers_are_those_of_the_table() -> None:
    columns = rules().engine(2).layout.comps["Chamber"].columns
    effects = rules().checked.kinds["Effect"].values
    bits = {"N": 1, "E": 4, "S": 16, "W": 64}
    found = [(effects[e], a) for e, a in zip(columns["effect"], columns["arrows"], strict=True)]
    assert found == [(EFFECT[name], sum(bits[a] for a in ARROWS[name])) for name in EFFECT]
    assert len(found) == 72
    assert len(effects) == 18 and set(effects) == set(EFFECT.values())


def test_coins_heroes_players() -> None:
    game = rules()
    assert game.players == (2, 3, 4, 5, 6)
    assert len(game.checked.kinds["Hero"].values) == 6
    match = dr.load(SPEC, options={"quick_start": "yes"}).start(2, seed=1)
    assert match.view(1)["places"]["hoard"] == {"size": 28}
    base = match.state.engine.layout.places["hoard"][0]
    assert match.state.I[base : base + 3] == [10, 9, 9]


@pytest.mark.parametrize(("players", "left"), [(2, 63), (3, 59), (4, 55), (5, 51), (6, 47)])
def test_what_is_left_in_the_pile(players: int, left: int) -> None:
    view = rules().start(players, seed=1).view(1)
    assert view["places"]["pile"] == {"size": left}
    assert [len(view["places"]["player 1: hand"]["contents"])] == [4]
    assert all(view["places"][f"player {q}: hand"] == {"size": 4} for q in range(2, players + 1))


@pytest.mark.parametrize(
    "pair",
    [("escape", "teams"), ("teams", "fixed_gold"), ("fixed_gold", "escape"), ("teams", "escape", "heroes")],
)
def test_variants_that_replace_the_goal_exclude_one_another(pair: tuple[str, ...]) -> None:
    with pytest.raises(dr.SpecError, match="cannot be played together with") as refusal:
        dr.load(SPEC, variants=pair)
    assert [d.code for d in refusal.value.diagnostics] == ["D0604"]


@pytest.mark.parametrize("players", [2, 3, 5])
def test_teams_need_four_or_six(players: int) -> None:
    with pytest.raises(dr.UsageError, match="4 or 6 players"):
        rules("teams").start(players)


# ---------------------------------------------------------------- whole games
class Table:
    """A match, and the same game by hand, asked the same questions."""

    def __init__(self, players: int, variants: tuple[str, ...], seed: int) -> None:
        self.match = rules(*variants).start(players, seed=seed, chance="ask", check=True)
        self.game = Drakon(players, variants, turn_limit=TURN_LIMIT)
        self.course = self.game.play()
        self.random = Random(seed)

    def play(self) -> None:
        with pytest.raises(Over) as over:
            self.go_on()
        assert self.match.over
        assert (self.match.winners, self.match.reason) == (over.value.winners, over.value.reason)
        assert self.match.scores == {p: self.game.wealth(p) for p in self.game.seats}

    def go_on(self) -> None:
        answer: Any = None
        while True:
            question = self.course.send(answer)
            assert not self.match.over
            answer = self.decide(question) if isinstance(question, Ask) else self.draw(question.outcomes)

    def decide(self, question: Ask) -> Any:
        decision = self.match.decision
        assert decision is not None
        assert decision.player == question.player
        offered = true_keys(self.match)
        assert sorted(offered) == sorted((question.name, option) for option in question.options)
        number = self.random.randrange(len(offered))
        self.match.choose(number)
        return offered[number][-1]

    def draw(self, outcomes: dict[Any, int]) -> Any:
        chance = self.match.chance
        assert chance is not None
        assert {outcome.key: weight for outcome, weight in chance.outcomes} == outcomes
        weights = [weight for _, weight in chance.outcomes]
        ((outcome, _),) = self.random.choices(chance.outcomes, weights)
        self.match.resolve(outcome)
        return outcome.key


@pytest.mark.parametrize(("players", "variants"), TABLES)
def test_whole_games_by_hand(players: int, variants: tuple[str, ...]) -> None:
    for seed in range(2):
        Table(players, variants, seed).play()


@pytest.mark.long
@pytest.mark.parametrize(("players", "variants"), TABLES)
def test_many_games_by_hand(players: int, variants: tuple[str, ...]) -> None:
    for seed in range(2, 60):
        Table(players, variants, seed).play()


def test_games_end_and_say_how() -> None:
    engine = rules().engine(4)
    random = Random(1)
    reasons: Counter[str] = Counter()
    for seed in range(150):
        state = engine.new(seed)
        while not state.over:
            state.apply(random.randrange(len(state.options)))
        reasons[str(state.reason)] += 1
        assert bool(state.winners) == (state.reason != "unfinished")
    assert set(reasons) <= {"free", "nobody_can_act", "nothing_happens", "long_enough", "unfinished"}
    assert reasons["free"] and reasons["nobody_can_act"] and reasons["nothing_happens"]


# ---------------------------------------------------------------- secrets
def test_coins_are_seen_by_those_who_handle_them() -> None:
    """Of a coin found, others notice that there was one; of a stolen one, thief and victim know which."""
    game = dr.load(SPEC)
    for seed in range(12):
        match = game.start(3, seed=seed)
        random = Random(seed)
        while not match.over:
            match.choose(random.randrange(len(match.state.options)))
        for seat in (1, 2, 3):
            for event in match.observations(seat):
                if event[0] == "move" and event[1] == 1 and "purse" in event[3] + event[4]:
                    ends = {
                        int(found[1]) for end in event[3:5] if (found := re.match(r"player (\d): purse", end))
                    }
                    assert (event[2] != "Coin") == (seat in ends)


def test_hands_are_seen_by_their_owner() -> None:
    match = dr.load(SPEC).start(3, seed=4)
    random = Random(4)
    for _ in range(150):
        match.choose(random.randrange(len(match.state.options)))
    for seat in (1, 2, 3):
        places = match.view(seat)["places"]
        assert all(("contents" in places[f"player {q}: hand"]) == (q == seat) for q in (1, 2, 3))
        assert "contents" not in places["pile"] and "contents" not in places["hoard"]


# ---------------------------------------------------------------- forks and saves in mid-effect
def test_a_match_can_be_saved_in_the_middle_of_a_chain(tmp_path: Path) -> None:
    """Somebody who is not active decides: the chain under way is part of the save."""
    game = rules("heroes")
    checked = 0
    for seed in range(20):
        match = game.start(5, seed=seed)
        random = Random(seed)
        while not match.over:
            if match.decision is not None and match.turn and match.decision.player != match.view(1)["active"]:
                match.save(tmp_path / "table.json")
                resumed, twin = dr.resume(tmp_path / "table.json", game=game), match.fork()
                assert resumed == match and hash(resumed) == hash(match)
                numbers = [random.randrange(10**6) for _ in range(12)]
                for number in numbers:
                    for each in (resumed, twin):
                        if not each.over:
                            each.choose(number % len(each.state.options))
                assert resumed == twin
                checked += 1
                break
            match.choose(random.randrange(len(match.state.options)))
    assert checked > 5


# ---------------------------------------------------------------- house rules
FOUR_ARROWS = """
variant "Crossroads" of drakon:
    replace rows Chamber:
        | effect | arrows  | count |
        | start  | N E S   |     1 |
        | blank  | N E S W |    71 |
"""


def test_a_chamber_that_fits_nowhere_stays_in_hand(tmp_path: Path) -> None:
    """With four arrows on every chamber only the west side of Start is open, and only once."""
    path = tmp_path / "crossroads.dragon"
    path.write_text(FOUR_ARROWS, encoding="utf-8")
    match = dr.load(SPEC, variants=[path], options={"quick_start": "yes"}).start(2, seed=1, check=True)
    decision = match.decision
    assert decision is not None and [o.key for o in decision.options] == [("offer", "place_chamber")]
    while not match.over:
        match.choose(0)
    assert match.reason == "nobody_can_act"
    assert match.turn == 1
    assert match.winners == {1, 2}
