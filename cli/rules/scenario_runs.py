"""Scenarios found in files, run one by one, as `dragonrules test` and the pytest plugin do it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

from attrs import Factory, define

from ...grammar import Diagnostic, Span
from ...interpreter.core import Scenario
from ...interpreter.play.coverage import Coverage
from ...interpreter.play.game import Game
from ...interpreter.play.match import Match
from ...interpreter.play.scenarios import Outcome, run_scenario
from ...interpreter.rule_sets import Library, RuleSet


@define(eq=False)
class Item:
    """A scenario with the rules that it is about; `number` is its place among theirs."""

    rules: RuleSet
    game: Game
    number: int
    scenario: Scenario

    @property
    def path(self) -> str:
        return self.scenario.span.source.name

    @property
    def title(self) -> str:
        return self.scenario.name

    def __str__(self) -> str:
        return f"{self.rules.title}: {self.title}"

    @property
    def words(self) -> str:
        """What `-k` looks at: where it stands, the rules, the title, what it cites."""
        return " ".join([self.path, self.rules.title, self.title, *self.scenario.cites])


@define(eq=False)
class Result:
    """A scenario that was run; `problem` is None when it holds."""

    item: Item
    problem: str | None
    span: Span
    seconds: float = 0.0
    internal: bool = False
    """The interpreter itself has failed."""
    expected: str | None = None
    found: str | None = None
    steps: tuple[str, ...] = ()
    match: Match | None = None
    coverage: Coverage | None = None
    instead: tuple[Span, str] | None = None
    about: frozenset[str] = frozenset()

    @property
    def ok(self) -> bool:
        return self.problem is None

    @property
    def place(self) -> str:
        """The line that failed, and where it stands."""
        return f"{self.span}: {self.span.source.line(self.span.line).strip()}"

    @cached_property
    def decision(self) -> list[str]:
        """Who is asked what, where it went wrong."""
        decision = self.match.decision if self.match is not None else None
        if decision is None:
            return []
        offered = ", ".join(option.label for option in decision.options[:20])
        more = f" and {len(decision.options) - 20} more" if len(decision.options) > 20 else ""
        return [f"player {decision.player}: {decision.prompt}", f"{offered}{more}"]


@define
class Found:
    """What there is to run, and what is wrong with rules that cannot be run."""

    items: list[Item] = Factory(list)
    wrong: list[Diagnostic] = Factory(list)


def find(files: Iterable[Path], *, families: bool = True, library: Library | None = None) -> Found:
    """The scenarios of rule files. With a game go those of the files that build on it, unless
    `families` is False, when every file is taken by itself."""
    library = library or Library()
    sets: dict[tuple[str, tuple[str, ...]], RuleSet] = {}
    for file in files:
        for rules in library.family(file) if families else library.rule_sets(file):
            sets.setdefault((str(rules.path), rules.variants), rules)
    found = Found()
    wrong: dict[object, Diagnostic] = {}
    for rules in sets.values():
        game = rules.game
        if game is None:
            wrong.update({k: d for k, d in rules.report.found.items() if d.severity == "error"})
            continue
        found.items += [
            Item(rules, game, number, scenario)
            for number, scenario in enumerate(game.checked.scenarios)
            if rules.owns(scenario)
        ]
    found.wrong = sorted(wrong.values(), key=Diagnostic.sort_key)
    return found


def run(item: Item, *, covered: bool = False) -> Result:
    start = time.perf_counter()
    scenario = item.scenario
    try:
        outcome = run_scenario(item.game, item.number, scenario, covered=covered)
    except Exception as crash:  # one scenario that trips the interpreter does not hide the others
        problem = f"internal error: {type(crash).__name__}: {crash}"
        return Result(item, problem, scenario.span, time.perf_counter() - start, internal=True)
    return _result(item, outcome, time.perf_counter() - start)


def _result(item: Item, outcome: Outcome, seconds: float) -> Result:
    return Result(
        item,
        outcome.problem,
        outcome.span or item.scenario.span,
        seconds,
        expected=outcome.expected,
        found=outcome.found,
        steps=outcome.steps,
        match=outcome.match,
        coverage=outcome.coverage,
        instead=outcome.instead,
        about=outcome.about,
    )


def totals(results: Sequence[Result]) -> tuple[int, int, int]:
    """How many held, failed, and failed for a mistake of dragonrules."""
    failed = sum(not r.ok and not r.internal for r in results)
    broken = sum(r.internal for r in results)
    return len(results) - failed - broken, failed, broken
