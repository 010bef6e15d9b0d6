"""`dragonrules graph`: the rules as a picture."""

from __future__ import annotations

import json
from pathlib import Path

import attrs
import click

from ...interpreter.pictures import picture, to_dot, to_mermaid, to_svg
from ..formats.output import write_text
from ..options.helping import examples
from ..options.rule_set import Choice, game_options
from .rulebook import variant_titles

EPILOG = examples(
    "dragonrules graph drakon -o drakon.svg",
    'dragonrules graph drakon --variant "Heroes!" --format mermaid',
    "dragonrules graph my_game.dragon --format dot | dot -Tpdf -o my_game.pdf",
)

ENDINGS = {
    ".svg": "svg",
    ".dot": "dot",
    ".gv": "dot",
    ".mmd": "mermaid",
    ".mermaid": "mermaid",
    ".json": "json",
}


@click.command("graph", epilog=EPILOG, short_help="Draw phases, actions, rules and triggers.")
@game_options
@click.option(
    "--format",
    "style",
    type=click.Choice(["svg", "dot", "mermaid", "json"]),
    help="How to write it; default: by the ending of the output file, else svg.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to this file.")
@click.option("--places", is_flag=True, help="Show also which places things are taken from and put into.")
@click.option(
    "--links",
    metavar="ADDRESS",
    help="Where a click on a box goes, with the line behind it; default: the rule file.",
)
def command(choice: Choice, style: str | None, output: Path | None, places: bool, links: str | None) -> None:
    """Draw how phases, menus, actions, rules and triggers of a game lead to each other.

    SVG needs no other program: open it in a browser. Boxes show their doc text
    when pointed at, and lead to their line in the rule file. DOT is for Graphviz,
    Mermaid for Markdown pages of code hosts, JSON for programs.
    """
    drawn = picture(choice.load().checked, places=places)
    drawn.title = " + ".join([drawn.title, *variant_titles(choice)])
    style = style or (ENDINGS.get(output.suffix, "svg") if output is not None else "svg")
    if style == "json":
        data = {
            "title": drawn.title,
            "boxes": [attrs.asdict(box) for box in drawn.boxes.values()],
            "lines": [attrs.asdict(line) for line in drawn.lines],
        }
        text = json.dumps(data, indent=2) + "\n"
    elif style == "svg":
        text = to_svg(drawn, links=links or choice.path.name)
    else:
        text = to_dot(drawn) if style == "dot" else to_mermaid(drawn)
    write_text(text, output)
