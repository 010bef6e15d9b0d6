"""Which procedures wait, which triggers hang on what."""

from __future__ import annotations

from ..core import (
    Atomic,
    CallRule,
    Cancel,
    CheckedGame,
    For,
    InPhase,
    Repeat,
    RuleDecl,
    Show,
    Skip,
    St,
    Stop,
    bodies,
)
from ..core.facts import JUMPS, waits
from ..core.traversal import contains


class Waiting:
    def __init__(self, game: CheckedGame, bodies: dict[str, tuple[St, ...]]) -> None:
        self.game = game
        self.bodies = bodies
        self.waits: dict[str, bool] = {}
        self.lifetimes = {state.until for state in game.states.values() if state.until}
        self._settle_all()

    # ------------------------------------------------------------ triggers
    def hooks(self, kind: str, name: str | None) -> list[RuleDecl]:
        return [trig for trig in self.game.triggers.values() if (kind, name) in trig.events]

    def cancels(self, trigger: RuleDecl) -> bool:
        return any(contains(st, Cancel) for st in trigger.body)

    # ------------------------------------------------------------ waiting
    def _settle_all(self) -> None:
        """A procedure waits when something in it waits; start from none and grow."""
        self.waits = dict.fromkeys(self.bodies, False)
        changed = True
        while changed:
            changed = False
            for name, body in self.bodies.items():
                if self.waits[name]:
                    continue
                hooked = [f"trigger {h.name}" for h in self.hooks("rule", name)]
                if self.needs_blocks(body) or any(self.waits.get(h) for h in hooked):
                    self.waits[name] = changed = True

    def settle(self, name: str, waits: bool) -> None:
        self.waits[name] = waits

    def needs_blocks(self, body: tuple[St, ...]) -> bool:
        return any(self._waits(st, ()) for st in body)

    def _waits(self, st: St, loops: tuple[str | None, ...]) -> bool:
        if waits(st):
            return True
        if isinstance(st, CallRule):
            name = st.rule
            if name.endswith("!"):
                return self.waits.get(name, self.waits.get(name[:-1], False))
            return self.waits.get(name, False)
        if isinstance(st, Stop):
            label, local = (st.label, st.local)
            return not local or not loops or loops[-1] != label
        if isinstance(st, Show | Atomic | InPhase) and any(contains(inner, *JUMPS) for inner in st.body):
            return True
        inner = loops
        if isinstance(st, Repeat) and st.limit is None:
            return True  # it may go on without end, which is noticed from block to block
        if isinstance(st, For | Repeat) and f"next {st.label}" in self.lifetimes:
            return True
        if (
            isinstance(st, For | Repeat)
            and st.label in self.lifetimes
            and any(contains(s, *JUMPS) for s in st.body)
        ):
            return True  # what lasts until the loop ends is reset however it ends
        if isinstance(st, For):
            if len(st.gens) > 1 and any(contains(s, Stop, Skip) for s in st.body):
                return True
            inner = (*loops, str(st.label) if st.label else None)
        elif isinstance(st, Repeat):
            inner = (*loops, str(st.label) if st.label else None)
        return any(self._waits(s, inner) for body in bodies(st) for s in body)
