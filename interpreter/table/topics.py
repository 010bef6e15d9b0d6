"""What somebody at the table can ask about by name: rules, actions, components, kinds, places, states, options."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import partial

from attrs import frozen

from ..core import CheckedGame, Decl
from ..core.look import Look
from ..play.match import Match
from ..rulebook.document import Targets
from ..rulebook.told import told, told_thing
from ..rulebook.writer import Writer
from .explaining import cited, rulebook
from .text import Line
from .words import Words, capital, listed

ALIKE = 0.8
"""So much alike, a name is taken for another one that is spelt a little differently."""
NEAR = 0.5
MOST_NAMES = 8
MOST_MENTIONS = 6


@frozen
class Topic:
    """A thing of the game: what it is called, what sort of thing it is, and what the rulebook says of it."""

    name: str
    sort: str
    names: frozenset[str]
    say: Callable[[], list[str]]
    decl: Decl | None = None


def about(match: Match, words: Words, text: str) -> list[Line | str]:
    """What the rulebook says of a thing; the nearest names where nothing is called so."""
    everything = list(topics(match, words))
    wanted = _simple(text)
    found = [topic for topic in everything if wanted in topic.names]
    if not found and len(wanted) > 1:
        found = [topic for topic in everything if any(f" {wanted}" in f" {name}" for name in topic.names)]
    if not found:
        known = {name for topic in everything for name in topic.names}
        close = get_close_matches(wanted, known, 1, ALIKE)
        found = [topic for topic in everything if close and close[0] in topic.names]
        if not found:
            near = get_close_matches(wanted, known, MOST_NAMES, NEAR)
            called = dict.fromkeys(topic.name for name in near for topic in everything if name in topic.names)
            return [f"The rules have nothing called `{text}`.", *_nearest(list(called)[:3])]
    several = list({_simple(topic.name): topic.name for topic in found}.values())
    if len(several) > 1 and not any(wanted in topic.names for topic in found):
        more = [f"and {len(several) - MOST_NAMES} more"] if len(several) > MOST_NAMES else []
        return [
            f"Several things have `{text}` in their names: {', '.join([*several[:MOST_NAMES], *more])}.",
            Line(("`? NAME` explains one of them.", "dim")),
        ]
    return _told(match, found)


def _nearest(names: list[str]) -> list[str]:
    if not names:
        return ["`rules` lists what they have."]
    return [f"Do you mean {listed([f'`{name}`' for name in names], 'or')}? `rules` lists what they have."]


def _told(match: Match, found: list[Topic]) -> list[Line | str]:
    out: list[Line | str] = []
    with_words = [(topic, topic.say()) for topic in found]
    spoken = [(topic, lines) for topic, lines in with_words if lines] or with_words
    for topic, lines in spoken:
        cites = cited(topic.decl) if topic.decl is not None else ""
        head = Line((capital(topic.name), "bold"), (f"  {topic.sort}", "dim"))
        out += [*([""] if out else []), head, *(f"  {line}" for line in lines)]
        if not lines:
            mentions = _mentions(match, topic.name)
            out += mentions or ["  The rulebook says nothing more about it."]
        out += [Line((f" {cites}", "dim"))] if cites else []
    return out


def _mentions(match: Match, name: str) -> list[str]:
    """The sentences of the rulebook in which something is named, for what has none of its own."""
    out = []
    named = re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)
    for heading, lines in rulebook(match).items():
        for line in lines:
            if line.startswith("|"):
                continue
            text = re.sub(r"^\s*(?:-|\d+\.) ", "", line)
            said = [sentence for sentence in re.split(r"(?<=\.) ", text) if named.search(sentence)]
            out += [f"  {heading.lstrip('# ')}: {' '.join(said)}"] if said else []
    return out[:MOST_MENTIONS]


def topics(match: Match, words: Words) -> Iterator[Topic]:
    """Everything in a game that has a name."""
    game = match.game.checked
    voice = Writer(game, Targets()).voice()

    def topic(sort: str, key: str, decl: Decl, say: Callable[[], list[str]], called: str = "") -> Topic:
        names = (called, words.dress.name(key), decl.name.rpartition(".")[2], voice.name(decl.name))
        return Topic(
            called or words.dress.name(key), sort, frozenset(_simple(n) for n in names if n), say, decl
        )

    for phase in game.phases:
        yield topic("part of the game", phase.name, phase, partial(told, game, "phase", phase.name))
    for rule in [*game.rules.values(), *game.triggers.values()]:
        if rule.made:
            continue
        sort = "happens by itself" if rule.name in game.triggers else rule.kind
        yield topic(sort, rule.name, rule, partial(told, game, rule.kind, rule.name))
    for ending in (ending for ending in game.endings.values() if not ending.made):
        yield topic("ending", ending.name, ending, partial(told, game, "ending", ending.name))
    for name, define in game.defines.items():
        yield topic("term", name, define, partial(told, game, "define", name), voice.name(name))
    if game.score is not None:
        yield topic("how players are ranked", "score", game.score, partial(told, game, "score", ""), "score")
    yield from _things(game, topic)
    for kind in game.kinds.values():
        if kind.name not in game.tokens and kind.name not in game.components:
            says = partial(_values, words, kind.name, kind.values, kind.doc)
            yield topic("kinds", kind.name, kind, says, kind.name)
        sort = f"one of {kind.name}" if kind.name not in game.tokens else f"a kind of {kind.name}"
        for value in kind.values:
            attire = words.dress.kind(kind.name, value)
            names = frozenset(map(_simple, (attire.words, attire.short, value)))
            told_of = game.looks.get(f"{kind.name}.{value}", Look()).says
            yield Topic(attire.words, sort, names, partial(list, [told_of] if told_of else []))


def _things(game: CheckedGame, topic: Callable[..., Topic]) -> Iterator[Topic]:
    for key, comp in game.components.items():
        called = "" if comp.piece else comp.name
        sort = "piece" if comp.piece else "component"
        yield topic(sort, key, comp, partial(told_thing, game, "component", key), called)
    for key, token in game.tokens.items():
        yield topic("tokens", key, token, partial(told_thing, game, "token", key), token.name)
    for key, table in game.tables.items():
        yield topic("table", key, table, partial(told_thing, game, "table", key))
    for key, place in game.places.items():
        if not place.name.startswith("box of "):
            yield topic("place", key, place, partial(told_thing, game, "place", key))
    for key, state in game.states.items():
        yield topic("to keep track of", key, state, partial(told_thing, game, "state", key))
    for key, option in game.options.items():
        yield topic("option", key, option, partial(told_thing, game, "option", key))


def _values(words: Words, kind: str, values: tuple[str, ...], doc: str | None) -> list[str]:
    names = ", ".join(words.dress.kind(kind, value).words for value in values)
    return [*([doc] if doc else []), f"{names}."]


def _simple(name: str) -> str:
    """A name as it is compared: without capitals, article and marks between words."""
    return " ".join(name.lower().replace("_", " ").replace("-", " ").split()).removeprefix("the ")
