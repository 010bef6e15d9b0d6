"""A picture as a Mermaid flowchart, which code hosts draw inside Markdown."""

from __future__ import annotations

from .picture import Picture

_FRAMES = {
    "phase": ("[[", "]]"),
    "loop": ("(", ")"),
    "menu": ("{{", "}}"),
    "action": ("([", "])"),
    "rule": ("[", "]"),
    "trigger": (">", "]"),
    "ending": ("(((", ")))"),
    "place": ("[(", ")]"),
}
_ARROWS = {
    "next": "==>",
    "before": "-. before .->",
    "instead": "-. instead .->",
    "after": "-. after .->",
    "takes": "-.-",
    "puts": "-.->",
    "tests": "-.-",
}


def to_mermaid(picture: Picture) -> str:
    names = {box.id: f"n{number}" for number, box in enumerate(picture.boxes.values(), 1)}
    lines = ["flowchart LR"]
    for box in picture.boxes.values():
        before, behind = _FRAMES[box.kind]
        lines.append(f"  {names[box.id]}{before}{_quoted(box.title)}{behind}:::{box.kind}")
    for line in picture.lines:
        lines.append(f"  {names[line.source]} {_ARROWS.get(line.kind, '-->')} {names[line.target]}")
    for kind, colour in (
        ("phase", "#c9d8ec"),
        ("loop", "#dbe6f4"),
        ("action", "#dff0df"),
        ("rule", "#efece4"),
        ("trigger", "#fbe3c8"),
        ("ending", "#f6d3d1"),
        ("place", "#e7e0f2"),
    ):
        if any(box.kind == kind for box in picture.boxes.values()):
            lines.append(f"  classDef {kind} fill:{colour},stroke:#8b929b,color:#20242a")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """Mermaid reads entities, tags and Markdown inside its quotes, so what could be one is an entity."""
    return '"' + "".join(f"#{ord(c)};" if c in '"#&;<>`*_\\\n' else c for c in text) + '"'
