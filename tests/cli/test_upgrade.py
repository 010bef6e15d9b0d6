"""`upgrade`: older forms said the newer way, with the same meaning."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr

from .command import dragonrules, written

OLD = """\
game "Old" for 2 players

component Card count 6

place pile: stack of Card
place niche: slot of Card
place line: row of Card

state told_of: 0..9 = 0

rule ready() -> yes/no: return count(pile) = 0
rule told(): nothing

trigger heard after told(): set told_of = (told_of + 1) mod 10

action rest in deed: nothing                                    [OLD-3]

action go in deed:
    draw 2 from pile to line else nothing  # as many as there are
    let ok = ready()
    if ok: told()
    let fine = ready()
    if not fine:
        told()
        show line to me: nothing
    for c in {top(pile)}:
        move c to line
    for d in {top(pile)}: skip
    if niche = {} and count(line) > 0: told()
    if count(niche) != 0: told()

setup: move all from box(Card) to pile

phase Play:
    turns Round p:
        offer deed
        if turn_number = 8: finish {p}
"""
NEW = """\
game "Old" for 2 players

component Card count 6

place pile: stack of Card
place niche: slot of Card
place line: row of Card

state told_of: 0..9 = 0

rule ready() -> yes/no: return pile = {}
rule told()

trigger heard after told(): set told_of = (told_of + 1) mod 10

action rest in deed                                             [OLD-3]

action go in deed:
    draw up to 2 from pile to line  # as many as there are
    if ready(): told()
    if not ready():
        told()
        show line to me
    if let c = top(pile):
        move c to line
    for d in {top(pile)}: skip
    if niche = none and line != {}: told()
    if niche != none: told()

setup: move all from box(Card) to pile

phase Play:
    turns Round p:
        offer deed
        if turn_number = 8: finish {p}
"""


def test_older_forms_are_said_the_newer_way(tmp_path: Path) -> None:
    path = written(tmp_path, old=OLD)
    result = dragonrules("upgrade", "--diff", path)
    assert result.exit_code == 1
    assert path.read_text() == OLD
    result = dragonrules("upgrade", path)
    assert result.exit_code == 0
    assert path.read_text() == NEW
    assert result.stderr == f"upgraded {path}\n11 places in 1 file\n"
    assert dragonrules("upgrade", path).stderr == "0 places in 0 files\n"


def test_they_mean_the_same(tmp_path: Path) -> None:
    games = [dr.load(written(tmp_path, **{name: text})) for name, text in (("old", OLD), ("new", NEW))]
    for seed in range(3):
        matches = [game.start(seed=seed) for game in games]
        while not matches[0].over:
            for match in matches:
                assert match.decision is not None
                match.choose((seed + len(match.log)) % len(match.decision.options))
            assert (
                len({str(match.view(1)["places"]) + str(match.view(1)["states"]) for match in matches}) == 1
            )
        assert all(match.over for match in matches)
