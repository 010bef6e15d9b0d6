"""The chapters of a rulebook, and which declaration goes into which.

First every declaration gets its heading, so that a sentence in one chapter can
link to any other; then the chapters are written in the order in which a player
needs them: what it is all about, what there is, how it lies, what happens, what
words mean, what can be changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ..core import NEXT, CheckedGame, Decl, DefineDecl, Finish, RuleDecl, St
from ..core.look import Look
from .document import Book, Grid, Section, Targets, capital, em
from .english import listed, number_word, words
from .reachable import Reached, is_idle, reached, walk
from .variants import VariantRules, variant_sections
from .writer import Writer

SETUP = "setup"


def write_book(
    game: CheckedGame, variants: Sequence[VariantRules] = (), targets: Targets | None = None
) -> Book:
    """The exact rules of a game and of its variants; `targets` are headings that stand before them."""
    targets = targets or Targets()
    used = reached(game)
    chapters = _Chapters(game, targets, used)
    chapters.enter_headings()
    if variants:
        targets.enter("chapter:variants", "Variants")
    book = Book(game.name, f"For {players_text(game.players)}.", [game.doc] if game.doc else [])
    book.sections = [section for section in chapters.all() if not section.is_empty]
    if variants:
        out = Section("Variants", targets.of("chapter:variants"))
        out.say("Each of these changes the rules above; what it does not mention stays as it is.")
        out.sections = variant_sections(game, variants, targets)
        book.sections.append(out)
    return book


def players_text(counts: Sequence[int]) -> str:
    if len(counts) > 2 and list(counts) == list(range(counts[0], counts[-1] + 1)):
        return f"{number_word(counts[0])} to {number_word(counts[-1])} players"
    text = listed([number_word(n) for n in counts], "or")
    return f"{text} player{'' if list(counts) == [1] else 's'}"


class _Chapters:
    def __init__(self, game: CheckedGame, targets: Targets, used: Reached) -> None:
        self.game = game
        self.targets = targets
        self.used = used
        self.writer = Writer(game, targets)

    # ------------------------------------------------------------ headings
    def enter_headings(self) -> None:
        for key, title in (
            ("chapter:end", "How to win"),
            ("chapter:components", "What is in the box"),
            ("chapter:places", "What lies where"),
            ("chapter:setup", "Setting up"),
            ("chapter:course", "The course of the game"),
            ("chapter:actions", "What you can do"),
            ("chapter:triggers", "When something happens"),
            ("chapter:rules", "The rules in detail"),
            ("chapter:terms", "What the words mean"),
            ("chapter:tables", "Tables"),
            ("chapter:memory", "What to keep track of"),
            ("chapter:options", "Options"),
            ("chapter:upkeep", "House-keeping"),
        ):
            self.targets.enter(key, title)
        voice = self.writer.voice()
        for key, decl in self.declarations():
            is_thing = key.startswith(("component:", "token:"))
            self.targets.enter(key, capital(voice.noun_of(decl.name) if is_thing else voice.name(decl.name)))
        if self.game.score is not None:
            self.targets.enter("term:score", "Score")

    def declarations(self) -> list[tuple[str, Decl]]:
        """Everything with a heading of its own, with its key; what players look for first comes first."""
        game, used = self.game, self.used
        out: list[tuple[str, Decl]] = []
        out += [(f"phase:{p.name}", p) for p in self.phases]
        out += [(f"action:{r.name}", r) for r in self.actions]
        out += [(f"trigger:{r.name}", r) for r in self.triggers]
        out += [(f"rule:{r.name}", r) for r in self.rules]
        out += [(f"ending:{e.name}", e) for e in game.endings.values() if not e.made]
        out += [(f"term:{d.name}", d) for d in self.terms_told]
        out += [(f"component:{c.name}", c) for c in game.components.values() if c.rows and c.fields]
        out += [(f"token:{d.name}", d) for d in game.tokens.values()]
        out += [(f"table:{d.name}", d) for d in game.tables.values() if d.name in used.tables]
        return out

    @property
    def phases(self) -> list[RuleDecl]:
        return [p for p in self.game.phases if p.name != SETUP]

    @cached_property
    def terms_told(self) -> list[DefineDecl]:
        """Definitions with an entry of their own: not those whose sentence says it all."""
        plain = Writer(self.game, Targets())
        return [
            d for d in self.game.defines.values() if d.name in self.used.defines and not plain.says_itself(d)
        ]

    @property
    def actions(self) -> list[RuleDecl]:
        rules = self.game.rules.values()
        return [r for r in rules if r.kind == "action" and r.name in self.used.rules]

    @property
    def triggers(self) -> list[RuleDecl]:
        return [t for t in self.game.triggers.values() if not (t.made or is_idle(t, self.used))]

    @property
    def rules(self) -> list[RuleDecl]:
        rules = self.game.rules.values()
        return [r for r in rules if r.kind == "rule" and r.name in self.used.rules]

    def chapter(self, name: str) -> Section:
        key = f"chapter:{name}"
        return Section(self.targets.title(key), self.targets.of(key))

    # ------------------------------------------------------------ chapters
    def all(self) -> list[Section]:
        return [
            self.end(),
            self.components(),
            self.places(),
            self.setup(),
            self.course(),
            self.action_chapter(),
            self.trigger_chapter(),
            self.rule_chapter(),
            self.terms(),
            self.tables(),
            self.memory(),
            self.options(),
            self.upkeep(),
        ]

    def components(self) -> Section:
        out = self.chapter("components")
        rows = []
        for token in self.game.tokens.values():
            name = capital(self.writer.voice().noun_of(token.name))
            rows.append([self.targets.link(f"token:{token.name}", name), self.writer.total(token), ""])
            out.sections.append(self.writer.token(token))
        for comp in self.game.components.values():
            if comp.piece:
                count = "1 for each player" if comp.name.startswith("player.") else "1"
                rows.append([capital(self.writer.voice().name(comp.name)), count, comp.doc or ""])
                continue
            listed_below = bool(comp.rows and comp.fields)
            name = capital(self.writer.voice().noun_of(comp.name))
            link = self.targets.link(f"component:{comp.name}", name)
            rows.append([link, self.writer.total(comp), "" if listed_below else comp.doc or ""])
            if listed_below:
                out.sections.append(self.writer.component(comp))
        if rows:
            out.blocks.append(_grid(["Component", "Count", ""], rows, (1,)))
        return out

    def places(self) -> Section:
        out = self.chapter("places")
        rows = [
            self.writer.place_row(decl)
            for decl in self.game.places.values()
            if not decl.name.startswith("box of ")
        ]
        if rows:
            out.blocks.append(_grid(["Place", "Holds", "Who sees it", ""], rows))
        return out

    def setup(self) -> Section:
        out = self.chapter("setup")
        for phase in self.game.phases:
            if phase.name == SETUP:
                out.say(phase.doc)
                out.list(self.writer.part(phase.body), numbered=True)
        return out

    def course(self) -> Section:
        out = self.chapter("course")
        if len(self.phases) > 1:
            names = [self.writer.link("phase", p.name) for p in self.phases]
            out.say(f"The game has {number_word(len(names))} parts, one after the other: {listed(names)}.")
        out.sections = [self.writer.phase(phase) for phase in self.phases]
        return out

    def action_chapter(self) -> Section:
        out = self.chapter("actions")
        menus = [m for m in self.game.menus if m in self.used.menus]
        for menu in menus:
            names = [n for n in self.game.menus[menu] if n in self.used.rules]
            links = [self.writer.link("action", n) for n in names]
            if links and len(menus) > 1:
                out.say(f"{em(capital(words(menu)))}: {listed(links)}.")
        out.sections = [self.writer.rule(action) for action in self.actions]
        return out

    def trigger_chapter(self) -> Section:
        out = self.chapter("triggers")
        out.sections = [self.writer.trigger(t) for t in self.triggers if not self.is_upkeep(t)]
        if len(out.sections) > 1:
            out.say(
                "What one of these sets off is finished before anything else goes on. "
                "If several are called for at once, they follow the order below."
            )
        return out

    def rule_chapter(self) -> Section:
        out = self.chapter("rules")
        out.sections = [self.writer.rule(rule) for rule in self.rules if not self.is_upkeep(rule)]
        return out

    def end(self) -> Section:
        out = self.chapter("end")
        places = [self.writer.link("phase", p.name) for p in self.phases if self._finishes(p)]
        places += [
            self.writer.link(self.game.rules[n].kind, n) for n in self.game.rules if n in self.used.ends_in
        ]
        endings = [e for e in self.game.endings.values() if not (e.made or self.is_upkeep(e))]
        out.sections = [self.writer.ending(e) for e in endings]
        if places:
            more = ", or in one of the ways below" if out.sections else ""
            out.say(f"The game ends in {listed(places, 'or')}{more}.")
        if self.game.together:
            out.say("All players win or lose together.")
        if self.game.score is not None:
            out.sections.append(self.writer.define(self.game.score, "score"))
        return out

    def _finishes(self, phase: RuleDecl) -> bool:
        return any(isinstance(node, St) and isinstance(node, Finish) for node in walk(phase.body))

    def terms(self) -> Section:
        out = self.chapter("terms")
        out.sections = [self.writer.define(d) for d in self.terms_told if d.name != "score"]
        out.sections.sort(key=lambda section: section.title.lower())
        return out

    def tables(self) -> Section:
        out = self.chapter("tables")
        out.sections = [self.writer.table(d) for d in self.game.tables.values() if d.name in self.used.tables]
        return out

    def memory(self) -> Section:
        out = self.chapter("memory")
        out.list(
            [
                self.writer.state_step(s)
                for key, s in self.game.states.items()
                if key in self.used.states and key != NEXT
            ]
        )
        return out

    def options(self) -> Section:
        out = self.chapter("options")
        rows = [self.writer.option_row(o) for o in self.game.options.values()]
        if rows:
            out.say("Agree on these before you begin.")
            out.blocks.append(_grid(["Option", "Values", "Usually", ""], rows))
        return out

    def is_upkeep(self, decl: Decl) -> bool:
        """Limits, counters and the like, which `look ... hidden` keeps from players."""
        return self.game.looks.get(decl.name, Look()).hidden

    def upkeep(self) -> Section:
        """What only bounds a match or counts something."""
        out = self.chapter("upkeep")
        out.sections = [self.writer.trigger(t) for t in self.triggers if self.is_upkeep(t)]
        out.sections += [self.writer.rule(rule) for rule in self.rules if self.is_upkeep(rule)]
        out.sections += [
            self.writer.ending(e) for e in self.game.endings.values() if self.is_upkeep(e) and not e.made
        ]
        return out


def _grid(head: list[str], rows: list[list[str]], numbers: tuple[int, ...] = ()) -> Grid:
    """A table whose last column is for remarks; without any, it is left out."""
    if any(row[-1] for row in rows):
        return Grid(head, rows, numbers)
    return Grid(head[:-1], [row[:-1] for row in rows], numbers)
