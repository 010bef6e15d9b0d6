"""How a rule file is coloured: patterns with roles, for editors and web pages.

One list of rules, tried in order at each place, from which the Pygments lexer
(pygments_lexer.py) and the TextMate grammar (textmate.py) are made. The shapes of
strings, numbers, names and citations are those of dragon.lark. Most words of the
language have a meaning only where the parser expects them, so they are matched
in their phrases (`seen by`, `at most`) or at the start of a sentence; a test
compares the result, token by token, with what the parser reads.

Only what both engines of regular expressions understand is used: no variable
look-behind, no conditionals.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from attrs import frozen

from .wording import DECLARATION_WORDS, STATEMENT_WORDS, UNFIT_AS_NAMES


@frozen
class Paint:
    """A pattern and the roles of its groups; one role alone is that of the whole match."""

    pattern: str
    roles: tuple[str | None, ...]


CONSTANTS = ("yes", "no", "none")
VALUES = (
    "me", "my", "active", "players", "player_count", "turn_number", "directions", "diagonals",
    "all_directions", "rotations",
)  # fmt: skip
TYPES = ("number", "player", "direction", "rotation", "space")
COMPASS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
GRAMMAR = Path(__file__).with_name("dragon.lark").read_text(encoding="utf-8")
SHAPES = re.findall(r'(?:^shape:|[|:]) +"(\w+)"', GRAMMAR.split("\nshape:")[1].split("\nplace_clauses:")[0])
"""The structures of places, as the grammar has them."""

PHRASES = (
    r"(?<=player )together",
    r"(?<=players )together",
    # places and states
    r"(?:size |top )?seen by",
    r"at most",
    r"at rest(?= when)",
    r"turns(?= when)",
    r"rest to",
    r"(?<=, )per",
    rf"(?<=: )(?:{'|'.join(SHAPES)})(?= of | \(?\w+[\w )(+*/-]* by | \(?\w+[\w )(+*/-]* of )",
    r"(?<=by )(?:nobody|owner)",
    r"(?<=to )(?:nobody|owner)(?![\w.(])",
    r"ends(?=\s*(?:\[[A-Z]|#|$))",
    r"(?<=until )(?:moved|next)",
    # types
    r"(?:set|list|space|place)(?= of )",
    # moving, drawing, choosing
    r"(?:top|bottom)(?= of )",
    r"at random",
    r"(?<=[\w)\]] )at(?= )",
    r"(?<=[\w)\]] )turned(?= )",
    r"(?<=[\w)\]] )into(?= )",
    r"up to",
    r"(?<=if )let(?= )",
    r"(?<=may )choose(?= )",
    r"(?<== )draw(?= [\w(])",
    r"distinct by",
    r"alike(?= )",
    r"(?<=[\w)\]\"] )when able",
    r"(?<=[\w)\]\"] )always(?=:| else|\s*(?:\[[A-Z]|#|$))",
    r"(?<=[\w)\]}] )secretly(?=:|\s*(?:\[[A-Z]|#|$))",
    r"(?<=, )clock(?= )",
    r"(?<=[\w)\]] )tick(?= )",
    # triggers, endings, components
    r"instead of",
    r"(?<=[\w)\]}] )once(?=:)",
    r"(?<=[\w)\]}:] )then(?= [\w(])",
    r"(?<=\w )except(?= \w)",
    r"(?<=\w )(?:before|after)(?= )",
    r"(?<=\w )on(?= )",
    r"(?<=\w )count(?= [\w(])",
    r"(?<=\w )has(?=:)",
    r"(?:entering|leaving)(?= [a-zA-Z])",
    # variants
    r"(?<=[\w\"] )(?:excludes|needs|after)(?= \")",
    r"(?<=\" )because(?= \"[^\"\n]*\"[^\n]*:$)",
    # scenarios
    r"(?<=[\w)\]] )(?:chooses|decides|sees)(?=\s)",
    r"(?<=\) )decides(?=$)",
    r"cannot see",
    r"refused(?=\s|$)",
    r"time runs out",
    # looks
    r"(?<=, )(?:short|symbol|says)(?= \")",
    r"(?<=: )(?:short|symbol|says)(?= \")",
    r"(?<=: )hidden(?=\s|$)",
)
"""Words that mean something in a phrase alone."""

HEADS = frozenset(("setup", "else", "atomic", "offer", "repeat"))
"""Words that a `:` may follow at once."""

OPENERS = ("given", "when", "then", "check", "chance", "over", "where", "distinct", "alike")
"""What may start a line besides declarations and statements."""


@lru_cache(maxsize=1)
def shapes() -> dict[str, str]:
    """The patterns of the terminals of the grammar that are written as regular expressions."""
    return dict(re.findall(r"^([A-Z_]+)(?:\.\d+)?: /(.*)/$", GRAMMAR, re.MULTILINE))


def _any(words: object) -> str:
    return "|".join(sorted(words, key=lambda w: (-len(w), w)))  # type: ignore[call-overload]


def paints() -> list[Paint]:
    """The rules, first match wins."""
    shape = shapes()
    declares = _any(DECLARATION_WORDS - {"setup", "require", "each", "order", "look", "rows"})
    return [
        Paint(r"(#\s*)(allow)(\s+)(D\d{4})(:[^\n]*)", ("comment", "pragma", None, "pragma", "comment")),
        Paint(r"#[^\n]*", ("comment",)),
        Paint(shape["CITE"], ("cite",)),
        Paint(shape["STRING"], ("string",)),
        Paint(r"yes/no", ("type",)),
        # headers: the word, and the name that it declares
        Paint(r"^([ \t]*)(look)([ \t]+)(\w+)", (None, "declare", None, "name")),
        Paint(
            rf"^([ \t]*)(?:(replace|remove|before|after)([ \t]+))?({declares})([ \t]+)([a-zA-Z_]\w*)(?!\w*[ \t]*\.)",
            (None, "keyword", None, "declare", None, "name"),
        ),
        Paint(
            r"^([ \t]*)(?:(replace|remove|before|after)([ \t]+))?(step)([ \t]+)",
            (None, "keyword", None, "keyword", None),
        ),
        Paint(
            rf"^([ \t]*)(change)([ \t]+)(doc of)([ \t]+)({_any(DECLARATION_WORDS)})\b(?=[ \t]+\w)",
            (None, "keyword", None, "declare", None, "declare"),
        ),
        Paint(
            rf"^([ \t]*)(replace|remove|change|add)([ \t]+)({_any(DECLARATION_WORDS | {'fields', 'doc of'})})\b(?=[ \t]+\w)",
            (None, "keyword", None, "declare"),
        ),
        Paint(
            rf"^([ \t]*)({_any(DECLARATION_WORDS | STATEMENT_WORDS - HEADS)})\b(?![ \t]*[.(:])",
            (None, "keyword"),
        ),
        Paint(rf"^([ \t]*)({_any(HEADS)})\b(?=:| )", (None, "keyword")),
        Paint(r"^([ \t]*)(?:(replace)([ \t]+))?(score|value)(?=\(| =)", (None, "keyword", None, "declare")),
        Paint(rf"^([ \t]*)({_any(OPENERS)})\b(?![ \t]*[.(])", (None, "keyword")),
        Paint(rf"(?<=: )({_any(STATEMENT_WORDS)})\b(?=[ \t\n:]|$)", ("keyword",)),
        Paint(r"(?<=has: )(place|state|piece)([ \t]+)(\w+)", ("declare", None, "name")),
        Paint(rf"(?<=else )({_any(STATEMENT_WORDS)})\b(?=[ \t\n]|$)", ("keyword",)),
        *(
            Paint(rf"\b{phrase}\b" if phrase[-1].isalnum() else rf"\b{phrase}", ("word",))
            for phrase in PHRASES
        ),
        Paint(shape["ATTR"], ("attribute",)),
        Paint(rf"\b(?:{_any(UNFIT_AS_NAMES)})\b", ("word",)),
        Paint(rf"\b(?:{_any(CONSTANTS)})\b(?!\()", ("constant",)),
        Paint(rf"\b(?:{_any(VALUES)})\b(?!\()", ("value",)),
        Paint(rf"\b(?:{_any(COMPASS)}|r0|r90|r180|r270)\b", ("constant",)),
        Paint(rf"(?<=: )(?:{_any(TYPES)})\b(?!\()", ("type",)),
        Paint(rf"(?<=of )(?:{_any(TYPES)})\b(?!\()", ("type",)),
        Paint(rf"(?<=-> )(?:{_any(TYPES)})\b(?!\()", ("type",)),
        Paint(r"[a-z_][A-Za-z0-9_]*(?=\()", ("call",)),
        Paint(shape["TYPE"], ("type",)),
        Paint(shape["NAME"], ("plain",)),
        Paint(r"[0-9]+\b", ("number",)),
        Paint(r"->|\.\.|!=|<=|>=|[=<>+*/-]", ("operator",)),
        Paint(r"[|:,(){}\[\]]", ("mark",)),
    ]
