"""The smallest game in which two rule sets differ, as a scenario and two sentences.

Scenarios say what matters, under a title that tells it: first those of the variant are played by
the old rules, then those of the base by the new ones. The shortest that holds under one and not
under the other is the example. Where there is none, both are played in lock step, the same luck and
the same choices at random for both, until what happens differs; of several such games the shortest
is told.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen

from ...grammar import Report, syntax
from ...interpreter.core import Scenario
from ...interpreter.core.errors import DragonError
from ...interpreter.core.randomness import Generator
from ...interpreter.files.find_variants import companions
from ...interpreter.play.game import Game
from ...interpreter.play.match import Match
from ...interpreter.play.scenarios import Outcome, run_scenario
from ...interpreter.rule_sets import Library, RuleSet
from .rule_set import Choice

SECONDS = 40.0
MOST_GAMES, MOST_STEPS = 60, 400


@frozen
class Example:
    """Where two rule sets part: `title` and `text` of the scenario, or the steps of a game; what each of them says."""

    title: str
    text: str
    steps: tuple[str, ...]
    base: str
    other: str


@frozen
class Nothing:
    """No difference was found in so many scenarios and games."""

    scenarios: int
    games: int


def example(base: Choice, other: Choice, seconds: float = SECONDS) -> Example | Nothing:
    """The smallest difference that shows within some seconds."""
    until = time.monotonic() + seconds
    tried = 0
    for found in _by_scenarios(base, other, until):
        if isinstance(found, Example):
            return found
        tried += found
    return _in_lock_step(base.load(), other.load(), until, tried)


# ---------------------------------------------------------------- scenarios
def _by_scenarios(base: Choice, other: Choice, until: float) -> Iterator[Example | int]:
    library = Library()
    old, new = _rules(library, base, ()), _rules(library, other, ())
    if old is None or new is None:
        return
    yield from _held(new, old, [(s, n) for n, s in _scenarios(new) if new.owns(s)], swapped=True)
    changed = _changed_words(new)
    files = [file for file in companions(base.path) if file.parent.name == "scenarios"]
    files.sort(key=lambda file: -_mentions(file, changed))
    for file in files:
        if time.monotonic() > until or not _mentions(file, changed):
            return
        below, above = _rules(library, base, (str(file),)), _rules(library, other, (str(file),))
        if below is not None and above is not None:
            mine = [(s, n) for n, s in _scenarios(below) if s.span.source.name == str(file)]
            yield from _held(below, above, mine, swapped=False)


def _rules(library: Library, choice: Choice, more: tuple[str, ...]) -> RuleSet | None:
    try:
        rules = library.chosen(choice.path, (*choice.all_variants, *more), choice.options)
        return rules if rules.checked is not None else None
    except DragonError:
        return None


def _scenarios(rules: RuleSet) -> list[tuple[int, Scenario]]:
    assert rules.checked is not None
    return list(enumerate(rules.checked.scenarios))


def _changed_words(rules: RuleSet) -> set[str]:
    """The names that the new rules touch."""
    own = "\n".join(span.text for span in rules.own)
    return {word for word in own.replace(".", " ").replace("(", " ").replace(":", " ").split() if "_" in word}


def _mentions(file: Path, words: set[str]) -> int:
    text = file.read_text(encoding="utf-8", errors="replace")
    return sum(text.count(word) for word in words) if words else 1


def _held(
    first: RuleSet, second: RuleSet, mine: list[tuple[Scenario, int]], *, swapped: bool
) -> Iterator[Example | int]:
    """Scenarios that hold under the first rules, tried under the second; the shortest that does not."""
    game = first.game
    assert game is not None
    carried = _with(second, first, [s for s, _ in mine])
    there = carried.game if carried is not None and carried.checked is not None else None
    if there is None:
        yield 0
        return
    known = {s.name: (n, s) for n, s in enumerate(there.checked.scenarios)}
    tried = 0
    texts = {
        (d.span.source.name, d.title.span.start): d.span.text
        for d in first.file.decls
        if isinstance(d, syntax.Scenario)
    }

    def text_of(scenario: Scenario) -> str:
        return texts.get((scenario.span.source.name, scenario.span.start), scenario.name)

    for scenario, number in sorted(mine, key=lambda pair: len(text_of(pair[0]))):
        if scenario.name not in known:
            continue
        tried += 1
        if not run_scenario(game, number, scenario).ok:
            continue
        outcome = run_scenario(there, *known[scenario.name])
        if not outcome.ok:
            text = text_of(scenario)
            holds, fails = "as it stands here", _words(outcome)
            told = (fails, holds) if swapped else (holds, fails)
            yield Example(scenario.name, text, outcome.steps, *told)
            return
    yield tried


def _with(rules: RuleSet, home: RuleSet, scenarios: list[Scenario]) -> RuleSet | None:
    """The rules with these scenarios beside them, unless they have them already."""
    assert rules.checked is not None
    known = {s.name for s in rules.checked.scenarios}
    missing = [s for s in scenarios if s.name not in known]
    if not missing:
        return rules
    wanted = {(s.span.source.name, s.span.start) for s in missing}
    nodes = [
        d
        for d in home.file.decls
        if isinstance(d, syntax.Scenario) and (d.span.source.name, d.title.span.start) in wanted
    ]
    whole = _beside(rules, nodes)
    if whole.checked is not None:
        return whole
    fit = [node for node in nodes if _beside(rules, [node]).checked is not None]
    return _beside(rules, fit) if fit else None


def _beside(rules: RuleSet, scenarios: Sequence[syntax.Decl]) -> RuleSet:
    file = syntax.File((*rules.file.decls, *scenarios), span=rules.file.span)
    return RuleSet(rules.path, rules.base, rules.variants, file, rules.own, Report(), rules.options)


def _words(outcome: Outcome) -> str:
    problem = (outcome.problem or "").splitlines()[0]
    line = outcome.span.line if outcome.span is not None else 0
    at = outcome.span.source.line(line).strip() if outcome.span is not None else ""
    if outcome.found and outcome.expected:
        return f"at `{at}`: {outcome.found} instead"
    return f"at `{at}`: {problem}"


# ---------------------------------------------------------------- lock step
def _in_lock_step(base: Game, other: Game, until: float, scenarios: int) -> Example | Nothing:
    players = next((n for n in other.players if n in base.players), None)
    best: Example | None = None
    games = 0
    for seed in range(MOST_GAMES if players is not None else 0):
        if time.monotonic() > until:
            break
        assert players is not None
        most = len(best.steps) - 1 if best is not None else MOST_STEPS
        found = _parted(base, other, players, seed, most)
        games += 1
        if found is not None:
            best = found
            if len(found.steps) <= 6:
                break
    return best or Nothing(scenarios, games)


def _parted(base: Game, other: Game, players: int, seed: int, most: int) -> Example | None:
    """Both games with the same luck and choices, until they differ."""
    dice = Generator(seed)
    try:
        one = base.start(players, seed=seed, chance="ask")
        two = other.start(players, seed=seed, chance="ask")
        steps: list[str] = []
        for _ in range(most):
            if _stand(one) != _stand(two):
                return Example("a game at random", "", tuple(steps), _told(one, two), _told(two, one))
            if one.over:
                return None
            step = _one_more(one, two, dice)
            if step is None:
                return None
            steps.append(step)
    except DragonError:
        return None
    return None


def _stand(match: Match) -> tuple[object, ...]:
    """What the match stands at, in words that both rule sets have."""
    if match.over:
        return "over", tuple(sorted(match.winners)), match.reason
    if match.decision is None:
        return ("chance",)
    return match.decision.player, match.decision.prompt, *(o.label for o in match.decision.options)


def _told(match: Match, other: Match) -> str:
    """The same as a sentence, with the options that the other one lacks first."""
    if match.over:
        names = ", ".join(f"player {p}" for p in sorted(match.winners)) or "nobody"
        return f"the match is over: {names} wins ({match.reason})"
    if match.decision is None:
        return "chance is asked"
    options = [option.label for option in match.decision.options]
    there = {o.label for o in other.decision.options} if other.decision is not None else set()
    new = [label for label in options if label not in there]
    shown = ", ".join((new or options)[:6])
    start = f"player {match.decision.player} decides ({match.decision.prompt})"
    return f"{start}, with {len(options)} options" + (
        f"; only here: {shown}" if new and there else f": {shown}"
    )


def _one_more(one: Match, two: Match, dice: Generator) -> str | None:
    if one.decision is not None and two.decision is not None:
        index = dice.below(len(one.decision.options))
        label = one.decision.options[index].label
        said = f"player {one.decision.player}: {label}"
        one.choose(index)
        two.choose(index)
        return said
    first, second = one.chance, two.chance
    if first is None or second is None:
        return None
    there = {outcome.label: outcome for outcome, _ in second.outcomes}
    both = [outcome for outcome, _ in first.outcomes if outcome.label in there]
    if not both:
        return None
    chosen = both[dice.below(len(both))]
    label = chosen.label
    one.resolve(chosen)
    two.resolve(there[label])
    return f"chance brings {label}"
