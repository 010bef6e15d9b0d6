"""What can be typed besides a choice."""

from __future__ import annotations

import dragonrules as dr
import pytest
from dragonrules.interpreter.table.topics import about, topics
from dragonrules.interpreter.table.words import Words

from .paper import Paper, at_table


def asked(game: str, *answers: str, seats: tuple[str, ...] = ("human", "random"), **paper: object) -> Paper:
    from .paper import played

    session, screen = at_table(game, *seats, answers=answers, **paper)  # type: ignore[arg-type]
    assert not played(session)
    return screen


def shown(paper: Paper) -> str:
    return "\n".join(line for page in paper.pages for line in page)


def test_a_hint_is_one_of_the_options() -> None:
    paper = asked("drakon", "hint")
    told = next(line for line in paper.pages[-1] if line.startswith("greedy would take "))
    assert told.removeprefix("greedy would take ").rstrip(".") in "\n".join(paper.pages[-1][-4:])
    assert "there is no player `wizzard`" in asked("drakon", "hint wizzard").text


def test_the_rules_are_listed_and_shown_as_they_are_written() -> None:
    text = shown(asked("ryu", "rules", "", "q"))
    assert "What you can do" in text
    assert "Explore" in text
    paper = asked("ryu", "rules explore", "", "", "")
    text = shown(paper)
    assert "action explore in act:" in text
    assert 'because "exploring costs a yellow cube"' in " ".join(text.split())
    assert "ryu.dragon:" in text
    assert "](" not in text
    assert "The rules have nothing about `nonsense`" in shown(asked("ryu", "rules nonsense", ""))


def test_a_question_is_explained_in_the_words_of_the_rulebook() -> None:
    text = shown(asked("dragon_keeper", "?", ""))
    assert "Fly the dragon:" in text
    assert text.index("something lies on the space (if not: no adventurer") < text.index("[DK-19, DK-23,")
    assert "the dragon flies along its row" in text
    assert "dragon_keeper.dragon:" not in text
    assert "`? source` shows how it is written" in text


def test_the_source_of_a_question_is_shown_on_demand() -> None:
    text = shown(asked("dragon_keeper", "? source", ""))
    assert "by rule fly [DK-19" in text
    assert "dragon_keeper.dragon:" in text
    assert "rule fly(" in text


def explained(game: str, name: str) -> str:
    return " ".join(shown(asked(game, f"? {name}", "")).split())


@pytest.mark.parametrize("name", ["magical shift", "Magical_Shift", "the magical shift", "magicl shfit"])
def test_a_thing_is_explained_by_its_name_however_it_is_typed(name: str) -> None:
    text = explained("drakon", name)
    assert "Magical shift happens by itself A chamber" in text
    assert "A chamber in the lair may be exchanged for one out of your hand." in text
    assert "if the chamber's effect is magical shift: you may do this: Shift chamber. [DRA-80]" in text


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("move the hero", "Move the hero action Follow an arrow out of the chamber"),
        ("chamber", "- Magical shift: arrows N, N S, N E, count 3"),
        ("coin", "- One-gold coin: count 10"),
        ("drakon", "Drakon piece She begins off the table."),
        ("purse", "Purse place Holds coins, a heap without order. Who sees it: its owner. [DRA-06]"),
        ("goal", "Goal option The gold that sets a hero free. 1 to 84; usually 10. [DRA-109]"),
        ("effect", "Effect kinds Start, blank,"),
        ("strong wind", "Strong Wind: two steps at once."),
        ("master key", "It has no arrows. From here you may leave by any side."),
        ("quiet", "Turns in a row with all hands empty in which no coin changed hands."),
    ],
)
def test_everything_in_a_game_can_be_asked_about(name: str, said: str) -> None:
    assert said in explained("drakon", name)


def test_a_name_that_several_things_have_in_theirs_lists_them() -> None:
    text = explained("drakon", "place")
    assert "Several things have `place` in their names: place a chamber, placed, can place." in text


def test_an_unknown_name_gets_the_nearest_ones() -> None:
    text = explained("drakon", "magic shed")
    assert "The rules have nothing called `magic shed`. Do you mean `" in text
    assert "`magical shift`" in text
    assert "Do you mean" not in explained("drakon", "qqqq")


@pytest.mark.parametrize("game", ["drakon", "dragon_keeper", "dragons_gold", "ryu"])
def test_every_name_has_something_said_of_it(game: str) -> None:
    match = dr.load(game).start(seed=1)
    words = Words.of(match)
    for topic in topics(match, words):
        lines = [str(getattr(line, "plain", line)) for line in about(match, words, topic.name)]
        assert len(lines) > 1, topic.name
        assert not lines[0].startswith(("The rules have nothing", "Several things")), topic.name


def test_why_not_names_the_requirement_and_its_line() -> None:
    paper = asked("dragon_keeper", "why c3")
    assert "c3: the dragon must move (" in paper.text
    assert "dragon_keeper.dragon:" in paper.text


def test_looking_at_one_place_and_at_the_whole_table() -> None:
    text = shown(asked("drakon", "look hand", "", seats=("human", "random", "random")))
    assert "Your hand: " in text
    assert "Player 3's hand: 4 face down" in text
    assert "There is no place called `nowhere`." in shown(asked("drakon", "look nowhere", ""))
    whole = asked("drakon", "look", "", lines=60)
    assert any("Player 2 hand 4" in line for line in whole.pages[-3])


def test_the_log_tells_what_the_seat_has_noticed() -> None:
    text = shown(asked("dragon_keeper", "1", "1", "log all", "", "", "", "", ""))
    assert "Your turn." in text
    assert "Your dragon" not in text
    assert "Dragon stands on" in text


def test_help_names_every_command() -> None:
    from dragonrules.cli.table.typed import COMMANDS, HELP

    paper = asked("tic_tac_toe", "help", "")
    assert "why TEXT" in shown(paper)
    assert {name for name in COMMANDS.values() if name not in HELP} == {"help", "explain"}


def test_long_answers_are_read_page_by_page() -> None:
    paper = asked("ryu", "rules", "q")
    assert any("Enter for the next page" in prompt for prompt in paper.prompts)
    assert all(len(page) <= 24 for page in paper.pages)
