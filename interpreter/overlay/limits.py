"""What a variant cannot replace, and what it can do instead."""

from __future__ import annotations

from ...grammar import Report, Span, syntax
from .addresses import WORDS, member_name, word_for


def replaceable(decl: syntax.Decl, variant: syntax.Variant, report: Report) -> bool:
    """Reports `replace` before a declaration that has no name by which the old one could be found."""
    if type(decl) in WORDS:
        return True
    head = decl.span.text.split("\n", 1)[0]
    what, help_line = _instead(decl, variant)
    report.add("D0609", f"{what} cannot be replaced", _first_line(decl.span, len(head)), help=help_line)
    return False


def _instead(decl: syntax.Decl, variant: syntax.Variant) -> tuple[str, str]:
    match decl:
        case syntax.Game(players=players):
            header = f'variant "{variant.name}" of {variant.base} for {players.span.text} players:'
            return "the `game` line", f"a variant says for how many players it is made: `{header}`"
        case syntax.EachHas(owner=owner, members=members) | syntax.EachHasOne(owner=owner, members=members):
            one = f"replace {word_for(members[0])} {member_name(decl, members[0])}: ..."
            return f"what `each {owner} has`, as a whole,", f"replace one by one: `{one}`"
        case syntax.Scenario():
            return "a scenario", "scenarios of the base are not run with a variant: write one of its own"
        case syntax.Variant():
            return "a variant", "a variant changes what another one does with `needs`"
        case syntax.Order():
            return "an order of triggers", "replace the triggers, or add an `order` of other ones"
        case syntax.Demand():
            return "a requirement of options", "replace the option, or add another requirement"
    return "a look", "leave `replace` out: what a variant says about a look counts"


def _first_line(span: Span, length: int) -> Span:
    return Span(span.source, span.start, min(span.end, span.start + length))


def no_variant_inside(item: syntax.Decl, variant: syntax.Variant, report: Report) -> bool:
    """Reports a variant that stands inside another."""
    if not isinstance(item, syntax.Variant):
        return True
    report.add(
        "D0609",
        f'"{item.name}" stands inside "{variant.name}"',
        item.name.span,
        help=f'put it beside the other; if it builds on it: `needs "{variant.name}"`',
    )
    return False
