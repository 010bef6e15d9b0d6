"""A small game to measure: it has scores, chance, choices and an option; and ways to break it."""

from __future__ import annotations

from pathlib import Path

RACE = """\
game "Race" for 2 to 4 players:
    "Walk or run to the goal."

option goal: 3..30 = 10
    "Steps to the goal."

option draw_at: 0..99 = 0
    "After so many turns it is a draw; 0 for never."

each player has:
    state steps: 0..60 = 0

score(p: player) = p.steps

phase Play:
    turns Round p:
        step act: offer turn_action

action walk in turn_action:
    change my.steps by 1

action sprint in turn_action:
    roll n in 0..3
    change my.steps by n

action rest in turn_action:
    require goal > 29 because "there is no time to rest"
    nothing

ending there for p in players when p.steps >= goal: finish {p}
ending tired before turn when draw_at > 0 and turn_number > draw_at: finish {}
"""

FAR = """\
variant "Far" of race:
    "Twice as far."
    set goal = 20
"""

HASTY = """\
variant "Hasty" of race:
    "Whoever sprints too far falls off the track."
    replace action sprint in turn_action:
        roll n in 0..3
        set my.steps = my.steps + n * 20
"""

WRONG = """\
variant "Wrong" of race:
    set gaol = 20
"""


def race(folder: Path) -> Path:
    """The game in a folder, with its variants beside it."""
    path = folder / "race.dragon"
    path.write_text(RACE, encoding="utf-8")
    (folder / "variants").mkdir(exist_ok=True)
    for name, text in (("far", FAR), ("hasty", HASTY), ("wrong", WRONG)):
        (folder / "variants" / f"race_{name}.dragon").write_text(text, encoding="utf-8")
    return path
