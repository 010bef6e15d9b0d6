"""The driver: every text is parsed and checked once, and open texts lie over files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import dragonrules as dr
import pytest
from click.testing import CliRunner
from dragonrules.cli.main import cli
from dragonrules.interpreter import driver
from dragonrules.interpreter.driver import Driver
from dragonrules.interpreter.loading import load
from dragonrules.interpreter.rule_sets import Library

ROOT = Path(__file__).parents[2]
GAME = """\
game "Race" for 2 players:
    "The first to make three steps wins."

state steps: 0..3 = 0

phase Race:
    turns Round p:
        offer:
            "go on": go()

rule go():
    set steps = steps + 1
    if steps = 3: finish {me}
"""
VARIANT = """\
variant "Long" of race:
    replace state steps: 0..9 = 0

    replace rule go():
        set steps = steps + 1
        if steps = 9: finish {me}
"""


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[str, str]]:
    """How often each text was parsed, each tree laid over and checked; nothing is known from before."""
    import dragonrules.grammar
    import dragonrules.grammar.format
    import dragonrules.grammar.parsing
    import dragonrules.interpreter.check.game
    import dragonrules.interpreter.overlay.lay

    monkeypatch.setenv("DRAGONRULES_CACHE", "off")
    driver.forget()
    done: Counter[tuple[str, str]] = Counter()

    def counted(module: Any, name: str, told: Any) -> Any:
        real = getattr(module, name)

        def wrapped(*args: Any, **named: Any) -> Any:
            done[name, told(*args)] += 1
            return real(*args, **named)

        return wrapped

    parse = counted(dragonrules.grammar.parsing, "parse", lambda source, *_: source.text)
    for home in (dragonrules.grammar, dragonrules.grammar.parsing, dragonrules.grammar.format):
        monkeypatch.setattr(home, "parse", parse)
    check = counted(dragonrules.interpreter.check.game, "check", lambda file, *_: shape(file.decls))
    monkeypatch.setattr(dragonrules.interpreter.check.game, "check", check)
    lay = counted(
        dragonrules.interpreter.overlay.lay, "lay_over", lambda file, over, *_: shape((*file.decls, *over))
    )
    monkeypatch.setattr(dragonrules.interpreter.overlay.lay, "lay_over", lay)
    return done


@pytest.mark.parametrize(
    ("command", "checks"),
    [
        ("diff drakon heroes", 2),
        ("compare ryu open_bids --games 2 --rest random --engine python", 2),
        ("validate games/classics", 8),
        ("expand ryu --variant open_bids", 1),
        ("run tic_tac_toe --seat random --seat random --seed 1", 1),
    ],
)
def test_no_command_does_anything_twice(
    command: str, checks: int, work: Counter[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(cli, command.split())
    assert result.exit_code == 0, result.output
    assert {key[0]: n for key, n in work.items() if n > 1} == {}
    assert sum(name == "check" for name, _ in work) == checks


def test_open_texts_lie_over_files(tmp_path: Path) -> None:
    """A text of an editor counts, not what the disk says; a file that is not there yet is found too."""
    path = tmp_path / "race.dragon"
    path.write_text(GAME)
    ours = Driver({path: GAME.replace("3", "2")})
    assert length(load(path, driver=ours)) == 2
    assert length(load(path)) == 3
    ours.texts[tmp_path / "variants" / "race_long.dragon"] = VARIANT
    assert length(load(path, variants=["long"], driver=ours)) == 9
    with pytest.raises(dr.UsageError):
        load(path, variants=["long"])
    titles = [rules.title for rules in Library(ours).family(path)]
    assert titles == ["race", "race + Long"]
    ours.texts.clear()
    assert length(load(path, driver=ours)) == 3


def test_an_open_text_with_a_mistake_is_told_at_its_path(tmp_path: Path) -> None:
    path = tmp_path / "race.dragon"
    path.write_text(GAME)
    with pytest.raises(dr.SpecError) as found:
        load(path, driver=Driver({path: GAME.replace("steps + 1", "stepps + 1")}))
    assert str(found.value).startswith(f"{path}:12:")


def test_a_game_from_text() -> None:
    assert length(dr.loads(GAME)) == 3
    assert length(dr.loads(GAME, variants=[VARIANT])) == 9
    assert length(dr.loads(GAME + VARIANT, variants=["Long"])) == 9
    with pytest.raises(dr.SpecError, match=r"<text>/race\.dragon:12:"):
        dr.loads(GAME.replace("steps + 1", "stepps + 1"))


def test_a_text_may_be_a_variant_of_a_shipped_game() -> None:
    game = dr.loads('variant "Short" of drakon:\n    replace option goal: 1..50 = 2\n')
    assert game.name == "Drakon"
    assert game.options["goal"] == 2


def test_a_match_of_a_text_is_saved_and_resumed(tmp_path: Path) -> None:
    match = dr.loads(GAME, variants=[VARIANT]).start()
    match.choose(0)
    match.save(tmp_path / "table.json")
    again = dr.resume(tmp_path / "table.json")
    assert again.view(1) == match.view(1)
    assert length(again.game) == 9


def shape(decls: Any) -> str:
    """Which texts a tree is made of."""
    return " ".join(f"{d.span.source.name}:{d.span.start}-{d.span.end}" for d in decls)


def length(game: dr.Game) -> int:
    match = game.start()
    while not match.over:
        match.choose(0)
    return match.decisions
