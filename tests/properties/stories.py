"""Stories: what a player notices and is asked, in order, over all matches that a game allows; and where
two stories that are the same so far go on differently. Told by the engine, and by the reference
interpreter, which must tell the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from random import Random
from typing import Any

from attrs import frozen
from dragonrules.grammar import Span
from dragonrules.interpreter.core import CheckedGame
from dragonrules.interpreter.play.game import Game
from dragonrules.interpreter.reference import ReferenceMatch

MOST_RUNS = 4000
Run = tuple[list[list[Any]], dict[tuple[int, int], Span]]
"""The story of each seat, and which sentence of the rules asks at each question in it."""


class TooManyRuns(Exception):
    """A random game that cannot be looked at in full."""


@frozen
class Parting:
    """Two ways in which the story of one seat goes on, and where somebody is asked in one of them: here, or
    where the two stood first at different questions and the seat could not tell."""

    kind: str
    seat: int
    ways: tuple[Any, Any]
    questions: frozenset[Span]

    def __str__(self) -> str:
        return f"player {self.seat + 1}: {' or '.join(sorted(map(str, self.ways)))}"


def partings(runs: Iterable[Run]) -> Iterator[Parting]:
    """All places where two stories of one player are the same so far and go on differently, for any two
    matches that have come to them.

    - `decision`: one is asked, and the other is asked something else, or nothing any more,
      without having noticed anything in between. The question itself gives a secret away.
    - `told`: one is asked, and the other notices something. It was not the question but
      what happened in sight that told it: a question that follows comes after a
      different story.
    - `waits`: likewise, and what the other notices is that somebody else is asked.
    - `seen`: something is noticed in one, and in the other something of another sort, or it is over.
    """
    follows: dict[tuple[Any, ...], dict[Any, set[tuple[Span, ...]]]] = {}
    for run, questions in runs:
        for seat, story in enumerate(run):
            asked: tuple[Span, ...] = ()
            for end, token in enumerate(story):
                if (seat, end) in questions:
                    asked += (questions[seat, end],)
                follows.setdefault((seat, *story[:end]), {}).setdefault(token, set()).add(asked)
    for before, ways in follows.items():
        for (one, mine), (other, theirs) in combinations(ways.items(), 2):
            kind = _kind_of_parting(one, other)
            if kind is None:
                continue
            here = [
                {way[-1] for way in asked} for token, asked in ((one, mine), (other, theirs)) if _waits(token)
            ]
            for places in {_first_apart(a, b) for a, b in product(mine, theirs)}:
                yield Parting(kind, before[0], (one, other), places.union(*here))


def _kind_of_parting(one: Any, other: Any) -> str | None:
    kinds = {kind_of(one), kind_of(other)}
    if kinds <= {"asked", "over"}:
        return "decision"
    if "waits" in kinds:
        return "waits"
    if len(kinds) > 1:
        return "told" if "asked" in kinds else "seen"
    return "seen" if _sort_of_event(one) != _sort_of_event(other) else None


def _sort_of_event(token: Any) -> tuple[Any, ...]:
    """What is noticed, but for the value: what is rolled, chosen and written in sight of a seat is told."""
    return tuple(token[: 2 if token[0] in ("set", "peek", "shown") else 1])


def _first_apart(mine: tuple[Span, ...], theirs: tuple[Span, ...]) -> frozenset[Span]:
    """The questions at which two matches stood first when these were not the same."""
    return frozenset(next(({a, b} for a, b in zip(mine, theirs, strict=False) if a != b), ()))


def _waits(token: Any) -> bool:
    return token[0] in ("asked", "waits")


def kind_of(token: Any) -> str:
    return token[0] if token[0] in ("asked", "waits", "over") else "noticed"


def runs(game: Game) -> Iterator[Run]:
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


def runs_by_reference(game: CheckedGame, dice: Random, most: int) -> Iterator[Run]:
    """Likewise by the reference interpreter, which cannot fork: each match is played from its beginning. No
    more than so many, any of them."""
    todo: list[tuple[int, ...]] = [()]
    while todo and most:
        most -= 1
        path = todo.pop(dice.randrange(len(todo)))
        match = ReferenceMatch(game, 2, {}, ask_chance=True)
        stories: list[list[Any]] = [[], []]
        heard, questions, taken = [0, 0], {}, ()
        while True:
            for seat, story in enumerate(stories):
                noticed = match.observations(seat + 1)
                story += noticed[heard[seat] :]
                heard[seat] = len(noticed)
            if match.over:
                break
            if (asked := match.decision) is not None:
                for seat, story in enumerate(stories):
                    questions[seat, len(story)] = asked.span
                    story.append(("asked", *asked.keys) if seat == asked.player else ("waits",))
            size = len(asked.keys) if asked is not None else len(match.chance.values)
            if len(taken) < len(path):
                number = path[len(taken)]
            else:
                number = dice.randrange(size)
                todo += [(*taken, other) for other in range(size) if other != number]
            taken += (number,)
            if asked is not None:
                match.choose(asked.keys[number])
            else:
                match.bring(number)
        yield [[*story, ("over",)] for story in stories], questions
