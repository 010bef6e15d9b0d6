"""What is shown for the time of a block is hidden again, however the block is left; also in and around
small rules, which are written into their callers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dragonrules as dr
import pytest

from ..differential.lockstep import Lockstep

SPEC = """\
game "Left" for 2 players
component Card:
    value: 1..4
rows Card:
    | value |
    | 1..4  |
state n: 1..3 = 1
each player has: place hand: bag of Card, seen by owner
setup: for c in Card: move c to player(1).hand
RULESphase Play:
    repeat up to 3:
        as player(1):
            choose m in 1..3
            set n = m
        BODY
        as player(2): choose z in 1..2
    finish {}
"""

RULES = {
    "small": """\
rule small(way: 1..3):
    if way = 1: return
    as player(2): choose b in 1..2
""",
    "showing": """\
rule showing(way: 1..3):
    show player(1).hand to {player(2)}:
        if way = 1: return
        as player(2): choose b in 1..2
        if way = 2: return
        as player(2): choose c in 1..2
""",
    "twice": """\
rule twice(way: 1..3):
    showing(way)
    if way = 2: return
    showing(way)
""",
    "around": """\
rule around(way: 1..3):
    show player(1).hand to {player(2)}:
        small(way)
        if way = 2: return
        as player(2): choose d in 1..2
""",
}
USED = {"twice": ["twice", "showing"], "around": ["around", "small"]}
"""A rule that is called in one place only is written into its caller."""

BODIES = [
    "show player(1).hand to {player(2)}: small(n)",
    "showing(n)",
    "twice(n)",
    "show player(1).hand to {player(2)}: twice(n)",
    "around(n)",
    "for k in 1..2: showing(n)",
    "if n > 0: show player(1).hand to {player(2)}:\n            small(n)\n            if n = 3: skip",
]


@pytest.mark.parametrize("body", BODIES)
def test_hidden_again(body: str, tmp_path: Path) -> None:
    path = tmp_path / "left.dragon"
    called = next(name for name in RULES if f"{name}(n)" in body)
    rules = "".join(RULES[name] for name in USED.get(called, [called]))
    path.write_text(SPEC.replace("BODY", body).replace("RULES", rules), encoding="utf-8")
    game = dr.load(path)
    for first in range(3):
        both = Lockstep(game, 2, 1)
        while not both.over:
            name = both.mine.decision.name
            if name in ("m", "z"):
                assert not cards_seen(both.theirs)
            else:
                assert cards_seen(both.theirs)
            both.choose(first if name == "m" else 0)


def cards_seen(match: Any) -> bool:
    return "value" in repr(match.view(2)["places"]) or "Card#" in repr(match.view(2)["places"])


@pytest.mark.parametrize("waits", [False, True])
def test_what_is_revealed_in_the_block_of_a_show_stays_open_to_others(waits: bool, tmp_path: Path) -> None:
    """Also where nobody waits inside; to whom the block let look, it is closed."""
    wait = "as player(2): choose b in 1..2" if waits else "nothing"
    path = tmp_path / "stays.dragon"
    path.write_text(
        'game "Stays" for 3 players\nstate s: 0..3 = 2, seen by nobody\nphase Play:\n'
        f"    show s to {{player(1)}}:\n        reveal s to {{player(1), player(2)}}\n        {wait}\n"
        "    as player(1): choose z in 1..2\n    set s = 3\n    as player(1): choose y in 1..2\n",
        encoding="utf-8",
    )
    both = Lockstep(dr.load(path), 3, 1)
    while not both.over:
        seen = [viewer for viewer in (1, 2, 3) if "s" in both.theirs.view(viewer)["states"]]
        assert seen == ([1, 2] if both.mine.decision.name == "b" else [2])
        both.choose(0)
