"""The map in docs/architecture.md, made from the folders and the first sentence of every module.

`python tests/docs/module_map.py` writes it into the page.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"
START, END = "## The map\n", "## The stages\n"
ROOMS = (
    "grammar", "interpreter", "interpreter/core", "interpreter/files", "interpreter/overlay", "interpreter/changes",
    "interpreter/check", "interpreter/review", "interpreter/reference", "interpreter/program",
    "interpreter/program/lower", "interpreter/program/passes", "interpreter/python", "interpreter/play",
    "interpreter/native", "interpreter/native/search", "interpreter/players", "interpreter/lab", "interpreter/solving", "interpreter/adapters",
    "interpreter/rulebook", "interpreter/pictures", "interpreter/pages", "interpreter/table", "interpreter/primer", "interpreter/editing", "interpreter/notebooks",
    "interpreter/facade", "cli", "cli/commands", "cli/options", "cli/rules", "cli/table", "cli/web", "cli/lsp", "cli/formats",
)  # fmt: skip
"""In the order in which a rule file passes through them."""


@cache
def sentence(path: Path) -> str:
    """What a module says of itself first, up to the end of the sentence."""
    doc = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    first = " ".join(doc.split("\n\n")[0].split())
    return first.rstrip(".").replace("|", "or")


def rooms() -> list[str]:
    """The folders with code, as they are."""
    found = {
        p.parent.relative_to(ROOT).as_posix()
        for top in ("grammar", "interpreter", "cli")
        for p in (ROOT / top).rglob("*.py")
    }
    return sorted(found)


def room(folder: str) -> str:
    modules = sorted(p for p in (ROOT / folder).glob("*.py") if p.name != "__init__.py")
    rows = "".join(f"| {p.name} | {sentence(p)} |\n" for p in modules)
    about = sentence(ROOT / folder / "__init__.py")
    table = f"\n| | |\n|---|---|\n{rows}" if rows else ""
    return f"### `{folder}/`\n\n{about}.\n{table}"


def the_map() -> str:
    return (
        "`grammar` imports nothing of the others, `interpreter` imports `grammar`, `cli`\nimports both, and nobody"
        " imports `cli`. Made from the modules' own first sentences;\na test compares.\n\n"
        + "\n".join(map(room, ROOMS))
    )


def rewritten(text: str) -> str:
    before, rest = text.split(START)
    return f"{before}{START}\n{the_map()}\n{END}{rest.split(END, 1)[1]}"


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
