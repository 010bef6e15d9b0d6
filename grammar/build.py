"""From Lark's parse tree to the syntax tree.

A rule or alias of the grammar names the class that it builds, so this is one
generic step: list rules become tuples, everything else a node with the
children as its fields.
"""

from __future__ import annotations

import re
from typing import Any

from lark import Token, Tree

from . import syntax
from .spans import Source, Span, Word

LISTS = frozenset(
    "params name_list indices fields bar_rows token_items place_clauses members one_member events"
    " overlays new_fields place_changes cell_changes put_here variant_clauses string_list number_list scenario_options scenario_parts when_steps"
    " then_checks picks look_lines look_parts stmts choose_clauses cases where_parts expr_list args by_list"
    " binders choices cell_binders".split()
)

SPECIAL = {"return_": "Return", "plain_type": "PlainType"}
BARE = {"bare_rule": "rule", "bare_action": "action"}
"""Declarations without a body, which do nothing by themselves."""


def _class_for(rule: str) -> Any:
    name = SPECIAL.get(rule) or "".join(part.capitalize() for part in rule.split("_"))
    return getattr(syntax, name)


class Builder:
    """Builds the nodes of one declaration; `offset` is where it starts in the source."""

    def __init__(self, source: Source, offset: int) -> None:
        self.source = source
        self.offset = offset
        self.last = offset

    def build(self, tree: Tree[Token] | Token | None) -> Any:
        if tree is None:
            return None
        if isinstance(tree, Token):
            return self.word(tree)
        rule = str(tree.data)
        if rule == "declaration":
            return self.build(tree.children[0])
        start = self.start_of(tree)
        children = [self.build(child) for child in tree.children]
        if rule in LISTS:
            return tuple(children)
        if rule == "define_block":
            return self.define_block(children, self.span_of(tree, start))
        if rule == "ending_at_rest":
            name, *more = children
            found = re.compile(r"\bat[ \t]+(rest)\b").search(self.source.text, name.span.end)
            assert found is not None
            rest = Word("rest", Span(self.source, *found.span(1)))
            return syntax.Ending(name, more[0], rest, *more[1:], span=self.span_of(tree, start))
        if rule == "ending_after":
            name, amount, when, body = children
            span = self.span_of(tree, start)
            return syntax.Ending(name, None, None, when, body, after=amount, span=span)
        if rule in BARE:
            return self.bare(rule, children, self.span_of(tree, start))
        return _class_for(rule)(*children, span=self.span_of(tree, start))

    def bare(self, rule: str, children: list[Any], span: Span) -> Any:
        *head, cite, doc = children
        end = Span(self.source, span.end, span.end)
        nothing = syntax.SimpleLine(syntax.Nothing(span=end), None, span=end)
        words = doc.doc if isinstance(doc, syntax.WithDoc) else None
        body = syntax.Block(cite, words, (nothing,), span=end)
        result = [None] if rule == "bare_rule" else []
        return _class_for(BARE[rule])(*head, *result, body, span=span)

    def define_block(self, children: list[Any], span: Span) -> Any:
        """A definition whose value is a body; its citation and words are the definition's."""
        name, params, type_, body = children
        end = Span(self.source, span.end, span.end)
        doc = getattr(body, "doc", None)
        words = syntax.WithDoc(doc, span=doc.span) if doc is not None else syntax.NoDoc(span=end)
        return syntax.Define(name, params, type_, body, getattr(body, "cite", None), words, span=span)

    def word(self, token: Token) -> Word:
        assert token.start_pos is not None and token.end_pos is not None
        start, end = token.start_pos + self.offset, token.end_pos + self.offset
        text = str(token)
        if token.type == "ATTR":
            start, text = start + 1, text[1:]
        elif token.type == "STRING":
            text = text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        return Word(text, Span(self.source, start, end))

    def start_of(self, tree: Tree[Token]) -> int:
        meta = tree.meta
        return self.last if meta.empty else meta.start_pos + self.offset

    def span_of(self, tree: Tree[Token], start: int) -> Span:
        meta, text = tree.meta, self.source.text
        end = start if meta.empty else min(meta.end_pos + self.offset, len(text))
        while end > start and text[end - 1] in " \t\r\n":
            end -= 1
        while start < end and text[start] in " \t\r\n":
            start += 1
        self.last = end
        return Span(self.source, start, end)
