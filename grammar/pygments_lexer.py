"""A Pygments lexer, so that rule files are coloured on web pages, in Sphinx and in terminals.

Found by Pygments through the entry point `pygments.lexers`: ` ```dragon ` in
Markdown, `pygmentize my_game.dragon`, `.. code-block:: dragon`.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text, Whitespace

from .highlighting import paints

KINDS = {
    None: Whitespace,
    "comment": Comment.Single,
    "pragma": Comment.Special,
    "cite": Comment.Preproc,
    "string": String.Double,
    "type": Name.Class,
    "declare": Keyword.Declaration,
    "keyword": Keyword,
    "word": Keyword,
    "name": Name.Function,
    "attribute": Name.Attribute,
    "constant": Keyword.Constant,
    "value": Name.Builtin,
    "call": Name.Function,
    "plain": Name,
    "number": Number.Integer,
    "operator": Operator,
    "mark": Punctuation,
}


def _rule(pattern: str, roles: tuple[str | None, ...]) -> tuple[str, Any]:
    kinds = [KINDS[role] for role in roles]
    return pattern, kinds[0] if len(kinds) == 1 else bygroups(*kinds)  # type: ignore[no-untyped-call]


class DragonLexer(RegexLexer):
    """Rules of tabletop games."""

    name = "dragonrules"
    url = "https://pypi.org/project/dragonrules/"
    aliases: ClassVar[list[str]] = ["dragon", "dragonrules"]
    filenames: ClassVar[list[str]] = ["*.dragon"]
    mimetypes: ClassVar[list[str]] = ["text/x-dragonrules"]
    version_added = ""
    flags = re.MULTILINE
    tokens: ClassVar[dict[str, list[Any]]] = {
        "root": [
            *(_rule(paint.pattern, paint.roles) for paint in paints()),
            (r"\r?\n", Whitespace),
            (r"[ \t]+", Whitespace),
            (r".", Text),
        ]
    }

    @staticmethod
    def analyse_text(text: str) -> float:
        """How sure one can be that a text is one of ours."""
        header = re.search(r'^(game|variant) ".*" (for|of) ', text, re.MULTILINE)
        return 0.9 if header else 0.0
