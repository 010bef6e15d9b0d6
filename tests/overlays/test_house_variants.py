"""The house variants that come along: each says what it is for, is shown by scenarios, has its page, and can be played."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.cli.options.helping import plural
from dragonrules.cli.options.variants import entries
from dragonrules.grammar import Report, parse, syntax
from dragonrules.interpreter.files.find_variants import find_variant, known_variants
from dragonrules.interpreter.files.sources import read_source

ROOT = Path(__file__).parents[2]
GAMES = ("drakon", "ryu", "dragon_keeper", "dragons_gold")
PRINTED = {
    "Heroes!",
    "Escape from Drakon's Lair!",
    "Team Play",
    "Fixed Gold",
    "Advanced",
    "Strategic",
    "2001",
}
HOUSE = {
    title: (game, find_variant(ROOT / "games" / f"{game}.dragon", title)[0])
    for game in GAMES
    for title in known_variants(ROOT / "games" / f"{game}.dragon")
    if title not in PRINTED
}
MEASURED = json.loads((ROOT / "docs" / "variants.json").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs" / "variants.md").read_text(encoding="utf-8")


def test_there_are_some_of_every_game() -> None:
    assert len(HOUSE) >= 20
    assert {game for game, _ in HOUSE.values()} == set(GAMES)


@pytest.mark.parametrize("title", HOUSE)
def test_it_says_what_it_is_for_and_has_scenarios(title: str) -> None:
    report = Report()
    (variant,) = parse(read_source(HOUSE[title][1]), report).decls
    assert not report.errors
    assert isinstance(variant, syntax.Variant)
    assert variant.doc is not None
    assert len(variant.doc.text) > 30
    assert any(isinstance(item, syntax.Scenario) for item in variant.items)


@pytest.mark.parametrize("title", HOUSE)
def test_it_has_a_page(title: str) -> None:
    game, file = HOUSE[title]
    (section,) = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    name = file.stem.removeprefix(f"{game}_")
    for command in ("run", "diff", "compare"):
        assert re.search(rf"^dragonrules {command} {game}.*\b{name}\b", section, re.MULTILINE), command
    (entry,) = [e for e in entries(ROOT / "games" / f"{game}.dragon") if e.title == title]
    assert entry.sentence in section and f"; {plural(entry.lines, 'line')}" in section
    assert f'What it does: *"{MEASURED[title]["sentence"]}"*.' in section
    assert MEASURED[title]["command"] in section


@pytest.mark.parametrize("title", ["Soft Claws", "Open Bids", "Debts", "Three Offers"])
def test_it_can_be_played(title: str) -> None:
    game = dr.load(HOUSE[title][1])
    match = game.start(game.players[0], seed=7, check=True)
    chance = random.Random(7)
    for _ in range(200):
        if match.decision is None:
            break
        match.choose(chance.randrange(len(match.decision.options)))
    assert match.over or match.turn > 5
