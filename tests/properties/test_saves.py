"""A save resumed in another process has the same future; what is no such save is refused."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import dragonrules as dr
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ..playing import step, story
from ..strategies import LONG, ROOT, SHORT, Play, Table, played, plays
from .elsewhere import Elsewhere

SAVES = 3
FURTHER = 5


@SHORT
@given(plays())
def test_the_future_is_the_same_elsewhere(
    one_table: Table, elsewhere: Elsewhere, tmp_path_factory: pytest.TempPathFactory, play: Play
) -> None:
    resume_elsewhere(one_table, elsewhere, tmp_path_factory.mktemp("saves"), play, SAVES)


@pytest.mark.long
@settings(LONG, max_examples=10)
@given(plays(400))
def test_the_future_is_the_same_elsewhere_long(
    any_table: Table, elsewhere: Elsewhere, tmp_path_factory: pytest.TempPathFactory, play: Play
) -> None:
    resume_elsewhere(any_table, elsewhere, tmp_path_factory.mktemp("saves"), play, 20)


def resume_elsewhere(table: Table, elsewhere: Elsewhere, folder: Path, play: Play, saves: int) -> None:
    """Saves at several decisions in a row, so also between two binders and in the middle of an effect."""
    match = played(table, play)
    numbers = list(islice(play.endless(), saves + FURTHER))
    for position in range(saves):
        save = folder / f"{position}.json"
        match.save(save)
        future = numbers[position : position + FURTHER]
        assert elsewhere.after_save(save, future) == story(match.fork(), future)
        if match.over:
            break
        step(match, numbers[position])


# ---------------------------------------------------------------- what is refused
EXAMPLE = Table(ROOT / "tests/properties/specs/caves.dragon", (), 3)
COURIERS = Table(ROOT / "tests/properties/specs/couriers.dragon", (), 3)


def a_save() -> dict[str, Any]:
    data = json.dumps(played(EXAMPLE, Play(5, 20)).to_json())
    return dict(json.loads(data))


def spots(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to all parts of a piece of JSON."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    found = [path] if path else []
    for key, value in items:
        found += spots(value, (*path, key))
    return found


@st.composite
def damaged(draw: st.DrawFn) -> Any:
    data = a_save()
    *way, last = draw(st.sampled_from(spots(data)))
    inside: Any = data
    for key in way:
        inside = inside[key]
    if draw(st.booleans()):
        inside.pop(last)
    else:
        old = inside[last]
        values = st.sampled_from([None, True, -1, 7, 10**9, "", "x", [], [[]], {}, 1.5])
        inside[last] = draw(values.filter(lambda new: new != old or type(new) is not type(old)))
    return data


@settings(SHORT, max_examples=150)
@given(damaged())
def test_damaged_saves_are_refused(tmp_path_factory: pytest.TempPathFactory, data: Any) -> None:
    path = tmp_path_factory.mktemp("damaged") / "save.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(dr.UsageError):
        dr.resume(path, game=EXAMPLE.game)


@settings(SHORT, max_examples=60)
@given(st.data())
def test_texts_that_are_no_saves_are_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    text = json.dumps(a_save())
    cut = data.draw(st.integers(0, len(text) - 1))
    path = tmp_path_factory.mktemp("cut") / "save.json"
    path.write_text(
        data.draw(st.sampled_from([text[:cut], text[cut + 1 :], "[1, 2]", "{}", "null", '{"state": 1}']))
    )
    with pytest.raises(dr.UsageError):
        dr.resume(path)


def test_saves_of_other_rules_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "save.json"
    played(EXAMPLE, Play(5, 20)).save(path)
    couriers = COURIERS.game
    with pytest.raises(dr.UsageError, match="other rules"):
        dr.resume(path, game=couriers)
    edited = tmp_path / "caves.dragon"
    text = EXAMPLE.path.read_text(encoding="utf-8")
    edited.write_text(text.replace("gold(p) >= 8", "gold(p) >= 9"), encoding="utf-8")
    with pytest.raises(dr.UsageError, match="other rules"):
        dr.resume(path, game=dr.load(edited))
    edited.write_text(
        text.replace("seen by owner", "seen by  owner # layout does not matter"), encoding="utf-8"
    )
    assert dr.resume(path, game=dr.load(edited)).state.key() == played(EXAMPLE, Play(5, 20)).state.key()
    played(COURIERS, Play(5, 20)).save(path)
    with pytest.raises(dr.UsageError, match="other rules"):
        dr.resume(path, game=couriers.variation({"hand_size": 2}))


def test_a_save_of_another_version_is_replayed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The state of a save refers to blocks by number; where those have changed, its log is played again."""
    path = tmp_path / "save.json"
    match = played(EXAMPLE, Play(5, 20))
    engine = match.state.engine
    with monkeypatch.context() as other_version:
        other_version.setattr(engine, "shape", "another")
        match.save(path)
    again = dr.resume(path, game=EXAMPLE.game)
    assert story(again, range(0, 200, 16)) == story(match, range(0, 200, 16))


def test_a_save_is_found_from_anywhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "save.json"
    monkeypatch.chdir(EXAMPLE.path.parent)
    match = dr.load(EXAMPLE.path.name).start(3, seed=4)
    match.save(path)
    monkeypatch.chdir(tmp_path)
    assert dr.resume(path).state.key() == match.state.key()


def test_a_save_stays_as_it_was(tmp_path: Path) -> None:
    """Neither the data of a save nor two matches resumed from it share anything."""
    match = played(EXAMPLE, Play(5, 20))
    data = match.to_json()
    text = json.dumps(data)
    one, two = (dr.Match.from_json(EXAMPLE.game, data) for _ in range(2))
    for number in range(0, 200, 16):
        for m in (match, one):
            if not m.over:
                step(m, number)
    assert json.dumps(data) == text
    assert json.dumps(two.to_json()) == text
