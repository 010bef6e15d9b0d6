"""How long it takes to start: CPU time of a process, with nothing kept from earlier runs (cold) and with all of it (warm).

    python benchmarks/startup.py [--times N]

Bytecode is there in both cases, as after an installation. Each figure is the least of
N runs (three, or one where a run takes long), children of the process included.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

GAMES = Path(__file__).resolve().parent.parent / "games"
LOAD = "import dragonrules; dragonrules.load('drakon')"
START = f"{LOAD}.start(players=2, seed=1)"
PYTHON = (sys.executable, "-c")
COMMAND = (sys.executable, "-m", "dragonrules")
CASES = (
    ("python alone", (*PYTHON, "pass"), "warm", None),
    ("load", (*PYTHON, LOAD), "cold", 1.0),
    ("load and start", (*PYTHON, START), "warm", 0.12),
    ("validate drakon", (*COMMAND, "validate", "drakon"), "cold", 1.0),
    ("validate drakon", (*COMMAND, "validate", "drakon"), "warm", 0.25),
    ("validate games", (*COMMAND, "validate", str(GAMES)), "cold", 15.0),
    ("validate games", (*COMMAND, "validate", str(GAMES)), "warm", 1.0),
    ("fmt --check games", (*COMMAND, "fmt", "--check", str(GAMES)), "warm", 0.5),
)


def seconds(command: tuple[str, ...], folder: Path) -> float:
    """CPU time, user and system, of a command and its children."""
    environment = {**os.environ, "DRAGONRULES_CACHE": str(folder / "cache")}
    environment["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--times", type=int, default=3)
    times = options.parse_args().times
    print(f"{'':20} {'':5} {'CPU s':>7} {'aim':>6}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for what, command, state, aim in CASES:
            if state == "warm" or what != "validate games":
                seconds(command, folder)  # leaves bytecode, and whatever is kept
            found = []
            while len(found) < times and sum(found) < 5:
                if state == "cold":
                    shutil.rmtree(folder / "cache", ignore_errors=True)
                found.append(seconds(command, folder))
            print(f"{what:20} {state:5} {min(found):7.3f} {'' if aim is None else f'{aim:6.2f}'}", flush=True)


if __name__ == "__main__":
    main()
