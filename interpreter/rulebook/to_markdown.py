"""A rulebook as Markdown: plain CommonMark with pipe tables, as code hosts and MyST read it.

Pictures are files beside the page: `address` tells where each of them lies. Without it there are none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from .document import Block, Book, Entries, Gallery, Grid, Paragraph, Picture, Section, Step, Steps, pieces

Address = Callable[[Picture], str]

_MARKUP = re.compile(r"([\\`*_\[\]<]|&(?=#?\w+;)|~(?=~))")
_BEGINS = re.compile(r"^(\d*)(?:(?<=\d)(?=[.)])|(?<!\d)(?=[#>+=|:-]))(.)")


def to_markdown(book: Book, address: Address | None = None) -> str:
    return "\n".join(_lines(book, address)) + "\n"


def _lines(book: Book, address: Address | None) -> Iterator[str]:
    yield f"# {_inline(book.title)}"
    yield ""
    yield _paragraph(book.lead)
    for text in book.intro:
        yield ""
        yield _paragraph(text)
    if not any(section.folded for section in book.sections):
        yield from ("", "## Contents", "")
        yield from _contents(book.sections)
    for section in book.sections:
        yield from _section(section, 2, address)


def _contents(sections: Sequence[Section]) -> Iterator[str]:
    for section in sections:
        yield f"- [{_escape(section.title)}](#{section.target})"
        if 0 < len(section.sections) <= 40:
            links = (f"[{_escape(inner.title)}](#{inner.target})" for inner in section.sections)
            yield f"  - {' · '.join(links)}"


def _section(section: Section, level: int, address: Address | None) -> Iterator[str]:
    yield ""
    yield f"{'#' * level} {_escape(section.title)}"
    for block in section.blocks:
        yield ""
        yield from _block(block, address)
    if section.folded:
        yield ""
        yield from _contents(section.sections)
    for inner in section.sections:
        yield from _section(inner, level + 1, address)


def _block(block: Block, address: Address | None) -> Iterator[str]:
    match block:
        case Paragraph(text):
            yield _paragraph(text)
        case Steps(steps, numbered):
            yield from _list(steps, numbered, "")
        case Grid(head, rows, numbers):
            yield from _table(head, rows, numbers)
        case Gallery(pictures):
            yield from _gallery(pictures, address)
        case Entries(entries):
            rows = [
                [f"{_strong(e.title)}{f' {_inline(e.remark)}' if e.remark else ''}", _inline(e.text)]
                for e in entries
            ]
            if address is not None and any(e.picture for e in entries):
                drawn = [_image(e.picture, address) if e.picture else "" for e in entries]
                yield from _written(["", "", ""], [[one, *row] for one, row in zip(drawn, rows, strict=True)])
            else:
                yield from _written(["", ""], rows)


def _gallery(pictures: Sequence[Picture], address: Address | None) -> Iterator[str]:
    for number, one in enumerate(pictures):
        if number:
            yield ""
        if address is not None:
            yield _image(one, address)
            yield ""
        yield f"*{_escape(one.caption or one.words)}*"


def _image(one: Picture, address: Address) -> str:
    return f"![{_escape(one.words)}]({address(one)})"


def _strong(text: str) -> str:
    return f"**{_inline(text)}**"


def _list(steps: Sequence[Step], numbered: bool, indent: str) -> Iterator[str]:
    for number, step in enumerate(steps, 1):
        mark = f"{number}. " if numbered else "- "
        yield f"{indent}{mark}{_paragraph(step.text)}"
        yield from _list(step.steps, False, indent + " " * len(mark))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int]) -> Iterator[str]:
    yield from _written(
        [_inline(text) for text in head], [[_inline(text) for text in row] for row in rows], numbers
    )


def _written(
    head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int] = ()
) -> Iterator[str]:
    cells = [[text.replace("|", "\\|") for text in row] for row in (head, *rows)]
    widths = [max(3, *(len(row[at]) for row in cells)) for at in range(len(head))]
    if sum(widths) > 120:
        widths = [0] * len(head)

    def line(row: Sequence[str]) -> str:
        padded = (
            text.rjust(widths[at]) if at in numbers else text.ljust(widths[at]) for at, text in enumerate(row)
        )
        return f"| {' | '.join(padded)} |"

    yield line(cells[0])
    rule = (
        "-" * (max(3, width) - (at in numbers)) + (":" if at in numbers else "")
        for at, width in enumerate(widths)
    )
    yield f"| {' | '.join(rule)} |"
    for row in cells[1:]:
        yield line(row)


def _inline(text: str) -> str:
    out = []
    for kind, words, target in pieces(text):
        match kind:
            case "link":
                out.append(f"[{_escape(words)}](#{target})")
            case "em":
                out.append(f"*{_escape(words)}*")
            case "strong":
                out.append(f"**{_escape(words)}**")
            case _:
                out.append(_escape(words))
    return "".join(out)


def _escape(text: str) -> str:
    """Only what would be read as markup: an author's backticks are meant as code and stay, in pairs."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(part if n % 2 else _MARKUP.sub(r"\\\1", part) for n, part in enumerate(parts))


def _paragraph(text: str) -> str:
    """A line by itself, which does not begin a heading, a list, a quotation or anything else."""
    return _BEGINS.sub(r"\1\\\2", _inline(text.replace("\n", " ").lstrip()))
