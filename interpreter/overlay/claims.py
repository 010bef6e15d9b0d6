"""Which variant has touched what, so that two that touch the same thing are found."""

from __future__ import annotations

from attrs import Factory, define, frozen

from ...grammar import Report, Span, syntax
from .addresses import called

Key = tuple[str, str]
WHOLE = ""


@frozen
class Claim:
    part: str
    span: Span
    variant: syntax.Variant
    removes: bool = False


@define
class Claims:
    """Which variant has touched what, and where it says so."""

    report: Report
    taken: dict[Key, list[Claim]] = Factory(dict)

    inside: dict[Key, list[Claim]] = Factory(dict)
    """By declaration, the steps in it that were touched."""

    def take(
        self, key: Key, span: Span, variant: syntax.Variant, part: str = WHOLE, drops: str | None = None
    ) -> bool:
        """False, and a report, when another variant has touched it (or that part of it) already.

        `drops` is the word for what leaves nothing of what was there: "replaces", "removes".
        """
        touched = self.taken.get(key, []) + (self.inside.get(key, []) if drops else [])
        for claim in touched:
            if (part == WHOLE or claim.part in (WHOLE, part)) and not self.fine(
                claim, span, variant, _what(key, part), drops
            ):
                return False
        self.taken.setdefault(key, []).append(Claim(part, span, variant, drops == "removes"))
        return True

    def fine(
        self, other: Claim, span: Span, variant: syntax.Variant, what: str, drops: str | None = None
    ) -> bool:
        """May a variant touch what another has touched?

        A variant that needs another, or builds on it, knows it and may drop what it did. One that
        merely comes after it has the last word about a value; it may not drop the other's rules.
        """
        upper, lower = str(variant.name), str(other.variant.name)
        if other.variant is variant or lower in _names(variant, syntax.Needs):
            return True
        if lower not in _names(variant, syntax.ComesAfter):
            self.report.add(
                "D0603",
                f'"{upper}" and "{lower}" both change {what}',
                span,
                related=[(other.span, f'changed by "{lower}" here')],
                help=f'say which comes last: `variant "{upper}" ... after "{lower}":`'
                if drops is None
                else f'if "{upper}" is to stand in for it: `variant "{upper}" ... needs "{lower}":`',
            )
            return False
        if drops is None or other.removes:
            return True
        self.report.add(
            "D0611",
            f'"{upper}" {drops} {what}: what "{lower}" makes of it would be lost',
            span,
            related=[(other.span, f'this of "{lower}" would be lost')],
            help=f'if that is meant: `variant "{upper}" ... needs "{lower}":`; else change a part of it, as a step',
        )
        return False


def _what(key: Key, part: str) -> str:
    return called(*key) if part == WHOLE else f"`{part}` of {called(*key)}"


def _names(variant: syntax.Variant, sort: type[syntax.Needs | syntax.ComesAfter]) -> set[str]:
    return {str(name) for clause in variant.clauses if isinstance(clause, sort) for name in clause.names}
