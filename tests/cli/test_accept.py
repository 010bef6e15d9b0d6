"""`test --accept`, and what a failing check shows of the position."""

from __future__ import annotations

from pathlib import Path

import pytest

from .command import COINS, dragonrules, written

TWICE = """\
scenario "two turns":
    when:
        player(1) chooses take
        player(2) chooses wait
        player(1) chooses take
    then:
        check count(player(1).purse) = 2 and count(pile) = 7
        check count(player(2).purse) = 0
        check count(pile) < 8
"""


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    text = COINS.replace("move 1 of gold", "move 2 of gold").replace("= 3\n", "= 5\n", 1)
    return written(tmp_path, coins=text + "\n" + TWICE).relative_to(tmp_path)


def test_numbers_are_written_as_they_are_now(spec: Path) -> None:
    done = dragonrules("test", spec, "--accept")
    assert done.exit_code == 0, done.stdout
    text = spec.read_text(encoding="utf-8")
    assert "check count(player(1).purse) = 4 and count(pile) = 5\n" in text
    assert "check count(player(1).purse) = 2\n" in text
    assert text.count("becomes") == 0
    assert [line.split(": ")[1] for line in done.stdout.splitlines() if "becomes" in line] == [
        "1 becomes 2",
        "2 becomes 4",
        "7 becomes 5",
    ]
    assert "becomes" not in dragonrules("test", spec, "--accept").stdout


def test_only_what_is_asked_for_and_only_numbers(spec: Path) -> None:
    spec.write_text(spec.read_text().replace("count(pile) < 8", "count(pile) < 3"))
    done = dragonrules("test", spec, "--accept", "-k", "two")
    assert done.exit_code == 1 and "`count(pile) < 3` does not hold" in done.stdout
    assert "check count(player(1).purse) = 1\n" in spec.read_text(encoding="utf-8")


def test_a_failing_check_shows_what_it_reads(spec: Path) -> None:
    told = dragonrules("test", spec, "-k", "two").stdout
    position = told.partition("the position, where the check looks")[2]
    assert "found      4" in told
    assert "purse" in position and "Pile" not in position and "pile" not in position
