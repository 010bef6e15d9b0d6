"""A table to try rules at: small games written in the test, and ways to look at a match.

The games keep a diary: `note(3)` appends the digit 3 to the state `diary`, so
that the order in which things happened is one number. `DIARY` is that rule.
"""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import dragonrules as dr
from dragonrules.interpreter.play.scenarios import run_scenarios

DIARY = """
state diary: 0..999999999 = 0
rule note_down(n: 1..9): set diary = diary * 10 + n
"""
SPECS = Path(__file__).parent / "specs"
_folder = tempfile.TemporaryDirectory(prefix="dragonrules")
_numbers = itertools.count(1)


def game(
    text: str,
    *variants: str,
    options: dict[str, Any] | None = None,
    players: str = "2 to 4 players",
    diary: bool = True,
) -> dr.Game:
    """A game with the given rules; a header, a diary and a phase are added where they are missing."""
    head = "" if "game " in text else f'game "Test" for {players}\n'
    if diary:
        text += DIARY
    if "phase " not in text:
        text += "phase Play: nothing\n"
    folder = Path(_folder.name) / str(next(_numbers))
    folder.mkdir()
    path = folder / "test.dragon"
    path.write_text(head + text, encoding="utf-8")
    return dr.load(path, variants=variants, options=options)


def start(text: str, *variants: str, players: int = 2, seed: int = 1, **more: Any) -> dr.Match:
    options = more.pop("options", None)
    diary = more.pop("diary", True)
    return game(text, *variants, options=options, diary=diary).start(players, seed=seed, check=True, **more)


def refusal(text: str, *variants: str, diary: bool = True) -> dict[str, str]:
    """What the checker says about rules that do not hold together: code to message."""
    try:
        game(text, *variants, diary=diary)
    except dr.SpecError as error:
        return {d.code: d.message for d in error.diagnostics}
    return {}


def value(match: dr.Match, name: str, seat: int = 1) -> Any:
    """A state, as a seat sees it."""
    return match.view(seat)["states"][name]


def diary(match: dr.Match) -> int:
    return int(value(match, "diary"))


def place(match: dr.Match, name: str, seat: int = 1) -> Any:
    return match.view(seat)["places"][name]


def labels(match: dr.Match) -> list[str]:
    assert match.decision is not None
    return [option.label for option in match.decision.options]


def keys(match: dr.Match) -> list[Any]:
    """What is offered, without the name of the variable."""
    assert match.decision is not None
    return [option.key[-1] for option in match.decision.options]


def pick(match: dr.Match, *choices: Any) -> dr.Match:
    """Choose by key, in order; gives the match back."""
    for choice in choices:
        offered = keys(match)
        assert choice in offered, f"{choice} is not among {offered}"
        match.choose(offered.index(choice))
    return match


def play_out(match: dr.Match, seed: int = 1, limit: int = 2000) -> int:
    """Play at random to the end; the number of decisions."""
    random = Random(seed)
    count = 0
    while not match.over and count < limit:
        assert match.decision is not None
        match.choose(random.randrange(len(match.decision.options)))
        count += 1
    return count


def failed_scenarios(rules: dr.Game) -> list[str]:
    return [f"{o.scenario.name}: {o.problem}" for o in run_scenarios(rules) if not o.ok]
