"""What a variant does to its base that a referee would ask about.

A variant is checked as a whole game. Findings in the text of the base that the base alone
does not have come from the variant: one more row, and the printed total no longer holds.
They are told at the line of the variant that causes them: items are left out one by one
until the finding is gone. The place in the base is told as the second one.

That something in the base is no longer used is left out: a variant that puts something
else in its place means just that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs

from ...grammar import Diagnostic, Span, syntax
from ...grammar.diagnostics import Related
from ...interpreter.files.find_variants import same_file
from ...interpreter.rule_sets import RuleSet

Key = tuple[str, str, int, str]
Place = tuple[str, str, int]
Look = Callable[[RuleSet], dict[Key, Diagnostic]]

HARMLESS = ("D0403", "D0409")
MOST_ITEMS = 24
"""Of larger variants the header is told instead of the line."""


def caused(rules: RuleSet, found: dict[Key, Diagnostic], look: Look) -> list[Diagnostic]:
    """The warnings of a rule set about text below its variant, told where the variant causes them."""
    variant = next((v for v in rules.layers if rules.own and v.span == rules.own[0]), None)
    if (
        variant is None
        or same_file(rules.base, rules.path)
        or any(d.severity == "error" for d in found.values())
    ):
        return []
    here = variant.span.source.name
    strange = [
        d
        for d in found.values()
        if d.severity == "warning" and d.code not in HARMLESS and d.span.source.name != here
    ]
    if not strange:
        return []
    before = _places(look(_with(rules, variant, None)))
    return [_told(d, variant, rules, look) for d in strange if _place(d) not in before]


def _told(d: Diagnostic, variant: syntax.Variant, rules: RuleSet, look: Look) -> Diagnostic:
    for span, less in _with_less(variant):
        found = look(_with(rules, variant, less))
        broken = any(other.severity == "error" for other in found.values())
        if not broken and _place(d) not in _places(found):
            return _at(d, span)
    return _at(d, variant.name.span)


def _with_less(variant: syntax.Variant) -> Iterator[tuple[Span, syntax.Variant]]:
    """The variant without one of the things that it says, and where it says it."""
    if variant.players is not None:
        yield variant.players.span, attrs.evolve(variant, players=None)
    if len(variant.items) <= MOST_ITEMS:
        for item in variant.items:
            rest = tuple(i for i in variant.items if i is not item)
            yield item.span, attrs.evolve(variant, items=rest)


def _at(d: Diagnostic, span: Span) -> Diagnostic:
    first = span.text.split("\n", 1)[0]
    line = Span(span.source, span.start, span.start + len(first.rstrip()))
    related = (Related(d.span, "what it is about"), *d.related)
    return attrs.evolve(d, span=line, related=related)


def _with(rules: RuleSet, variant: syntax.Variant, instead: syntax.Variant | None) -> RuleSet:
    """The same rules with another variant in place of one, or with none."""
    layers = [instead if v is variant else v for v in rules.layers]
    kept = [v for v in layers if v is not None]
    extra = [d for d in rules.beside if instead is not None or d.span.source != variant.span.source]
    return rules.with_layers(kept, extra)


def _place(d: Diagnostic) -> Place:
    return d.code, d.span.source.name, d.span.start


def _places(found: dict[Key, Diagnostic]) -> set[Place]:
    return {_place(d) for d in found.values()}
