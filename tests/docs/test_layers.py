"""No room reaches for another that stands above it, and the page shows the table that is enforced."""

from __future__ import annotations

from .layers import BACK, LAYERS, PAGE, found, rewritten


def test_every_room_imports_what_it_may() -> None:
    breaches = {
        f"{room} imports {name}"
        for room, below in found().items()
        for name in below - set(LAYERS[room].split())
    }
    assert breaches == set()


def test_the_table_goes_from_the_bottom_up() -> None:
    order = list(LAYERS)
    back = {
        (room, name)
        for room, below in LAYERS.items()
        for name in below.split()
        if order.index(name) > order.index(room)
    }
    assert back == BACK


def test_the_page_shows_the_table() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert rewritten(text) == text, "run `python tests/docs/layers.py`"
