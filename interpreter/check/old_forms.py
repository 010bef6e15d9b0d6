"""Older ways to say something that has a shorter or clearer form now: notes, each with the fix.

They mean what they always meant. The parts of the checker tell what they come across; here it is worded, and
`dragonrules upgrade` takes the advice.
"""

from __future__ import annotations

from ...grammar import Span, syntax
from ...grammar.fixes import Edit, Fix
from ..core import Ex
from ..core import value_types as t
from .names import walk
from .part import Part
from .wording import brief, shortened

_NOTHING = {"=": True, "!=": False, ">": False}


class OldForms(Part):
    """What is noted, by form."""

    def note(self, span: Span, message: str, *edits: Edit) -> None:
        fix = Fix("say it the newer way", edits)
        self.c.report.add("D0516", message, span, severity="note", fixes=(fix,))

    # ------------------------------------------------------------ nothing that need not be said
    def draw(self, node: syntax.Draw) -> None:
        """`draw 2 from a to b else nothing`"""
        if not isinstance(node.otherwise, syntax.Nothing) or node.otherwise.span.text != "nothing":
            return
        amount = brief(node.amount.span)
        self.note(
            node.otherwise.span,
            f"`draw up to {amount}` says that fewer are all right",
            Edit(_at(node.amount.span.start, node.span), "up to "),
            Edit(Span(node.span.source, node.dest.span.end, node.otherwise.span.end), ""),
        )

    def empty_body(self, node: syntax.Rule | syntax.Action | syntax.ShowTo) -> None:
        """`rule r(): nothing`, `show x to p: nothing`"""
        body = node.body
        if not isinstance(body, syntax.Line) or not isinstance(body.body, syntax.Nothing):
            return
        if isinstance(node, syntax.Rule) and node.type is not None:
            return
        text = node.span.source.text
        colon = text.rfind(":", node.span.start, body.body.span.start)
        self.note(
            body.body.span,
            "nothing need be said here: without a body nothing is done",
            Edit(Span(node.span.source, colon, body.body.span.end), ""),
        )

    # ------------------------------------------------------------ emptiness
    def counted(self, op: str, left: syntax.Expr, right: syntax.Expr, ex: Ex, span: Span) -> None:
        """`count(x) = 0`, `count(x) > 0`, where `x` is a place or a set"""
        match left, right:
            case syntax.Invoke(of=syntax.Name(text="count"), args=(syntax.Expr() as whole,)), syntax.Number(
                text="0"
            ) if op in _NOTHING:
                counted = ex.args[0] if getattr(ex, "op", "") == "size" else None  # type: ignore[attr-defined]
                if not isinstance(whole, syntax.Name | syntax.Attribute | syntax.Index) or counted is None:
                    return
                if not isinstance(counted.type, t.Place) or counted.type.form.spaces:
                    return
                sign = "=" if _NOTHING[op] else "!="
                empty = "none" if counted.type.form.single else "{}"
                told = f"{whole.span.text} {sign} {empty}"
                self.note(span, f"`{brief(whole.span)} {sign} {empty}` says it shorter", Edit(span, told))

    def slot(self, op: str, left: syntax.Expr, right: syntax.Expr) -> None:
        """`niche = {}`"""
        empty = right if isinstance(right, syntax.SetOf) else left
        self.note(empty.span, "a slot holds one thing or `none`", Edit(empty.span, "none"))

    # ------------------------------------------------------------ if there is one
    def one_pass(self, node: syntax.ForLoop, type_: t.Type) -> None:
        """`for x in {E}:`, where E may be none"""
        (binder,) = node.binders
        if not isinstance(binder, syntax.Binder) or not isinstance(binder.domain, syntax.SetOf):
            return
        items = binder.domain.items or ()
        alone = not _before_on_its_line(node.span).strip()
        plain = node.label is None and node.where is None and node.as_player is None
        if len(items) != 1 or not isinstance(type_, t.Opt) or not alone or not plain or _skips(node.body):
            return
        head = Span(node.span.source, node.span.start, binder.span.end)
        told = f"if let {binder.name} = {items[0].span.text}"
        self.note(head, f"`{shortened(told)}:` says that there may be one", Edit(head, told))

    def answered(self, let: syntax.Let, test: syntax.IfElse, rest: tuple[syntax.Stmt, ...]) -> None:
        """`let ok = r()`, then `if ok:`"""
        name = test.when.of if isinstance(test.when, syntax.NotExpr) else test.when
        if not isinstance(name, syntax.Name) or name.text != let.name or let.otherwise is not None:
            return
        uses = sum(isinstance(n, syntax.Name) and n.text == let.name for n in walk((test, *rest)))
        if uses != 1:
            return
        text = let.span.source.text
        end = text.find("\n", let.span.end)
        if "#" in text[let.span.end : end] or "[" in text[let.span.end : end]:
            return  # a comment or a citation stands there
        line = Span(let.span.source, text.rfind("\n", 0, let.span.start) + 1, end + 1)
        self.note(
            let.name.span,
            f"a rule may be asked at once: `if {brief(let.value.span)}:`",
            Edit(line, ""),
            Edit(name.span, let.value.span.text),
        )


def _at(place: int, span: Span) -> Span:
    return Span(span.source, place, place)


def _before_on_its_line(span: Span) -> str:
    text = span.source.text
    return text[text.rfind("\n", 0, span.start) + 1 : span.start]


def _skips(node: object) -> bool:
    return any(isinstance(part, syntax.Skip) for part in walk(node))
