"""`dragonrules rulebook`: formats, files, chosen rules, mistakes."""

from __future__ import annotations

from pathlib import Path

from .command import COINS, GREEDY, dragonrules, written


def test_markdown_with_a_section_for_each_variant(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS, variants__coins_greedy=GREEDY)
    result = dragonrules("rulebook", game)
    assert result.exit_code == 0
    assert result.stdout.startswith("# Coins\n\nFor two or three players.\n")
    assert "### Greedy\n\nTwo at a time.\n" in result.stdout
    assert "Greedy" not in dragonrules("rulebook", game, "--alone").stdout


def test_the_rules_that_were_asked_for(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS, variants__coins_greedy=GREEDY)
    text = dragonrules("rulebook", game, "--variant", "Greedy", "--set", "goal=4").stdout
    assert "With Greedy." in text
    assert "Move 2 gold coins from the pile" in text
    assert "[goal](#options) (4)" in text
    assert (
        dragonrules("rulebook", tmp_path / "variants" / "coins_greedy.dragon").stdout.count("With Greedy.")
        == 1
    )


def test_html_by_the_ending_of_the_file(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS)
    out = tmp_path / "coins.html"
    result = dragonrules("rulebook", game, "-o", out)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "wrote" in result.stderr
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert dragonrules("rulebook", game, "-o", tmp_path).exit_code == 2


def test_mistakes_in_the_game_or_a_variant(tmp_path: Path) -> None:
    bad = GREEDY.replace("from pile to my.purse", "from pil to my.purse")
    game = written(tmp_path, coins=COINS, variants__coins_greedy=bad)
    result = dragonrules("rulebook", game)
    assert result.exit_code == 1
    assert "pil" in result.stderr
    assert dragonrules("rulebook", game, "--alone").exit_code == 0
    assert dragonrules("rulebook", "no_such_game").exit_code == 2
