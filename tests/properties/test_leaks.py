"""The checker finds a leak exactly where play has one.

Play is looked at in full: all choices and all chance. What a player notices and
is asked, in order, is that player's *story*. A game leaks when two stories are
the same up to a point where one player is asked and the other, who cannot know
the difference, is asked something else or not at all.

What happens in sight as an effect of something hidden is not a leak of a question:
it is told, to all who see it, before anything else is asked. Play must not do that
without a note (D0414, D0412, D0407) of the checker.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any

import dragonrules as dr
import pytest
from attrs import frozen
from dragonrules.grammar import Diagnostic, Report, Source, Span, parse
from dragonrules.interpreter import core
from dragonrules.interpreter.check.game import check
from dragonrules.interpreter.core import CheckedGame, St, bodies
from dragonrules.interpreter.play.game import Game
from dragonrules.interpreter.review.secrecy import information_flow

from .further_leaks import FURTHER
from .leaks import LEAKS, TABLE
from .more_leaks import MORE
from .random_leaks import Writer
from .test_secrecy import ask_anew
from .twins import changes

ALL_LEAKS = LEAKS | MORE | FURTHER
MOST_RUNS = 4000
IN_THE_QUESTION = (
    "the guard of a choice",
    "what is chosen from",
    "an action's requirement",
    "a definition",
    "what lies below the top",
    "a screen that is not lifted",
    "revealed too late",
    "a menu that nobody may know",
    "where a card is",
)
"""Leaks that show when the question is asked again; the others lie in what happened before."""


class TooManyRuns(Exception):
    """A random game that cannot be looked at in full."""


def spec(way: str, *, leaks: bool) -> tuple[Game, Report]:
    dealt, bad, good = ALL_LEAKS[way]
    report = Report()
    text = TABLE + dealt + (bad if leaks else good)
    game = check(parse(Source("leak.dragon", text), report), report)
    assert not report.errors, [d.message for d in report.errors]
    found = Report()
    information_flow(game, found)
    playable = Game(game, "leak", (), {}, "")
    playable._engines[2, True, False, False] = playable.engine(2, watched=True, scenarios=True)
    return playable, found


@pytest.mark.parametrize("way", ALL_LEAKS)
def test_the_checker_and_play_agree(way: str) -> None:
    for leaks in (True, False):
        game, found = spec(way, leaks=leaks)
        assert bool(two_stories(game)) == leaks
        assert [d.code for d in found if d.severity == "error"] == (["D0401"] if leaks else [])


@pytest.mark.parametrize("way", IN_THE_QUESTION)
def test_twins_are_asked_the_same(way: str) -> None:
    """What a player cannot see is changed, and the question asked again."""
    for leaks in (True, False):
        game, _ = spec(way, leaks=leaks)
        assert any(differing_twins(game)) == leaks


def two_stories(game: Game) -> str | None:
    """Where two stories of one player part although that player cannot know why."""
    return next((words for p in partings(game) if "'asked'" in (words := str(p))), None)


@frozen
class Parting:
    """Two or more ways in which the story of one seat goes on, and where somebody is asked in each, or was
    asked before when the seat could not tell at which question play stood."""

    kind: str
    seat: int
    ways: tuple[Any, ...]
    questions: frozenset[Span]

    def __str__(self) -> str:
        return f"player {self.seat + 1}: {' or '.join(sorted(map(str, self.ways)))}"


def partings(game: Game) -> Iterator[Parting]:
    """All places where two stories of one player are the same so far and go on differently.

    - `decision`: one is asked, and the other is asked something else, or nothing any more,
      without having noticed anything in between. The question itself gives a secret away.
    - `told`: one is asked, and the other notices something. It was not the question but
      what happened in sight that told it: a question that follows comes after a
      different story.
    - `waits`: likewise, and what the other notices is that somebody else is asked.
    - `seen`: something is noticed in one, and the other is over.
    """
    follows: dict[tuple[Any, ...], dict[Any, set[Span]]] = {}
    asked: dict[tuple[Any, ...], set[Span]] = {}
    for run, questions in runs(game):
        for seat, story in enumerate(run):
            for end, token in enumerate(story):
                before = (seat, *story[:end])
                places = follows.setdefault(before, {}).setdefault(token, set())
                if (seat, end) in questions:
                    places.add(questions[seat, end])
                    asked.setdefault(before, set()).add(questions[seat, end])
    for before, ways in follows.items():
        kinds = {_kind(token) for token in ways}
        if len([token for token in ways if _kind(token) == "asked"]) > 1 or {"asked", "over"} <= kinds:
            kind = "decision"
        elif len(kinds) > 1:
            kind = "waits" if "waits" in kinds else "told" if "asked" in kinds else "seen"
        else:
            continue
        places = set[Span]().union(*ways.values())
        for end in range(
            1, len(before)
        ):  # two questions that look alike: there the stories had parted unseen
            if len(alike := asked.get(before[:end], set())) > 1:
                places |= alike
        yield Parting(kind, before[0], tuple(ways), frozenset(places))


def _kind(token: Any) -> str:
    return token[0] if token[0] in ("asked", "waits", "over") else "noticed"


def runs(game: Game) -> Iterator[tuple[list[list[Any]], dict[tuple[int, int], Span]]]:
    """Every way that a match can go: for each player the story, and at last that it is over. And for each
    question in it, which sentence of the rules asks."""
    todo: list[Any] = [(game.start(chance="ask"), [[], []], [0, 0], {})]
    count = 0
    while todo:
        match, stories, heard, questions = todo.pop()
        stories, questions = [list(story) for story in stories], dict(questions)
        heard = list(heard)
        for seat in range(2):
            noticed = match.observations(seat + 1)
            stories[seat] += noticed[heard[seat] :]
            heard[seat] = len(noticed)
        if match.over:
            count += 1
            if count > MOST_RUNS:
                raise TooManyRuns
            yield [[*story, ("over",)] for story in stories], questions
            continue
        decision = match.decision
        if decision is not None:
            for seat, story in enumerate(stories):
                mine = seat == decision.player - 1
                questions[seat, len(story)] = decision.span
                story.append(("asked", *(o.key for o in decision.options)) if mine else ("waits",))
        size = len(decision.options) if decision is not None else len(match.chance.outcomes)
        for number in range(size):
            twin = match.fork()
            if decision is not None:
                twin.choose(number)
            else:
                twin.resolve(number)
            todo.append((twin, stories, heard, questions))


def options(match: Any) -> Any:
    return (match.state.player, match.state.pc, list(match.state.options))


def differing_twins(game: Game) -> Iterator[bool]:
    for seed in range(8):
        match = game.start(seed=seed)
        rng = Random(seed)
        while not match.over:
            seat = match.state.player
            for _, change in changes(match.state, seat, rng):
                twin = match.fork()
                change(twin.state)
                try:
                    ask_anew(twin)
                except dr.PlayError:
                    continue
                yield options(match) != options(twin)
            match.choose(rng.randrange(len(match.decision.options)))


def test_there_are_many_ways_to_leak() -> None:
    assert len(ALL_LEAKS) >= 100


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_where_the_checker_is_silent_nothing_leaks(first: int) -> None:
    for seed in range(first, first + 20):
        silent_means_nothing_leaks(seed)


@pytest.mark.parametrize("seed", (5636, 11879, 16775, 16881))
def test_random_games_in_which_stories_parted_without_a_word(seed: int) -> None:
    silent_means_nothing_leaks(seed)


@pytest.mark.long
@pytest.mark.parametrize("first", range(200, 20_200, 200))
def test_where_the_checker_is_silent_nothing_leaks_long(first: int) -> None:
    for seed in range(first, first + 200):
        silent_means_nothing_leaks(seed)


def silent_means_nothing_leaks(seed: int) -> None:
    """No question gives a secret away, and what is told by what happens in sight is at least noted."""
    report = Report()
    game = check(parse(Source("random.dragon", Writer(seed).spec()), report), report)
    assert not report.errors, [d.message for d in report.errors]
    information_flow(game, report)
    if report.errors:
        return
    try:
        found = list(partings(Game(game, "random", (), {}, "")))
    except TooManyRuns:
        return
    for parting in found:
        assert parting.kind != "decision", (seed, str(parting))
        assert is_noted(parting, report, game), (seed, parting.kind, str(parting))


def is_noted(parting: Parting, report: Report, game: CheckedGame) -> bool:
    """Does a finding stand where these stories part: at a question of one of them, or at a statement that
    makes what is noticed in one of them?"""
    noticed = [token for token in parting.ways if _kind(token) == "noticed"]
    makers = {st.span for st in statements_of(game) for token in noticed if _makes(st, token)}
    for d in report:
        if d.code == "D0407" and any(_touch(d.span, span) for span in parting.questions):
            return True
        there = [d.span] if d.code == "D0412" else _follows_from(d, game) if d.code == "D0414" else []
        if any(_touch(span, maker) for span in there for maker in makers):
            return True
    return False


def _follows_from(d: Diagnostic, game: CheckedGame) -> list[Span]:
    """What a note on a secret that is read is about: the effect that it names, and all that is done or
    left out by the same condition. It stands once for each."""
    ifs = [st for st in statements_of(game) if isinstance(st, core.If) and _touch(st.condition.span, d.span)]
    return [*(r.span for r in d.related), *(st.span for st in ifs)]


def statements_of(game: CheckedGame) -> Iterator[St]:
    for rule in (*game.rules.values(), *game.triggers.values(), *game.phases):
        todo = list(rule.body)
        while todo:
            todo += chain.from_iterable(bodies(st := todo.pop()))
            yield st


def _makes(st: St, token: Any) -> bool:
    """Can a statement make an event like this one?"""
    match token[0], st:
        case "set", core.Set(target=core.StateRef(state=decl)):
            return str(decl.name) in token[1]
        case "set", core.Show(place=core.StateRef(state=decl)) | core.Reveal(place=core.StateRef(state=decl)):
            return str(decl.name) in token[1]
        case "shown", core.Show() | core.Reveal():
            return True
        case "peek", core.Peek():
            return True
        case (("move" | "all" | "shuffle"), core.Move() | core.MoveAll() | core.MoveTokens() | core.Draw()):
            return True
        case "roll", core.Roll():
            return True
    return False


def _touch(a: Span, b: Span) -> bool:
    return a.source is b.source and a.start < b.end and b.start < a.end
