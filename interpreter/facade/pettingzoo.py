"""Games as PettingZoo environments: `dragonrules.pettingzoo.env("drakon", players=4)`. Needs `dragonrules[rl]`."""

from .interpreter.adapters.pettingzoo import env, raw_env

__all__ = ["env", "raw_env"]
