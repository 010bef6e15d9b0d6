"""Damages a small journal at every byte and counts the losses that nobody is told of.

    python tests/endurance/damage_journals.py

Every byte is replaced by every other value, left out, and made the last one; every
line is dropped, doubled and exchanged with the next. Each time the journal must
tell the same match or say that something is wrong. The exit code is 1 if it is
silent even once.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.cli.journals import said_of, small


def damaged(data: bytes) -> Iterator[tuple[str, bytes]]:
    for at in range(len(data)):
        for value in range(256):
            if value != data[at]:
                yield "changed", data[:at] + bytes([value]) + data[at + 1 :]
        yield "left out", data[:at] + data[at + 1 :]
        yield "cut", data[:at]
    lines = data.splitlines(keepends=True)
    for at in range(len(lines)):
        yield "line dropped", b"".join(lines[:at] + lines[at + 1 :])
        yield "line doubled", b"".join(lines[: at + 1] + lines[at:])
        if at:
            yield "lines exchanged", b"".join([*lines[: at - 1], lines[at], lines[at - 1], *lines[at + 1 :]])


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.jsonl"
        log = small(path)
        whole = path.read_bytes()
        assert said_of(path, log) == "same"
        found: Counter[tuple[str, str]] = Counter()
        for what, data in damaged(whole):
            path.write_bytes(data)
            found[what, said_of(path, log)] += 1
    for (what, outcome), count in sorted(found.items()):
        print(f"{what:15} {outcome:7} {count:8,}")
    silent = sum(count for (_, outcome), count in found.items() if outcome == "silent")
    print(f"{len(whole):,} bytes, {sum(found.values()):,} damages, {silent} silent losses")
    return int(bool(silent))


if __name__ == "__main__":
    sys.exit(main())
