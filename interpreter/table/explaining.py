"""What the rules say: about a question, under a heading of the rulebook, in one rule."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from ..core import Decl, RuleDecl
from ..play.match import Decision, Match
from ..rulebook.told import told
from .text import Line
from .words import capital


def explained(match: Match, decision: Decision, question: str, name: str) -> list[Line | str]:
    """The question, what the rulebook says of the rule that asks it, and what the options do."""
    checked = match.game.checked
    decl = _asking(match, decision)
    out: list[Line | str] = [Line((capital(question), "bold"))]
    if decl is not None:
        out.append(f"{capital(name)}:")
        out += [f"  {line}" for line in told(checked, decl.kind, decl.name)]
        out += [Line((f" {cited(decl)}", "dim"))] if decl.cites else []
    for option in decision.options:
        action = checked.rules.get(str(option.key[-1])) if option.key[0] == "offer" else None
        if action is not None and (action.doc or action.cites):
            out.append(f"{option.label}: {action.doc or action.name}{cited(action)}")
    hint = "`? source` shows how it is written; `? NAME` explains a thing."
    return [*out, Line((hint, "dim"))]


def source_of(match: Match, decision: Decision, question: str) -> list[Line | str]:
    """The question, and the rule that asks it as it is written, with the line at which it asks."""
    out: list[Line | str] = [Line((capital(question), "bold"))]
    decl = _asking(match, decision)
    if decl is not None:
        out.append(f"by {decl.kind} {decl.name}{cited(decl)}")
    source = decision.span.source.name
    lines = [line.rstrip() for line in decision.span.text.split("\n")]
    out.append(Line((f"  {Path(source).name}:{decision.span.line}: {lines[0].strip()}", "cyan")))
    out += [Line((f"  {line}", "cyan")) for line in lines[1:8]]
    return [*out, *(["", *rule_text(decl)] if decl is not None else [])]


def _asking(match: Match, decision: Decision) -> RuleDecl | None:
    checked = match.game.checked
    known = [*checked.rules.values(), *checked.triggers.values(), *checked.phases]
    return next((d for d in known if d.name == decision.rule), None)


def rulebook(match: Match) -> dict[str, list[str]]:
    """The rulebook of the game: the text of every heading, `## ` and `### `."""
    from ..rulebook import to_markdown, write_book

    out: dict[str, list[str]] = {}
    heading = ""
    for line in to_markdown(write_book(match.game.checked)).split("\n"):
        if line.startswith(("## ", "### ")):
            heading = line
            out[heading] = []
        elif heading:
            out[heading].append(_plain(line))
    return {heading: text for heading, text in out.items() if heading != "## Contents"}


def rulebook_contents(match: Match) -> list[Line | str]:
    """The game in a few words, and the headings of its rulebook."""
    game = match.game.checked
    out: list[Line | str] = [Line((game.name, "bold"))]
    out += [str(game.doc)] if game.doc else []
    names: list[str] = []

    def close() -> None:
        if names:
            out.append(f"  {', '.join(names)}")
            names.clear()

    for heading in rulebook(match):
        if heading.startswith("## "):
            close()
            out.append(Line((heading.removeprefix("## "), "bold")))
        else:
            names.append(heading.removeprefix("### "))
    close()
    return [*out, "", Line(("`rules NAME` shows what a heading has, and how it is written.", "dim"))]


def rulebook_section(match: Match, wanted: str) -> list[Line | str]:
    """What the rulebook says under a heading, or under all that have such a word in them."""
    book = rulebook(match)
    found = [h for h in book if h.lstrip("# ").lower() == wanted]
    found = found or [h for h in book if wanted in h.lower()]
    out: list[Line | str] = []
    for heading in found[:4]:
        inside = [heading]
        if heading.startswith("## ") and not any(line.strip() for line in book[heading]):
            after = list(book)[list(book).index(heading) + 1 :]
            while after and after[0].startswith("### "):
                inside.append(after.pop(0))
        for part in inside:
            text = "\n".join(book[part]).strip("\n").split("\n")
            out += [*([""] if out else []), Line((part.lstrip("# "), "bold")), *text]
    return out


def _plain(text: str) -> str:
    """A line of Markdown without its marks."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"(?<![\w*])\*([^*]+)\*(?!\w)", r"\1", text).replace("**", "").replace("`", "")


def rule_text(decl: Any) -> list[Line | str]:
    """A rule with its words, and as it is written."""
    source = decl.span.source
    text = source.text[: decl.span.start].rpartition("\n")[2] + source.text[decl.span.start :]
    lines = text.split("\n")
    indent = len(lines[0]) - len(lines[0].lstrip())
    body = [lines[0]]
    for line in lines[1:]:
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        body.append(line)
    while body and not body[-1].strip():
        body.pop()
    head = Line(
        (f"{decl.name}{cited(decl)}", "bold"), (f"  {Path(source.name).name}:{decl.span.line}", "dim")
    )
    doc = [f"  {decl.doc}"] if getattr(decl, "doc", None) else []
    return [head, *doc, *(Line((f"  {line.rstrip()}", "cyan")) for line in body)]


def cited(decl: Decl) -> str:
    """Where the rulebook has it, behind its name."""
    return f" [{', '.join(decl.cites)}]" if getattr(decl, "cites", None) else ""
