"""A picture in the DOT language, for Graphviz and whatever else reads it."""

from __future__ import annotations

from .picture import Picture

_SHAPES = {
    "phase": 'shape=box, style="filled,bold", fillcolor="#c9d8ec"',
    "loop": 'shape=box, style="filled,rounded", fillcolor="#dbe6f4"',
    "menu": 'shape=box, style="dashed,rounded"',
    "action": 'shape=box, style="filled,rounded", fillcolor="#dff0df"',
    "rule": 'shape=box, style=filled, fillcolor="#efece4"',
    "trigger": 'shape=cds, style=filled, fillcolor="#fbe3c8"',
    "ending": 'shape=octagon, style=filled, fillcolor="#f6d3d1"',
    "place": 'shape=folder, style=filled, fillcolor="#e7e0f2"',
}
_LINES = {
    "next": "style=bold",
    "offers": 'color="#2d7a3e"',
    "lists": 'color="#2d7a3e"',
    "before": 'color="#b0651b", style=dashed, label="before"',
    "instead": 'color="#b0651b", style=dashed, label="instead"',
    "after": 'color="#b0651b"',
    "takes": "style=dotted",
    "puts": "style=dotted",
    "tests": "style=dotted",
}


def to_dot(picture: Picture) -> str:
    lines = [
        f"digraph {_quoted(picture.title)} {{",
        "  rankdir=LR;",
        '  node [fontname="Helvetica", fontsize=11];',
        '  edge [fontname="Helvetica", fontsize=9];',
    ]
    for box in picture.boxes.values():
        lines.append(
            f"  {_quoted(box.id)} [label={_quoted(box.title)}, tooltip={_quoted(box.note)}, {_SHAPES[box.kind]}];"
        )
    phases = [_quoted(box.id) for box in picture.boxes.values() if box.kind == "phase"]
    if phases:
        lines.append(f"  {{ rank=source; {'; '.join(phases)}; }}")
    for line in picture.lines:
        style = _LINES.get(line.kind)
        lines.append(f"  {_quoted(line.source)} -> {_quoted(line.target)}{f' [{style}]' if style else ''};")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
