"""Tables as fixtures: pytest then runs all properties of one game in a row, and its code is made once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import pytest

from ..strategies import ALL_TABLES, ONE_EACH, TABLES, Table
from .elsewhere import Elsewhere


@pytest.fixture(scope="session", params=TABLES, ids=str)
def table(request: Any) -> Table:
    return cast(Table, request.param)


@pytest.fixture(scope="session", params=ONE_EACH, ids=str)
def one_table(request: Any) -> Table:
    """For properties that need more code than that of the other tests."""
    return cast(Table, request.param)


@pytest.fixture(scope="session", params=ALL_TABLES, ids=str)
def any_table(request: Any) -> Table:
    return cast(Table, request.param)


@pytest.fixture(scope="session")
def elsewhere() -> Iterator[Elsewhere]:
    process = Elsewhere()
    yield process
    process.close()
