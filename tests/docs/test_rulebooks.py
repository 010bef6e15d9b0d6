"""The rulebooks in docs/rulebooks are what `dragonrules rulebook` writes today.

`DRAGONRULES_UPDATE=1 pytest tests/docs/test_rulebooks.py` writes them anew.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from dragonrules.cli.commands.rulebook import book_of
from dragonrules.interpreter.rulebook import to_markdown
from dragonrules.interpreter.rulebook.document import slug

ROOT = Path(__file__).parents[2]
GAMES = ("dragon_keeper", "dragons_gold", "drakon", "ryu")


@pytest.mark.parametrize("game", GAMES)
def test_rulebook_is_current(game: str) -> None:
    text = to_markdown(book_of(ROOT / "games" / f"{game}.dragon"))
    page = ROOT / "docs" / "rulebooks" / f"{game}.md"
    if os.environ.get("DRAGONRULES_UPDATE"):
        page.write_text(text, encoding="utf-8", newline="\n")
    assert page.read_text(encoding="utf-8") == text, (
        f"the rules of {game} have changed: DRAGONRULES_UPDATE=1 pytest {Path(__file__).relative_to(ROOT)}"
    )
    headings = [
        slug(line.lstrip("# ").replace("\\", "")) for line in text.splitlines() if line.startswith("#")
    ]
    assert len(headings) == len(set(headings))
    assert set(re.findall(r"\]\(#([^)]*)\)", text)) <= set(headings)
