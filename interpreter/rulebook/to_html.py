"""A rulebook as one HTML page, for reading on a phone at the table or for printing."""

from __future__ import annotations

from collections.abc import Sequence

from ..pages import html_page as html
from .document import (
    Block,
    Book,
    Entries,
    Entry,
    Gallery,
    Grid,
    Paragraph,
    Picture,
    Section,
    Step,
    Steps,
    pieces,
)

_STYLE = """
.contents ul ul{columns:auto;font-size:.9em;padding:0;list-style:none}
.contents ul ul li{display:inline}.contents ul ul li+li::before{content:" · "}
li{margin:.25em 0}em{color:var(--soft)}
section section{margin-left:0}
.gallery{display:flex;flex-wrap:wrap;gap:1.2rem 2rem;align-items:flex-start;margin:1rem 0}
.gallery figure,.entry figure{margin:0}
.gallery figure>div>svg{width:100%;height:auto;display:block}
figcaption{color:var(--soft);font-size:.92em;max-width:34rem;margin-top:.4rem}
.entries{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,21rem),1fr));gap:.7rem 1.6rem;margin:1rem 0}
.entry{display:grid;grid-template-columns:auto 1fr;gap:.7rem;break-inside:avoid;align-items:start}
.entry svg{display:block;height:auto}.entry p{margin:.1em 0;max-width:none}.entry .soft{color:var(--soft)}
.exact>summary{cursor:pointer;font-size:1.45rem;font-weight:600;margin:2.5em 0 .5em;border-bottom:2px solid var(--line)}
svg .ring{stroke:#a11d1d;stroke-width:4}svg .glow{stroke-dasharray:9 6}
section:has(>#numbers-to-know){columns:18rem}section:has(>#numbers-to-know)>h2{column-span:all}
section:has(>#numbers-to-know)>p{break-after:avoid}
svg .gap{stroke:#9a958a;stroke-width:2;stroke-dasharray:5 5}

@media print{@page{margin:12mm}html{font-size:8.6pt;line-height:1.35;color:#000;background:#fff}
body{padding:0;max-width:none}.contents,.skip,.exact:not([open]){display:none}
.entries{grid-template-columns:repeat(3,1fr);gap:.5rem 1rem}.entry svg{width:52px}.entry figure{width:auto!important}
h1,h2,h3{break-after:avoid}figure,tr,li{break-inside:avoid}h1{margin:0}h2{margin:1em 0 .4em}h3{margin:.6em 0 .2em}
main>p,main>ul,main>ol,section>p,section>ul,section>ol,.lead,figcaption{max-width:none}p,ul,ol,table{margin:.35em 0}
td,th{padding:.1em .5em}.gallery{gap:.6rem 2rem;margin:.5rem 0;zoom:.66}#examples~section{display:inline-block;width:48%;vertical-align:top;margin-right:1%}}
"""


def to_html(book: Book) -> str:
    intro = [html.tag("p", _inline(text)) for text in book.intro]
    learning = [section for section in book.sections if not section.folded]
    body = [_section(section, 2) for section in learning]
    body += [_folded(section) for section in book.sections if section.folded]
    contents = _contents(book.sections if len(learning) == len(book.sections) else learning)
    return html.page(book.title, *intro, contents, *body, lead=book.lead, style=_STYLE, script=_SCRIPT)


def _folded(section: Section) -> html.Html:
    """What is there to be looked up: closed until somebody opens it or follows a link into it."""
    blocks = [_block(block) for block in section.blocks]
    inner = [_section(part, 3) for part in section.sections]
    head = html.tag("summary", section.title, id=section.target)
    return html.tag("details", head, *blocks, _contents(section.sections), *inner, class_="exact")


_SCRIPT = """
function unfold(){const at=document.getElementById(decodeURIComponent(location.hash.slice(1)));
const fold=at&&at.closest("details");if(fold){fold.open=true;at.scrollIntoView()}}
addEventListener("hashchange",unfold);unfold();
"""


def _contents(sections: Sequence[Section]) -> html.Html:
    entries = [
        html.tag(
            "li",
            html.tag("a", section.title, href=f"#{section.target}"),
            html.tag("ul", *(_link(inner) for inner in section.sections)) if section.sections else None,
        )
        for section in sections
    ]
    return html.tag(
        "nav", html.tag("h2", "Contents"), html.tag("ul", *entries), class_="contents", aria_label="Contents"
    )


def _link(section: Section) -> html.Html:
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
        case Gallery(pictures):
            return html.tag("div", *(_figure(one) for one in pictures), class_="gallery")
        case Entries(entries):
            return html.tag("div", *(_entry(one) for one in entries), class_="entries")


def _figure(one: Picture) -> html.Html:
    words = html.tag("figcaption", _inline(one.caption)) if one.caption else None
    drawing = html.tag("div", html.Html(one.drawing), role="img", aria_label=one.words)
    return html.tag("figure", drawing, words, style=f"width:min(100%,{one.width}px)")


def _entry(one: Entry) -> html.Html:
    title = html.tag("strong", _inline(one.title))
    remark = html.tag("span", " ", _inline(one.remark), class_="soft") if one.remark else None
    words = html.tag("div", html.tag("p", title, remark), html.tag("p", _inline(one.text)))
    return html.tag("div", _figure(one.picture) if one.picture else None, words, class_="entry")


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
