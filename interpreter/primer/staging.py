"""Pictures of the table: as it is set up, and before and after what a scenario shows.

Examples are the scenarios of a variant that is called `Examples`; the doc of each is what the book says of it.
They are scenarios like any other: `dragonrules test` holds them against the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from attrs import frozen

from ..core import Ex, Scenario
from ..core.scenario_parts import ChanceBrings, Chooses, Given, Refused, TimeRunsOut
from ..play.game import Game
from ..play.match import Match
from ..play.scenarios import Broken, Runner, with_options
from ..rulebook.document import Picture, slug
from ..table.drawing import Block, alone, panel, single, table
from ..table.dress import UNICODE
from ..table.marks import Marks, marks_for
from ..table.scene import Item, Scene, Setter
from ..table.words import Words, capital

EXAMPLES = "Examples"
"""What a variant is called whose scenarios are pictures in the book."""
WIDEST = 640
SCALE = 0.72
MOST_CHOICES = 60
CLOSED = Marks(open=False)
_ACTS = (Chooses, Refused, ChanceBrings, TimeRunsOut)


@frozen
class Example:
    name: str
    doc: str
    pictures: tuple[Picture, ...]
    refused: tuple[str, ...]
    """What may not be chosen, and why."""


# ---------------------------------------------------------------- the table as it is set up
def set_up(game: Game) -> Picture | None:
    """The table when the first turn begins, as the first seat sees it."""
    players = 3 if 3 in game.players else min(game.players)
    match = game.start(players, seed=1)
    for _ in range(MOST_CHOICES):
        if match.over or match.decision is None or match.view(1)["turn"]:
            break
        match.choose(0)
    words = f"The table when the first turn of {'a game' if players < 2 else f'{players} players'} begins"
    block = _drawn(match, 1, [1])
    return picture("set-up", block, words, f"{words}, as player 1 sees it.") if block.height else None


def picture(name: str, block: Block, words: str, caption: str = "") -> Picture:
    width = int(min(WIDEST, block.width * SCALE))
    return Picture(slug(name), alone(block, words), words, width, caption)


def tile(words: Words, setter: Setter, name: str, title: str) -> Picture:
    """A component by itself."""
    block = single(Item(name, setter.faces.thing(name)))
    return Picture(slug(title), alone(block, title), title, 84 if block.height <= block.width else 66)


def _drawn(match: Match, seat: int | None, seats: Sequence[int], marks: Marks = CLOSED) -> Block:
    return table(_scene(match, seat), marks, seats)


def _scene(match: Match, seat: int | None) -> Scene:
    scene = Setter(Words.of(match, UNICODE), match.table).scene(match.view(seat))
    for _, spot in scene.spaces():
        spot.fresh = False
    return scene


# ---------------------------------------------------------------- examples
def examples(game: Game) -> list[Example]:
    """What the scenarios of a variant show; those without a doc, or that do not hold, are left out."""
    out = []
    for number, scenario in enumerate(game.checked.scenarios):
        if scenario.doc:
            with suppress(Broken):
                out.append(_Stage(game, number, scenario).example())
    return out


class _Stage(Runner):
    """Runs a scenario and takes a picture before the first choice and behind the last. Where it ends with
    a question, because nothing is checked behind it, what may be chosen is outlined."""

    def __init__(self, game: Game, number: int, scenario: Scenario) -> None:
        super().__init__(with_options(game, scenario), number, scenario, False)
        self.told: list[str] = []
        self.parts = scenario.parts
        staged = max((n for n, p in enumerate(self.parts) if isinstance(p, Given)), default=-1)
        self.moves = [n for n, p in enumerate(self.parts) if isinstance(p, _ACTS) and n > staged]

    def example(self) -> Example:
        players = {int(self.ask(p.player)) + 1 for p in self.parts if isinstance(p, Chooses | Refused)}
        seat = players.pop() if len(players) == 1 else None
        taken: list[tuple[str, Scene, Marks]] = []
        self.match._after()
        for index, part in enumerate(self.parts):
            self.at = part.span
            upcoming = next((p for p in self.parts[index:] if not isinstance(p, Given)), None)
            if not isinstance(upcoming, ChanceBrings):
                self.settle()
            if self.moves[:1] == [index]:
                taken.append(("Before", _scene(self.match, seat), CLOSED))
            self.carry_out(part)
            if isinstance(part, Refused) and index in self.moves:
                self._refusal(part)
            if self.moves[-1:] == [index]:
                self.settle()
                taken.append(("After", _scene(self.match, seat), self._asked(index)))
        if not taken or taken[-1][2] is not CLOSED:  # a position, or a question that it puts
            taken = [("", _scene(self.match, seat), taken[-1][2] if taken else CLOSED)]
        name = capital(self.scenario.name)
        seats = self._concerned([scene for _, scene, _ in taken])
        pictures = tuple(
            picture(
                f"{self.scenario.name} {title}".strip(),
                table(scene, marks, seats, brief=True),
                f"{name}: {title.lower()}" if title else name,
                title,
            )
            for title, scene, marks in taken
        )
        return Example(name, self.scenario.doc or "", pictures, tuple(self.told))

    def _concerned(self, scenes: Sequence[Scene]) -> list[int]:
        """Whose things change; if nobody's do, all who have any."""
        drawn = {
            seat: {panel(s.panels[seat], CLOSED, brief=True).drawn for s in scenes}
            for seat in scenes[0].panels
        }
        return [seat for seat, found in drawn.items() if len(found) > 1] or list(drawn)

    def _refusal(self, part: Refused) -> None:
        last = part.picks[-1]
        what = last.replace("_", " ") if isinstance(last, str) else self._label(last)
        self.told.append(f"Not allowed: {what}{f' ({part.because})' if part.because else ''}.")

    def _label(self, pick: Ex) -> str:
        return self.engine.watcher.values.label(self.ask(pick), pick.type)

    def _asked(self, index: int) -> Marks:
        decision = self.match.decision
        if decision is None or index + 1 < len(self.parts):
            return CLOSED
        return Marks(marks_for(decision.options))
