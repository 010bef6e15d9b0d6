"""Checks over whole bodies, when all of them are known.

- A rule with a result returns one on every way through it.
- An ending and the `given` of a scenario happen at once: nobody decides, nothing is drawn.
- Turns in which nothing can happen never end, nor do loops without a limit that nothing leaves.
- A state that lasts until a rule ends needs a rule that is not inside itself.
- What is declared is used.

`together` has a module of its own (check_together.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...grammar import Span, syntax
from ...grammar.fixes import Edit, Fix
from ..core import As, Atomic, CallRule, If, May, Offer, Repeat, Show, Skip, St, Stop, Turns, bodies
from ..core import value_types as t
from ..core.facts import ALWAYS_WAIT, LEAVES
from ..core.scenario_parts import Given
from .names import parts_of, walk
from .together import check_together

if TYPE_CHECKING:
    from .context import Context


def check_flow(c: Context) -> None:
    _returns(c)
    _at_once(c)
    _empty_turns(c)
    _endless_loops(c)
    _inside_themselves(c)
    check_together(c)
    _unused(c)


# ---------------------------------------------------------------- walking bodies
def statements(body: tuple[St, ...]) -> Iterator[St]:
    """Every statement of a body, however deep."""
    for st in body:
        yield st
        for inner in bodies(st):
            yield from statements(inner)


def callees(c: Context, st: St) -> list[str]:
    """The rules and actions that a statement itself calls or offers."""
    if isinstance(st, CallRule):
        return [st.rule]
    if isinstance(st, Offer | May):
        menu = c.game.menus.get(st.offering.menu, []) if st.offering.menu else []
        return [*menu, *(case.action for case in st.offering.cases if case.action is not None)]
    return []


def reaches(c: Context, kinds: tuple[type[St], ...]) -> set[str]:
    """The rules in which one of these statements may be reached, with the triggers on them."""
    game = c.game
    hooks: dict[str, list[tuple[St, ...]]] = {name: [rule.body] for name, rule in game.rules.items()}
    for trigger in game.triggers.values():
        for kind, name in trigger.events:
            if kind == "rule" and name in hooks:
                hooks[name].append(trigger.body)
    found: set[str] = set()
    changed = True
    while changed:
        changed = False
        for name, hooked in hooks.items():
            if name not in found and any(
                isinstance(st, kinds) or found.intersection(callees(c, st))
                for body in hooked
                for st in statements(body)
            ):
                found.add(name)
                changed = True
    return found


# ---------------------------------------------------------------- returns
def _returns(c: Context) -> None:
    for name, rule in c.game.rules.items():
        if rule.type is not None and not _sure_to_leave(c, rule.body):
            c.error(
                "D0319",
                f"`{name}` may end without returning {t.a(rule.type)}",
                rule.span,
                help="end every way through it with `return`",
            )


def _sure_to_leave(c: Context, body: tuple[St, ...]) -> bool:
    return any(_leaves(c, st) for st in body)


def _leaves(c: Context, st: St) -> bool:
    if isinstance(st, LEAVES):
        return True
    if isinstance(st, CallRule):
        return st.rule in c.ending_rules
    if isinstance(st, Repeat) and st.limit is None:
        return not any(isinstance(inner, Stop) and inner.label == st.label for inner in _everything(c))
    if isinstance(st, Repeat) and st.label in c.game.rules:
        return _sure_to_leave(c, st.body)
    if isinstance(st, As | Show | Atomic):
        return _sure_to_leave(c, st.body)
    if isinstance(st, If):
        return all(_sure_to_leave(c, body) for body in (st.body, st.orelse))
    if isinstance(st, Offer | May):
        ways = [case.body for case in st.offering.cases] or [()]
        if isinstance(st, May) or st.orelse:
            ways.append(st.orelse)
        then = st.body if isinstance(st, May) else ()
        return all(_sure_to_leave(c, (*way, *then) if way is not st.orelse else way) for way in ways)
    return False


def _everything(c: Context) -> Iterator[St]:
    for rule in (*c.game.rules.values(), *c.game.triggers.values(), *c.game.phases):
        yield from statements(rule.body)


# ---------------------------------------------------------------- at once
def _at_once(c: Context) -> None:
    waiting = reaches(c, ALWAYS_WAIT)
    for ending in c.game.endings.values():
        for st in statements(ending.body):
            if isinstance(st, ALWAYS_WAIT) or waiting.intersection(callees(c, st)):
                c.error(
                    "D0316",
                    "an ending takes effect at once: nobody decides and nothing is drawn here",
                    st.span,
                )
            elif isinstance(st, Repeat) and st.limit is None:
                c.error("D0316", "an ending takes effect at once: `repeat up to n:`", head_of(st.span))
            elif isinstance(st, Stop):
                c.error(
                    "D0316", "an ending finishes the match or does nothing: there is nothing to stop", st.span
                )
    for scenario in c.game.scenarios:
        for part in scenario.parts:
            for st in statements(part.body if isinstance(part, Given) else ()):
                if isinstance(st, ALWAYS_WAIT) or waiting.intersection(callees(c, st)):
                    c.error(
                        "D0316",
                        "`given` sets up a position; what is chosen or drawn belongs under `when:`",
                        st.span,
                    )


# ---------------------------------------------------------------- what never ends
def _empty_turns(c: Context) -> None:
    """Turns in which nobody decides, nothing is drawn and nothing is ended."""
    game = c.game
    useful = tuple(kind for kind in (*ALWAYS_WAIT, *LEAVES) if kind is not Skip)
    alive = reaches(c, useful)
    hooked = any(
        kind in ("turn", "scope") for trigger in game.triggers.values() for kind, _ in trigger.events
    )
    if game.endings or hooked:
        return
    for rule in (*game.rules.values(), *game.triggers.values(), *game.phases):
        for st in statements(rule.body):
            if not isinstance(st, Turns) or st.where is not None or st.once:
                continue
            if not any(
                isinstance(s, useful) or alive.intersection(callees(c, s)) for s in statements(st.body)
            ):
                head = Span(st.span.source, st.span.start, st.span.start + 5)
                c.report.warn(
                    "D0406", "these turns never end: nobody decides anything and nothing stops them", head
                )


def _endless_loops(c: Context) -> None:
    """`repeat` without a limit that nothing in it leaves."""
    if c.game.endings:
        return
    leaving = tuple(kind for kind in LEAVES if kind is not Skip)
    alive = reaches(c, leaving)
    for st in _everything(c):
        if isinstance(st, Repeat) and st.limit is None:
            if not any(
                isinstance(s, leaving) or alive.intersection(callees(c, s)) for s in statements(st.body)
            ):
                c.report.warn(
                    "D0406",
                    "this loop never ends: nothing in it leaves it",
                    head_of(st.span),
                    help="`stop` it by its name, `return`, or say how often: `repeat up to n:`",
                )


def head_of(span: Span) -> Span:
    """The first word of a loop."""
    return Span(span.source, span.start, span.start + len("repeat"))


def _inside_themselves(c: Context) -> None:
    for name, span in c.bodies.lasting.items():
        found, todo = {name}, [name]
        while todo:
            for st in statements(c.game.rules[todo.pop()].body):
                for callee in callees(c, st):
                    if callee == name:
                        c.error(
                            "D0316",
                            f"`{name}` may run inside itself, so which end is meant is not clear",
                            span,
                            related=[(st.span, "it is called here")],
                            help="call it from another rule, and say `until` that one ends",
                        )
                        todo.clear()
                        break
                    if callee in c.game.rules and callee not in found:
                        found.add(callee)
                        todo.append(callee)


# ---------------------------------------------------------------- never used
_NAMED = (
    syntax.Option, syntax.Kinds, syntax.Component, syntax.ComponentFields, syntax.Token, syntax.Table, syntax.Place,
    syntax.State, syntax.Piece, syntax.Partition, syntax.Record, syntax.Define, syntax.Rule, syntax.Action,
)  # fmt: skip


def _unused(c: Context) -> None:
    """Names that stand nowhere but in their declaration. Loops may have a name for its own sake:
    variants and traces go by it."""
    if c.report.errors:
        return
    uses: dict[str, set[int]] = {}
    used = [set(_names_used(decl)) for decl in c.file.decls]
    for number, names in enumerate(used):
        for name in names:
            uses.setdefault(name, set()).add(number)
    for number, decl in enumerate(c.file.decls):
        members = decl.members if isinstance(decl, syntax.EachHas | syntax.EachHasOne) else (decl,)
        for member in members:
            if not isinstance(member, _NAMED) or (
                isinstance(member, syntax.Action) and member.menu is not None
            ):
                continue
            if isinstance(member, syntax.Define) and isinstance(member.doc, syntax.WithDoc):
                continue  # explained, so meant for scenarios and variants
            own = {number} if member is decl else set()
            if not uses.get(str(member.name), set()) - own and not _values_used(member, uses, own):
                whole = member.span if member is decl or len(members) > 1 else decl.span
                c.report.add(
                    "D0403",
                    f"`{member.name}` is never used",
                    member.name.span,
                    severity="warning",
                    fixes=_without(whole, f"take `{member.name}` out", safe=False),
                )
    for decl, names in zip(c.file.decls, used, strict=True):
        for let in walk(decl):
            if isinstance(let, syntax.Let | syntax.IfLet) and let.name not in names:
                if not isinstance(let.value, syntax.Note | syntax.Invoke):
                    c.report.add(
                        "D0403",
                        f"`{let.name}` is never used",
                        let.name.span,
                        severity="warning",
                        fixes=_without(let.span, f"take `{let.name}` out") if _plain(let) else (),
                    )


def _plain(let: syntax.Node) -> bool:
    """Does nothing happen where this name is given?"""
    return isinstance(let, syntax.Let) and let.otherwise is None


def _without(span: Span, title: str, *, safe: bool = True) -> tuple[Fix, ...]:
    """Takes whole lines out: none where something else stands on them, or where a block would be empty.
    Without asking only what has no name outside: a declaration may have been written for what is to come."""
    text = span.source.text
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.end) + 1 or len(text)
    rest, indent = text[span.end : end].strip(), text[start : span.start]
    if indent.strip() or (rest and not rest.startswith("#")):
        return ()
    if not indent:
        end += len(text[end:]) - len(text[end:].lstrip("\n"))
    elif not _beside(text[end:].lstrip("\n"), indent, '#"'):
        above = text[:start].rstrip().rpartition("\n")[2]
        if not _beside(above, indent, '#"'):
            return ()
    return (Fix(title, (Edit(Span(span.source, start, end), ""),), safe),)


def _beside(text: str, indent: str, others: str) -> bool:
    """Does a line of the same block begin here, and not with one of these signs?"""
    return text.startswith(indent) and text[len(indent) : len(indent) + 1].strip(f" \n{others}") != ""


def _values_used(member: Any, uses: dict[str, set[int]], own: set[int]) -> bool:
    """An enumeration is used where one of its values is; a table of rows shows them as text."""
    values = member.values if isinstance(member, syntax.Kinds) else ()
    return any(uses.get(str(value), set()) - own for value in values)


_NAMING = (
    *_NAMED, syntax.Let, syntax.IfLet, syntax.LetDrawn, syntax.Binder, syntax.Param, syntax.Field,
)  # fmt: skip


_used: dict[Any, tuple[str, ...]] = {}


def _used_in(cls: Any) -> tuple[str, ...]:
    """The fields of a class that may refer to a declaration."""
    if cls not in _used:
        own = ("doc", "cite", *(("name", "values") if issubclass(cls, _NAMING) else ()))
        _used[cls] = tuple(name for name in parts_of(cls) if name not in own)
    return _used[cls]


def _names_used(node: Any) -> Iterator[str]:
    """Every word of a tree that may refer to a declaration."""
    todo = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, str):
            yield str(part)
        elif isinstance(part, tuple):
            todo += part
        elif isinstance(part, syntax.Rows | syntax.Table):
            for row in part.rows:
                yield from row.replace("|", " ").replace(",", " ").split()
            todo += [getattr(part, name) for name in _used_in(type(part)) if name != "rows"]
        elif isinstance(part, syntax.Node):
            todo += [getattr(part, name) for name in _used_in(type(part))]
