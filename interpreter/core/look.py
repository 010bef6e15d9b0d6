"""How things look: words, short words, symbols and colours, for front ends alone.

`look` gives them to components, kinds, tokens, pieces, places, states and
actions. They are kept under the name of the thing: `Chamber`, `player.purse`,
`Colour.red`. Rules never read them, so a game with other looks is the same game.

`says` is the sentence of a rule, definition, table, place or state, with its parameters
in braces; of a component or kind it is the noun for one. Rulebooks are made of them.
"""

from __future__ import annotations

from attrs import frozen

COLOURS = (
    "black", "blue", "brown", "cyan", "gold", "green", "grey", "magenta", "orange", "pink", "purple",
    "red", "silver", "violet", "white", "yellow",
)  # fmt: skip
"""What front ends can be expected to show, each as well as it can."""


@frozen
class Look:
    """What was said about one thing; what is None was left to the front end."""

    words: str | None = None
    short: str | None = None
    symbol: str | None = None
    colour: str | None = None
    says: str | None = None
    hidden: bool = False


def filled_in(template: str, fields: dict[str, str]) -> str:
    """`{colour} {value}` with what is printed on a component; what it does not have is left out."""
    for field, value in fields.items():
        template = template.replace("{" + field + "}", "" if value == "none" else value)
    return " ".join(template.split())
