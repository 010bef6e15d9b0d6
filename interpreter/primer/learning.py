"""The book to learn from, chapter by chapter; the exact rules stand behind it.

The words are those that authors wrote under their rules; the order is that of play. Where
there are none, the exact sentences stand in, so that also a bare rule file has a book.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ..core import CompDecl, Decl, PlaceDecl, RuleDecl, SeenByOwner
from ..core import value_types as t
from ..play.engine import Engine
from ..play.game import Game
from ..rulebook.book import SETUP, write_book
from ..rulebook.document import (
    Book,
    Entries,
    Entry,
    Gallery,
    Grid,
    Paragraph,
    Picture,
    Section,
    Step,
    Targets,
    capital,
    plain,
    strong,
)
from ..rulebook.english import listed, plural
from ..rulebook.reachable import reached
from ..rulebook.variants import VariantRules
from ..rulebook.writer import Writer
from ..table.dress import UNICODE
from ..table.scene import Setter
from ..table.words import Words
from .plain_words import about_values, in_order, is_upkeep, lesson
from .staging import examples, set_up, tile

MOST_ROWS = 8
EXACTLY = "The rules exactly"


def book_to_learn(game: Game, variants: Sequence[VariantRules] = (), shown: Sequence[Game] = ()) -> Book:
    """The whole book: first what one needs to play, then the exact rules, folded. `shown` are variants
    whose scenarios are its examples."""
    targets = Targets()
    chapters = _Chapters(game, targets)
    for key, title in _TITLES.items():
        targets.enter(f"lesson:{key}", title)
    exact = write_book(game.checked, variants, targets)
    book = Book(exact.title, exact.lead, exact.intro)
    sections = [
        chapters.box(),
        chapters.setup(),
        chapters.course(),
        *chapters.things(),
        chapters.end(),
        chapters.tables(),
        chapters.examples(shown),
        chapters.variants(variants),
    ]
    book.sections = [section for section in sections if not section.is_empty]
    last = Section(EXACTLY, targets.of("lesson:exactly"), folded=True)
    last.say(
        "Every rule in full, for looking things up: what is above in brief, what decides in a doubtful case."
    )
    last.sections = exact.sections
    book.sections.append(last)
    return book


_TITLES = {
    "box": "The pieces",
    "setup": "Before you start",
    "course": "How to play",
    "end": "The end of the game",
    "tables": "Numbers to know",
    "examples": "Examples",
    "variants": "Other ways to play",
    "exactly": EXACTLY,
}


class _Chapters:
    def __init__(self, game: Game, targets: Targets) -> None:
        self.game, self.checked, self.targets = game, game.checked, targets
        self.writer = Writer(self.checked, targets)
        self.voice = self.writer.voice()
        self.charts = self._charts()
        self.charted = {d.name for chart in self.charts.values() for found in chart.values() for d in found}
        for chart in self.charts.values():
            for value, found in chart.items():
                chart[value] = list(self._with_actions(found))

    def _with_actions(self, decls: Sequence[Decl]) -> Iterator[Decl]:
        """What is told of a value, and the actions that only this leads to."""
        for decl in decls:
            yield decl
            if isinstance(decl, RuleDecl):
                for action in in_order(self.checked, decl.body, set(self.charted)):
                    if action.kind == "action" and lesson(action):
                        self.charted.add(action.name)
                        yield action

    def chapter(self, key: str) -> Section:
        return Section(_TITLES[key], self.targets.of(f"lesson:{key}"))

    def _charts(self) -> dict[tuple[str, str], dict[str, list[Decl]]]:
        """By component and field: what is said of each value of the kind that is printed there."""
        out = {}
        for comp in self.checked.components.values():
            for name, type_ in comp.fields.items():
                kind = t.plain(type_)
                if not isinstance(kind, t.Kind) or kind.name not in self.checked.kinds or not comp.rows:
                    continue
                found = about_values(self.checked, kind.name)
                spoken = [v for v in found if found[v] or self._says(kind.name, v)]
                if len(spoken) > 1:
                    out[comp.name, name] = {value: found[value] for value in spoken}
        return out

    def _says(self, kind: str, value: str) -> str:
        look = self.checked.looks.get(f"{kind}.{value}")
        return look.says or "" if look is not None else ""

    # ------------------------------------------------------------ what there is, and how it lies
    def box(self) -> Section:
        out = self.chapter("box")
        rows = []
        for token in self.checked.tokens.values():
            rows.append(
                [capital(plural(self.voice.noun_of(token.name))), self.writer.total(token), lesson(token)]
            )
        for comp in self.checked.components.values():
            if comp.piece:
                count = "1 each" if comp.name.startswith("player.") else "1"
                rows.append([capital(self.voice.name(comp.name)), count, lesson(comp)])
            else:
                rows.append(
                    [capital(plural(self.voice.noun_of(comp.name))), self.writer.total(comp), lesson(comp)]
                )
        if rows:
            out.blocks.append(Grid(["Pieces", "Count", ""], rows, (1,)))
        return out

    def setup(self) -> Section:
        out = self.chapter("setup")
        for phase in self.checked.phases:
            if phase.name == SETUP:
                if lesson(phase):
                    out.say(lesson(phase))
                else:
                    out.list(self.writer.part(phase.body), numbered=True)
                    out.list(self._steps(in_order(self.checked, phase.body, set())))
        mine = [self.voice.name(p.name) for p in self._own()]
        if mine:
            out.say(f"Only you may look at your {listed(mine)}.")
        drawn = set_up(self.game)
        if drawn is not None:
            out.blocks.append(Gallery((drawn,)))
        return out

    def _own(self) -> list[PlaceDecl]:
        return [
            p
            for p in self.checked.places.values()
            if p.owner == "player" and isinstance(p.seen, SeenByOwner) and not is_upkeep(self.checked, p)
        ]

    # ------------------------------------------------------------ what happens
    def course(self) -> Section:
        out = self.chapter("course")
        seen = set(self.charted)
        phases = [p for p in self.checked.phases if p.name != SETUP and not is_upkeep(self.checked, p)]
        for phase in phases:
            name = f"{strong(capital(self.voice.name(phase.name)))}. " if len(phases) > 1 else ""
            if lesson(phase):
                out.say(f"{name}{lesson(phase)}")
            else:
                out.say(name.rstrip())
                out.list(self.writer.part(phase.body), numbered=True)
            out.list(self._steps(in_order(self.checked, phase.body, seen)))
        return out

    def _steps(self, decls: Iterable[RuleDecl]) -> list[Step]:
        """What can be done by its name, what happens by its words alone."""
        out = []
        for decl in decls:
            if lesson(decl):
                name = f"{strong(capital(self.voice.name(decl.name)))}. " if decl.kind == "action" else ""
                out.append(Step(f"{name}{lesson(decl)}"))
        return out

    # ------------------------------------------------------------ one thing after the other
    def things(self) -> list[Section]:
        out = []
        engine = self.game.engine(min(self.game.players))
        words = Words(engine, UNICODE)
        setter = Setter(words, self.game.table(min(self.game.players)))
        for (comp, field), chart in self.charts.items():
            kind = t.plain(self.checked.components[comp].fields[field])
            assert isinstance(kind, t.Kind)
            noun = plural(self.voice.noun_of(comp))
            key = f"lesson:{comp}.{field}"
            title = self.targets.enter(key, f"The {noun} one by one")
            entries = []
            for value, decls in chart.items():
                name = capital(self.voice.kind_label(kind.name, value))
                told = [
                    re.sub(f"^{re.escape(name)}: ", "", lesson(decl), flags=re.IGNORECASE) for decl in decls
                ]
                text = self._says(kind.name, value) or " ".join(dict.fromkeys(map(capital, told)))
                drawn, count = self._printed(
                    engine, words, setter, self.checked.components[comp], field, value, name
                )
                entries.append(Entry(name, text, drawn, f"× {count}" if count else ""))
            entries.sort(key=lambda entry: entry.title.lower())
            section = Section(title, self.targets.of(key))
            section.blocks.append(Entries(entries))
            out.append(section)
        return out

    def _printed(
        self, engine: Engine, words: Words, setter: Setter, comp: CompDecl, field: str, value: str, name: str
    ) -> tuple[Picture | None, int]:
        kind = t.plain(comp.fields[field])
        assert isinstance(kind, t.Kind)
        number = self.checked.kinds[kind.name].values.index(value)
        column = engine.layout.comps[comp.name].columns[field]
        found = [n for n, printed in enumerate(column) if printed == number]
        if not found:
            return None, 0
        return tile(words, setter, f"{comp.name}#{found[-1] + 1}", name), len(found)

    # ------------------------------------------------------------ how it ends, and what else there is
    def end(self) -> Section:
        out = self.chapter("end")
        steps = []
        for ending in self.checked.endings.values():
            if not is_upkeep(self.checked, ending):
                text = lesson(ending) or plain(" ".join(_paragraphs(self.writer.ending(ending))))
                steps.append(Step(f"{strong(capital(self.voice.name(ending.name)))}. {text}"))
        if self.checked.score is not None:
            text = lesson(self.checked.score) or plain(
                " ".join(_paragraphs(self.writer.define(self.checked.score, "score")))
            )
            steps.append(Step(f"{strong('Score')}. {text}"))
        out.list(steps)
        return out

    def tables(self) -> Section:
        """Short tables that play looks up."""
        out = self.chapter("tables")
        used = reached(self.checked).tables
        for decl in self.checked.tables.values():
            if decl.name not in used or is_upkeep(self.checked, decl):
                continue
            section = self.writer.table(decl)
            grids = [block for block in section.blocks if isinstance(block, Grid)]
            if any(len(grid.rows) <= MOST_ROWS for grid in grids):
                out.say(f"{strong(capital(self.voice.name(decl.name)))}. {lesson(decl)}".strip())
                out.blocks += grids
        return out

    def examples(self, shown: Sequence[Game]) -> Section:
        out = self.chapter("examples")
        for game in shown:
            for one in examples(game):
                key = f"example:{one.name}"
                part = Section(self.targets.enter(key, one.name), self.targets.of(key))
                part.say(one.doc)
                part.list([Step(line) for line in one.refused])
                part.blocks.append(Gallery(one.pictures))
                out.sections.append(part)
        return out

    def variants(self, variants: Sequence[VariantRules]) -> Section:
        out = self.chapter("variants")
        rows = []
        for variant in variants:
            name = str(variant.variant.name)
            doc = variant.variant.doc
            rows.append([self.targets.link(f"variant:{name}", name), str(doc.text) if doc else ""])
        if rows:
            out.blocks.append(Grid(["Variant", ""], rows))
        return out


def _paragraphs(section: Section) -> list[str]:
    return [block.text for block in section.blocks if isinstance(block, Paragraph)]
