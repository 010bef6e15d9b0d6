"""Which procedures wait, which triggers hang on what, which choices are private."""

from __future__ import annotations

from typing import Any

from .core import CheckedGame, Choice, Comp, Ex, Gen, RuleDecl, St, Var
from .facts import JUMPS, waits


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
        return any(contains(st, "cancel") for st in trigger.body)

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
        if st.op == "call":
            name = st.data[0]
            if name.endswith("!"):
                return self.waits.get(name, self.waits.get(name[:-1], False))
            return self.waits.get(name, False)
        if st.op == "stop":
            label, local = st.data
            return not local or not loops or loops[-1] != label
        if st.op in ("show", "atomic", "scope") and any(contains(inner, *JUMPS) for inner in st.body):
            return True
        inner = loops
        label = str(st.data[0] if st.op == "for" else st.data) if st.op in ("for", "repeat") else None
        if label in self.lifetimes and any(contains(s, *JUMPS) for s in st.body):
            return True  # what lasts until the loop ends is reset however it ends
        if st.op == "for":
            if len(st.args) > 1 and any(contains(s, "stop", "skip") for s in st.body):
                return True
            inner = (*loops, str(st.data[0]) if st.data[0] else None)
        elif st.op == "repeat":
            inner = (*loops, str(st.data) if st.data else None)
        return any(self._waits(s, inner) for s in st.body) or any(self._waits(s, inner) for s in st.orelse)

    # ------------------------------------------------------------ privacy
    def hides(self, choice: Choice, me: Var | None) -> bool:
        """A choice is announced unless it was made among things that others cannot see."""
        seen: set[str] = set()
        return any(self._hidden(gen, seen) for gen in choice.gens)

    def _hidden(self, node: Any, seen: set[str]) -> bool:
        if isinstance(node, Gen):
            parts = [node.domain, *node.where, *(d for _, d in node.cells)]
            return any(self._hidden(p, seen) for p in parts)
        if isinstance(node, Comp):
            return any(self._hidden(p, seen) for p in (*node.gens, node.value, *node.by, node.while_))
        if not isinstance(node, Ex):
            return False
        if node.op == "revealed":
            return False
        if node.op in ("size", "empty"):
            place = node.args[0]
            if place.op == "place":
                return place.data.size_seen != "all" or any(self._hidden(a, seen) for a in place.args)
        if node.op == "top" and node.args[0].op == "place" and node.args[0].data.top_seen == "all":
            return any(self._hidden(a, seen) for a in node.args[0].args)
        if node.op == "place" and node.data.seen != "all" and not node.data.name.startswith("box of"):
            return True
        if node.op == "state" and node.data.seen != "all":
            return True
        if node.op == "call":
            if node.data.name not in seen:
                seen.add(node.data.name)
                if self._hidden(node.data.body, seen):
                    return True
        return any(self._hidden(a, seen) for a in node.args) or self._hidden(node.data, seen)


def contains(st: St, *ops: str) -> bool:
    if st.op in ops:
        return True
    if st.op in ("offer", "may") and any(contains(s, *ops) for case in st.data.cases for s in case.body):
        return True
    return any(contains(inner, *ops) for inner in (*st.body, *st.orelse))
