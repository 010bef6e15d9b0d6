"""What can be typed at the table."""

from __future__ import annotations

import json
from pathlib import Path

from .command import COINS, dragonrules, written

NOUGHTS = ("run", "tic_tac_toe", "--seat", "human", "--seat", "human", "--seed", 1)

PEEKING = """\
game "Peeking" for 2 players

component Card:
    value: 1..6
rows Card:
    | value |
    | 1..6  |

place pile: deck of Card, seen by nobody
each player has:
    place hand: bag of Card, seen by owner

setup:
    move all from box(Card) to pile
    for p in players: draw 1 from pile to p.hand

phase Play:
    turns Round p:
        offer:
            "draw": draw 1 from pile to my.hand
            "wait": nothing
            "stop": finish {me}
"""


def typed(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def test_a_match_by_numbers_and_by_names() -> None:
    result = dragonrules(*NOUGHTS, input=typed("1", "b1", "A2", "b2", "a3"))
    assert result.exit_code == 0
    assert result.stdout.rstrip().endswith("Player 1 wins.")
    assert "3 cross  ·      ·\n2 cross  nought ·\n1 cross  nought ·\n  a      b      c" in result.stdout


def test_the_board_is_drawn_north_up() -> None:
    shown = dragonrules(*NOUGHTS, input=typed("a1", "c3", "quit")).stdout
    assert "3 [6]     [7]     *nought\n2 [3]     [4]     [5]\n1 *cross  [1]     [2]\n" in shown


def test_typing_narrows_the_options_and_enter_takes_the_last() -> None:
    shown = dragonrules(*NOUGHTS, input=typed("a", "c1", "b", "", "quit")).stdout
    narrowed = shown.split("Player 1> a\n")[1].split("Player 1>")[0]
    assert [line.split()[1] for line in narrowed.splitlines()] == ["a1", "a2", "a3"]
    taken = dragonrules(*NOUGHTS, "--format", "json", input=typed("b1", "3", "2", "c3", "", "quit"))
    assert json.loads(taken.stdout)["log"][-1] == ["choose", 2, ["s", [3, 3]]]


def test_the_question_is_explained_with_its_rule(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS)
    shown = dragonrules("run", game, "--seat", "human", "--seed", 1, input=typed("?", "quit")).stdout
    assert "Play:\n" in shown
    assert "  [C-1]\n" in shown
    assert "coins.dragon:" not in shown
    assert "take: One coin from the pile. [C-2, C-3, C-4]" in shown
    source = dragonrules("run", game, "--seat", "human", "--seed", 1, input=typed("?source", "quit")).stdout
    assert "by phase Play [C-1]" in source
    assert "coins.dragon:19: offer turn_action" in source


def test_why_not() -> None:
    shown = dragonrules(
        *NOUGHTS, input=typed("b2", "why b2", "why B2", "why a1", "why z9", "why", "quit")
    ).stdout
    assert "b2: taken (" in shown
    assert "B2: taken (" in shown
    assert "z9: it is not an option here (tic_tac_toe.dragon:13)." in shown
    assert "a1 can be chosen: it is option 1." in shown
    assert "Say what" in shown


def test_a_decision_can_be_taken_back() -> None:
    result = dragonrules(*NOUGHTS, "--format", "json", input=typed("a1", "undo", "b2", "quit"))
    assert json.loads(result.stdout)["log"] == [["choose", 1, ["s", [2, 2]]]]
    assert "Player 1 takes back: a1." in result.stderr


def test_with_open_cards_also_behind_a_program_s_answer() -> None:
    result = dragonrules(
        "run",
        "tic_tac_toe",
        "--seat",
        "human",
        "--seed",
        1,
        "--format",
        "json",
        input=typed("a1", "undo", "quit"),
    )
    assert json.loads(result.stdout)["log"] == []


def test_what_was_revealed_cannot_be_taken_back(tmp_path: Path) -> None:
    game = written(tmp_path, peeking=PEEKING)
    people = ("--seat", "human", "--seat", "human")
    shown = dragonrules(
        "run", game, *people, "--seed", 1, input=typed("", "undo", "draw", "", "undo", "quit")
    ).stdout
    assert "Nothing to undo." in shown
    assert "That cannot be taken back: chance" in shown


def test_people_with_secrets_hand_the_keyboard_over(tmp_path: Path) -> None:
    game = written(tmp_path, peeking=PEEKING)
    people = ("--seat", "human", "--seat", "human")
    result = dragonrules("run", game, *people, "--seed", 1, input=typed("", "wait", "", "log", "quit"))
    nobody, first, second = result.stdout.split("take the keyboard")
    assert "hand" not in nobody
    assert "Player 2 hand 1" in first
    assert "Player 1 hand 1" in second
    assert "A card goes from pile to player 1's hand." in second


def test_unknown_words_and_numbers_do_no_harm() -> None:
    shown = dragonrules(*NOUGHTS, input=typed("nonsense", "99", "0", "help", "look", ":quit")).stdout
    assert "No option has `nonsense` in it." in shown
    assert shown.count("There are 9 options.") == 2
    assert "take option 3" in shown


def test_saving_in_between(tmp_path: Path) -> None:
    save = tmp_path / "table.json"
    shown = dragonrules(*NOUGHTS, input=typed("a1", f"save {save}", f"save {tmp_path}", "quit")).stdout
    assert f"Saved as {save}" in shown
    assert "It cannot be saved there" in shown
    document = json.loads(dragonrules("run", "--resume", save, "--auto", "--format", "json").stdout)
    assert document["log"][0] == ["choose", 1, ["s", [1, 1]]]


def test_input_that_runs_out_is_an_error() -> None:
    result = dragonrules(*NOUGHTS, input=typed("a1"))
    assert result.exit_code == 1
    assert "The match is not over" in result.stdout
