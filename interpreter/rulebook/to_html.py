"""A rulebook as one HTML page, for reading on a phone at the table or for printing."""

from __future__ import annotations

from collections.abc import Sequence

from ..pages import html_page as html
from .document import Block, Book, Grid, Paragraph, Section, Step, Steps, pieces

_STYLE = """
.contents ul ul{columns:auto;font-size:.9em;padding:0;list-style:none}
.contents ul ul li{display:inline}.contents ul ul li+li::before{content:" · "}
li{margin:.25em 0}em{color:var(--soft)}
section section{margin-left:0}
"""


def to_html(book: Book) -> str:
    entries = [
        html.tag(
            "li",
            html.tag("a", section.title, href=f"#{section.target}"),
            html.tag("ul", *(_entry(inner) for inner in section.sections)) if section.sections else None,
        )
        for section in book.sections
    ]
    nav = html.tag(
        "nav", html.tag("h2", "Contents"), html.tag("ul", *entries), class_="contents", aria_label="Contents"
    )
    intro = [html.tag("p", _inline(text)) for text in book.intro]
    body = [_section(section, 2) for section in book.sections]
    return html.page(book.title, *intro, nav, *body, lead=book.lead, style=_STYLE)


def _entry(section: Section) -> html.Html:
    return html.tag("li", html.tag("a", section.title, href=f"#{section.target}"))


def _section(section: Section, level: int) -> html.Html:
    blocks = [_block(block) for block in section.blocks]
    inner = [_section(part, level + 1) for part in section.sections]
    return html.section(section.title, *blocks, *inner, level=min(level, 6), name=section.target)


def _block(block: Block) -> html.Html:
    match block:
        case Paragraph(text):
            return html.tag("p", _inline(text))
        case Steps(steps, numbered):
            return _list(steps, numbered)
        case Grid(head, rows, numbers):
            return html.table(
                [_inline(text) for text in head],
                ([_inline(text) for text in row] for row in rows),
                numbers=numbers,
            )


def _list(steps: Sequence[Step], numbered: bool) -> html.Html:
    items = (
        html.tag("li", _inline(step.text), _list(step.steps, False) if step.steps else None) for step in steps
    )
    return html.tag("ol" if numbered else "ul", *items)


def _inline(text: str) -> html.Html:
    out: list[html.Html] = []
    for kind, words, target in pieces(text):
        match kind:
            case "link":
                out.append(html.tag("a", words, href=f"#{target}"))
            case "em" | "strong":
                out.append(html.tag(kind, words))
            case _:
                out.append(html.escape(words))
    return html.join(out)
