"""Names of variants: found from any folder, the nearest first; what is needed comes along."""

from __future__ import annotations

import shutil
from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.interpreter.files.find_specs import find_spec
from dragonrules.interpreter.files.find_variants import find_variant, headers_of, needed_files

from .laying import stall


def own(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.dragon"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "header",
    [
        'drakon needs "Team Play"',
        'drakon needs "drakon_teams"',
        'drakon needs "teams"',
        'drakon needs "team play"',
        '"Team Play"',
        "drakon_teams",
        '"drakon_teams.dragon"',
        '"Drakon" needs "Team Play"',
    ],
)
def test_a_shipped_variant_by_any_name_from_any_folder(header: str, tmp_path: Path) -> None:
    """Below a house rule in a folder of one's own."""
    path = own(tmp_path, "helping_hands", f'variant "Helping Hands" of {header}:\n    set goal = 9\n')
    game = dr.load(path)
    assert game.name == "Drakon" and game.options["goal"] == 9
    assert game.checked.partitions, "teams"
    assert dr.load("drakon", variants=[path]).fingerprint == game.fingerprint


def test_the_nearest_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = stall(tmp_path / "games", 'variant "Rich" of stall:\n    set goal = 9\n')
    assert dr.load(game, variants=["rich"]).options["goal"] == 9
    own(tmp_path / "here", "rich", 'variant "Rich" of stall:\n    set goal = 8\n')
    monkeypatch.chdir(tmp_path / "here")
    assert dr.load(game, variants=["rich"]).options["goal"] == 8
    own(tmp_path / "here", "rich", 'variant "Rich" of drakon:\n    set goal = 7\n')
    assert dr.load(game, variants=["rich"]).options["goal"] == 9, "of another game"


def test_a_copy_of_a_game_keeps_its_variants(tmp_path: Path) -> None:
    copy = tmp_path / "my_dungeon.dragon"
    shutil.copy(find_spec("drakon"), copy)
    assert (
        dr.load(copy, variants=["heroes"]).fingerprint == dr.load("drakon", variants=["heroes"]).fingerprint
    )


def test_needs_brings_along_all_the_way_down(tmp_path: Path) -> None:
    game = stall(
        tmp_path,
        'variant "A" of stall:\n    set goal = 3\n',
        'variant "B" of stall needs "a":\n    set wage = 3\n',
        'variant "C" of stall needs "stall_v2" after "v1":\n    set goal = 4\n',
    )
    made = dr.load(game, variants=["c"])
    assert made.options["goal"] == 4
    assert made.fingerprint != dr.load(game, variants=["a"], options={"goal": 4}).fingerprint, "B has a say"
    assert len(needed_files(game, ("c",))) == 4
    assert dr.load(game, variants=["c", "a"]).fingerprint == made.fingerprint


def test_excludes_goes_by_any_name_too(tmp_path: Path) -> None:
    game = stall(
        tmp_path,
        'variant "First One" of stall:\n    set goal = 3\n',
        'variant "Other" of stall excludes "stall_v1":\n    set wage = 3\n',
    )
    with pytest.raises(dr.SpecError, match="D0604"):
        dr.load(game, variants=["v1", "v2"])


def test_what_is_nowhere(tmp_path: Path) -> None:
    path = own(tmp_path, "hands", 'variant "Hands" of drakon needs "Team Pley":\n    set goal = 9\n')
    with pytest.raises(dr.SpecError, match=r"D0607(.|\n)*did you mean `Team Play`"):
        dr.load(path)


def test_a_save_finds_a_variant_that_went_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It carries the text, and is opened in another folder without the file."""
    own(tmp_path / "here", "thrift", 'variant "Thrift" of drakon needs "Heroes!":\n    set goal = 9\n')
    monkeypatch.chdir(tmp_path / "here")
    match = dr.load("drakon", variants=["thrift"]).start(2, seed=1)
    save = tmp_path / "save.json"
    match.save(save)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here" / "thrift.dragon").unlink()
    again = dr.resume(save)
    assert again.game.options["goal"] == 9 and again.decision == match.decision


def test_headers() -> None:
    file, title = find_variant(find_spec("drakon"), "tireless heroes")
    assert title == "Tireless Heroes"
    (header,) = headers_of(file)
    assert (header.title, header.base, header.needs) == ("Tireless Heroes", "drakon_heroes.dragon", ())
