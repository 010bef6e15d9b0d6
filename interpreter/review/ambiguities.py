"""Where the rules leave a question open that comes up at the table.

One module for each question; each says when it takes the question for answered.
All of these are warnings: the game can be played, as the language decides every
case somehow. An answer in the rules, or `# allow CODE: reason`, settles it.
"""

from __future__ import annotations

from ...grammar import Report
from ..core import CheckedGame
from .counts import counts
from .empty_choices import empty_choices
from .endlessness import endlessness
from .recurring import recurring
from .shortages import shortages
from .ties import ties
from .trigger_orders import trigger_orders
from .unfilled import unfilled

QUESTIONS = (
    trigger_orders,
    unfilled,
    recurring,
    shortages,
    ties,
    empty_choices,
    endlessness,
    counts,
)


def ambiguities(game: CheckedGame, report: Report) -> None:
    for question in QUESTIONS:
        question(game, report)
