"""`dragonrules trace`: which item of a rulebook is carried out by which rule and shown by which scenario."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ...grammar import Span, render, syntax
from ...interpreter.check.citations import cited
from ...interpreter.check.citations import items as items_of
from ...interpreter.files.find_variants import companions, find_variant, whose
from ...interpreter.overlay.lay import name_of, word_for
from ...interpreter.pages.tracing import (
    Cite,
    Item,
    Trace,
    add_hits,
    count,
    numbers_first,
    read_inventory,
    scenario_key,
)
from ...interpreter.rule_sets import Library
from ..formats.output import write_text
from ..options.helping import examples, plural
from ..rules.files import game_file

EPILOG = examples(
    "dragonrules trace games/drakon.dragon",
    "dragonrules trace games/drakon.dragon --inventory rules/drakon.md --quiet",
    "dragonrules trace my_game.dragon --run --format html -o trace.html",
    "dragonrules trace my_game.dragon --inventory items.md --coverage games.json --format json",
)


# ---------------------------------------------------------------- who cites what
def parts(library: Library, game: Path, more: Sequence[Path] = ()) -> Iterator[tuple[str, syntax.Node]]:
    """Every declaration of a game, its variants and its scenario files, with the name to show."""
    for file in dict.fromkeys((game, *companions(game), *more)):
        here = library.parsed(file)
        variants = [v for v in here.variants if Path(str(v.base)).stem == game.stem]
        if file == game or variants or any(r.base == game for r in library.rule_sets(file)):
            for decl in here.others:
                yield _title(decl), decl
        for variant in variants:
            yield f'variant "{variant.name}"', variant
            for item in variant.items:
                inner = item.decl if isinstance(item, syntax.Replace) else item
                alone = isinstance(inner, syntax.Scenario) and file.parent.name == "scenarios"
                yield _title(inner) if alone else f'{_title(inner)} of "{variant.name}"', inner


def _title(node: Any) -> str:
    if isinstance(node, syntax.Scenario):
        return str(node.title)
    if isinstance(node, syntax.EachHas | syntax.EachHasOne):
        return f"each {node.owner}"
    if isinstance(node, syntax.ReplaceStep | syntax.BeforeStep | syntax.AfterStep):
        return f"step {node.path.span.text}"
    word = word_for(node)
    name = name_of(node) if hasattr(node, "name") else ""
    return f"{word} {name}".strip()


def traced(
    library: Library, game: Path, inventory: dict[str, Item] | None, more: Sequence[Path] = ()
) -> Trace:
    """The items with who cites them; without an inventory, all that are cited anywhere."""
    titles = [str(d.name) for d in library.parsed(game).others if isinstance(d, syntax.Game)]
    trace = Trace(titles[0] if titles else game.stem, dict(inventory or {}))
    for title, node in parts(library, game, more):
        if isinstance(node, syntax.Variant):  # its header alone: what it holds comes by itself
            found = dict.fromkeys(items_of(node.cite), node.cite.span) if node.cite else {}
        else:
            found = cited(node)
        for name, span in found.items():
            if inventory is not None and name not in inventory:
                trace.unknown.setdefault(name, []).append(str(span))
                continue
            item = trace.items.setdefault(name, Item(name))
            if isinstance(node, syntax.Scenario):
                item.scenarios.setdefault(title, Cite(title, node.span, node.span.line, node.span.line))
            else:
                item.rules.setdefault(title, _cite(title, node, span))
    if inventory is None:
        trace.items = {name: trace.items[name] for name in sorted(trace.items, key=numbers_first)}
    return trace


def _cite(title: str, node: syntax.Node, span: Span) -> Cite:
    """A cite in the header speaks for the whole declaration, one behind a statement for its line."""
    first, last = node.span.line, node.span.source.position(max(node.span.start, node.span.end - 1))[0]
    if span.line != first or isinstance(node, syntax.Variant):
        first = last = span.line
    return Cite(title, span, first, last)


def run_scenarios(library: Library, game: Path, trace: Trace) -> None:
    """Run the scenarios of the game and its variants, and count which lines each comes past."""
    from ..rules.scenario_runs import find, run

    results = [run(item, covered=True) for item in find([game], library=library).items]
    for result in results:
        if not result.ok:
            problem = (result.problem or "").partition("\n")[0]
            click.echo(f"fails: {result.item} ({result.place.partition(' ')[0]} {problem})", err=True)
    count(
        trace,
        (
            (scenario_key(r.item.scenario.span), r.ok, r.coverage.hits if r.coverage is not None else {})
            for r in results
        ),
    )


def read_coverage(path: Path) -> Mapping[Any, int]:
    """The counts of a file that `--coverage-json` has written."""
    from ...interpreter.play.coverage import Coverage

    try:
        return Coverage.from_data(json.loads(path.read_text(encoding="utf-8"))).hits
    except (ValueError, KeyError, TypeError, AttributeError):
        raise click.UsageError(f"`{path}` is not what `--coverage-json` writes") from None


# ---------------------------------------------------------------- the command
@click.command("trace", epilog=EPILOG, short_help="Compare a rulebook's items with what cites them.")
@click.argument("file", metavar="FILE")
@click.option(
    "--variant",
    "variants",
    multiple=True,
    metavar="NAME_OR_FILE",
    help="A variant that lies elsewhere, to look through as well; repeatable.",
)
@click.option(
    "--inventory",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A Markdown file with a table row `| DK-12 | ... |` for each item; without it, the items are "
    "those that are cited.",
)
@click.option(
    "--run", "is_run", is_flag=True, help="Run the scenarios and count how often each item's rules are used."
)
@click.option(
    "--coverage",
    "coverages",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Count in what `test` or `simulate --coverage-json` has written; repeatable.",
)
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "html"]),
    help="How to write the answer; default: by the ending of the output file, else text.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to this file.")
@click.option("-q", "--quiet", is_flag=True, help="As text: only what is missing, and the sum.")
@click.option("--links", metavar="ADDRESS", help="In HTML, what to put before the name of a file.")
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    variants: tuple[str, ...],
    inventory: Path | None,
    is_run: bool,
    coverages: tuple[Path, ...],
    style: str | None,
    output: Path | None,
    quiet: bool,
    links: str | None,
) -> None:
    """Compare the items of a rulebook with the rules and scenarios that cite them.

    Looks through the game, the variants in its file, and the files in the folders
    `variants` and `scenarios` beside it that build on it. Exit code 1 if an item
    is cited by no rule or by no scenario, if something cites an unknown item, or
    with `--run` if a scenario that shows an item does not hold.

    With `--run` the table tells how often scenarios come past the rules of an
    item, and marks items whose own scenarios never do.
    """
    game = whose(game_file(file), ())[0]
    items = None
    if inventory is not None:
        items = read_inventory(inventory)
        if not items:
            raise click.UsageError(
                f"`{inventory}` lists no items; a line of it reads like `| DK-12 | what the rule says |`"
            )
    library = Library()
    more = [find_variant(game, name)[0] for name in variants]
    sets = [*library.family(game), *(rules for path in more for rules in library.rule_sets(path))]
    wrong = [d for rules in sets for d in rules.report.errors]
    for diagnostic in wrong:
        click.echo(render(diagnostic), err=True)
    if wrong:
        ctx.exit(1)
    trace = traced(library, game, items, more)
    if is_run:
        run_scenarios(library, game, trace)
    for path in coverages:
        add_hits(trace, read_coverage(path))
    style = style or {".html": "html", ".htm": "html", ".json": "json"}.get(
        output.suffix if output is not None else "", "text"
    )
    if style == "html":
        from ...interpreter.pages.trace_page import trace_page

        text = trace_page(trace, lambda cite: _address(cite, output, links))
    elif style == "json":
        text = json.dumps(_document(trace), indent=2) + "\n"
    else:
        text = "\n".join(_lines(trace, quiet)) + "\n"
    write_text(text, output)
    ctx.exit(int(not trace.is_complete))


def _address(cite: Cite, output: Path | None, links: str | None) -> str:
    if links is not None:
        return f"{links}{cite.file}#L{cite.span.line}"
    folder = output.parent if output is not None else Path()
    return f"{Path(os.path.relpath(cite.file, folder)).as_posix()}#L{cite.span.line}"


# ---------------------------------------------------------------- as JSON and text
def _document(trace: Trace) -> dict[str, Any]:
    def entry(item: Item) -> dict[str, Any]:
        out: dict[str, Any] = {
            "rules": {title: str(cite.span) for title, cite in item.rules.items()},
            "scenarios": {title: str(cite.span) for title, cite in item.scenarios.items()},
        }
        if item.text:
            out = {"text": item.text, **out}
        if trace.counted:
            out |= {"hits": item.hits, "reached": item.reached, "failing": list(item.failing)}
        return out

    return {
        "items": {item.id: entry(item) for item in trace.items.values()},
        "without_rule": [item.id for item in trace.without("no rule")],
        "without_scenario": [item.id for item in trace.without("no scenario")],
        "unknown": trace.unknown,
    }


def _lines(trace: Trace, quiet: bool) -> Iterator[str]:
    items = list(trace.items.values())
    if not items:
        yield "nothing here cites an item of a rulebook, as in `[DK-12]`"
        return
    if not quiet:
        yield from _table(trace)
        yield ""
    for words, gap in (
        ("cited by no rule", "no rule"),
        ("cited by no scenario", "no scenario"),
        ("shown by a scenario that fails", "fails"),
    ):
        missing = trace.without(gap)
        if missing:
            yield f"{words}:"
            yield from (f"  {item.id:<8} {_short(item.text, 80)}".rstrip() for item in missing)
            yield ""
    astray = [item for item in items if item.reached is False and not item.gaps]
    if astray:
        yield "its scenarios never come past its rules:"
        yield from (f"  {item.id:<8} {_short(', '.join(item.rules), 80)}" for item in astray)
        yield ""
    if trace.unknown:
        yield "cited, but not in the inventory:"
        yield from (f"  {name:<8} {', '.join(places)}" for name, places in trace.unknown.items())
        yield ""
    with_rule = sum(bool(i.rules) for i in items)
    with_scenario = sum(bool(i.scenarios) for i in items)
    ran = ""
    countable = [i for i in items if i.reached is not None]
    if countable:
        ran = f", {sum(bool(i.reached) for i in countable)} of {len(countable)} reached by their scenarios"
    yield (
        f"{plural(len(items), 'item')}: {with_rule} cited by a rule, {with_scenario} by a scenario{ran}"
        + (f"; {plural(len(trace.unknown), 'unknown item')} cited" if trace.unknown else "")
    )


def _table(trace: Trace) -> Iterator[str]:
    """One line an item, as wide as the terminal."""
    items = list(trace.items.values())
    width = max(72, min(160, shutil.get_terminal_size((100, 24)).columns))
    name = max((len(i.id) for i in items), default=4)
    has_text = any(i.text for i in items)
    rest = width - name - (18 if trace.counted else 11) - 2
    text_width = rest // 2 if has_text else 0
    rule_width = rest - text_width
    head = f"{'item':<{name}}  " + (f"{'says':<{text_width}}" if has_text else "")
    yield head + f"{'rules':<{rule_width}}scenarios" + ("   runs" if trace.counted else "")
    for item in items:
        says = f"{_short(item.text, text_width - 2):<{text_width}}" if has_text else ""
        rules = _short(", ".join(item.rules) or "-", rule_width - 2)
        runs = ""
        if trace.counted:
            runs = f"{'-' if item.hits is None else item.hits:>7}"
        yield f"{item.id:<{name}}  {says}{rules:<{rule_width}}{len(item.scenarios) or '-':>9}{runs}"


def _short(text: str, width: int) -> str:
    return text if len(text) <= width else text[: max(0, width - 3)] + "..."
