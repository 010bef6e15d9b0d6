"""The list of changes that once went unnoticed (tests/mutants.py) is about the code as it is now."""

from __future__ import annotations

import pytest

from ..mutants import KNOWN, ROOT, known


@pytest.mark.long  # whoever rewrites one of these lines need not know of the list; who tries the changes must
def test_every_known_change_can_be_made() -> None:
    made = known()
    assert len(made) == len(KNOWN)
    for change in made:
        text = (ROOT / change.file).read_text(encoding="utf-8")
        assert change.applied(text) != text
