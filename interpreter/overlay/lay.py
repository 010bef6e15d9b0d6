"""Overlays: variants laid over the syntax tree of a base game, before names are resolved.

A variant addresses declarations by name: it adds, replaces, removes, puts
something before or after, sets an option or a constant, changes rows of a table.
Nothing is addressed by position, so an edit of the base never changes silently
what a variant does. Their lines are carried out in layers (layers.py); whatever a
variant touches it claims, and the claims tell what two variants mean together
(claims.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs
from attrs import frozen

from ...grammar import Report, Span, Word, did_you_mean, syntax
from ..files.sources import essence, is_dress
from .adding import keys_of, rows_decl, with_fields, with_rows
from .addresses import WORDS, called, member_name, name_of, name_span, path_name, word_for
from .changing import turns_in, with_clauses, with_doc, with_turns, with_type
from .claims import VALUE, WHOLE, Claim, Claims, Does, Key, Meeting, relation
from .edits import RowEdit, key_of
from .fit import check_fit
from .keeping import Keeper, headed
from .layers import HEADLESS, does, in_layers
from .limits import no_variant_inside, replaceable
from .originals import Wrapping, mentions, report_strays
from .own_names import with_own_names
from .players import fitting, with_players
from .rows import NotUnderstood
from .steps import change_step, emptied, owner_of_step, statements_of, steps_of


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
    ground = [d for d in base.decls if not isinstance(d, syntax.Variant)]
    beside = list(extra)
    if not variants:
        report_strays((*ground, *beside), report)
        return syntax.File((*ground, *beside), span=base.span)
    if _check_company(variants, report):
        variants, beside = with_own_names(tuple(ground), variants, beside, report)
        layers = Layers(ground, variants, report)
        layers.lay()
        ground = layers.decls
        if journal is not None:
            journal += layers.journal
    decls = fitting((*ground, *beside), base, variants)
    report_strays(decls, report)
    return syntax.File(_dressed(decls, report), span=base.span)


def _dressed(decls: Sequence[syntax.Decl], report: Report) -> tuple[syntax.Decl, ...]:
    """Without the looks of what a variant has taken out."""
    there = {str(getattr(d, "name", "")) for d in decls if not is_dress(d)}
    gone = report.removed.keys() - there

    def wanted(decl: syntax.Decl) -> bool:
        if not is_dress(decl):
            return True
        member = getattr(decl, "member", None)
        name = str(getattr(decl, "owner", ""))
        return (f"{name}.{member}" if member is not None else name) not in gone

    return tuple(decl for decl in decls if wanted(decl))


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
                    why = f": {clause.because}" if clause.because is not None else ""
                    report.add(
                        "D0604",
                        f'"{variant.name}" cannot be played together with "{name}"{why}',
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

    def __init__(self, decls: list[syntax.Decl], variants: list[syntax.Variant], report: Report) -> None:
        self.ground = self.decls = decls
        self.variants = variants
        self.report = report
        self.claims = Claims(report, [str(v.name) for v in variants])
        self.journal: list[Applied] = []
        self.gone: dict[Key, Claim] = {}
        self.gone_rows: dict[Key, list[tuple[Word, list[str], Claim]]] = {}
        self.fields: dict[str, list[syntax.NewField]] = {}
        self.keeper = Keeper(decls)

    def lay(self) -> None:
        self.decls = [
            with_players(d, self.variants, self.report) if isinstance(d, syntax.Game) else d
            for d in self.decls
        ]
        for variant in self.variants:
            if variant.players is not None:
                self._note(variant, "game", "", variant.players.span)
        for variant, item in in_layers(self.variants):
            done = len(self.journal)
            self._apply(item, variant)
            cite = getattr(item, "cite", None)
            self.journal[done:] = [attrs.evolve(entry, cite=cite) for entry in self.journal[done:]]
        for name, fields in self.fields.items():
            self.decls = [with_fields(d, name, fields) for d in self.decls]
        self.decls = [*self.decls, *self.keeper.kept]
        self.claims.tell()

    def _note(self, variant: syntax.Variant, word: str, name: str, span: Span) -> None:
        self.journal.append(Applied(str(variant.name), word, name, span))

    def _apply(self, item: Any, variant: syntax.Variant) -> None:
        match item:
            case syntax.Replace(decl=decl):
                if replaceable(decl, variant, self.report):
                    self._replace(item, (word_for(decl), name_of(decl)), name_span(decl), variant)
            case syntax.Remove(word=word, path=path):
                self._remove((str(word), path_name(path)), path.span, variant)
            case syntax.SetOption(name=name, value=value):
                self._set(name, value, variant)
            case syntax.ReplaceStep(path=path, body=body):
                self._replace_step(path, body, variant)
            case syntax.BeforeStep(path=path, body=body):
                self._beside_step("before", path, body, variant)
            case syntax.AfterStep(path=path, body=body):
                self._beside_step("after", path, body, variant)
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
            case syntax.ChangePlace(path=path, parts=parts):
                self._change_place(("place", path_name(path)), path.span, parts, variant)
            case syntax.ChangeOption(name=name):
                self._change_option(item, variant)
            case syntax.ChangeTurns():
                self._change_turns(item, variant)
            case syntax.ChangeDoc(word=word, path=path):
                self._change_doc((str(word), path_name(path) if path is not None else ""), item, variant)
            case syntax.AddKinds() | syntax.AddToken():
                self._add_values(item, variant)
            case syntax.AddRows():
                self._add_rows(item, variant)
            case syntax.AddFields():
                self._add_fields(item, variant)
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
            case _ if type(item) in HEADLESS:
                sort = HEADLESS[type(item)]
                start = item.span.start + item.span.text.index(sort)
                here = Span(item.span.source, start, start + len(sort))
                named = getattr(item, "name", None)
                self._replace(item, (sort, str(named or "")), named.span if named else here, variant)

    # ------------------------------------------------------------ whole declarations
    def _replace(self, item: Any, key: Key, span: Span, variant: syntax.Variant) -> None:
        """A declaration, or all of it but its header; with `original`, around what was there."""
        if key[0] in ("define", "table") and self._find(key) is None:
            other = ("table" if key[0] == "define" else "define", key[1])
            key = other if self._find(other) is not None else key
        wraps = mentions(item)
        new = getattr(item, "decl", item)
        content = getattr(new, "body", None) or getattr(new, "value", None)
        claim = Claim(does(item), WHOLE, span, variant, essence(content or new), body=content)
        self.claims.take(key, claim, self.decls)

        def instead(old: Any) -> Any:
            made = headed(old, item)
            if made is new:
                check_fit(old, made, self.report)
            if wraps:
                made = self.keeper.wrapped(old, made, key, self.report)
            self.report.changed[key[1].rpartition(".")[2]] = span
            self.keeper.made_by(key, variant)
            return _renamed(made)

        self._change(key, span, variant, instead)

    def _remove(self, key: Key, span: Span, variant: syntax.Variant) -> None:
        if key[0] == "step":
            self._change_step(
                key[1], span, variant, Claim(Does.REMOVE, "", span, variant), lambda step: (emptied(step),)
            )
            return
        self.report.removed[key[1].rpartition(".")[2]] = span
        claim = Claim(Does.REMOVE, WHOLE, span, variant)
        agreed = self.claims.by_others(key, variant, Does.REMOVE) is not None
        self.claims.take(key, claim, self.decls)
        if not agreed and self._change(key, span, variant, lambda old: None):
            self.gone[key] = claim

    def _set(self, name: Word, value: syntax.Expr, variant: syntax.Variant) -> None:
        constant = any(
            isinstance(d, syntax.Define) and d.name == name and d.params is None for d in self.decls
        )
        key = ("define" if constant else "option", str(name))
        field = "value" if constant else "default"
        self.claims.take(key, Claim(Does.PART, VALUE, name.span, variant, essence(value)), self.decls)
        self.report.changed[str(name)] = name.span
        self._change(key, name.span, variant, lambda old: attrs.evolve(old, **{field: value}))

    def _insert(
        self, where: str, key: Key, span: Span, new: tuple[syntax.Decl, ...], variant: syntax.Variant
    ) -> None:
        claim = Claim(Does.BESIDE, WHOLE, span, variant, body=new, spot=where)
        index = next((i for i, d in enumerate(self.decls) if key in _keys(d)), None)
        self.claims.take(key, claim, self.decls)
        if index is None:
            self._unknown(key, span, variant)
            return
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
            more = key[0] in ("kinds", "token")
            self.report.add(
                "D0202",
                f"{called(*key)} is already in the game",
                name_span(item),
                related=[(name_span(old), "declared here")],
                help=f"write `add {key[0]} ...` for more of them, `replace {key[0]} ...` to put this in its place"
                if more
                else f"write `replace {key[0]} ...` to put this in its place",
            )
        return old is None

    def _find(self, key: Key) -> Any:
        """The declaration that is called so."""
        for decl in self.decls:
            if isinstance(decl, syntax.EachHas | syntax.EachHasOne):
                for member in decl.members:
                    if (word_for(member), member_name(decl, member)) == key:
                        return member
            elif (word_for(decl), _named(decl)) == key:
                return decl
        return None

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
            self._unknown(key, span, variant)
        return found

    def _unknown(self, key: Key, span: Span, variant: syntax.Variant) -> None:
        word, name = key
        if key in self.gone:
            claim = self.gone[key]
            if relation(variant, claim.variant) is not None:  # else they clash, which is told
                self.report.add(
                    "D0602",
                    f"the game has no {called(word, name)} any more",
                    span,
                    related=[(claim.span, f'"{claim.variant.name}" removes it')],
                    help="add it without `replace`" if "replace" in span.source.line(span.line) else None,
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
    def _replace_step(self, path: syntax.Expr, body: syntax.Suite, variant: syntax.Variant) -> None:
        name = path_name(path)
        wraps = mentions(body)
        claim = Claim(Does.WRAP if wraps else Does.PART, "", path.span, variant, essence(body), body=body)
        key = ("step", name)

        def instead(step: syntax.Step) -> tuple[syntax.Stmt, ...]:
            new = body
            if wraps:
                new = Wrapping(step, body, self.keeper.name(key), self.report).body()
            self.keeper.made_by(key, variant)
            return (attrs.evolve(step, body=new),)

        self._change_step(name, path.span, variant, claim, instead)

    def _beside_step(
        self, where: str, path: syntax.Expr, body: syntax.Suite, variant: syntax.Variant
    ) -> None:
        claim = Claim(Does.BESIDE, "", path.span, variant, body=body, spot=where)
        more = statements_of(body)
        self._change_step(
            path_name(path),
            path.span,
            variant,
            claim,
            lambda step: (*more, step) if where == "before" else (step, *more),
        )

    def _change_step(
        self,
        name: str,
        span: Span,
        variant: syntax.Variant,
        claim: Claim,
        change: Callable[[syntax.Step], tuple[syntax.Stmt, ...]],
    ) -> None:
        step = name.rpartition(".")[2]
        claim = attrs.evolve(claim, part=step)
        before = self.decls
        self.decls, hits = change_step(self.decls, name, change)
        for old, new in zip(before, self.decls, strict=True):
            if old is not new:
                self._note(variant, word_for(old), _named(old), span)
                self.claims.take((word_for(old), _named(old)), claim, before)
        if hits:
            return
        owner = owner_of_step(self.ground, name)
        key = (word_for(owner), _named(owner)) if owner is not None else ("", "")
        lost = self.claims.by_others(key, variant, Does.REPLACE, Does.REMOVE)
        if lost is not None:
            self.claims.clashes.append(Meeting(key, f"`{step}` of {called(*key)}", lost, claim))
            return
        known = steps_of(self.decls)
        help_line = did_you_mean(name, known) or did_you_mean(name, {k.rpartition(".")[2] for k in known})
        self.report.add("D0602", f"the game has no step `{name}`", span, help=help_line)

    # ------------------------------------------------------------ parts
    def _part(self, key: Key, part: str, span: Span, variant: syntax.Variant, says: Any) -> None:
        self.claims.take(key, Claim(Does.PART, part, span, variant, says), self.decls)

    def _missing(self, key: Key, part: str, span: Span, variant: syntax.Variant) -> bool:
        """Is a part not there because another variant has put something else there? Then they clash."""
        other = self.claims.by_others(key, variant, Does.REPLACE, Does.REMOVE)
        if other is not None:
            what = f"`{part}` of {called(*key)}"
            self.claims.clashes.append(Meeting(key, what, other, Claim(Does.PART, part, span, variant)))
        return other is not None

    def _change_token(
        self, name: Word, cells: tuple[syntax.CellChange, ...], variant: syntax.Variant
    ) -> None:
        key = ("token", str(name))
        token = self._find(key)
        if token is None:
            self._unknown(key, name.span, variant)
            return
        items = {str(item.name): item for item in token.items}
        for cell in cells:
            if cell.name in items:
                self._part(key, str(cell.name), cell.name.span, variant, essence(cell.value))
                items[str(cell.name)] = attrs.evolve(items[str(cell.name)], amount=cell.value)
            elif not self._missing(key, str(cell.name), cell.name.span, variant):
                message = f"there is no `{cell.name}` among the tokens of `{name}`"
                help_line = did_you_mean(cell.name, items) or f"there are {', '.join(items)}"
                self.report.add("D0602", message, cell.name.span, help=help_line)
        new = attrs.evolve(token, items=tuple(items.values()))
        self._change(key, name.span, variant, lambda old: new)

    def _change_place(
        self, key: Key, span: Span, parts: tuple[syntax.Node, ...], variant: syntax.Variant
    ) -> None:
        for part in parts:
            sort = "shape" if isinstance(part, syntax.Shape) else type(part).__name__
            words = {"SeenBy": "seen by", "SizeSeenBy": "size seen by", "TopSeenBy": "top seen by"}
            self._part(key, words.get(sort, sort.lower()), part.span, variant, essence(part))
        self._change(key, span, variant, lambda old: with_clauses(old, parts))

    def _change_option(self, item: syntax.ChangeOption, variant: syntax.Variant) -> None:
        key = ("option", str(item.name))
        first = next((d for d in self.ground if isinstance(d, syntax.Option) and d.name == item.name), None)

        def change(old: syntax.Option) -> syntax.Option:
            new, wider = with_type(old, item, first)
            says = essence(item.type)
            claim = Claim(Does.PART, "range", item.type.span, variant, says, adds_up=wider)
            self.claims.take(key, claim, self.decls)
            return new

        self._change(key, item.name.span, variant, change)
        if item.default is not None:
            self._part(key, VALUE, item.default.span, variant, essence(item.default))
        self.report.changed[str(item.name)] = item.name.span

    def _change_turns(self, item: syntax.ChangeTurns, variant: syntax.Variant) -> None:
        """Who begins, is next, is skipped: clauses of the turns of this name, wherever they stand."""
        key, clauses = ("turns", str(item.name)), {"from": item.start, "then": item.then, "where": item.where}
        said = {word: value for word, value in clauses.items() if value is not None}
        if not said:
            self.report.add(
                "D0609", "nothing is said of these turns", item.span, help="say `from`, `then` or `where`"
            )
        owner = next((d for d in self.decls if turns_in(d, item.name)), None)
        if owner is None:
            known = [str(turns.label) for d in self.decls for turns in turns_in(d, None) if turns.label]
            help_line = did_you_mean(item.name, known) or (f"there are {', '.join(known)}" if known else None)
            message = f"there are no turns called `{item.name}`"
            self.report.add("D0602", message, item.name.span, help=help_line)
            return
        for word, value in said.items():
            self._part(key, word, value.span, variant, essence(value))
        changed = with_turns(owner, item, said)
        self.decls = [changed if d is owner else d for d in self.decls]
        self._note(variant, word_for(owner), _named(owner), item.name.span)

    def _change_doc(self, key: Key, item: syntax.ChangeDoc, variant: syntax.Variant) -> None:
        span = item.path.span if item.path is not None else item.word.span
        if key[0] == "game":
            self.decls = [with_doc(d, item.text) if isinstance(d, syntax.Game) else d for d in self.decls]
            self._note(variant, "game", "", span)
            return
        self._part(key, "doc", span, variant, str(item.text))
        self._change(key, span, variant, lambda old: with_doc(old, item.text))

    # ------------------------------------------------------------ more of something
    def _add(self, key: Key, part: str, span: Span, variant: syntax.Variant) -> None:
        self.claims.take(key, Claim(Does.ADD, part, span, variant), self.decls)

    def _add_values(self, item: syntax.AddKinds | syntax.AddToken, variant: syntax.Variant) -> None:
        word, field = ("kinds", "values") if isinstance(item, syntax.AddKinds) else ("token", "items")
        key = (word, str(item.name))
        old = self._find(key)
        new: Any = getattr(item, field)
        for value in (getattr(v, "name", v) for v in new):
            self._add(key, str(value), value.span, variant)
        if old is not None:
            mine = {getattr(v, "name", v): getattr(v, "name", v).span for v in getattr(old, field)}
            at_first = next((d for d in self.ground if (word_for(d), _named(d)) == key), None)
            printed = {getattr(v, "name", v) for v in getattr(at_first, field, ())}
            for value in (getattr(v, "name", v) for v in new):
                if value in printed:
                    message = f"`{value}` is already one of {called(*key)}"
                    related = [(mine[value], "declared here")] if value in mine else []
                    self.report.add("D0202", message, value.span, related=related)
            new = tuple(v for v in new if getattr(v, "name", v) not in mine)
        self._change(
            key,
            item.name.span,
            variant,
            lambda was: attrs.evolve(was, **{field: (*getattr(was, field), *new)}),
        )

    def _add_rows(self, item: syntax.AddRows, variant: syntax.Variant) -> None:
        name = str(item.name)
        table = self._find(("table", name))
        if isinstance(table, syntax.Table):
            key = ("table", name)
            for about, row in zip(keys_of(table, item.rows), item.rows[1:], strict=True):
                self._add(key, about, row.span, variant)
            self._change(
                key, item.name.span, variant, lambda old: with_rows(old, item, self.decls, self.report)
            )
        elif self._find(("component", name)) is None:
            self._unknown(("component" if name[:1].isupper() else "table", name), item.name.span, variant)
        else:
            self.decls = [*self.decls, rows_decl(item)]
            self._note(variant, "rows", name, item.name.span)

    def _add_fields(self, item: syntax.AddFields, variant: syntax.Variant) -> None:
        key = ("component", str(item.name))
        old = self._find(key)
        if not isinstance(old, syntax.ComponentFields):
            self._unknown(key, item.name.span, variant)
            return
        known = {str(f.name): f.name.span for f in old.fields}
        for field in item.fields:
            self._add(key, str(field.name), field.name.span, variant)
            if str(field.name) in known:
                message = f"`{item.name}` has a field `{field.name}` already"
                related = [(known[str(field.name)], "declared here")]
                self.report.add("D0202", message, field.name.span, related=related)
            else:
                self.fields.setdefault(str(item.name), []).append(field)
        self._note(variant, *key, item.name.span)

    # ------------------------------------------------------------ rows
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
        whole = Claim(Does.PART, "rows", span, variant)
        for claim in self.claims.taken.get(key, []):
            if claim.part == WHOLE:
                self.claims.meet(key, claim, whole, called(*key), self.decls)
        if not tables:
            self._unknown(key, span, variant)
            return
        self.claims.taken.setdefault(key, []).append(whole)
        gone = self.gone_rows.setdefault(key, [])
        edit = RowEdit(key, where, cells, variant, self.decls, self.claims, gone)
        try:
            changed = {id(table): edit.of(table) for table in tables}
        except NotUnderstood as problem:
            self.report.add("D0610", str(problem), problem.span, help=problem.help)
            return
        if edit.hits == 0 and not self._missing(key, "rows", span, variant):
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
