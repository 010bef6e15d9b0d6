"""Which folder may import which: the table that docs/architecture.md shows, and that a test holds the code against.

`python tests/docs/layers.py` writes it into the page.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"
START, END = "<!-- layers -->\n", "<!-- end of layers -->\n"
TOP = "interpreter/*.py"
"""The modules beside the rooms: the driver, and what asks it."""

LAYERS: dict[str, str] = {
    "grammar": "",
    "core": "grammar",
    "reference": "grammar core",
    "files": "grammar core",
    "overlay": "grammar core files",
    "check": "grammar core reference",
    "changes": "grammar core files overlay check",
    "review": "grammar core check",
    "program": "grammar core check",
    "program/passes": "grammar core check program",
    "program/lower": "grammar core program program/passes",
    "python": "grammar core program program/passes",
    "pages": "grammar core",
    "rulebook": "grammar core overlay pages",
    "pictures": "core review",
    "play": "grammar core reference files check review program program/passes python rulebook notebooks",
    "native": "grammar core files program program/passes python play native/search",
    "players": "grammar core check program program/passes python play native/search",
    "native/search": "core play native players",
    TOP: "grammar core files overlay changes check review program program/passes program/lower python play native"
    " adapters",
    "solving": "core play",
    "lab": f"grammar core files program play native players pages {TOP} notebooks",
    "adapters": f"core files program play native players solving {TOP}",
    "table": f"grammar core files changes program rulebook pages play players {TOP}",
    "primer": "core play program rulebook table",
    "notebooks": "pages lab table",
    "editing": f"grammar core files check rulebook {TOP}",
    "facade": f"core play lab adapters {TOP} cli",
    "cli/rules": f"grammar core files play {TOP}",
    "cli/options": f"grammar core files overlay changes check play native players lab table cli/rules {TOP}",
    "cli/table": f"grammar core files play players table cli/options {TOP}",
    "cli/web": f"grammar core files pages play players lab table cli/table {TOP}",
    "cli/lsp": f"grammar core editing facade cli/rules {TOP}",
    "cli/formats": "grammar pages play lab table cli/rules cli/options cli/table",
    "cli/commands": "grammar core files overlay changes check program play native players lab solving rulebook pictures"
    f" pages table primer cli/rules cli/options cli/table cli/web cli/lsp cli/formats {TOP}",
    "cli": "grammar core cli/options cli/rules cli/formats cli/commands interpreter/*.py",
}
"""From the bottom up. Rooms of `interpreter/` go by their own names. What stands under `if TYPE_CHECKING` is a
name for a type, and counts for nothing; an import inside a function counts as any other."""

BACK = {
    ("native", "native/search"),
    ("players", "native/search"),
    (TOP, "adapters"),
    ("play", "notebooks"),
    ("lab", "notebooks"),
    ("facade", "cli"),
}
"""Upwards, and why: bots that think in machine code describe their worlds to it, and it is one module with the
game; the driver names every stage, also the one that makes numbers for adapters, which ask `load` for games;
`python -m dragonrules` is the command; and a notebook asks a match or a result itself for its picture."""


def room_of(path: Path) -> str:
    folder = path.relative_to(ROOT).parent.as_posix()
    return TOP if folder == "interpreter" else folder.removeprefix("interpreter/")


def imports(path: Path) -> Iterator[str]:
    """The rooms that a module imports something from, but its own."""
    here = list(path.relative_to(ROOT).parent.parts)
    base = [] if here == ["interpreter", "facade"] else here
    for node in _statements(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        start = base[: len(base) - node.level + 1]
        home = [*start, *(node.module.split(".") if node.module else ())]
        for alias in node.names:
            found = _module([*home, alias.name]) or _module(home)
            if found is not None and (room := room_of(found)) != room_of(path):
                yield room


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """All statements in it, not those that are there for types alone."""
    for inner in ast.iter_child_nodes(node):
        if (
            isinstance(inner, ast.If)
            and isinstance(inner.test, ast.Name)
            and inner.test.id == "TYPE_CHECKING"
        ):
            for other in inner.orelse:
                yield other
                yield from _statements(other)
        elif isinstance(inner, ast.stmt | ast.ExceptHandler | ast.match_case):
            if isinstance(inner, ast.stmt):
                yield inner
            yield from _statements(inner)


def _module(parts: list[str]) -> Path | None:
    if not parts:
        return None
    path = ROOT.joinpath(*parts)
    if path.with_suffix(".py").is_file():
        return path.with_suffix(".py")
    return path / "__init__.py" if (path / "__init__.py").is_file() else None


def found() -> dict[str, set[str]]:
    """What each room imports, as the code stands."""
    out: dict[str, set[str]] = {}
    for top in ("grammar", "interpreter", "cli"):
        for path in (ROOT / top).rglob("*.py"):
            out.setdefault(room_of(path), set()).update(imports(path))
    return out


def the_table() -> str:
    rows = "".join(
        f"| `{room}` | {' '.join(f'`{name}`' for name in below.split()) or 'nothing'} |\n"
        for room, below in LAYERS.items()
    )
    return f"| | may import |\n|---|---|\n{rows}"


def rewritten(text: str) -> str:
    before, rest = text.split(START)
    return f"{before}{START}\n{the_table()}\n{END}{rest.split(END, 1)[1]}"


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
