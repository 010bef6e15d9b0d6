"""Going through matches by numbers, and what there is to say about a position.

Runs in the test process and, as a script's import, in the process that resumes
what the tests saved; so it needs nothing but dragonrules.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import dragonrules as dr

EXPIRE_ONE_IN = 16


def step(match: Any, number: int) -> None:
    """Go on with the option that a number means; now and then time runs out instead, where a clock runs."""
    if number % EXPIRE_ONE_IN == EXPIRE_ONE_IN - 1 and clock_runs(match):
        match.expire()
    else:
        match.choose(number // EXPIRE_ONE_IN % len(match.state.options))


def true_keys(match: Any) -> list[Any]:
    """The keys of the options with the true numbers of components, where a seat has names of its own."""
    return [match.key_in_log(n) for n in range(len(match.offered))]


def by_true_numbers(match: Any) -> Any:
    """A match that calls copies by their numbers, not by the handles of a seat."""
    twin = match.fork()
    twin.state.names = None
    return twin


def clock_runs(match: Any) -> bool:
    twin = match.fork()
    try:
        twin.expire()
    except dr.UsageError:
        return False
    return True


def go_on(match: Any, numbers: Iterable[int]) -> Any:
    """The same match after these choices, or over."""
    for number in numbers:
        if match.over:
            break
        step(match, number)
    return match


def summary(match: Any) -> dict[str, Any]:
    """All that can be told of a position, the same in every process; plain data."""
    decision = match.decision
    return {
        "key": digest(match.state.key()),
        "generator": match.state.rng.state,
        "options": repr([(o.key, o.label) for o in decision.options]) if decision else None,
        "asked": repr((decision.player, decision.prompt, decision.name, decision.first, decision.last))
        if decision
        else None,
        "views": [digest(match.view(seat)) for seat in range(1, match.players + 1)],
        "observations": [digest(match.observations(seat)) for seat in range(1, match.players + 1)],
        "log": digest(match.log),
        "end": repr(
            (
                match.over,
                sorted(match.winners),
                match.reason and str(match.reason),
                match.scores if match.over else None,
            )
        ),
    }


def digest(data: Any) -> str:
    return hashlib.sha256(repr(data).encode()).hexdigest()


def story(match: Any, numbers: Iterable[int]) -> list[dict[str, Any]]:
    """The position now and after each choice."""
    out = [summary(match)]
    for number in numbers:
        if match.over:
            break
        step(match, number)
        out.append(summary(match))
    return out
