"""Which variant has touched what, so that two that touch the same thing are found."""

from __future__ import annotations

from attrs import Factory, define, frozen

from ..grammar import Report, Span, syntax
from .addresses import called

Key = tuple[str, str]
WHOLE = ""


@frozen
class Claim:
    part: str
    span: Span
    variant: syntax.Variant


@define
class Claims:
    """Which variant has touched what, and where it says so."""

    report: Report
    taken: dict[Key, list[Claim]] = Factory(dict)

    def take(self, key: Key, span: Span, variant: syntax.Variant, part: str = WHOLE) -> bool:
        """False, and a report, when another variant has touched it (or that part of it) already."""
        for claim in self.taken.get(key, []):
            if (part == WHOLE or claim.part in (WHOLE, part)) and not self.fine(
                claim, span, variant, _what(key, part)
            ):
                return False
        self.taken.setdefault(key, []).append(Claim(part, span, variant))
        return True

    def fine(self, other: Claim, span: Span, variant: syntax.Variant, what: str) -> bool:
        """May a variant touch what another has touched?"""
        if other.variant is variant or str(other.variant.name) in _comes_after(variant):
            return True
        self.report.add(
            "D0603",
            f'"{variant.name}" and "{other.variant.name}" both change {what}',
            span,
            related=[(other.span, f'changed by "{other.variant.name}" here')],
            help=f'say which comes last: `variant "{variant.name}" ... after "{other.variant.name}":`',
        )
        return False


def _what(key: Key, part: str) -> str:
    return called(*key) if part == WHOLE else f"`{part}` of {called(*key)}"


def _comes_after(variant: syntax.Variant) -> set[str]:
    return {
        str(name)
        for clause in variant.clauses
        if isinstance(clause, syntax.ComesAfter | syntax.Needs)
        for name in clause.names
    }
