"""Pages: what is text stays text, what is markup stays markup."""

from __future__ import annotations

from dragonrules.interpreter.pages.html_page import (
    Html,
    anchor,
    badge,
    bar,
    facts,
    join,
    page,
    section,
    table,
    tag,
)


def test_text_is_escaped_once() -> None:
    inner = tag("b", 'a < b & "c"')
    assert inner == "<b>a &lt; b &amp; &quot;c&quot;</b>"
    assert tag("p", inner, " & more") == f"<p>{inner} &amp; more</p>"
    assert join(["<", Html("<br>")], " ") == "&lt; <br>"


def test_markup_added_to_markup_is_markup() -> None:
    assert isinstance(Html("<a>") + Html("<b>"), Html)
    assert not isinstance(Html("<a>") + "text", Html)


def test_attributes() -> None:
    assert tag("a", "x", href='"q"', class_="c", data_n=3, hidden=False, title=None, open=True) == (
        '<a href="&quot;q&quot;" class="c" data-n="3" open>x</a>'
    )


def test_a_page_holds_real_elements_and_needs_no_network() -> None:
    text = page(
        "T & U",
        section("Part <1>", tag("p", "x")),
        table(("a", "b"), [(1, "<")], sortable=True, filterable=True),
    )
    assert '<main id="text">\n<section><h2 id="part-1">Part &lt;1&gt;</h2><p>x</p></section>' in text
    assert "<title>T &amp; U</title>" in text
    assert "<td>&lt;</td>" in text and "data-sortable" in text and "data-filters" in text
    assert "http" not in text and "@import" not in text


def test_small_parts() -> None:
    assert anchor("Drakon's Lair!") == "drakons-lair"
    assert "width:50.0%" in bar(0.5) and "width:100.0%" in bar(7)
    assert badge("ok", "good") == '<span class="badge good">ok</span>'
    assert facts([("games", 3)]) == '<dl class="facts"><div><dt>games</dt><dd>3</dd></div></dl>'
