"""What a diagnostic code means: its section of grammar/diagnostics.md, which ships with the package."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

from ...grammar import did_you_mean
from ...grammar.codes import CODES
from ..core.errors import UsageError

_HEADING = re.compile(r"^### (D\d{4}): (.*)$", re.MULTILINE)


@lru_cache(maxsize=1)
def sections() -> dict[str, str]:
    """Code to the Markdown under its heading."""
    text = files("dragonrules.grammar").joinpath("diagnostics.md").read_text(encoding="utf-8")
    heads = list(_HEADING.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return {
        head[1]: re.sub(r"\n## .*", "", text[head.end() : end], flags=re.DOTALL).strip()
        for head, end in zip(heads, ends, strict=True)
    }


def explain(code: str) -> str:
    """The section of a code as plain text: title, meaning, a wrong and a right example."""
    name = code.strip("[] ").upper()
    if name not in CODES:
        raise UsageError("D0201", f"there is no diagnostic `{code}`", did_you_mean(name, CODES))
    body = sections().get(name, "")
    lines = [f"{name}: {CODES[name]}", ""]
    inside = False
    for line in body.split("\n"):
        if line.startswith("```"):
            inside = not inside
        elif inside:
            lines.append(f"    {line}".rstrip())
        else:
            lines.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).replace(":\n\n    ", ":\n    ").rstrip() + "\n"
