"""Games as Gymnasium environments for one seat: `dragonrules.gymnasium.Solo("drakon")`. Needs `dragonrules[rl]`."""

from .interpreter.adapters.gymnasium import Solo

__all__ = ["Solo"]
