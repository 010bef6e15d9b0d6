"""Games for OpenSpiel: importing this registers `dragon`, as in `pyspiel.load_game("dragon(spec=kuhn_poker)")`. Needs `dragonrules[openspiel]`."""

from .interpreter.adapters.openspiel import DragonGame, DragonObserver, DragonState

__all__ = ["DragonGame", "DragonObserver", "DragonState"]
