"""Leaks that players of other systems know, a rule file each: the first line says what comes of it."""

from __future__ import annotations

import re
from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.cli.rules.file_findings import of_file
from dragonrules.interpreter.rule_sets import Library

FOLDER = Path(__file__).parent / "leaks"
READ = {
    "a_hand_that_nobody_sees": "my.hand",
    "another_cell": "s[2]",
    "another_chest": "b.inside[k]",
    "another_deck": "pack[2]",
    "each_other_in_a_block": "p.hand",
    "others_of_somebody_who_may_be_me": "d",
    "partners_shown_to_each_other": "p.role",
    "revealed_for_good": "player.hand",
    "revealed_to_the_others": "my.hand",
}
"""What the message speaks of."""


def codes_of_secrecy(name: str) -> list[tuple[str, str]]:
    """The errors and warnings about secrets, with the code that each speaks of."""
    found = of_file(FOLDER / f"{name}.dragon", Library()).told
    return [
        (d.code, re.findall("`([^`]*)`", d.message)[0])
        for d in found
        if d.code.startswith("D04") and d.severity != "note" and d.code not in ("D0408", "D0403", "D0409")
    ]


def test_each_file_is_looked_at() -> None:
    assert {path.stem for path in FOLDER.glob("*.dragon")} == {*READ, "twins"}


@pytest.mark.parametrize("name", READ)
def test_it_is_found(name: str) -> None:
    wanted = (FOLDER / f"{name}.dragon").read_text(encoding="utf-8")[2:7]
    assert codes_of_secrecy(name) == [(wanted, READ[name])]


def test_a_twin_does_not_tell_which_was_seen_before() -> None:
    """What player 2 reads has no more in it than guards and a king, whichever guards they truly were."""
    rules = dr.load(FOLDER / "twins.dragon")
    stories: dict[str, set[str]] = {}
    played = set()
    for seed in range(60):
        match = rules.start(2, seed=seed)
        match.choose(0)
        played.add(tuple(map(str, match.log)))
        read = repr(match.observations(2))
        ranks = re.sub(r"Card#(\d)", lambda name: "king" if name[1] == "4" else "guard", read)
        stories.setdefault(ranks, set()).add(read)
    assert len(played) > 2 * len(stories), "different guards were dealt"
    assert [len(told) for told in stories.values()] == [1] * len(stories)
