"""What is wrong with a spec: facts first, prose in one place.

A pass reports `Diagnostic`s into a `Report` and goes on. Renderers (here the
plain text one; others in cli/) turn them into output. `CODES` holds the title
of every code; docs/diagnostics.md has a page for each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from html import escape

from attrs import Factory, define, frozen

from .codes import CODES
from .fixes import Fix, Help
from .spans import UNSHOWN, Span

_UNSHOWN = re.compile(f"[\r{UNSHOWN}]")


@frozen
class Related:
    """A second place that matters: where a name was declared, say."""

    span: Span
    message: str


@frozen
class Diagnostic:
    code: str
    message: str
    span: Span
    help: str | None = None
    related: tuple[Related, ...] = ()
    severity: str = "error"
    """`error`: cannot be played. `warning`: can, but a referee would ask. `note`: worth a look."""
    trail: tuple[str, ...] = ()
    """At play: the rules under way, outermost first."""
    fixes: tuple[Fix, ...] = ()
    """What could be written instead."""

    @property
    def title(self) -> str:
        return CODES[self.code]

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """In a notebook: as at a terminal."""
        text = render(self)
        return {"text/plain": text, "text/html": f"<pre>{escape(text)}</pre>"}

    def sort_key(self) -> tuple[str, int, str]:
        return self.span.source.name, self.span.start, self.code


@define
class Report:
    """The diagnostics of one run, each place and code once."""

    found: dict[tuple[str, str, int, str], Diagnostic] = Factory(dict)
    removed: dict[str, Span] = Factory(dict)
    """Names that a variant took out of the game, and where it says so."""
    changed: dict[str, Span] = Factory(dict)
    """Names to which a variant gave another meaning, and where it says so."""

    def add(
        self,
        code: str,
        message: str,
        span: Span,
        *,
        help: str | None = None,
        related: Iterable[tuple[Span, str]] = (),
        severity: str = "error",
        fixes: Iterable[Fix] = (),
    ) -> None:
        if code not in CODES:
            raise KeyError(f"diagnostic code {code} is not in the catalogue")
        others = tuple(Related(where, what) for where, what in related)
        made = tuple(fixes)
        if isinstance(help, Help) and (fix := help.fix(span)) is not None:
            made = (fix, *made)
        diagnostic = Diagnostic(code, message, span, help, others, severity, fixes=made)
        self.add_found(diagnostic)

    def add_found(self, found: Diagnostic) -> None:
        """Something that was found elsewhere."""
        self.found.setdefault((found.code, found.span.source.name, found.span.start, found.message), found)

    def warn(self, code: str, message: str, span: Span, *, help: str | None = None) -> None:
        self.add(code, message, span, help=help, severity="warning")

    def take(self, other: Report) -> None:
        """All that another report has found, and what it knows of variants."""
        self.found.update(other.found)
        self.removed.update(other.removed)
        self.changed.update(other.changed)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(sorted(self.found.values(), key=Diagnostic.sort_key))

    def __len__(self) -> int:
        return len(self.found)

    @property
    def errors(self) -> list[Diagnostic]:
        return [d for d in self if d.severity == "error"]


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """A help line with the nearest known name, or None. It can be taken where that is what is wrong with a
    stretch of text; without asking only if there is no other name like it."""
    near = get_close_matches(name, sorted(set(known) - {name}), n=2, cutoff=0.6)
    return Help(f"did you mean `{near[0]}`?", near[0], name, safe=len(near) == 1) if near else None


def _plain(role: str, text: str) -> str:
    return text


def render(diagnostic: Diagnostic, paint: Callable[[str, str], str] = _plain) -> str:
    """The diagnostic as text: where, what, the line with a caret, help.

    `paint` may dress each part by its role: a severity, `place`, `message`, `gutter` or `help`.
    """
    severity = diagnostic.severity
    head = paint(severity, f"{severity}[{diagnostic.code}]")
    place, message = shown(str(diagnostic.span)), shown(diagnostic.message)
    lines = [f"{paint('place', place)}: {head}: {paint('message', message)}"]
    lines += _excerpt(diagnostic.span, severity, paint)
    for other in diagnostic.related:
        lines.append(f"  {paint('place', shown(str(other.span)))}: {shown(other.message)}")
        lines += _excerpt(other.span, "note", paint)
    if diagnostic.trail:
        lines.append(f"  in {' > '.join(diagnostic.trail)}")
    if diagnostic.help:
        lines.append(f"  {paint('help', 'help:')} {shown(diagnostic.help)}")
    return "\n".join(lines)


def shown(text: str) -> str:
    """Text as it can be put on a terminal: what would move about there, or turn other text around, is a dot."""
    return _UNSHOWN.sub("\N{MIDDLE DOT}", text)


def _excerpt(span: Span, role: str, paint: Callable[[str, str], str]) -> list[str]:
    line, column = span.source.position(span.start)
    raw = shown(span.source.line(line))
    text = raw.expandtabs(4)
    before = len(raw[: column - 1].expandtabs(4))
    width = max(1, min(span.end - span.start, len(raw) - column + 1))
    first = span.text.split("\n")[0]
    width = max(1, min(width, len(first.rstrip()) or 1))
    if len(text) > 160:
        cut = max(0, before - 60)
        text, before = text[cut : cut + 160], before - cut
        width = min(width, max(1, 160 - before))
    number = f"{line} |"
    below = "|".rjust(len(number))
    return [
        f"  {paint('gutter', number)} {text}",
        f"  {paint('gutter', below)} {' ' * before}{paint(role, '^' * width)}",
    ]
