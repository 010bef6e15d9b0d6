"""A condition may ask of its own loop variable what it then relies on; a phase may be named by `decides`."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
from dragonrules.interpreter.play.scenarios import run_scenarios

SPEC = """
game "Roles" for 2 players:
    "Take a role."

kinds Role: cook, guest
each player has:
    state role: Role or none = none

define taken = {p.role for p in players where p.role != none}
always different: count(taken) = count(p for p in players where p.role != none)

phase Roles:
    turns Round p:
        choose r in Role where r not in taken else finish players
        set my.role = r

scenario "somebody has a role":
    when:
        player(1) chooses guest
    then:
        player(2) decides Roles
        check taken = {guest}
"""


def test_scenario_holds(tmp_path: Path) -> None:
    path = tmp_path / "roles.dragon"
    path.write_text(SPEC, encoding="utf-8")
    assert [o.problem for o in run_scenarios(dr.load(path))] == [None]
