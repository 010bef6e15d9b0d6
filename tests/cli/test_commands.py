"""What can be typed besides a choice."""

from __future__ import annotations

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


def test_a_question_is_explained_with_the_words_of_its_rule() -> None:
    text = shown(asked("dragon_keeper", "?", ""))
    assert "by rule fly [DK-19" in text
    assert "The dragon flies along mark 1" in text
    assert "dragon_keeper.dragon:" in text


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
