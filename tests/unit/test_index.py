"""The index that checking leaves behind: what names mean, where they are declared and where they are used."""

from __future__ import annotations

import re
from pathlib import Path

import attrs
import pytest
from dragonrules.grammar import Report, syntax
from dragonrules.interpreter.check.index import Index
from dragonrules.interpreter.driver import DRIVER, Driver

GAMES = Path(__file__).parents[2] / "games"
TEXT = """\
game "Index" for 2 players
kinds Colour: red, blue
option goal: 1..9 = 3
component Card:
    colour: Colour
rows Card:
    | colour | count |
    | red    | 2     |
place pile: deck of Card, seen by nobody
each player has:
    place hand: bag of Card, seen by all
    state points: 0..9 = 0
define reds(p: player) = count(c for c in p.hand where c.colour = red)
rule gain(n: 1..2):
    let twice = n
    if reds(me) < goal: set my.points = twice
phase Play:
    turns Round p:
        offer:
            "take": gain(1)
"""


@pytest.fixture
def index(tmp_path: Path) -> Index:
    return of(TEXT, tmp_path)


def of(text: str, folder: Path) -> Index:
    path = folder / "index.dragon"
    driver = Driver({path: text})
    laid = driver.laid(driver.stack(path, (), Report()))
    return driver.checked(laid.file, laid.report).index


def meaning(index: Index, around: str, name: str) -> str | None:
    """The id of what a name means, in the first text like this."""
    offset = TEXT.index(around) + around.index(name)
    (file,) = {symbol.span.source.name for symbol in index.symbols.values()}
    found = index.at(file, offset)
    return re.sub(r"_\d+$", "", found.id) if found is not None else None


@pytest.mark.parametrize(
    ("around", "name", "symbol"),
    [
        ("colour: Colour", "Colour", "Colour"),
        ("c.colour = red", "colour", "Card.colour"),
        ("c.colour = red", "red", "Colour.red"),
        ("in p.hand where", "hand", "player.hand"),
        ("in p.hand where", "p", "p"),
        ("where c.colour", "c", "c"),
        ("reds(me) < goal", "reds", "reds"),
        ("reds(me) < goal", "goal", "goal"),
        ("my.points = twice", "points", "player.points"),
        ("my.points = twice", "twice", "twice"),
        ('"take": gain(1)', "gain", "gain"),
        ("rule gain(n", "gain", "gain"),
    ],
)
def test_what_a_name_means(index: Index, around: str, name: str, symbol: str) -> None:
    assert meaning(index, around, name) == symbol


def test_definition_and_references(index: Index) -> None:
    symbol = index.symbols["player.hand"]
    assert (symbol.kind, symbol.span.text, symbol.whole.text.split(":")[0]) == ("place", "hand", "place hand")
    assert [use.span.line for use in index.references("player.hand")] == [13]
    local = next(s for s in index.symbols.values() if s.name == "twice")
    assert (local.kind, str(local.type), [u.span.line for u in index.references(local.id)]) == (
        "local",
        "number 1..2",
        [16],
    )


def test_two_locals_of_one_name_are_two_symbols(tmp_path: Path) -> None:
    index = of(TEXT.replace("count(c for c in p.hand where c.colour = red)", "count(p.hand)"), tmp_path)
    assert len({s.id for s in index.symbols.values() if s.name == "p" and s.kind == "local"}) == 2


def test_what_holds_no_water_is_indexed_all_the_same(tmp_path: Path) -> None:
    """An editor asks while somebody writes."""
    index = of(TEXT.replace("let twice = n", "let twice = m"), tmp_path)
    assert [use.span.line for use in index.references("goal")] == [16]


@pytest.mark.parametrize("name", ["drakon", "ryu"])
def test_every_use_leads_to_a_declaration(name: str) -> None:
    """In a whole game: of the names in bodies and expressions, nearly all, and none to nowhere."""
    laid = DRIVER.overlaid(GAMES / f"{name}.dragon")
    index = DRIVER.checked(laid.file, laid.report).index
    nowhere = {use.symbol for use in index.uses.values()} - index.symbols.keys()
    assert {symbol for symbol in nowhere if not symbol.startswith(("direction.", "rotation."))} == set()
    names = sum(isinstance(node, syntax.Name | syntax.TypeName) for node in _nodes(laid.file))
    assert len(index.uses) > 0.8 * names


def _nodes(node: object) -> list[object]:
    if isinstance(node, tuple):
        return [found for one in node for found in _nodes(one)]
    if not isinstance(node, syntax.Node):
        return []
    parts = (getattr(node, field.name) for field in attrs.fields(type(node)) if field.name != "span")
    return [node, *(found for part in parts for found in _nodes(part))]
