"""A game and what variants and options make of it: both trees, both texts, and what differs."""

from __future__ import annotations

from functools import cached_property

import attrs

from ...grammar import Report, Source, Span, Word, format_source, syntax
from ...interpreter.changes.differences import Change, changes_between
from ...interpreter.changes.expand import expanded, notes_of
from ...interpreter.check.citations import items
from ...interpreter.core.errors import DragonError
from ...interpreter.driver import DRIVER
from ...interpreter.files.find_specs import find_spec
from ...interpreter.files.sources import read_source
from ...interpreter.overlay.lay import Applied
from ...interpreter.play.game import Game
from .rule_set import Choice


@attrs.define(slots=False)
class Laid:
    """`base` as it stands in its file, `result` with everything laid over it."""

    choice: Choice
    base: syntax.File
    result: syntax.File
    journal: list[Applied]
    layers: tuple[syntax.Variant, ...] = ()

    @cached_property
    def changes(self) -> list[Change]:
        """What the variants and options change in their base."""
        return attributed(changes_between(self.base, self.result), self.journal)

    @cached_property
    def text(self) -> str:
        """The rules that result, without comments on what changed."""
        return expanded(self.base, self.result)

    @property
    def text_with_notes(self) -> str:
        return expanded(self.base, self.result, notes_of(self.changes))


def laid(choice: Choice, *, check: bool = True) -> Laid:
    """Reads and lays; unless told otherwise, the result is checked as a whole game."""
    options = choice.load().options if check or choice.options else {}
    found = DRIVER.overlaid(choice.path, choice.all_variants)
    base, result = found.ground, found.file
    decls = [_with_option(d, choice, options) for d in result.decls]
    journal = [
        *found.journal,
        *(Applied(f"--set {n}={v}", "option", n, base.span) for n, v in choice.options.items()),
    ]
    return Laid(choice, base, syntax.File(tuple(decls), span=result.span), journal, found.layers)


def _with_option(decl: syntax.Decl, choice: Choice, values: dict[str, object]) -> syntax.Decl:
    """An option that was set from outside gets that value as its default."""
    if not isinstance(decl, syntax.Option) or str(decl.name) not in choice.options:
        return decl
    value = values[str(decl.name)]
    text = {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)
    span = Span(Source(f"--set {decl.name}={text}", text), 0, len(text))
    number = text.lstrip("-").isdigit()
    digits = Span(span.source, len(text) - len(text.lstrip("-")), len(text))
    node: syntax.Expr = (
        syntax.Number(Word(text.lstrip("-"), digits), span=digits)
        if number
        else syntax.Name(Word(text, span), span=span)
    )
    if text.startswith("-"):
        node = syntax.Negative(node, span=span)
    return attrs.evolve(decl, default=node)


def attributed(changes: list[Change], journal: list[Applied]) -> list[Change]:
    """Each change with the variants that have to do with it."""
    out = []
    for change in changes:
        mine = [a for a in journal if (a.word, a.name) == (change.word, change.name)]
        cites = [item for a in mine if a.cite for item in items(a.cite)]
        out.append(
            attrs.evolve(
                change,
                variants=tuple(dict.fromkeys(a.variant for a in mine)),
                cites=tuple(dict.fromkeys((*change.cites, *cites))),
            )
        )
    return out


def as_it_is(choice: Choice) -> str:
    """The text of a game that nothing is laid over, in canonical layout."""
    choice.load()
    source = read_source(choice.path)
    text = format_source(source, Report())
    assert text is not None
    return text


def sentences_of(game: Game) -> list[tuple[str, str]]:
    """The variants of a game under way, each with what it says of itself."""
    if not game.variants:
        return []
    try:
        layers = DRIVER.overlaid(find_spec(game.spec), game.variants).layers
    except DragonError:  # its files are gone: it is played from the texts of a save
        return []
    return [(str(v.name), str(v.doc.text)) for v in layers if v.doc is not None]
