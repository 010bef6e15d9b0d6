"""Makes docs/pictures/NAME.svg: a table of each game that is included, in the middle of a match.

python docs/tools/game_pictures.py [NAME ...]
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import dragonrules as dr
from dragonrules.cli.commands.games import shipped
from dragonrules.interpreter.table.drawing import SPACE, alone, table
from dragonrules.interpreter.table.dress import UNICODE
from dragonrules.interpreter.table.marks import Marks
from dragonrules.interpreter.table.scene import Setter
from dragonrules.interpreter.table.words import Words

FOLDER = Path(__file__).parents[1] / "pictures"
DECISIONS = {
    "pig": 6,
    "wolf": 4,
    "goofspiel": 6,
    "tic_tac_toe": 4,
    "kuhn_poker": 1,
    "leduc_poker": 2,
    "tiny_hanabi": 1,
}
MOST = 40
SEED = 5


def drawn(name: str) -> str:
    """A match played at random for a while, as its first seat sees it."""
    game, rng = dr.load(name), Random(SEED)
    match = game.start(min(game.players), seed=SEED)
    earlier = match.fork()
    for _ in range(DECISIONS.get(name, MOST)):
        assert match.decision is not None
        options = [option for option in match.decision.options if option.key[-1] != "pass"]
        match.choose(rng.choice(options or match.decision.options))
        if match.over:
            break
        earlier = match.fork()
    words = Words.of(earlier, UNICODE)
    scene = Setter(words, earlier.table).scene(earlier.view(1))
    seats = range(1, earlier.players + 1)
    for brief in (True, False):  # where nothing lies, states say how it stands
        block = table(scene, Marks(open=False), list(seats), brief=brief, width=720)
        if block.height > SPACE:
            break
    return alone(block, game.name) + "\n"


def main(names: list[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in names or [entry["name"] for entry in shipped()]:
        (FOLDER / f"{name}.svg").write_text(drawn(name), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
