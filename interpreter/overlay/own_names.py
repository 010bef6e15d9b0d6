"""What a variant declares is its own.

Two variants that do not know each other may give the same name to two things: each means its
own. The later one's gets another name where both are laid, with the variant in it, in all that
this variant says, and in what those say that need it. What the base has cannot be declared
again, and values of kinds, tokens and tables are printed matter, which all share.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import attrs

from ...grammar import Report, syntax
from .addresses import WORDS, member_name, name_of, word_for
from .claims import names_in as said_names
from .trees import names_in, walk, with_names

Name = tuple[str, str]
"""The space in which a name counts, and the name."""

OWN_SPACE = ("trigger", "ending", "phase", "always", "never")


def slug(title: str) -> str:
    """A title as a part of a name."""
    return re.sub(r"\W+", "_", title.lower()).strip("_")


def with_own_names(
    base: tuple[syntax.Decl, ...],
    variants: list[syntax.Variant],
    extra: list[syntax.Decl],
    report: Report,
) -> tuple[list[syntax.Variant], list[syntax.Decl]]:
    """The variants, each with names of its own for what it declares."""
    if len(variants) < 2:
        return variants, extra
    known = {name for decl in base for name in _declared(decl)}
    taken: dict[Name, list[syntax.Variant]] = {}
    out = list(variants)
    for variant in variants:
        for item in variant.items:
            for declared in _declared(item):
                if declared in known:
                    continue
                owners = taken.setdefault(declared, [])
                if all(o is not variant for o in owners):
                    owners.append(variant)
    for (space, name), owners in taken.items():
        for later in owners[1:]:
            if any(str(o.name) in said_names(later, syntax.Needs) for o in owners[:1]):
                continue  # it knows the other one, and cannot declare that again
            new = f"{name.rpartition('.')[2]}_of_{slug(str(later.name))}"
            plain = name.rpartition(".")[2]
            for index, variant in enumerate(out):
                mine = variants[index] is later or str(later.name) in said_names(
                    variants[index], syntax.Needs
                )
                if not mine:
                    continue
                other = str(owners[0].name)
                if variants[index] is not later and other in said_names(variants[index], syntax.Needs):
                    _report_both(variants[index], plain, (other, str(later.name)), report)
                    continue
                out[index] = _renamed(variant, space, plain, new)
            extra = [
                with_names(d, {plain: new}, members="." in name)
                if d.span.source.name == later.span.source.name and space == "names"
                else d
                for d in extra
            ]
    return out, extra


def _renamed(variant: syntax.Variant, space: str, name: str, new: str) -> syntax.Variant:
    if space == "names":
        items = with_names(variant.items, {name: new}, members=True)
        return attrs.evolve(variant, items=items)

    def item(one: Any) -> Any:
        if isinstance(one, syntax.Order):
            return with_names(one, {name: new})
        if word_for(one) == space and name_of(one) == name:
            return attrs.evolve(
                one, name=with_names(syntax.Name(one.name, span=one.name.span), {name: new}).text
            )
        return one

    return attrs.evolve(
        variant,
        items=tuple(item(i) if type(i) in WORDS or isinstance(i, syntax.Order) else i for i in variant.items),
    )


def _declared(item: Any) -> Iterator[Name]:
    """The names that a declaration gives."""
    if isinstance(item, syntax.BeforeDecl | syntax.AfterDecl):
        for decl in item.decls:
            yield from _declared(decl)
    elif isinstance(item, syntax.EachHas | syntax.EachHasOne):
        for member in item.members:
            yield "names", member_name(item, member)
    elif type(item) in WORDS and not isinstance(item, syntax.Rows) and name_of(item):
        word = word_for(item)
        yield (word if word in OWN_SPACE else "names"), name_of(item)


def _report_both(variant: syntax.Variant, name: str, owners: tuple[str, str], report: Report) -> None:
    """One name from two variants that are needed both."""
    if name not in names_in(variant.items):
        return
    spot = next(
        n.span
        for n in walk(variant.items)
        if name in (getattr(n, "text", None), getattr(n, "name", None)) and isinstance(n, syntax.Expr)
    )
    report.add(
        "D0211",
        f'`{name}` is of "{owners[0]}", and another one of "{owners[1]}"',
        spot,
        help="what two variants share belongs in a third one, which both need",
    )
