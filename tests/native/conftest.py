from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def compiled_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of small programs: not each in a process of its own."""
    pytest.importorskip("llvmlite")
    monkeypatch.setenv("DRAGONRULES_COMPILE", "here")
