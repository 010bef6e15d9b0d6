"""A process that compiles one module: its text comes in, machine code goes out. An argument is the level of
optimisation; without one the short list of passes is used."""

from __future__ import annotations

import sys

from .compile import object_code


def main() -> None:
    level = int(sys.argv[1]) if len(sys.argv) > 1 else None
    sys.stdout.buffer.write(object_code(sys.stdin.buffer.read().decode(), level))


if __name__ == "__main__":
    main()
