"""Rulebooks of small games: what stands in them, and that nothing leads nowhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.interpreter.core import OPERATORS
from dragonrules.interpreter.rulebook import to_html, to_markdown, write_book
from dragonrules.interpreter.rulebook.document import Book, Paragraph, Section, Step, Steps

SPEC = """
game "Market" for 2 to 4 players:
    "Buy & sell <fruit>."
option goal: 2..9 = 5
    "Fruit that wins."
kinds Colour: red, green
component Stall:
    colour: Colour
    size: 1..3
rows Stall:
    | colour | size | count |
    | red    | 1    | 2     |
    | green  | 3    | 1     |
token Fruit: apple 9, pear 6
place heap: bag of Fruit, seen by all
place stalls: row of Stall, seen by all
each player has:
    place basket: bag of Fruit, seen by owner
    state tired: yes/no = no until turn ends
state calls: 0..99 = 0
table price(n: 1..5) -> 1..3:
    | n    | price |
    | 1..3 | 1     |
    | 4..  | 3     |
define full(p: player) = count(p.basket) >= goal
    "Enough is enough."
define unused_by_rules = 3
define idle(p: player) = p.tired and (calls = 0 or p.basket = {})
score(p: player) = count(p.basket)
setup:
    for s in Stall: move s to stalls
    move all from box(Fruit) to heap
    for p in players: move 2 of pear from heap to p.basket
phase Play:
    turns Round p where not p.tired:
        offer deed
        may "shout": cry(me, 2)
action buy(): nothing
action take in deed:
    "Take fruit from the heap."
    require heap != {} because "nothing is left"
    choose "which?" k in Fruit, s in stalls where heap[k] > 0 because "sold out"
    move 1 of k from heap to my.basket
    if s.colour = red and price(s.size) = 1: change calls by 1
    else: cry(me, 1)
action give in deed:
    choose q in others(me) where q.basket != {} and not idle(q) because "nothing there"
    as q: pick 1..2 from my.basket to heap
rule cry(p: player, loudness: 1..5):
    set p.tired = yes
trigger echo after cry(p, n) for p where n > 1:
    draw 1 at random from heap to my.basket
ending done for p in players when full(p): finish {p} because "sated"
look cry: says "{p} cries {loudness} times"
look player.tired: says "{owner} is tired"
"""

VARIANT = """
variant "Quiet" of market for 2 players:
    "No noise."
    set goal = 4
    remove trigger echo
    replace action give in deed: change calls by 2
    change rows Stall where colour = red: count = 5
    change table price where n = 5: price = 2
    action whisper in deed:
        "Softly."
        set my.tired = yes
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("market")
    (path / "market.dragon").write_text(SPEC, encoding="utf-8")
    (path / "variants").mkdir()
    (path / "variants" / "market_quiet.dragon").write_text(VARIANT, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def text(folder: Path) -> str:
    return to_markdown(write_book(dr.load(folder / "market.dragon").checked))


def section(text: str, title: str) -> str:
    """What stands under a heading, up to the next one."""
    found = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1].strip()


def test_an_action_with_its_requirement_and_steps(text: str) -> None:
    assert section(text, "Take") == (
        "Take fruit from the heap.\n\n"
        "Only if the heap is not empty (if not: *nothing is left*).\n\n"
        "1. *Which?*: choose a kind of fruit and a stall in the stalls so that there is at least one fruit of "
        "that kind in the heap (if not: *sold out*).\n"
        "2. Move 1 fruit of that kind from the heap to your basket.\n"
        "3. If the stall's colour is red and [the price of the stall's size](#price) is 1, raise the calls by 1.\n"
        "4. Otherwise, [you cry 1 times](#cry)."
    )


def test_who_decides_is_named_if_it_is_not_you(text: str) -> None:
    assert section(text, "Give").endswith(
        "2. That player chooses 1 or 2 fruits from that player's basket and puts them into the heap."
    )


def test_a_trigger_speaks_to_whom_it_is_for(text: str) -> None:
    assert section(text, "Echo") == (
        "After [you cry n times](#cry), if *n* is more than 1: draw 1 fruit at random from the heap to your basket."
    )


def test_turns_setup_and_ending(text: str) -> None:
    assert section(text, "Setting up").splitlines() == [
        "1. For each stall, move the stall to the stalls.",
        "2. Move all fruits from the box to the heap.",
        "3. For each player, move 2 pear fruits from the heap to that player's basket.",
    ]
    assert "A turn is skipped if a player is tired. In your turn:" in section(text, "Play")
    assert section(text, "Done") == (
        "At once, if [a player is full](#full): the game is over (sated). The winner: that player."
    )


def test_tables_components_options(text: str) -> None:
    assert "| 1 to 3 |     1 |\n| 4 to 5 |     3 |" in section(text, "Price")
    assert "| Red    |    1 |     2 |" in section(text, "Stall")
    assert "| goal   | 2 to 9 | 5       | Fruit that wins. |" in section(text, "Options")


def test_what_play_cannot_come_to_is_left_out(text: str) -> None:
    assert "Unused by rules" not in text
    assert "### Buy" not in text


def test_or_inside_and_is_marked(text: str) -> None:
    assert section(text, "Idle") == (
        "*The player is idle*: that is so if the player is tired and either the calls is 0 or the player's "
        "basket is empty."
    )


def test_every_link_leads_to_a_heading(text: str) -> None:
    from dragonrules.interpreter.rulebook.document import slug

    headings = {
        slug(line.lstrip("# ").replace("\\", "")) for line in text.splitlines() if line.startswith("#")
    }
    assert set(re.findall(r"\]\(#([^)]*)\)", text)) <= headings


def test_html_is_escaped_and_whole(folder: Path) -> None:
    page = to_html(write_book(dr.load(folder / "market.dragon").checked))
    assert "Buy &amp; sell &lt;fruit&gt;." in page
    ids, targets, opened = set(), set(), []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found = dict(attrs)
            ids.add(found.get("id"))
            if tag == "a":
                targets.add(str(found["href"]).lstrip("#"))
            if tag not in ("meta", "input", "br", "hr", "link"):
                opened.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert opened.pop() == tag

    Reader().feed(page)
    assert not opened
    assert targets <= ids


def test_a_variant_has_a_section_of_its_own(folder: Path) -> None:
    from dragonrules.cli.commands.rulebook import book_of

    text = to_markdown(book_of(folder / "market.dragon"))
    assert section(text, "Quiet").splitlines() == [
        "No noise.",
        "",
        "For two players.",
        "",
        "- The option [goal](#options) is 4 instead of 5.",
        "- There is no [Echo](#echo).",
    ]
    assert section(text, "Give in Quiet") == "This takes the place of [Give](#give).\n\nRaise the calls by 2."
    assert "| Red    |    1 |     5 |" in section(text, "Stall in Quiet")
    assert "| 4      |     3 |\n| 5      |     2 |" in section(text, "Price in Quiet")
    assert section(text, "Whisper") == "Softly.\n\nFrom now on: you are tired."


def test_a_sentence_must_name_parameters(folder: Path) -> None:
    path = folder / "wrong.dragon"
    path.write_text(SPEC.replace("{p} cries", "{q} cries"), encoding="utf-8")
    with pytest.raises(dr.SpecError, match="`cry` has no `q`"):
        dr.load(path)
    path.write_text(SPEC + 'look Play: says "words"\n', encoding="utf-8")
    with pytest.raises(dr.SpecError, match="`Play` takes no sentence"):
        dr.load(path)


def test_every_form_has_words() -> None:
    """What the checker makes of rules; lowering comes later."""
    from dragonrules.interpreter.core import Expr, Stmt
    from dragonrules.interpreter.rulebook import clauses, phrases, sentences

    assert sentences.saying.lacking(Stmt) == set()
    lowered = {"PlaceIs", "VectorCells", "VectorStart", "VectorValue", "peek_need", "tuple_append"}
    lowered |= {"subsets_from", "next_members"}
    in_choices = {"subsets"}  # which sentences tell as a number of things
    joined = {
        "And",
        "Or",
        "not",
        "InRange",
        *clauses._COMPARED,
        *(name for name, row in OPERATORS.items() if row.same),
    }
    in_table = {name for name, row in OPERATORS.items() if row.words}
    left = phrases._thing.lacking(Expr) & clauses._clause.lacking(Expr)
    assert left - joined - in_table - in_choices <= lowered


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("# no heading", "\\# no heading"),
        ("- no list", "\\- no list"),
        ("+ no list", "\\+ no list"),
        ("> no quotation", "\\> no quotation"),
        ("12. no number", "12\\. no number"),
        ("3) no number", "3\\) no number"),
        ("=== no title", "\\=== no title"),
        ("--- no rule", "\\--- no rule"),
        ("| no | table |", "\\| no | table |"),
        ("    no code", "no code"),
        ("12 dragons. 3 left", "12 dragons. 3 left"),
        ("a <b> *c* _d_ [e](f) \\", "a \\<b> \\*c\\* \\_d\\_ \\[e\\](f) \\\\"),
        ("fish &amp; chips & R&D", "fish \\&amp; chips & R&D"),
        ("~~gone~~", "\\~~gone\\~~"),
        ("`a_b` and a_b", "`a_b` and a\\_b"),
        ("one ` alone <x>", "one \\` alone \\<x>"),
    ],
)
def test_what_an_author_says_is_not_read_as_markdown(said: str, written: str) -> None:
    book = Book("T", "Lead.", [said], [Section("S", "s", [Paragraph(said)])])
    lines = to_markdown(book).splitlines()
    assert lines.count(written) == 2
    listed = Book("T", "Lead.", [], [Section("S", "s", [Steps([Step(said)], True)])])
    assert f"1. {written}" in to_markdown(listed).splitlines()
