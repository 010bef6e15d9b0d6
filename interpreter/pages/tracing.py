"""Tracing: the items of a rulebook, who cites them, and whether that is ever put to the test.

An item is *settled* when a rule carries it out and a scenario shows it. Where
scenarios were run and counted, it is also known whether the scenarios that cite
an item come past a rule that cites it; if not, one of the two cites is doubtful.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from attrs import Factory, define, frozen

from ...grammar import Span
from ..core.errors import UsageError

_ROW = re.compile(r"\|\s*[*`]*([A-Z][A-Z0-9]*-?\d+)[*`]*\s*\|(.*)")
_HEADING = re.compile(r"#+\s+(.*?)\s*#*$")


@frozen
class Cite:
    """Something that cites an item: its name, the place of the cite, and the lines that it speaks for."""

    title: str
    span: Span
    first: int
    last: int

    @property
    def file(self) -> str:
        return self.span.source.name


@define
class Item:
    """An item of a rulebook."""

    id: str
    text: str = ""
    ruling: str = ""
    chapter: str = ""
    rules: dict[str, Cite] = Factory(dict)
    scenarios: dict[str, Cite] = Factory(dict)
    hits: int | None = None
    """How often all scenarios together came past its rules; None if that was not counted, or nothing
    of its rules can be counted (a component, a place)."""
    reached: bool | None = None
    """Do its own scenarios come past its own rules?"""
    failing: tuple[str, ...] = ()
    """Scenarios that cite it and do not hold."""

    @property
    def gaps(self) -> list[str]:
        """What is missing, in words."""
        out = []
        if not self.rules:
            out.append("no rule")
        if not self.scenarios:
            out.append("no scenario")
        if self.failing:
            out.append("fails")
        return out


@define
class Trace:
    """All items of a game's rulebook; `unknown` are cites of items that the inventory does not have."""

    title: str
    items: dict[str, Item]
    unknown: dict[str, list[str]] = Factory(dict)
    counted: bool = False

    @property
    def is_complete(self) -> bool:
        return not self.unknown and not any(item.gaps for item in self.items.values())

    def without(self, gap: str) -> list[Item]:
        return [item for item in self.items.values() if gap in item.gaps]


def read_inventory(path: Path) -> dict[str, Item]:
    """The items of a Markdown file: table rows whose first cell is `DK-12`; the next cells are what the
    rule says and what was settled about it. Headings are chapters."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError("D0106", f"`{path}` is not UTF-8 text") from None
    items: dict[str, Item] = {}
    chapter = ""
    for line in text.splitlines():
        heading = _HEADING.match(line.strip())
        if heading:
            chapter = heading[1]
        found = _ROW.match(line.strip())
        if found and found[1] not in items:
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", found[2])]
            items[found[1]] = Item(found[1], cells[0], cells[1] if len(cells) > 2 else "", chapter)
    return items


def numbers_first(name: str) -> tuple[str, int, str]:
    """A key that sorts `DK-9` before `DK-12`."""
    found = re.match(r"(.*?)(\d+)$", name)
    return (found[1], int(found[2]), "") if found else (name, 0, "")


# ---------------------------------------------------------------- coverage
class LineHits:
    """How often each line was reached, looked up by stretches."""

    def __init__(self, hits: Mapping[Any, int]) -> None:
        self.files: dict[str, dict[int, int]] = {}
        for spot, times in hits.items():
            lines = self.files.setdefault(_full(spot.file), {})
            lines[spot.line] = max(lines.get(spot.line, 0), times)

    def at(self, cite: Cite) -> int | None:
        """The most of any line of the stretch; None if nothing in it is counted."""
        lines = self.files.get(_full(cite.file), {})
        found = [lines[n] for n in range(cite.first, cite.last + 1) if n in lines]
        return max(found) if found else None


@cache
def _full(file: str) -> str:
    """One name for a file, however it was asked for."""
    return str(Path(file).resolve())


def add_hits(trace: Trace, hits: Mapping[Any, int]) -> None:
    """Count in what something else than the scenarios came past, as many games that were simulated."""
    trace.counted = True
    lines = LineHits(hits)
    for item in trace.items.values():
        known = [n for cite in item.rules.values() if (n := lines.at(cite)) is not None]
        if known:
            item.hits = (item.hits or 0) + sum(known)


def count(trace: Trace, runs: Iterable[tuple[str, bool, Mapping[Any, int]]]) -> None:
    """Fill in what scenarios came past. A run is the key of its scenario, whether it held, and its counts."""
    by_scenario = {key: (ok, LineHits(hits)) for key, ok, hits in runs}
    trace.counted = True
    for item in trace.items.values():
        own = [by_scenario[_key(cite)] for cite in item.scenarios.values() if _key(cite) in by_scenario]
        item.failing = tuple(
            title
            for title, cite in item.scenarios.items()
            if _key(cite) in by_scenario and not by_scenario[_key(cite)][0]
        )
        known: list[int] = []
        reached = False
        for cite in item.rules.values():
            found = [hits.at(cite) for _, hits in by_scenario.values()]
            known += [n for n in found if n is not None]
            reached = reached or any((hits.at(cite) or 0) > 0 for _, hits in own)
        item.hits = sum(known) if known else None
        item.reached = reached if known else None


def _key(cite: Cite) -> str:
    return scenario_key(cite.span)


def scenario_key(span: Span) -> str:
    """Tells scenarios apart by where they begin."""
    return f"{span.source.name}:{span.line}"
