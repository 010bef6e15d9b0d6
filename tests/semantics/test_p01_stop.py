"""P1. `stop X` drops everything up to the loop or phase X, and closes what was open in between."""

from __future__ import annotations

import pytest

from .table import diary, pick, place, refusal, start, value

NESTED = """
place hidden: bag of Gem, seen by nobody
token Gem: gem 1
state short: 0..9 = 0 until Inner ends
rule outer():
    note_down(2)
    repeat Inner up to 3:
        set short = 5
        show hidden to all:
            as player(2): inner()
            note_down(9)
    note_down(9)
rule inner():
    note_down(3)
    show hidden to all:
        {call}
    note_down(9)
rule stop_it():
    {ask}
    note_down(4)
    stop Outer
trigger t after inner(): note_down(9)
trigger u after stop_it(): note_down(9)
setup: move all from box(Gem) to hidden
phase Play:
    let kept = 6
    repeat Outer up to 3:
        note_down(1)
        outer()
        note_down(9)
    note_down(5)
    note_down(kept)
    as player(1):
        offer:
            "go on": nothing
"""
ASK = 'offer:\n        "yes": nothing'


@pytest.mark.parametrize(
    ("ask", "call"),
    [("nothing", "stop_it()"), (ASK, "stop_it()"), ("nothing", "note_down(4)\n        stop Outer")],
)
def test_frames_are_dropped_and_scopes_closed(ask: str, call: str) -> None:
    match = start(NESTED.replace("{ask}", ask).replace("{call}", call))
    assert match.decision is not None
    if match.decision.player == 2:
        pick(match, "yes")
    assert diary(match) == 123456, "no remaining statements, no `after` triggers"
    assert place(match, "hidden") == {"size": 1}, "`show` is undone"
    assert value(match, "short") == 0, "`until Inner ends` is reset"
    assert match.decision.player == 1


def test_a_turn_that_is_stopped_has_no_after_triggers_but_its_resets() -> None:
    match = start(
        """
    state drunk: yes/no = no until turn ends
    trigger late after turn(p): note_down(9)
    phase Play:
        let kept = 7
        turns Round p:
            set drunk = yes
            leave()
        note_down(kept)
        if not drunk: note_down(2)
        as player(1):
            offer:
                "go on": nothing
    rule leave():
        note_down(1)
        stop Round
    """.replace("\n    ", "\n")
    )
    assert diary(match) == 172


def test_a_phase_can_be_stopped() -> None:
    match = start("""
state busy: yes/no = no until Work ends
phase Work:
    set busy = yes
    as player(1): work()
    note_down(9)
rule work():
    offer:
        "stop": stop Work
phase Rest:
    if not busy: note_down(1)
    as player(1): work_again()
rule work_again():
    offer:
        "on": nothing
""")
    assert diary(pick(match, "stop")) == 1


@pytest.mark.parametrize("scope", ["together q in players", "atomic"])
def test_not_out_of_together_or_atomic(scope: str) -> None:
    told = refusal(f"""
phase Play:
    repeat Loop up to 3:
        {scope}:
            stop Loop
""")
    assert "D0405" in told
    told = refusal(f"""
phase Play:
    repeat Loop up to 3:
        {scope}:
            leave()
rule leave(): stop Loop
""")
    assert "D0405" in told


def test_the_scope_must_be_open_wherever_the_rule_is_called() -> None:
    rules = """
phase Play:
    repeat Loop up to 3:
        leave()
    {again}
rule leave(): stop Loop
"""
    assert refusal(rules.replace("{again}", "nothing")) == {}
    assert "D0405" in refusal(rules.replace("{again}", "leave()"))


def test_the_scope_must_be_open_wherever_a_menu_or_trigger_brings_one_to_the_rule() -> None:
    menu = """
phase Play:
    repeat Loop up to 3:
        as player(1): offer deed
    {again}
action leave in deed: stop Loop
"""
    assert refusal(menu.replace("{again}", "nothing")) == {}
    assert "D0405" in refusal(menu.replace("{again}", "as player(1): may deed"))
    trigger = """
phase Play:
    repeat Loop up to 3:
        work()
    {again}
rule work(): nothing
trigger enough after work(): stop Loop
"""
    assert refusal(trigger.replace("{again}", "nothing")) == {}
    assert "D0405" in refusal(trigger.replace("{again}", "work()"))
