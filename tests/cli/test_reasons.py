"""Why something cannot be chosen, hints, forced menus, and tiles told as they lie."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.interpreter.table.text import Line
from dragonrules.interpreter.table.words import Words

from .paper import at_table, loaded, played

CAVES = """\
game "Caves" for 2 players
kinds Cave: hall, pit, vault, lake, shaft
state spot: Cave = hall
state lamp: yes/no = no

define next_to(c: Cave) = {pit, vault} if c = hall else {hall}
    "From the hall to the pit or the vault, from there back."
define lit(c: Cave) = {d for d in Cave where lamp and d != c}
look lit: says "the caves that the lamp shows from {c}"
define ways(c: Cave) = lit(c) if lamp else next_to(c)

phase Play:
    turns Round p: offer walk

action go in walk:
    choose c in ways(spot)
    set spot = c

action dig in walk:
    require spot = pit because "one can dig only in the pit"
    nothing

action light in walk:
    choose n in {k for k in 1..3 where k > 9}
    set lamp = yes
"""


def caves(tmp_path: Path, text: str = CAVES) -> dr.Match:
    path = tmp_path / "caves.dragon"
    path.write_text(text, encoding="utf-8")
    return dr.load(path).start(2, seed=1)


def test_the_definition_that_decides_is_told(tmp_path: Path) -> None:
    """`ways` calls `next_to`, as there is no lamp, and that one says what can be chosen."""
    match = caves(tmp_path)
    match.choose("go")
    assert [option.label for option in match.decision.options] == ["pit", "vault"]  # type: ignore[union-attr]
    assert match.why_not("lake") == (
        "it is not an option here, only the next to of the spot. "
        "From the hall to the pit or the vault, from there back (caves.dragon:16)"
    )
    assert match.why_not("nowhere") == "it is not an option here (caves.dragon:16)"
    assert match.why_not("pit") is None


def test_what_fails_for_one_of_several(tmp_path: Path) -> None:
    match = caves(tmp_path, CAVES.replace("lamp: yes/no = no", "lamp: yes/no = yes"))
    match.choose("go")
    assert match.why_not("hall") == "it is not an option here: it is the spot (caves.dragon:16)"


def test_nothing_to_choose_from(tmp_path: Path) -> None:
    reason = caves(tmp_path).why_not("light")
    assert reason is not None and reason.startswith("nothing to choose from: ")
    assert reason.endswith("(caves.dragon:24)")


@pytest.mark.parametrize("game", ["drakon", "dragon_keeper", "ryu", "dragons_gold"])
def test_reasons_name_files_not_folders(game: str) -> None:
    match = loaded(game).start(3, seed=2)
    for _ in range(40):
        decision = match.decision
        assert decision is not None
        key = decision.options[0].key[0]
        told = [match.why_not(choice) for choice in ("move_hero", "Chamber#9", (key, "Chamber#9"), "b2", "7")]
        assert not any("/" in reason for reason in told if reason is not None)
        match.choose(match.decisions % len(decision.options))


def test_where_no_arrow_leads() -> None:
    match = loaded("drakon").start(2, seed=3)
    while match.turn < 1:
        match.choose(0)
    reason = match.why_not("move_hero")
    assert reason is not None
    assert reason.startswith(
        "nothing to choose from: the chambers reached from the chamber of your hero along the arrows"
    )


def test_a_chamber_in_sight_that_cannot_be_reached() -> None:
    session, paper = at_table("drakon", "human", "human", seed=3)
    match = session.match
    while match.decision is not None and (
        match.decision.rule != "move_hero"
        or len(match.decision.options) < 2
        or any("Start" in option.label for option in match.decision.options)
    ):
        keys = [option.key[-1] for option in match.decision.options]
        moves = "move_hero" in keys and match.turn % 2
        match.choose(keys.index("move_hero") if moves else match.decisions * 7 % len(keys))
    session.looking = match.state.player + 1
    paper.answers = ["why start", "quit"]
    assert not played(session)
    assert "start: it is not an option here, only the chambers reached from the chamber" in " ".join(
        paper.text.split()
    )


# ---------------------------------------------------------------- hints and forced menus
def test_a_hint_in_a_table_is_what_one_types() -> None:
    session, paper = at_table("dragons_gold", "human", "human", "human", seed=2, clock=False)
    match = session.match
    while match.decision is not None and not match.decision.cell:
        wanted = [option.index for option in match.decision.options if option.key[-1] == "propose"]
        match.choose(wanted[0] if wanted else 0)
    session.looking = match.state.player + 1
    asked = session.question(match.decision)  # type: ignore[arg-type]
    assert asked.numbers
    paper.answers = ["hint", "quit"]
    assert not played(session)
    hint = next(line for page in paper.pages for line in page if line.startswith("greedy would take "))
    assert hint.removeprefix("greedy would take ").rstrip(".") in [label.plain for label in asked.labels]


def test_a_menu_that_leaves_no_choice_says_so() -> None:
    session, paper = at_table("drakon", "human", "random", seed=3, answers=["1"], lines=50)
    assert not played(session)
    text = " ".join(paper.text.split())
    assert "Only possible: place a chamber." in text
    assert (
        "Not move the hero: nothing to choose from: the chambers reached from the chamber of your hero"
        in text
    )


def test_the_next_person_is_not_told_what_was_not_possible() -> None:
    session, _ = at_table("drakon", "human", "human", seed=3)
    session.told_forced = [Line("Only possible: place a chamber.")]
    session.people = [1]
    session.hand_over(2)
    assert session.told_forced == []


# ---------------------------------------------------------------- as it lies
def test_exits_are_told_as_a_tile_lies() -> None:
    match = loaded("drakon").start(2, seed=5)
    for _ in range(60):
        assert match.decision is not None
        match.choose(match.decisions % len(match.decision.options))
    words = Words(match.state.engine)
    printed = Words(match.state.engine)  # knows of no position
    words.view = match.view(1)
    compass = "NESW"
    lying = match.view(1)["places"]["lair"]["contents"]
    assert {turned for _, _, turned in lying} > {0, 1}
    for name, _, turned in lying:
        told, before = words.thing(name).split(), printed.thing(name).split()
        exits = [way for way in before if way in compass]
        as_it_lies = {compass[(compass.index(way) + turned) % 4] for way in exits}
        assert {way for way in told if way in compass} == as_it_lies
        assert [word for word in told if word not in compass] == [w for w in before if w not in compass]


@pytest.mark.parametrize("before", [["knight"], ["knight", "blank"]])
def test_why_looks_back_at_a_menu_that_left_no_choice(before: list[str]) -> None:
    """Also when a part of the move has been answered."""
    session, paper = at_table("drakon", "human", "greedy", seed=5)
    paper.answers = [*before, "why move the hero", "quit"]
    assert not played(session)
    assert " move the hero: nothing to choose from: the chambers reached from" in " ".join(paper.text.split())
