"""What front ends ask of games and matches: data, never the state."""

from __future__ import annotations

import dragonrules as dr
import pytest
from dragonrules.interpreter.core.look import COLOURS
from dragonrules.interpreter.play.table_data import HEX

SHIPPED = ("drakon", "ryu", "dragons_gold", "dragon_keeper", "othello", "kuhn_poker")


@pytest.mark.parametrize("name", SHIPPED)
def test_every_label_of_a_view_is_on_the_table(name: str) -> None:
    match = dr.load(name).start(seed=1)
    table = match.table
    for _ in range(30):
        if match.decision is None:
            break
        for viewer in (None, *range(1, match.players + 1)):
            view = match.view(viewer)
            assert set(view["places"]) <= set(table.places)
            for label, shown in view["places"].items():
                place = table.places[label]
                if viewer in place.seen_by:
                    assert "contents" in shown
                for item in shown.get("contents", ()):
                    name_ = item[0] if isinstance(item, tuple) else item
                    if isinstance(name_, str) and "#" in name_:
                        assert table.thing(name_).component == place.holds
        match.choose(len(match.decision.options) // 2)


@pytest.mark.parametrize("name", SHIPPED)
def test_targets_are_on_the_table(name: str) -> None:
    match = dr.load(name).start(seed=2)
    table, seen = match.table, set()
    for _ in range(60):
        if match.decision is None:
            break
        for option in match.decision.options:
            for target in option.targets:
                seen.add(target.kind)
                if target.kind == "thing":
                    assert table.thing(target.name).name == target.name
                elif target.kind == "space":
                    assert target.space is not None
                    board = next(p.board for p in table.places.values() if p.name == target.name)
                    assert board is not None
                    assert board.grows or target.space in board.spaces
                elif target.kind == "player":
                    assert target.number in range(1, match.players + 1)
                elif target.kind == "action":
                    assert option.key == ("offer", target.name)
        match.choose(0)
    assert seen


def test_neighbours_by_counting() -> None:
    """Against plain arithmetic, on every space of a board of eight by eight."""
    board = dr.load("othello").table().places["board"].board
    assert board is not None
    assert len(board.spaces) == 64
    steps = {"N": (0, 1), "NE": (1, 1), "E": (1, 0), "SE": (1, -1)}
    steps |= {"S": (0, -1), "SW": (-1, -1), "W": (-1, 0), "NW": (-1, 1)}
    for x, y in board.spaces:
        around = {way: (x + dx, y + dy) for way, (dx, dy) in steps.items()}
        inside = {way: (a, b) for way, (a, b) in around.items() if 1 <= a <= 8 and 1 <= b <= 8}
        assert board.neighbours((x, y)) == inside


def test_every_colour_of_the_language_has_a_value() -> None:
    assert set(HEX) == set(COLOURS)


# ---------------------------------------------------------------- taking back
def test_undo_is_the_match_before() -> None:
    """Step by step back to the start: each time it is the match that was forked there."""
    match = dr.load("othello").start(seed=4)
    forks = []
    for number in range(12):
        forks.append((match.fork(), match.observations(1), list(match.log)))
        match.choose(number % len(match.decision.options))  # type: ignore[union-attr]
    for before, noticed, log in reversed(forks):
        assert match.undoable() is None
        assert match.undo() is None
        assert match == before
        assert match.observations(1) == noticed
        assert match.log == log
        assert match.decisions == before.decisions
    assert match.undo() == "nothing was chosen yet"


def test_chance_is_not_taken_back() -> None:
    match = dr.load("leduc_poker").start(seed=1)
    reasons = set()
    while not match.over:
        match.choose("call" if any(o.label == "call" for o in match.decision.options) else 0)  # type: ignore[union-attr]
        before = match.fork()
        reason = match.undo()
        if reason is None:
            match.choose(before.log[-1][2])
        reasons.add(reason)
        assert match == before
    assert "chance or the clock has had its say since" in reasons


def test_the_generator_goes_back_too() -> None:
    """Chosen again, the same comes of it."""
    game = dr.load("drakon")
    match = game.start(3, seed=5)
    for _ in range(60):
        if match.over:
            break
        match.choose(0)
        after = match.fork()
        key = match.log[-1]
        if key[0] == "choose" and match.undo() is None:
            match.choose(match.index_in_log(key[2]))
            assert match == after
            assert match.state.rng.state == after.state.rng.state


# ---------------------------------------------------------------- reasons
def test_a_refusal_names_its_line_and_rule() -> None:
    match = dr.load("tic_tac_toe").start()
    match.choose("b2")
    refusal = match.refusal("b2")
    assert refusal is not None
    assert (refusal.words, refusal.rule) == ("taken", "Play")
    assert refusal.span is not None
    assert "taken" in refusal.span.source.line(refusal.span.line)
    assert str(refusal) == match.why_not("b2")
    assert match.refusal("a1") is None
