"""The words that complaints are made of: what opens what, and what people write instead.

Only data. Keys in capitals are terminals of the grammar; the others are words
or characters of a source text.
"""

from __future__ import annotations

from .fixes import write


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DECLARATION_WORDS = _words("""
    game option require kinds component rows token piece table place each partition state record
    define score value rule action limit trigger order phase setup ending always never variant scenario look
""")
STATEMENT_WORDS = _words("""
    if else turns rounds together for repeat as show atomic step choose offer may let set change
    move draw shuffle roll swap reveal peek pick window stop skip return cancel expire finish
    nothing require note next
""")
UNFIT_AS_NAMES = _words("""
    all and as because by can else for from if in mod not note of or to until when where while with
""")
GIVES_NAME = _words("""
    option field token_item piece table place partition state define score value rule action limit trigger
    ending always never param let roll turns rounds together for_loop repeat step binder
    vector_binder set_binder spreading
""")
"""The grammar rules whose first NAME is a new one."""

HEADERS = _words("""
    ROWS TABLE EACH RECORD RULE ACTION LIMIT TRIGGER PHASE SETUP ENDING VARIANT SCENARIO IF ELSE TURNS
    ROUNDS TOGETHER FOR REPEAT AS SHOW ATOMIC STEP MAY GIVEN WHEN THEN "
""")
BLOCKS = _words("if turns rounds together repeat step")
"""Statements that are never written behind a `:`."""
NAMING = _words("""
    OPTION STATE PLACE DEFINE TABLE RULE ACTION LIMIT TRIGGER ENDING ALWAYS NEVER STEP PARTITION PIECE
    LET KINDS COMPONENT PHASE RECORD TOKEN
""")
AFTER_NAME = ("in", "before", "after", "instead", "for", "when", "of", "on", "at")

VALUE = _words("NAME TYPE NUM ALL LPAR LBRACE MINUS CAN NOTE")
PATH = _words("ATTR LSQB LPAR CITE")
OPERATORS = PATH | _words("IF OR AND CMP EQUAL IN NOT PLUS MINUS STAR SLASH MOD DOTS")
STATEMENT = _words("LET MOVE RETURN NAME")
DECLARATION = _words("OPTION RULE ACTION")
ENDS = _words("_NL _DEDENT $END")
CLOSERS = {"RPAR": "(", "RSQB": "[", "RBRACE": "{"}

READABLE = {
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
    "COLON": "`:`",
    "COMMA": "`,`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "EQUAL": "`=`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "STAR": "`*`",
    "SLASH": "`/`",
    "ARROW": "`->`",
    "DOTS": "`..`",
    "ROW_SHAPE": "`row`",
    "_UP_TO": "`up to`",
}

FORMS = {
    "game": 'game "Name" for 2 to 4 players',
    "option": "option goal: 1..60 = 10",
    "require": 'require my.hand != {} because "words"',
    "kinds": "kinds Colour: red, blue",
    "component": "component Hero count 6",
    "rows": "rows Tile:",
    "token": "token Gem: silver 35, gold 20",
    "piece": "piece drakon on Chamber",
    "table": "table toll(left: 0..25) -> 0..3:",
    "place": "place pile: deck of Tile, seen by nobody",
    "each": "each player has:",
    "partition": "partition team of players by seat mod 2",
    "state": "state level: 1..3 = 1 until turn ends",
    "record": "record Plan at most 12:",
    "define": "define gold(p: player) = count(p.purse)",
    "score": "score(p: player) = gold(p)",
    "value": "value(p: player) = 3 * gold(p)",
    "rule": "rule fly(n: 1..2):",
    "action": "action build in deed:",
    "limit": "limit must_coup in deed except coup:",
    "trigger": "trigger knight after act(h, c) for h.owner where c.open:",
    "order": "order tax, interest",
    "phase": "phase Tribute:",
    "setup": "setup:",
    "ending": "ending rich for p in players when gold(p) >= 10: finish {p}",
    "always": "always coins: total(Coin) = 28",
    "never": "never both: a and b",
    "variant": 'variant "Name" of base:',
    "replace": "replace rule fly(n: 1..2):",
    "remove": "remove trigger knight",
    "scenario": 'scenario "title" for 3 players, goal = 8:',
    "look": 'look Tile: "{colour} {value}"',
    "if": "if a = b:",
    "turns": "turns Play p from starter where p.playing:",
    "rounds": "rounds Talk p in order, clock 60 tick 5:",
    "together": "together p in players:",
    "for": "for p in players where p.playing:",
    "repeat": "repeat up to 3:",
    "as": "as p:",
    "show": "show p.hand to me:",
    "atomic": "atomic:",
    "step": "step give:",
    "choose": "choose c in my.hand where c.open` or `choose 2 lost in my.hand",
    "offer": "offer menu",
    "may": 'may "words":',
    "let": "let x = 3` or `let x = top(pile) else return",
    "set": "set x = 3",
    "change": "change x by 1",
    "move": "move c to place` or `move 2 of gold from here to there",
    "draw": "draw 2 from pile to my.hand",
    "shuffle": "shuffle discard into pile",
    "roll": "roll n in 1..6",
    "swap": "swap a with b",
    "reveal": "reveal my.hand to all",
    "peek": "peek 2 of pile to me",
    "pick": "pick 1..2 from drawn to heap",
    "window": "window menu from p",
    "stop": "stop Descent",
    "expire": "expire Talk",
    "finish": 'finish {p} because "words"',
    "note": "note Plan(gets: n)",
    "next": "next left(me)",
    "check": "check gold(me) = 3",
    "chance": "chance gold",
}

OVERLAYS = {
    "add": "add rows Tile:` or `add kinds Colour: pink",
    "change": "change rows Tile where colour = red: count = 5",
    "before": "before step fly.land:` or `before phase Tribute:",
    "after": "after step fly.land:` or `after ending rich:",
}
"""Sentences that only variants have, or that mean something else there."""

VERBS = {
    "elif": write("else if", "elif"),
    "elsif": write("else if", "elsif"),
    "elseif": write("else if", "elseif"),
    "otherwise": "write `else:`",
    "default": "write `else:`",
    "unless": "write `if not ...:`",
    "when": "write `if ...:`; what follows an event is a `trigger`",
    "while": "loops are `for`, `repeat up to n:` and `turns`",
    "until": "loops are `for`, `repeat up to n:` and `turns`",
    "loop": "loops are `for`, `repeat up to n:` and `turns`",
    "foreach": "write `for x in ...:`",
    "each": "write `for x in ...:`",
    "var": "write `let x = ...`",
    "put": "write `move ... to ...`",
    "place": "write `move ... to ...`",
    "give": "write `move ... to ...`",
    "take": "write `move ... to ...`",
    "discard": "write `move ... to ...`",
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
"""What people start a statement with."""

OPENERS = {
    "def": "a `rule` has effects, a `define` has a value",
    "function": "a `rule` has effects, a `define` has a value",
    "enum": "write `kinds Colour: red, blue`",
    "class": "write `component Tile:`",
    "type": "write `component Tile:` or `kinds Colour: red, blue`",
    "const": "write `option x: 1..9 = 3` or `define x = 3`",
    "var": "write `state x: 0..9 = 0`",
    "import": "a file is a whole: what it needs stands in it, or it is a variant",
    "include": "a file is a whole: what it needs stands in it, or it is a variant",
    "add": "what a variant adds is written without `add`",
    "on": "write `trigger name after event:`",
    "players": 'write `game "Name" for 2 to 4 players`',
    "player": "write `each player has:`",
    "invariant": "write `always name: condition`",
    "test": 'write `scenario "title":`',
}
"""What people start a declaration with."""

JOINTS = {
    "is": "`=` compares, `!=` is its opposite",
    "equals": "`=` compares",
    "isnt": "`!=` compares",
    "contains": "write `x in set`",
    "has": "write `x in set`",
    "div": write("/", "div"),
    "plus": write("+", "plus"),
    "minus": write("-", "minus"),
    "times": write("*", "times"),
    "then": "a condition ends with `:`",
    "do": "a header ends with `:`",
}
"""What people put between or behind values."""

PAIRS = {
    "==": "`=` compares; `set x = ...` changes a value",
    "=>": write(">=", "=>"),
    "=<": write("<=", "=<"),
    "<>": write("!=", "<>"),
    "=!": write("!=", "=!"),
    ":=": "write `set x = ...`, or `let x = ...` for a new name",
    "+=": "write `change x by ...`",
    "-=": "write `change x by -...`",
    "++": "write `change x by 1`",
    "--": "a comment starts with `#`; to take one off, write `change x by -1`",
    "//": "a comment starts with `#`",
    "/*": "a comment starts with `#`",
    "**": "there are no powers; write a `table`",
}

QUOTES = "“”„«»'‘’‚`"
CHARACTERS = {
    "!": "write `not`, or `!=` for unequal",
    "&": write("and", "&"),
    "|": write("or", "|"),
    "%": write("mod", "%"),
    ";": "each statement has a line of its own",
    "–": "write `-`, or `..` for a range",
    "—": "write `-`, or `..` for a range",
    "−": write("-", "−"),
    "…": "a range has two dots: `1..5`",
    "×": write("*", "×"),
    "÷": write("/", "÷"),
    "≤": write("<=", "≤"),
    "≥": write(">=", "≥"),
    "≠": write("!=", "≠"),
    "→": write("->", "→"),
}
