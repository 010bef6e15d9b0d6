"""Triggers around what they wait for: all `before`, what happens or the one `instead of` it, all `after`."""

from __future__ import annotations

from ....grammar import Span
from ...core import (
    Apply,
    Ex,
    If,
    Local,
    RuleDecl,
    St,
    Var,
    free_vars,
)
from ...core import value_types as t
from .part import Part


class Hooks(Part):
    def hooked(
        self, hooks: list[RuleDecl], args: tuple[Ex, ...], span: Span, body: tuple[St, ...]
    ) -> tuple[St, ...]:
        """What happens with its triggers: all `before`, the body or the one `instead of` it, all
        `after`. A `before` that cancels drops all the rest."""
        first = self.answering([h for h in hooks if h.timing == "instead"], args, span, body)
        out = (*first, *self.calls(hooks, "after", args, span))
        for hook in reversed([h for h in hooks if h.timing == "before"]):
            if self.c.waiting.cancels(hook):
                out = self.answering([hook], args, span, out)
            else:
                out = (self._hook(hook, args, span), *out)
        return out

    def calls(self, hooks: list[RuleDecl], timing: str, args: tuple[Ex, ...], span: Span) -> tuple[St, ...]:
        return tuple(self._hook(h, args, span) for h in hooks if h.timing == timing)

    def _hook(self, hook: RuleDecl, args: tuple[Ex, ...], span: Span) -> St:
        """The call of a trigger. A condition that means the same here is tested before a frame is made."""
        call = self.c.call(f"trigger {hook.name}", args[: len(hook.params)], span)
        if hook.where is None or hook.me is not None or free_vars(hook.where):
            return call
        return If(span, hook.where, (call,))

    def answering(
        self,
        hooks: list[RuleDecl],
        args: tuple[Ex, ...],
        span: Span,
        body: tuple[St, ...],
        taken: tuple[St, ...] = (),
    ) -> tuple[St, ...]:
        """Triggers that tell whether they took the place of what follows; the first that does is the last
        to be asked."""
        for hook in reversed(hooks):
            var = Var("taken", f"taken_{self.number()}", t.YES_NO)
            call = self.c.call(f"trigger {hook.name}", args[: len(hook.params)], span, var)
            free = Apply(t.YES_NO, span, "not", (Local(t.YES_NO, span, var),))
            body = (call, If(span, free, body, taken))
        return body
