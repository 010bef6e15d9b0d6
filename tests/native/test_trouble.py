"""What goes wrong in native code is a number; the words are those of the Python back end, from the state before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dragonrules as dr
import pytest
from dragonrules.interpreter.lab.playing import Series
from dragonrules.interpreter.native import code as numbers
from dragonrules.interpreter.native.conversion import NoRoom
from dragonrules.interpreter.native.engine import NativeEngine
from dragonrules.interpreter.play import state as state_module

from ..errors.golden import PLAY
from .side_by_side import native_of


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """As much as native code has by itself would take Python seconds."""
    monkeypatch.setattr(state_module, "ENDLESS", range(2_000))


# ---------------------------------------------------------------- every diagnostic at play
def by_python(engine: Any, state: Any = None) -> str:
    state = engine.new(1) if state is None else state
    for _ in range(60_000):
        for name in engine.game.invariants:
            if not engine.work_out(state, f"i_{name}"):
                return f"`{name}` does not hold"
        if state.over:
            break
        state.apply(0)
    if engine.game.score is not None:
        engine.work_out(state, "d_score", 0)
    return "all went well"


def by_native(native: NativeEngine) -> str:
    state = native.new(1)
    if state.error:  # before the first decision: the start is repeated
        native.engine.new(1)
        raise AssertionError(f"trouble {state.error} at the start, but Python has none")
    for _ in range(60_000):
        if state.over:
            break
        broken = native.broken_invariant(state)
        if broken is not None:
            return f"`{broken}` does not hold"
        try:
            native.step(state, 0)
        except NoRoom:  # Python has more of it
            return by_python(native.engine, native.to_python(state))
    if native.shape.scored and native.scores(state) is None:
        native.engine.work_out(native.to_python(state), "d_score", 0)
    return "all went well"


def said(play: Any, engine: Any) -> str:
    try:
        return str(play(engine))
    except dr.PlayError as problem:
        return str(problem)


@pytest.mark.parametrize("path", PLAY, ids=lambda path: path.stem)
def test_the_same_words_from_both(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    game = dr.load(path.name, engine="native")
    players = game.players[0]
    native = game._native[players, False] = native_of(game, players)
    words = said(by_native, native)
    assert words == said(by_python, game.engine(players))
    assert "error[D09" in words or "does not hold" in words
    series = Series(game, ("random",) * players, seed=2)
    assert [repr(row) for row in series.play_many(range(3))] == [repr(series.play(n)) for n in range(3)]


# ---------------------------------------------------------------- every buffer
def of_text(text: str, players: int = 2) -> NativeEngine:
    return native_of(dr.loads(text), players)


def first_trouble(native: NativeEngine, pick: int = 0, limit: int = 4_000) -> int:
    """The number of trouble met when always going on with an option; Python goes on from there without."""
    state = native.new(1)
    if state.error:
        native.engine.new(1)
        return state.error
    for _ in range(limit):
        if state.over:
            break
        before = native.fork(state)
        if native.functions.step(state.address, min(pick, len(before.options) - 1)):
            native.to_python(before).apply(min(pick, len(before.options) - 1))
            return state.error
    return 0


def test_options_without_room() -> None:
    native = of_text(
        'game "Wide" for 2 players\nstate a: 0..9000 = 0\nphase Play:\n    turns p:\n        choose n in 1..5000\n        set a = n\n'
    )
    assert first_trouble(native) == numbers.TOO_MANY


def test_values_of_a_cell_without_room() -> None:
    native = of_text(
        'game "Deal" for 2 players\ntoken Coin: gold 9000\nplace pot: bag of Coin\nsetup:\n    move 9000 of gold from box(Coin) to pot\n'
        "each player has:\n    place purse: bag of Coin\n"
        "phase Play:\n    turns p:\n        choose n[q in players] in 0..9000 where sum(n[x] for x in players) = 9000\n"
        "        for q in players: move n[q] of gold from pot to q.purse\n"
    )
    assert first_trouble(native) == numbers.TOO_MANY


def test_frames_without_room() -> None:
    locals_ = "".join(f"    let v{i} = {{ c for c in Card where c.value > d + {i} }}\n" for i in range(8))
    uses = "".join(f"    set a = max(a, count(v{i}))\n" for i in range(8))
    native = of_text(
        'game "Deep" for 2 players\ncomponent Card:\n    value: 1..200\nrows Card:\n    | value |\n    | 1..200 |\n'
        "place pile: bag of Card\nstate a: 0..300 = 0\n"
        f"rule down(d: 0..150):\n{locals_}    choose n in 1..1\n    if d < 140: down(d + 1)\n{uses}"
        "phase Play:\n    as player(1): down(0)\n"
    )
    assert first_trouble(native) == numbers.DEEP


def test_a_list_without_room() -> None:
    native = of_text(
        'game "Twice" for 2 players\nstate a: 0..9 = 0\n'
        "phase Play:\n    turns p:\n        choose n in 1..1\n"
        "        for q in clockwise(p) + clockwise(p) + clockwise(p): set a = min(9, a + 1)\n"
    )
    assert first_trouble(native) == numbers.TOO_MANY


def test_a_product_without_room() -> None:
    native = of_text(
        'game "Large" for 2 players\nstate a: 0..9 = 1\n'
        "phase Play:\n    turns p:\n        choose n in 1..1\n        if (a + n) * (1000000 + a) * (1000000 + a) * (1000000 + a) * (1000000 + a) > 5: set a = 2\n        if a = 9: finish {}\n"
    )
    assert first_trouble(native) == numbers.LARGE


def test_a_grid_without_room() -> None:
    native = of_text(
        'game "Line" for 2 players\ncomponent Tile:\n    value: 1..90\nrows Tile:\n    | value |\n    | 1..90 |\n'
        "place board: grid of Tile\nplace rest: bag of Tile\nsetup:\n    for c in Tile where c.value > 1: move c to rest\n"
        "    for c in Tile where c.value = 1: move c to board at space_at(board, 0, 0)\n"
        "phase Play:\n    turns p:\n        choose t in rest, s in frontier(board)\n        move t to board at s\n"
    )
    assert first_trouble(native, pick=10_000) == numbers.WINDOW


def test_a_step_that_only_python_can_do_leads_on() -> None:
    """5000 options have no room: the step is done by Python, and there is no way back."""
    native = of_text(
        'game "Wide" for 2 players\nstate a: 0..9000 = 0\nphase Play:\n    turns p:\n        choose n in 1..2\n'
        "        choose m in 1..5000\n        set a = m\n"
    )
    state = native.new(1)
    with pytest.raises(NoRoom):
        native.step(state, 0)
    assert (state.options, state.error) == ([1, 2], 0), "the state is the one before"
