"""Talks against the clock: real seconds where there is one, words where there is not."""

from __future__ import annotations

from dragonrules.cli.table.session import Session
from dragonrules.interpreter.play.clocks import running_clock

from .paper import Paper, at_table, played


def talking(pace: float, *, clock: bool = True) -> tuple[Session, Paper]:
    """Three people at the moment when they begin to share a hoard; every answer takes so many seconds."""
    session, paper = at_table("dragons_gold", "human", "human", "human", seed=2, pace=pace, clock=clock)
    match = session.match
    while match.decision is not None and match.decision.rule != "divide":
        match.choose(0)
    session.looking = match.state.player + 1
    return session, paper


def test_a_clock_runs_around_the_talk_and_not_before() -> None:
    session, _ = at_table("dragons_gold", "human", "human", "human", seed=2)
    assert running_clock(session.match) is None
    session, _ = talking(0)
    clock = running_clock(session.match)
    assert clock is not None
    assert (clock.name, clock.seconds, clock.used) == ("Talk", 60, 5)


def test_the_seconds_are_shown_and_running_out_is_logged() -> None:
    session, paper = talking(21)
    paper.answers = ["pass", "", "pass", "", "pass", ""]
    assert not played(session)
    assert ["expire"] in session.match.log
    assert "60 s" in paper.corners
    assert "18 s" in paper.corners
    passes = [entry for entry in session.match.log if entry[0] == "choose" and entry[2] == ["offer", "pass"]]
    assert len(passes) == 1  # 21 s for the pass, 21 s for handing over, 21 s too many
    assert running_clock(session.match) is None


def test_running_out_is_told() -> None:
    session, paper = talking(61)
    paper.answers = [""]
    assert not played(session)
    assert any("Time is up" in line for page in paper.pages for line in page)


def test_without_the_clock_words_are_counted() -> None:
    session, paper = talking(1000, clock=False)
    paper.answers = ["pass", ""] * 30
    assert not played(session)
    passes = [entry for entry in session.match.log if entry[0] == "choose" and entry[2] == ["offer", "pass"]]
    assert ["expire"] not in session.match.log
    assert len(passes) == 12
    assert paper.corners == []


def test_a_second_talk_has_a_clock_of_its_own() -> None:
    session, paper = talking(1)
    first = session.deadline()
    paper.time = 50
    assert session.deadline() == first
    session.match.expire()
    session._started = None if session.deadline() is None else session._started
    while session.match.decision is not None and session.match.decision.rule != "divide":
        session.match.choose(0)
        session.deadline()
    assert session.deadline() == 110
