"""Makes docs/drakon.svg: a page of a real match, as it stands in a terminal.

python docs/tools/picture.py            writes the picture
python docs/tools/picture.py --check    exit code 1 if it is not as it would be written
"""

from __future__ import annotations

import argparse
import io
import re
import sys
from pathlib import Path

import dragonrules as dr
from dragonrules.cli.table.screen import Screen
from dragonrules.cli.table.session import Session
from dragonrules.interpreter.players import player
from rich.console import Console
from rich.terminal_theme import MONOKAI

PICTURE = Path(__file__).parents[1] / "drakon.svg"
COLUMNS, LINES = 100, 38
SEED, TURN = 5, 17


class Recorder(Screen):
    """A terminal that nobody sits at."""

    def __init__(self) -> None:
        self.recorded = Console(
            record=True, width=COLUMNS, height=LINES, force_terminal=True, color_system="truecolor",
            file=io.StringIO(), highlight=False, markup=False, emoji=False, legacy_windows=False,
        )  # fmt: skip
        super().__init__(self.recorded)
        from dragonrules.interpreter.table.dress import UNICODE

        self.glyphs, self.live, self.plain = UNICODE, True, False

    def clear(self) -> None:
        self.recorded.export_text(clear=True)


def picture() -> str:
    """Three programs and somebody in the first seat, whose turn it is."""
    match = dr.load("drakon").start(4, seed=SEED)
    seats = [player(kind, seed=SEED, seat=n) for n, kind in enumerate(["greedy", *["random"] * 3], 1)]
    screen = Recorder()
    session = Session(match, [None, *seats[1:]], screen)
    session.looking = session.words.you = 1
    while True:
        decision = match.decision
        assert decision is not None
        if decision.player == 1:
            session.forms.meet(match)
            asked = session.question(decision)
            session.remember(asked)
            if match.turn >= TURN and len(decision.options) == 2:
                break
            index = seats[0].choose(match)
            session.take(index, asked.labels[index])
        else:
            match.choose(seats[decision.player - 1].choose(match))
    session.draw(asked)
    screen.recorded.print("You> ", style="bold cyan", end="")
    svg = screen.recorded.export_svg(title="dragonrules run drakon", theme=MONOKAI, unique_id="drakon")
    fonts = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)  # whatever the reader has will do
    return fonts.replace("Fira Code, monospace", "Fira Code, Menlo, Consolas, DejaVu Sans Mono, monospace")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="only compare")
    made = picture()
    if parser.parse_args().check:
        sys.exit(int(not PICTURE.exists() or PICTURE.read_text(encoding="utf-8") != made))
    PICTURE.write_text(made, encoding="utf-8")
    print(f"{PICTURE.name}: {len(made) // 1024} KiB")


if __name__ == "__main__":
    main()
