"""What every test can count on."""

from __future__ import annotations

import gc
import signal
from pathlib import Path

import pytest

TESTS = Path(__file__).parent

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Started with `trap '' INT` or in the background of a script. Programs inherit that, and tests of
    # what they do when they are interrupted would wait for ever.
    signal.signal(signal.SIGINT, signal.default_int_handler)

gc.set_threshold(100_000, 50, 100)
"""Thousands of small games are made and dropped: looking for circles among all of them so often costs a fifth."""

QUICK = {"unit", "semantics", "regressions", "matrix"}
"""Folders whose tests together give a verdict on a change in half a minute: `pytest -m quick -n 2`."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Who asks for the quick ones alone need not wait until the others have been read."""
    if config.option.markexpr != "quick" or TESTS not in collection_path.parents:
        return None
    return collection_path.relative_to(TESTS).parts[0] not in {*QUICK, "packaging"} or None


def pytest_pycollect_makeitem(
    collector: pytest.Collector, name: str, obj: object
) -> list[pytest.Item] | None:
    """A test that is `long` has one item for each of some hundred tables: they are made when they are asked for."""
    asked = collector.config.option
    marks = getattr(obj, "pytestmark", None)
    if (
        "not long" not in asked.markexpr
        or not isinstance(marks, list)
        or any("::" in arg for arg in collector.config.args)
    ):
        return None
    return [] if any(mark.name == "long" for mark in marks) and name.startswith("test") else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The folders that are quick, and the layers, are `quick` without saying so test by test."""
    for item in items:
        inside = item.path.relative_to(TESTS)
        if inside.parts[0] in QUICK or inside.name == "test_layout.py":
            if item.get_closest_marker("long") is None:
                item.add_marker("quick")


def pytest_collection_finish() -> None:
    """What has been imported stays: it need not be looked at again."""
    gc.collect()
    gc.freeze()
