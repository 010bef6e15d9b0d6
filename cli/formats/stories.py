"""The course of games, as text and as data."""

from __future__ import annotations

from typing import Any

from ...interpreter.lab.intervals import Interval
from ...interpreter.lab.stories import MOMENTS, Told
from ...interpreter.lab.story_pages import story_words
from ..options.helping import plural
from ..options.laboratory import columns

FEW = 10


def story_text(found: Told) -> list[str]:
    out = [f"The course of {plural(found.games, 'game')}", *(f"  {words}" for words in story_words(found))]
    if found.deeds:
        rows = [("", "players", "won beyond an equal share", "")]
        for d in found.deeds[:FEW]:
            gain = (
                f"{100 * d.gain.estimate:+.0f} ({100 * d.gain.low:+.0f} to {100 * d.gain.high:+.0f}) points"
            )
            rows.append((d.words, f"{d.players:,}", gain, "more than chance" if d.told else ""))
        out += ["", *columns(rows)]
    return out


def story_data(found: Told) -> dict[str, Any]:
    """Shares are parts of one."""
    return {
        "games": found.games,
        "chance_of_whoever_is_ahead": [
            {"at": moment / (MOMENTS - 1), **_interval(chance)}
            for moment, chance in enumerate(found.chance)
            if chance is not None
        ],
        "decided_at": found.decided,
        "comebacks": None if found.comebacks is None else _interval(found.comebacks),
        "choices_of_others_between": None if found.wait is None else _interval(found.wait),
        "longest_wait": None if found.longest is None else _interval(found.longest),
        "deeds": [
            {"did": d.words, "players": d.players, **_interval(d.gain), "told": d.told} for d in found.deeds
        ],
        "spaces": [{"board": board, "space": space, "times": times} for (board, space), times in found.spots],
    }


def _interval(found: Interval) -> dict[str, float]:
    return {"mean": found.estimate, "low": found.low, "high": found.high}
