"""Overlays: variants laid over the syntax tree of a base game, before names are resolved.

A variant addresses declarations by name: it adds, replaces, removes, puts
something before or after, sets an option or a constant, changes rows of a table.
Nothing is addressed by position, so an edit of the base never changes silently
what a variant does. Whatever a variant touches it claims; two variants that
claim the same thing are reported, unless one says that it comes after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs
from attrs import frozen

from ...grammar import Report, Span, Word, did_you_mean, syntax
from .addresses import WORDS, called, member_name, name_of, name_span, path_name, word_for
from .claims import WHOLE, Claim, Claims, Key
from .edits import RowEdit, key_of
from .fit import check_fit
from .limits import no_variant_inside, replaceable
from .players import fitting, with_players
from .rows import NotUnderstood
from .steps import change_step, statements_of, steps_of


@frozen
class Applied:
    """Something that a variant has done: to what, and where it says so."""

    variant: str
    word: str
    name: str
    span: Span
    cite: str | None = None


def lay_over(
    base: syntax.File,
    variants: list[syntax.Variant],
    report: Report,
    journal: list[Applied] | None = None,
    extra: Sequence[syntax.Decl] = (),
) -> syntax.File:
    """The game that results; conflicts and unknown targets are reported.

    What each variant does is noted in `journal`, if there is one. `extra` stands beside the
    variants in their files.
    """
    layers = Layers([d for d in base.decls if not isinstance(d, syntax.Variant)], report)
    if _check_company(variants, report):
        layers.seat(variants)
        for variant in variants:
            layers.lay(variant)
    if journal is not None:
        journal += layers.journal
    return syntax.File(fitting((*layers.decls, *extra), base, variants), span=base.span)


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


# ---------------------------------------------------------------- laying
class Layers:
    """The declarations of a game while variants are laid over them."""

    def __init__(self, decls: list[syntax.Decl], report: Report) -> None:
        self.decls = decls
        self.report = report
        self.claims = Claims(report)
        self.journal: list[Applied] = []
        self.gone: dict[Key, Claim] = {}
        self.gone_rows: dict[Key, list[tuple[Word, list[str], Claim]]] = {}

    def seat(self, variants: list[syntax.Variant]) -> None:
        """Take the numbers of players that the variants are made for."""
        self.decls = [
            with_players(d, variants, self.report) if isinstance(d, syntax.Game) else d for d in self.decls
        ]

    def lay(self, variant: syntax.Variant) -> None:
        if variant.players is not None:
            self._note(variant, "game", "", variant.players.span)
        for item in variant.items:
            done = len(self.journal)
            self._apply(item, variant)
            cite = getattr(item, "cite", None)
            self.journal[done:] = [attrs.evolve(entry, cite=cite) for entry in self.journal[done:]]

    def _note(self, variant: syntax.Variant, word: str, name: str, span: Span) -> None:
        self.journal.append(Applied(str(variant.name), word, name, span))

    def _apply(self, item: Any, variant: syntax.Variant) -> None:
        match item:
            case syntax.Replace(decl=decl):
                if replaceable(decl, variant, self.report):
                    self._replace(decl, variant)
            case syntax.Remove(word=word, path=path):
                self._remove((str(word), path_name(path)), path.span, variant)
            case syntax.SetOption(name=name, value=value):
                self._set(name, value, variant)
            case syntax.ReplaceStep(path=path, body=body):
                self._step("step", path, variant, lambda step: (attrs.evolve(step, body=body),))
            case syntax.BeforeStep(path=path, body=body):
                self._step("what comes before step", path, variant, lambda step: (*statements_of(body), step))
            case syntax.AfterStep(path=path, body=body):
                self._step("what comes after step", path, variant, lambda step: (step, *statements_of(body)))
            case syntax.BeforeDecl(word=word, path=path, decls=decls):
                self._insert("before", (str(word), path_name(path)), path.span, decls, variant)
            case syntax.AfterDecl(word=word, path=path, decls=decls):
                self._insert("after", (str(word), path_name(path)), path.span, decls, variant)
            case syntax.ChangeToken(name=name, cells=cells):
                self._change_token(name, cells, variant)
            case syntax.ChangeRows(name=name, where=where, cells=cells):
                self._change_rows(("rows", str(name)), name.span, where, cells, variant)
            case syntax.ChangeTable(name=name, where=where, cells=cells):
                self._change_rows(("table", str(name)), name.span, where, cells, variant)
            case syntax.RemoveRows(word=word, path=path, where=where):
                if word == "rows":
                    self._change_rows((str(word), path_name(path)), path.span, where, None, variant)
                else:
                    help_line = "a table says something for every case; `change table` says something else"
                    message = f"single rows of a {word} cannot be removed"
                    self.report.add("D0610", message, where.span, help=help_line if word == "table" else None)
            case syntax.Decl():
                if no_variant_inside(item, variant, self.report) and self._is_new(item):
                    self.decls = [*self.decls, item]
                    self._note(variant, word_for(item), _named(item), item.span)

    # ------------------------------------------------------------ whole declarations
    def _replace(self, decl: Any, variant: syntax.Variant) -> None:
        key, span = (word_for(decl), name_of(decl)), name_span(decl)
        if not self.claims.take(key, span, variant, drops="replaces"):
            return

        def instead(old: Any) -> Any:
            check_fit(old, decl, self.report)
            self.report.changed[key[1].rpartition(".")[2]] = span
            return _renamed(decl)

        self._change(key, span, variant, instead)

    def _remove(self, key: Key, span: Span, variant: syntax.Variant) -> None:
        if key[0] == "step":
            if self.claims.take(key, span, variant, drops="removes") and self._change_step(
                key[1], span, variant, lambda _: ()
            ):
                self.gone[key] = Claim(WHOLE, span, variant)
        elif self.claims.take(key, span, variant, drops="removes"):
            self.report.removed[key[1].rpartition(".")[2]] = span
            if self._change(key, span, variant, lambda old: None):
                self.gone[key] = Claim(WHOLE, span, variant)

    def _set(self, name: Word, value: syntax.Expr, variant: syntax.Variant) -> None:
        constant = any(
            isinstance(d, syntax.Define) and d.name == name and d.params is None for d in self.decls
        )
        key = ("define" if constant else "option", str(name))
        field = "value" if constant else "default"
        if self.claims.take(key, name.span, variant):
            self.report.changed[str(name)] = name.span
            self._change(key, name.span, variant, lambda old: attrs.evolve(old, **{field: value}))

    def _insert(
        self, where: str, key: Key, span: Span, new: tuple[syntax.Decl, ...], variant: syntax.Variant
    ) -> None:
        index = next((i for i, d in enumerate(self.decls) if key in _keys(d)), None)
        if index is None:
            self._unknown(key, span)
        elif self.claims.take((f"what comes {where} {key[0]}", key[1]), span, variant):
            fresh = [decl for decl in new if self._is_new(decl)]
            at = index + (where == "after")
            self.decls = [*self.decls[:at], *fresh, *self.decls[at:]]
            for decl in fresh:
                self._note(variant, word_for(decl), _named(decl), decl.span)

    def _is_new(self, item: Any) -> bool:
        """Reports a declaration that collides with one of the same sort and name."""
        if type(item) not in WORDS or isinstance(item, syntax.Rows):
            return True
        key = (word_for(item), name_of(item))
        old = next((d for d in self.decls if type(d) in WORDS and (word_for(d), name_of(d)) == key), None)
        if old is not None:
            self.report.add(
                "D0202",
                f"{called(*key)} is already in the game",
                name_span(item),
                related=[(name_span(old), "declared here")],
                help=f"write `replace {key[0]} ...` to put this in its place",
            )
        return old is None

    def _change(self, key: Key, span: Span, variant: syntax.Variant, change: Callable[[Any], Any]) -> bool:
        """Replace or remove the declaration that `key` names."""
        word, name = key
        found = False
        out: list[syntax.Decl] = []
        for decl in self.decls:
            if isinstance(decl, syntax.EachHas | syntax.EachHasOne):
                members: list[Any] = []
                for member in decl.members:
                    if word_for(member) == word and member_name(decl, member) == name:
                        found = True
                        new = change(member)
                        members += [new] if new is not None else []
                    else:
                        members.append(member)
                same = len(members) == len(decl.members) and all(map(_is, members, decl.members))
                if members:
                    out.append(decl if same else attrs.evolve(decl, members=tuple(members)))
            elif word_for(decl) == word and _named(decl) == name:
                found = True
                new = change(decl)
                out += [new] if new is not None else []
            else:
                out.append(decl)
        self.decls = out
        if found:
            self._note(variant, word, name, span)
        else:
            self._unknown(key, span)
        return found

    def _unknown(self, key: Key, span: Span) -> None:
        word, name = key
        if key in self.gone:
            claim = self.gone[key]
            self.report.add(
                "D0602",
                f"the game has no {called(word, name)} any more",
                span,
                related=[(claim.span, f'"{claim.variant.name}" removes it')],
            )
            return
        known = [_named(d) for d in self.decls if word_for(d) == word]
        if word == "option":  # `set` goes for constants as well
            known += [str(d.name) for d in self.decls if isinstance(d, syntax.Define) and d.params is None]
        blocks = [d for d in self.decls if isinstance(d, syntax.EachHas | syntax.EachHasOne)]
        known += [member_name(d, m) for d in blocks for m in d.members if word_for(m) == word]
        other = next(
            (word_for(d) for d in self.decls if type(d) in WORDS and name and name_of(d) == name), None
        )
        help_line = f"`{name}` is declared with `{other}`" if other else did_you_mean(name, known)
        self.report.add("D0602", f"the game has no {called(word, name)}", span, help=help_line)

    # ------------------------------------------------------------ steps
    def _step(
        self,
        what: str,
        path: syntax.Expr,
        variant: syntax.Variant,
        change: Callable[[syntax.Step], tuple[syntax.Stmt, ...]],
    ) -> None:
        name = path_name(path)
        if self.claims.take((what, name), path.span, variant, drops="replaces" if what == "step" else None):
            self._change_step(name, path.span, variant, change)

    def _change_step(
        self,
        name: str,
        span: Span,
        variant: syntax.Variant,
        change: Callable[[syntax.Step], tuple[syntax.Stmt, ...]],
    ) -> bool:
        before = self.decls
        self.decls, hits = change_step(self.decls, name, change)
        for old, new in zip(before, self.decls, strict=True):
            if old is not new:
                self._note(variant, word_for(old), _named(old), span)
                touched = self.claims.inside.setdefault((word_for(old), _named(old)), [])
                touched.append(Claim(name, span, variant))
        if hits:
            return True
        if ("step", name) in self.gone:
            self._unknown(("step", name), span)
        else:
            known = steps_of(self.decls)
            help_line = did_you_mean(name, known) or did_you_mean(name, {k.rpartition(".")[2] for k in known})
            self.report.add("D0602", f"the game has no step `{name}`", span, help=help_line)
        return False

    # ------------------------------------------------------------ counts and rows
    def _change_token(
        self, name: Word, cells: tuple[syntax.CellChange, ...], variant: syntax.Variant
    ) -> None:
        key = ("token", str(name))
        token = next((d for d in self.decls if isinstance(d, syntax.Token) and d.name == name), None)
        if token is None:
            self._unknown(key, name.span)
            return
        items = {str(item.name): item for item in token.items}
        for cell in cells:
            if cell.name not in items:
                message = f"there is no `{cell.name}` among the tokens of `{name}`"
                help_line = did_you_mean(cell.name, items) or f"there are {', '.join(items)}"
                self.report.add("D0602", message, cell.name.span, help=help_line)
            elif self.claims.take(key, cell.name.span, variant, str(cell.name)):
                items[str(cell.name)] = attrs.evolve(items[str(cell.name)], amount=cell.value)
        new = attrs.evolve(token, items=tuple(items.values()))
        self._change(key, name.span, variant, lambda old: new)

    def _change_rows(
        self,
        key: Key,
        span: Span,
        where: syntax.Expr | None,
        cells: tuple[syntax.CellChange, ...] | None,
        variant: syntax.Variant,
    ) -> None:
        """Change cells of the rows that fit, or (without `cells`) remove these rows."""
        tables = [d for d in self.decls if isinstance(d, syntax.Rows | syntax.Table) and key_of(d) == key]
        if not tables:
            self._unknown(key, span)
            return
        for claim in self.claims.taken.get(key, []):
            if claim.part == WHOLE and not self.claims.fine(claim, span, variant, called(*key)):
                return
        self.claims.taken.setdefault(key, []).append(Claim("rows", span, variant))
        gone = self.gone_rows.setdefault(key, [])
        edit = RowEdit(key, where, cells, variant, self.decls, self.claims, gone)
        try:
            changed = {id(table): edit.of(table) for table in tables}
        except NotUnderstood as problem:
            self.report.add("D0610", str(problem), problem.span, help=problem.help)
            return
        if edit.hits == 0:
            assert where is not None
            edit.report_nothing(where, self.report)
        self.decls = [changed.get(id(d)) or d for d in self.decls if changed.get(id(d), d) is not None]
        self._note(variant, *key, span)


def _is(a: Any, b: Any) -> bool:
    return a is b


def _renamed(decl: Any) -> Any:
    """`replace place player.purse` stands, in its owner's block, as `place purse`."""
    member = getattr(decl, "member", None)
    return attrs.evolve(decl, name=member, member=None) if member is not None else decl


def _keys(decl: Any) -> list[Key]:
    """What can be addressed in a declaration: itself, or its members."""
    if isinstance(decl, syntax.EachHas | syntax.EachHasOne):
        return [(word_for(m), member_name(decl, m)) for m in decl.members]
    return [(word_for(decl), _named(decl))]


def _named(decl: Any) -> str:
    return name_of(decl) if type(decl) in WORDS else ""


__all__ = ["Applied", "lay_over", "name_of", "word_for"]
