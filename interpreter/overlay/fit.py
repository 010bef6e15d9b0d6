"""Does a replacement fit where the old declaration stood?

Others use what is replaced: they offer its menu, call it with arguments, take
its result. A replacement that cannot be used so would be reported at every use,
in a file that is not at fault; it is better told at the replacement. Ranges may
become wider or narrower: whether that fits is for the checker to say.
"""

from __future__ import annotations

import re
from typing import Any

from ...grammar import Report, Span, syntax
from ...grammar.fixes import Edit, Fix
from .addresses import called, name_of, name_span, word_for


def check_fit(old: Any, new: Any, report: Report) -> None:
    """Reports a replacement with another menu, other parameters or another sort of result."""
    what = called(word_for(new), name_of(new))
    complaint: tuple[str, Span] | None = None
    if isinstance(new, syntax.Action) and isinstance(old, syntax.Action) and old.menu != new.menu:
        now = f"joins the menu `{new.menu}`" if new.menu is not None else "joins no menu"
        before = f"`{old.menu}`" if old.menu is not None else "none"
        span = new.menu.span if new.menu is not None else new.name.span
        complaint = f"the new {what} {now}, the old one {before}", span
    elif isinstance(new, syntax.Rule | syntax.Action | syntax.Define | syntax.Table):
        complaint = _parameters(old, new, what) or _result(old, new, what)
    elif isinstance(new, syntax.Place | syntax.State) and len(old.indices) != len(new.indices):
        complaint = (
            f"the new {what} has {_count(new.indices, 'index')}, the old one {_count(old.indices)}",
            (name_span(new)),
        )
    if complaint is not None:
        message, span = complaint
        report.add(
            "D0609",
            message,
            span,
            related=[(name_span(old), "the old one")],
            help="keep it, or `remove` the old one and add a new one where all that use it are changed too",
            fixes=_old_header(old, new),
        )


# ---------------------------------------------------------------- the header of the old one
def _old_header(old: Any, new: Any) -> tuple[Fix, ...]:
    """Puts the header of the old one in the place of the new one's. Parameters keep the names that the new
    body knows them by; where it speaks of one that is another now, or gone, somebody has to look at it."""
    if not isinstance(new, syntax.Rule | syntax.Action | syntax.Define | syntax.Table):
        return ()
    before, now = old.params or (), new.params or ()
    known = [str(p.name) for p in now[: len(before)]]
    names = [*known, *_free(known, [str(p.name) for p in before[len(now) :]])]
    words = [f"{name}: {p.type.span.text}" for name, p in zip(names, before, strict=True)]
    header = "" if old.params is None else f"({', '.join(words)})"
    if (menu := getattr(old, "menu", None)) is not None:
        header += f" in {menu}"
    result = old.type or new.type if isinstance(new, syntax.Define) else getattr(old, "type", None)
    header += "" if result is None else f" -> {result.span.text}"
    written = Span(new.name.span.source, new.name.span.end, _end_of_header(new))
    if _end_of_header(new) < 0 or header == written.text:
        return ()
    fitting = zip(before, now, strict=False)
    lost = {str(p.name) for p in now} - {
        str(b.name) for a, b in fitting if sort_of(a.type) == sort_of(b.type)
    }
    body = new.span.source.text[written.end : new.span.end]
    gives = isinstance(new, syntax.Rule) and (old.type is None) != (new.type is None)
    safe = not gives and not any(re.search(rf"\b{name}\b", body) for name in lost)
    return (Fix(f"write `{new.name}{header}` as in the old one", (Edit(written, header),), safe),)


def _free(taken: list[str], names: list[str]) -> list[str]:
    out: list[str] = []
    for name in names:
        while name in (*taken, *out):
            name += "_"
        out.append(name)
    return out


def _end_of_header(decl: Any) -> int:
    """Behind the menu, the result, the parameters or the name, whichever comes last."""
    ends = [decl.name.span.end]
    for part in (*(decl.params or ()), getattr(decl, "menu", None), getattr(decl, "type", None)):
        if part is not None:
            ends.append(part.span.end)
    end: int = max(ends)
    if decl.params is not None and end == max([decl.name.span.end, *(p.span.end for p in decl.params or ())]):
        end = decl.span.source.text.find(")", end) + 1 or -1
    return end


def _parameters(old: Any, new: Any, what: str) -> tuple[str, Span] | None:
    before, now = old.params or (), new.params or ()
    if len(before) != len(now):
        span = now[0].span.to(now[-1].span) if now else new.name.span
        return f"the new {what} has {_count(now, 'parameter')}, the old one {_count(before)}", span
    for a, b in zip(before, now, strict=True):
        if sort_of(a.type) != sort_of(b.type):
            return (
                f"`{b.name}` of the new {what} is {_a(sort_of(b.type))}, of the old one {_a(sort_of(a.type))}",
                b.type.span,
            )
    return None


def _result(old: Any, new: Any, what: str) -> tuple[str, Span] | None:
    if isinstance(new, syntax.Rule) and (old.type is None) != (new.type is None):
        now, before = ("no result", "one") if new.type is None else ("a result", "none")
        span = new.type.span if new.type is not None else new.name.span
        return f"the new {what} gives {now}, the old one {before}", span
    was, gives = getattr(old, "type", None), getattr(new, "type", None)
    if was is not None and gives is not None and sort_of(was) != sort_of(gives):
        return f"the new {what} gives {_a(sort_of(gives))}, the old one {_a(sort_of(was))}", gives.span
    return None


def sort_of(type_: Any) -> str:
    """A type without its bounds."""
    base = getattr(type_, "base", type_)
    optional = " or none" if isinstance(type_, syntax.OptionalType) else ""
    if isinstance(base, syntax.RangeType):
        return "number" + optional
    if isinstance(base, syntax.SetType | syntax.ListType):
        word = "set" if isinstance(base, syntax.SetType) else "list"
        return f"{word} of {sort_of(base.of)}{optional}"
    return " ".join(base.span.text.split()) + optional


def _a(words: str) -> str:
    return f"{'an' if words[:1].lower() in 'aeiou' else 'a'} {words}"


def _count(things: Any, word: str = "") -> str:
    amount = str(len(things)) if things else "no"
    if not word:
        return amount if things else "none"
    plural = {"index": "indices"}.get(word, f"{word}s")
    return f"{amount} {word if len(things) == 1 else plural}"
