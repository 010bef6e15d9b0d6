"""Every clause that a statement may have is answered by whoever reads statements.

The clauses come from the syntax tree itself: each part of a statement that may be
left out. For each there is a sample with the clause between « and ». The formatter
must keep it, the rule program and the rulebook must say something else without it,
and the ledger and the narrator must have words for all that happens with it. Where
the seats notice something else because of it, what they are told is different too.
So a clause that is new to the language, and that somebody has no answer for, is
named here.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import attrs
import dragonrules as dr
import pytest
from dragonrules.grammar import Report, Source, statements
from dragonrules.grammar.format import format_source
from dragonrules.interpreter.core import statements as core
from dragonrules.interpreter.players.ledger import Ledger
from dragonrules.interpreter.program.printing import print_checked
from dragonrules.interpreter.rulebook.book import write_book
from dragonrules.interpreter.table.narrate import Chronicle, Narrator
from dragonrules.interpreter.table.words import Words

TABLE = """\
game "Clauses" for 3 players

kinds Colour: red, blue
component Card:
    colour: Colour
rows Card:
    | colour    | count |
    | red, blue |     3 |
component Tile count 4
token Gem: ruby 4, pearl 4
piece pawn on Tile
place deck: deck of Card, seen by nobody
place other: deck of Card, seen by nobody
place line: row of Card
place lawn: grid of Tile
place heap: bag of Gem
each player has:
    place hand: bag of Card, seen by owner
    place purse: bag of Gem
    state luck: 0..3 = 2, seen by owner
state told: 0..9 = 0
action wait in deed: nothing
action sell in trade:
    require told = 9
    set told = 1
setup:
    move all from box(Card) to deck
    move all from box(Gem) to heap
    for p in players: draw 1 from deck to p.hand
    repeat up to 2: draw 1 from deck to line
"""
"""What the samples are about."""

SAMPLES: dict[str, tuple[str, ...]] = {
    "IfElse.otherwise": ("if told = 1: nothing\n«else: set told = 2»",),
    "Turns.label": ("turns «Round» p:\n    set told = 3\n    finish {p}",),
    "Turns.start": ("turns p «from player(2)»:\n    set told = 3\n    finish {p}",),
    "Turns.then": (
        "turns p from player(2) «then right(p)»:\n    change told by p.seat\n    if told > 3: finish {p}",
    ),
    "Turns.order": ("turns p «in {player(2), player(3)}» once: set told = p.seat",),
    "Turns.once": ("turns p in {player(2)} «once»:\n    change told by 1\n    if told = 3: finish {p}",),
    "Let.otherwise": ("let c = first(player(1).purse[ruby] for k in 1..told) «else set told = 2»",),
    "Repeat.limit": ("repeat Tries «up to 2»:\n    change told by 1\n    if told = 4: stop Tries",),
    "Turns.where": ("turns p «where p != player(1)»:\n    set told = 3\n    finish {p}",),
    "Rounds.label": ("rounds «Once» p in players:\n    set told = 3\n    finish {p}",),
    "Rounds.where": (
        "rounds p in players «where p = player(2)»:\n    as p: choose n in 1..2\n    finish {p}",
    ),
    "Rounds.clock": ("rounds p in players«, clock 3 tick 1»:\n    as p: choose n in 1..2\n    finish {p}",),
    "Rounds.otherwise": ("rounds Bids p in players, clock 3 tick 1: expire Bids\n«else: set told = 4»",),
    "Together.where": ("together p in players «where p != player(1)»: choose n in 1..2",),
    "ForLoop.label": ("for «Each» p in players: set told = 3",),
    "ForLoop.where": ("for p in players «where p = player(2)»: as p: choose n in 1..2",),
    "ForLoop.as_player": ("for p in players «as p»: change told by 1",),
    "Repeat.label": ("repeat «again» up to 2: set told = 3",),
    "ShowTo.secretly": (
        "show player(1).hand to player(2) «secretly»: nothing",
        "show player(1).luck to player(2) «secretly»: nothing",
    ),
    "Show.secretly": ("show player(1).hand to player(2) «secretly»",),
    "Reveal.secretly": (
        "reveal player(1).hand to player(2) «secretly»",
        "reveal player(1).luck to player(2) «secretly»",
    ),
    "Peek.secretly": ("peek 1 of deck to player(2) «secretly»",),
    "ChooseBlock.prompt": ('as player(1):\n    choose «"which?"» n in 1..2:\n        where n != told',),
    "ChooseBlock.otherwise": (
        "as player(1):\n    choose n in 1..2:\n        where n > 5\n    «else: set told = 3»",
    ),
    "WhereLine.because": ('as player(1):\n    choose n in 1..2:\n        where n = 1 «because "one"»',),
    "Choose.prompt": ('as player(1): choose «"which?"» n in 1..2',),
    "Choose.otherwise": ("as player(1): choose n in 1..2 where n > 5 «else set told = 3»",),
    "WherePart.because": ('as player(1): choose n in 1..2 where n = 1 «because "one"»',),
    "OfferCases.prompt": ('as player(1):\n    offer «"well?"»:\n        "yes, please": set told = 1',),
    "OfferCases.otherwise": (
        'as player(1):\n    offer:\n        "deal":\n            require told = 3\n            set told = 1\n'
        "    «else: set told = 2»",
    ),
    "MayBlock.asking": ('as player(1):\n    may "deal" «always»: set told = 1',),
    "MayBlock.otherwise": ('as player(1):\n    may "deal": set told = 1\n    «else: set told = 2»',),
    "MayChooseBlock.prompt": ('as player(1):\n    may choose «"which?"» n in 1..2: set told = n',),
    "MayChooseBlock.asking": (
        "as player(1):\n    may choose n in 1..2 where told = 4 «always»: set told = n",
    ),
    "MayChooseBlock.otherwise": (
        "as player(1):\n    may choose n in 1..2: set told = n\n    «else: set told = 4»",
    ),
    "MayChoose.prompt": ('as player(1): may choose «"which?"» n in 1..2 else set told = 3',),
    "MayChoose.asking": ("as player(1): may choose n in 1..2 where told = 4 «always» else set told = 3",),
    "MayChoose.otherwise": ("as player(1): may choose n in 1..2 «else set told = 3»",),
    "MoveAmount.kind": ("move all «of ruby» from heap to player(1).purse",),
    "Dest.end": ("for c in Card where told = 0:\n    set told = 1\n    move c to «bottom of» other",),
    "Dest.at": ("for c in player(1).hand: move c to other «at 2»",),
    "Dest.turned": (
        "for c in Tile where told = 0:\n    set told = 1\n    move c to lawn at space_at(lawn, 0, 0) «turned r90»",
    ),
    "DrawUpTo.at_random": ("draw up to 1 «at random» from line to other",),
    "Draw.at_random": ("draw 1 «at random» from line to other",),
    "Draw.otherwise": ("draw 1 from other to line «else set told = 3»",),
    "Shuffle.into": ("shuffle deck «into other»",),
    "Roll.weight": ("roll k in Colour «by (2 if k = red else 0)»",),
    "Roll.to": ("roll n in 1..2 «seen by player(1)»",),
    "Offer.otherwise": ("as player(1): offer trade «else set told = 3»",),
    "May.asking": ("as player(1): may wait «always»",),
    "May.otherwise": ("as player(1): may wait «else set told = 3»",),
    "Window.start": ("window deed «from player(2)»",),
    "Window.asking": ("window deed «always»",),
    "Return.value": ("found()",),
    "Finish.because": ('finish {player(1)} «because "enough"»',),
    "Require.because": ("nothing",),
}
"""Of each clause: a statement with it, or several."""


ADDITIONS = {
    "Return.value": "rule found()« -> 0..9»:\n    set told = 2\n    return «told»\n",
    "Require.because": 'action pass in deed:\n    require told = 3 «because "no"»\n    nothing\n',
}
NOT_IN_THE_BOOK = {
    "label": "the name of a loop is for `stop`, `expire` and variants",
    "asking": "how a question is put, so that it does not tell more than the rules do",
    "OfferCases.prompt": "the cases say it",
    "Require.because": "the requirement says it",
}
"""Clauses that are no rule of the game, and why; without a dot, all clauses of that name."""
TELLS_ALIKE = {
    "prompt": "a prompt is for who is asked",
    "because": "a reason is for who asks why not",
    "label": "the name of a loop is for `stop` and `expire`",
    "asking": "whether one is asked is no event",
    "DrawUpTo.at_random": "a draw tells what came, not from where in the row",
    "Draw.at_random": "a draw tells what came, not from where in the row",
    "Rounds.clock": "clocks are shown beside the decision",
    "Roll.weight": "the roll tells what came, not how likely it was",
    "Return.value": "a result is used, not told",
    "ForLoop.as_player": "who acts is no event",
    "Dest.turned": "the board shows how a tile lies",
}
"""Clauses of which the seats notice nothing, and why; without a dot, all clauses of that name."""
NO_MATTER_OF_RULES = {"cite", "doc", "tick"}
"""For `trace`, for readers; and `tick` goes with `clock`."""


def clauses() -> set[str]:
    """The parts of statements that may be left out."""
    found = set()
    for name, cls in vars(statements).items():
        if inspect.isclass(cls) and attrs.has(cls) and cls.__module__ == statements.__name__:
            for a in attrs.fields(cls):
                if str(a.type).endswith("| None") and a.name not in NO_MATTER_OF_RULES:
                    found.add(f"{name}.{a.name}")
    return found


def test_there_is_a_sample_of_every_clause() -> None:
    assert clauses() == set(SAMPLES)


def test_every_flag_of_a_statement_comes_from_a_clause() -> None:
    """What the checked game keeps as yes or no is said by a word in the text."""
    flags = {
        field.rpartition(".")[2]
        for cls in vars(core).values()
        if inspect.isclass(cls) and issubclass(cls, core.St) and cls is not core.St
        for field, type_ in cls.__annotations__.items()
        if type_ in ("bool", bool)
    }
    words = {"at_random": "random"}
    said = {words.get(name, name) for name in (clause.partition(".")[2] for clause in clauses())}
    assert flags - said == {"local"}  # `stop`: is the loop in the same body?


@pytest.mark.parametrize(("clause", "text"), [(c, text) for c, texts in SAMPLES.items() for text in texts])
def test_everybody_has_an_answer(clause: str, text: str, tmp_path: Path) -> None:
    more = ADDITIONS.get(clause, "")
    versions = [_rules(text, more, clause=keep) for keep in (True, False)]
    formatted = [format_source(Source("c.dragon", version), Report()) for version in versions]
    assert formatted[0] != formatted[1], "the formatter drops it"
    games = [_loaded(version, tmp_path) for version in versions]
    checked = [print_checked(game.checked) for game in games]
    assert checked[0] != checked[1], "it means nothing"
    books = [repr(write_book(game.checked)) for game in games]
    assert _listed(clause, NOT_IN_THE_BOOK) or books[0] != books[1], "the rulebook does not say it"
    told = [_told(game) for game in games]
    assert _listed(clause, TELLS_ALIKE) or told[0] != told[1], "nobody is told"


def _listed(clause: str, exceptions: dict[str, str]) -> bool:
    return clause in exceptions or clause.partition(".")[2] in exceptions


def _rules(text: str, more: str, *, clause: bool) -> str:
    for part in (more, text) if more else (text,):
        assert ("«" in part) == (part is not text or not more)
    whole = TABLE + more + "phase Play:\n" + "".join(f"    {line}\n" for line in text.split("\n"))
    while "«" in whole:
        before, _, rest = whole.partition("«")
        inside, _, after = rest.partition("»")
        whole = before + inside + after if clause else before.rstrip(" ") + after
    return whole


def _loaded(text: str, folder: Path) -> dr.Game:
    path = folder / f"{len(list(folder.iterdir()))}.dragon"
    path.write_text(text, encoding="utf-8")
    return dr.load(path)


def _told(game: dr.Game) -> list[list[str]]:
    """A match in sentences, for each seat and for all of them together; the ledger reads along."""
    try:
        match = game.start(seed=1)
    except dr.PlayError as error:  # without its `else` there is nothing to do
        return [[str(error)]]
    chronicle = Chronicle(match.players)
    together: list[Any] = []
    for _ in range(20):
        if match.over:
            break
        together += chronicle.news(match, 1)
        assert match.decision is not None
        match.choose(len(match.decision.options) - 1)
    together += chronicle.news(match, 1)
    told = [Narrator(Words(match.state.engine)).sentences(together)]
    for seat in range(match.players):
        seen = match.observations(seat + 1)
        Ledger(match.state.engine, seat).read(list(seen))
        narrator = Narrator(Words(match.state.engine))
        narrator.words.you = seat + 1
        narrator.brief(seen)
        told.append(narrator.sentences(seen))
    return told
