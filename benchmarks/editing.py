"""How long an editor waits: CPU time in milliseconds, Drakon with two of its variants open, one word typed each time.

    python benchmarks/editing.py [--short]

Each figure is the middle one of 21 (5) key presses, at different places of the rules. `yardstick` is a loop that never
changes (two million additions): CPU time grows on a busy machine, and figures of two runs can be compared by it.
"""

from __future__ import annotations

import argparse
import re
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dragonrules.cli.lsp.server import validated
from dragonrules.grammar.parsing import lark_parser
from dragonrules.interpreter.editing import asking, completing
from dragonrules.interpreter.editing.workspace import Workspace

GAMES = Path(__file__).resolve().parent.parent / "games"
BASE = GAMES / "drakon.dragon"
VARIANTS = [GAMES / "variants" / f"drakon_{name}.dragon" for name in ("heroes", "blackmail")]
AIMS = {
    "syntax": 30,
    "names and types": 100,
    "names, types, leaks": 100,
    "hover": 15,
    "definition": 15,
    "completion": 15,
}


def milliseconds(work: Callable[[], Any]) -> float:
    before = time.process_time()
    work()
    return (time.process_time() - before) * 1000


def yardstick() -> None:
    total = 0
    for number in range(2_000_000):
        total += number


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--short", action="store_true")
    times = 5 if options.parse_args().short else 21
    lark_parser()
    workspace = Workspace([GAMES])
    for path in (BASE, *VARIANTS):
        workspace.open(path, path.read_text(encoding="utf-8"))
        workspace.meaning(path)
    text = BASE.read_text(encoding="utf-8")
    places = [found.end() for found in re.finditer(r"^    \w+ ", text, re.MULTILINE)]
    found: dict[str, list[float]] = {}

    def measure(what: str, work: Callable[[], Any]) -> None:
        found.setdefault(what, []).append(milliseconds(work))

    for press in range(times):
        at = places[press * len(places) // times]
        broken = f"{text[:at]}x {text[at:]}"
        fine = f"{text[:at]}{' ' * (press % 3 + 1)}{text[at:]}"
        workspace.open(BASE, broken)
        measure("syntax", lambda: workspace.quick(BASE))
        workspace.open(BASE, fine)
        measure("names and types", lambda: (workspace.quick(BASE), workspace.meaning(BASE, leaks=False)))
        measure("then leaks", lambda: workspace.meaning(BASE))
        word = next(m for m in re.finditer(r"[a-z_]{4,}", fine[at:])).start() + at + 1
        measure("hover", lambda at=word: asking.hover(workspace, BASE, at))
        measure("definition", lambda at=word: asking.definition(workspace, BASE, at))
        measure("completion", lambda at=at: completing.completions(workspace, BASE, at))
        measure("open variant", lambda press=press: workspace.meaning(VARIANTS[press % 2]))
        if press % 5 == 0:
            measure("at rest", lambda: validated(BASE, dict(workspace.texts)))
        measure("yardstick", yardstick)
    steps = zip(found["names and types"], found["then leaks"], strict=True)
    found["names, types, leaks"] = [names + leaks for names, leaks in steps]
    print(f"{'':22}{'CPU ms':>8}{'most':>8}{'aim':>6}")
    for what, figures in found.items():
        print(f"{what:22}{statistics.median(figures):8.1f}{max(figures):8.1f}{AIMS.get(what, ''):>6}")


if __name__ == "__main__":
    main()
