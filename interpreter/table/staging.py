"""A position being set up: a scenario that grows, and the match that stands at its end.

Its text is the truth. Whoever plays on adds `when:`, whoever moves things by hand adds `given:`, and
the position is that of the scenario run from its beginning, so that what is saved is what was seen.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from itertools import takewhile
from pathlib import Path

from attrs import evolve, field, frozen

from ..core import Scenario
from ..core.errors import DragonError, SpecError
from ..driver import Driver
from ..files.find_specs import SUFFIX, find_spec
from ..files.find_variants import companions, find_variant, headers_of, is_name_of
from ..loading import IN_MEMORY, load
from ..play.game import Game
from ..play.match import Match
from ..play.scenario_lines import header_of, lines_of, quoted
from ..play.scenarios import run_scenario
from .design import DRAFT

BOARD = f"{IN_MEMORY}/variants/board{SUFFIX}"
TITLE = "a position"
MOST_LINES = 400


class NotSet(DragonError):
    """A line that does not fit this position; the message says why."""


@frozen
class Stage:
    """The lines of a scenario, over a game with its variants."""

    game: Game
    header: str
    lines: tuple[str, ...] = ()
    """Whole sections: `given:` or `when:` with what stands below."""
    home: Path | None = None
    """The file whose names the lines use, if they come from a scenario there."""
    texts: Mapping[str, str] = field(factory=dict, eq=False, repr=False)
    """Rule files that the game is made of and that stand in no file yet."""
    start: Match | None = field(default=None, eq=False, repr=False)
    """The match as it stands behind the lines, with an empty log."""

    def played(self, match: Match) -> Stage:
        """The same with what has been played since: the log of a match that began at `start`."""
        if not match.log:
            return self
        added = tuple(f"when:\n    {line}" for line in lines_of(match, self.start))
        return evolve(self, lines=self.lines + added)

    def given(self, line: str) -> Stage:
        """The same with something done by hand."""
        text = " ".join(line.split())
        return evolve(self, lines=(*self.lines, f"given:\n    {text}")).set_up()

    def back(self) -> Stage:
        """Without what was done last."""
        return evolve(self, lines=self.lines[:-1]).set_up()

    def text(self, asked: int | None) -> str:
        """A rule file that holds the scenario and runs by itself, or what goes into the file that it came
        from; `asked` is the seat that decides behind it."""
        then = f"player({asked}) decides" if asked is not None else "check player_count > 0"
        lines = (*self.lines, f"then:\n    {then}")
        if self.home is not None:
            return f"# goes into {self.home.name}\n{self._scenario(lines)}"
        needs = ", ".join(map(quoted, titles_of(self.game)))
        return self._variant(f" needs {needs}" if needs else "", lines)

    def set_up(self) -> Stage:
        """With the match that stands behind its lines. Raises NotSet with what is wrong."""
        if len(self.lines) > MOST_LINES:
            raise NotSet(f"there are {MOST_LINES} lines already")
        text = self._variant("", self.lines or ("then:\n    check player_count > 0",))
        driver = Driver({**self.texts, BOARD: text})
        variants = [*self.game.variants, BOARD]
        try:
            game = load(self.game.spec, variants=variants, options=self.game.given_options, driver=driver)
        except SpecError as problem:
            raise NotSet(_told(problem)) from None
        scenario = game.checked.scenarios[-1]
        found = run_scenario(game, len(game.checked.scenarios) - 1, scenario, keep=True)
        if not found.ok or found.match is None:
            raise NotSet(str(found.problem).split("\n")[0])
        return evolve(self, start=at_rest(found.match))

    def _variant(self, needs: str, lines: tuple[str, ...]) -> str:
        return f"variant {quoted(TITLE)} of {Path(self.game.spec).stem}{needs}:\n{self._scenario(lines)}"

    def _scenario(self, lines: tuple[str, ...]) -> str:
        body = textwrap.indent("\n".join(_joined(lines)), " " * 8)
        return f"    scenario {quoted(TITLE)} {self.header}:\n{body}\n"


def staged(match: Match, texts: Mapping[str, str] | None = None) -> Stage:
    """A stage on which a match stands as it is."""
    game = match.game
    lines = tuple(f"when:\n    {line}" for line in lines_of(match))
    return Stage(game, header_of(match), lines, texts=texts or {}).set_up()


def staged_scenario(game: Game, file: Path | None, name: str) -> Stage:
    """A stage on which a scenario has been gone through: one of the game, or of a file beside it."""
    whole = game
    if file is not None:
        whole = load(game.spec, variants=[*game.variants, str(file)], options=game.given_options)
    found = next((one for one in whole.checked.scenarios if one.name == name and one.players), None)
    if found is None:
        raise NotSet(f"there is no scenario `{name}`")
    header = f"for {found.players} players"
    header += "".join(f", {option} = {ex.span.text}" for option, ex in found.options.items())
    return Stage(whole, header, _sections(found), file).set_up()


def scenarios_of(game: Game) -> list[tuple[Path | None, str]]:
    """The scenarios that a board can be made of: those of the game, and those of the files beside it."""
    own: list[tuple[Path | None, str]] = [(None, one.name) for one in game.checked.scenarios if one.players]
    spec = find_spec(game.spec)
    taken = {name for _, name in own}
    for file in companions(spec):
        headers = headers_of(file)
        if file.parent.name == "scenarios" and headers and all(is_name_of(h.base, spec) for h in headers):
            names = _SCENARIO.findall(file.read_text(encoding="utf-8"))
            own += [(file, name) for name in names if name not in taken]
    return own


def at_rest(match: Match) -> Match:
    """The same position as the beginning of a match: nothing has been played in it yet."""
    start = match.fork()
    start.log, start.decisions, start.ask_chance, start.check = [], 0, True, False
    return start


def going_on(start: Match) -> Match:
    """A match to be played from there."""
    match = start.fork()
    match.ask_chance = False
    while match.chance is not None:
        match.resolve(0)
    return match


def titles_of(game: Game) -> tuple[str, ...]:
    """The titles of the variants that are laid over a game."""
    found = [find_variant(find_spec(game.spec), name) for name in game.variants if name != DRAFT]
    return tuple(title or headers_of(file)[0].title for file, title in found)


_SCENARIO = re.compile(r'^ *scenario "([^"]+)"', re.MULTILINE)
_SECTION = re.compile(r"(given|when|then)\b")


def _sections(scenario: Scenario) -> tuple[str, ...]:
    """What a scenario says is given and done, without what it expects."""
    first = scenario.span.line
    lines = scenario.span.source.text.splitlines()
    margin = _indent(lines[first - 1])
    body = list(takewhile(lambda line: not line.strip() or _indent(line) > margin, lines[first:]))
    sections: list[list[str]] = []
    for line in textwrap.dedent("\n".join(body)).splitlines():
        if _SECTION.match(line):
            sections.append([line])
        elif line.strip() and sections:
            sections[-1].append(line)
    return tuple("\n".join(section) for section in sections if not section[0].startswith("then"))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _joined(sections: tuple[str, ...]) -> list[str]:
    """Sections of one sort behind each other are one."""
    out: list[str] = []
    for section in sections:
        head, _, body = section.partition("\n")
        if out and body and head in ("given:", "when:") and out[-1].startswith(f"{head}\n"):
            out[-1] += f"\n{body}"
        else:
            out.append(section)
    return out


def _told(problem: SpecError) -> str:
    """The first thing that is wrong, without where: there is only one line that it can be."""
    found = problem.diagnostics[0]
    return found.message + (f" ({found.help})" if found.help else "")
