"""A trace as one HTML page: every item with what carries it out and what shows it, to be sorted and filtered."""

from __future__ import annotations

from collections.abc import Callable

from .html_page import Html, badge, bar, facts, join, page, section, table, tag
from .tracing import Cite, Item, Trace

Link = Callable[[Cite], str]

_STYLE = """
.cites{margin:0;padding:0;list-style:none}.cites li{margin:0 0 .15em}
body{max-width:96rem}#items td:first-child{white-space:nowrap}#items td:nth-child(2){min-width:20rem}.ruling{color:var(--soft);font-size:.9em}
"""

_SCRIPT = """
const only=document.querySelector('#gaps');
if(only)only.addEventListener('change',()=>document.querySelectorAll('#items tbody tr').forEach(row=>{
 row.style.display=only.checked&&!row.className?'none':'';}));
"""


def trace_page(trace: Trace, link: Link) -> str:
    """The page; `link` gives the address of a cite."""
    items = list(trace.items.values())
    with_rule = sum(bool(item.rules) for item in items)
    with_scenario = sum(bool(item.scenarios) for item in items)
    size = max(1, len(items))
    figures: list[tuple[str, Html | str]] = [
        ("items", str(len(items))),
        ("carried out by a rule", _share(with_rule, size)),
        ("shown by a scenario", _share(with_scenario, size)),
    ]
    countable = [item for item in items if item.reached is not None]
    if countable:
        reached = sum(bool(item.reached) for item in countable)
        figures.append(("rule run by its own scenarios", _share(reached, max(1, len(countable)))))
    head = [
        "Item",
        "What the rulebook says",
        "Rules",
        "Scenarios",
        *(["Runs"] if trace.counted else []),
        "State",
    ]
    rows = [_row(item, trace, link) for item in items]
    classes = {
        index: "bad" if item.gaps else "warn"
        for index, item in enumerate(items)
        if item.gaps or item.reached is False
    }
    numbers = (4,) if trace.counted else ()
    gaps = tag(
        "p",
        tag("label", tag("input", type="checkbox", id="gaps"), " only items that need attention"),
    )
    grid = table(
        head, rows, name="items", numbers=numbers, row_classes=classes, sortable=True, filterable=True
    )
    body = [facts(figures), gaps, grid]
    if trace.unknown:
        entries = [(item, ", ".join(places)) for item, places in trace.unknown.items()]
        body.append(section("Cited, but not in the inventory", table(("Item", "Where"), entries)))
    return page(
        f"{trace.title}: from rulebook to rules",
        *body,
        lead="Every item of the rulebook, the rules that carry it out, and the scenarios that show it.",
        style=_STYLE,
        script=_SCRIPT,
    )


def _share(part: int, whole: int) -> Html:
    return bar(part / whole, f"{part} of {whole}")


def _row(item: Item, trace: Trace, link: Link) -> list[Html | str | int | None]:
    text = join(
        (
            item.text,
            tag("div", "Ruling: ", item.ruling, class_="ruling") if item.ruling else None,
        )
    )
    runs: list[Html | str | int | None] = []
    if trace.counted:
        runs = [item.hits if item.hits is not None else "–"]
    return [item.id, text, _cites(item.rules, link), _cites(item.scenarios, link), *runs, _state(item)]


def _cites(cites: dict[str, Cite], link: Link) -> Html:
    entries = (tag("li", tag("a", title, href=link(cite))) for title, cite in cites.items())
    return tag("ul", *entries, class_="cites") if cites else tag("span", "none")


def _state(item: Item) -> Html:
    if item.gaps:
        return join((badge(gap, "bad") for gap in item.gaps), " ")
    if item.reached is False:
        return badge("rule not reached by its scenarios", "warn")
    return badge("shown" if item.reached else "cited", "good")
