"""Checking over all bodies: who needs a `me`, and whether a `stop` always finds what it stops."""

from __future__ import annotations

from collections.abc import Iterator

from .part import Part
from .scope import Body, Call


class Across(Part):
    """What only shows when all bodies are known."""

    def settle_me(self) -> None:
        """A rule that calls one that needs `me` needs it too; where there is none, that is an error."""
        changed = True
        while changed:
            changed = False
            for body in self.c.bodies.bodies.values():
                for call in body.calls:
                    needed = (
                        self.c.bodies.bodies[call.callee].uses_me
                        if call.callee in self.c.bodies.bodies
                        else False
                    )
                    if needed and call.me_from == "caller" and not body.uses_me:
                        body.uses_me = changed = True
                        body.me_spans += self.c.bodies.bodies[call.callee].me_spans
            for name, trigger in self.game.triggers.items():
                if not self.c.bodies.bodies[f"trigger {name}"].uses_me:
                    continue
                for kind, event in trigger.events:  # a trigger gets the `me` of the rule that it hooks
                    if kind == "rule" and not self.c.bodies.bodies[event].uses_me:
                        self.c.bodies.bodies[event].uses_me = changed = True
                        self.c.bodies.bodies[event].me_spans += self.c.bodies.bodies[
                            f"trigger {name}"
                        ].me_spans
        for body in self.c.bodies.bodies.values():
            for call in body.calls:
                callee = call.callee
                if (
                    call.me_from == "nowhere"
                    and callee in self.c.bodies.bodies
                    and self.c.bodies.bodies[callee].uses_me
                ):
                    spans = self.c.bodies.bodies[callee].me_spans
                    related = [(spans[0], "here it asks for `me`")] if spans else []
                    self.error(
                        "D0308",
                        f"`{callee}` needs somebody who decides, but nobody does here",
                        call.span,
                        related=related,
                        help="call it inside `as p:` or a turn",
                    )
        for name, rule in self.game.rules.items():
            rule.uses_me = self.c.bodies.bodies[name].uses_me
        for name, trigger in self.game.triggers.items():
            trigger.uses_me = self.c.bodies.bodies[f"trigger {name}"].uses_me

    def check_stops(self) -> None:
        """`stop X` in a rule: X must be open in every place that calls the rule."""
        for body, label, span in self.c.stmts.outer_stops:
            if not self._always_inside(body, label, set()):
                self.error(
                    "D0405",
                    f"`{body.name}` stops `{label}`, but is also used where that is not open",
                    span,
                    related=[(self.c.names.labels[label], f"`{label}` is opened here")],
                    help="it must stand around every call, and not outside of `together` or `atomic`",
                )

    def _always_inside(self, body: Body, label: str, seen: set[int]) -> bool:
        if id(body) in seen:
            return True
        seen.add(id(body))
        if body.kind in ("phase", "ending"):
            return False
        for call, caller in self._callers(body):
            if label not in call.labels and (call.walls or not self._always_inside(caller, label, seen)):
                return False
        return True

    def _callers(self, body: Body) -> Iterator[tuple[Call, Body]]:
        """Where control comes from into a rule, an action or a trigger. What crosses a place may do
        so anywhere, so nothing is said about triggers on places."""
        wanted: set[str] = set()
        hooked: set[str] = set()
        if self.c.bodies.bodies.get(body.name) is body:
            wanted = {body.name, f"menu {self.game.rules[body.name].menu}"}
        elif body.name in self.game.triggers:
            for kind, name in self.game.triggers[body.name].events:
                if kind == "rule":
                    yield from self._callers(self.c.bodies.bodies[name])
                elif kind == "menu":
                    wanted.add(f"menu {name}")
                else:
                    hooked.add(name)
        for caller in self.c.bodies.bodies.values():
            yield from ((call, caller) for call in caller.calls if call.callee in wanted)
        for label, call, caller in self.c.turning.loops:
            if label in hooked or "turn" in hooked:
                yield call, caller
