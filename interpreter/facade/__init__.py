"""dragonrules: a rules description language for tabletop games.

>>> import dragonrules as dr
>>> match = dr.load("tic_tac_toe").start(seed=1)
>>> match.decision.player
1
>>> len(match.decision.options)
9
"""

from .interpreter.errors import DragonError, PlayError, SpecError, UsageError
from .interpreter.game import Game, load, resume
from .interpreter.match import ChancePoint, Decision, Match, Option, Outcome

__version__ = "0.1.0"

__all__ = [
    "ChancePoint",
    "Decision",
    "DragonError",
    "Game",
    "Match",
    "Option",
    "Outcome",
    "PlayError",
    "SpecError",
    "UsageError",
    "load",
    "resume",
]
