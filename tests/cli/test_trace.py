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


def test_without_an_inventory_the_items_are_those_cited(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS, variants__coins_greedy=GREEDY)
    result = dragonrules("trace", game)
    assert result.exit_code == 1
    assert "cited by no scenario:\n  C-1\n  C-4\n  C-9\n" in result.stdout
    assert result.stdout.endswith("5 items: 5 cited by a rule, 2 by a scenario\n")
    assert "action take" in dragonrules("trace", game).stdout
    assert "action take" not in dragonrules("trace", game, "--quiet").stdout


def test_run_counts_how_often_rules_are_used(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS, variants__coins_greedy=GREEDY)
    document = json.loads(dragonrules("trace", game, "--run", "--format", "json").stdout)
    assert document["items"]["C-2"]["hits"] >= 1
    assert document["items"]["C-2"]["reached"] is True
    assert document["items"]["C-3"]["reached"] is False  # its scenario is about the other action
    assert document["items"]["C-2"]["failing"] == []


def test_a_scenario_that_fails_shows_nothing(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS.replace("purse) = 1", "purse) = 7"))
    result = dragonrules("trace", game, "--run", "--quiet")
    assert result.exit_code == 1
    assert "shown by a scenario that fails:\n  C-2\n" in result.stdout
    assert "a coin goes to the purse" in result.stderr


def test_html_is_one_file_with_links(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS)
    inventory = tmp_path / "items.md"
    inventory.write_text(
        "| C-1 | Turns & <b>. | Ruling here. |\n| C-2 | x | |\n| C-3 | x | |\n| C-4 | x | |\n"
    )
    out = tmp_path / "pages" / "trace.html"
    out.parent.mkdir()
    result = dragonrules("trace", game, "--inventory", inventory, "-o", out)
    assert result.exit_code == 1
    page = out.read_text(encoding="utf-8")
    assert "Turns &amp; &lt;b&gt;." in page and "Ruling here." in page
    assert '<a href="../coins.dragon#L17">phase Play</a>' in page
    assert "no scenario" in page and "http" not in page.replace("http-equiv", "")
    linked = dragonrules("trace", game, "--format", "html", "--links", "https://host/").stdout
    assert "https://host/" in linked


def test_what_was_counted_elsewhere_is_added(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS)
    data = tmp_path / "coverage.json"
    assert dragonrules("test", game, "--coverage-json", data).exit_code == 0
    document = json.loads(dragonrules("trace", game, "--coverage", data, "--format", "json").stdout)
    assert document["items"]["C-2"]["hits"] == 1
    twice = dragonrules("trace", game, "--coverage", data, "--coverage", data, "--format", "json").stdout
    assert json.loads(twice)["items"]["C-2"]["hits"] == 2
    data.write_text("[]")
    result = dragonrules("trace", game, "--coverage", data)
    assert (result.exit_code, "is not what `--coverage-json` writes" in result.stderr) == (2, True)


def test_the_file_of_a_variant_stands_for_its_game(tmp_path: Path) -> None:
    written(tmp_path, coins=COINS, variants__coins_greedy=GREEDY)
    result = dragonrules("trace", tmp_path / "variants" / "coins_greedy.dragon", "--quiet")
    assert result.stdout.endswith("5 items: 5 cited by a rule, 2 by a scenario\n")


def test_a_game_without_cites(tmp_path: Path) -> None:
    game = written(tmp_path, plain='game "Plain" for 2 players\nphase Play: nothing\n')
    result = dragonrules("trace", game)
    assert (result.exit_code, result.stdout) == (
        0,
        "nothing here cites an item of a rulebook, as in `[DK-12]`\n",
    )
