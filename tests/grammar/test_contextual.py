"""Which words of the language are still free as names, and where.

The lexer asks the parser which words have a meaning at the place it has come
to; any other is a plain name there. So only the words listed here are taken,
each because its sentence starts with it at that place.
"""

from __future__ import annotations

import pytest
from dragonrules.grammar import Report, Source, parse, reserved_words, wording

STATEMENTS = wording.STATEMENT_WORDS - {"else"}
PLACES = {
    "value": ("rule r():\n    return {} + 1\n", {"all", "can", "not", "note"}),
    "amount": ("rule r():\n    draw {} from x to y\n", {"all", "can", "not", "note"}),
    "target": ("rule r():\n    set {} = 1\n", {"all"}),
    "destination": ("rule r():\n    move x to {}\n", {"all", "can", "not", "note", "top", "bottom"}),
    "viewer": ("rule r():\n    reveal x to {}\n", {"all", "can", "not", "note", "nobody", "owner"}),
    "rule called": ("rule r():\n    {}(1)\n", {*STATEMENTS, "all"}),
    "action offered": ("rule r():\n    may {}\n", {"all", "choose"}),
    "menu": ("action a in {}: skip\n", set()),
    "menu offered": ("rule r():\n    window {}\n", {"all"}),
    "member": ("rule r():\n    return x.{}\n", set()),
    "event": ("trigger t after {}: skip\n", {"all", "entering", "leaving"}),
    "type": ("rule r(x: {}): skip\n", {"list", "place", "set", "space"}),
    "scope": ("state x: 1..2 = 1 until {} ends\n", {"moved", "next"}),
    "chooser": ('scenario "s":\n    when:\n        {} chooses 1\n', {"all", "chance", "time"}),
    "viewer in a check": ('scenario "s":\n    then:\n        {} sees x\n', {"all", "check", "over"}),
}
"""Sentence with a gap, and the words that are not a name in it."""

NAMINGS = {
    "local": "rule r():\n    let {} = 1\n",
    "loop variable": "rule r():\n    for {} in x: skip\n",
    "parameter": "define d({}: number) = 1\n",
    "kind": "kinds K: {}, other\n",
    "option": "option {}: 1..2 = 1\n",
    "place": "place {}: bag of T\n",
    "state": "each player has: state {}: 1..2 = 1\n",
    "field": "component T:\n    {}: number\n",
    "define": "define {} = 1\n",
    "action": "action {}: skip\n",
    "trigger": "trigger {} after x: skip\n",
}


def is_name(text: str, word: str) -> bool:
    """Can the sentence be read, with the word as one of its names?"""
    report = Report()
    file = parse(Source("test.dragon", text.format(word)), report)
    return not report.errors and f"'{word}'" in repr(file)


@pytest.mark.parametrize("place", PLACES)
def test_words_taken(place: str) -> None:
    text, taken = PLACES[place]
    assert {word for word in reserved_words() if not is_name(text, word)} == taken


@pytest.mark.parametrize("naming", NAMINGS)
def test_words_that_cannot_be_given_as_names(naming: str) -> None:
    """Readable or not, a few words are refused with D0210: sentences would be riddles."""
    refused = {word for word in reserved_words() if not is_name(NAMINGS[naming], word)}
    assert refused == wording.UNFIT_AS_NAMES


def test_rules_cannot_be_named_like_statements() -> None:
    refused = {word for word in reserved_words() if not is_name("rule {}(): skip\n", word)}
    assert refused == wording.UNFIT_AS_NAMES | wording.STATEMENT_WORDS


COMMON = "top row size count rest tick clock bottom moved seen at most per on"


@pytest.mark.parametrize("word", [*COMMON.split()])
def test_common_words_are_free_as_values(word: str) -> None:
    """One rule with the word as a local, an argument, a member, an index and an operand."""
    text = (
        "rule r({0}: number):\n"
        "    set x[{0}] = {0}(y.{0}) + {0}\n"
        "    if {0} = 1 and not {0} in {0}: skip\n"
        "    choose s in {0}, t in {{{0}, {0}}} where {0} > {0}\n"
        "    draw {0} from {0} to my.{0}\n"
    )
    assert is_name(text, word)
