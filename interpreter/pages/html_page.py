"""One look for everything that is written as HTML: reports, traces, rulebooks, graphs.

A page is one file: style and script are in it, nothing is fetched, so it can be
mailed, kept as an artefact of a build or opened from a stick. It follows the
reader's choice of light or dark, prints on paper, and works without a mouse.
Scripts only add comfort (sorting and filtering tables); without them everything
is still there.

Text is escaped where it enters: `tag` and `table` take plain strings and
escape them, and what they give back is `Html`, which goes in as it is.

    page("Drakon", tag("p", "28 coins & a dragon"), table(("kind", "count"), rows, numbers=(1,)))
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence


class Html(str):
    """Markup: text that has been escaped already. Added to more markup it stays markup."""

    __slots__ = ()

    def __add__(self, other: str) -> str:
        both = super().__add__(other)
        return Html(both) if isinstance(other, Html) else both


Content = str | int | float | None | Html
"""What may stand inside an element: markup as it is, anything else escaped, None as nothing."""

_ALONE = frozenset({"br", "hr", "img", "input", "meta", "link"})


def escape(content: Content) -> Html:
    """Markup for plain text; markup itself comes back unchanged."""
    if content is None:
        return Html("")
    if isinstance(content, Html):
        return content
    return Html(html.escape(str(content), quote=True))


def join(parts: Iterable[Content], between: Content = "") -> Html:
    """Several contents as one."""
    return Html(escape(between).join(escape(part) for part in parts))


def tag(name: str, /, *children: Content, **attributes: str | int | bool | None) -> Html:
    """An element. `class_` and `for_` stand for the attributes of that name, `data_x` for `data-x`;
    attributes that are None or False are left out."""
    words = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escape(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _ALONE:
        return Html(f"<{name}{words}>")
    return Html(f"<{name}{words}>{join(children)}</{name}>")


def anchor(text: str) -> str:
    """The name of a heading for links: `Placing a chamber` is `placing-a-chamber`."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower().replace("'", "")).strip("-") or "part"


# ---------------------------------------------------------------- parts of a page
def table(
    head: Sequence[Content],
    rows: Iterable[Sequence[Content]],
    *,
    caption: Content = None,
    numbers: Sequence[int] = (),
    row_classes: Mapping[int, str] | None = None,
    name: str | None = None,
    sortable: bool = False,
    filterable: bool = False,
) -> Html:
    """A table. `numbers` are the columns that hold numbers; `row_classes` gives rows (from 0) a class.

    A sortable table is sorted by a click on a column's head; a filterable one
    has a field above it that leaves the rows with all the words typed there.
    """

    def cell(index: int, content: Content) -> Html:
        return tag("td", content, class_="number" if index in numbers else None)

    classes = row_classes or {}
    body = join(
        tag("tr", *(cell(at, content) for at, content in enumerate(row)), class_=classes.get(index))
        for index, row in enumerate(rows)
    )
    top = tag(
        "tr",
        *(
            tag("th", content, scope="col", class_="number" if at in numbers else None)
            for at, content in enumerate(head)
        ),
    )
    grid = tag(
        "table",
        tag("caption", caption) if caption else None,
        tag("thead", top),
        tag("tbody", body),
        id=name,
        data_sortable=sortable,
    )
    scroll = tag("div", grid, class_="scroll", tabindex=0, role="region", aria_label=_plain(caption))
    if not filterable:
        return scroll
    field = tag(
        "p",
        tag("label", "Filter ", tag("input", type="search", data_filters=True, placeholder="words in a row")),
        " ",
        tag("output", data_shown=True),
        class_="filter",
    )
    return tag("div", field, scroll, class_="filterable")


def _plain(content: Content) -> str:
    if isinstance(content, Html):
        return html.unescape(re.sub(r"<[^>]*>", "", content)) or "table"
    return str(content or "table")


def facts(pairs: Iterable[tuple[Content, Content]]) -> Html:
    """A list of terms and what they are, for the figures at the top of a report."""
    inner = join(tag("div", tag("dt", term), tag("dd", value)) for term, value in pairs)
    return tag("dl", inner, class_="facts")


def badge(text: Content, kind: str = "plain") -> Html:
    """A word in a small frame; `kind` is good, bad, warn or plain. The word, not the colour, says it."""
    return tag("span", text, class_=f"badge {kind}")


def bar(share: float, text: Content = None) -> Html:
    """A share between 0 and 1 as a bar with its number beside it."""
    share = min(1.0, max(0.0, share))
    filled = tag("span", style=f"width:{share * 100:.1f}%")
    return Html(
        tag("span", filled, class_="bar", aria_hidden="true")
        + tag("span", text if text is not None else f"{share * 100:.0f} %", class_="share")
    )


def section(heading: Content, *parts: Content, level: int = 2, name: str | None = None) -> Html:
    """A section with a heading that can be linked to."""
    target = name or anchor(_plain(heading))
    return tag("section", tag(f"h{level}", heading, id=target), *parts)


def contents(entries: Iterable[tuple[str, Content]], title: str = "Contents") -> Html:
    """A list of links to parts of the page, by their names."""
    items = join(tag("li", tag("a", words, href=f"#{target}")) for target, words in entries)
    return tag("nav", tag("h2", title), tag("ul", items), class_="contents", aria_label=title)


# ---------------------------------------------------------------- the page
def page(
    title: str,
    *body: Content,
    lead: Content = None,
    footer: Content = None,
    style: str = "",
    script: str = "",
) -> str:
    """A whole document. `lead` stands under the title; `style` and `script` are added to the common ones."""
    head = join(
        (
            tag("meta", charset="utf-8"),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("meta", name="color-scheme", content="light dark"),
            tag("meta", name="generator", content="dragonrules"),
            tag("title", title),
            Html(f"<style>{STYLE}{style}</style>"),
        ),
        Html("\n"),
    )
    inner = join(
        (
            tag("a", "Skip to the text", href="#text", class_="skip"),
            tag("header", tag("h1", title), tag("p", lead, class_="lead") if lead else None),
            tag("main", Html("\n"), join(body, Html("\n")), id="text"),
            tag("footer", footer) if footer else None,
            Html(f"<script>{SCRIPT}{script}</script>"),
        ),
        Html("\n"),
    )
    return f'<!doctype html>\n<html lang="en">\n<head>\n{head}\n</head>\n<body>\n{inner}\n</body>\n</html>\n'


STYLE = """
:root{--ink:#1d2125;--soft:#5b6570;--paper:#fdfcf9;--card:#f3f0e8;--line:#d8d2c4;--accent:#8a3324;--good:#1f6b3a;
--bad:#a11d1d;--warn:#7a5200;--fill:#b4572f}
@media (prefers-color-scheme:dark){:root{--ink:#e9e6df;--soft:#a9a59b;--paper:#191a1c;--card:#232528;--line:#3d4045;
--accent:#e8a07c;--good:#7fcf9b;--bad:#ff9d94;--warn:#e6bd6a;--fill:#d07f54}}
*{box-sizing:border-box}
html{font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;color:var(--ink);
background:var(--paper)}
body{margin:0 auto;padding:1.5rem 1rem 4rem;max-width:72rem}
main>p,main>ul,main>ol,section>p,section>ul,section>ol,.lead{max-width:46rem}
h1,h2,h3,h4{line-height:1.2;margin:2em 0 .5em;text-wrap:balance}
h1{font-size:2rem;margin-top:.5em}h2{font-size:1.45rem;border-bottom:2px solid var(--accent);padding-bottom:.2em}
h3{font-size:1.15rem}h4{font-size:1rem}
a{color:var(--accent)}a:focus-visible,th:focus-visible,.scroll:focus-visible,input:focus-visible,
summary:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.lead{font-size:1.1rem;color:var(--soft)}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:var(--paper);padding:.3em .6em}
.scroll{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;font-size:.94rem}
caption{text-align:left;color:var(--soft);padding-bottom:.3em}
th,td{text-align:left;vertical-align:top;padding:.35em .8em .35em .4em;border-bottom:1px solid var(--line)}
th{border-bottom:2px solid var(--line);white-space:nowrap}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}
tr.bad td:first-child{border-left:4px solid var(--bad)}tr.warn td:first-child{border-left:4px solid var(--warn)}
th[data-sorts]{cursor:pointer}th[aria-sort=ascending]::after{content:" \\2191"}
th[aria-sort=descending]::after{content:" \\2193"}
code,kbd{font:.92em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--card);padding:.05em .3em;
border-radius:3px}
pre{background:var(--card);padding:.8em 1em;overflow-x:auto;border-radius:4px}pre code{padding:0;background:none}
blockquote{margin:1em 0;padding:.1em 1em;border-left:4px solid var(--line);color:var(--soft)}
.facts{display:flex;flex-wrap:wrap;gap:.8rem;margin:1rem 0}.facts div{background:var(--card);padding:.5em 1em;
border-radius:6px}.facts dt{font-size:.85rem;color:var(--soft)}.facts dd{margin:0;font-size:1.2rem;
font-variant-numeric:tabular-nums}
.badge{display:inline-block;font-size:.82rem;padding:0 .5em;border:1px solid currentColor;border-radius:1em;
white-space:nowrap}.badge.good{color:var(--good)}.badge.bad{color:var(--bad)}.badge.warn{color:var(--warn)}
.badge.plain{color:var(--soft)}
.bar{display:inline-block;vertical-align:middle;width:6rem;height:.7em;background:var(--card);
border:1px solid var(--line);border-radius:3px;margin-right:.5em}.bar span{display:block;height:100%;
background:var(--fill)}.share{font-variant-numeric:tabular-nums}
.filter input{font:inherit;padding:.25em .5em;border:1px solid var(--line);border-radius:4px;background:var(--paper);
color:var(--ink);min-width:16rem}.filter output{color:var(--soft)}
.contents ul{columns:2 18rem;padding-left:1.2em}.contents li{break-inside:avoid}
svg{max-width:100%;height:auto}
footer{margin-top:3rem;border-top:1px solid var(--line);padding-top:.5rem;color:var(--soft);font-size:.88rem}
@media print{html{font-size:11pt;background:none;color:#000}.filter,.skip{display:none}h2,h3{break-after:avoid}
tr,li{break-inside:avoid}.scroll{overflow:visible}a{color:inherit;text-decoration:none}}
"""

SCRIPT = """
for(const table of document.querySelectorAll('table[data-sortable]')){
 const body=table.tBodies[0];
 [...table.tHead.rows[0].cells].forEach((head,index)=>{
  head.dataset.sorts='';head.tabIndex=0;
  const sort=()=>{
   const down=head.getAttribute('aria-sort')==='ascending';
   for(const other of table.tHead.rows[0].cells)other.removeAttribute('aria-sort');
   head.setAttribute('aria-sort',down?'descending':'ascending');
   const key=row=>row.cells[index]?row.cells[index].textContent.trim():'';
   [...body.rows].sort((a,b)=>key(a).localeCompare(key(b),'en',{numeric:true})*(down?-1:1))
    .forEach(row=>body.append(row));};
  head.addEventListener('click',sort);
  head.addEventListener('keydown',e=>{if(e.key==='Enter'||e.key===' '){e.preventDefault();sort();}});});}
for(const box of document.querySelectorAll('.filterable')){
 const field=box.querySelector('[data-filters]'),shown=box.querySelector('[data-shown]');
 const rows=[...box.querySelectorAll('tbody tr')];
 const filter=()=>{
  const words=field.value.toLowerCase().split(/\\s+/).filter(Boolean);let count=0;
  for(const row of rows){const text=row.textContent.toLowerCase();
   row.hidden=!words.every(word=>text.includes(word));if(!row.hidden)count++;}
  shown.textContent=words.length?count+' of '+rows.length+' rows':'';};
 field.addEventListener('input',filter);filter();}
"""
