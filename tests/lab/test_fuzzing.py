"""Fuzzing: seeded mistakes are found, made as short as can be, and told in words that fail again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.cli.rules.scenario_runs import find, run
from dragonrules.interpreter.lab import shrinking
from dragonrules.interpreter.lab.fuzzing import Failure, Fuzzer, Rules, Setting, settings_of, simpler
from dragonrules.interpreter.lab.pasting import account_of, scenario_file, scenario_text, write_save
from dragonrules.interpreter.lab.shrinking import Shrunk, shrink

HEAD = """\
game "Oven" for 2 to 4 players

option fuel: 1..3 = 2

token Log: log 12
component Loaf:
    size: 1..3
rows Loaf:
    | size |
    | 1..3 |

state heat: 0..{most} = 0
state die: 1..6 = 1

place pile: bag of Log, seen by all
place shelf: bag of Loaf, seen by all
each player has:
    place wood: bag of Log, seen by all
    place bread: bag of Loaf, seen by all

setup:
    move all from box(Log) to pile
    for l in Loaf: move l to shelf

phase Baking:
    turns Round p:
        roll throw in 1..6
        set die = throw
        offer work

action gather in work:
    require pile != {{}}
    move 1 of log from pile to my.wood

action stoke in work:
    require my.wood != {{}}
    move 1 of log from my.wood to box(Log)
    change heat by fuel * (2 if die = 6 else 1)

action cool in work:
    if heat > 0: change heat by -1

ending sold for p in players when shelf = {{}}: finish {{p}}
"""

MISTAKES: dict[str, tuple[str, str, int]] = {
    # name: what is wrong, its code, the least number of steps
    "range": (HEAD.format(most=3), "D0902", 6),
    "empty choice": (
        HEAD.format(most=99)
        + "action take in work:\n    require heat >= 3\n    take_loaf()\n\n"
        + "rule take_loaf():\n    choose l in shelf where l.size <= heat - 3\n    move l to my.bread\n",
        "D0908",
        10,
    ),
    "invariant": (HEAD.format(most=99) + "never boiling: heat = 4\n", "D0907", 7),
    "three players": (
        HEAD.format(most=99) + "never crowd: player_count = 3 and player(2).wood != {}\n",
        "D0907",
        5,
    ),
    "option": (HEAD.format(most=99) + "always sparing: fuel < 3 or heat = 0\n", "D0907", 7),
    "set-up": (HEAD.format(most=99) + "always empty: count(pile) < 12\n", "D0907", 1),
    "endless": (
        HEAD.format(most=99).replace("        offer work", "        if not spinning: offer work")
        + "state spinning: yes/no = no\n"
        + "action spin in work:\n    require heat = 2\n    set spinning = yes\n",
        "D0914",
        0,
    ),
    "score": (
        HEAD.format(most=99)
        + "score(p: player) = 60 / (3 - count(p.wood))\n"
        + "action close in work:\n    require count(my.wood) = 3\n    finish {me}\n",
        "D0912",
        0,
    ),
}


def seeded(folder: Path, name: str) -> dr.Game:
    path = folder / "oven.dragon"
    path.write_text(MISTAKES[name][0], encoding="utf-8")
    return dr.load(path)


def hunt(game: dr.Game, code: str, games: int = 60, seed: int = 0) -> tuple[Failure, list[Setting]]:
    settings = settings_of([Rules(game)])
    fuzzer = Fuzzer(settings, seed, limit=150)
    for number in range(games):
        failure = fuzzer.play(number)
        if failure is not None and failure.code == code:
            return failure, settings
    raise AssertionError(f"no {code} in {games} games, only {[f.code for f in fuzzer.failures]}")


def shortened(game: dr.Game, code: str) -> Shrunk:
    failure, settings = hunt(game, code)
    return shrink(failure, simpler(failure.setting, settings), budget=600)


@pytest.mark.parametrize("name", MISTAKES)
def test_a_seeded_mistake_becomes_a_short_scenario_that_fails_alike(name: str, tmp_path: Path) -> None:
    _, code, least = MISTAKES[name]
    found = shortened(seeded(tmp_path, name), code)
    failure = found.failure
    assert failure.code == code
    if least:
        assert len(failure.steps) == least
        assert found.shortest
    if name not in ("three players", "option"):
        assert (failure.setting.players, failure.setting.changed) == (2, {})
    account = account_of(failure)
    assert account.repeated
    text = scenario_text(failure, account, "found")
    path = tmp_path / "oven_fuzz.dragon"
    path.write_text(scenario_file(failure, text, "found"), encoding="utf-8")
    (item,) = find([path], families=False).items
    result = run(item)
    assert code in (result.problem or ""), result.problem
    path.write_text(MISTAKES[name][0] + "\n" + text, encoding="utf-8")  # and pasted into the rules
    (item,) = find([path]).items
    assert code in (run(item).problem or "")


def test_where_not_all_games_can_be_searched_steps_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shrinking, "WIDTH", 0)
    game = seeded(tmp_path, "range")
    failure, _ = max((hunt(game, "D0902", seed=s) for s in range(4)), key=lambda found: len(found[0].steps))
    found = shrink(failure)
    assert not found.shortest
    assert len(failure.steps) > 12
    assert len(found.failure.steps) <= 8
    assert found.failure.signature == failure.signature


def test_the_setting_is_as_simple_as_the_mistake_allows(tmp_path: Path) -> None:
    crowd = shortened(seeded(tmp_path, "three players"), "D0907").failure.setting
    assert (crowd.players, crowd.changed) == (3, {})
    sparing = shortened(seeded(tmp_path, "option"), "D0907").failure.setting
    assert sparing.changed == {"fuel": 3}


def test_the_log_leads_to_the_last_good_position(tmp_path: Path) -> None:
    failure = shortened(seeded(tmp_path, "range"), "D0902").failure
    account = account_of(failure)
    path = tmp_path / "oven.json"
    assert write_save(path, account)
    data = json.loads(path.read_text(encoding="utf-8"))
    match = dr.resume(path)
    assert len(match.log) == len(failure.steps) - 1
    again = match.game.start(failure.setting.players, chance="ask")
    again.replay(data["log"])
    assert again == match
    with pytest.raises(dr.PlayError, match="D0902"):
        again.replay_one(data["failure"]["entry"])
    assert data["failure"]["code"] == "D0902"


def test_the_same_seed_finds_the_same(tmp_path: Path) -> None:
    game = seeded(tmp_path, "empty choice")
    first, second = (hunt(game, "D0908", seed=3)[0] for _ in range(2))
    assert first.steps == second.steps
    assert first.setting.name == second.setting.name
    assert hunt(game, "D0908", seed=4)[0].steps != first.steps


def test_in_a_variant(tmp_path: Path) -> None:
    (tmp_path / "oven.dragon").write_text(HEAD.format(most=99), encoding="utf-8")
    (tmp_path / "variants").mkdir()
    (tmp_path / "variants" / "oven_cold.dragon").write_text(
        'variant "Cold" of oven:\n    replace action cool in work: change heat by -1\n', encoding="utf-8"
    )
    game = dr.load(tmp_path / "oven.dragon", variants=["Cold"])
    settings = settings_of([Rules(game, ("Cold",))], [2], vary_options=False)
    failure = Fuzzer(settings).play(0)
    assert failure is not None
    found = shrink(failure).failure
    account = account_of(found)
    path = tmp_path / "oven_fuzz.dragon"
    path.write_text(scenario_file(found, scenario_text(found, account, "x"), "found"), encoding="utf-8")
    (item,) = find([path], families=False).items
    assert "D0902" in (run(item).problem or "")


def test_time_may_run_out(tmp_path: Path) -> None:
    path = tmp_path / "talk.dragon"
    path.write_text(
        'game "Talk" for 2 players\n\nstate over_time: 0..9 = 0\nstate talks: 0..99 = 0\n\n'
        "phase Play:\n    turns Round p:\n        talk()\n        if talks > 20: finish {me}\n\n"
        "rule talk():\n    change talks by 1\n"
        "    rounds Talk q in clockwise(me), clock 60 tick 5:\n"
        '        offer "well?":\n            "yes": stop Talk\n            "no": nothing\n'
        "    else: change over_time by 1\n\n"
        "never late: over_time = 1\n",
        encoding="utf-8",
    )
    failure, _ = hunt(dr.load(path), "D0907")
    found = shrink(failure)
    account = account_of(found.failure)
    assert account.steps == ["time runs out"]
    assert account.lines == ["time runs out"]


def test_a_failing_interpreter_is_told_from_failing_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = seeded(tmp_path, "range")
    engine = game.engine(2, covered=True)

    def crash(*_: object) -> int:
        raise KeyError("lost")

    blocks: list[Callable[..., int]] = [crash if block is not None else block for block in engine.blocks]
    monkeypatch.setattr(engine, "blocks", blocks)
    failure = Fuzzer([Setting(game, 2)]).play(0)
    assert failure is not None
    assert (failure.code, failure.message) == ("internal error", "KeyError: 'lost'")


def test_rules_without_mistakes_are_left_in_peace() -> None:
    fuzzer = Fuzzer(settings_of([Rules(dr.load("tic_tac_toe"))]))
    assert [fuzzer.play(number) for number in range(9)] == [None] * 9
    assert fuzzer.games == 9
    assert fuzzer.coverage().files
