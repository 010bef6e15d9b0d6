"""What was played and what came of it, in words and as data: shared by the commands of the laboratory."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ... import __version__
from ...interpreter.lab.measures import Summary
from ...interpreter.play.game import Game
from ..options.helping import WORDS, plural
from ..options.laboratory import Effort, lineup_words
from ..rules.files import SUFFIX


# ---------------------------------------------------------------- what was played
def headline(game: Game, effort: Effort, lineup: Sequence[str]) -> dict[str, str]:
    """What was played, in words, for the top of a report."""
    changed = {k: v for k, v in game.options.items() if str(k) in game.given_options}
    out = {"game": game.name}
    if game.variants:
        out["variants"] = ", ".join(_variant_names(game))
    if changed:
        out["options"] = ", ".join(f"{k}={plain_value(v)}" for k, v in changed.items())
    out["players"] = lineup_words(lineup)
    out["seed"] = str(effort.seed)
    return {**out, **origin(game)}


def origin(game: Game) -> dict[str, str]:
    """What a page was made by, so that it can be made again: files go by their names, not by where they lie."""
    words = click.get_current_context().meta.get(WORDS, ())
    shown = [Path(word).name if Path(word).is_absolute() else word for word in words]
    return {
        "command": shlex.join(["dragonrules", *shown]),
        "version": __version__,
        "fingerprint": game.fingerprint[:12],
    }


def _variant_names(game: Game) -> list[str]:
    return [Path(v).stem if v.endswith(SUFFIX) else v for v in game.variants]


def plain_value(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def first_line(game: Game, effort: Effort, lineup: Sequence[str], games: int) -> str:
    words = headline(game, effort, lineup)
    rules = " with ".join([words["game"], *([words["variants"]] if "variants" in words else [])])
    options = f" ({words['options']})" if "options" in words else ""
    return (
        f"{rules}{options} for {plural(len(lineup), 'player')} ({words['players']}), "
        f"{games:,} {'game' if games == 1 else 'games'}, seed {effort.seed}"
    )


def tell_broken(summary: Summary) -> None:
    if summary.broken:
        first = summary.broken[0]
        click.echo(
            f"{plural(len(summary.broken), 'game')} broken by the rules; the first is game {first.number}, "
            f"seed {first.seed}:\n{first.error}",
            err=True,
        )


# ---------------------------------------------------------------- as data
def identity(game: Game, effort: Effort, lineup: Sequence[str]) -> dict[str, Any]:
    return {
        "game": game.name,
        "fingerprint": game.fingerprint,
        "variants": _variant_names(game),
        "options": game.options,
        "players": len(lineup),
        "lineup": list(lineup),
        "seats_rotate": not effort.fixed_seats,
        "seed": effort.seed,
    }


def summary_data(summary: Summary) -> dict[str, Any]:
    """A summary as plain data. Shares are parts of one."""
    return {
        "games": summary.games,
        "figures": {
            f.measure.key: {
                "title": f.measure.title,
                "games": f.games,
                "mean": f.interval.estimate,
                "low": finite(f.interval.low),
                "high": finite(f.interval.high),
                "deviation": f.deviation,
                "least": f.least,
                "median": f.median,
                "most": f.most,
            }
            for f in summary.figures
        },
        "seats": [
            {
                "seat": s.seat,
                "won": s.won,
                "alone": s.alone,
                "share": s.wins.estimate,
                "low": s.wins.low,
                "high": s.wins.high,
                "advantage": s.advantage.estimate,
                "advantage_low": finite(s.advantage.low),
                "advantage_high": finite(s.advantage.high),
                "told": s.told,
            }
            for s in summary.seats
        ],
        "kinds": [
            {
                "player": k.kind,
                "seats": k.seats,
                "share": k.share.estimate,
                "low": finite(k.share.low),
                "high": finite(k.share.high),
                "equal_share": k.fair,
            }
            for k in summary.kinds
        ],
        "endings": dict(summary.reasons),
        "broken": [{"game": g.number, "seed": g.seed, "error": g.error} for g in summary.broken],
    }


def finite(value: float) -> float | None:
    return value if abs(value) != float("inf") else None
