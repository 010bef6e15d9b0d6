"""Prose for what the parser could not read.

The parser stops with a token, with the set of tokens that could have stood in
its place, and with a stack of what it has read so far: a `Scene`. Each function
in `_SLIPS` knows one slip that people make, shown in its docstring, and looks
for it in the scene; the first that finds its own speaks. When none does, the
message lists what could have stood there, and the help shows the form of the
sentence (`_FORMS`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cached_property

from attrs import frozen
from lark import Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from .diagnostics import Report, did_you_mean
from .spans import Source, Span

DECLARATION_WORDS = frozenset(
    "game option require kinds component rows token piece table place each partition state record"
    " define score rule action trigger phase setup ending always never variant scenario look".split()
)
STATEMENT_WORDS = frozenset(
    "if else turns rounds together for repeat as show atomic step choose offer may let set change"
    " move draw shuffle roll swap reveal peek pick window stop skip return cancel expire finish"
    " nothing require note".split()
)
OPERATOR_WORDS = frozenset(
    "all and as because by can else for from if in mod not note of or to until when where while with".split()
)
"""Words that would make a sentence unreadable if they were names."""

_FORMS = {
    "GAME": 'game "Name" for 2 to 4 players',
    "OPTION": "option goal: 1..60 = 10",
    "REQUIRE": 'require my.hand != {} because "words"',
    "KINDS": "kinds Colour: red, blue",
    "COMPONENT": "component Hero count 6",
    "ROWS": "rows Tile:",
    "TOKEN": "token Gem: silver 35, gold 20",
    "PIECE": "piece drakon on Chamber",
    "TABLE": "table toll(left: 0..25) -> 0..3:",
    "PLACE": "place pile: deck of Tile, seen by nobody",
    "EACH": "each player has:",
    "PARTITION": "partition team of players by seat mod 2",
    "STATE": "state level: 1..3 = 1 until turn ends",
    "RECORD": "record Plan at most 12:",
    "DEFINE": "define gold(p: player) = count(p.purse)",
    "SCORE": "score(p: player) = gold(p)",
    "RULE": "rule fly(n: 1..2):",
    "ACTION": "action build in deed:",
    "TRIGGER": "trigger knight after act(h, c) for h.owner where c.open:",
    "PHASE": "phase Tribute:",
    "SETUP": "setup:",
    "ENDING": "ending rich for p in players when gold(p) >= 10: finish {p}",
    "ALWAYS": "always coins: total(Coin) = 28",
    "NEVER": "never both: a and b",
    "VARIANT": 'variant "Name" of base:',
    "REPLACE": "replace rule fly(n: 1..2):",
    "REMOVE": "remove trigger knight",
    "SCENARIO": 'scenario "title" for 3 players, goal = 8:',
    "LOOK": 'look Tile: "{colour} {value}"',
    "IF": "if a = b:",
    "TURNS": "turns Play p from starter where p.playing:",
    "ROUNDS": "rounds Talk p in order, clock 60 tick 5:",
    "TOGETHER": "together p in players:",
    "FOR": "for p in players where p.playing:",
    "REPEAT": "repeat up to 3:",
    "AS": "as p:",
    "SHOW": "show p.hand to me:",
    "STEP": "step give:",
    "CHOOSE": "choose c in my.hand where c.open",
    "OFFER": "offer menu",
    "MAY": 'may "words":',
    "LET": "let x = 3",
    "SET": "set x = 3",
    "CHANGE": "change x by 1",
    "MOVE": "move c to place, or move 2 of gold from here to there",
    "DRAW": "draw 2 from pile to my.hand",
    "SHUFFLE": "shuffle discard into pile",
    "ROLL": "roll n in 1..6",
    "SWAP": "swap a with b",
    "REVEAL": "reveal my.hand to all",
    "PEEK": "peek 2 of pile to me",
    "PICK": "pick 1..2 from drawn to heap",
    "WINDOW": "window menu from p",
    "STOP": "stop Descent",
    "EXPIRE": "expire Talk",
    "FINISH": 'finish {p} because "words"',
    "NOTE": "note Plan(gets: n)",
    "CHECK": "check gold(me) = 3",
    "CHANCE": "chance gold",
}
_HEADERS = frozenset(
    "ROWS TABLE EACH RECORD RULE ACTION TRIGGER PHASE SETUP ENDING VARIANT SCENARIO IF ELSE TURNS"
    ' ROUNDS TOGETHER FOR REPEAT AS SHOW ATOMIC STEP GIVEN WHEN THEN MAY "'.split()
)
_NAMING = frozenset(
    "OPTION STATE PLACE DEFINE TABLE RULE ACTION TRIGGER ENDING ALWAYS NEVER STEP PARTITION PIECE"
    " LET KINDS COMPONENT PHASE RECORD TOKEN".split()
)
_READABLE = {
    "NAME": "a name",
    "TYPE": "a Capitalised name",
    "NUM": "a number",
    "STRING": '"words"',
    "ROW": "a table row",
    "ATTR": "`.member`",
    "CMP": "a comparison",
    "YESNO": "`yes/no`",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "COLON": "`:`",
    "COMMA": "`,`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "EQUAL": "`=`",
    "ARROW": "`->`",
    "DOTS": "`..`",
    "ROW_SHAPE": "`row`",
}
_VALUE = frozenset("NAME TYPE NUM ALL LPAR LBRACE MINUS CAN NOTE NOT".split())
_OPERATORS = frozenset(
    "IF OR AND CMP EQUAL IN NOT PLUS MINUS STAR SLASH MOD ATTR LSQB LPAR DOTS CITE".split()
)
_STATEMENT = frozenset({"LET", "MOVE", "RETURN", "NAME"})
_DECLARATION = frozenset({"OPTION", "RULE", "ACTION"})
_ENDS = frozenset({"_NL", "_DEDENT", "$END"})
_CLOSERS = {"RPAR": "(", "RSQB": "[", "RBRACE": "{"}

_VERBS = {
    "elif": "write `else if`",
    "elsif": "write `else if`",
    "elseif": "write `else if`",
    "otherwise": "write `else:`",
    "default": "write `else:`",
    "unless": "write `if not ...:`",
    "while": "loops are `for`, `repeat up to n:` and `turns`",
    "loop": "loops are `for`, `repeat up to n:` and `turns`",
    "until": "loops are `for`, `repeat up to n:` and `turns`",
    "foreach": "write `for x in ...:`",
    "each": "write `for x in ...:`",
    "def": "a `rule` has effects, a `define` has a value; both stand in the first column",
    "function": "a `rule` has effects, a `define` has a value; both stand in the first column",
    "var": "write `let x = ...`",
    "put": "write `move ... to ...`",
    "place": "write `move ... to ...`",
    "give": "write `move ... to ...`",
    "take": "write `move ... to ...`",
    "discard": "write `move ... to ...`",
    "return_to": "write `move ... to ...`",
    "remove": "write `move ... to ...`",
    "deal": "write `draw n from pile to hand`",
    "add": "write `change x by 1`",
    "increase": "write `change x by 1`",
    "gain": "write `change x by 1`",
    "lose": "write `change x by -1`",
    "decrease": "write `change x by -1`",
    "exchange": "write `swap a with b`",
    "ask": "write `as p:`, and `choose` or `may` below it",
    "select": "write `choose x in ...`",
    "end": "the indentation ends a block",
    "win": "write `finish {p}`",
}
_OPENERS = {
    "def": "a `rule` has effects, a `define` has a value",
    "function": "a `rule` has effects, a `define` has a value",
    "enum": "write `kinds Colour: red, blue`",
    "class": "write `component Tile:`",
    "type": "write `component Tile:`, or `kinds Colour: red, blue`",
    "const": "write `option x: 1..9 = 3`, or `define x = 3`",
    "var": "write `state x: 0..9 = 0`",
    "import": "files are named on the command line",
    "include": "files are named on the command line",
    "add": "what a variant adds is written without `add`",
    "on": "write `trigger name after event:`",
    "players": 'the numbers of players stand in `game "Name" for 2 to 4 players`',
    "player": "write `each player has:`",
    "invariant": "write `always name: condition`",
    "test": 'write `scenario "title":`',
}
_JOINTS = {
    "is": "`=` compares, `!=` is its opposite",
    "equals": "`=` compares",
    "isnt": "`!=` compares",
    "contains": "write `x in set`",
    "has": "write `x in set`",
    "div": "write `/`",
    "plus": "write `+`",
    "minus": "write `-`",
    "times": "write `*`",
    "then": "a condition ends with `:`",
    "do": "a header ends with `:`",
}
_CHARACTERS = {
    "!": "write `not`, or `!=` for unequal",
    "&": "write `and`",
    "|": "write `or`",
    "%": "write `mod`",
    ";": "each statement has a line of its own",
    "–": "write `-`, or `..` for a range",
    "—": "write `-`, or `..` for a range",
    "−": "write `-`",
    "…": "a range has two dots: `1..5`",
    "×": "write `*`",
    "÷": "write `/`",
    "≤": "write `<=`",
    "≥": "write `>=`",
    "≠": "write `!=`",
    "→": "write `->`",
    "\r": "a line ends with a newline",
}
_PAIRS = {
    "==": "`=` compares; `set x = ...` changes a value",
    "=>": "write `>=`",
    "=<": "write `<=`",
    "<>": "write `!=`",
    "=!": "write `!=`",
    ":=": "write `set x = ...`, or `let x = ...` for a new name",
    "+=": "write `change x by ...`",
    "-=": "write `change x by -...`",
    "++": "write `change x by 1`",
    "--": "a comment starts with `#`; to take one off, write `change x by -1`",
    "//": "a comment starts with `#`",
    "/*": "a comment starts with `#`",
    "**": "there are no powers; write a `table`",
}


@frozen
class Complaint:
    code: str
    message: str
    span: Span
    help: str | None = None
    related: tuple[tuple[Span, str], ...] = ()


@frozen
class Scene:
    """Where the parser stopped in the piece `body`, which starts at `offset` of the source."""

    source: Source
    offset: int
    body: str
    place: int
    token: Token
    expected: frozenset[str]
    stack: tuple[object, ...]

    @cached_property
    def bare(self) -> str:
        """The body with strings and comments blanked out."""
        return blank(self.body)

    @property
    def type(self) -> str:
        return self.token.type

    @property
    def word(self) -> str:
        return str(self.token)

    @property
    def after(self) -> str:
        return self.body[self.place :].split("\n")[0].rstrip()

    @cached_property
    def sentence_start(self) -> int:
        """Where the sentence begins: with its line, or behind the `:` or `else` that it follows."""
        open_brackets = self.brackets(self.place)
        line_start = self.body.rfind("\n", 0, min([*open_brackets, self.place])) + 1
        start = line_start
        for joint in re.finditer(r"\s+|:|replace\b|else\b(?!\s*:)|\S", self.bare[line_start : self.place]):
            where = line_start + joint.start()
            if joint.group().strip() == "" and where == start:
                start = line_start + joint.end()
            elif joint.group() in ("replace", "else") and where == start:
                start = line_start + joint.end()
            elif joint.group() == ":" and self._opens_block(start) and not self.brackets(where):
                start = line_start + joint.end()
        return min(start, self.place)

    def _opens_block(self, start: int) -> bool:
        word = re.compile('"|[a-z]*').match(self.bare, start)
        return word is not None and word.group().upper() in _HEADERS

    @property
    def sentence(self) -> str:
        return self.body[self.sentence_start : self.place].rstrip()

    @property
    def opener(self) -> str:
        """The terminal of the word that opens the sentence, or nothing."""
        found = re.match(r"[a-z]+\b", self.sentence)
        return found.group().upper() if found else ""

    def previous(self, back: int = 1) -> object:
        return self.stack[-back] if len(self.stack) >= back else None

    def previous_type(self, back: int = 1) -> str:
        found = self.previous(back)
        return found.type if isinstance(found, Token) else ""

    def span(self, start: int, end: int) -> Span:
        size = len(self.source.text)
        return Span(self.source, min(self.offset + start, size), min(self.offset + end, size))

    @property
    def here(self) -> Span:
        """The token, or the place just behind the last word of a line that ends too early."""
        width = 1 if self.type in _ENDS else len(self.token)
        return self.span(self.place, self.place + width)

    @property
    def rest_of_line(self) -> Span:
        return self.span(self.place, self.place + len(self.after))

    def brackets(self, end: int) -> list[int]:
        """Offsets of the brackets that are open at `end`."""
        opened: list[int] = []
        for found in re.finditer(r"[][(){}]", self.bare[:end]):
            if found.group() in "([{":
                opened.append(found.start())
            elif opened:
                opened.pop()
        return opened


def blank(text: str) -> str:
    """The text with the insides of strings and all comments as spaces."""

    def spaces(found: re.Match[str]) -> str:
        size = len(found.group())
        return " " * size if found.group()[0] == "#" else f'"{" " * (size - 2)}"'

    return re.sub(r'"([^"\\\n]|\\.)*"|#[^\n]*', spaces, text)


def complain(report: Report, source: Source, offset: int, body: str, error: UnexpectedInput) -> None:
    """Report one syntax error."""
    scene = _scene(source, offset, body, error)
    found = next(filter(None, (slip(scene) for slip in _SLIPS)), None) or _anything_else(scene)
    report.add(found.code, found.message, found.span, help=found.help, related=found.related)


def complain_of_names(report: Report, source: Source, offset: int, tree: Tree[Token]) -> None:
    """Report names that would make the sentences they stand in unreadable."""
    for part in tree.iter_subtrees():
        names = [child for child in part.children if isinstance(child, Token) and child.type == "NAME"]
        for name in names if part.data == "name_list" else names[:1] if part.data in _GIVES_NAME else ():
            if name in OPERATOR_WORDS or (part.data == "rule" and name in STATEMENT_WORDS):
                assert name.start_pos is not None and name.end_pos is not None
                report.add(
                    "D0210",
                    f"`{name}` is a reserved word and cannot be a name",
                    Span(source, offset + name.start_pos, offset + name.end_pos),
                    help="choose another name",
                )


_GIVES_NAME = frozenset(
    "option field token_item piece table place partition state define score rule action trigger"
    " ending always never param let roll turns rounds together for_loop repeat step binder"
    " vector_binder".split()
)


def _scene(source: Source, offset: int, body: str, error: UnexpectedInput) -> Scene:
    cursor = error.interactive_parser  # type: ignore[attr-defined]
    stack, expected = tuple(cursor.parser_state.value_stack), frozenset(cursor.accepts())
    if isinstance(error, UnexpectedToken):
        token = error.token
        place = {"$END": len(body), "_INDENT": token.end_pos}.get(token.type, token.start_pos)
        if token.type in _ENDS:
            place = len(blank(body)[:place].rstrip())
    else:
        place = error.pos_in_stream
        token = Token("", body[place : place + 1])
    assert place is not None
    return Scene(source, offset, body, place, token, expected, stack)


# ---------------------------------------------------------------- characters
def _strange_character(scene: Scene) -> Complaint | None:
    """`“Drakon”`, `3 × 4`, `a && b`"""
    if scene.type:
        return None
    character, after = scene.word, scene.after
    if character == '"':
        return Complaint(
            "D0104", "this string is not closed on its line", scene.rest_of_line, 'end it with `"`'
        )
    if character in "“”„«»'‘’‚`":
        size = len(character)
        return Complaint(
            "D0102", f"`{character}` does not mark words", scene.here, 'use straight double quotes: "words"'
        )
    if character == ".":
        return _strange_dot(scene)
    if character == "|" and after != "|" and scene.opener in ("", "ROWS", "TABLE"):
        return Complaint("D0111", "this table row is not closed", scene.rest_of_line, "end it with `|`")
    if character.isdigit():
        number = re.match(r"\w+", after)
        assert number is not None
        span = scene.span(scene.place, scene.place + number.end())
        return Complaint(
            "D0102", f"`{number.group()}` is neither a number nor a name", span, "a name starts with a letter"
        )
    if character.isalpha():
        word = re.match(r"\w+", after)
        assert word is not None
        return Complaint(
            "D0102",
            f"`{character}` cannot stand in a name",
            scene.here,
            "names are made of `a` to `z`, digits and `_`",
        )
    if unicodedata.category(character) in ("Zs", "Cf", "Zl", "Zp"):
        return Complaint(
            "D0102",
            f"an invisible character (U+{ord(character):04X})",
            scene.here,
            "put a plain space in its place",
        )
    shown = character if character.isprintable() else f"U+{ord(character):04X}"
    width = 2 if after[:2] in ("&&", "||") else 1
    span = scene.span(scene.place, scene.place + width)
    return Complaint("D0102", f"`{shown * width}` is not used here", span, _CHARACTERS.get(character))


def _strange_dot(scene: Scene) -> Complaint:
    """`1...5`, `1.5`, `p.Hand`"""
    start, after = scene.place, scene.after
    if scene.body[start - 1] == ".":
        end = start + len(after) - len(after.lstrip("."))
        start -= 2
        return Complaint("D0102", "a range has two dots", scene.span(start, end), "write `1..5`")
    if re.match(r"\.\d", after) and scene.body[start - 1].isdigit():
        digits = re.search(r"\d+$", scene.body[:start])
        fraction = re.match(r"\.\d+", after)
        assert digits is not None and fraction is not None
        span = scene.span(digits.start(), start + fraction.end())
        return Complaint("D0102", "numbers are whole", span, "count in smaller units")
    member = re.match(r"\.\s*(\w+)", after)
    if member is not None:
        span = scene.span(start, start + member.end())
        return Complaint("D0112", "a member is lower case", span, f"write `.{member[1].lower()}`")
    return Complaint("D0102", "the name of a member should follow this dot", scene.here)


# ---------------------------------------------------------------- brackets
def _bracket_not_closed(scene: Scene) -> Complaint | None:
    """`draw (1 + 2 from pile to hand`"""
    unmatched = [opened for opened in scene.brackets(len(scene.body)) if opened < scene.place]
    inside = scene.brackets(scene.place)
    if not unmatched or not inside or unmatched[-1] != inside[-1]:
        return None
    bracket = scene.body[inside[-1]]
    closer = next(name for name, opened in _CLOSERS.items() if opened == bracket)
    if scene.type in _CLOSERS or not (scene.type in _ENDS or closer in scene.expected):
        return None
    span = scene.span(inside[-1], inside[-1] + 1)
    return Complaint("D0108", f"this `{bracket}` is never closed", span, f"end it with {_READABLE[closer]}")


def _bracket_not_opened(scene: Scene) -> Complaint | None:
    """`f(a))`, `f(a]`"""
    if scene.type not in _CLOSERS:
        return None
    inside = scene.brackets(scene.place)
    if not inside:
        return Complaint(
            "D0108", f"this `{scene.word}` closes nothing", scene.here, "take it away, or open it before"
        )
    bracket = scene.body[inside[-1]]
    if bracket != _CLOSERS[scene.type]:
        opened = scene.span(inside[-1], inside[-1] + 1)
        message = f"`{bracket}` is closed by `{scene.word}`"
        return Complaint("D0108", message, scene.here, related=((opened, "it is opened here"),))
    if scene.expected >= _VALUE:
        return Complaint("D0101", f"a value is missing before this `{scene.word}`", scene.here)
    return None


def _comma_missing(scene: Scene) -> Complaint | None:
    """`{red blue}`"""
    if (
        "COMMA" in scene.expected
        and scene.type in ("NAME", "TYPE", "NUM", "LBRACE")
        and scene.brackets(scene.place)
    ):
        if scene.word in _JOINTS:
            return None
        return Complaint("D0101", f"`,` is missing before `{scene.word}`", scene.here)
    return None


# ---------------------------------------------------------------- operators
def _foreign_operator(scene: Scene) -> Complaint | None:
    """`a == b`, `x += 1`, `a <> b`, `// words`"""
    start = scene.place
    if scene.body[max(0, start - 1) : start + 1] in _PAIRS:
        start -= 1
    pair = scene.body[start : start + 2]
    if pair not in _PAIRS:
        return None
    name = re.fullmatch(r"[a-z_][\w.]*", scene.body[scene.sentence_start : start].strip())
    known = _PAIRS[pair].replace("x ", f"{name.group()} ") if name else _PAIRS[pair]
    return Complaint("D0101", f"`{pair}` is not used here", scene.span(start, start + 2), known)


def _chained_comparison(scene: Scene) -> Complaint | None:
    """`0 < x < 5`"""
    comparing = ("CMP", "EQUAL", "IN")
    if scene.type not in comparing or scene.previous_type(2) not in comparing:
        return None
    left, middle = (_text(scene, scene.previous(back)) for back in (3, 1))
    help_line = "write `a < b and b < c`"
    if left and middle:
        help_line = f"write `{left} {scene.previous(2)} {middle} and {middle} {scene.word} ...`"
    return Complaint("D0109", "comparisons do not chain", scene.here, help_line)


def _text(scene: Scene, part: object) -> str:
    """A short part of the stack as it was written."""
    if not isinstance(part, Tree) or part.meta.empty or part.meta.end_pos - part.meta.start_pos > 20:
        return ""
    return scene.body[part.meta.start_pos : part.meta.end_pos]


def _foreign_joint(scene: Scene) -> Complaint | None:
    """`if x is none:`, `if x = 3 then`"""
    if scene.word in _JOINTS and "ATTR" in scene.expected:
        return Complaint("D0101", f"`{scene.word}` is not used here", scene.here, _JOINTS[scene.word])
    return None


# ---------------------------------------------------------------- blocks
def _indented_for_nothing(scene: Scene) -> Complaint | None:
    """A deeper line below one that opens no block."""
    if scene.type != "_INDENT":
        return None
    message = "this line is indented, but the line above opens no block"
    return Complaint(
        "D0103", message, scene.rest_of_line, "a block is opened by `:` at the end of the line above"
    )


def _block_missing(scene: Scene) -> Complaint | None:
    """A header, and then nothing below it or a line that is not indented."""
    if "_INDENT" not in scene.expected:
        return None
    if scene.type in _ENDS:
        message = "the block of this header is missing"
        return Complaint(
            "D0105", message, scene.here, "indent its lines by four spaces; `nothing` is an empty block"
        )
    message = "this line should be indented: the line above opens a block"
    return Complaint("D0103", message, scene.rest_of_line, "four spaces a level")


def _colon_missing(scene: Scene) -> Complaint | None:
    """`rule fly()` and a block; `if a = b move c to d`"""
    if "COLON" not in scene.expected or scene.brackets(scene.place):
        return None
    if scene.type == "_NL" and scene.opener in _HEADERS:
        help_line = "a header ends with `:` and opens a block"
        return Complaint("D0101", "`:` is missing at the end of this header", scene.here, help_line)
    if (
        scene.word in STATEMENT_WORDS
        and scene.type != "NAME"
        and scene.expected <= _OPERATORS | _AFTER_HEADER
    ):
        return Complaint("D0101", f"`:` is missing before `{scene.word}`", scene.here)
    return None


_AFTER_HEADER = frozenset("COLON WHERE AS FROM ARROW IN FOR COMMA IF BEFORE".split())


def _block_in_line(scene: Scene) -> Complaint | None:
    """`for p in players: if p.out: skip`"""
    behind_colon = scene.bare[: scene.sentence_start].rstrip(" \t").endswith(":")
    if scene.type == "COLON" and scene.opener in ("MAY", "OFFER", "CHOOSE") and behind_colon:
        start, word = scene.sentence_start, scene.opener.lower()
    elif behind_colon and not scene.sentence and scene.expected >= {"_NL", "LET"}:
        start, word = scene.place, scene.word
        if scene.type not in ("IF", "TURNS", "ROUNDS", "TOGETHER", "REPEAT", "STEP"):
            return None
    else:
        return None
    span = scene.span(start, start + len(word))
    message = f"`{word}` with a block cannot follow `:` on one line"
    return Complaint("D0101", message, span, "put it on a line of its own, indented")


def _else_alone(scene: Scene) -> Complaint | None:
    """`else:` below something that has none"""
    if scene.type == "ELSE" and scene.expected >= _STATEMENT:
        message = "this `else` belongs to nothing above it"
        return Complaint(
            "D0101", message, scene.here, "it stands right below the block of its `if`, at the same depth"
        )
    return None


# ---------------------------------------------------------------- sentences
def _not_a_declaration(scene: Scene) -> Complaint | None:
    """`acton fly:` or `move c to d` in the first column"""
    if not scene.expected >= _DECLARATION:
        return None
    word = scene.word
    if word in STATEMENT_WORDS:
        message = f"`{word}` is a statement, but a declaration is expected"
        return Complaint(
            "D0113", message, scene.here, "indent it under a `rule`, an `action`, a `phase` or `setup`"
        )
    if scene.type not in ("NAME", "TYPE") and not word.isalpha():
        return Complaint(
            "D0113",
            "a declaration is expected",
            scene.rest_of_line,
            "it starts with a word such as `rule` or `place`",
        )
    help_line = _OPENERS.get(word)
    if help_line is None and re.match(rf"{word}\s*=", scene.after):
        help_line = f"write `option {word}: 1..9 = ...`, `state {word}: ...` or `define {word} = ...`"
    more = ["replace", "remove", "set"] if "REPLACE" in scene.expected else []
    help_line = help_line or did_you_mean(word, [*DECLARATION_WORDS, *more])
    return Complaint("D0113", f"`{word}` does not open a declaration", scene.here, help_line)


def _declaration_in_block(scene: Scene) -> Complaint | None:
    """`rule fly():` inside the block of another"""
    if not scene.expected >= _STATEMENT or scene.word not in DECLARATION_WORDS:
        return None
    message = f"`{scene.word}` opens a declaration, but a statement is expected"
    return Complaint("D0113", message, scene.here, "a declaration starts in the first column")


def _words_in_block(scene: Scene) -> Complaint | None:
    """a string between statements, or as a value"""
    if scene.type != "STRING":
        return None
    if scene.expected >= _STATEMENT:
        return Complaint(
            "D0101", "words are not a statement", scene.here, "only the first line of a block may document it"
        )
    if scene.expected >= _VALUE:
        return Complaint("D0101", "words are not a value", scene.here, "for named values, declare `kinds`")
    return None


def _foreign_verb(scene: Scene) -> Complaint | None:
    """`put c on d`, `elif a = b:`, `deal 3 cards`"""
    verb = scene.sentence
    if not re.fullmatch(r"[a-z_]\w*", verb) or verb in STATEMENT_WORDS or verb.upper() in _FORMS | _READABLE:
        return None
    if (
        scene.previous_type() not in ("NAME", "")
        or not scene.expected & {"_NL", "LPAR"}
        or scene.type == "EQUAL"
    ):
        return None
    span = scene.span(scene.sentence_start, scene.sentence_start + len(verb))
    message = f"`{verb}` does not open a {'block' if scene.type == 'COLON' else 'statement'}"
    help_line = _VERBS.get(verb) or did_you_mean(verb, STATEMENT_WORDS)
    return Complaint("D0113", message, span, help_line or f"to use a rule, write `{verb}(...)`")


def _assignment(scene: Scene) -> Complaint | None:
    """`x = 3` as a statement"""
    target = scene.sentence
    if scene.type != "EQUAL" or "_NL" not in scene.expected or scene.opener.lower() in STATEMENT_WORDS:
        return None
    span = scene.span(scene.sentence_start, scene.place + 1)
    help_line = f"write `set {target} = ...`"
    if re.fullmatch(r"\w+", target):
        help_line += f" to change it, or `let {target} = ...` for a new name"
    return Complaint("D0113", "a statement cannot start with a value", span, help_line)


def _two_statements(scene: Scene) -> Complaint | None:
    """`skip move c to d`"""
    if "_NL" in scene.expected and scene.type != "NAME" and scene.word in STATEMENT_WORDS:
        message = f"`{scene.word}` cannot follow on the same line"
        return Complaint("D0101", message, scene.here, "each statement has a line of its own")
    return None


# ---------------------------------------------------------------- names, cites and rows
def _name_of_two_words(scene: Scene) -> Complaint | None:
    """`rule draw-cards():`, `option end of game: ...`"""
    first = scene.previous()
    if (
        not isinstance(first, Token)
        or scene.previous_type(2) not in _NAMING
        or scene.type not in ("NAME", "MINUS")
    ):
        return None
    start = first.start_pos
    assert start is not None
    found = re.match(
        r"(\w+(?:(?: *- *| +)\w+)+)\s*([(:=[]|in\b|before\b|after\b|instead\b|for\b|when\b|of\b|on\b)",
        scene.body[start:],
    )
    if found is None:
        return None
    name = re.sub(r"[- ]+", "_", found[1])
    return Complaint(
        "D0101", "a name is one word", scene.span(start, start + len(found[1])), f"write `{name}`"
    )


def _wrong_case(scene: Scene) -> Complaint | None:
    """`component tile:`, `let X = 3`"""
    names = scene.expected & {"NAME", "TYPE"}
    if scene.type == "TYPE" and names == {"NAME"}:
        lower = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", scene.word).lower()
        return Complaint(
            "D0112",
            "a lower-case name is expected",
            scene.here,
            f"write `{lower}`; only types, phases and loops are Capitalised",
        )
    if names == {"TYPE"} and re.fullmatch(r"[a-z_]\w*", scene.word):
        capital = scene.word[:1].upper() + scene.word[1:]
        return Complaint(
            "D0112",
            "a Capitalised name is expected",
            scene.here,
            f"write `{capital}`; types, phases and loops are Capitalised",
        )
    return None


def _reserved(scene: Scene) -> Complaint | None:
    """`let if = 3` where the word has its own meaning"""
    if "NAME" in scene.expected and scene.type not in ("NAME", "TYPE") and re.fullmatch("[a-z]+", scene.word):
        if scene.expected >= _STATEMENT:
            return None
        return Complaint(
            "D0210",
            f"`{scene.word}` is a reserved word and cannot be a name",
            scene.here,
            "choose another name",
        )
    return None


def _citation(scene: Scene) -> Complaint | None:
    """`rule fly() [DK-23]:`, `skip [dk 23]`"""
    if scene.type == "CITE":
        after = "the `:`" if "COLON" in scene.expected else "the sentence"
        return Complaint("D0101", "a citation ends the line", scene.here, f"put it behind {after}")
    found = re.match(r"\[\s*[A-Za-z][A-Za-z0-9]*[- ]?[0-9][^\]]*\]", scene.after)
    if scene.type == "LSQB" and "CITE" in scene.expected and found:
        span = scene.span(scene.place, scene.place + found.end())
        return Complaint(
            "D0101", "this is not a citation", span, "write it like [DK-23], [DK-23..26] or [DK-23, DK-40]"
        )
    return None


def _table_row(scene: Scene) -> Complaint | None:
    """`| red | 3` or `red | 3 |` in a bar table"""
    if scene.previous_type() == "ROW" and scene.type not in _ENDS:
        return Complaint("D0111", "this table row is not closed", scene.rest_of_line, "end it with `|`")
    if scene.expected & {"ROW"} and scene.type not in _ENDS:
        return Complaint(
            "D0111",
            "this is not a table row",
            scene.rest_of_line,
            "start and end it with `|`, and put `|` between its cells",
        )
    if scene.type == "ROW":
        return Complaint(
            "D0111", "a table row cannot stand here", scene.here, "rows stand below `rows Tile:` or a `table`"
        )
    return None


# ---------------------------------------------------------------- the rest
def _anything_else(scene: Scene) -> Complaint:
    expected = _one_of(scene.expected)
    form = _FORMS.get(scene.opener)
    spelling = did_you_mean(scene.word, [t.lower() for t in scene.expected if t.isalpha()])
    help_line = spelling if scene.word.isalpha() and spelling else form and f"write it like `{form}`"
    if scene.type == "_NL":
        return Complaint("D0101", f"the line ends too early; expected {expected}", scene.here, help_line)
    if scene.type in _ENDS:
        return Complaint("D0105", f"the block ends too early; expected {expected}", scene.here, help_line)
    return Complaint("D0101", f"`{scene.word}` cannot stand here; expected {expected}", scene.here, help_line)


def _one_of(expected: frozenset[str]) -> str:
    names = expected - {"CITE", "$END", "_DEDENT"}
    texts = []
    if names >= _DECLARATION:
        names, texts = frozenset(), ["a declaration"]
    elif names >= _STATEMENT:
        names, texts = names & {"_NL"}, ["a statement"]
    elif names >= _VALUE - {"NOT"}:
        names, texts = names - _VALUE, ["a value"]
    elif names - _OPERATORS:
        names -= _OPERATORS
    else:
        names, texts = frozenset(), ["an operator"]
    texts += sorted(_READABLE.get(name, f"`{name.lower()}`") for name in names - {"_NL"})
    if "_NL" in names:
        texts.append(_READABLE["_NL"])
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}"


_SLIPS: tuple[Callable[[Scene], Complaint | None], ...] = (
    _strange_character,
    _bracket_not_closed,
    _bracket_not_opened,
    _table_row,
    _indented_for_nothing,
    _block_missing,
    _foreign_operator,
    _chained_comparison,
    _foreign_joint,
    _comma_missing,
    _citation,
    _not_a_declaration,
    _declaration_in_block,
    _words_in_block,
    _else_alone,
    _block_in_line,
    _assignment,
    _foreign_verb,
    _colon_missing,
    _two_statements,
    _name_of_two_words,
    _wrong_case,
    _reserved,
)
