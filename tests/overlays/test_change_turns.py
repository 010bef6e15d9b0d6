"""`change turns`: who begins, who is next, who is skipped, said by a variant in one line."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest

from ..cli.command import dragonrules

BASE = """\
game "Round" for 2 to 4 players
action wait in deed: nothing
phase Play:
    turns Round p:
        offer deed
"""


def order(*variants: str, base: str = BASE, players: int = 3, turns: int = 8) -> list[int]:
    match = dr.loads(base, variants=variants).start(players, seed=1)
    out = []
    for _ in range(turns):
        assert match.decision is not None
        out.append(match.decision.player)
        match.choose(0)
    return out


def over(name: str, line: str, clauses: str = "") -> str:
    return f'variant "{name}" of round{clauses}:\n    {line}\n'


BACK = over("Back", "change turns Round q: then left(q) if turn_number < player_count else right(q)")
LATE = over("Late", "change turns Round p: from player(2)")
TWO = over("Two", "change turns Round p: where p.seat < 3")


def test_counterclockwise_from_the_second_round_on() -> None:
    assert order() == [1, 2, 3, 1, 2, 3, 1, 2]
    assert order(BACK) == [1, 2, 3, 2, 1, 3, 2, 1]


def test_clauses_of_several_variants_add_up() -> None:
    assert order(LATE, BACK) == [2, 3, 1, 3, 2, 1, 3, 2]
    assert order(BACK, LATE, TWO, turns=4) == [2, 1, 2, 1]


def test_the_language_says_it_too() -> None:
    assert order(base=BASE.replace("Round p:", "Round p from player(3) then right(p):")) == [
        3,
        2,
        1,
        3,
        2,
        1,
        3,
        2,
    ]


def test_two_that_say_who_is_next_clash() -> None:
    with pytest.raises(dr.SpecError, match="D0603"):
        order(BACK, over("Other", "change turns Round p: then right(p)"))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("change turns Rounds p: then right(p)", "did you mean `Round`"),
        ("change turns Round p:", "say `from`, `then` or `where`"),
        ("change turns Round p: then p.seat", "D0301"),
    ],
)
def test_what_is_wrong_is_told(line: str, told: str) -> None:
    with pytest.raises(dr.SpecError, match=told):
        order(over("Wrong", line))


@pytest.mark.parametrize("clause", ["in players then left(p)", "from player(1) then left(p) once"])
def test_a_list_says_itself_who_is_next(clause: str) -> None:
    with pytest.raises(dr.SpecError, match="D0316"):
        order(base=BASE.replace("Round p:", f"Round p {clause}:"))


def test_the_whole_game_reads_like_it(tmp_path: Path) -> None:
    (tmp_path / "round.dragon").write_text(BASE)
    (tmp_path / "back.dragon").write_text(BACK)
    told = dragonrules("expand", tmp_path / "round.dragon", "--variant", tmp_path / "back.dragon").stdout
    assert "turns Round p then left(p) if turn_number < player_count else right(p):" in told
    assert order(base=told.partition("\n\n")[2] if told.startswith("#") else told) == order(BACK)
