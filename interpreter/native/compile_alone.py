"""A process that compiles one module: a request comes in, machine code goes out (object_cache.py)."""

from __future__ import annotations

import sys

from .compile import object_code


def main() -> None:
    level, _, text = sys.stdin.buffer.read().decode().partition("\n")
    sys.stdout.buffer.write(object_code(text, int(level) if level else None))


if __name__ == "__main__":
    main()
