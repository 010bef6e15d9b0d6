"""A house rule being written at a table: what is wrong with it, what it changes, and this match under it.

Nothing here runs what was typed. It is read and checked as any rule file, and played by the
same engine; what it may cost is bounded by the checker.
"""

from __future__ import annotations

from pathlib import Path

from attrs import Factory, define, frozen

from ...grammar import Diagnostic
from ..changes.differences import changes_between
from ..core.errors import DragonError, SpecError
from ..core.randomness import Generator
from ..driver import DRIVER, Driver
from ..files.find_specs import SUFFIX, find_spec
from ..loading import IN_MEMORY, load
from ..play.game import Game
from ..play.match import Match
from ..play.replay import translated

DRAFT = f"{IN_MEMORY}/variants/draft{SUFFIX}"
MOST_FINDINGS = 40


@frozen
class Finding:
    """Something wrong, or worth a look, at a line of the text; 0 for what is wrong elsewhere."""

    severity: str
    code: str
    line: int
    words: str
    help: str | None = None


@define
class Draft:
    """A text that was read: the game with it laid over, if it holds together."""

    text: str
    findings: list[Finding]
    game: Game | None = None
    sentences: list[str] = Factory(list)
    """What it changes."""


@frozen
class Followed:
    """A match gone through again under other rules: where it stands now, and why it went no further."""

    match: Match
    steps: int
    of: int
    stopped: str | None


@frozen
class Sides:
    """The same position under both rule sets: what may be chosen there."""

    question: str
    both: list[str]
    lost: list[str]
    gained: list[str]
    note: str | None = None


def starter(game: Game) -> str:
    """The first lines of a variant of a game."""
    stem = Path(game.spec).stem
    return f'variant "My rule" of {stem}:\n    "What it is for."\n    '


def read_draft(game: Game, text: str) -> Draft:
    """Read a variant over the rules of a game, with the variants and options that it has."""
    driver = Driver({DRAFT: text})
    if not text.strip():
        return Draft(text, [Finding("error", "", 1, "there is nothing here yet")])
    try:
        laid = load(game.spec, variants=[*game.variants, DRAFT], options=game.given_options, driver=driver)
    except SpecError as problem:
        return Draft(text, [_finding(d) for d in problem.diagnostics[:MOST_FINDINGS]])
    except DragonError as problem:
        words = getattr(problem, "message", None) or str(problem).split("\n")[0]
        return Draft(text, [Finding("error", "", 0, _without_paths(str(words)))])
    return Draft(text, [], laid, _changes(game, driver))


def _changes(game: Game, driver: Driver) -> list[str]:
    path = find_spec(game.spec)
    before = DRIVER.overlaid(path, game.variants).file
    with driver.world():
        after = driver.overlaid(path, (*game.variants, DRAFT)).file
    return [sentence for change in changes_between(before, after) for sentence in change.sentences]


def _finding(found: Diagnostic) -> Finding:
    here = found.span.source.name.endswith(f"draft{SUFFIX}")
    return Finding(
        found.severity,
        found.code,
        found.span.line if here else 0,
        _without_paths(found.message),
        _without_paths(found.help) if found.help else None,
    )


def _without_paths(text: str) -> str:
    """Where files lie on this machine is nobody's business."""
    return (
        text.replace(f"{IN_MEMORY}/variants/", "")
        .replace(str(Path.home()), "~")
        .replace(str(Path.cwd()), ".")
    )


# ---------------------------------------------------------------- the match under it
def followed(match: Match, other: Game) -> Followed:
    """The match under other rules, as far as its log can be followed, and ready to go on from there."""
    there = other.start(match.players, seed=match.seed, chance="ask")
    here = match.beginning(chance="ask")
    stopped, steps = None, 0
    for number, entry in enumerate(match.log):
        try:
            there.replay_one(translated(entry, there, here))
        except DragonError as problem:
            words = str(problem).split("\n")[0].partition(": ")[2]
            stopped = f"at entry {number + 1} of {len(match.log)}: {_without_paths(words)}"
            break
        here.replay_one(entry)
        steps += entry[0] != "chance"
    there.state.rng = Generator(match.seed ^ len(there.log))
    there.ask_chance = False
    while there.chance is not None:
        there.resolve(0)
    total = sum(entry[0] != "chance" for entry in match.log)
    return Followed(there, steps, total, stopped)


def side_by_side(match: Match, there: Match) -> Sides:
    """What whoever is asked may choose here, under the rules of the match and under the others."""
    mine, theirs = match.decision, there.decision
    if mine is None or theirs is None:
        over = "under the new rules" if theirs is None else "under the present rules"
        return Sides("", [], [], [], f"Nobody is asked {over}.")
    note = None
    if (mine.player, mine.rule) != (theirs.player, theirs.rule):
        note = f"Under the new rules player {theirs.player} is asked instead: {theirs.prompt}."
    old = [option.label for option in mine.options]
    new = [option.label for option in theirs.options]
    return Sides(
        f"player {mine.player}: {mine.prompt}",
        [label for label in old if label in new],
        [label for label in old if label not in new],
        [label for label in new if label not in old],
        note,
    )
