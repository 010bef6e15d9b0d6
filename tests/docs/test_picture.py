"""The picture in the README is made from a real match, and needs nothing from the network."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_picture_can_be_made() -> None:
    spec = importlib.util.spec_from_file_location("picture", ROOT / "docs" / "tools" / "picture.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made = module.picture()
    for svg in (made, (ROOT / "docs" / "drakon.svg").read_text(encoding="utf-8")):
        text = re.sub(r"<[^>]+>", "", svg).replace("&#160;", " ")
        assert "What do you do?" in text
        assert "Start" in text
        assert "url(http" not in svg
        assert "@import" not in svg
