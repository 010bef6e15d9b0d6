"""Coverage for people and for tools: text, one HTML page, LCOV.

All three tell the same figures: lines, branches and declarations by file; what
was never run; what was never offered, or never chosen, where somebody decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import frozen

from ..core import CheckedGame
from ..pages.html_page import (
    Content,
    Html,
    badge,
    bar,
    contents,
    escape,
    facts,
    join,
    page,
    section,
    table,
    tag,
)
from ..play.coverage import Coverage, Declaration, Line, Question

MOST_WORDS = 12
NARROW = 34


@frozen
class Share:
    """So many of so many."""

    hit: int
    total: int

    @property
    def part(self) -> float:
        return self.hit / self.total if self.total else 1.0

    @property
    def percent(self) -> int:
        """Rounded down, so that 100 means all."""
        return 100 * self.hit // self.total if self.total else 100

    def __add__(self, other: Share) -> Share:
        return Share(self.hit + other.hit, self.total + other.total)

    def __str__(self) -> str:
        return f"{self.hit}/{self.total}"


@frozen
class Summary:
    """The figures of one file, or of all."""

    name: str
    lines: Share
    branches: Share
    declarations: Share


def summaries(coverage: Coverage) -> list[Summary]:
    declared = coverage.declarations()
    return [
        Summary(
            file,
            _share(line.hits for line in coverage.lines(file).values()),
            _share(times for _, times in coverage.branches(file)),
            _share(d.runs for d in declared if d.file == file),
        )
        for file in coverage.files
    ]


def total(parts: Sequence[Summary]) -> Summary:
    nothing = Share(0, 0)
    return Summary(
        "all files",
        sum((p.lines for p in parts), nothing),
        sum((p.branches for p in parts), nothing),
        sum((p.declarations for p in parts), nothing),
    )


def sources_of(*games: CheckedGame) -> dict[str, str]:
    """The texts that games are made of, by the names under which coverage tells of them."""
    found: dict[str, str] = {}
    for game in games:
        groups = (game.rules, game.triggers, game.endings, game.defines)
        for decl in (*game.phases, *(d for group in groups for d in group.values())):
            found[decl.span.source.name] = decl.span.source.text
    return found


def _share(times: Iterable[int]) -> Share:
    counted = list(times)
    return Share(sum(n > 0 for n in counted), len(counted))


# ---------------------------------------------------------------- text
def text(coverage: Coverage, *, missing: bool = True) -> str:
    """A table of files, then what was missed; `missing=False` gives the table alone."""
    parts = summaries(coverage)
    rows = [("", "lines", "branches", "rules", "lines missed")]
    for part in parts:
        missed = [line.number for line in coverage.lines(part.name).values() if not line.hits]
        rows.append((part.name, *_cells(part), _ranges(missed)))
    if len(parts) > 1:
        rows.append(("all files", *_cells(total(parts)), ""))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    out = [
        "  ".join([row[0].ljust(widths[0]), *(row[n].rjust(widths[n]) for n in (1, 2, 3)), row[4]]).rstrip()
        for row in rows
    ]
    if missing:
        out += _missing(coverage)
    return "\n".join(out) + "\n"


def _cells(part: Summary) -> tuple[str, str, str]:
    shares = (part.lines, part.branches, part.declarations)
    lines, branches, declared = (f"{share} {share.percent:>3} %" for share in shares)
    return lines, branches, declared


def _missing(coverage: Coverage) -> Iterator[str]:
    never = [d for d in coverage.declarations() if not d.runs]
    if never:
        yield "\nnever run:"
        yield from (f"  {f'{d.kind} {d.name}':<{NARROW}} {d.file}:{d.line}" for d in never)
    partly = [
        (file, line)
        for file in coverage.files
        for line in coverage.lines(file).values()
        if line.state == "partial"
    ]
    if partly:
        yield "\nnot every way:"
        yield from (f"  {file}:{line.number}: {'; '.join(line.missed)}" for file, line in partly)
    for title, found in (
        ("never offered", coverage.never_offered()),
        ("offered, never chosen", coverage.never_taken()),
    ):
        if found:
            yield f"\n{title}:"
            yield from (f"  {_named(q):<{NARROW}} {_words(words)}  {q.file}:{q.line}" for q, words in found)


def _named(question: Question) -> str:
    owner = question.owner.partition(" ")[2] or question.owner
    return f"{owner}: {question.name}" if question.name != owner else owner


def _words(words: Sequence[str]) -> str:
    more = f" and {len(words) - MOST_WORDS} more" if len(words) > MOST_WORDS else ""
    return ", ".join(words[:MOST_WORDS]) + more


def _ranges(numbers: Sequence[int]) -> str:
    """`3-5, 9`"""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(r[0]) if len(r) == 1 else f"{r[0]}-{r[-1]}" for r in runs)


# ---------------------------------------------------------------- LCOV
def lcov(coverage: Coverage, name: str = "rules") -> str:
    """The trace file that `genhtml`, code hosts and editors read."""
    out: list[str] = []
    declared = coverage.declarations()
    for part in summaries(coverage):
        out += [f"TN:{_lcov_name(name)}", f"SF:{part.name}"]
        here = [d for d in declared if d.file == part.name]
        out += [f"FN:{d.line},{d.kind} {d.name}" for d in here]
        out += [f"FNDA:{d.runs},{d.kind} {d.name}" for d in here]
        out += [f"FNF:{part.declarations.total}", f"FNH:{part.declarations.hit}"]
        out += _branch_records(coverage, part.name)
        out += [f"BRF:{part.branches.total}", f"BRH:{part.branches.hit}"]
        lines = coverage.lines(part.name)
        out += [f"DA:{number},{line.hits}" for number, line in lines.items()]
        out += [f"LF:{part.lines.total}", f"LH:{part.lines.hit}", "end_of_record"]
    return "\n".join(out) + "\n" if out else ""


def _branch_records(coverage: Coverage, file: str) -> Iterator[str]:
    """`BRDA:line,block,branch,taken`; a branch of a line that was never reached is `-`."""
    lines = coverage.lines(file)
    numbers: dict[int, int] = {}
    for spot, times in coverage.branches(file):
        branch = numbers[spot.line] = numbers.get(spot.line, -1) + 1
        reached = lines[spot.line].hits > 0
        yield f"BRDA:{spot.line},0,{branch},{times if reached else '-'}"


def _lcov_name(name: str) -> str:
    """Test names are letters, digits and underscores."""
    return "".join(ch if ch.isalnum() and ch.isascii() else "_" for ch in name)


# ---------------------------------------------------------------- HTML
def html(coverage: Coverage, sources: Mapping[str, str], title: str = "Coverage of the rules") -> str:
    """One page: summary, declarations, decisions, and each source with its counts in the margin."""
    parts = summaries(coverage)
    whole = total(parts)
    listed = [part for part in parts if part.name in sources]
    body: list[Html] = [
        facts(
            (
                ("lines", f"{whole.lines.percent} %"),
                ("branches", f"{whole.branches.percent} %"),
                ("rules run", str(whole.declarations)),
            )
        ),
        contents(
            [("rules", "Rules"), ("decisions", "Decisions")]
            + [(_target(part.name), part.name) for part in listed]
        ),
        _files(parts, {part.name for part in listed}),
        section("Rules", _declared(coverage.declarations(), set(sources)), name="rules"),
        section("Decisions", _decided(coverage, set(sources)), name="decisions"),
    ]
    body += [_source(part, sources[part.name], coverage.lines(part.name)) for part in listed]
    return page(title, *body, lead="Which parts of the rules were used, and how often.", style=STYLE)


def _target(file: str, line: int | None = None) -> str:
    name = "".join(ch if ch.isalnum() else "-" for ch in file)
    return f"file-{name}" if line is None else f"file-{name}-{line}"


def _link(file: str, line: int, known: set[str]) -> Html:
    words = f"{file}:{line}"
    return tag("a", words, href=f"#{_target(file, line)}") if file in known else escape(words)


def _files(parts: Sequence[Summary], known: set[str]) -> Html:
    rows = [
        (
            tag("a", part.name, href=f"#{_target(part.name)}") if part.name in known else part.name,
            *(bar(share.part, f"{share}") for share in (part.lines, part.branches, part.declarations)),
        )
        for part in parts
    ]
    return table(("file", "lines", "branches", "rules"), rows, caption="By file")


def _declared(declared: Sequence[Declaration], known: set[str]) -> Html:
    rows: list[tuple[Content, ...]] = []
    classes: dict[int, str] = {}
    for number, d in enumerate(declared):
        lines = Share(d.lines_hit, d.lines)
        if not d.runs:
            classes[number] = "bad"
        elif lines.hit < lines.total or d.branches_hit < d.branches:
            classes[number] = "warn"
        rows.append(
            (
                d.kind,
                tag("code", d.name),
                d.runs if d.runs else badge("never", "bad"),
                "" if d.offered is None else d.offered if d.offered else badge("never", "bad"),
                "" if d.taken is None else d.taken if d.taken else badge("never", "bad"),
                bar(lines.part, str(lines)),
                str(Share(d.branches_hit, d.branches)) if d.branches else "",
                _link(d.file, d.line, known),
            )
        )
    head = ("kind", "name", "run", "offered", "chosen", "lines", "branches", "where")
    return table(head, rows, numbers=(2, 3, 4, 6), row_classes=classes, sortable=True, filterable=True)


def _decided(coverage: Coverage, known: set[str]) -> Html:
    """Each decision and chance point with its answers."""
    rows: list[tuple[Content, ...]] = []
    classes: dict[int, str] = {}
    for question, answers in sorted(coverage.answers.items(), key=lambda item: item[0]):
        words = answers.values
        asked = any(answers.taken.values()) or any(answers.offered.values())
        never = [w for w in words if not answers.taken[w]]
        if not asked:
            classes[len(rows)] = "bad"
        elif answers.closed and question.kind != "chance" and never:
            classes[len(rows)] = "warn"
        told = ", ".join(
            f"{w} {answers.taken[w]}" + (f" of {answers.offered[w]}" if question.kind != "chance" else "")
            for w in words[:MOST_WORDS]
        )
        if len(words) > MOST_WORDS:
            told += f" and {len(words) - MOST_WORDS} more"
        rows.append(
            (
                question.kind,
                _named(question),
                told if asked else badge("never", "bad"),
                ", ".join(never[:MOST_WORDS]) if asked and answers.closed else "",
                _link(question.file, question.line, known),
            )
        )
    head = ("kind", "decision", "chosen, of times offered", "never chosen", "where")
    return table(head, rows, row_classes=classes, sortable=True, filterable=True)


def _source(part: Summary, text: str, lines: Mapping[int, Line]) -> Html:
    rows = []
    for number, code in enumerate(text.split("\n"), start=1):
        line = lines.get(number)
        state = line.state if line is not None else "none"
        rows.append(
            tag(
                "tr",
                tag("td", number, class_="at"),
                tag("td", line.hits if line is not None else "", class_="hits"),
                tag("td", _MARKS[state], class_="mark"),
                tag("td", tag("code", code.rstrip("\r") or " "), class_="code"),
                id=_target(part.name, number),
                class_=state,
                title="; ".join(line.missed) if line is not None and line.missed else None,
            )
        )
    listing = tag("table", tag("tbody", join(rows, Html("\n"))), class_="listing")
    lead = tag("p", f"{part.lines} lines, {part.branches} branches, {part.declarations} rules. ", _LEGEND)
    scroll = tag("div", listing, class_="scroll", tabindex=0, role="region", aria_label=part.name)
    return section(part.name, lead, scroll, name=_target(part.name))


_MARKS = {"hit": "", "partial": "~", "missed": "!", "none": ""}
_LEGEND = Html(
    "<code>!</code> never reached, <code>~</code> reached, but not every way on (the tip says which)."
)
STYLE = """
.listing{border-collapse:collapse;width:100%}.listing td{border:0;padding:0 .6em;white-space:pre}
.listing code{background:none;padding:0}.listing .at,.listing .hits{text-align:right;color:var(--soft);
font-variant-numeric:tabular-nums;user-select:none}.listing .mark{font-weight:bold;padding:0 .2em;user-select:none}
.listing tr:target{outline:2px solid var(--accent)}
.listing tr.missed .code{background:color-mix(in srgb,var(--bad) 16%,transparent)}
.listing tr.partial .code{background:color-mix(in srgb,var(--warn) 16%,transparent)}
.listing tr.hit .hits{color:var(--good)}.listing tr.missed .hits,.listing tr.missed .mark{color:var(--bad)}
.listing tr.partial .mark{color:var(--warn)}
"""
