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
from dragonrules.grammar import Report, Source, Span, parse
from dragonrules.interpreter import core
from dragonrules.interpreter.check.game import check
from dragonrules.interpreter.core import CheckedGame, St, bodies
from dragonrules.interpreter.driver import DRIVER
from dragonrules.interpreter.play.game import Game
from dragonrules.interpreter.review.secrecy import SEVERITY, findings_of, information_flow
from dragonrules.interpreter.review.walks import Finding

from .further_leaks import FURTHER
from .leaks import LEAKS, TABLE
from .more_leaks import MORE
from .random_leaks import Writer
from .stories import Parting, TooManyRuns, kind_of, partings, runs, runs_by_reference
from .test_secrecy import ask_anew
from .twins import changes

ALL_LEAKS = LEAKS | MORE | FURTHER
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


def spec(way: str, *, leaks: bool) -> tuple[Game, Report]:
    dealt, bad, good = ALL_LEAKS[way]
    report = Report()
    text = TABLE + dealt + (bad if leaks else good)
    game = check(parse(Source("leak.dragon", text), report), report)
    assert not report.errors, [d.message for d in report.errors]
    found = Report()
    information_flow(game, found)
    playable = Game(DRIVER, game, "leak", (), {}, "")
    playable._engines[2, True, False, False] = playable.engine(2, watched=True, anew=True)
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
    return next((words for p in partings(runs(game)) if "'asked'" in (words := str(p))), None)


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


@pytest.mark.parametrize("seed", (2944, 3183, 5636, 11879, 16775, 16881))
def test_random_games_in_which_stories_parted_without_a_word(seed: int) -> None:
    silent_means_nothing_leaks(seed)


@pytest.mark.long
@pytest.mark.parametrize("first", range(200, 20_200, 200))
def test_where_the_checker_is_silent_nothing_leaks_long(first: int) -> None:
    for seed in range(first, first + 200):
        silent_means_nothing_leaks(seed, replayed=40)


def silent_means_nothing_leaks(seed: int, replayed: int = 10) -> None:
    """No question gives a secret away, and what is told by what happens in sight is at least noted. Some
    matches are played by the reference interpreter, too: what happens there is among all that can happen.
    """
    report = Report()
    game = check(parse(Source("random.dragon", Writer(seed).spec()), report), report)
    assert not report.errors, [d.message for d in report.errors]
    findings = findings_of(game)
    if any(SEVERITY.get(finding.code) == "error" for finding in findings):
        return
    try:
        played = list(runs(Game(DRIVER, game, "random", (), {}, "")))
    except TooManyRuns:
        return
    for run in runs_by_reference(game, Random(seed), replayed):
        assert run in played, (seed, "the reference interpreter tells another story", run)
    for parting in partings(played):
        assert parting.kind != "decision", (seed, str(parting))
        assert is_noted(parting, findings, game), (seed, parting.kind, str(parting))


def is_noted(parting: Parting, findings: list[Finding], game: CheckedGame) -> bool:
    """Does a finding stand where these stories part: at a question of one of them, or at a statement that
    makes what is noticed in one of them?"""
    noticed = [token for token in parting.ways if kind_of(token) == "noticed"]
    makers = {st.span for st in statements_of(game) for token in noticed if _makes(st, token)}
    for finding in findings:
        if finding.code == "D0407" and any(_touch(finding.span, span) for span in parting.questions):
            return True
        there = [finding.span] if finding.code == "D0412" else finding.effects
        if any(_touch(span, maker) for span in there for maker in makers):
            return True
    return False


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
