"""dragonrules: a rules description language for tabletop games.

>>> import dragonrules as dr
>>> match = dr.load("tic_tac_toe").start(seed=1)
>>> match.decision.player
1
>>> len(match.decision.options)
9
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .interpreter.adapters.batch import Batch, batch
    from .interpreter.core.errors import DragonError, PlayError, SpecError, UsageError
    from .interpreter.lab.notebook import compare, simulate, tournament
    from .interpreter.loading import load, loads, resume
    from .interpreter.play.game import Game
    from .interpreter.play.match import ChancePoint, Decision, Match, Option, Outcome, Pending
    from .interpreter.play.table_data import Appearance, Board, Place, Table, Thing
    from .interpreter.play.targets import Target
    from .interpreter.play.whynot import Refusal
else:
    _HOMES = {
        "adapters.batch": ("Batch", "batch"),
        "core.errors": ("DragonError", "PlayError", "SpecError", "UsageError"),
        "lab.notebook": ("compare", "simulate", "tournament"),
        "play.game": ("Game",),
        "loading": ("load", "loads", "resume"),
        "play.match": ("ChancePoint", "Decision", "Match", "Option", "Outcome", "Pending"),
        "play.table_data": ("Appearance", "Board", "Place", "Table", "Thing"),
        "play.targets": ("Target",),
        "play.whynot": ("Refusal",),
    }

    def __getattr__(name: str) -> object:
        """Import what is asked for: the command line and the pytest plugin start without all of it."""
        from importlib import import_module

        for home, names in _HOMES.items():
            if name in names:
                found = globals()[name] = getattr(import_module(f".interpreter.{home}", __name__), name)
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


__version__ = "0.1.0"

__all__ = [
    "Appearance",
    "Batch",
    "Board",
    "ChancePoint",
    "Decision",
    "DragonError",
    "Game",
    "Match",
    "Option",
    "Outcome",
    "Pending",
    "Place",
    "PlayError",
    "Refusal",
    "SpecError",
    "Table",
    "Target",
    "Thing",
    "UsageError",
    "batch",
    "compare",
    "load",
    "loads",
    "resume",
    "simulate",
    "tournament",
]
