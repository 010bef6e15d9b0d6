"""`original`: what stood there before, inside what takes its place.

A value (of a `define`, a table, `score`, `value`) is kept under another name, and `original`
is that: with the parameters as they came, or with arguments. Statements of a rule, an action,
a trigger, a phase, an ending, `setup` or a step are put in place of the word, as a step named
after what they are of; so steps inside them keep their addresses, and an action's conditions
stay conditions. Where `return` ends them, they are a loop of one pass that `stop` leaves. Only
a rule that gives a result, gets arguments or is called where no block can stand is kept as a
rule of its own. Names that both give something are told apart.
"""

from __future__ import annotations

from typing import Any

import attrs

from ...grammar import Report, Span, Word, syntax
from .addresses import called, name_of, word_for
from .effects import ORIGINAL
from .steps import statements_of
from .trees import BINDS, Made, bound_in, rewritten, walk, with_names

FIRST = (syntax.Require, syntax.Choose, syntax.ChooseBlock, syntax.Let, syntax.Step)
"""What may stand before `original` in an action: what decides whether it is possible."""


def is_original(node: Any) -> bool:
    return isinstance(node, syntax.Name) and node.text == ORIGINAL


def mentions(node: Any) -> bool:
    return any(is_original(n) for n in walk(node))


# ---------------------------------------------------------------- values
def value_with(value: syntax.Expr, hidden: str, params: tuple[str, ...] | None) -> syntax.Expr:
    """An expression in which `original` is another definition: with these parameters, or a constant."""

    def change(node: syntax.Node) -> Any:
        if isinstance(node, syntax.Invoke) and is_original(node.of):
            args = rewritten(node.args, change)
            return attrs.evolve(node, of=_name(hidden, node.of.span), args=args)
        if is_original(node):
            name = _name(hidden, node.span)
            if params is None:
                return name
            text = f"{hidden}({', '.join(params)})"
            args = tuple(syntax.Name(Word(p, node.span), span=node.span) for p in params)
            whole = attrs.evolve(name, text=MadeWhole(hidden, node.span, text))
            return syntax.Invoke(whole, args, span=node.span)
        return None

    made: syntax.Expr = rewritten(value, change)
    return made


class MadeWhole(Made):
    """The first word of something that has been made, with the text of all of it."""

    whole: str

    def __new__(cls, text: str, span: Span, whole: str) -> MadeWhole:
        word = super().__new__(cls, text, span)
        assert isinstance(word, MadeWhole)
        word.whole = whole
        return word


def _name(text: str, span: Span) -> syntax.Name:
    return syntax.Name(Made(text, span), span=span)


# ---------------------------------------------------------------- statements
class Wrapping:
    """The body of a replacement, with the old statements in place of `original`."""

    def __init__(self, old: Any, new: Any, hidden: str, report: Report) -> None:
        self.old, self.new, self.hidden, self.report = old, new, hidden, report
        self.as_rule = False
        """Is the old rule needed under its hidden name?"""
        inside = bound_in(old.body) & (bound_in(new) | _params(old))
        clash = {name: f"{name}_of_{hidden.rpartition('_of_')[2]}" for name in inside - _params(old)}
        self.statements = with_names(statements_of(old.body), clash)
        self.leaves = any(isinstance(n, syntax.Return) for n in walk(old.body))
        self.gives = isinstance(old, syntax.Rule) and old.type is not None

    def body(self) -> Any:
        if isinstance(self.old, syntax.Action):
            self._check_action()
        return rewritten(self.new, self._change)

    def _change(self, node: syntax.Node) -> Any:
        match node:
            case syntax.SimpleLine(body=syntax.Call(what=what)) if is_original(what) and self._fits():
                return self._step(what.span)
            case syntax.Line(body=syntax.Call(what=what)) if is_original(what) and self._fits():
                return syntax.Block(None, None, (self._step(what.span),), span=node.span)
            case syntax.Invoke(of=of) if is_original(of):
                return self._called(attrs.evolve(node, of=_name(self.hidden, of.span)), node)
            case syntax.Name() if is_original(node):
                params = [str(p.name) for p in getattr(self.old, "params", None) or ()]
                args = tuple(syntax.Name(Word(p, node.span), span=node.span) for p in params)
                whole = MadeWhole(self.hidden, node.span, f"{self.hidden}({', '.join(params)})")
                name = syntax.Name(whole, span=node.span)
                return self._called(syntax.Invoke(name, args or None, span=node.span), node)
        return None

    def _fits(self) -> bool:
        return not self.gives and not (self.leaves and isinstance(self.old, syntax.Rule))

    def _called(self, call: syntax.Invoke, node: syntax.Node) -> Any:
        """The old rule is called: there is no place for its statements."""
        if isinstance(self.old, syntax.Rule):
            self.as_rule = True
            args = call.args
            return attrs.evolve(call, args=rewritten(args, self._change) if args else args)
        sort = (
            called(word_for(self.old), name_of(self.old))
            if not isinstance(self.old, syntax.Step)
            else "a step"
        )
        takes = isinstance(node, syntax.Invoke)
        self.report.add(
            "D0612",
            f"`original` of {sort} takes no arguments" if takes else f"`original` of {sort} is a statement",
            node.span,
            help="write `original`" if takes else "put it on a line of its own, in a block",
        )
        return node

    def _step(self, span: Span) -> syntax.Stmt:
        """The old statements: a step, or a loop of one pass where something ends them early."""
        name = Made(self.hidden, span)
        if not self.leaves:
            return syntax.Step(name, syntax.Block(None, None, self.statements, span=span), span=span)

        def change(node: syntax.Node) -> Any:
            if not isinstance(node, syntax.Return):
                return None
            return syntax.Stop(MadeWhole(self.hidden, node.span, f"stop {self.hidden}"), span=node.span)

        once = syntax.Number(Made("1", span), span=span)
        inner = syntax.Block(None, None, rewritten(self.statements, change), span=span)
        return syntax.Repeat(name, once, inner, span=span)

    def _check_action(self) -> None:
        statements = statements_of(self.new)
        at = [i for i, stmt in enumerate(statements) if mentions(stmt)]
        plain = [i for i in at if is_original(_call_of(statements[i]))]
        here = next(n for n in walk(self.new) if is_original(n))
        if len(at) != 1 or plain != at:
            message = "in an action `original` stands once, on a line of its own, in no branch or loop"
            help_line = "an action is possible or not before it begins; what is done only sometimes goes `after step`, or into a trigger"
            self.report.add("D0612", message, here.span, help=help_line)
        elif any(not isinstance(_simple(stmt), FIRST) for stmt in statements[: at[0]]):
            message = "in an action nothing happens before `original`: its conditions are asked first"
            help_line = "put it behind `original`, or into a trigger `before` the action"
            self.report.add("D0612", message, here.span, help=help_line)
        elif self.leaves:
            self.report.add(
                "D0612", f"`original` of {called('action', name_of(self.old))} ends with `return`", here.span
            )


def _simple(stmt: syntax.Stmt) -> syntax.Stmt:
    return stmt.body if isinstance(stmt, syntax.SimpleLine) else stmt


def _call_of(stmt: syntax.Stmt) -> Any:
    simple = _simple(stmt)
    return simple.what if isinstance(simple, syntax.Call) else None


def _params(decl: Any) -> set[str]:
    return {str(p.name) for p in getattr(decl, "params", None) or ()}


# ---------------------------------------------------------------- where it cannot stand
def report_strays(decls: tuple[syntax.Decl, ...], report: Report) -> None:
    """`original` that is the old version of nothing, and things that are called so."""
    for decl in decls:
        if ORIGINAL not in decl.span.source.text:
            continue
        for node in walk(decl):
            if is_original(node):
                message = "`original` is what a `replace` puts something in place of; here is none"
                report.add("D0612", message, node.span)
            elif isinstance(node, (syntax.Decl, syntax.Param, syntax.Field, *BINDS)):
                word = getattr(node, BINDS.get(type(node), "name"), None)
                if word == ORIGINAL and isinstance(word, Word):
                    report.add(
                        "D0612", "`original` is a word of the language: nothing can be called so", word.span
                    )
