"""The TextMate grammar, as VS Code and many other editors read it.

`files()` is the grammar with the small extension around it; docs/editors/vscode
holds them, and a test keeps them current.
"""

from __future__ import annotations

import json
from typing import Any

from .highlighting import Paint, paints

SCOPE = "source.dragon"
SCOPES = {
    "comment": "comment.line.number-sign",
    "pragma": "keyword.other.directive",
    "cite": "meta.preprocessor entity.name.tag",
    "string": "string.quoted.double",
    "type": "entity.name.type",
    "declare": "storage.type",
    "keyword": "keyword.control",
    "word": "keyword.other",
    "name": "entity.name.function",
    "attribute": "variable.other.property",
    "constant": "constant.language",
    "value": "variable.language",
    "call": "entity.name.function",
    "plain": "variable.other",
    "number": "constant.numeric",
    "operator": "keyword.operator",
    "mark": "punctuation",
}

LANGUAGE = {
    "comments": {"lineComment": "#"},
    "brackets": [["{", "}"], ["[", "]"], ["(", ")"]],
    "autoClosingPairs": [
        {"open": "{", "close": "}"},
        {"open": "[", "close": "]"},
        {"open": "(", "close": ")"},
        {"open": '"', "close": '"', "notIn": ["string", "comment"]},
    ],
    "indentationRules": {
        "increaseIndentPattern": r":\s*(\[[A-Z][^\]]*\])?\s*(#.*)?$",
        "decreaseIndentPattern": r"^\s*else\b.*$",
    },
    "wordPattern": r"[A-Za-z_]\w*",
    "folding": {"offSide": True},
}

PACKAGE = {
    "name": "dragonrules",
    "displayName": "dragonrules",
    "description": "Colours for .dragon files: rules of tabletop games.",
    "version": "0.1.0",
    "publisher": "dragonrules",
    "license": "MIT",
    "engines": {"vscode": "^1.60.0"},
    "categories": ["Programming Languages"],
    "contributes": {
        "languages": [
            {
                "id": "dragon",
                "aliases": ["dragonrules"],
                "extensions": [".dragon"],
                "configuration": "./language-configuration.json",
            }
        ],
        "grammars": [{"language": "dragon", "scopeName": SCOPE, "path": "./dragon.tmLanguage.json"}],
        "configurationDefaults": {"[dragon]": {"editor.insertSpaces": True, "editor.tabSize": 4}},
    },
}


def textmate() -> dict[str, Any]:
    """The grammar as data."""
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "dragonrules",
        "scopeName": SCOPE,
        "fileTypes": ["dragon"],
        "patterns": [_pattern(paint) for paint in paints()],
    }


def _pattern(paint: Paint) -> dict[str, Any]:
    if len(paint.roles) == 1 and paint.roles[0] is not None:
        return {"name": f"{SCOPES[paint.roles[0]]}.dragon", "match": paint.pattern}
    captures = {
        str(number): {"name": f"{SCOPES[role]}.dragon"}
        for number, role in enumerate(paint.roles, start=1)
        if role is not None
    }
    return {"match": paint.pattern, "captures": captures}


def files() -> dict[str, str]:
    """The files of the extension."""
    return {
        name: json.dumps(content, indent=2, ensure_ascii=False) + "\n"
        for name, content in (
            ("dragon.tmLanguage.json", textmate()),
            ("language-configuration.json", LANGUAGE),
            ("package.json", PACKAGE),
        )
    }
