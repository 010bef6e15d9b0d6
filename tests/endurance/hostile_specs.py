"""Validates rule files that nobody would write and counts those that hang or crash.

    python tests/endurance/hostile_specs.py [SECONDS [FAMILY]]

Each is validated in a process of its own. Longer than SECONDS (5) of processor time is a
hang, however busy the machine is; it ends after ten times as long. The exit code is 1 if
there are any, or any that crash.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "unit"))

from dragonrules.cli.main import main as main_program
from hostile import FAMILIES, ifs
from hostile_more import MORE

ASLEEP = 900
"""Seconds after which a process that uses no processor time is given up."""


def main(most: float, only: str = "") -> int:
    hangs, crashes, count, slowest = [], [], 0, (0.0, "")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DRAGONRULES_CACHE"] = str(Path(folder) / "cache")
        _load(Path(folder))
        for family, sizes in {**FAMILIES, **MORE}.items():
            if only and only not in family.__name__:
                continue
            for size in sorted({*sizes, *(size + 1 for size in sizes)} if family in FAMILIES else sizes):
                name = f"{family.__name__} {size}"
                path = Path(folder) / f"{family.__name__}.dragon"
                path.write_bytes(family(size).encode())
                seconds, code, words = tried(["validate", str(path)], folder, most)
                count += 1
                slowest = max(slowest, (seconds, name))
                if seconds > most:
                    hangs.append(name)
                if code not in (0, 1, 2) or "internal error" in words:
                    crashes.append(name)
                print(f"{name:30} {seconds:6.2f} s, exit code {code}", file=sys.stderr)
    print(f"{count} rule files, {len(hangs)} over {most:g} s {hangs}, {len(crashes)} crashes {crashes}")
    print(f"slowest: {slowest[1]}, {slowest[0]:.2f} s of processor time")
    return int(bool(hangs or crashes))


def _load(folder: Path) -> None:
    """Have all modules at hand, as each copy will need them."""
    import dragonrules.cli.commands.validate  # noqa: F401
    from dragonrules.cli.rules.findings import findings
    from dragonrules.interpreter.rule_sets import Library

    path = folder / "tame.dragon"
    path.write_text(ifs(3), encoding="utf-8")
    findings([path], 1, Library())


def tried(command: list[str], folder: str, most: float) -> tuple[float, int, str]:
    """Processor time, exit code and words of a command, in a copy of this process: nothing has to be loaded."""
    words = Path(folder) / "words"
    child = os.fork()
    if child == 0:
        code = 3
        try:
            out = os.open(words, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            os.dup2(out, 1)
            os.dup2(out, 2)
            resource.setrlimit(resource.RLIMIT_CPU, (round(10 * most), round(10 * most)))
            signal.alarm(ASLEEP)
            sys.argv = ["dragonrules", *command]
            main_program()
            code = 0
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else int(left.code is not None)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    _, status, used = os.wait4(child, 0)
    text = words.read_text(encoding="utf-8", errors="replace")
    return used.ru_utime + used.ru_stime, os.waitstatus_to_exitcode(status), text


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0, *sys.argv[2:3]))
