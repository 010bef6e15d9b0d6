"""Files with mistakes and, beside each, the exact words that their author gets to see.

`DRAGONRULES_UPDATE=1 pytest tests/errors` writes the words anew; read the
difference before you keep it.
"""

from __future__ import annotations

import os
from pathlib import Path

HERE = Path(__file__).parent
CHECKS = sorted((HERE / "checks").glob("*.dragon"))
OVERLAYS = sorted(path for path in (HERE / "overlays").iterdir() if path.is_dir())
PLAY = sorted((HERE / "play").glob("*.dragon"))


def compare(words: str, expected: Path) -> None:
    if os.environ.get("DRAGONRULES_UPDATE"):
        expected.write_text(words, encoding="utf-8")
    assert words == expected.read_text(encoding="utf-8")
    assert words


def all_words() -> str:
    """Everything that the corpora show."""
    return "".join(path.read_text(encoding="utf-8") for path in sorted(HERE.rglob("*.txt")))
