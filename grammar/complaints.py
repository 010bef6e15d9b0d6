"""Prose for what the parser could not read.

The parser stops with a token, with the set of tokens that could have stood in
its place, and with a stack of what it has read so far: a `Scene`. Each function
in `_SLIPS` knows one slip that people make, shown in its docstring, and looks
for it in the scene; the first that finds its own speaks. When none does, the
message lists what could have stood there, and the help shows the form of the
sentence.

The lexer follows the parser, so a word that has no meaning of its own at some
place is a plain name there: `else` where only a statement may start is read as
the call of a rule named `else`, and the parser stumbles over the token behind
it. `Scene.verb` finds such words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from attrs import frozen
from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from . import wording
from .diagnostics import Report, did_you_mean
from .fixes import Edit, Fix, write
from .scene import Scene, open_brackets, scene_of
from .spans import Source, Span
from .wording import CLOSERS, DECLARATION, DECLARATION_WORDS, ENDS, STATEMENT, STATEMENT_WORDS, VALUE

JOINTS = ("OF", "IN", "FROM", "TO", "HAS")
"""Little words that join the parts of a sentence, and are easily left out."""


@frozen
class Complaint:
    code: str
    message: str
    span: Span
    help: str | None = None
    related: tuple[tuple[Span, str], ...] = ()
    fixes: tuple[Fix, ...] = ()


def complain(
    report: Report,
    source: Source,
    offset: int,
    body: str,
    error: UnexpectedInput,
    reads: Callable[[str], bool],
) -> None:
    """Report one syntax error. `reads` tells whether a declaration, written differently, could be read."""
    scene = scene_of(source, offset, body, error)
    found = next(filter(None, (slip(scene) for slip in _SLIPS)), None)
    found = found or _joint_missing(scene, reads) or _anything_else(scene)
    report.add(
        found.code, found.message, found.span, help=found.help, related=found.related, fixes=found.fixes
    )


def complain_of_names(report: Report, source: Source, offset: int, tree: Tree[Token]) -> None:
    """Report names that would make the sentences they stand in unreadable."""
    for part in tree.iter_subtrees():
        names = [child for child in part.children if isinstance(child, Token) and child.type == "NAME"]
        if part.data != "name_list":
            names = names[:1] if part.data in wording.GIVES_NAME else []
        for name in names:
            if name in wording.UNFIT_AS_NAMES or (part.data == "rule" and name in STATEMENT_WORDS):
                start = offset + (name.start_pos or 0)
                span = Span(source, start, start + len(name))
                message = f"`{name}` is a reserved word and cannot be a name"
                report.add("D0210", message, span, help="choose another name")


# ---------------------------------------------------------------- characters
def _strange_character(scene: Scene) -> Complaint | None:
    """`“Drakon”`, `3 × 4`, `a && b`, `2nd`"""
    if scene.type:
        return None
    character, after, here = scene.word, scene.after, scene.here
    if character == '"':
        return Complaint(
            "D0104", "this string is not closed", scene.rest_of_line, 'end it with `"` on its line'
        )
    if character == ".":
        return _strange_dot(scene)
    if character == "|" and not scene.sentence:
        return _strange_row(scene)
    if character in wording.QUOTES:
        help_line = 'use straight double quotes: "words"'
        return Complaint("D0102", f"`{character}` does not mark words", here, help_line)
    if character.isalnum():
        word = re.match(r"\w+", after)
        assert word is not None
        if character.isdecimal():
            message = f"`{word[0]}` is neither a number nor a name"
            span = scene.span(scene.place, scene.place + word.end())
            return Complaint("D0102", message, span, "a name starts with a letter")
        help_line = "names are made of `a` to `z`, digits and `_`"
        return Complaint("D0102", f"`{character}` cannot stand in a name", here, help_line)
    if unicodedata.category(character) in ("Zs", "Zl", "Zp", "Cf"):
        message = f"an invisible character (U+{ord(character):04X})"
        return Complaint("D0102", message, here, "put a plain space in its place")
    shown = character if character.isprintable() else f"U+{ord(character):04X}"
    width = 2 if after[:2] in ("&&", "||") else 1
    span = scene.span(scene.place, scene.place + width)
    return Complaint("D0102", f"`{shown * width}` is not used here", span, wording.CHARACTERS.get(character))


def _strange_dot(scene: Scene) -> Complaint:
    """`1...5`, `1.5`, `p.Hand`"""
    place, after = scene.place, scene.after
    if scene.body[place - 1] == ".":
        end = place + len(after) - len(after.lstrip("."))
        return Complaint("D0102", "a range has two dots", scene.span(place - 2, end), "write `1..5`")
    fraction = re.search(r"\d+\.\d+$", scene.body[:place] + (re.match(r"\.\d*", after) or [""])[0])
    if fraction is not None:
        span = scene.span(fraction.start(), fraction.end())
        return Complaint("D0102", "numbers are whole", span, "count in smaller units")
    member = re.match(r"\.([A-Z]\w*)", after)
    if member is not None:
        span = scene.span(place, place + member.end())
        return Complaint("D0112", "a member is lower case", span, write(f".{_lower(member[1])}"))
    return Complaint("D0102", "the name of a member should follow this dot", scene.here)


def _strange_row(scene: Scene) -> Complaint:
    """`| red | 3` in a bar table"""
    quote = re.match(r'(?:[^"#]|"(?:[^"\\]|\\.)*")*', scene.after)
    if quote is not None and scene.after[quote.end() :].startswith('"'):
        span = scene.span(scene.place + quote.end(), scene.place + len(scene.after))
        return Complaint("D0104", "this string is not closed", span, 'end it with `"` in its cell')
    return Complaint("D0111", "this table row is not closed", scene.rest_of_line, "end it with `|`")


# ---------------------------------------------------------------- brackets
def _bracket_not_closed(scene: Scene) -> Complaint | None:
    """`draw (1 + 2 from pile to hand`"""
    if not scene.brackets or scene.type in CLOSERS:
        return None
    opened = scene.brackets[-1]
    closer = next(name for name, bracket in CLOSERS.items() if bracket == scene.body[opened])
    if opened not in open_brackets(scene.bare) or not (scene.type in ENDS or closer in scene.expected):
        return None
    message = f"this `{scene.body[opened]}` is never closed"
    return Complaint(
        "D0108", message, scene.span(opened, opened + 1), f"end it with {wording.READABLE[closer]}"
    )


def _bracket_not_opened(scene: Scene) -> Complaint | None:
    """`f(a))`, `f(a]`, `f(a,)`"""
    if scene.type not in CLOSERS:
        return None
    if not scene.brackets:
        return Complaint("D0108", f"this `{scene.word}` closes nothing", scene.here)
    opened = scene.brackets[-1]
    if scene.body[opened] != CLOSERS[scene.type]:
        related = ((scene.span(opened, opened + 1), "it is opened here"),)
        message = f"`{scene.body[opened]}` is closed by `{scene.word}`"
        return Complaint("D0108", message, scene.here, related=related)
    if scene.expected >= VALUE:
        return Complaint("D0101", f"a value is missing before this `{scene.word}`", scene.here)
    return None


def _comma_missing(scene: Scene) -> Complaint | None:
    """`{red blue}`"""
    if "COMMA" in scene.expected and scene.brackets and scene.type in ("NAME", "TYPE", "NUM", "LBRACE"):
        return _missing(",", f"`,` is missing before `{scene.word}`", scene.here)
    return None


# ---------------------------------------------------------------- operators
def _foreign_operator(scene: Scene) -> Complaint | None:
    """`a == b`, `x += 1`, `a <> b`, `// words`"""
    start = scene.place
    if scene.body[max(0, start - 1) : start + 1] in wording.PAIRS:
        start -= 1
    pair = scene.body[start : start + 2]
    if pair not in wording.PAIRS:
        return None
    help_line = wording.PAIRS[pair]
    target = re.fullmatch(r"[a-z_][\w.]*", scene.body[scene.sentence_start : start].strip())
    if target is not None and target[0] not in STATEMENT_WORDS:
        help_line = help_line.replace("x ", f"{target[0]} ")
    return Complaint("D0101", f"`{pair}` is not used here", scene.span(start, start + 2), help_line)


def _chained_comparison(scene: Scene) -> Complaint | None:
    """`0 < x < 5`"""
    comparing = ("CMP", "EQUAL", "IN")
    if scene.type not in comparing or scene.type_back(2) not in comparing:
        return None
    left, middle = (_short_text(scene, scene.back(steps)) for steps in (3, 1))
    help_line = "write `a < b and b < c`"
    if left and middle:
        help_line = f"write `{left} {scene.back(2)} {middle} and {middle} {scene.word} ...`"
    return Complaint("D0109", "comparisons do not chain", scene.here, help_line)


def _short_text(scene: Scene, part: object) -> str:
    if isinstance(part, Tree) and not part.meta.empty and part.meta.end_pos - part.meta.start_pos <= 20:
        return scene.body[part.meta.start_pos : part.meta.end_pos]
    return ""


def _foreign_joint(scene: Scene) -> Complaint | None:
    """`if x is none:`, `if x = 3 then`"""
    if scene.word in wording.JOINTS and "ATTR" in scene.expected and scene.sentence != scene.verb:
        return Complaint("D0101", f"`{scene.word}` is not used here", scene.here, wording.JOINTS[scene.word])
    return None


# ---------------------------------------------------------------- blocks
def _indented_for_nothing(scene: Scene) -> Complaint | None:
    """a deeper line below one that opens no block"""
    if scene.type != "_INDENT":
        return None
    message = "this line is indented, but the line above opens no block"
    help_line = "a block is opened by `:` at the end of the line above"
    return Complaint("D0103", message, scene.rest_of_line, help_line)


def _block_missing(scene: Scene) -> Complaint | None:
    """a header, and then nothing below it or a line that is not indented"""
    if "_INDENT" not in scene.expected:
        return None
    if scene.type in ENDS:
        help_line = "indent its lines by four spaces; `nothing` is an empty block"
        return Complaint("D0105", "the block of this header is missing", scene.here, help_line)
    message = "this line should be indented: the line above opens a block"
    return Complaint("D0103", message, scene.rest_of_line, "four spaces a level")


def _colon_missing_above(scene: Scene) -> Complaint | None:
    """`rule fly()`, which may stand alone, and statements below it"""
    if scene.expected != {"STRING"} or scene.type_back(1) != "_INDENT":
        return None
    above = scene.bare[: scene.place].rstrip()
    header = above[above.rfind("\n") + 1 :].lstrip("\ufeff \t")
    if not header.startswith(("rule ", "action ", "replace rule ", "replace action ")):
        return None
    help_line = "a header ends with `:` and opens a block"
    span = scene.span(len(above), len(above) + 1)
    return _missing(":", "`:` is missing at the end of this header", span, help_line)


def _colon_missing(scene: Scene) -> Complaint | None:
    """`rule fly()` and a block; `if a = b move c to d`"""
    if "COLON" not in scene.expected or scene.brackets:
        return None
    if scene.type == "_NL" and scene.opener.upper() in wording.HEADERS:
        help_line = "a header ends with `:` and opens a block"
        return _missing(":", "`:` is missing at the end of this header", scene.here, help_line)
    if scene.type != "NAME" and scene.word in STATEMENT_WORDS:
        return _missing(":", f"`:` is missing before `{scene.word}`", scene.here)
    return None


def _block_in_line(scene: Scene) -> Complaint | None:
    """`for p in players: if p.out: skip`"""
    word = scene.verb if scene.verb in wording.BLOCKS else ""
    if scene.type == "COLON" and scene.opener in ("may", "offer", "choose"):
        word = scene.opener
    if not word or not scene.behind_colon:
        return None
    span = scene.span(scene.sentence_start, scene.sentence_start + len(word))
    message = f"`{word}` with a block cannot follow `:` on one line"
    return Complaint("D0101", message, span, "put it on a line of its own, indented")


def _else_alone(scene: Scene) -> Complaint | None:
    """`else:` below something that has none"""
    if scene.verb != "else":
        return None
    help_line = "it stands right below the block of its `if`, at the same depth"
    return Complaint("D0101", "this `else` belongs to nothing above it", scene.verb_span, help_line)


# ---------------------------------------------------------------- sentences
def _not_a_declaration(scene: Scene) -> Complaint | None:
    """`acton fly:`, or `move c to d` in the first column"""
    if not scene.expected >= DECLARATION:
        return None
    word = scene.word
    if word in STATEMENT_WORDS:
        message = f"`{word}` is a statement, but a declaration is expected"
        help_line = "indent it under a `rule`, an `action`, a `phase` or `setup`"
        return Complaint("D0113", message, scene.here, help_line)
    if not word.isidentifier():
        help_line = "it starts with a word such as `rule` or `place`"
        return Complaint("D0113", "a declaration is expected", scene.rest_of_line, help_line)
    if scene.opener in ("before", "after"):
        help_line = f"write it like `{wording.OVERLAYS[scene.opener]}`"
        return Complaint("D0113", f"before or after what sort of thing is `{word}`?", scene.here, help_line)
    more = ["replace", "remove", "set", *wording.OVERLAYS] if "REPLACE" in scene.expected else []
    known = wording.OPENERS.get(word) or did_you_mean(word, [*DECLARATION_WORDS, *more])
    if known is None and re.match(r"\w+\s*=", scene.after):
        known = f"write `option {word}: 1..9 = ...`, `state {word}: ...` or `define {word} = ...`"
    return Complaint("D0113", f"`{word}` does not open a declaration", scene.here, known)


def _added(scene: Scene) -> Complaint | None:
    """`add rule pay():`"""
    if scene.opener != "add" or scene.word not in DECLARATION_WORDS or not scene.in_variant:
        return None
    message = (
        f"`add` is for more kinds, rows, tokens or fields of what is there, not for a new `{scene.word}`"
    )
    return Complaint("D0113", message, scene.here, "what a variant adds is written without `add`")


def _not_a_statement(scene: Scene) -> Complaint | None:
    """`put c on d`, `elif a = b:`, `rule fly():` inside the block of another"""
    verb = scene.verb
    if not verb or verb == scene.word or scene.type == "EQUAL" or not scene.expected & {"_NL", "LPAR"}:
        return None
    if verb in DECLARATION_WORDS and (verb not in wording.VERBS or ":" in scene.after):
        message = f"`{verb}` opens a declaration, but a statement is expected"
        return Complaint("D0113", message, scene.verb_span, "a declaration starts in the first column")
    message = f"`{verb}` does not open a {'block' if scene.type == 'COLON' else 'statement'}"
    known = wording.VERBS.get(verb) or did_you_mean(verb, STATEMENT_WORDS)
    return Complaint("D0113", message, scene.verb_span, known or f"to use a rule, write `{verb}(...)`")


def _assignment(scene: Scene) -> Complaint | None:
    """`x = 3` as a statement"""
    target = scene.sentence
    if scene.type != "EQUAL" or "_NL" not in scene.expected or scene.opener in STATEMENT_WORDS:
        return None
    help_line = f"write `set {target} = ...`"
    if target.isidentifier():
        help_line += f" to change it, or `let {target} = ...` for a new name"
    span = scene.span(scene.sentence_start, scene.place + 1)
    return Complaint("D0113", "a statement cannot start with a value", span, help_line)


def _two_statements(scene: Scene) -> Complaint | None:
    """`skip move c to d`"""
    if "_NL" not in scene.expected or scene.type == "NAME" or scene.word not in STATEMENT_WORDS:
        return None
    message = f"`{scene.word}` cannot follow on the same line"
    return Complaint("D0101", message, scene.here, "each statement has a line of its own")


def _words(scene: Scene) -> Complaint | None:
    """a string between statements, or as a value"""
    if scene.type == "STRING" and scene.expected >= STATEMENT:
        help_line = "only the first line of a block may document it"
        return Complaint("D0101", "words are not a statement", scene.here, help_line)
    if scene.type == "STRING" and scene.expected >= VALUE:
        why = scene.type_back(1) == "OR"
        help_line = "a reason follows `because`" if why else "for named values, declare `kinds`"
        return Complaint("D0101", "words are not a value", scene.here, help_line)
    return None


def _clause_word_missing(scene: Scene) -> Complaint | None:
    """a bare condition below `choose ...:` or `then:`"""
    start = scene.sentence_start
    condition = scene.body[start:].split("\n")[0].rstrip()
    if "ALIKE" in scene.expected and scene.type in VALUE:
        message = f"`{scene.word}` cannot stand here; expected `where`"
        return Complaint("D0101", message, scene.here, f"write `where {condition}`")
    if "DECIDES" in scene.expected and scene.type in wording.OPERATORS:
        span = scene.span(start, start + len(condition))
        return Complaint("D0101", "`check` is missing", span, f"write `check {condition}`")
    return None


def _joint_missing(scene: Scene, reads: Callable[[str], bool]) -> Complaint | None:
    """`move 2 gold from bank to purse`, `place hand: bag Card`: with one little word it can be read"""
    before, after = scene.body[: scene.place], scene.body[scene.place :]
    operators = scene.expected & wording.OPERATORS - {"LSQB"}  # a vector's name has one, too
    here = scene.expected - (operators if len(operators) > 1 else set())  # `2 in gold` is a value, too
    words = [name.lower() for name in JOINTS if name in here]
    fitting = [word for word in words if reads(f"{before.rstrip(' ')} {word} {after}")]
    if len(fitting) != 1 or scene.type in ENDS:
        return None
    (word,) = fitting
    at = scene.span(scene.place, scene.place)
    fix = Fix(f"put `{word}` there", (Edit(at, f"{word} "),))
    return Complaint("D0101", f"`{word}` is missing before `{scene.word}`", scene.here, fixes=(fix,))


def _seen_too_early(scene: Scene) -> Complaint | None:
    """`place hand seen by owner: bag of Coin`"""
    if scene.word == "seen" and scene.opener in ("place", "state") and scene.expected & {"COLON", "BAG"}:
        help_line = f"write it like `{wording.FORMS[scene.opener]}`"
        return Complaint("D0101", "`seen by` comes after what is seen", scene.here, help_line)
    return None


def _for_each(scene: Scene) -> Complaint | None:
    """`for each p in players:`"""
    if scene.sentence != "for each":
        return None
    span = scene.span(scene.sentence_start + 4, scene.place - 1)
    return Complaint("D0101", "`each` is not used here", span, f"write `for {scene.word} in ...:`")


# ---------------------------------------------------------------- names, cites and rows
def _name_of_two_words(scene: Scene) -> Complaint | None:
    """`rule draw-cards():`, `action draw cards in menu:`"""
    first = scene.back(1)
    if not isinstance(first, Token) or scene.type_back(2) not in wording.NAMING:
        return None
    start, stop = first.start_pos or 0, "|".join(wording.AFTER_NAME)
    name = re.match(
        rf"\w+(?:(?: *- *| +)(?!(?:{stop})\b)\w+)+(?=\s*(?:[(:=[]|(?:{stop})\b))", scene.body[start:]
    )
    if name is None or scene.type not in ("NAME", "TYPE", "MINUS"):
        return None
    help_line: str = write(re.sub("[- ]+", "_", name[0]), name[0])
    if scene.opener == "action" and scene.body[start + name.end()] == ":":
        help_line += f" or `{first} in {scene.word}`"
    return Complaint("D0101", "a name is one word", scene.span(start, start + name.end()), help_line)


def _wrong_case(scene: Scene) -> Complaint | None:
    """`component tile:`, `let X = 3`"""
    names = scene.expected & {"NAME", "TYPE"}
    if scene.type == "TYPE" and names == {"NAME"}:
        help_line = write(_lower(scene.word), scene.word, "; only types, phases and loops are Capitalised")
        return Complaint("D0112", "a lower-case name is expected", scene.here, help_line)
    if names == {"TYPE"} and re.fullmatch(r"[a-z_]\w*", scene.word):
        capital = "".join(part[:1].upper() + part[1:] for part in scene.word.split("_"))
        help_line = write(capital, scene.word, "; types, phases and loops are Capitalised")
        return Complaint("D0112", "a Capitalised name is expected", scene.here, help_line)
    return None


def _missing(sign: str, message: str, here: Span, help_line: str | None = None) -> Complaint:
    """A sign that has to stand behind what was read last."""
    text, end = here.source.text, here.start
    while end > 0 and text[end - 1] in " \t\n":
        end -= 1
    edit = Edit(Span(here.source, end, end), sign)
    return Complaint("D0101", message, here, help_line, fixes=(Fix(f"put `{sign}` there", (edit,)),))


def _lower(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _citation(scene: Scene) -> Complaint | None:
    """`rule fly() [DK-23]:`, `skip [dk 23]`"""
    if scene.type == "CITE":
        joint = "the `:`" if "COLON" in scene.expected else "the sentence"
        return Complaint("D0101", "a citation ends the line", scene.here, f"put it behind {joint}")
    found = re.match(r"\[\s*[A-Za-z][A-Za-z0-9]*[- ]?[0-9][^\]]*\]", scene.after)
    if scene.type == "LSQB" and "CITE" in scene.expected and found:
        span = scene.span(scene.place, scene.place + found.end())
        help_line = "write it like [DK-23], [DK-23..26] or [DK-23, DK-40]"
        return Complaint("D0101", "this is not a citation", span, help_line)
    return None


def _table_row(scene: Scene) -> Complaint | None:
    """`| red | 3`, or `red | 3 |` in a bar table"""
    if scene.type in ENDS:
        return None
    if scene.type_back(1) == "ROW":
        return Complaint("D0111", "this table row is not closed", scene.rest_of_line, "end it with `|`")
    if "ROW" in scene.expected:
        help_line = "start and end it with `|`, and put `|` between its cells"
        return Complaint("D0111", "this is not a table row", scene.rest_of_line, help_line)
    if scene.type == "ROW":
        help_line = "rows stand below `rows Tile:` or a `table`"
        return Complaint("D0111", "a table row cannot stand here", scene.here, help_line)
    return None


# ---------------------------------------------------------------- the rest
def _anything_else(scene: Scene) -> Complaint:
    expected = _one_of(scene.expected)
    help_line = None
    if scene.word.isalpha():
        keywords = (name.lower() for name in scene.expected - wording.READABLE.keys() if name.isalpha())
        help_line = did_you_mean(scene.word, keywords)
    forms = {**wording.FORMS, **wording.OVERLAYS} if scene.in_variant else wording.FORMS
    if help_line is None and scene.opener in forms and not scene.expected >= VALUE:
        help_line = f"write it like `{forms[scene.opener]}`"
    if help_line is None and "STRING" in scene.expected:
        help_line = "words stand in double quotes"
    if scene.type == "_NL":
        return Complaint("D0101", f"the line ends too early; expected {expected}", scene.here, help_line)
    if scene.type in ENDS:
        return Complaint("D0105", f"the block ends too early; expected {expected}", scene.here, help_line)
    return Complaint("D0101", f"`{scene.word}` cannot stand here; expected {expected}", scene.here, help_line)


def _one_of(expected: frozenset[str]) -> str:
    """What could have stood there, without what could have stood anywhere."""
    names = expected - {"CITE", "$END", "_DEDENT"}
    texts: list[str] = []
    if names >= DECLARATION:
        names, texts = frozenset(), ["a declaration"]
    elif names >= STATEMENT:
        names, texts = names & {"_NL"}, ["a statement"]
    elif names >= VALUE:
        names, texts = names - VALUE - {"NOT"}, ["a value"]
    else:
        names = names - wording.OPERATORS or names - wording.PATH or names
    if "PLAYERS" in names:
        names -= {"PLAYER"}
    texts += sorted(wording.READABLE.get(name, f"`{name.lower()}`") for name in names - {"_NL"})
    if "_NL" in names:
        texts.append(wording.READABLE["_NL"])
    if not texts:
        return "the end of the block"
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}"


_SLIPS: tuple[Callable[[Scene], Complaint | None], ...] = (
    _strange_character,
    _bracket_not_closed,
    _bracket_not_opened,
    _table_row,
    _indented_for_nothing,
    _colon_missing_above,
    _block_missing,
    _foreign_operator,
    _chained_comparison,
    _foreign_joint,
    _comma_missing,
    _citation,
    _not_a_declaration,
    _added,
    _words,
    _else_alone,
    _block_in_line,
    _clause_word_missing,
    _assignment,
    _not_a_statement,
    _colon_missing,
    _two_statements,
    _seen_too_early,
    _for_each,
    _name_of_two_words,
    _wrong_case,
)
