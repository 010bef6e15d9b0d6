"""Limits: requirements of all actions of a menu, written in front of the header of each.

`limit must_coup in deed except coup:` stands for the same lines in every action of the menu `deed` but `coup`, also in those that
variants add.
"""

from __future__ import annotations

from functools import cached_property

import attrs

from ...grammar import Word, did_you_mean, syntax
from .names import walk
from .part import Part


class Limits(Part):
    @cached_property
    def _by_action(self) -> dict[str, list[syntax.Limit]]:
        actions: dict[str, dict[str, syntax.Action]] = {}
        for action in self.c.names.each(syntax.Action):
            if action.menu is not None:
                actions.setdefault(str(action.menu), {})[str(action.name)] = action
        found: dict[str, list[syntax.Limit]] = {}
        for limit in self.c.names.each(syntax.Limit):
            menu = actions.get(str(limit.menu))
            if menu is None:
                self.error(
                    "D0201",
                    f"no action is in a menu `{limit.menu}`",
                    limit.menu.span,
                    help=did_you_mean(limit.menu, actions),
                )
                continue
            limited = set(menu)
            for name in limit.but or ():
                if name not in menu:
                    self.error(
                        "D0201",
                        f"`{name}` is no action of `{limit.menu}`",
                        name.span,
                        help=did_you_mean(name, menu),
                    )
                limited.discard(str(name))
            if self._sound(limit, limited):
                for name in menu:
                    if name in limited:
                        found.setdefault(name, []).append(limit)
        return found

    def _sound(self, limit: syntax.Limit, limited: set[str]) -> bool:
        """Only requirements and names, and none that asks about an action that it limits."""
        for line in _lines(limit.body):
            st = line.body if isinstance(line, syntax.SimpleLine) else line
            if not isinstance(st, syntax.Require | syntax.Let):
                self.error(
                    "D0307",
                    "a limit only says what is required: `require` and `let` lines",
                    st.span,
                    help="what happens belongs in a `trigger`",
                )
                return False
        for node in walk(limit.body):
            if isinstance(node, syntax.Can):
                asked = node.of.of if isinstance(node.of, syntax.Invoke) else node.of
                name = str(asked.text) if isinstance(asked, syntax.Name) else ""
                if name in limited or name == limit.menu:
                    self.error("D0318", f"whether `{name}` is possible depends on this limit", node.span)
                    return False
        return True

    def over(self, node: syntax.Rule | syntax.Action) -> syntax.Suite:
        """The body of an action, with what limits it in front."""
        limits = self._by_action.get(str(node.name), ()) if isinstance(node, syntax.Action) else ()
        body = node.body
        if not limits:
            return body
        lines: list[syntax.Stmt] = []
        for limit in limits:
            lines += self._renamed(limit, node)
        own = _lines(body)
        if isinstance(body, syntax.Block):
            return attrs.evolve(body, body=(*lines, *own))
        return syntax.Block(getattr(body, "cite", None), None, (*lines, *own), span=body.span)

    def _renamed(self, limit: syntax.Limit, node: syntax.Rule | syntax.Action) -> list[syntax.Stmt]:
        """The lines of a limit, with names for the parameters where it calls them otherwise."""
        theirs = node.params or ()
        out: list[syntax.Stmt] = []
        if len(limit.params or ()) != len(theirs):
            self.error(
                "D0302",
                f"the actions of `{limit.menu}` take {len(theirs) or 'no'} value{'' if len(theirs) == 1 else 's'}, so the limit must too",
                limit.name.span,
                related=[(node.name.span, "as this one does")],
            )
            return out
        for mine, given in zip(limit.params or (), theirs, strict=True):
            if mine.name != given.name:
                value = syntax.Name(Word(str(given.name), mine.name.span), span=mine.name.span)
                let = syntax.Let(mine.name, value, None, span=mine.span)
                out.append(syntax.SimpleLine(let, None, span=mine.span))
        return [*out, *_lines(limit.body)]


def _lines(suite: syntax.Suite) -> tuple[syntax.Stmt, ...]:
    if isinstance(suite, syntax.Block):
        return suite.body
    assert isinstance(suite, syntax.Line | syntax.Nested)
    return (suite.body,)
