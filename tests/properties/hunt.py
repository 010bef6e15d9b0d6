"""A hunt for leaks: as many pairs of positions as wanted, over all games, variants, numbers of players and seats.

    python -m tests.properties.hunt 100000 [seconds]

Each pair differs only in what one seat, or a spectator, does not see. Stops at the
first that can be told apart.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from itertools import count

from ..strategies import ALL_TABLES, Play, Table
from .test_secrecy import look

LONGEST = 60
ONE_IN = 3


def hunt(wanted: int, seconds: float = float("inf"), tables: list[Table] = ALL_TABLES) -> Counter[str]:
    """The pairs that were compared, by table."""
    compared: Counter[str] = Counter()
    until = time.monotonic() + seconds
    for seed in count():
        for table in tables:
            compared[str(table)] += look(table, Play(seed, LONGEST), ONE_IN)
            if compared.total() >= wanted or time.monotonic() > until:
                return compared
    raise AssertionError


if __name__ == "__main__":
    found = hunt(int(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else float("inf"))
    print(f"{found.total()} pairs at {len(found)} tables, no leak")
