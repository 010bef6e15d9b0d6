"""`dragonrules diff`: what one rule set changes in another, in sentences and as a difference of texts."""

from __future__ import annotations

import difflib
import json
import os
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import click
from attrs import frozen

from ...interpreter.changes.differences import Change, changes_between
from ...interpreter.core.errors import DragonError, SpecError
from ...interpreter.rulebook.told import told
from ..formats.colours import paint, tell
from ..formats.diagnostics import place, plain
from ..options.helping import examples, plural
from ..options.overlaid import Laid, attributed, laid
from ..options.rule_set import Choice, game_options

EPILOG = examples(
    "dragonrules diff drakon heroes",
    "dragonrules diff drakon thrift --example",
    "dragonrules diff drakon thrift --at table.json:12",
    "dragonrules diff drakon fixed_gold escape goal=8 fixed_gold+goal=4",
    "dragonrules diff games/variants/drakon_heroes.dragon",
    "dragonrules diff old/my_game.dragon my_game.dragon --source",
    'dragonrules diff drakon "Team Play" --format json',
)


@frozen
class Comparison:
    """What another rule set changes; or what is wrong with it."""

    title: str
    changes: list[Change]
    source: list[str]
    sentences: tuple[tuple[str, str], ...] = ()
    """The variants that are new, each with what it says of itself."""
    told: dict[tuple[str, str], WasNow] = attrs.field(factory=dict)
    """By declaration, what the rulebook says of it before and now, where that differs."""
    fingerprint: str = ""
    problem: DragonError | None = None


def compare(base: Laid, other: Choice, context: int) -> Comparison:
    try:
        new = laid(other)
        fingerprint = other.load().fingerprint
    except DragonError as problem:
        return Comparison(other.title, [], [], problem=problem)
    changes = attributed(changes_between(base.result, new.result), new.journal)
    known = {str(v.name) for v in base.layers}
    sentences = tuple(
        (str(v.name), str(v.doc.text) if v.doc is not None else "")
        for v in new.layers
        if str(v.name) not in known
    )
    told_of = _told(base, new, changes)
    return Comparison(other.title, changes, _source(base, new, context), sentences, told_of, fingerprint)


WasNow = tuple[tuple[str, ...], tuple[str, ...]]


def _told(base: Laid, new: Laid, changes: list[Change]) -> dict[tuple[str, str], WasNow]:
    """The sentences of the rulebook that differ."""
    before, after = base.choice.load().checked, new.choice.load().checked
    out: dict[tuple[str, str], WasNow] = {}
    for change in changes:
        if change.kind != "changed":
            continue
        was, now = told(before, change.word, change.name), told(after, change.word, change.name)
        gone = tuple(line for line in was if line not in now)
        fresh = tuple(line for line in now if line not in was)
        if gone or fresh:
            out[change.word, change.name] = (gone, fresh)
    return out


def _source(base: Laid, new: Laid, context: int) -> list[str]:
    """A unified difference; each hunk names the declaration that it is in."""
    before, after = base.text.splitlines(), new.text.splitlines()
    lines = difflib.unified_diff(before, after, base.choice.title, new.choice.title, lineterm="", n=context)
    return [_with_owner(line, before) for line in lines]


def _with_owner(line: str, before: list[str]) -> str:
    found = re.match(r"@@ -(\d+)", line)
    if found is None:
        return line.rstrip()
    start = max(0, int(found[1]) - 1)
    headers = [text for text in before[:start] if re.match(r"[a-z]", text)]
    inside = start < len(before) and not re.match(r"[a-z]", before[start])
    owner = re.sub(r"\s{2,}\[.*\]$", "", headers[-1]) if headers and inside else ""
    return f"{line} {owner[:70]}".rstrip()


@click.command("diff", epilog=EPILOG, short_help="Show what a variant changes.")
@game_options
@click.argument("others", nargs=-1, metavar="[OTHER]...")
@click.option("--source/--no-source", default=False, help="Also show the difference of the texts.")
@click.option(
    "--example",
    "as_example",
    is_flag=True,
    help="Show the smallest game in which they differ instead: a scenario, and what each makes of it.",
)
@click.option(
    "--at",
    metavar="SAVE[:STEP]",
    help="Show one position of a saved match under both instead: who is asked, what may be chosen, who sees what.",
)
@click.option(
    "--context",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    metavar="N",
    help="Lines around each change of the text.",
)
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", help="How to print the answer."
)
@click.pass_context
def command(
    ctx: click.Context,
    choice: Choice,
    others: tuple[str, ...],
    source: bool,
    as_example: bool,
    at: str | None,
    context: int,
    style: str,
) -> None:
    """Show what variants, options or another version change, rule by rule.

    First what each variant says of itself; then every change, in the words of the
    rulebook before and now, with the place that makes it and the items of the
    rulebook that it cites. --source adds the difference of the texts; --example
    shows a game, --at a position of a match of yours, in which it matters. OTHER is a
    variant of FILE (name or file), an option (`goal=8`), several of these
    (`heroes+goal=8`), or another game or version of it. Without OTHER, what the
    given variants change in their game. Exit code 1 if a rule set has mistakes;
    the others are shown all the same.
    """
    start, rest = (choice, [choice.other(text) for text in others]) if others else _alone(choice)
    if as_example:
        for other in rest:
            _print_example(start, other)
        return
    if at is not None:
        _print_at(at, start, rest, style)
        return
    base = laid(start)
    found = [compare(base, other, context) for other in rest]
    if style == "json":
        click.echo(json.dumps(_document(start, found, source), indent=2))
    else:
        for comparison in found:
            _print(start, comparison, source)
    ctx.exit(int(any(c.problem is not None for c in found)))


def _alone(choice: Choice) -> tuple[Choice, list[Choice]]:
    """Without anything to compare with: the game, and what is laid over it."""
    if not choice.all_variants and not choice.options:
        raise click.UsageError(
            "compare with what? Name a variant, an option (`goal=8`) or another game after it"
        )
    shipped = not Path(choice.file).exists() and not choice.file.endswith(".dragon")
    return Choice(choice.file if shipped else str(choice.path)), [choice]


# ---------------------------------------------------------------- an example
def _print_example(base: Choice, other: Choice) -> None:
    from ..options.example import Nothing, example  # late: it brings play along

    tell(paint("place", f"{base.title} -> {other.title}"))
    found = example(base, other)
    if isinstance(found, Nothing):
        click.echo(
            f"  no difference in {plural(found.scenarios, 'scenario')} and {plural(found.games, 'game')}\n"
        )
        return
    if found.text:
        click.echo()
        for line in textwrap.dedent("    " + found.text).splitlines():
            tell(f"  {line}")
    else:
        tell(f"  {found.title}: {'; '.join(found.steps[-8:]) or 'the first decision'}")
    width = max(len(base.title), len(other.title))
    click.echo()
    for choice, words in ((base, found.base), (other, found.other)):
        lines = textwrap.wrap(words, 96 - width) or [""]
        tell(f"  {choice.title:<{width}}  {lines[0]}")
        for line in lines[1:]:
            tell(f"  {'':<{width}}  {line}")
    click.echo()


# ---------------------------------------------------------------- one position
def _print_at(at: str, base: Choice, others: list[Choice], style: str) -> None:
    from ..options.position import At, as_data, lines_of  # late: it brings play along

    position = At.read(at)
    if base.path.stem != Path(position.game.spec).stem and base.load().name != position.game.name:
        raise click.UsageError(f"`{at}` is a match of {position.game.name}, not of {base.title}")
    here = base.load()
    found = [(other, position.both(here, other.load())) for other in others]
    if style == "json":
        document = {"base": base.title, "others": [{"title": o.title, **as_data(b)} for o, b in found]}
        click.echo(json.dumps(document, indent=2))
        return
    for other, both in found:
        tell(paint("place", f"{base.title} -> {other.title}"))
        for line in lines_of(both, base.title, other.title):
            tell(line)
        click.echo()


# ---------------------------------------------------------------- printing
def _print(base: Choice, found: Comparison, source: bool) -> None:
    tell(paint("place", f"{base.title} -> {found.title}"))
    if found.problem is not None:
        tell(f"\n{found.problem}\n")
        return
    if not found.changes:
        click.echo("  the same rules\n")
        return
    for title, sentence in found.sentences:
        tell(f"{title}: {sentence}" if sentence else title)
    click.echo()
    for change in found.changes:
        was_now = found.told.get((change.word, change.name))
        if was_now is not None:
            heading = f"{change.word} {change.name}".replace("_", " ").strip()
            tell(f"  {heading[:1].upper()}{heading[1:]}{_where(change)}")
            for word, role, lines in (("was", "removed", was_now[0]), ("now", "added", was_now[1])):
                for line in lines or ("(nothing)",):
                    tell("\n".join(_wrapped(word, role, line)))
            continue
        for number, sentence in enumerate(change.sentences):
            tell(f"  {_painted(change, sentence)}{_where(change) if number == 0 else ''}")
    count = sum(len(c.sentences) for c in found.changes)
    click.echo(f"\n{plural(count, 'change')} in {plural(len(found.changes), 'declaration')}\n")
    if source:
        for line in found.source:
            tell(_coloured(line))
        click.echo()


def _wrapped(word: str, role: str, line: str) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip()))
    lines = textwrap.wrap(line.strip(), 90, initial_indent=indent, subsequent_indent=indent) or [""]
    return [f"    {word if n == 0 else '   '}  {paint(role, text)}" for n, text in enumerate(lines)]


def _painted(change: Change, sentence: str) -> str:
    role = {"added": "added", "removed": "removed"}.get(change.kind, "")
    return paint(role, sentence)


def _where(change: Change) -> str:
    span = change.new or change.old
    told = (
        [f"{_short(span.source.name)}:{span.line}"]
        if span and not span.source.name.startswith("--set")
        else []
    )
    told += [cites(change.cites)] if change.cites else []
    return click.style(f"  ({', '.join(told)})", dim=True) if told else ""


def cites(items: tuple[str, ...]) -> str:
    """`DRA-40, DRA-41, DRA-42` as `DRA-40..42`."""
    runs: list[tuple[str, list[int], int]] = []
    for item in items:
        found = re.fullmatch(r"(.*?)(\d+)", item)
        if found is None:
            runs.append((item, [], 0))
        elif runs and runs[-1][0] == found[1] and runs[-1][1] and runs[-1][1][-1] == int(found[2]) - 1:
            runs[-1][1].append(int(found[2]))
        else:
            runs.append((found[1], [int(found[2])], len(found[2])))
    shown = [
        prefix
        + (f"{numbers[0]:0{width}}" if numbers else "")
        + (f"..{numbers[-1]:0{width}}" if len(numbers) > 1 else "")
        for prefix, numbers, width in runs
    ]
    return ", ".join(shown[:4]) + (" ..." if len(shown) > 4 else "")


def _short(name: str) -> str:
    """A path as it is seen from here, if that is shorter."""
    near = os.path.relpath(name) if Path(name).is_absolute() else name
    return min(near, name, key=len)


def _coloured(line: str) -> str:
    if line.startswith(("---", "+++")):
        return paint("place", line)
    role = {"+": "added", "-": "removed", "@": "gutter"}.get(line[:1], "")
    return paint(role, line)


def _document(base: Choice, found: list[Comparison], source: bool) -> dict[str, Any]:
    return {"base": base.title, "others": [dict(_entry(c, source)) for c in found]}


def _entry(found: Comparison, source: bool) -> Iterator[tuple[str, Any]]:
    yield "title", found.title
    if found.problem is not None:
        yield "error", str(found.problem)
        if isinstance(found.problem, SpecError):
            yield "diagnostics", [plain(d) for d in found.problem.diagnostics]
        return
    yield "fingerprint", found.fingerprint
    yield "variants", [{"title": title, "sentence": sentence} for title, sentence in found.sentences]
    yield (
        "changes",
        [
            {
                "kind": change.kind,
                "word": change.word,
                "name": change.name,
                "sentences": list(change.sentences),
                "was": list(found.told.get((change.word, change.name), ((), ()))[0]),
                "now": list(found.told.get((change.word, change.name), ((), ()))[1]),
                "variants": list(change.variants),
                "cites": list(change.cites),
                "old": place(change.old) if change.old is not None else None,
                "new": place(change.new) if change.new is not None else None,
            }
            for change in found.changes
        ],
    )
    if source:
        yield "diff", "\n".join(found.source)
