"""Colours and styles of the table as a terminal shows them."""

from __future__ import annotations

from functools import cache

COLOURS = {
    "black": "bright_black",
    "blue": "dodger_blue1",
    "brown": "orange3",
    "cyan": "cyan",
    "gold": "gold1",
    "green": "green3",
    "grey": "grey62",
    "magenta": "magenta",
    "orange": "dark_orange",
    "pink": "hot_pink",
    "purple": "medium_purple1",
    "red": "red1",
    "silver": "grey82",
    "violet": "violet",
    "white": "bright_white",
    "yellow": "yellow1",
    "seat1": "cyan",
    "seat2": "hot_pink",
    "seat3": "gold1",
    "seat4": "spring_green2",
    "seat5": "dark_orange",
    "seat6": "medium_purple1",
}
"""The colours of looks and seats, as rich calls something like them."""


@cache
def as_rich(style: str) -> str:
    """`bold @gold` as rich reads it."""
    words = (COLOURS.get(word[1:], "") if word.startswith("@") else word for word in style.split())
    return " ".join(word for word in words if word)
