"""`dragonrules compare`: what another rule set changes, measured."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from typing import Any

import attrs
import click

from ...interpreter.changes.differences import changes_between
from ...interpreter.core.errors import DragonError
from ...interpreter.lab.acting import RULES, acting
from ...interpreter.lab.comparing import Comparison, Difference, Verdict, chosen_figures, compare
from ...interpreter.lab.experiments import Entrant
from ...interpreter.lab.measures import shown_interval, summarise
from ...interpreter.lab.reports import comparison_page, signed
from ...interpreter.lab.scoring import counted_alike
from ...interpreter.play.game import Game
from ..formats.figures import headline, summary_data
from ..formats.stories import story_data, story_text
from ..options.engine import engine_option
from ..options.helping import examples, plural
from ..options.laboratory import Effort, columns, effort_options, exit_code, lineup_words, play, write_whole
from ..options.overlaid import laid
from ..options.rule_set import Choice, rule_options

EPILOG = examples(
    "dragonrules compare drakon heroes",
    "dragonrules compare dragon_keeper debts --seconds 30 --about length,score,start",
    "dragonrules compare drakon goal=8 escape heroes+goal=12 --players 4 --games 2000",
    "dragonrules compare drakon my_house_rule.dragon --report house.html",
    "dragonrules compare games/ryu.dragon other/ryu.dragon --seat greedy --format json",
)


LOOKED_AT = 12
"""Games that are played once more to see when changed rules come into play."""

RESCORED = "  Scores are counted in another way here, so they are not compared."


@click.command("compare", epilog=EPILOG, short_help="Measure what another rule set changes.")
@click.argument("file", metavar="BASE")
@click.argument("others", metavar="OTHER...", nargs=-1, required=True)
@rule_options
@engine_option
@functools.partial(effort_options, seconds=60.0, usual="greedy")
@click.option(
    "--about",
    metavar="FIGURES",
    help="Only these figures, which then take fewer games: length, start, score, seats, endings, draws, "
    "decisions, lead, or single ones by their names in JSON; with commas between.",
)
@click.option(
    "--luck",
    type=click.Choice(["keyed", "stream"]),
    default="keyed",
    show_default=True,
    help="Of random players: keyed by what it is for, so that games stay close after the first change, or one "
    "stream of numbers, as in `run --seed` and `simulate`.",
)
@click.option(
    "--worth",
    type=click.FloatRange(min=0, min_open=True),
    default=5.0,
    show_default=True,
    metavar="PERCENT",
    help="The change that would matter: in percent of the base's figure, for shares in points.",
)
@click.option(
    "--confidence",
    type=click.FloatRange(min=50, max=99.99),
    default=95.0,
    show_default=True,
    metavar="PERCENT",
    help="How sure all verdicts together should be.",
)
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    others: tuple[str, ...],
    variants: tuple[str, ...],
    options: dict[str, str],
    engine: str,
    effort: Effort,
    about: str | None,
    luck: str,
    worth: float,
    confidence: float,
) -> None:
    """Measure what another rule set changes.

    BASE is a game. Each OTHER is a variant of it (name or file), a setting like
    goal=8, both as heroes+goal=8, or another game. All play the games of the same
    seeds, and each figure is compared game by game: length, decisions, seats,
    draws, how games end, scores, and lead changes with --lead. Unless told otherwise
    greedy bots play for a minute: rules that only a random player would meet tell little. What is told as a difference
    holds for all figures of all rule sets together. --variant and --set apply to the base and to all
    that build on it.

    A rule set with mistakes is named and left out; the others are played, and the
    exit code is 1.
    """
    base = attrs.evolve(Choice.read(file), engine=engine).plus(variants=variants, options=options)
    game = base.load()
    wanted = chosen_figures(about) if about is not None else None
    loaded: list[tuple[str, Choice, Game]] = []
    failed: list[tuple[str, str]] = []
    for text in others:
        try:
            chosen = base.other(text)
            loaded.append((text, chosen, chosen.load()))
        except DragonError as problem:
            failed.append((text, str(problem)))
        except click.UsageError as problem:
            failed.append((text, f"error: {problem.message}"))
    lineup = effort.lineup(game, "greedy", [other for _, _, other in loaded])
    keyed = luck == "keyed" and set(lineup) == {"random"}
    entrants = [Entrant("base", effort.series(game, lineup, keyed=keyed), {"rules": base.title})]
    choices = []
    for text, chosen, other in loaded:
        try:
            entrants.append(Entrant(text, effort.series(other, lineup, keyed=keyed), {"rules": text}))
            choices.append(chosen)
        except DragonError as problem:
            failed.append((text, str(problem)))
    for title, words in failed:
        click.echo(f"`{title}` cannot be played:\n{words}\n", err=True)
    if len(entrants) == 1:
        ctx.exit(1)
    outcome = play(effort, entrants)
    if outcome.played < 2:
        click.echo("fewer than two games were finished by all: there is nothing to compare", err=True)
        ctx.exit(exit_code(outcome) or 1)
    rescored = [e.title for e in entrants[1:] if not counted_alike(game, e.series.game)]
    rest = [(entrant.title, games) for entrant, games in zip(entrants[1:], outcome.games[1:], strict=True)]
    comparisons = compare(
        outcome.games[0],
        rest,
        lineup,
        alpha=1 - confidence / 100,
        worth=worth / 100,
        rescored=rescored,
        about=wanted,
    )
    acted = [
        acting(entrant.series, changed_rules(base, chosen), LOOKED_AT, effort.look_until)
        if comparison.games > 1
        else None
        for entrant, chosen, comparison in zip(entrants[1:], choices, comparisons, strict=True)
    ]
    comparisons = [attrs.evolve(c, acting=a) for c, a in zip(comparisons, acted, strict=True)]
    stories = [
        (entrant.labels["rules"], story)
        for entrant, story in zip(entrants, effort.told(entrants), strict=True)
        if story is not None
    ]
    head = headline(game, effort, lineup)
    if effort.style == "json":
        data: dict[str, Any] = {
            "game": game.name,
            "base": base.title,
            "players": len(lineup),
            "lineup": list(lineup),
            "seed": effort.seed,
            "luck": "keyed" if keyed else "stream",
            "confidence": confidence / 100,
            "complete": outcome.complete,
            "rules": {
                entrant.title: {
                    "fingerprint": entrant.series.game.fingerprint,
                    **summary_data(summarise(games, lineup)),
                }
                for entrant, games in zip(entrants, outcome.games, strict=True)
            },
            "comparisons": [comparison_data(c) for c in comparisons],
            "courses": {title: story_data(story) for title, story in stories},
            "failed": [{"rules": title, "error": words} for title, words in failed],
        }
        click.echo(json.dumps(data, indent=2))
    else:
        click.echo(
            f"{base.title} for {plural(len(lineup), 'player')} ({lineup_words(lineup)}), "
            f"{plural(outcome.played, 'game')} of each rule set, seed {effort.seed}"
        )
        for comparison in comparisons:
            click.echo("\n".join(text_of(comparison)))
        for title, story in stories:
            click.echo("\n".join(["", f"{title}:", *story_text(story)]))
    if effort.report is not None:
        page = comparison_page(head, (base.title, outcome.games[0]), rest, comparisons, failed, stories)
        write_whole(effort.report, page)
        click.echo(f"report: {effort.report}", err=True)
    _tell_broken(entrants, outcome.games)
    unplayable = any(comparison.games < 2 for comparison in comparisons)
    ctx.exit(exit_code(outcome) or int(bool(failed) or unplayable))


def changed_rules(base: Choice, other: Choice) -> list[str]:
    """What may come into play and is not as it was in the base."""
    found = changes_between(laid(base, check=False).result, laid(other, check=False).result)
    return [f"{c.word} {c.name}" for c in found if c.kind in ("added", "changed") and c.word in RULES]


def _tell_broken(entrants: Sequence[Entrant], all_games: Sequence[Sequence[Any]]) -> None:
    for entrant, games in zip(entrants, all_games, strict=True):
        broken = [game for game in games if game.error]
        if broken:
            click.echo(
                f"{entrant.title}: {plural(len(broken), 'game')} broken by the rules and left out; the first is "
                f"game {broken[0].number}, seed {broken[0].seed}:\n{broken[0].error}",
                err=True,
            )


def text_of(comparison: Comparison) -> list[str]:
    """The verdict in a sentence, then every figure, then what is open."""
    out = ["", f"{comparison.title}: {comparison.sentence}."]
    if comparison.games < 2:
        return out
    if comparison.rescored:
        out.append(RESCORED)
    out += [f"  {line}" for line in comparison.remarks]
    out.append("")
    rows = [("", "base", comparison.title, "change", "")]
    for d in comparison.differences:
        rows.append(
            (
                d.measure.title,
                shown_interval(d.measure, d.base),
                shown_interval(d.measure, d.other),
                signed(d.measure, d.finding.interval),
                _mark(d),
            )
        )
    out += columns(rows)
    undecided = [d for d in comparison.differences if d.verdict is Verdict.OPEN]
    if undecided:
        out += ["", *(f"  Open: {d.sentence}." for d in undecided)]
    if comparison.left_out:
        out += ["", f"  Not in both, so not compared: {', '.join(comparison.left_out)}."]
    return out


def _mark(d: Difference) -> str:
    return {Verdict.DIFFERENT: "different", Verdict.SAME: "the same", Verdict.OPEN: "open"}[d.verdict]


def comparison_data(comparison: Comparison) -> dict[str, Any]:
    return {
        "rules": comparison.title,
        "games": comparison.games,
        "sentence": comparison.sentence,
        "games_needed": comparison.needed,
        "games_that_differ": comparison.touched,
        "remarks": list(comparison.remarks),
        "came_into_play": None
        if comparison.acting is None
        else {
            "games": comparison.acting.games,
            "in_games": comparison.acting.touched,
            "first": comparison.acting.first,
            "rules": {a.owner: a.games for a in comparison.acting.rules},
        },
        "not_compared": list(comparison.left_out),
        "scores_counted_alike": not comparison.rescored,
        "figures": {
            d.measure.key: {
                "title": d.measure.title,
                "base": d.base.estimate,
                "other": d.other.estimate,
                "change": d.finding.interval.estimate,
                "low": d.finding.interval.low,
                "high": d.finding.interval.high,
                "level": 1 - d.finding.level,
                "p": d.finding.paired.p,
                "adjusted_p": d.finding.adjusted_p,
                "verdict": d.verdict.value,
                "sentence": d.sentence,
                "worth": d.worth,
                "games_needed": d.needed,
            }
            for d in comparison.differences
        },
    }
