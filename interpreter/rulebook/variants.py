"""The chapter about variants: for each, what it adds, changes and takes away.

The items of a variant are read from its syntax tree; their words come from the
checked game that the variant makes, so that a sentence means what it means
there. Links lead to the variant's own version where it has one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import frozen

from ...grammar import Span, syntax
from ..core import CheckedGame, For, Repeat, Rounds, St, Turns, applies, bodies, changed
from ..overlay.lay import name_of, word_for
from ..overlay.layers import HEADLESS
from .document import Paragraph, Section, Step, Targets, capital, em
from .english import listed, words
from .phrases import Phrases
from .reachable import walk
from .writer import Writer


@frozen
class VariantRules:
    """A variant and the game that it makes."""

    variant: syntax.Variant
    game: CheckedGame


def variant_sections(base: CheckedGame, variants: Sequence[VariantRules], targets: Targets) -> list[Section]:
    for rules in variants:
        targets.enter(f"variant:{rules.variant.name}", str(rules.variant.name))
    return [_Variant(base, rules, targets).section() for rules in variants]


_IN_TABLES = (
    syntax.RemoveRows,
    syntax.ChangeRows,
    syntax.ChangeTable,
    syntax.ChangeToken,
    syntax.AddRows,
    syntax.AddToken,
    syntax.AddFields,
)
"""After these a table is shown as a whole."""


class _Variant:
    def __init__(self, base: CheckedGame, rules: VariantRules, targets: Targets) -> None:
        self.base = base
        self.variant = rules.variant
        self.game = rules.game
        self.outer = targets
        self.targets = targets.over()
        self.writer = Writer(self.game, self.targets)

    def section(self) -> Section:
        key = f"variant:{self.variant.name}"
        out = Section(self.outer.title(key), self.outer.of(key))
        if self.variant.doc is not None:
            out.say(str(self.variant.doc.text))
        self._company(out)
        self._headings()
        changes: list[Step] = []
        for item in self.variant.items:
            self._item(item, out, changes)
        if changes:
            out.list(changes)
        return out

    def _company(self, out: Section) -> None:
        from .book import players_text

        if self.game.players != self.base.players:
            out.say(f"For {players_text(self.game.players)}.")
        for clause in self.variant.clauses:
            names = [self.outer.link(f"variant:{name}", str(name)) for name in clause.names]
            if isinstance(clause, syntax.Excludes):
                out.say(f"Not together with {listed(names, 'or')}.")
            elif isinstance(clause, syntax.Needs):
                out.say(f"Only together with {listed(names)}.")

    # ------------------------------------------------------------ headings first, for links
    def _headings(self) -> None:
        entered: set[str] = set()
        for item in self.variant.items:
            for key, name in (pair for decl in _declarations(item) for pair in self._keys(decl)):
                is_thing = key.startswith(("component:", "token:"))
                voice = self.writer.voice()
                title = capital(voice.noun_of(name) if is_thing else voice.name(name))
                if key in entered:
                    continue
                entered.add(key)
                self.targets.enter_again(key, title, str(self.variant.name))

    def _keys(self, decl: Any) -> list[tuple[str, str]]:
        """The headings that a declaration gets."""
        if isinstance(decl, _IN_TABLES):
            kind, changed = _changed_table(decl)
            return [(f"{kind}:{changed}", changed)]
        word = word_for(decl) if not isinstance(decl, syntax.EachHas | syntax.EachHasOne) else ""
        name = name_of(decl) if hasattr(decl, "name") else ""
        game = self.game
        if word in ("rule", "action") and name in game.rules:
            return [(f"{game.rules[name].kind}:{name}", name)]
        if word == "trigger" or word == "ending" or word == "table":
            return [(f"{word}:{name}", name)]
        if word == "define":
            return [(f"term:{name}", name)]
        if word == "score":
            return [("term:score", "score")]
        if word == "token":
            return [(f"token:{name}", name)]
        if word == "component" and game.components[name].rows:
            return [(f"component:{name}", name)]
        return []

    # ------------------------------------------------------------ item by item
    def _item(self, item: Any, out: Section, changes: list[Step]) -> None:
        match item:
            case syntax.Replace(decl=decl):
                self._declared(decl, out, changes, replaced=True)
            case syntax.Remove(word=word, path=path):
                changes.append(Step(self._removed(str(word), path.span)))
            case syntax.ReplaceStep(path=path, body=body):
                steps = self.writer.part(self._inside(body.span))
                changes.append(Step(f"{self._step_of(path.span.text)} is replaced by this:", steps))
            case syntax.BeforeStep(path=path, body=body):
                steps = self.writer.part(self._inside(body.span))
                changes.append(Step(f"{self._step_of(path.span.text)} begins with this:", steps))
            case syntax.AfterStep(path=path, body=body):
                steps = self.writer.part(self._inside(body.span))
                changes.append(Step(f"{self._step_of(path.span.text)} ends with this:", steps))
            case syntax.BeforeDecl(decls=decls) | syntax.AfterDecl(decls=decls):
                for decl in decls:
                    self._declared(decl, out, changes, replaced=False)
            case _ if isinstance(item, _IN_TABLES):
                self._changed(item, out)
            case _ if type(item) in HEADLESS:
                self._declared(item, out, changes, replaced=True)
            case syntax.AddKinds(name=name, values=values):
                changes.append(Step(f"New among {words(str(name))}: {listed([words(v) for v in values])}."))
            case syntax.ChangePlace(path=path):
                changes.append(Step(self._thing("place", path.span.text.strip())))
            case syntax.ChangeTurns(name=name):
                changes += self._turns(str(name))
            case syntax.ChangeDoc():
                pass
            case syntax.SetOption(name=name):
                changes.append(Step(self._set(str(name))))
            case syntax.Demand():
                if item.because is not None:
                    changes.append(Step(f"{capital(str(item.because))}."))
            case _:
                self._declared(item, out, changes, replaced=False)

    def _changed(self, item: Any, out: Section) -> None:
        """A table of which some entries are other ones is shown as a whole, once."""
        kind, name = _changed_table(item)
        section = {
            "component": lambda: self.writer.component(self.game.components[name]),
            "token": lambda: self.writer.token(self.game.tokens[name]),
            "table": lambda: self.writer.table(self.game.tables[name]),
        }[kind]()
        if all(known.target != section.target for known in out.sections):
            title = self.outer.title(f"{kind}:{name}") if self.outer.has(f"{kind}:{name}") else words(name)
            link = self.outer.link(f"{kind}:{name}", title)
            section.blocks.insert(0, Paragraph(f"This takes the place of {link}."))
            out.sections.append(section)

    def _turns(self, label: str) -> list[Step]:
        """Who begins, is next and is skipped, as it is now."""
        for owner in (*self.game.phases, *self.game.rules.values(), *self.game.triggers.values()):
            for st in _turns_in(owner.body):
                if st.label == label:
                    steps = self.writer.part((changed(st, body=()),))
                    return [Step(step.text.removesuffix(" In your turn:")) for step in steps]
        return []

    def _set(self, name: str) -> str:
        if name not in self.game.options:
            return self.writer.meaning(self.game.defines[name])
        phrases = Phrases(self.writer.voice())
        new = phrases.thing(self.game.options[name].default)
        old = phrases.thing(self.base.options[name].default) if name in self.base.options else ""
        link = self.outer.link("chapter:options", em(words(name)))
        return f"The option {link} is {new}" + (f" instead of {old}." if old and old != new else ".")

    def _removed(self, word: str, span: Span) -> str:
        name = span.text.strip()
        if word == "step":
            return f"{self._step_of(name)} is left out."
        key = {"define": "term"}.get(word, word)
        if not self.outer.has(f"{key}:{name}"):
            return f"There is no {em(words(name))}."
        return f"There is no {self.outer.link(f'{key}:{name}', self.outer.title(f'{key}:{name}'))}."

    def _step_of(self, path: str) -> str:
        owner, _, step = path.strip().rpartition(".")
        for key in (f"rule:{owner}", f"action:{owner}", f"phase:{owner}"):
            if self.outer.has(key):
                return f"In {self.outer.link(key, capital(words(owner)))}, the part {em(words(step))}"
        for phase in self.base.phases:
            labels = {str(_label(st)) for st in walk(phase.body) if isinstance(st, St)}
            if owner in labels:
                return f"In {self.writer.link('phase', phase.name)}, the part {em(words(step))}"
        return f"In {em(words(owner))}, the part {em(words(step))}"

    def _inside(self, span: Span) -> list[St]:
        """The outermost statements of the checked game that were written inside a span."""
        found: list[St] = []
        bodies: list[Any] = [r.body for r in (*self.game.rules.values(), *self.game.triggers.values())]
        bodies += [p.body for p in self.game.phases]

        def within(inner: Span) -> bool:
            return (
                inner.source.name == span.source.name and span.start <= inner.start and inner.end <= span.end
            )

        for body in bodies:
            for st in walk(body):
                if isinstance(st, St) and within(st.span) and not any(_holds(other, st) for other in found):
                    found.append(st)
        return found

    def _declared(self, decl: Any, out: Section, changes: list[Step], *, replaced: bool) -> None:
        game, writer = self.game, self.writer
        section: Section | None = None
        word = word_for(decl) if not isinstance(decl, syntax.EachHas | syntax.EachHasOne) else "each"
        name = name_of(decl) if hasattr(decl, "name") else ""
        match word:
            case "rule" | "action":
                section = writer.rule(game.rules[name])
            case "trigger":
                section = writer.trigger(game.triggers[name])
            case "ending":
                section = writer.ending(game.endings[name])
            case "define":
                section = writer.define(game.defines[name])
            case "score" if game.score is not None:
                section = writer.define(game.score, "score")
            case "table":
                section = writer.table(game.tables[name])
            case "token":
                section = writer.token(game.tokens[name])
            case "component":
                section = writer.component(game.components[name])
            case "option":
                row = writer.option_row(game.options[name])
                changes.append(
                    Step(f"There is an option {em(row[0])} ({row[1]}; usually {row[2]}). {row[3]}".rstrip())
                )
            case "place" | "state" | "partition":
                changes.append(Step(self._thing(word, name)))
            case "each":
                owner = str(decl.owner)
                for member in decl.members:
                    changes.append(Step(self._thing(word_for(member), f"{owner}.{member.name}")))
        if section is not None:
            if replaced:
                section.blocks.insert(0, Paragraph(self._instead(word, name)))
            out.sections.append(section)

    def _instead(self, word: str, name: str) -> str:
        key = {"define": "term", "score": "term"}.get(word, word)
        full = f"{key}:{name or 'score'}"
        title = self.outer.title(full) if self.outer.has(full) else capital(words(name))
        return f"This takes the place of {self.outer.link(full, title)}."

    def _thing(self, word: str, name: str) -> str:
        game, writer = self.game, self.writer
        if word == "place" and name in game.places:
            place, holds, seen, doc = writer.place_row(game.places[name])
            return f"{place}: {holds[:1].lower() + holds[1:]}; seen by {seen[:1].lower() + seen[1:]}. {doc}".rstrip()
        if word == "state" and name in game.states:
            return f"Keep track of {writer.state_step(game.states[name]).text}"
        if word == "partition" and name in game.partitions:
            decl = game.partitions[name]
            voice = writer.voice()
            voice.call(decl.var, "their seat number")
            if applies(decl.by, "mod") and applies(decl.by.args[0], "seat"):
                apart = Phrases(voice).thing(decl.by.args[1])
                return (
                    f"Players who sit ({apart}) seats apart form a {words(name)}. {decl.doc or ''}".rstrip()
                )
            by = Phrases(voice).thing(decl.by)
            return f"Players with the same value of {by} form a {words(name)}. {decl.doc or ''}".rstrip()
        return f"There is a {words(name)}."


def _turns_in(body: Sequence[St]) -> Iterator[Turns]:
    for st in body:
        if isinstance(st, Turns):
            yield st
        for inside in bodies(st):
            yield from _turns_in(inside)


def _label(st: St) -> Any:
    """The name of a loop."""
    return st.label if isinstance(st, Turns | Rounds | For | Repeat) else None


def _declarations(item: Any) -> tuple[Any, ...]:
    """What an item of a variant declares."""
    if isinstance(item, syntax.BeforeDecl | syntax.AfterDecl):
        return tuple(item.decls)
    return (item.decl,) if isinstance(item, syntax.Replace) else (item,)


def _changed_table(item: Any) -> tuple[str, str]:
    """The kind and name of the table that an item changes entries of."""
    if isinstance(item, syntax.ChangeTable):
        return "table", str(item.name)
    if isinstance(item, syntax.AddRows) and str(item.name)[:1].islower():
        return "table", str(item.name)
    if isinstance(item, syntax.ChangeToken | syntax.AddToken):
        return "token", str(item.name)
    if isinstance(item, syntax.ChangeRows | syntax.AddRows | syntax.AddFields):
        return "component", str(item.name)
    return "component" if str(item.word) == "rows" else str(item.word), item.path.span.text.strip()


def _holds(outer: St, inner: St) -> bool:
    return outer.span.start <= inner.span.start and inner.span.end <= outer.span.end and outer is not inner
