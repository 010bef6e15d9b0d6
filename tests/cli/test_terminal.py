"""A match at a real terminal."""

from __future__ import annotations

from pathlib import Path

from .command import Terminal


def test_tic_tac_toe_with_another_person(tmp_path: Path) -> None:
    table = Terminal("run", "tic_tac_toe", "--seat", "human", "--seat", "human", "--seed", 1, folder=tmp_path)
    assert "Choose a space of board?" in table.wait_for("Player 1> ")
    table.type("b2")
    assert "1 cross goes to board b2." in table.wait_for("Player 2> ")
    table.type("why b2")
    assert "taken" in table.wait_for("Player 2> ")
    table.type("undo")
    assert "takes the last decision back" in table.wait_for("Player 1> ")
    for seat, move in ((1, "a1"), (2, "b1"), (1, "a2"), (2, "b2")):
        table.type(move)
        table.wait_for(f"Player {3 - seat}> ")
    table.type("a3")
    table.wait_for("Player 1 wins.")
    assert table.finish() == 0


def test_by_default_the_first_seat_is_yours_and_quitting_is_fine(tmp_path: Path) -> None:
    table = Terminal("run", "connect_four", "--seed", 1, folder=tmp_path)
    assert "(human, random)" in table.wait_for("Player 1> ")
    table.type("save")
    table.wait_for("Saved as connect_four.save.json")
    table.wait_for("Player 1> ")
    table.type("quit")
    table.wait_for("The match is not over.")
    assert table.finish() == 0
    assert (tmp_path / "connect_four.save.json").exists()


def test_interrupting_leaves_no_traceback(tmp_path: Path) -> None:
    table = Terminal("run", "othello", "--seed", 1, folder=tmp_path)
    table.wait_for("Player 1> ")
    table.interrupt()
    assert table.finish() == 130
    assert "Traceback" not in table.shown
