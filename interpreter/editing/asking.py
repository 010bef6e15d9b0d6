"""What does this name mean, where does it come from, where is it used, and may it be called something else?"""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen

from ...grammar import Span, Word, syntax
from ...grammar.fixes import Edit
from ...grammar.parsing import reserved_words
from ..check.index import Symbol
from ..core import CheckedGame
from ..files.find_specs import shipped_folders
from ..rulebook.told import told
from .structure import parts
from .workspace import MOST_RELATED, Known, Workspace, uses_of

WORDED = ("rule", "action", "trigger", "ending", "define", "phase", "score")
"""What the rulebook has a paragraph about."""
MOST_LINES = 12
KINDS = {"value": "value of a kind", "componentfields": "component", "local": "name", "loop": "loop"}


@frozen
class Hover:
    span: Span
    text: str  # Markdown


@frozen
class Refused:
    """Why something cannot be renamed."""

    reason: str


def _at(workspace: Workspace, path: Path, offset: int) -> tuple[Known, Symbol] | None:
    now = workspace.analysis(path)
    return now.at(offset) or workspace.last(path).at(offset)


def name_at(workspace: Workspace, path: Path, offset: int) -> Span | None:
    """The word at an offset of the text as it is now."""
    source = workspace.analysis(path).source
    for found in re.finditer(r"[A-Za-z_]\w*", source.text):
        if found.start() <= offset <= found.end():
            return Span(source, found.start(), found.end())
        if found.start() > offset:
            break
    return None


# ---------------------------------------------------------------- hover
def hover(workspace: Workspace, path: Path, offset: int) -> Hover | None:
    found, span = _at(workspace, path, offset), name_at(workspace, path, offset)
    if found is None or span is None:
        return None
    known, symbol = found
    game = known.game or next((k.game for k in workspace.good(path) if k.game is not None), None)
    return Hover(span, "\n\n".join([*_told(known, symbol), *_in_words(game, symbol)]))


def _in_words(game: CheckedGame | None, symbol: Symbol) -> list[str]:
    """What the rulebook says of it."""
    if game is None or symbol.kind not in WORDED:
        return []
    lines = told(game, symbol.kind, symbol.name)
    if not lines:
        return []
    shown, rest = lines[:MOST_LINES], lines[MOST_LINES:]
    items = [f"{' ' * (len(line) - len(line.lstrip()))}- {_plain(line.strip())}" for line in shown]
    return ["In the rulebook:", "\n".join([*items, *(["- ..."] if rest else [])])]


def _plain(text: str) -> str:
    return re.sub(r"([\\*_\[\]<])", r"\\\1", text)


def _told(known: Known, symbol: Symbol) -> list[str]:
    decl = declaration(known, symbol)
    kind = KINDS.get(symbol.kind, symbol.kind)
    head = f"**{kind}** `{symbol.name}`"
    if symbol.type is not None:
        head += f": {symbol.type}"
    elif typed := _typed(known, symbol):
        head += f": {typed}"
    lines = [head]
    if symbol.kind not in ("local", "loop", "parameter"):
        lines.append(f"```dragon\n{_header(symbol)}\n```")
    if decl is not None:
        if (doc := _doc(decl)) is not None:
            lines.append(doc)
        if cite := getattr(decl, "cite", None):
            lines.append(f"Rulebook: {cite}")
        if (seen := _seen(decl)) is not None:
            lines.append(f"Seen by {seen}.")
    if symbol.kind == "option" and known.game is not None and (option := known.game.options.get(symbol.name)):
        lines.append(f"In force: {default_text(option)}")
    return lines


def _doc(decl: syntax.Node) -> str | None:
    """The words that stand under a header, be it of a line or of a block."""
    for _, part in parts(decl):
        if isinstance(part, syntax.Doc):
            return str(part.text)
        if isinstance(part, syntax.WithDoc | syntax.Suite) and (found := _doc(part)) is not None:
            return found
    return None


def _header(symbol: Symbol) -> str:
    text = symbol.whole.source.text
    start = text.rfind("\n", 0, symbol.whole.start) + 1
    end = text.find("\n", symbol.span.end)
    return text[start : end if end >= 0 else len(text)].strip()


def _typed(known: Known, symbol: Symbol) -> str | None:
    game = known.game
    if game is None:
        return None
    if symbol.id in game.states:
        return str(game.states[symbol.id].type)
    if symbol.id in game.defines:
        return str(game.defines[symbol.id].type)
    return None


def _seen(decl: syntax.Decl) -> str | None:
    for clause in getattr(decl, "clauses", ()):
        if isinstance(clause, syntax.SeenBy):
            return str(clause.who.span.text)
    return None


def default_text(option: object) -> str:
    written = getattr(option, "default", None)
    return getattr(getattr(written, "span", None), "text", str(written))


def declaration(known: Known, symbol: Symbol) -> syntax.Decl | None:
    """The declaration of a symbol, as a tree."""
    for decl in known.file.decls:
        for one in (decl, *getattr(decl, "members", ())):
            name = getattr(one, "name", None)
            if isinstance(name, Word) and name.span == symbol.span and isinstance(one, syntax.Decl):
                return one
    return None


# ---------------------------------------------------------------- definition, references
def definition(workspace: Workspace, path: Path, offset: int) -> list[Span]:
    """Where a name is declared. From a variant that replaces something, where its base has it."""
    found = _at(workspace, path, offset)
    if found is None:
        return []
    known, symbol = found
    here = symbol.span.source.name == str(path) and symbol.span.start <= offset <= symbol.span.end
    if here and known.rules.layers:
        base = workspace.last(known.rules.base)
        below = [k.index.symbols[symbol.id].span for k in base.known if symbol.id in k.index.symbols]
        if below:
            return below[:1]
    return [symbol.span]


def references(workspace: Workspace, path: Path, offset: int, *, declared: bool = True) -> list[Span]:
    found = _at(workspace, path, offset)
    if found is None:
        return []
    known, symbol = found
    if symbol.kind == "local":
        spans = [use.span for use in known.index.references(symbol.id)]
        return [symbol.span, *spans] if declared else spans
    found_in = workspace.related(path, symbol.name)
    analyses = [workspace.last(path)] if found_in is None else found_in
    spans = [use.span for use in uses_of(analyses, symbol.id)]
    if declared:
        places = {
            (s.span.source.name, s.span.start): s.span
            for a in analyses
            for k in a.known
            if (s := k.index.symbols.get(symbol.id)) is not None
        }
        spans = [*places.values(), *(s for s in spans if (s.source.name, s.start) not in places)]
    return spans


# ---------------------------------------------------------------- rename
def rename(workspace: Workspace, path: Path, offset: int, new: str) -> list[Edit] | Refused:
    found = _at(workspace, path, offset)
    if found is None:
        return Refused("there is no name here that could be changed")
    known, symbol = found
    if reason := _fixed(symbol):
        return Refused(reason)
    if reason := _unfit(known, symbol, new):
        return Refused(reason)
    if symbol.kind != "local" and workspace.related(path, symbol.name) is None:
        return Refused(f"more than {MOST_RELATED} files speak of `{symbol.name}`: open a smaller folder")
    spans = references(workspace, path, offset)
    if any(_shipped(span.source.name) for span in spans) and not _shipped(str(path)):
        return Refused(f"`{symbol.name}` belongs to a game that comes with dragonrules")
    edits = {(s.source.name, s.start): Edit(s, new) for s in spans if s.text == symbol.name}
    for span in _in_texts(known, symbol):
        edits.setdefault((span.source.name, span.start), Edit(span, new))
    return list(edits.values())


def renamable(workspace: Workspace, path: Path, offset: int) -> Span | Refused:
    """The word that would be renamed."""
    found, span = _at(workspace, path, offset), name_at(workspace, path, offset)
    if found is None or span is None:
        return Refused("there is no name here that could be changed")
    reason = _fixed(found[1])
    return span if reason is None else Refused(reason)


def _fixed(symbol: Symbol) -> str | None:
    """Why something has the name that it has."""
    if symbol.kind in ("score", "value") and symbol.id == symbol.kind:
        return f"`{symbol.name}` is a word of the language"
    return None


def _shipped(name: str) -> bool:
    return any(Path(name).is_relative_to(folder) for folder in shipped_folders().values())


def _unfit(known: Known, symbol: Symbol, new: str) -> str | None:
    capital = symbol.name[:1].isupper()
    if not re.fullmatch(r"[A-Z]\w*" if capital else r"[a-z_]\w*", new):
        return f"`{new}` is no name: {'types, phases and loops are Capitalised' if capital else 'names are lower case'}"
    if new in reserved_words():
        return f"`{new}` is a word of the language"
    same = (s for s in known.index.symbols.values() if s.name == new and s.kind != "local")
    if symbol.kind != "local" and next(same, None) is not None:
        return f"there is a `{new}` already"
    return None


def _in_texts(known: Known, symbol: Symbol) -> list[Span]:
    """Names in braces of looks and sentences, `says "{p} pays {n}"`: parameters of what is dressed, or fields."""
    if symbol.kind not in ("local", "field", "parameter"):
        return []
    out = []
    for decl in known.file.decls:
        if not isinstance(decl, syntax.Look | syntax.LookSaying | syntax.LookTable):
            continue
        if not _dresses(known, decl, symbol):
            continue
        for found in re.finditer(r"\{(\w+)", decl.span.text):
            if found[1] == symbol.name:
                start = decl.span.start + found.start(1)
                out.append(Span(decl.span.source, start, start + len(symbol.name)))
    return out


def _dresses(known: Known, decl: syntax.Decl, symbol: Symbol) -> bool:
    owner = str(getattr(decl, "owner", ""))
    if symbol.kind == "field":
        return symbol.id == f"{owner}.{symbol.name}"
    for one in known.file.decls:
        name = getattr(one, "name", None)
        if (
            isinstance(name, Word)
            and str(name) == owner
            and one.span.start <= symbol.span.start < one.span.end
        ):
            return True
    return False
