"""Variants that do not fit: a base game, and in each folder the variants that are laid over it."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.grammar import Diagnostic, render
from dragonrules.interpreter.driver import DRIVER

from .golden import OVERLAYS, compare


@pytest.mark.parametrize("folder", OVERLAYS, ids=lambda path: path.name)
def test_words(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    base = Path("coins.dragon")
    variants = [path for path in sorted(Path().glob("*.dragon")) if path != base]
    game = base if base.exists() else Path("..") / base
    try:
        told = laid_over(game, variants)
    except dr.SpecError as error:
        told = error.diagnostics
    compare("".join(f"{render(d)}\n" for d in told), folder / "expected.txt")


def laid_over(game: Path, variants: list[Path]) -> list[Diagnostic]:
    """What is worth a word about variants that can be played together."""
    names = [str(path) for path in variants]
    dr.load(game, variants=names)
    return list(DRIVER.overlaid(game, names).report)


def test_the_base_is_right() -> None:
    game = dr.load(OVERLAYS[0].parent / "coins.dragon")
    assert game.players == (2, 3, 4)


def test_unknown_variant() -> None:
    with pytest.raises(dr.UsageError) as caught:
        dr.load(OVERLAYS[0].parent / "coins.dragon", variants=["Shrot"])
    assert str(caught.value) == "error[D0606]: there is no variant `Shrot` of coins"


def test_unknown_variant_of_a_game_that_has_some(tmp_path: Path) -> None:
    game = OVERLAYS[0].parent / "coins.dragon"
    (tmp_path / "coins.dragon").write_text(
        game.read_text() + '\nvariant "Short Game" of coins:\n    set goal = 4\n'
    )
    with pytest.raises(dr.UsageError) as caught:
        dr.load(tmp_path / "coins.dragon", variants=["long"])
    assert (
        str(caught.value)
        == "error[D0606]: there is no variant `long` of coins\n  help: known variants: Short Game"
    )
    assert dr.load(tmp_path / "coins.dragon", variants=["short game"]).options == {"goal": 4}
