"""The rulebooks in docs/rulebooks are what `dragonrules rulebook` writes today.

`DRAGONRULES_UPDATE=1 pytest tests/docs/test_rulebooks.py` writes them anew.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from dragonrules.cli.commands.rulebook import book_of
from dragonrules.interpreter.rulebook import to_markdown
from dragonrules.interpreter.rulebook.document import Picture, slug

ROOT = Path(__file__).parents[2]
GAMES = ("dragon_keeper", "dragons_gold", "drakon", "ryu")


@pytest.mark.parametrize("game", GAMES)
def test_rulebook_is_current(game: str) -> None:
    page = ROOT / "docs" / "rulebooks" / f"{game}.md"
    pictures: dict[str, str] = {}

    def address(picture: Picture) -> str:
        pictures[f"{picture.name}.svg"] = f"{picture.drawing}\n"
        return f"{game}/{picture.name}.svg"

    text = to_markdown(book_of(ROOT / "games" / f"{game}.dragon"), address)
    folder = page.with_suffix("")
    if os.environ.get("DRAGONRULES_UPDATE"):
        page.write_text(text, encoding="utf-8", newline="\n")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, drawing in pictures.items():
            (folder / name).write_text(drawing, encoding="utf-8", newline="\n")
    assert {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()} == pictures
    assert page.read_text(encoding="utf-8") == text, (
        f"the rules of {game} have changed: DRAGONRULES_UPDATE=1 pytest {Path(__file__).relative_to(ROOT)}"
    )
    headings = [
        slug(line.lstrip("# ").replace("\\", "")) for line in text.splitlines() if line.startswith("#")
    ]
    assert len(headings) == len(set(headings))
    assert set(re.findall(r"\]\(#([^)]*)\)", text)) <= set(headings)
