"""Which variant does what to which thing, and what two of them mean together.

Three principles decide. It is an error where something that a variant says would be lost,
a warning where only the order is open, and silence where it does not show. The order in
which variants are asked for never decides what is lost. What several change has one last
word: that of a variant above all of them, which needs them and so knows them.

Where nothing is said about the order, changes of one thing lie by what they do, the lowest
first: what replaces or removes it, what changes parts of it, what adds to it, what stands
before and after it, what wraps it in `original`. `pair` is the table of what two of these mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from attrs import Factory, define, frozen

from ...grammar import Report, Span, syntax
from .addresses import called
from .effects import order_shows

Key = tuple[str, str]
WHOLE = ""


class Does(IntEnum):
    """What a variant does to a thing: the layers, lowest first."""

    REPLACE = 0
    REMOVE = 1
    PART = 2
    ADD = 3
    BESIDE = 4
    WRAP = 5


class Verdict(IntEnum):
    FINE = 0
    NOTE = 1
    """Both count; one was written for what the other has replaced."""
    OPEN = 2
    """Both count, in the order in which they are asked for, which shows."""
    CLASH = 3
    """Something that one of them says would be lost."""


@frozen
class Claim:
    """What a variant does, to which part of a thing, and where it says so.

    `says` is what it puts there: two that say the same agree. With `adds_up` it is more or
    less of what was there. `body` are the statements or the expression, `spot` is before or after.
    """

    does: Does
    part: str
    span: Span
    variant: syntax.Variant
    says: Any = None
    adds_up: bool = False
    body: Any = None
    spot: str = ""


def pair(a: Claim, b: Claim, decls: Sequence[syntax.Decl] = ()) -> Verdict:
    """What two variants mean together that touch one thing, without a word about their order."""
    if WHOLE not in (a.part, b.part) and a.part != b.part:
        return Verdict.FINE
    low, high = (a, b) if a.does <= b.does else (b, a)
    agree = Verdict.FINE if low.says is not None and low.says == high.says else Verdict.CLASH
    match low.does, high.does:
        case (Does.REPLACE, Does.REPLACE) | (Does.PART, Does.PART):
            return Verdict.FINE if a.adds_up and b.adds_up else agree
        case Does.REPLACE, Does.REMOVE:
            return Verdict.NOTE if high.part != WHOLE else Verdict.CLASH
        case Does.REPLACE, Does.PART:
            return agree if high.part == VALUE else Verdict.NOTE
        case Does.REPLACE, _:
            return Verdict.NOTE
        case Does.REMOVE, Does.REMOVE:
            return Verdict.FINE
        case Does.REMOVE, Does.BESIDE:
            return Verdict.NOTE if low.part != WHOLE else Verdict.CLASH
        case Does.REMOVE, _:
            return Verdict.CLASH
        case Does.ADD, Does.ADD:
            return Verdict.CLASH
        case Does.BESIDE, Does.BESIDE:
            shows = low.spot == high.spot and order_shows(low.body, high.body, decls)
            return Verdict.OPEN if shows else Verdict.FINE
        case Does.WRAP, Does.WRAP:
            return Verdict.OPEN if order_shows(low.body, high.body, decls) else Verdict.FINE
    return Verdict.FINE


VALUE = "value"
"""The one part of a constant or an option that counts: whoever replaces it says it too."""


@frozen
class Meeting:
    """Two variants at one thing."""

    key: Key
    what: str
    lower: Claim
    upper: Claim


@define
class Claims:
    """What all variants do, by thing; `meetings` are the clashes, told at the end."""

    report: Report
    order: list[str]
    taken: dict[Key, list[Claim]] = Factory(dict)
    clashes: list[Meeting] = Factory(list)

    def take(self, key: Key, claim: Claim, decls: Sequence[syntax.Decl] = ()) -> None:
        """A variant touches a thing, perhaps one that others have touched before."""
        for other in self.taken.get(key, []):
            part = claim.part if other.part in (WHOLE, claim.part) else other.part
            self.meet(key, other, claim, _what(key, part), decls)
        self.taken.setdefault(key, []).append(claim)

    def meet(
        self, key: Key, other: Claim, claim: Claim, what: str, decls: Sequence[syntax.Decl] = ()
    ) -> None:
        if other.variant.name == claim.variant.name:
            return
        said = relation(claim.variant, other.variant)
        if said == "needs":
            return
        meeting = Meeting(key, what, other, claim)
        if said == "after":
            drops = claim.does in (Does.REPLACE, Does.REMOVE) or (
                claim.does is Does.PART and claim.body is not None
            )
            if drops and other.does is not Does.REMOVE and claim.part in (WHOLE, other.part):
                self._lost(meeting)
            return
        match pair(other, claim, decls):
            case Verdict.NOTE:
                self._written_for_another(meeting)
            case Verdict.OPEN:
                self._open(meeting)
            case Verdict.CLASH:
                self.clashes.append(meeting)

    def by_others(self, key: Key, variant: syntax.Variant, *does: Does) -> Claim | None:
        """What another variant, to which this one has no said order, does to a thing."""
        for claim in self.taken.get(key, []):
            if (
                claim.does in does
                and claim.variant.name != variant.name
                and relation(variant, claim.variant) is None
            ):
                return claim
        return None

    # ------------------------------------------------------------ telling
    def tell(self) -> None:
        """The clashes that no variant above both settles by having the last word."""
        for meeting in self.clashes:
            if not self._settled(meeting):
                self._clash(meeting)

    def _settled(self, meeting: Meeting) -> bool:
        below = {str(meeting.lower.variant.name), str(meeting.upper.variant.name)}
        return any(
            claim.does in (Does.REPLACE, Does.REMOVE, Does.PART)
            and claim.part in (WHOLE, meeting.upper.part)
            and below <= names_in(claim.variant, syntax.Needs)
            for claim in self.taken.get(meeting.key, [])
        )

    def _sorted(self, meeting: Meeting) -> tuple[Claim, Claim]:
        """As asked for: first and last."""
        first, last = meeting.lower, meeting.upper
        at = [self.order.index(str(c.variant.name)) for c in (first, last)]
        return (first, last) if at[0] <= at[1] else (last, first)

    def _clash(self, meeting: Meeting) -> None:
        lower, upper = self._sorted(meeting)
        names = f'"{lower.variant.name}", "{upper.variant.name}"'
        third = f'`variant "..." of {upper.variant.base} needs {names}:`'
        rules = Does.REPLACE in (lower.does, upper.does) and upper.part == lower.part == WHOLE
        self.report.add(
            "D0603",
            f'"{upper.variant.name}" and "{lower.variant.name}" both change {meeting.what}',
            upper.span,
            related=[(lower.span, f'changed by "{lower.variant.name}" here')],
            help=f"{'let one call `original`, or ' if rules else ''}let a third one have the last word: {third}",
        )

    def _lost(self, meeting: Meeting) -> None:
        lower, upper = meeting.lower, meeting.upper
        drops = "removes" if upper.does is Does.REMOVE else "replaces"
        self.report.add(
            "D0611",
            f'"{upper.variant.name}" {drops} {_what(meeting.key, upper.part)}: what "{lower.variant.name}" makes of it is lost',
            upper.span,
            related=[(lower.span, f'this of "{lower.variant.name}" is lost')],
            help="call `original`, or change a part of it, as a step",
            severity="warning",
        )

    def _written_for_another(self, meeting: Meeting) -> None:
        replaced = min(meeting.lower, meeting.upper, key=lambda c: c.does)
        other = meeting.upper if replaced is meeting.lower else meeting.lower
        self.report.add(
            "D0614",
            f'"{other.variant.name}" was written for {meeting.what} as it was; "{replaced.variant.name}" puts another one there',
            other.span,
            related=[(replaced.span, f'"{replaced.variant.name}" here')],
            severity="note",
        )

    def _open(self, meeting: Meeting) -> None:
        lower, upper = self._sorted(meeting)
        where = {"before": "in front of", "after": "behind"}.get(upper.spot, "around")
        self.report.add(
            "D0613",
            f'"{lower.variant.name}" and "{upper.variant.name}" both put something {where} {meeting.what}, and the order shows',
            upper.span,
            related=[(lower.span, f'"{lower.variant.name}" here')],
            help=f'say which comes last: `variant "{upper.variant.name}" ... after "{lower.variant.name}":`',
            severity="warning",
        )


def relation(upper: syntax.Variant, lower: syntax.Variant) -> str | None:
    """What the upper variant says of the lower one."""
    name = str(lower.name)
    if name in names_in(upper, syntax.Needs):
        return "needs"
    return "after" if name in names_in(upper, syntax.ComesAfter) else None


def names_in(variant: syntax.Variant, sort: type[syntax.Needs | syntax.ComesAfter]) -> set[str]:
    return {str(name) for clause in variant.clauses if isinstance(clause, sort) for name in clause.names}


def _what(key: Key, part: str) -> str:
    return called(*key) if part in (WHOLE, VALUE) else f"`{part}` of {called(*key)}"
