"""Comments that allow one finding on one line, by its code and with a reason.

    trigger tax after pay(n): ...  # allow D0503: both only add gold

Alone on its line, such a comment is about the next line that says something.
Only what can be played may be allowed: an error stays an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from attrs import frozen

from .codes import CODES
from .diagnostics import Diagnostic, Report
from .spans import Source, Span

_CODE = re.compile(r'(?:[^"#]+|"(?:[^"\\]+|\\.)*"?)*')
"""What stands before the comment of a line; a `#` inside a string is none."""

_ALLOW = re.compile(r"#\s*allow\s+(?P<code>[A-Za-z]?\d{3,})(?P<colon>\s*:)?\s*(?P<reason>.*?)\s*$")


@frozen
class Allowance:
    """`line` is the line that it is about."""

    code: str
    reason: str
    line: int
    span: Span
    code_span: Span


def allowances(source: Source) -> list[Allowance]:
    """Every comment of a text that allows something, well formed or not."""
    if "allow" not in source.text:
        return []
    found: list[Allowance] = []
    waiting: list[tuple[re.Match[str], int]] = []
    start = 0
    for number, line in enumerate(source.text.split("\n"), start=1):
        code = _CODE.match(line)
        assert code is not None
        says = bool(code[0].strip())
        if says:
            found += [_allowance(source, match, offset, number) for match, offset in waiting]
            waiting = []
        comment = _ALLOW.match(line, code.end())
        if comment is not None and says:
            found.append(_allowance(source, comment, start, number))
        elif comment is not None:
            waiting.append((comment, start))
        start += len(line) + 1
    return found + [_allowance(source, match, offset, 0) for match, offset in waiting]


def _allowance(source: Source, match: re.Match[str], offset: int, line: int) -> Allowance:
    def part(group: str | int) -> Span:
        return Span(source, offset + match.start(group), offset + match.end(group))

    reason = match["reason"] if match["colon"] else ""
    return Allowance(match["code"].upper(), reason, line, part(0), part("code"))


def settle(
    found: Iterable[Diagnostic], given: Sequence[Allowance], report: Report, *, complete: bool = True
) -> tuple[list[Diagnostic], list[tuple[Diagnostic, str]]]:
    """What remains, and what is allowed with the reason. What is wrong with the comments
    themselves goes to the report; `complete` says that everything has been looked for, so a
    comment that allows nothing is one too many."""
    places = {(a.span.source.name, a.line, a.code): a for a in given}
    used: set[Span] = set()
    remains: list[Diagnostic] = []
    allowed: list[tuple[Diagnostic, str]] = []
    for diagnostic in found:
        span = diagnostic.span
        allowance = places.get((span.source.name, span.line, diagnostic.code))
        if allowance is None or diagnostic.severity == "error":
            remains.append(diagnostic)
            if allowance is not None:
                used.add(allowance.span)
                report.warn("D0511", f"`{allowance.code}` is an error here and stays one", allowance.span)
            continue
        used.add(allowance.span)
        (allowed.append((diagnostic, allowance.reason)) if allowance.reason else remains.append(diagnostic))
    for allowance in given:
        _complain(allowance, allowance.span in used or not complete, report)
    return remains, allowed


def _complain(allowance: Allowance, used: bool, report: Report) -> None:
    code = allowance.code
    if code not in CODES:
        hint = "`dragonrules explain` lists the codes"
        report.warn("D0511", f"there is no diagnostic `{code}`", allowance.code_span, help=hint)
    elif not allowance.reason:
        report.warn(
            "D0511",
            f"say why `{code}` is allowed here",
            allowance.span,
            help=f"write the reason behind it: `# allow {code}: ...`",
        )
    elif not used:
        report.warn(
            "D0512",
            f"there is no `{code}` on this line to allow",
            allowance.span,
            help="take the comment out",
        )


__all__ = ["Allowance", "allowances", "settle"]
