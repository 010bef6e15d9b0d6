"""Looking again at each save: `watch`, `validate --watch`, `test --watch`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from dragonrules.cli.main import cli
from dragonrules.cli.rules import watching

GAME = """\
game "Coins" for 2 players
token Coin: gold 30
place bank: bag of Coin, seen by all
setup: move all from box(Coin) to bank
each player has:
    place purse: bag of Coin, seen by all
phase Play:
    turns Round p:
        offer deed
action earn in deed: move 1 of gold from bank to my.purse
action rest in deed
ending rich for p in players when count(p.purse) >= 2: finish {p}
scenario "a coin":
    when:
        player(1) chooses earn
    then:
        check count(player(1).purse) = 1
"""
SAVED = (GAME.replace("my.purse", "my.prse"), GAME, GAME.replace("purse) = 1", "purse) = 2"))


@pytest.fixture
def typist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Saves one text after the other while the command waits, then presses Ctrl-C."""

    def at_work(path: Path) -> None:
        texts = list(SAVED)

        def saved(_: float) -> None:
            if not texts:
                raise KeyboardInterrupt
            path.write_text(texts.pop(0) + "\n" * (3 - len(texts)))

        monkeypatch.setattr(watching.time, "sleep", saved)
        path.write_text(GAME)

    return at_work


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("validate", "--watch"), ["no problems found", "D0205", "no problems found", "no problems found"]),
        (("test", "--watch"), ["1 passed", "D0205", "1 passed", "1 failed"]),
        (("watch",), ["1 passed", "D0205", "1 passed", "1 failed"]),
    ],
    ids=lambda value: value[0],
)
def test_each_save_is_looked_at(
    command: tuple[str, ...], told: list[str], tmp_path: Path, typist: Callable[[Path], None]
) -> None:
    path = tmp_path / "coins.dragon"
    typist(path)
    done = CliRunner().invoke(cli, [*command, str(path)])
    assert done.exit_code == 0, done.output
    looks = done.output.split("\n== coins.dragon, ")
    assert len(looks) == len(told)
    for look, words in zip(looks, told, strict=True):
        assert words in look, (words, look)


def test_watching_does_not_go_with_fixing(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["validate", "--watch", "--fix", str(tmp_path)])
    assert done.exit_code == 2 and "--watch does not go with --fix" in done.output
