"""What kind of game it is, derived from its rules: for tools that ask before they play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from ..core import SeenByAll
from .rivalry import rivals

if TYPE_CHECKING:
    from .engine import Engine


@frozen
class Traits:
    """`chance`: luck plays a part. `hidden`: some know what others do not. `sealed`: some choices are
    made at the same time, behind a seal. `together`: all win or lose together. `teams`: some are partners.
    `score`: the rules count one."""

    players: int
    chance: bool
    hidden: bool
    sealed: bool
    together: bool
    teams: bool
    score: bool


def traits(engine: Engine) -> Traits:
    points = engine.points.values()
    against = rivals(engine.layout)
    sealed = any(point.sealed for point in points)
    return Traits(
        players=engine.players,
        chance=bool(engine.generated.chances),
        hidden=sealed or any(point.private for point in points) or _hides(engine),
        sealed=sealed,
        together=not any(against),
        teams=any(against) and any(len(others) < engine.players - 1 for others in against),
        score=engine.game.score is not None,
    )


def _hides(engine: Engine) -> bool:
    """Is there a place or a state that not everybody sees? A deck that nobody sees is luck, not a secret."""
    watcher = engine.watcher
    for key, instances in engine.layout.instances.items():
        for index, instance in enumerate(instances):
            mask = watcher.declared_mask(key, index, "seen")
            if mask != watcher.everyone and not (mask == 0 and instance.decl.form.hidden):
                return True
    return any(decl.seen != SeenByAll() for decl in engine.game.states.values())
