"""A look leaves out what a component does not have."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr

SPEC = """
game "Looks" for 1 player:
    "Pick a card."

kinds Power: fire, deep_water
component Card:
    value: 1..2
    power: Power or none
rows Card:
    | value | power      |
    | 1     | none       |
    | 2     | deep_water |
look Card: "{value} {power}"

phase Play:
    turns Round p:
        choose c in Card
        finish {me}
"""


def test_none_is_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "looks.dragon"
    path.write_text(SPEC, encoding="utf-8")
    decision = dr.load(path).start().decision
    assert decision is not None
    assert [option.label for option in decision.options] == ["1", "2 deep water"]
