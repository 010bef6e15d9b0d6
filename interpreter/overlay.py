"""Overlays: variants laid over the syntax tree of a base game, before names are resolved.

A variant addresses declarations by name: it adds, replaces, removes, sets an
option, or replaces a named `step`. Nothing is addressed by position, so an edit
of the base never changes silently what a variant does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from ..grammar import Report, Span, Word, did_you_mean, syntax
from .check import player_counts

_WORDS = {
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
    syntax.Rule: "rule",
    syntax.Action: "action",
    syntax.Trigger: "trigger",
    syntax.Phase: "phase",
    syntax.Ending: "ending",
    syntax.Always: "always",
    syntax.Never: "never",
    syntax.Score: "score",
    syntax.Setup: "setup",
}


def word_for(decl: syntax.Node) -> str:
    return _WORDS.get(type(decl), type(decl).__name__.lower())


def name_of(decl: Any) -> str:
    """The name by which a variant addresses a declaration."""
    if isinstance(decl, syntax.Score | syntax.Setup):
        return ""
    member = getattr(decl, "member", None)
    return f"{decl.name}.{member}" if member is not None else str(decl.name)


def lay_over(base: syntax.File, variants: list[syntax.Variant], report: Report) -> syntax.File:
    """The game that results; conflicts and unknown targets are reported."""
    decls = [d for d in base.decls if not isinstance(d, syntax.Variant)]
    touched: dict[tuple[str, str], tuple[Span, syntax.Variant]] = {}
    if not _check_company(variants, report):
        return syntax.File(tuple(decls), span=base.span)
    for variant in variants:
        if variant.players is not None:
            decls = [_restrict(d, variant, report) if isinstance(d, syntax.Game) else d for d in decls]
        for item in variant.items:
            decls = _apply(decls, item, variant, touched, report)
    return syntax.File(tuple(decls), span=base.span)


def _check_company(variants: list[syntax.Variant], report: Report) -> bool:
    """Do these variants go together? If not, what else they would clash over is not worth telling."""
    names = {str(v.name): v for v in variants}
    apart: set[frozenset[str]] = set()
    fine = True
    for variant in variants:
        for clause in variant.clauses:
            for name in clause.names:
                pair = frozenset((str(variant.name), str(name)))
                if isinstance(clause, syntax.Excludes) and name in names and pair not in apart:
                    apart.add(pair)
                    fine = False
                    report.add(
                        "D0604",
                        f'"{variant.name}" cannot be played together with "{name}"',
                        name.span,
                        related=[(names[name].name.span, "the other variant")],
                    )
                if isinstance(clause, syntax.Needs) and name not in names:
                    fine = False
                    report.add(
                        "D0607",
                        f'"{variant.name}" is played only together with "{name}"',
                        name.span,
                        help="choose that variant too",
                    )
    return fine


def _restrict(game: syntax.Game, variant: syntax.Variant, report: Report) -> syntax.Game:
    assert variant.players is not None
    both = [n for n in player_counts(game.players) if n in player_counts(variant.players)]
    if not both:
        report.add(
            "D0605",
            f'"{variant.name}" is for none of the numbers of players that the game is for',
            variant.players.span,
            related=[(game.players.span, "the game")],
        )
        return game
    words = tuple(Word(str(n), variant.players.span) for n in both)
    return attrs.evolve(game, players=syntax.CountList(words, span=variant.players.span))


def _apply(
    decls: list[syntax.Decl],
    item: Any,
    variant: syntax.Variant,
    touched: dict[tuple[str, str], tuple[Span, syntax.Variant]],
    report: Report,
) -> list[syntax.Decl]:
    match item:
        case syntax.Replace(decl=decl):
            key = (word_for(decl), name_of(decl))
            span = _name_span(decl)
            if _claim(key, span, variant, touched, report):
                return _change(decls, key, span, lambda old: _renamed(decl), report)
        case syntax.Remove(word=word, path=path):
            key = (str(word), _path_name(path))
            if key[0] == "step":
                return _change_step(decls, path, None, report)
            if _claim(key, path.span, variant, touched, report):
                report.removed[key[1].rpartition(".")[2]] = path.span
                return _change(decls, key, path.span, lambda old: None, report)
        case syntax.ReplaceStep(path=path, body=body):
            if _claim(("step", _path_name(path)), path.span, variant, touched, report):
                return _change_step(decls, path, body, report)
        case syntax.SetOption(name=name, value=value):
            key = ("option", str(name))
            if _claim(key, name.span, variant, touched, report):
                return _change(decls, key, name.span, lambda old: attrs.evolve(old, default=value), report)
        case syntax.Decl():
            old = _twin(decls, item)
            if old is None:
                return [*decls, item]
            report.add(
                "D0202",
                f"{_called(word_for(item), name_of(item))} is already in the game",
                _name_span(item),
                related=[(_name_span(old), "declared here")],
                help=f"write `replace {word_for(item)} ...` to put this in its place",
            )
    return decls


def _twin(decls: list[syntax.Decl], item: Any) -> syntax.Decl | None:
    """The declaration that another of the same sort and name would collide with."""
    if type(item) not in _WORDS or isinstance(item, syntax.Rows):
        return None
    key = (word_for(item), name_of(item))
    return next((d for d in decls if type(d) in _WORDS and (word_for(d), name_of(d)) == key), None)


def _name_span(decl: Any) -> Span:
    if isinstance(decl, syntax.Score | syntax.Setup):
        return Span(decl.span.source, decl.span.start, decl.span.start + len("setup"))
    span: Span = decl.name.span
    member = getattr(decl, "member", None)
    return span.to(member.span) if member is not None else span


def _called(word: str, name: str) -> str:
    return f"{word} `{name}`" if name else f"`{word}`"


def _claim(
    key: tuple[str, str],
    span: Span,
    variant: syntax.Variant,
    touched: dict[tuple[str, str], tuple[Span, syntax.Variant]],
    report: Report,
) -> bool:
    if key in touched and touched[key][1] is not variant:
        other = touched[key][1]
        after = {str(n) for c in variant.clauses if isinstance(c, syntax.ComesAfter) for n in c.names}
        if str(other.name) not in after:
            report.add(
                "D0603",
                f'"{variant.name}" and "{other.name}" both change {_called(*key)}',
                span,
                related=[(touched[key][0], f'changed by "{other.name}" here')],
                help=f'say which comes last: `variant "{variant.name}" ... after "{other.name}":`',
            )
            return False
    touched[key] = (span, variant)
    return True


def _renamed(decl: Any) -> Any:
    """`replace place player.purse` stands, in its owner's block, as `place purse`."""
    member = getattr(decl, "member", None)
    return attrs.evolve(decl, name=member, member=None) if member is not None else decl


def _path_name(path: syntax.Expr) -> str:
    if isinstance(path, syntax.Attribute):
        return f"{_path_name(path.of)}.{path.name}"
    return str(getattr(path, "text", path.span.text))


def _change(
    decls: list[syntax.Decl], key: tuple[str, str], span: Span, change: Callable[[Any], Any], report: Report
) -> list[syntax.Decl]:
    """Replace or remove the declaration that `key` names."""
    word, name = key
    found = False
    out: list[syntax.Decl] = []
    for decl in decls:
        if isinstance(decl, syntax.EachHas | syntax.EachHasOne):
            members: list[Any] = []
            for member in decl.members:
                if word_for(member) == word and f"{decl.owner}.{member.name}" == name:  # type: ignore[attr-defined]
                    found = True
                    new = change(member)
                    members += [new] if new is not None else []
                else:
                    members.append(member)
            if members:
                out.append(attrs.evolve(decl, members=tuple(members)))
        elif word_for(decl) == word and hasattr(decl, "span") and _named(decl) == name:
            found = True
            new = change(decl)
            if new is not None:
                out.append(new)
        else:
            out.append(decl)
    if not found:
        known = [_named(d) for d in decls if word_for(d) == word]
        known += [
            f"{d.owner}.{m.name}"  # type: ignore[attr-defined]
            for d in decls
            if isinstance(d, syntax.EachHas | syntax.EachHasOne)
            for m in d.members
            if word_for(m) == word
        ]
        other = next((word_for(d) for d in decls if type(d) in _WORDS and name and name_of(d) == name), None)
        help_line = f"`{name}` is declared with `{other}`" if other else did_you_mean(name, known)
        report.add("D0602", f"the game has no {_called(word, name)}", span, help=help_line)
    return out


def _named(decl: Any) -> str:
    return name_of(decl) if type(decl) in _WORDS else ""


def _change_step(
    decls: list[syntax.Decl], path: syntax.Expr, body: syntax.Suite | None, report: Report
) -> list[syntax.Decl]:
    """`Rounds.act`: the step `act` inside the declaration or loop called `Rounds`."""
    name = _path_name(path)
    owner, _, step = name.rpartition(".")
    hits: list[syntax.Step] = []

    def rewrite(node: Any, inside: bool) -> Any:
        if isinstance(node, tuple):
            return tuple(x for item in node if (x := rewrite(item, inside)) is not None)
        if not isinstance(node, syntax.Node):
            return node
        here = inside or str(getattr(node, "label", None) or getattr(node, "name", "")) == owner
        if isinstance(node, syntax.Step) and here and node.name == step:
            hits.append(node)
            return attrs.evolve(node, body=body) if body is not None else None
        changes = {}
        for fld in attrs.fields(type(node)):
            if fld.name == "span":
                continue
            old = getattr(node, fld.name)
            if isinstance(old, tuple | syntax.Node):
                new = rewrite(old, here)
                if new is not old and new != old:
                    changes[fld.name] = new
        return attrs.evolve(node, **changes) if changes else node

    out = [rewrite(decl, not owner) for decl in decls]
    if not hits:
        report.add(
            "D0602", f"the game has no step `{name}`", path.span, help=did_you_mean(name, _steps(decls))
        )
    return out


def _steps(decls: list[syntax.Decl]) -> list[str]:
    """The steps of all rules, as a variant writes them."""
    found: list[str] = []

    def walk(node: Any, owner: str) -> None:
        if isinstance(node, tuple):
            for item in node:
                walk(item, owner)
        elif isinstance(node, syntax.Node):
            if isinstance(node, syntax.Step):
                found.append(f"{owner}.{node.name}")
            for fld in attrs.fields(type(node)):
                walk(getattr(node, fld.name), owner)

    for decl in decls:
        if type(decl) in _WORDS:
            walk(decl, name_of(decl) or word_for(decl))
    return found
