"""FILE, `--variant` and `--set`: the same words, and the same complaints, in every command that takes a game."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from dragonrules.cli.options.rule_set import Choice
from dragonrules.interpreter.core.errors import UsageError

from .command import COINS, GREEDY, dragonrules, written

RICH = 'variant "Rich" of coins:\n    set goal = 5\n'
COMMANDS = {
    "run": ["--auto", "--seed", "1"],
    "validate": [],
    "test": [],
    "expand": [],
    "diff": [],
    "debug": ["python"],
}


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return written(tmp_path, coins=COINS, variants__coins_greedy=GREEDY, variants__coins_rich=RICH)


def call(command: str, *args: object) -> tuple[int, str]:
    more = COMMANDS[command]
    if command == "debug":
        args, more = (*more, *args), []
    result = dragonrules(command, *args, *more)
    return result.exit_code, result.output


@pytest.mark.parametrize("command", COMMANDS)
def test_a_variant_and_an_option(command: str, game: Path) -> None:
    code, text = call(command, game, "--variant", "greedy", "--set", "goal=4")
    assert code == 0, text


@pytest.mark.parametrize("command", COMMANDS)
def test_the_file_of_a_variant(command: str, game: Path) -> None:
    code, text = call(command, game.parent / "variants" / "coins_greedy.dragon")
    assert code == 0, text


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--set", "gaol=3"], "there is no option `gaol`\n  help: did you mean `goal`?"),
        (["--set", "goal=9"], "`goal` must be a number from 2 to 5, not `9`"),
        (["--set", "goal"], "should read like `--set goal=8`"),
        (["--variant", "gredy"], "there is no variant `gredy` of coins\n  help: did you mean `Greedy`?"),
        (["--variant", "missing.dragon"], "there is no file `missing.dragon`"),
    ],
)
def test_complaints(command: str, args: list[str], words: str, game: Path) -> None:
    code, text = call(command, game, *args)
    assert code in (1, 2)
    assert words in text


def test_what_a_single_argument_means(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = Choice(str(game), options={"goal": "3"})
    assert base.other("greedy") == Choice(str(game), ("greedy",), {"goal": "3"})
    assert base.other("goal=4") == Choice(str(game), (), {"goal": "4"})
    assert base.other("Greedy+rich+goal=2") == Choice(str(game), ("Greedy", "rich"), {"goal": "2"})
    assert base.other("tic_tac_toe") == Choice("tic_tac_toe")
    assert base.other("dragons_gold+2001+tick=5") == Choice("dragons_gold", ("2001",), {"tick": "5"})
    monkeypatch.chdir(game.parent)
    assert base.other("variants/coins_rich.dragon").all_variants == ("variants/coins_rich.dragon",)
    assert Choice.read("dragons_gold+2001+tick=5") == Choice("dragons_gold", ("2001",), {"tick": "5"})
    assert Choice.read(str(game)) == Choice(str(game))
    with pytest.raises(UsageError, match="neither a variant of coins nor a game"):
        base.other("gredy")
    with pytest.raises(UsageError, match="there is no variant `poor`"):
        base.other("greedy+poor")


def test_a_choice_can_be_sent_to_another_process(game: Path) -> None:
    choice = Choice(str(game), ("rich",), {"goal": "4"})
    assert pickle.loads(pickle.dumps(choice)).load().options == {"goal": 4}
    assert choice.title == "coins+rich+goal=4"
