"""Texts kept beside the tests that make them.

`DRAGONRULES_UPDATE=1 pytest tests/unit` writes them anew; read the difference
before you keep it.
"""

from __future__ import annotations

import os
from pathlib import Path

HERE = Path(__file__).parent
SPECS = HERE / "specs"


def compare(text: str, name: str) -> None:
    expected = HERE / "golden" / name
    if os.environ.get("DRAGONRULES_UPDATE"):
        expected.write_text(text, encoding="utf-8")
    assert text == expected.read_text(encoding="utf-8")
