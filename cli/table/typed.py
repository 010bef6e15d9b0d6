"""What can be typed at the table besides a choice: help, reasons, rules, stepping back, saving."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...interpreter.core import value_types as t
from ...interpreter.core.errors import DragonError
from ...interpreter.play.asking import forced_event, point_of
from ...interpreter.play.undoing import before_last_choice, revealed
from ...interpreter.table.explaining import (
    explained,
    rule_text,
    rulebook_contents,
    rulebook_section,
    source_of,
)
from ...interpreter.table.lying import Lying
from ...interpreter.table.text import Line
from ...interpreter.table.topics import about
from ...interpreter.table.words import capital
from .screen import Left

if TYPE_CHECKING:
    from .session import Question, Session

HELP = """\
  3            take option 3; several numbers answer several questions: 2 4 1
  some text    list the options with this text in them; Enter takes the last one left
  Enter        the next page of a long list
  ?            what is being asked, and what the rulebook says of it
  ? NAME       what the rulebook says of a thing, a place, an action, ...
  ? source     the rule that asks, as it is written
  why TEXT     why TEXT cannot be chosen, and where that is written
  back, undo   take back the last answer, or the last decision, if nothing was revealed since
  hint         ask a bot what it would do
  look [NAME]  show the whole table, or one place
  log [all]    what you have noticed
  rules [NAME] what the rules say
  save [FILE]  save the match
  quit         leave; the match is kept
Put a : in front (`:quit`) where an option has the same name."""

COMMANDS = {
    "?": "explain",
    "explain": "explain",
    "h": "help",
    "help": "help",
    "why": "why",
    "undo": "undo",
    "back": "back",
    "hint": "hint",
    "look": "look",
    "log": "log",
    "rules": "rules",
    "rule": "rules",
    "save": "save",
    "quit": "quit",
    "exit": "quit",
    "q": "quit",
}
VAGUE = ("it is not an option here (", "there is no option called")
MOST_PARTS = 4
"""So many parts of one move back, a menu is looked for that left no choice."""
ADVISER = "greedy"
SOURCE = "source"


class Commands:
    """Each `do_...` answers whether to go on asking the same question."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def do(self, name: str, asked: Question, rest: str) -> bool:
        command = getattr(self, f"do_{name}")
        return bool(command(asked, rest))

    def do_help(self, asked: Question, rest: str) -> bool:
        self._read(HELP.split("\n"))
        return True

    def do_explain(self, asked: Question, rest: str) -> bool:
        match, words = self.session.match, self.session.words
        question = words.question(asked.decision)
        if not rest:
            name = words.dress.name(asked.decision.rule)
            self._read(explained(match, asked.decision, question, name))
        elif rest.lower() == SOURCE:
            self._read(source_of(match, asked.decision, question))
        else:
            self._read(about(match, words, rest))
        return True

    def do_why(self, asked: Question, rest: str) -> bool:
        session = self.session
        if not rest:
            session.tell(["Say what: `why TEXT`."])
            return True
        named = session._named(asked, rest) if not rest.isdigit() else None
        if named is not None:
            session.tell([f"{rest} can be chosen: it is option {named + 1}."])
            return True
        tries = (rest, rest.lower(), rest.replace(" ", "_"), *self._keys(rest), *self._things(asked, rest))
        reasons = [session.match.why_not(choice) for choice in dict.fromkeys(tries)]
        told = [reason for reason in reasons if reason is not None and not reason.startswith(VAGUE)]
        known = [reason for reason in reasons if reason is not None]
        told = told or self._at_the_menu([*self._keys(rest), rest.replace(" ", "_")])
        session.tell([f"{rest}: {(told or known or ['it can be chosen'])[0]}."])
        return True

    def _at_the_menu(self, names: list[str]) -> list[str]:
        """Why something was not possible in the menu that has just been passed, because it left no choice."""
        match, before = self.session.match, self.session.match
        for _ in range(MOST_PARTS):
            earlier = before_last_choice(before)
            if earlier is None or earlier.asked != match.asked:
                return []
            before = earlier
            if (passed := forced_event(before)) is not None:
                wanted = [name for name in names if name in passed.others]
                return [reason for name in wanted if (reason := before.why_not(name)) is not None]
        return []

    def _keys(self, text: str) -> list[str]:
        """The actions whose looks read like this."""
        game = self.session.match.game.checked
        return [name for name in game.rules if self.session.words.dress.name(name).lower() == text.lower()]

    def _things(self, asked: Question, text: str) -> list[tuple[str, str]]:
        """Components in sight that read like this, as answers to the question."""
        asked_for = point_of(self.session.match).type
        if asked_for is None or not isinstance(t.plain(asked_for), t.Comp):
            return []
        shown = [place.get("contents", ()) for place in asked.view["places"].values()]
        names = [str(part) for place in shown for part in _parts(place) if "#" in str(part)]
        part = text.lower()
        found = [name for name in names if part in self.session.words.thing(name).lower()]
        return [(asked.decision.options[0].key[0], name) for name in dict.fromkeys(found)]

    def do_hint(self, asked: Question, rest: str) -> bool:
        from ...interpreter.players import advice

        session, kind = self.session, rest or ADVISER
        try:
            with session.screen.thinking(kind):
                best, *others = advice(session.match, kind, seed=session.match.seed)
        except DragonError as problem:
            session.tell([str(problem).split("\n")[0]])
            return True
        told = [Line(f"{kind} would take ", (self._as_typed(asked, best.index), "bold"), ".")]
        close = [a for a in others if a.share >= best.share / 2 and a.share < 1][:2]
        if close:
            names = " or ".join(self._as_typed(asked, a.index) for a in close)
            told.append(Line((f"It also thought about {names}.", "dim")))
        session.tell(told)
        return True

    def _as_typed(self, asked: Question, index: int) -> str:
        """An option as one would type it: where options are numbers, by the number that it is."""
        label = asked.labels[index].plain
        return label if asked.numbers else f"{index + 1} {label}"

    # ------------------------------------------------------------ stepping back
    def do_undo(self, asked: Question, rest: str) -> bool:
        return self._step_back(whole=True)

    def do_back(self, asked: Question, rest: str) -> bool:
        return self._step_back(whole=False)

    def _step_back(self, *, whole: bool) -> bool:
        session = self.session
        steps = session.forms.last(whole=whole)
        if not steps:
            session.tell(["Nothing to undo."])
            return True
        first = steps[0]
        before = first.mark.restored(session.match)
        reason = revealed(before, session.match, first.seat, has_secrets=session.has_secrets)
        if reason is not None:
            session.tell([f"That cannot be taken back: {reason}."])
            return True
        session.forms.drop(steps)
        session.back_to(before, first.seat)
        who = "You take" if session.people == [first.seat] else f"Player {first.seat} takes"
        session.tell([Line((f"{who} back: {first.words.plain}.", "dim"))])
        return False

    # ------------------------------------------------------------ reading
    def do_look(self, asked: Question, rest: str) -> bool:
        session = self.session
        table = session.tabletop.lines(asked.view, session.screen.width)
        if rest:
            table = self._places(asked, rest)
        self._read(table or [f"There is no place called `{rest}`."])
        if not session.screen.is_terminal:
            session.screen.show(session._option_lines(asked, session.screen.width, 40))
        return True

    def _places(self, asked: Question, text: str) -> list[Line]:
        out = []
        for label, shown in asked.view["places"].items():
            name = self.session.words.place(label)
            if text.lower() in name.lower():
                contents = self.session.narrator.contents(shown["contents"]) if "contents" in shown else None
                size = shown.get("size")
                hidden = "hidden" if size is None else f"{size} face down" if size else "empty"
                out.append(Line((capital(name), "bold"), f": {contents if contents is not None else hidden}"))
        return out

    def do_log(self, asked: Question, rest: str) -> bool:
        session = self.session
        sentences = session.narrator.sentences(session.noticed(asked.decision.player), Lying())
        lines = [f"{'' if s.endswith(' turn.') else '  '}{s}" for s in sentences]
        room = session.screen.height - 3
        if session.screen.is_terminal and not rest and len(lines) > room:
            lines = ["... `log all` shows it from the beginning", *lines[-room:]]
        self._read(lines)
        return True

    def do_rules(self, asked: Question, rest: str) -> bool:
        match = self.session.match
        if not rest:
            self._read(rulebook_contents(match))
            return True
        game = match.game.checked
        wanted = rest.lower().replace("_", " ")
        lines: list[Line | str] = list(rulebook_section(match, wanted))
        decls = [*game.phases, *game.rules.values(), *game.triggers.values(), *game.endings.values()]
        for decl in decls:
            if wanted in (
                decl.name.lower().replace("_", " "),
                self.session.words.dress.name(decl.name).lower(),
            ):
                lines += [*([""] if lines else []), *rule_text(decl)]
        self._read(lines or [f"The rules have nothing about `{rest}`; `rules` lists what they have."])
        return True

    def _read(self, lines: list[Any]) -> None:
        session = self.session
        session.screen.pager(lines)
        session.stale = session.screen.is_terminal

    # ------------------------------------------------------------ keeping
    def do_save(self, asked: Question, rest: str) -> bool:
        session = self.session
        default = Path(f"{Path(session.match.game.spec).stem}.save.json")
        path = Path(rest).expanduser() if rest else default
        try:
            session.match.save(path)
        except OSError as problem:
            session.tell([f"It cannot be saved there: {problem.strerror}."])
        else:
            session.tell([f"Saved as {path}; resume with `dragonrules run --resume {path}`."])
        return True

    def do_quit(self, asked: Question, rest: str) -> bool:
        raise Left


def _parts(contents: Any) -> Iterator[Any]:
    """What is in a place, however deep: spaces hold lists, slots a thing."""
    if isinstance(contents, Mapping):
        contents = contents.values()
    elif not isinstance(contents, tuple | list):
        yield contents
        return
    for part in contents:
        yield from _parts(part)
