"""A process that compiles one module: its text comes in, machine code goes out."""

from __future__ import annotations

import sys

from .compile import object_code


def main() -> None:
    sys.stdout.buffer.write(object_code(sys.stdin.buffer.read().decode()))


if __name__ == "__main__":
    main()
