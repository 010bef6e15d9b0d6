"""`dragonrules pack`: one file to send to a friend."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest

from .command import COINS, GREEDY, dragonrules, written

LONGER = 'variant "Longer" of coins needs "Greedy":\n    "To five."\n    set goal = 5\n'
BY_FILE = 'variant "Longer" of coins needs "two_coins":\n    "To five."\n    set goal = 5\n'
THRIFT = 'variant "Ours" of drakon needs "Thrift":\n    "Twelve gold."\n    set goal = 12\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(home)
    written(home, coins=COINS, greedy=GREEDY, longer=LONGER, ours=THRIFT)
    return tmp_path


def test_a_game_with_variants_becomes_one_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = dragonrules("pack", "longer.dragon", "-o", folder / "tonight.dragon")
    assert "3 files, the rules of" in done.stdout
    assert 'dragonrules run tonight.dragon --variant "Longer"' in done.stdout
    there = dr.load("coins.dragon", variants=["longer.dragon"])
    elsewhere = folder / "away"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    here = dr.load(folder / "tonight.dragon", variants=["Longer"])
    assert here.options == there.options == {"goal": 5}
    assert here.checked.digests == there.checked.digests


def test_what_comes_with_dragonrules_stays_out(folder: Path) -> None:
    dragonrules("pack", "ours.dragon", "-o", "out.dragon")
    text = Path("out.dragon").read_text(encoding="utf-8")
    assert text.startswith("# Ours, for Drakon; rules ") and text.count("variant ") == 2
    assert "1 file: no problems found" in dragonrules("validate", "out.dragon").stdout
    none = dragonrules("pack", "drakon", "--variant", "thrift", "-o", "none.dragon")
    assert "nothing to send" in none.stderr and not Path("none.dragon").exists()


def test_what_would_not_hold_in_one_file_is_not_written(folder: Path) -> None:
    Path("longer.dragon").write_text(BY_FILE)
    Path("greedy.dragon").rename("two_coins.dragon")
    done = dragonrules("pack", "longer.dragon", "-o", folder / "tonight.dragon")
    assert done.exit_code != 0 and "D0708" in done.stderr and "titles" in done.stderr
    assert not (folder / "tonight.dragon").exists()
