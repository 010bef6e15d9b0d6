"""Source texts for tests: the corpora, texts grown from the grammar, and damaged ones.

`grown_files` walks the compiled rules of the grammar itself, so a new sentence
form is tested without a word here. It also lays the tokens out as badly as the
language allows: odd indentation, comments anywhere, line breaks in brackets.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from random import Random

from dragonrules.grammar import Report, Source
from dragonrules.grammar.parsing import lark_parser, pieces
from hypothesis import strategies as st
from lark.grammar import NonTerminal, Symbol

ROOT = Path(__file__).parents[1]
GOOD = sorted((ROOT / "tests/grammar/good").glob("*.dragon"))
BAD = sorted((ROOT / "tests/grammar/bad").glob("*.dragon"))


def everything_written() -> list[Path]:
    """All `.dragon` files of the repository that are meant to be right."""
    found = {*(ROOT / "games").rglob("*.dragon"), *(ROOT / "tests").rglob("*.dragon")}
    return sorted(path for path in found if not {"bad", "errors"} & set(path.parts))


def source_of(path: Path) -> Source:
    """The file as it is, with its line ends and whatever else it starts with."""
    return Source(path.name, path.read_bytes().decode("utf-8", errors="replace"))


# ---------------------------------------------------------------- grown from the grammar
_TEXTS = {
    "NAME": ("a", "hand", "gold_2", "size", "rest", "player"),
    "TYPE": ("Tile", "N"),
    "NUM": ("0", "12"),
    "STRING": ('"words"', '""', r'"a \"b\" # c"'),
    "ATTR": (".hand", ".on"),
    "CITE": ("[AB-1]", "[AB-1..3, CD-4]"),
    "ROW": ("| a | 12 |", '|b|"c | d"||', "| -1 | x.. |"),
    "CMP": ("<", "!=", ">="),
    "YESNO": ("yes/no",),
}
_COMMENTS = ("# why", "#", '#  "odd', "# (")


@lru_cache(maxsize=1)
def _expansions() -> dict[str, list[tuple[int, list[Symbol]]]]:
    """For each rule its expansions, each with the height of the lowest tree that it can grow."""
    rules: dict[str, list[list[Symbol]]] = {}
    for rule in lark_parser().rules:
        rules.setdefault(rule.origin.name, []).append(list(rule.expansion))
    heights: dict[str, int] = {}

    def height(expansion: list[Symbol]) -> int:
        return 1 + max(
            (heights.get(s.name, 999) if isinstance(s, NonTerminal) else 0 for s in expansion), default=0
        )

    while True:
        found = {name: min(map(height, options)) for name, options in rules.items()}
        if found == heights:
            return {name: [(height(option), option) for option in options] for name, options in rules.items()}
        heights = found


@lru_cache(maxsize=1)
def _fixed_texts() -> dict[str, str]:
    patterns = {terminal.name: terminal.pattern.value for terminal in lark_parser().terminals}
    return {name: re.sub(r"\\b$|\\", "", value) for name, value in patterns.items()}


def _grow(random: Random, symbol: Symbol, room: int) -> list[tuple[str, str]]:
    """Terminal and text of each token of a sentence, `room` levels high where possible."""
    if not isinstance(symbol, NonTerminal):
        texts = _TEXTS.get(symbol.name)
        return [(symbol.name, random.choice(texts) if texts else _fixed_texts().get(symbol.name, ""))]
    options = _expansions()[symbol.name]
    fitting = [option for low, option in options if low <= room]
    expansion = random.choice(fitting or [min(options, key=lambda option: option[0])[1]])
    return [token for part in expansion for token in _grow(random, part, room - 1)]


def _lay_out(random: Random, tokens: list[tuple[str, str]]) -> str:
    columns, brackets, out, fresh = [0], 0, "", False

    def noise() -> str:
        lines = random.choices(
            ("", random.choice(_COMMENTS), " " * random.randrange(9) + random.choice(_COMMENTS)), k=2
        )
        return "".join(line + "\n" for line in lines) if random.random() < 0.2 else ""

    for name, text in tokens:
        if name == "_NL":
            out += random.choice(("", "", "", "  " + random.choice(_COMMENTS))) + "\n" + noise()
            fresh = True
        elif name == "_INDENT":
            columns.append(columns[-1] + random.choice((1, 2, 4, 8)))
        elif name == "_DEDENT":
            columns.pop()
        else:
            if fresh:
                out += random.choice((" " * columns[-1], "\t" * (columns[-1] // 4) + " " * (columns[-1] % 4)))
            elif brackets and random.random() < 0.1:
                out += random.choice(("", random.choice(_COMMENTS))) + "\n" + " " * random.randrange(1, 9)
            out += text + random.choice((" ", "  ", "\t"))
            brackets += (text in "([{") - (text in ")]}")
            fresh = False
    return out


@st.composite
def grown_files(draw: st.DrawFn) -> str:
    """A few declarations, straight from the grammar."""
    random = Random(draw(st.integers(0, 2**32)))
    texts = [
        _lay_out(random, _grow(random, NonTerminal("declaration"), draw(st.integers(6, 14))))
        for _ in range(2)
    ]
    ends = random.choice(("\n", "\n", "\r\n"))
    return random.choice(("", "\ufeff")) + random.choice(("", "\n")).join(texts).replace("\n", ends)


# ---------------------------------------------------------------- damaged
@lru_cache(maxsize=1)
def declarations() -> tuple[str, ...]:
    return tuple(text for path in GOOD for _, text in pieces(source_of(path), Report()))


_SCRAPS = (
    *'()[]{}:,.="|-#\\\n\t ',
    "\n    ", "..", "==", "if ", "else", " in ", "rule ", "move ", "X", "x", "3", "\r", "“", "\u00a0", "[AB-1]",
)  # fmt: skip


@st.composite
def damaged_declarations(draw: st.DrawFn) -> str:
    """A declaration of the good corpus with a few cuts, scraps and swaps."""
    text = draw(st.sampled_from(declarations())) + draw(st.sampled_from(("", *declarations()[:3])))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 6)))
        scrap = draw(st.sampled_from(("", *_SCRAPS, text[end : end + 8])))
        text = text[:start] + scrap + text[end:]
    return text


def scraps() -> st.SearchStrategy[str]:
    """Words and signs of the language in any order."""
    words = sorted({*_SCRAPS, *(text + " " for text in _fixed_texts().values() if text.isalpha())})
    return st.lists(st.sampled_from(words), max_size=20).map("".join)
