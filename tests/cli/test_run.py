"""`run` without anybody at a terminal."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from .command import COINS, GREEDY, dragonrules, spawned, written


def test_programs_play_and_the_log_is_printed() -> None:
    result = dragonrules("run", "tic_tac_toe", "--auto", "--seed", 1)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "Tic-Tac-Toe for 2 players (greedy, greedy), seed 1"
    assert lines[1] == "Player 1's turn."
    assert lines[3].startswith("  1 cross goes to board ")
    assert lines[-1] in ("  Player 1 wins.", "  Player 2 wins.", "  Nobody wins.")


def test_the_same_seed_gives_the_same_bytes_in_every_process() -> None:
    first, second = (
        spawned("run", "leduc_poker", "--auto", "--seed", 12, env={**os.environ, "PYTHONHASHSEED": hashing})
        for hashing in ("1", "2")
    )
    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout
    assert "Scores:" in first.stdout


def test_lines_that_are_piped_in_are_the_answers_of_the_first_seat() -> None:
    told = spawned("run", "tic_tac_toe", "--seed", 3, input="b2\n")
    assert told.stdout.startswith("Tic-Tac-Toe for 2 players (human, greedy), seed 3\n")
    assert "b2" in told.stdout
    assert told.returncode == 1  # they have run out
    assert "(greedy, greedy)" in spawned("run", "tic_tac_toe", "--seed", 3, input="").stdout
    assert "(greedy, greedy)" in spawned("run", "tic_tac_toe", "--auto", input="b2\n").stdout


def test_other_seeds_give_other_matches() -> None:
    texts = {
        dragonrules("run", "othello", "--auto", "--seed", seed).stdout.split("\n", 1)[1] for seed in range(3)
    }
    assert len(texts) == 3


def test_without_a_seed_the_one_taken_is_told() -> None:
    first = dragonrules("run", "tic_tac_toe", "--auto").stdout
    seed = first.split("\n")[0].rpartition(" ")[2]
    assert dragonrules("run", "tic_tac_toe", "--auto", "--seed", seed).stdout == first


def test_json_is_one_document_and_nothing_else() -> None:
    result = dragonrules("run", "leduc_poker", "--auto", "--seed", 3, "--format", "json")
    document = json.loads(result.stdout)
    assert result.stderr == ""
    assert document["game"] == "Leduc Poker"
    assert document["seed"] == 3
    assert document["seats"] == ["greedy", "greedy"]
    assert document["over"]
    assert set(document["winners"]) <= {1, 2}
    assert sum(document["scores"].values()) == 0
    assert document["decisions"] == sum(entry[0] == "choose" for entry in document["log"])
    assert document["turns"] > 0
    assert len(document["fingerprint"]) == 64


@pytest.mark.parametrize("game", ["breakthrough", "connect_four", "goofspiel", "kuhn_poker", "liars_dice"])
def test_every_classic_plays(game: str) -> None:
    result = dragonrules("run", game, "--auto", "--seed", 5)
    assert result.exit_code == 0, result.stderr
    assert "win" in result.stdout


def test_options_and_players(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS)
    result = dragonrules(
        "run", game, "--auto", "--seed", 1, "--players", 3, "--set", "goal=2", "--format", "json"
    )
    document = json.loads(result.stdout)
    assert document["options"] == {"goal": 2}
    assert document["players"] == 3
    assert document["reason"] == "enough coins"


def test_a_house_rule_in_a_file_of_its_own(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS, tonight=GREEDY)
    result = dragonrules("run", game, "--variant", tmp_path / "tonight.dragon", "--auto", "--seed", 1)
    assert result.stdout.startswith("Coins with tonight for 2 players")
    assert "2 gold go from pile to player 1's purse." in result.stdout


def test_a_variant_beside_the_game_by_its_name(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS, variants__coins_greedy=GREEDY)
    result = dragonrules("run", game, "--variant", "greedy", "--auto", "--seed", 1, "--format", "json")
    assert json.loads(result.stdout)["variants"] == ["greedy"]


def test_a_saved_match_goes_on_as_if_it_had_never_stopped(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS)
    save = tmp_path / "table.json"
    stopped = dragonrules("run", game, "--seat", "human", "--seed", 2, "--save", save, input="take\nquit\n")
    assert f"Match saved to {save}." in stopped.stdout
    resumed = dragonrules("run", "--resume", save, "--seat", "human", "--format", "json", input="take\n" * 9)
    whole = dragonrules("run", game, "--seat", "human", "--seed", 2, "--format", "json", input="take\n" * 9)
    assert json.loads(resumed.stdout)["log"] == json.loads(whole.stdout)["log"]


def test_a_save_of_other_rules_is_refused(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS)
    save = tmp_path / "table.json"
    dragonrules("run", game, "--seat", "human", "--seed", 2, "--save", save, input="quit\n")
    written(tmp_path, coins=COINS.replace("gold 9", "gold 8"))
    result = dragonrules("run", "--resume", save, "--auto")
    assert result.exit_code == 1
    assert "D0701" in result.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["run"], "which game?"),
        (["run", "tic_tac_tow"], "did you mean `tic_tac_toe`?"),
        (["run", "nowhere.dragon"], "there is no file `nowhere.dragon`"),
        (["run", "."], "`.` is a directory"),
        (["run", "GAME", "--set", "goal=9"], "`goal` must be a number from 2 to 5, not `9`"),
        (["run", "GAME", "--set", "gaol=2"], "did you mean `goal`?"),
        (["run", "GAME", "--set", "goal"], "should read like `--set goal=8`"),
        (["run", "GAME", "--players", "7"], "Coins is for 2 or 3 players, not 7"),
        (["run", "GAME", "--players", "0"], "x>=1"),
        (["run", "GAME", "--seat", "wizard"], "there is no player `wizard`"),
        (
            ["run", "GAME", *["--seat", "random"] * 3, "--players", "2"],
            "there are 3 --seat but only 2 players",
        ),
        (["run", "GAME", "--auto", "--seat", "human"], "--auto leaves no seat"),
        (["run", "GAME", "--variant", "greddy"], "there is no variant `greddy`"),
        (["run", "--resume", "nowhere.json"], "does not exist"),
        (["run", "--resume", "GAME", "--seed", "1"], "has its players and its seed already"),
    ],
)
def test_wrong_usage_is_told_in_words(args: list[str], words: str, tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS)
    result = dragonrules(*[str(game) if arg == "GAME" else arg for arg in args])
    assert result.exit_code == 2
    assert words.replace("\n", " ") in " ".join(result.stderr.split())
    assert result.stdout == ""


def test_rules_with_errors_are_not_played(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS.replace("pile != {}", "pil != {}"))
    result = dragonrules("run", game, "--auto")
    assert result.exit_code == 1
    assert "did you mean `pile`?" in result.stderr


def test_a_match_without_end_is_given_up(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS)
    result = dragonrules("run", game, "--auto", "--seed", 1, "--limit", 3)
    assert result.exit_code == 1
    assert "not over after 3 decisions" in result.stderr
