"""One declaration in the words of the rulebook, line by line: to look it up, or to hold two versions against each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..core import CheckedGame
from .document import Grid, Paragraph, Section, Step, Steps, Targets, capital, plain
from .english import words
from .writer import Writer

KEYS = {
    "rule": "rule",
    "action": "action",
    "trigger": "trigger",
    "ending": "ending",
    "define": "term",
    "score": "term",
    "phase": "phase",
}


def told(game: CheckedGame, word: str, name: str) -> list[str]:
    """What the rulebook says about a declaration; nothing where it has no words for it."""
    if word not in KEYS:
        return []
    key = f"{KEYS[word]}:{name or 'score'}"
    targets = Targets()
    targets.enter(key, words(name or "score"))
    writer = Writer(game, targets)
    section = _section(game, writer, word, name)
    return list(_lines(section)) if section is not None else []


def told_thing(game: CheckedGame, word: str, key: str) -> list[str]:
    """What the rulebook says about something to play with: what it is, how many there are, who sees it."""
    targets = Targets()
    writer = Writer(game, targets)
    targets.enter(f"{word}:{key}", words(key))
    match word:
        case "component" if not game.components[key].piece:
            decl = game.components[key]
            said = list(_lines(writer.component(decl), grids=True))
            count = plain(writer.total(decl))
            return [*said, f"{count} in all."] if count.isdigit() else said
        case "component":
            doc = game.components[key].doc
            return [doc] if doc else []
        case "token":
            return list(_lines(writer.token(game.tokens[key]), grids=True))
        case "table":
            return list(_lines(writer.table(game.tables[key]), grids=True))
        case "place":
            _, holds, seen, doc = map(plain, writer.place_row(game.places[key]))
            return [
                *([doc] if doc else []),
                f"Holds {holds[:1].lower()}{holds[1:]}.",
                f"Who sees it: {seen[:1].lower()}{seen[1:]}.",
            ]
        case "state":
            return [plain(writer.state_step(game.states[key]).text)]
        case "option":
            _, values, usual, doc = map(plain, writer.option_row(game.options[key]))
            return [*([doc] if doc else []), f"{capital(values)}; usually {usual}."]
    return []


def _section(game: CheckedGame, writer: Writer, word: str, name: str) -> Section | None:
    match word:
        case "rule" | "action" if name in game.rules:
            return writer.rule(game.rules[name])
        case "trigger" if name in game.triggers:
            return writer.trigger(game.triggers[name])
        case "ending" if name in game.endings:
            return writer.ending(game.endings[name])
        case "define" if name in game.defines:
            return writer.define(game.defines[name])
        case "score" if game.score is not None:
            return writer.define(game.score, "score")
        case "phase":
            found = [p for p in game.phases if p.name == name]
            return writer.phase(found[0]) if found else None
    return None


def _lines(section: Section, *, grids: bool = False) -> Iterator[str]:
    for block in section.blocks:
        if isinstance(block, Paragraph):
            yield plain(block.text)
        elif isinstance(block, Steps):
            yield from _steps(block.steps, "")
        elif isinstance(block, Grid) and grids:
            for row in block.rows:
                cells = zip(block.head[1:], row[1:], strict=True)
                rest = ", ".join(f"{head.lower()} {plain(cell)}" for head, cell in cells if cell)
                yield f"- {plain(row[0])}{': ' if rest else ''}{rest}"


def _steps(steps: Sequence[Step], indent: str) -> Iterator[str]:
    for step in steps:
        yield indent + plain(step.text)
        yield from _steps(step.steps, indent + "  ")
