"""The room as a state machine: whatever is sent, in whatever order, only what the rules allow happens."""

from __future__ import annotations

from random import Random

import pytest
from dragonrules.interpreter.play.asking import cells_of
from dragonrules.interpreter.table.room import HUMAN, STALE, Room
from hypothesis import given, settings
from hypothesis import strategies as st

from .pages import decide, room_of

ACTS = st.lists(
    st.tuples(
        st.sampled_from(
            ["choose", "again", "stale", "foreign", "undo", "back", "why", "reload", "bot", "pause"]
        ),
        st.integers(0, 1000),
    ),
    max_size=40,
)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(["tic_tac_toe", "leduc_poker", "drakon"]), ACTS)
def test_whatever_is_sent_the_match_follows_the_rules(game: str, acts: list[tuple[str, int]]) -> None:
    """The log is always that of a match that can be played, and grows by what was accepted alone."""
    room = room_of(game, seed=9)
    last = (1, 0, 0)
    for act, number in acts:
        asked, before = room.match.asked, [list(entry) for entry in room.match.log]
        options = len(room.match.decision.options) if room.match.decision else 1
        changed, grows = False, False
        if asked is None:
            break
        match act:
            case "choose":
                last = (asked, room.question(asked), number % options)
                changed = room.choose(*last).changed
                assert changed != (room.paused or room.chairs[asked - 1].kind != HUMAN)
                grows = changed
            case "again":  # the same message once more
                fresh = last[1] == room.question(last[0]) and asked == last[0] and last[2] < options
                changed = grows = room.choose(*last).changed
                assert not changed or fresh
            case "stale":
                assert not room.choose(asked, room.question(asked) - 1 - number, 0).changed
            case "foreign":
                other = asked % room.match.players + 1
                assert not room.choose(other, room.question(other), 0).changed
            case "undo" | "back":
                changed = room.undo(number % room.match.players + 1, whole=act == "undo").changed
            case "why":
                room.why_not(
                    asked, ("thing Card#1", "space board 1 1", "x", "player 9", "action pass")[number % 5]
                )
            case "reload":
                room.page(number % (room.match.players + 1) or None)
            case "bot":
                room.seat(number % room.match.players + 1, "random" if number % 2 else HUMAN)
                continue
            case "pause":
                room.pause(0.0, on=bool(number % 2))
                continue
        now = room.match.log
        if not changed:
            assert now == before, act
        elif grows:
            assert now[: len(before)] == before and len(now) > len(before)
        else:
            assert len(now) < len(before) or now == before or now[: len(now)] != before
    twin = room.match.game.start(room.match.players, seed=room.match.seed, chance="ask")
    twin.replay(room.match.log)
    assert twin.over == room.match.over


def test_old_answers_are_told_so() -> None:
    room = room_of("tic_tac_toe")
    question = room.question(1)
    assert room.choose(1, question, 0).changed
    assert room.choose(2, room.question(2), 0).changed
    reply = room.choose(1, question, 0)
    assert not reply.changed and reply.words == STALE


@pytest.mark.parametrize("index", [-1, 9, 10**9, "0", None, 0.0, True, [0]])
def test_indices_are_checked(index: object) -> None:
    room = room_of("tic_tac_toe")
    assert not room.choose(1, room.question(1), index).changed
    assert room.match.log == []


def test_undo_stops_where_somebody_else_has_decided() -> None:
    room = room_of("tic_tac_toe")
    room.choose(1, room.question(1), 4)
    assert room.undo(1, whole=True).changed
    assert room.match.log == []
    room.choose(1, room.question(1), 4)
    room.choose(2, room.question(2), 0)
    assert not room.undo(1, whole=True).changed, "the other one has answered that move"
    assert room.undo(2, whole=True).changed


def test_undo_goes_behind_bots_where_there_are_no_secrets() -> None:
    room = room_of("tic_tac_toe", kinds=[HUMAN, "random"])
    room.choose(1, room.question(1), 4)
    assert room.bot_due == 2
    assert room.decided(2, room.position, 0).changed
    assert room.undo(1, whole=True).changed
    assert room.match.log == []


def test_a_bot_that_thought_too_long_is_ignored() -> None:
    room = room_of("tic_tac_toe", kinds=[HUMAN, "random"])
    room.choose(1, room.question(1), 4)
    old = room.position
    assert room.undo(1, whole=True).changed
    assert not room.decided(2, old, 0).changed
    assert not room.decided(2, room.position, 0).changed, "it is not its turn"


def test_why_not_says_what_forbids_it_without_paths() -> None:
    room = room_of("tic_tac_toe")
    room.choose(1, room.question(1), 4)
    words = room.why_not(2, "space board 2 2").words
    assert "Taken" in words
    assert ".dragon" not in words and "/" not in words
    assert room.why_not(2, "space board 1 1").words == "You may choose that."
    assert room.why_not(1, "space board 1 1").words == "You are not asked at the moment."
    for nonsense in (
        "",
        "space",
        "space board x y",
        "thing Card#1",
        7,
        None,
        "x" * 5000,
        "space board 99 99",
    ):
        room.why_not(2, nonsense)


def test_names_are_cleaned_and_told_apart() -> None:
    room = room_of("tic_tac_toe")
    assert room.rename(1, "  Anna \n\t Lena " + "x" * 60).changed
    assert room.chairs[0].name.startswith("Anna Lena x") and len(room.chairs[0].name) == 24
    assert room.rename(1, "Anna").changed
    for taken in ("anna", "you", "player 1"):
        assert not room.rename(2, taken).changed
    assert not room.rename(2, 7).changed
    assert "Anna" in room.page(2)["others"]


def test_shares_are_said_at_once() -> None:
    """A vector is filled in as a table; a number that cannot be is told with its bounds."""
    room, rng = room_of("dragons_gold", seed=6), Random(3)
    for _ in range(400):
        if room.match.over or len([c for c in cells_of(room.match) if c.value is None]) > 1:
            break
        decide(room, rng)
    cells = [c for c in cells_of(room.match) if c.value is None]
    assert len(cells) > 1, "no vector came up"
    seat = room.match.asked
    assert seat is not None
    before = len(room.match.log)
    assert "data-cell" in room.page(seat)["ask"]
    refused = room.fill(seat, room.question(seat), [99] * len(cells))
    assert not refused.changed and " to " in refused.words
    assert not room.fill(seat, room.question(seat), [0]).changed or len(cells) == 1
    assert len(room.match.log) == before


def test_time_runs_on_the_server() -> None:
    room = room_of("dragons_gold", seed=6)
    rng = Random(3)
    while room.deadline(100.0) is None and not room.match.over:
        decide(room, rng)
    deadline = room.deadline(100.0)
    assert deadline is not None
    assert not room.run_out(deadline - 1).changed
    room.pause(101.0, on=True)
    assert not room.run_out(deadline + 1).changed, "the clock stands still"
    room.pause(111.0, on=False)
    assert room.deadline(111.0) == deadline + 10
    assert room.run_out(deadline + 10).changed
    assert room.match.log[-1] == ["expire"] or ["expire"] in room.match.log


def test_the_end_can_be_gone_through_again() -> None:
    room, rng = room_of("leduc_poker", seed=3), Random(1)
    assert room.past(1, 0) is None, "not while it goes on"
    first = room.page(2)["mine"]
    while not room.match.over:
        decide(room, rng)
    past = room.past(2, 0)
    assert past is not None and past["mine"] == first
    assert room.past(2, "0") is None
    assert room.past(None, 10**9) is not None


def test_a_match_that_is_gone_on_with_can_be_taken_back() -> None:
    room, rng = room_of("drakon", seed=2), Random(4)
    for _ in range(20):
        decide(room, rng)
    again = Room(room.match.fork(), room.kinds)
    assert len(again.forms.steps) > 0
    assert [step.key for step in again.forms.steps][-3:] == [step.key for step in room.forms.steps][-3:]
