"""Sections for single declarations: a component, an action, a trigger, a definition, an option."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..core import (
    CheckedGame,
    CompDecl,
    Conditional,
    Const,
    DefineDecl,
    EndingDecl,
    Ex,
    Let,
    Local,
    Nothing,
    OptionDecl,
    PlaceDecl,
    Require,
    RuleDecl,
    SeenByAll,
    St,
    StateDecl,
    TableDecl,
    TokenDecl,
    Var,
    applies,
)
from ..core import value_types as t
from .document import Grid, Section, Step, Targets, capital, em, plain
from .english import a, is_are, listed, plural, words
from .phrases import Phrases, audience_words
from .sentences import Sentences, lower
from .voice import Voice

_LONG = 15
"""Component tables with more rows than this are grouped by their first column."""

_LIFETIMES = {
    "turn": "at the end of the turn",
    "action": "at the end of the action",
    "phase": "at the end of the phase",
    "moved": "when it is moved",
}


_ENDING_TIMES = {
    None: "At once,",
    "turn": "At the beginning of a turn,",
    "round": "At the beginning of a round,",
    "rest": "Before anybody decides anything else,",
}


class Writer:
    """Writes the sections of one game; `targets` are the headings that its sentences may link to."""

    def __init__(self, game: CheckedGame, targets: Targets) -> None:
        self.game = game
        self.targets = targets

    def voice(self, me: str = "you") -> Voice:
        return Voice(self.game, self.targets, me)

    def section(self, key: str, title: str = "") -> Section:
        if not self.targets.has(key):
            self.targets.enter(key, title)
        return Section(self.targets.title(key), self.targets.of(key))

    def link(self, kind: str, name: str) -> str:
        """The name of a declaration, leading to it."""
        key = f"{kind}:{name}"
        title = self.targets.title(key) if self.targets.has(key) else capital(self.voice().name(name))
        return self.targets.link(key, title)

    # ------------------------------------------------------------ what there is
    def component(self, decl: CompDecl) -> Section:
        out = self.section(f"component:{decl.name}")
        out.say(decl.doc)
        fields = list(decl.fields)
        if not decl.rows or not fields:
            return out
        phrases = Phrases(self.voice())
        plain_counts = [count for _, count in decl.rows if not isinstance(count, Ex)]
        counted = any(count != 1 for count in plain_counts) or len(plain_counts) < len(decl.rows)
        head = [capital(words(f)) for f in fields] + (["Count"] if counted else [])
        rows = []
        for values, count in decl.rows:
            row = [self._printed(values[f], decl.fields[f]) for f in fields]
            if counted:
                row.append(phrases.thing(count) if isinstance(count, Ex) else str(count))
            rows.append(row)
        numbers = [i for i, f in enumerate(fields) if isinstance(decl.fields[f], t.Num)]
        if len(rows) > _LONG and 1 < len(fields) < 4:
            out.blocks.append(_grouped(head, rows, counted))
        else:
            out.blocks.append(Grid(head, rows, [*numbers, *([len(fields)] if counted else [])]))
        return out

    def _printed(self, value: int, type_: t.Type) -> str:
        if isinstance(type_, t.Opt) and value == -1:
            return "–"
        if isinstance(type_, t.SetOf):
            bits = [bit for bit in range(int(value).bit_length()) if int(value) >> bit & 1]
            if type_.of == t.DIRECTION:
                return " ".join(t.DIRECTIONS[bit] for bit in bits) or "–"
            return ", ".join(self.voice().value(bit, type_.of) for bit in bits) or "–"
        return capital(self.voice().value(value, type_))

    def token(self, decl: TokenDecl) -> Section:
        out = self.section(f"token:{decl.name}")
        out.say(decl.doc)
        values = self.game.kinds[decl.name].values
        phrases = Phrases(self.voice())
        rows = [
            [capital(self.voice().token(decl.name, value)), phrases.thing(amount)]
            for value, amount in zip(values, decl.amounts, strict=True)
        ]
        out.blocks.append(Grid([capital(self.voice().noun_of(decl.name)), "Count"], rows, (1,)))
        return out

    def total(self, decl: CompDecl | TokenDecl) -> str:
        """How many there are of it, if that depends on nothing."""
        if isinstance(decl, TokenDecl):
            amounts: list[Any] = list(decl.amounts)
        else:
            amounts = [count for _, count in decl.rows] or [decl.count]
        numbers = [x.value if isinstance(x, Ex) and isinstance(x, Const) else x for x in amounts]
        if all(isinstance(n, int) for n in numbers):
            return str(sum(numbers))
        return "varies"

    def place_row(self, decl: PlaceDecl) -> list[str]:
        """A row of the table of places."""
        name = words(decl.name)
        if decl.owner == "player":
            name = f"{name} (each {f'{words(decl.per)}' if decl.per else 'player'})"
        elif decl.owner:
            name = f"{name} (each {words(decl.owner)})"
        for index in decl.indices:
            name += f", one for each {self.voice().noun(index)}"
        phrases = Phrases(self.voice())
        shape = decl.form.words
        if decl.form.spaces and not decl.form.round:
            shape = "a grid that grows"
            if decl.width is not None and decl.height is not None:
                shape = f"{phrases.thing(decl.width)} by {phrases.thing(decl.height)} spaces"
        elif decl.form.round:
            assert decl.width is not None
            shape = f"a ring of {phrases.thing(decl.width)} spaces"
        holds = f"{plural(self.voice().noun_of(decl.of))}, {shape}"
        if decl.cap is not None:
            holds += f", at most {phrases.thing(decl.cap)}"
            if decl.rest is not None:
                holds += f" (what is too much goes to {phrases.thing(decl.rest)})"
        seen = audience_words(decl.seen, phrases)
        if decl.top_seen is not None:
            seen += f"; the top one: {audience_words(decl.top_seen, phrases)}"
        if not isinstance(decl.seen, SeenByAll) and not isinstance(decl.size_seen, SeenByAll):
            seen += f"; how many: {audience_words(decl.size_seen, phrases)}"
        return [capital(name), capital(holds), capital(seen), decl.doc or ""]

    def state_step(self, decl: StateDecl) -> Step:
        """A value that is kept track of."""
        name = em(words(decl.name))
        if decl.owner:
            name += f" (each {words(decl.owner)})"
        for index in decl.indices:
            name += f" for each {self.voice().noun(index)}"
        first = Phrases(self.voice()).thing(decl.initial)
        if isinstance(decl.type, t.YesNo):
            first = "yes" if isinstance(decl.initial, Const) and decl.initial.value else "no"
        elif isinstance(decl.initial.type, t.Nothing):
            first = "nothing"
        text = f"{name}: {self.type(decl.type)}; at first {first}"
        if decl.until == "next turn":
            text += ", and again at the beginning of that player's next turn"
        elif decl.until and decl.until.startswith("next "):
            text += f", and again whenever {words(decl.until[5:])} begins anew"
        elif decl.until:
            text += f", and again {_LIFETIMES.get(decl.until, f'at the end of {words(decl.until)}')}"
        return Step(f"{capital(text)}. {decl.doc or ''}".rstrip())

    def type(self, type_: t.Type) -> str:
        match type_:
            case t.Opt(of):
                return f"{self.type(of)} or nothing"
            case t.Num(low, high):
                return f"a number from {low} to {high}"
            case t.YesNo():
                return "yes or no"
            case t.SetOf(of):
                return f"any number of {plural(self.voice().noun(of))}"
        return a(self.voice().noun(type_))

    # ------------------------------------------------------------ what happens
    def rule(self, decl: RuleDecl) -> Section:
        """A rule or an action: what it is for, what it needs, what happens."""
        out = self.section(f"{decl.kind}:{decl.name}")
        sentences = Sentences(self.voice().addressing() if decl.uses_me else self.voice())
        given = sentences.voice.parameters(decl.params)
        template = self.voice().sentence(decl.name)
        if template is not None and decl.params:
            out.say(f"{em(capital(self._said(decl, sentences)))}.")
        elif given:
            out.say(f"For {listed(given)}.")
        out.say(decl.doc)
        header = decl.header if decl.kind == "action" else ()
        needs: list[Step] = []
        body = list(decl.body)
        while body and header and isinstance(body[0], Require | Let):
            st = body.pop(0)
            if isinstance(st, Require):
                needs.append(sentences.requirement(st))
            else:
                needs += sentences.steps([st])
        if needs:
            out.say("Only if:" if len(needs) > 1 else f"Only if {lower(needs[0].text)}")
            if len(needs) > 1:
                out.list(needs)
        steps = sentences.steps(body)
        self._tell(out, steps)
        self.hooks(out, decl)
        return out

    def _said(self, decl: RuleDecl, sentences: Sentences) -> str:
        args = [Local(var.type, decl.span, var) for var in decl.params]
        return plain(sentences.happening(decl.name, args, linked=False))

    def _tell(self, out: Section, steps: Sequence[Step]) -> None:
        if len(steps) == 1 and not steps[0].steps:
            out.say(steps[0].text)
        else:
            out.list(steps, numbered=len(steps) > 1)

    def hooks(self, out: Section, decl: RuleDecl) -> None:
        """Links to the triggers of a rule."""
        names = {("rule", decl.name), ("action", decl.name), ("phase", decl.name)}
        if decl.menu:
            names.add(("menu", decl.menu))
        for timing, said in (
            ("before", "Before this"),
            ("instead", "Instead of this"),
            ("after", "After this"),
        ):
            hits = [
                self.link("trigger", t.name)
                for t in self.game.triggers.values()
                if t.timing.startswith(timing)
                and any(event in names for event in t.events)
                and self.targets.has(f"trigger:{t.name}")
            ]
            if hits:
                out.say(f"{said}, see {listed(hits)}.")

    def trigger(self, decl: RuleDecl) -> Section:
        out = self.section(f"trigger:{decl.name}")
        sentences = Sentences(self.voice())
        sentences.voice.introduce(decl.params, running=False)
        if decl.me is not None and isinstance(decl.me, Local):
            sentences.voice.call(decl.me.var, "you")
        events = listed([self.event(event, decl, sentences) for event in decl.events], "or")
        timing = {"before": "Before", "after": "When" if self._is_event_rule(decl) else "After"}.get(
            decl.timing, "Instead of what follows when"
        )
        text = f"{timing} {events}"
        if decl.where is not None:
            text += f", if {sentences.say.clause(decl.where)}"
        if decl.me is not None and not isinstance(decl.me, Local):
            text += f", {sentences.say.thing(decl.me)} does this"
        out.say(decl.doc)
        steps = sentences.steps(decl.body)
        if len(steps) == 1 and not steps[0].steps:
            out.say(f"{text}: {lower(steps[0].text)}")
        else:
            out.say(f"{text}:")
            out.list(steps, numbered=len(steps) > 1)
        return out

    def _is_event_rule(self, decl: RuleDecl) -> bool:
        """Do all its events stand for a moment only, with no effect of their own?"""
        rules = [self.game.rules.get(name) for kind, name in decl.events if kind == "rule"]
        return len(rules) == len(decl.events) and all(
            r is not None and all(isinstance(st, Nothing) for st in r.body) for r in rules
        )

    def event(self, event: tuple[str, str], decl: RuleDecl, sentences: Sentences) -> str:
        """An event as a clause: "the chamber is placed", "your turn"."""
        kind, name = event
        voice = sentences.voice
        match kind:
            case "rule" | "action":
                rule = self.game.rules[name]
                template = voice.sentence(name)
                refs = {
                    own.name: voice.names.get(var.uid, words(var.name))
                    for own, var in zip(rule.params, decl.params, strict=False)
                }
                text = voice.filled(template, refs) if template is not None else em(words(name))
                if template is None and refs:
                    text += f" ({listed(list(refs.values()))})"
                return self.targets.link(f"{rule.kind}:{name}", text)
            case "menu":
                return f"something of {em(words(name))} is done"
            case "scope" if any(phase.name == name for phase in self.game.phases):
                return f"the phase {self.link('phase', name)}"
            case "turn" | "scope":
                who = voice.names.get(decl.params[0].uid, "a player") if decl.params else "a player"
                return f"{who}'s turn".replace("you's", "your")
            case "entering" | "leaving":
                owner, _, place = name.rpartition(".")
                noun = "something"
                where = f"a player's {words(place)}" if owner == "player" else f"the {words(place)}"
                return f"{noun} comes into {where}" if kind == "entering" else f"{noun} leaves {where}"
        return em(words(name))

    def phase(self, decl: RuleDecl) -> Section:
        out = self.section(f"phase:{decl.name}")
        out.say(decl.doc)
        steps = Sentences(self.voice()).steps(decl.body)
        self._tell(out, steps)
        self.hooks(out, decl)
        return out

    def ending(self, decl: EndingDecl) -> Section:
        out = self.section(f"ending:{decl.name}")
        out.say(decl.doc)
        sentences = Sentences(self.voice())
        if decl.var is not None:
            sentences.voice.call(decl.var, "a player")
        when = f"if {sentences.say.clause(decl.when if decl.after is None else decl.after[1])}"
        if decl.var is not None:
            sentences.voice.call(decl.var, "that player")
        lead = _ENDING_TIMES[decl.before]
        if decl.after is not None:
            turns = f"so many more turns are taken: {sentences.say.thing(decl.after[0])}"
            out.say(f"Once {when.removeprefix('if ')}, {turns}. The turn under way does not count.")
            lead, when = "Behind the last of them,", ""
        steps = sentences.steps(decl.body)
        if len(steps) == 1 and not steps[0].steps:
            out.say(f"{lead} {when}: {lower(steps[0].text)}" if when else f"{lead} {lower(steps[0].text)}")
        else:
            out.say(f"{lead} {when}:")
            out.list(steps, numbered=True)
        return out

    # ------------------------------------------------------------ what words mean
    def define(self, decl: DefineDecl, name: str | None = None) -> Section:
        out = self.section(f"term:{name or decl.name}")
        if decl.told:
            sentences = Sentences(self.voice())
            given = sentences.voice.parameters(decl.params)
            if given:
                out.say(f"For {listed(given)}.")
            out.say(decl.doc)
            self._tell(out, sentences.steps(decl.told))
            return out
        meaning = self.meaning(decl)
        if decl.doc and _same_words(decl.doc, meaning.partition(":")[0]):
            meaning, doc = meaning, None
        else:
            doc = decl.doc
        out.say(doc)
        out.say(meaning)
        return out

    def meaning(self, decl: DefineDecl) -> str:
        """What a definition says, as a sentence."""
        voice = self.voice()
        voice.introduce(decl.params, running=False)
        phrases = Phrases(voice)
        args = tuple(Local(var.type, decl.span, var) for var in decl.params)
        said = plain(phrases.defined(decl, args))
        if isinstance(decl.type, t.YesNo):
            return f"{capital(em(capital(said)))}: that is so if {phrases.clause(decl.body)}."
        many = isinstance(t.plain(decl.type), t.SetOf | t.ListOf)
        many = many and not (applies(decl.body, "set") and len(decl.body.args) == 1)
        if plain(phrases.thing(decl.body)) == said:
            return ""
        if isinstance(decl.body, Conditional):
            return f"{em(capital(said))}:{self._by_cases(decl.body, phrases)}."
        return f"{em(capital(said))} {is_are('', many)} {phrases.thing(decl.body)}."

    def says_itself(self, decl: DefineDecl) -> bool:
        """Is its sentence all that it means, and nothing is written under it?"""
        return not decl.doc and not decl.told and not self.meaning(decl)

    def _by_cases(self, ex: Ex, phrases: Phrases) -> str:
        text = ""
        while isinstance(ex, Conditional):
            condition, yes, ex = (ex.condition, ex.then, ex.otherwise)
            text += f" if {phrases.clause(condition)}, {phrases.thing(yes)};"
        return f"{text} otherwise {phrases.thing(ex)}"

    def table(self, decl: TableDecl) -> Section:
        out = self.section(f"table:{decl.name}")
        out.say(decl.doc)
        voice = self.voice()
        if len(decl.params) == 2:
            across = list(dict.fromkeys(keys[1] for keys, _ in decl.rows))
            down = list(dict.fromkeys(keys[0] for keys, _ in decl.rows))
            found = dict(decl.rows)
            head = [self._column(decl.params[0])] + [
                capital(voice.value(key, decl.params[1].type)) for key in across
            ]
            rows = [
                [capital(voice.value(key, decl.params[0].type))]
                + [
                    voice.value(found[(key, other)], decl.type) if (key, other) in found else ""
                    for other in across
                ]
                for key in down
            ]
        else:
            head = [*(self._column(var) for var in decl.params), capital(words(decl.name))]
            rows = _ranged(
                [(keys, voice.value(value, decl.type)) for keys, value in decl.rows],
                [var.type for var in decl.params],
                voice,
            )
        out.blocks.append(Grid(head, rows, tuple(range(1, len(head)))))
        return out

    def _column(self, var: Var) -> str:
        return capital(words(var.name) if len(var.name) > 2 else self.voice().noun(var.type))

    def option_row(self, decl: OptionDecl) -> list[str]:
        phrases = Phrases(self.voice())
        match decl.type:
            case t.Num(low, high):
                values = f"{low} to {high}"
            case t.YesNo():
                values = "yes or no"
            case t.Kind(name):
                values = ", ".join(self.game.kinds[name].values)
            case _:
                values = ""
        default = decl.default
        shown = phrases.thing(default) if isinstance(default, Ex) else str(default)
        if isinstance(decl.type, t.YesNo) and isinstance(default, Ex) and isinstance(default, Const):
            shown = "yes" if default.value else "no"
        return [words(decl.name), values, plain(shown), decl.doc or ""]

    def part(self, statements: Sequence[St]) -> list[Step]:
        """Statements on their own, as for a replaced step."""
        return Sentences(self.voice()).steps(statements)


def _same_words(one: str, other: str) -> bool:
    """Do two sentences say the same, articles and punctuation aside?"""

    def bare(text: str) -> list[str]:
        return [
            w for w in re.findall(r"\w+", plain(text).lower()) if w not in ("a", "an", "the", "are", "is")
        ]

    short = bare(one)
    return short == bare(other)[: len(short)]


def _grouped(head: list[str], rows: list[list[str]], counted: bool) -> Grid:
    """A long table by its first column: what there is of each, and how many of it."""
    groups: dict[str, list[list[str]]] = {}
    for row in rows:
        groups.setdefault(row[0], []).append(row[1:] if counted else [*row[1:], "1"])
    names = head[1:-1] if counted else head[1:]
    out = []
    for first, members in groups.items():
        kinds = []
        for *values, count in members:
            shown = " ".join(value for value in values if value != "–") or "–"
            kinds.append(shown if count == "1" else f"{shown} ({count}×)")
        total = sum(int(m[-1]) for m in members) if all(m[-1].isdigit() for m in members) else ""
        out.append([first, ", ".join(kinds), str(total)])
    return Grid([head[0], " ".join(names), "Count"], out, (2,))


def _ranged(entries: list[tuple[tuple[Any, ...], str]], types: list[t.Type], voice: Voice) -> list[list[str]]:
    """Rows of a table with one key; runs of numbers with the same value are drawn together."""
    if len(types) != 1 or not isinstance(types[0], t.Num):
        return [
            [capital(voice.value(k, ty)) for k, ty in zip(keys, types, strict=True)] + [v]
            for keys, v in entries
        ]
    out: list[tuple[int, int, str]] = []
    for keys, value in entries:
        key = int(keys[0])
        if out and out[-1][2] == value and out[-1][1] == key - 1:
            out[-1] = (out[-1][0], key, value)
        else:
            out.append((key, key, value))
    return [[str(low) if low == high else f"{low} to {high}", value] for low, high, value in out]
