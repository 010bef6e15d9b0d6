"""How declarations are called, so that variants, differences and listings can speak of them."""

from __future__ import annotations

from typing import Any

from ...grammar import Span, syntax

WORDS = {
    syntax.Option: "option",
    syntax.Kinds: "kinds",
    syntax.Component: "component",
    syntax.ComponentFields: "component",
    syntax.Rows: "rows",
    syntax.Token: "token",
    syntax.Piece: "piece",
    syntax.Table: "table",
    syntax.Place: "place",
    syntax.Partition: "partition",
    syntax.State: "state",
    syntax.Record: "record",
    syntax.Define: "define",
    syntax.Limit: "limit",
    syntax.Rule: "rule",
    syntax.Action: "action",
    syntax.Trigger: "trigger",
    syntax.Phase: "phase",
    syntax.Ending: "ending",
    syntax.Always: "always",
    syntax.Never: "never",
    syntax.Score: "score",
    syntax.Value: "value",
    syntax.Setup: "setup",
}
OVERLAYS = {
    syntax.SetOption: "set",
    syntax.ChangeRows: "rows",
    syntax.ChangeTable: "table",
    syntax.ChangeToken: "token",
    syntax.ChangeOption: "option",
    syntax.ChangeTurns: "turns",
    syntax.ReplaceRule: "rule",
    syntax.ReplaceTrigger: "trigger",
    syntax.ReplaceEnding: "ending",
    syntax.ReplaceTable: "table",
    syntax.ReplaceScore: "score",
    syntax.ReplaceValue: "value",
    syntax.AddKinds: "kinds",
    syntax.AddRows: "rows",
    syntax.AddToken: "token",
    syntax.AddFields: "component",
}
"""What variants do to declarations, under the words of these."""

NAMELESS = (syntax.Score, syntax.Value, syntax.Setup, syntax.ReplaceScore, syntax.ReplaceValue)


def word_for(decl: syntax.Node) -> str:
    """The word that a declaration of this sort starts with."""
    return WORDS.get(type(decl)) or OVERLAYS.get(type(decl)) or type(decl).__name__.lower()


def name_of(decl: Any) -> str:
    """The name by which a variant addresses a declaration."""
    if isinstance(decl, NAMELESS):
        return ""
    member = getattr(decl, "member", None)
    return f"{decl.name}.{member}" if member is not None else str(decl.name)


def name_span(decl: Any) -> Span:
    """Where the name of a declaration stands."""
    if isinstance(decl, NAMELESS):
        return Span(decl.span.source, decl.span.start, decl.span.start + len(word_for(decl)))
    span: Span = decl.name.span
    member = getattr(decl, "member", None)
    return span.to(member.span) if member is not None else span


def called(word: str, name: str) -> str:
    return f"{word} `{name}`" if name else f"`{word}`"


def path_name(path: syntax.Expr) -> str:
    """`Rounds.act` out of the expression that it was read as."""
    if isinstance(path, syntax.Attribute):
        return f"{path_name(path.of)}.{path.name}"
    return str(getattr(path, "text", path.span.text))


def member_name(block: syntax.EachHas | syntax.EachHasOne, member: Any) -> str:
    """`player.purse`"""
    return f"{block.owner}.{member.name}"
