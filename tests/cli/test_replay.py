"""`dragonrules replay`: steps, seats, older rules, other rules."""

from __future__ import annotations

import json
from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.interpreter.play.replay import Replay, first_difference

from .command import COINS, GREEDY, Terminal, dragonrules, written


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Player 1 takes a coin, player 2 waits, player 1 takes the other two."""
    monkeypatch.chdir(tmp_path)
    match = dr.load(written(tmp_path, coins=COINS, greedy=GREEDY)).start(2, seed=1)
    for action in ("take", "wait", "take", "wait", "take"):
        match.choose(action)
    match.save("match.json")
    return Path("match.json")


def test_all_of_it(saved: Path) -> None:
    told = dragonrules("replay", saved).stdout
    assert told.count("Player 1: take.") == 3
    assert told.count("Player 2: wait.") == 2
    assert "Player 1 wins: enough coins." in told
    assert "step 5 of 5" in told


def test_up_to_a_step_and_to_a_turn(saved: Path) -> None:
    assert "step 2 of 5, turn 3, player 1 decides" in dragonrules("replay", saved, "--to", 2).stdout
    assert "step 3 of 5, turn 4, player 2 decides" in dragonrules("replay", saved, "--turn", 4).stdout
    assert "nothing after 6" in dragonrules("replay", saved, "--to", 6).stderr


def test_going_back_is_where_one_was(saved: Path) -> None:
    data = json.loads(saved.read_text(encoding="utf-8"))
    replay = Replay(dr.load("coins.dragon"), 2, 1, data["log"])
    forwards = [replay.at(step).fork() for step in range(replay.steps + 1)]
    backwards = [replay.at(step).fork() for step in reversed(range(replay.steps + 1))]
    assert forwards == backwards[::-1]


def test_what_a_seat_sees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    dragonrules("run", "leduc_poker", "--auto", "--seed", 3, "--save", "poker.json")
    everything = json.loads(dragonrules("replay", "poker.json", "--to", 0, "--format", "json").stdout)
    mine = json.loads(dragonrules("replay", "poker.json", "--to", 0, "--seat", 2, "--format", "json").stdout)
    hidden = json.dumps(everything["view"]["places"]["player 1: hand"])
    assert "Card#" in hidden
    assert "Card#" not in json.dumps(mine["view"]["places"]["player 1: hand"])
    assert mine["next"] is None and everything["next"][:2] == ["choose", 1]


def test_older_rules_are_refused_with_what_changed(saved: Path, tmp_path: Path) -> None:
    written(tmp_path, coins=COINS.replace("= 3\n", "= 4\n").replace("wait in", "pause in"))
    result = dragonrules("replay", saved)
    assert result.exit_code == 1
    assert "error[D0701]: the match was played by other rules of Coins than there are now" in result.stderr
    assert "changed since: `option goal`; new: `action pause`; gone: `action wait`" in result.stderr
    followed = dragonrules("replay", saved, "--anyway")
    assert "player 2 chose" in followed.stdout and "which is not possible" in followed.stdout
    assert "step 1 of 1" in followed.stdout


def test_under_a_variant_up_to_the_first_difference(saved: Path) -> None:
    told = dragonrules("replay", saved, "--under", "greedy.dragon").stdout
    assert "step 3 of 5" in told, "two and two are four: the match ends two decisions earlier"
    assert "Here the other rules make a difference: the match is over: player 1 wins (enough coins)." in told


def test_under_other_options(saved: Path) -> None:
    told = dragonrules("replay", saved, "--under", "goal=5").stdout
    assert "Here the other rules make a difference: the match is over, under these rules it goes on." in told


def test_under_rules_that_make_no_difference(saved: Path, tmp_path: Path) -> None:
    calm = 'variant "Calm" of coins:\n    replace phase Play:\n        turns Round p:\n            offer turn_action\n'
    written(tmp_path, calm=calm)
    told = dragonrules("replay", saved, "--under", "calm.dragon").stdout
    assert "Under the other rules every decision would have been the same." in told


def test_a_decision_with_other_options_is_another_decision(saved: Path, tmp_path: Path) -> None:
    more = 'variant "More" of coins:\n    action sleep in turn_action: nothing\n'
    written(tmp_path, more=more)
    data = json.loads(saved.read_text(encoding="utf-8"))
    replay = Replay(dr.load("coins.dragon"), 2, 1, data["log"])
    other = dr.load("coins.dragon", variants=["more.dragon"])
    found = first_difference(replay, other)
    assert found is not None and found.step == 0 and found.words.endswith("may now also choose sleep")
    assert first_difference(replay, other, same_game=False) is None, "what was chosen can still be chosen"


def test_files_that_are_no_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.json").write_text("[1", encoding="utf-8")
    Path("y.json").write_bytes(b"\xff\x00")
    for name, words in (
        ("x.json", "is not a save"),
        ("y.json", "is not a save"),
        ("z.json", "there is no file"),
        (".", "is not a save"),
    ):
        result = dragonrules("replay", name)
        assert result.exit_code == 1 and words in result.stderr


def test_walking_at_a_terminal(saved: Path, tmp_path: Path) -> None:
    table = Terminal("replay", saved.name, folder=tmp_path)
    assert "step 0 of 5" in table.wait_for("replay> ")
    table.type("")
    assert "next: player 2 chooses wait" in table.wait_for("replay> ")
    table.type("back")
    assert "step 0 of 5" in table.wait_for("replay> ")
    table.type("turn 5")
    assert "step 4 of 5" in table.wait_for("replay> ")
    table.type("seat 2")
    assert "as seat 2 sees it" in table.wait_for("replay> ")
    table.type("99")
    assert "There is nothing behind this." in table.wait_for("replay> ")
    table.type("nonsense")
    assert "one step back" in table.wait_for("replay> ")
    table.type("quit")
    assert table.finish() == 0


DECK = """\
game "Deck" for 2 players
component Card:
    value: 1..3
rows Card:
    | value | count |
    | 1     | 3     |
    | 2     | {twos} |
    | 3     | 3     |
place deck: deck of Card
each player has: place hand: bag of Card, seen by owner
setup:
    move all from box(Card) to deck
    shuffle deck
    for p in players: draw 2 from deck to p.hand
phase Play:
    turns Round p:
        choose c in my.hand
        move c to box(Card)
        draw 1 from deck to my.hand
        if turn_number = 4: finish {{p}}
"""


def deck(tmp_path: Path, name: str, text: str) -> dr.Game:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return dr.load(tmp_path / name)


def log_of(game: dr.Game, seed: int, most: int = 60) -> Replay:
    """The first decisions of a match, each answered with the first option."""
    match = game.start(2, seed=seed)
    while not match.over and match.decisions < most:
        match.choose(match.decisions % len(match.decision.options) if match.decision else 0)
    return Replay(game, 2, seed, match.log)


@pytest.mark.parametrize("name", ["drakon", "dragon_keeper", "ryu"])
def test_a_match_does_not_differ_from_itself(name: str) -> None:
    game = dr.load(name)
    assert first_difference(log_of(game, 4), game) is None


def test_copies_are_the_same_thing(tmp_path: Path) -> None:
    """Rows in another order give the cards other numbers; what is printed on them counts."""
    text = DECK.format(twos=4)
    one, three = "    | 1     | 3     |\n", "    | 3     | 3     |\n"
    turned = text.replace(one, "@").replace(three, one).replace("@", three)
    assert turned != text
    here, there = deck(tmp_path, "deck.dragon", text), deck(tmp_path, "turned.dragon", turned)
    for seed in range(5):
        assert first_difference(log_of(here, seed), there) is None


def test_one_more_copy_makes_other_odds(tmp_path: Path) -> None:
    here = deck(tmp_path, "deck.dragon", DECK.format(twos=4))
    found = first_difference(log_of(here, 1), deck(tmp_path, "more.dragon", DECK.format(twos=5)))
    assert found is not None and (found.step, found.words) == (0, "chance has other odds")


def test_a_save_that_is_nothing_but_brackets_is_no_save(tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text('{"state": ' + "[" * 100_000 + "]" * 100_000 + "}")
    for command in (("replay", path), ("run", "--resume", path, "--auto")):
        result = dragonrules(*command)
        assert "error[D0702]" in result.output and result.exit_code in (1, 2)
