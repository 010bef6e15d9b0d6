"""A match at the terminal: people decide by typing, programs by themselves.

Every screen is made from the view of the seat that is to decide. When several
people share the keyboard and there are secrets, the screen is cleared and the
next one is asked to take over first. A decision can be taken back as long as
nothing that was hidden has come to light since.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..interpreter.core import Decl
from ..interpreter.errors import UsageError
from ..interpreter.match import Decision, Match, Option
from ..interpreter.players import Player
from .narrate import Chronicle, Event, Narrator
from .tabletop import Tabletop
from .words import Words, capital

if TYPE_CHECKING:
    from rich.console import Console

HELP = """\
  3            take option 3
  some text    list the options with this text in them; Enter takes the last one left
  ?            what is being asked, with the rule that asks
  why TEXT     why TEXT cannot be chosen
  undo         take back the last decision, if nothing was revealed since
  look, log    show the table, or all that you have noticed
  save [FILE]  save the match
  quit         leave
  Put a : in front (`:quit`) where an option has the same name."""
MOST_LISTED = 40
VAGUE = ("it is not one of the things", "there is no option called")


class Left(Exception):
    """Somebody has left the table; the match is not over."""


class Session:
    def __init__(
        self, match: Match, seats: Sequence[Player | None], console: Console, *, save_as: Path | None
    ) -> None:
        self.match = match
        self.seats = seats
        self.console = console
        self.save_as = save_as
        self.words = Words(match.state.engine)
        self.tabletop = Tabletop(self.words)
        self.narrator = Narrator(self.words)
        self.chronicle = Chronicle(match.players)
        self.history: list[tuple[Match, int]] = []
        self.has_secrets = has_secrets(match)
        self.looking: int | None = None
        self.redraw = True
        self.colours = {
            text.replace("_", " "): colour
            for look in match.game.checked.looks.values()
            if isinstance(look, dict)
            for text, colour in look.values()
            if colour
        }

    # ------------------------------------------------------------ the loop
    def play(self, limit: int) -> None:
        """Until the match is over; raises `Left` when somebody leaves."""
        start = len(self.match.log)
        while not self.match.over:
            if len(self.match.log) - start > limit:
                raise UsageError("D0905", f"the match is not over after {limit} decisions")
            decision = self.match.decision
            assert decision is not None
            player = self.seats[decision.player - 1]
            if player is not None:
                self.match.choose(player.choose(self.match))
            else:
                self.ask(decision)
        self.tell_news(self.looking or 1)
        self.show_table(self.looking or 1)

    def say(self, text: str = "", style: str | None = None) -> None:
        from rich.text import Text

        line = Text(text, style=style or "")
        for word, colour in self.colours.items():
            line.highlight_words([word], colour)
        self.console.print(line, soft_wrap=True)

    def read(self, prompt: str) -> str:
        self.console.print(prompt, end="", style="bold")
        try:
            text = input().strip()
        except EOFError:
            self.say()
            raise Left from None
        if not sys.stdin.isatty():  # nobody has seen it being typed
            self.say(text)
        return text

    # ------------------------------------------------------------ asking
    def ask(self, decision: Decision) -> None:
        seat, options = decision.player, decision.options
        if seat != self.looking:
            self.hand_over(seat)
        self.redraw = bool(self.tell_news(seat)) or self.redraw
        if len(options) == 1:
            self.say(
                f"  {capital(self.words.question(decision))}: {options[0].label}, the only option.", "dim"
            )
            self.match.choose(0)
            return
        if self.redraw:
            self.show_table(seat)
        shown = list(options)
        self.list_options(decision, shown)
        while True:
            answer = self.understand(decision, shown, self.read(f"Player {seat}> "))
            if isinstance(answer, Option):
                self.history.append((self.match.fork(), seat))
                self.match.choose(answer.index)
                return
            if answer is None:
                return
            shown = answer

    def understand(self, decision: Decision, shown: list[Option], text: str) -> Option | list[Option] | None:
        """The option that was meant, the options to go on with, or None when all is to be asked anew."""
        options = decision.options
        if not text:
            if len(shown) == 1:
                return shown[0]
            self.list_options(decision, list(options))
            return list(options)
        named = [o for o in options if text.lower() in (o.label.lower(), str(o.key[-1]).lower())]
        if text.isdigit() and not (len(named) == 1 and int(text) > len(options)):
            number = int(text)
            if 1 <= number <= len(options):
                return options[number - 1]
            self.say(f"There are {len(options)} options.")
            return shown
        if len(named) == 1:
            return named[0]
        word, _, rest = text.removeprefix(":").partition(" ")
        command = getattr(self, f"do_{COMMANDS[word.lower()]}", None) if word.lower() in COMMANDS else None
        if command is not None:
            return shown if command(decision, rest.strip()) else None
        found = [o for o in options if text.lower() in o.label.lower()]
        if not found:
            self.say(f"No option has `{text}` in it. `why {text}` says why; `help` lists what can be typed.")
            return shown
        self.list_options(decision, found)
        return found

    # ------------------------------------------------------------ commands; False means: ask anew
    def do_help(self, decision: Decision, rest: str) -> bool:
        self.say(HELP)
        return True

    def do_explain(self, decision: Decision, rest: str) -> bool:
        for line in explained(self.match, decision):
            self.say(line)
        return True

    def do_why(self, decision: Decision, rest: str) -> bool:
        if not rest:
            self.say("Say what: `why TEXT`.")
            return True
        if any(rest.lower() in (o.label.lower(), str(o.key[-1]).lower()) for o in decision.options):
            self.say(f"{rest} can be chosen.")
            return True
        reasons = [
            self.match.why_not(text) for text in dict.fromkeys((rest, rest.lower(), rest.replace(" ", "_")))
        ]
        told = [reason for reason in reasons if reason is not None and not reason.startswith(VAGUE)]
        self.say(f"{rest}: {(told or reasons)[0]}.")
        return True

    def do_undo(self, decision: Decision, rest: str) -> bool:
        if not self.history:
            self.say("There is nothing to take back.")
            return True
        before, seat = self.history[-1]
        reason = revealed(before, self.match, seat, self.has_secrets)
        if reason is not None:
            self.say(f"That cannot be taken back: {reason}.")
            return True
        self.history.pop()
        self.match = before
        self.chronicle.forget(before)
        self.redraw = True
        self.say(f"Player {seat} takes the last decision back.", "dim")
        return False

    def do_look(self, decision: Decision, rest: str) -> bool:
        self.show_table(decision.player)
        self.list_options(decision, list(decision.options))
        return True

    def do_log(self, decision: Decision, rest: str) -> bool:
        for sentence in self.narrator.sentences(self.match.observations(decision.player)):
            self.say(f"  {sentence}")
        return True

    def do_save(self, decision: Decision, rest: str) -> bool:
        path = Path(rest) if rest else self.save_as or Path(f"{Path(self.match.game.spec).stem}.save.json")
        try:
            self.match.save(path)
        except OSError as problem:
            self.say(f"It cannot be saved there: {problem.strerror}.")
        else:
            self.say(f"Saved as {path}; go on with `dragonrules run --resume {path}`.")
        return True

    def do_quit(self, decision: Decision, rest: str) -> bool:
        raise Left

    # ------------------------------------------------------------ showing
    def hand_over(self, seat: int) -> None:
        """Between two people who may not see each other's secrets."""
        people = [n for n, player in enumerate(self.seats, start=1) if player is None]
        if self.has_secrets and len(people) > 1 and self.looking is not None:
            self.console.clear()
            self.read(f"Player {seat}, take the keyboard and press Enter ")
            self.console.clear()
        self.looking = seat
        self.redraw = True

    def tell_news(self, seat: int) -> list[Event]:
        events = self.chronicle.news_for(self.match, seat)
        if events == list(
            self.match.observations(seat)
        ):  # the first time: how the table was set is plain to see
            start = next((i for i, e in enumerate(events) if e[0] in ("turn", "choice")), len(events))
            events = events[start:]
        events = [e for e in events if e[:2] != ("choice", seat)]  # who has just typed it knows
        for sentence in self.narrator.sentences(events):
            self.say(f"  {sentence}", "dim")
        return events

    def show_table(self, seat: int) -> None:
        self.redraw = False
        self.say()
        for line in self.tabletop.lines(self.match.view(seat), self.console.width):
            self.say(line)

    def list_options(self, decision: Decision, shown: Sequence[Option]) -> None:
        self.say()
        question = capital(self.words.question(decision))
        self.say(question if question.endswith(("?", ".", "!")) else f"{question}?", "bold")
        entries = [f"{option.index + 1:>3} {option.label}" for option in shown[:MOST_LISTED]]
        for line in columns(entries, self.console.width):
            self.say(line)
        if len(shown) > MOST_LISTED:
            self.say(f"    and {len(shown) - MOST_LISTED} more; type a part of what you look for")


COMMANDS = {
    "?": "explain",
    "explain": "explain",
    "help": "help",
    "why": "why",
    "undo": "undo",
    "look": "look",
    "log": "log",
    "save": "save",
    "quit": "quit",
    "exit": "quit",
    "q": "quit",
}


def columns(entries: Sequence[str], width: int) -> list[str]:
    """Entries side by side, filled column by column, where there are many short ones."""
    widest = max((len(e) for e in entries), default=0) + 2
    across = max(1, min(width // widest, -(-len(entries) // 5)))
    down = -(-len(entries) // across)
    return ["".join(e.ljust(widest) for e in entries[row::down]).rstrip() for row in range(down)]


def explained(match: Match, decision: Decision) -> list[str]:
    """The question, the rule that asks it with its words and citations, its line, and what stands behind the options."""
    checked = match.game.checked
    known = [*checked.rules.values(), *checked.triggers.values(), *checked.phases]
    decl = next((d for d in known if d.name == decision.rule), None)
    out = [f"Player {decision.player} is asked: {decision.prompt}"]
    if decl is not None:
        out.append(f"by {decl.kind} {decl.name}{_cites(decl)}")
        out += [f"  {decl.doc}"] if decl.doc else []
    first = decision.span.text.split("\n")[0].strip()
    out.append(f"  {decision.span.source.name}:{decision.span.line}: {first}")
    for option in decision.options:
        action = checked.rules.get(str(option.key[-1])) if option.key[0] == "offer" else None
        if action is not None and (action.doc or action.cites):
            out.append(f"{option.label}: {action.doc or action.name}{_cites(action)}")
    return out


def _cites(decl: Decl) -> str:
    return f" [{', '.join(decl.cites)}]" if decl.cites else ""


def has_secrets(match: Match) -> bool:
    """Is there anything that some seats see and others do not?"""
    watcher, state = match.state.engine.watcher, match.state
    mixed = (0, watcher.everyone)
    for key, instances in watcher.layout.instances.items():
        if any(watcher.place_mask(state, key, index) not in mixed for index in range(len(instances))):
            return True
    return any(decl.seen not in ("all", "nobody") for decl in match.game.checked.states.values())


def revealed(before: Match, now: Match, seat: int, has_secrets: bool) -> str | None:
    """What has come to light for a seat since a position, in words, or None."""
    if any(entry[0] != "choose" for entry in now.log[len(before.log) :]):
        return "chance or the clock has had its say since"
    view = before.view(seat)
    for event in now.observations(seat)[len(before.observations(seat)) :]:
        match event:
            case ("choice", other, *_) if other != seat and has_secrets:
                return f"player {other} has decided since"
            case ("move", int(), str() as kind, source, *_) if kind[:1].islower() and _hidden(view, source):
                return "something hidden was seen since"
            case ("move", str() as name, source, *_) if "#" in name and _hidden(view, source):
                return "something hidden was seen since"
            case ("shown", _, _) | ("peek", _, tuple()) | ("roll", _):
                return "something hidden was seen since"
            case ("set", label, _) if label not in view["states"]:
                return "something hidden was seen since"
    return None


def _hidden(view: dict[str, Any], label: str) -> bool:
    return not label.startswith("box of ") and "contents" not in view["places"].get(label, {})
