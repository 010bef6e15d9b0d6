"""`trace`: an inventory against citations."""

from __future__ import annotations

import json
from pathlib import Path

from .command import COINS, GREEDY, dragonrules, written

INVENTORY = """\
# Coins

| id | rule |
| --- | --- |
| C-1 | Players take turns. |
| C-2 | Take a coin. |
| C-3 | One coin only. |
| C-4 | From the pile. |
| C-5 | Never cited. |
"""


def test_what_nobody_cites_is_listed(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS, variants__coins_greedy=GREEDY)
    inventory = tmp_path / "items.md"
    inventory.write_text(INVENTORY)
    result = dragonrules("trace", game, "--inventory", inventory)
    assert result.exit_code == 1
    assert "cited by no rule:\n  C-5      Never cited.\n" in result.stdout
    assert "cited by no scenario:\n  C-1 " in result.stdout
    assert "cited, but not in the inventory:\n  C-9 " in result.stdout
    assert result.stdout.endswith("5 items: 4 cited by a rule, 2 by a scenario; 1 unknown item cited\n")


def test_json_names_who_cites(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS, variants__coins_greedy=GREEDY)
    inventory = tmp_path / "items.md"
    inventory.write_text(INVENTORY)
    document = json.loads(dragonrules("trace", game, "--inventory", inventory, "--format", "json").stdout)
    assert document["without_rule"] == ["C-5"]
    assert document["without_scenario"] == ["C-1", "C-4", "C-5"]
    assert list(document["items"]["C-3"]["rules"]) == ["action take"]
    assert list(document["items"]["C-3"]["scenarios"]) == ['two coins at once of "Greedy"']
    assert list(document["unknown"]) == ["C-9"]


def test_all_cited(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS)
    inventory = tmp_path / "items.md"
    inventory.write_text("| C-2 | Take a coin. |\n| C-1 | Turns. |\n| C-3 | x |\n| C-4 | x |\n")
    result = dragonrules("trace", game, "--inventory", inventory)
    assert "cited by no rule" not in result.stdout


def test_an_inventory_without_items_is_wrong_usage(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS)
    (tmp_path / "items.md").write_text("# nothing\n")
    result = dragonrules("trace", game, "--inventory", tmp_path / "items.md")
    assert result.exit_code == 2
    assert "lists no items" in result.stderr
