"""docs/howto/mechanisms.md: every mechanism is a whole game; it is checked, its scenarios hold, it is played to its end."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import dragonrules as dr
import pytest
from dragonrules.cli.rules.findings import findings
from dragonrules.grammar import Report, Source, render
from dragonrules.grammar.format import format_source
from dragonrules.interpreter.play.scenarios import run_scenarios

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "mechanisms.md"
TEXT = PAGE.read_text(encoding="utf-8")
_MECHANISM = re.compile(r"^### ([^\n]+)\n(?:(?!#)[^\n]*\n)*?```dragon\n(.*?)^```", re.MULTILINE | re.DOTALL)
GAMES: dict[str, str] = dict(_MECHANISM.findall(TEXT))
MOST_STEPS = 4000


def test_there_are_forty() -> None:
    assert len(GAMES) >= 40
    assert TEXT.count("```dragon\n") == len(GAMES) == TEXT.count("\n### ")


@pytest.mark.parametrize("title", GAMES)
def test_it_is_sayable(title: str, tmp_path: Path) -> None:
    path = tmp_path / "game.dragon"
    path.write_text(GAMES[title], encoding="utf-8")
    game = dr.load(path)
    assert [render(d) for d in findings([path], 1).told if d.severity != "note"] == []
    outcomes = run_scenarios(game)
    assert outcomes, "a scenario shows it"
    assert [f"{o.scenario.name}: {o.problem}" for o in outcomes if not o.ok] == []
    wanted = {name for menu in game.checked.menus.values() for name in menu}
    for players in {game.players[0], game.players[-1]}:
        for seed in range(4):
            random, steps = Random(seed), 0
            match = game.start(players, seed=seed, check=True)
            while not match.over and steps < MOST_STEPS:
                assert match.decision is not None
                option = match.decision.options[random.randrange(len(match.decision.options))]
                wanted.discard(option.key[-1])
                match.choose(option)
                steps += 1
            assert match.over, f"{players} players, seed {seed}"
    assert wanted == set(), "every action is taken by somebody"


@pytest.mark.parametrize("title", GAMES)
def test_it_is_laid_out_as_fmt_does(title: str) -> None:
    assert format_source(Source("game.dragon", GAMES[title]), Report()) == GAMES[title]


def test_the_head_names_them_all() -> None:
    head = TEXT.split("## Turns")[0]
    assert len(re.findall(r"\]\(#", head)) == len(GAMES) + TEXT.count("\n## ")
