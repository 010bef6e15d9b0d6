"""Saves carry the texts of their rules: they open elsewhere, and are written whole or not at all."""

from __future__ import annotations

import errno
import json
import os
import shutil
from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.grammar import writing
from dragonrules.interpreter.core.errors import UsageError
from dragonrules.interpreter.files.carrying import from_json

GAME = """\
game "Coins" for 2 players

token Coin: gold 9

place pile: bag of Coin, seen by all

each player has:
    place purse: bag of Coin, seen by all

setup:
    move all from box(Coin) to pile

phase Play:
    turns Round p:
        step act: offer turn_action

action take in turn_action:
    move 1 of gold from pile to my.purse

action wait in turn_action:
    nothing

ending rich for p in players when count(p.purse) >= 3: finish {p}
"""
RICHER = """\
variant "Richer" of coins:
    replace action take in turn_action:
        move 2 of gold from pile to my.purse
"""


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DRAGONRULES_CACHE", str(tmp_path / "cache"))
    here = tmp_path / "here"
    (here / "variants").mkdir(parents=True)
    (here / "coins.dragon").write_text(GAME, encoding="utf-8")
    (here / "variants" / "coins_richer.dragon").write_text(RICHER, encoding="utf-8")
    return here / "coins.dragon"


def saved(match: dr.Match, path: Path) -> Path:
    match.choose("take")
    match.save(path)
    return path


@pytest.mark.parametrize("variant", ["richer", "Richer", "PATH"])
@pytest.mark.parametrize("cached", [True, False])
def test_a_save_opens_where_its_files_are_not(
    variant: str, cached: bool, spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    overlay = spec.parent / "variants" / "coins_richer.dragon"
    variant = str(overlay) if variant == "PATH" else variant
    match = dr.load(spec, variants=[variant]).start(seed=3)
    path = saved(match, tmp_path / "table.json")
    shutil.rmtree(spec.parent)
    if not cached:
        monkeypatch.setenv("DRAGONRULES_CACHE", "off")
    again = dr.resume(path)
    assert again.to_json()["state"] == match.to_json()["state"]
    again.choose("wait")
    again.choose("take")
    assert again.winners == {1}
    again.save(path)  # and once more from there
    assert dr.resume(path).winners == {1}


def test_a_save_opens_after_its_overlay_was_moved(spec: Path, tmp_path: Path) -> None:
    overlay = tmp_path / "mine.dragon"
    overlay.write_text(RICHER, encoding="utf-8")
    (tmp_path / "coins.dragon").write_text(GAME, encoding="utf-8")
    path = saved(dr.load(tmp_path / "coins.dragon", variants=[overlay]).start(), tmp_path / "table.json")
    overlay.rename(tmp_path / "elsewhere.dragon")
    assert dr.resume(path).decisions == 1


def test_an_overlay_of_a_shipped_game_is_carried_alone(spec: Path, tmp_path: Path) -> None:
    overlay = tmp_path / "mine.dragon"
    overlay.write_text('variant "Mine" of drakon:\n    set goal = 8\n', encoding="utf-8")
    match = dr.load("drakon", variants=[overlay]).start()
    path = tmp_path / "table.json"
    match.save(path)
    assert [name for name, _ in json.loads(path.read_text())["carried"]["files"]] == ["mine.dragon"]
    overlay.unlink()
    assert dr.resume(path).game.fingerprint == match.game.fingerprint


def test_rules_that_were_edited_are_still_noticed(spec: Path, tmp_path: Path) -> None:
    path = saved(dr.load(spec).start(), tmp_path / "table.json")
    spec.write_text(GAME.replace("gold 9", "gold 8"), encoding="utf-8")
    with pytest.raises(UsageError, match="D0701"):
        dr.resume(path)


def test_a_shipped_game_is_known_by_name() -> None:
    assert "carried" not in dr.load("tic_tac_toe").start().to_json()


@pytest.mark.parametrize(
    "data",
    [
        5,
        [],
        {},
        {"files": [["a.dragon"]], "spec": "a", "variants": []},
        {"files": [[1, 2]], "spec": "a", "variants": []},
        {"files": [["../a.dragon", ""]], "spec": "a", "variants": []},
        {"files": [["/etc/a.dragon", ""]], "spec": "a", "variants": []},
        {"files": [["a.sh", ""]], "spec": "a", "variants": []},
        {"files": [["c:a.dragon", ""]], "spec": "a", "variants": []},
        {"files": [], "spec": "sent:../a.dragon", "variants": []},
        {"files": [], "spec": "shipped:/etc/a.dragon", "variants": []},
        {"files": [], "spec": "a", "variants": ["/etc/a.dragon"]},
        {"files": [["a.dragon", ""]] * 1000, "spec": "a", "variants": []},
    ],
)
def test_what_is_carried_stays_where_it_belongs(data: object) -> None:
    with pytest.raises(UsageError, match="D0702"):
        from_json(data)


# ---------------------------------------------------------------- whole or not at all
def test_a_full_disk_leaves_the_older_save(
    spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = dr.load(spec).start()
    path = saved(match, tmp_path / "table.json")
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(writing.os, "fsync", full)
    match.choose("take")
    with pytest.raises(OSError, match="No space left"):
        match.save(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir() if "table" in p.name] == ["table.json"]


def test_permissions_and_links_stay(spec: Path, tmp_path: Path) -> None:
    path, link = tmp_path / "table.json", tmp_path / "link.json"
    match = dr.load(spec).start()
    match.save(path)
    path.chmod(0o640)
    link.symlink_to(path)
    match.save(link)
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_save_can_go_to_what_is_no_plain_file(spec: Path, tmp_path: Path) -> None:
    dr.load(spec).start().save(Path(os.devnull))
