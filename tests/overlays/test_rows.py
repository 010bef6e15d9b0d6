"""Rows of bar tables: which are found, what becomes of those found in part, and where mistakes are reported."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest

from .laying import loaded

CARDS = "    remove always cards\n"


def rows(game: dr.Game) -> dict[tuple[str, int, str], int]:
    """Colour, value and doors of all cards, with how many there are."""
    kinds = game.checked.kinds["Colour"].values
    out: dict[tuple[str, int, str], int] = {}
    for fields, count in game.checked.components["Card"].rows:
        doors = "".join(d for n, d in ((0, "N"), (2, "E"), (4, "S"), (6, "W")) if fields["doors"] >> n & 1)
        key = kinds[fields["colour"]], fields["value"], doors
        assert isinstance(count, int)
        out[key] = out.get(key, 0) + count
    return out


def table(game: dr.Game, name: str) -> dict[tuple[int, ...], int]:
    return dict(game.checked.tables[name].rows)


def test_the_base(tmp_path: Path) -> None:
    found = rows(loaded(tmp_path))
    assert found[("red", 2, "NS")] == 2
    assert found[("blue", 1, "")] == 1
    assert found[("blue", 3, "NES")] == 4
    assert sum(found.values()) == 21


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("change rows Card where colour = red: count = 5", {("red", 1): 5, ("red", 3): 5, ("green", 1): 2}),
        ("change rows Card where colour = red and value = 2: count = 7", {("red", 2): 7, ("red", 1): 2}),
        (
            "change rows Card where value >= 2 and colour != blue: count = 0",
            {("green", 3): 0, ("blue", 3): 4},
        ),
        ("change rows Card where value in {1, 3}: count = 9", {("red", 1): 9, ("red", 2): 2, ("blue", 3): 9}),
        (
            "change rows Card where not (value = 1 or colour = blue): count = 3",
            {("red", 2): 3, ("red", 1): 2},
        ),
        ("change rows Card where doors = {}: count = 6", {("blue", 1): 6, ("blue", 2): 4}),
        ("change rows Card where E in doors: count = 6", {("blue", 1): 1, ("blue", 2): 6}),
        ("change rows Card where doors in {{N, S}, {E, N, S}}: count = 1", {("red", 1): 1, ("blue", 3): 1}),
        ("change rows Card: count = count + 1", {("red", 1): 3, ("blue", 1): 2, ("blue", 3): 5}),
        ("change rows Card where count = 4: count = count * 2 - 1", {("blue", 2): 7, ("red", 2): 2}),
        ("change rows Card where colour = blue: count = wage", {("blue", 1): 2, ("blue", 3): 2}),
        ("remove rows Card where value = 2", {("red", 2): None, ("red", 1): 2, ("blue", 3): 4}),
        ("remove rows Card where colour in {red, blue}", {("red", 1): None, ("green", 1): 2}),
    ],
)
def test_counts(change: str, expected: dict[tuple[str, int], int | None], tmp_path: Path) -> None:
    game = loaded(tmp_path, f"{CARDS}    {change}\n")
    found: dict[tuple[str, int], int] = {}
    for fields, count in game.checked.components["Card"].rows:
        kinds = game.checked.kinds["Colour"].values
        found[(kinds[fields["colour"]], fields["value"])] = (
            count if isinstance(count, int) else game.start().game.checked and 2
        )
    assert {key: found.get(key) for key in expected} == expected


def test_other_cells(tmp_path: Path) -> None:
    game = loaded(
        tmp_path,
        "    change rows Card where colour = blue and value = 1: colour = {red, green}, doors = {W}\n"
        "    change rows Card where colour = green and value in 1..3 and S in doors: value = 4 - value\n"
        + CARDS,
    )
    found = rows(game)
    assert found[("red", 1, "W")] == 1
    assert found[("green", 1, "W")] == 1
    assert found[("green", 3, "NS")] == 2


def test_rows_are_added(tmp_path: Path) -> None:
    more = "    rows Card:\n        | colour | value | doors | count |\n        | red    | 3     | W     |     2 |\n"
    game = loaded(tmp_path, more + CARDS, "    change rows Card where doors = {W}: count = 8\n")
    assert rows(game)[("red", 3, "W")] == 8


def test_tables(tmp_path: Path) -> None:
    game = loaded(
        tmp_path,
        "    change table toll where coins >= 9: due = 3\n"
        "    change table toll where coins = 0..1: toll = toll + 1\n"
        "    change table price where colour = blue and value = 3: price = 9\n"
        "    change table price where value = 1: price = price - 1\n",
    )
    toll = table(game, "toll")
    assert [toll[(n,)] for n in (0, 1, 2, 4, 5, 8, 9, 20)] == [1, 1, 0, 0, 1, 1, 3, 3]
    price = table(game, "price")
    assert [price[(0, n)] for n in (1, 2, 3)] == [0, 2, 4]
    assert [price[(1, n)] for n in (1, 2, 3)] == [2, 3, 3]
    assert [price[(2, n)] for n in (1, 2, 3)] == [2, 3, 9]


def test_tokens_and_constants(tmp_path: Path) -> None:
    game = loaded(
        tmp_path, "    change token Coin: gold = 7\n    set wage = 3\n    set goal = 9\n    set long = yes\n"
    )
    assert game.options == {"goal": 9, "long": True}
    match = game.start(2)
    match.choose(("offer", "earn"))
    assert match.view(1)["places"]["player 1: purse"] == {"contents": (("copper", 3),)}


def test_a_mistake_in_a_new_cell_is_reported_where_it_stands(tmp_path: Path) -> None:
    with pytest.raises(dr.SpecError) as caught:
        loaded(tmp_path, "    change rows Card where colour = red: value = 8, colour = pink\n")
    places = [(d.code, Path(d.span.source.name).name, d.span.text) for d in caught.value.diagnostics]
    assert ("D0303", "stall_v1.dragon", "8") in places
    assert ("D0312", "stall_v1.dragon", "pink") in places


def test_a_value_outside_the_range_names_the_range(tmp_path: Path) -> None:
    with pytest.raises(dr.SpecError) as caught:
        loaded(tmp_path, "    set goal = 12\n")
    assert "the default is 12, outside 2..9" in str(caught.value)
