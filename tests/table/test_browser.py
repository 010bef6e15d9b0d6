"""Tables in a real browser: people click, use keys, reload; the console stays silent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from .browser import Served, Visitor, chromium
from .test_seat_pages import _hostile
from .test_server import RULE

pytestmark = pytest.mark.browser
GAMES = ("drakon", "dragons_gold", "ryu", "dragon_keeper", "othello", "goofspiel")
DECISIONS = 20
READY = "body.asked #ask [data-o], body.asked #ask [data-cell]"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.mark.parametrize("game", GAMES)
def test_two_people_play(browser: Any, game: str) -> None:
    """One clicks, on the table where that is possible, the other has a keyboard alone."""
    rng = Random(game)
    served = Served()
    table = served.table(game, ["human", "human"] + (["random"] if game in ("dragons_gold",) else []), seed=5)
    with served.running():
        seats = {seat: Visitor(browser, served.link(table, seat)) for seat in (1, 2)}
        watcher = Visitor(browser, served.link(table, None))
        room = served.hall.tables[table].room
        made = on_the_table = 0
        while made < DECISIONS and not room.match.over:
            seat, question, length = served.look(
                lambda: (room.match.asked, room.question(room.match.asked), len(room.match.log))
            )
            if seat not in seats:
                watcher.page.wait_for_timeout(20)
                continue
            page = seats[seat].page
            page.wait_for_selector(f'body.asked[data-q="{question}"]')
            if seat == 1:
                on_the_table += click(page, rng)
            else:
                press(page, rng)
            for _ in range(400):
                if room.question(seat) != question or len(room.match.log) > length or room.match.over:
                    break
                page.wait_for_timeout(25)
            assert len(room.match.log) > length, f"nothing came of it: {page.inner_text('#ask')}"
            made += 1
        watcher.page.wait_for_selector("#log li")
        assert on_the_table and made == DECISIONS
        for visitor in (*seats.values(), watcher):
            assert visitor.complaints == []
            visitor.context.close()


def click(page: Any, rng: Random) -> bool:
    """Take any option: on the table if it is outlined there, else in the list."""
    if page.query_selector("#ask [data-cell]"):
        deal(page)
        page.click("[data-do=cells]")
        return False
    for where in ("#boards [data-o], #mine [data-o], #common [data-o], #others [data-o]", "#ask [data-o]"):
        found = page.query_selector_all(where)
        if found:
            found[rng.randrange(len(found))].click(force=True)
            return not where.startswith("#ask")
    raise AssertionError("nothing to click on")


def press(page: Any, rng: Random) -> None:
    """The same without a mouse."""
    if page.query_selector("#ask [data-cell]"):
        deal(page)
        page.focus("#ask [data-cell]")
        page.keyboard.press("Enter")
        return
    folded = page.query_selector("#ask details:not([open]) summary")
    if folded:
        folded.focus()
        page.keyboard.press("Enter")
    count = len(page.query_selector_all("#ask [data-o]"))
    if count <= 9 and rng.random() < 0.5:
        page.keyboard.press(str(rng.randrange(count) + 1))
        return
    page.focus("#ask [data-o]")
    for _ in range(rng.randrange(min(count, 6))):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")


def deal(page: Any) -> None:
    """The first number as it is proposed, nothing for the others."""
    for field in page.query_selector_all("#ask [data-cell]"):
        assert int(field.input_value()) >= 0


def test_a_reload_keeps_the_seat_and_hides_the_link(browser: Any) -> None:
    served = Served()
    table = served.table("tic_tac_toe", ["human", "human"])
    with served.running():
        visitor = Visitor(browser, served.link(table, 2))
        assert "#" not in visitor.page.url, "the link is out of the address bar"
        assert "player 2" in visitor.page.inner_text("#head")
        visitor.page.reload()
        visitor.page.wait_for_selector("#head h1")
        assert "player 2" in visitor.page.inner_text("#head")
        stranger = browser.new_context().new_page()
        stranger.goto(served.hall.address)
        stranger.wait_for_selector("#link:not(:empty)")
        assert "needs the link" in stranger.inner_text("#link")
        assert visitor.complaints == []


def test_help_at_the_table(browser: Any) -> None:
    """Why not, hint, undo, tips, names, and a connection that comes back."""
    served = Served()
    table = served.table("tic_tac_toe", ["human", "human"])
    with served.running():
        one, two = (Visitor(browser, served.link(table, seat)) for seat in (1, 2))
        one.page.wait_for_selector(READY)
        one.page.click('[data-at="space board 2 2"]')
        two.page.wait_for_selector(READY)
        two.page.click("[data-do=whynot]")
        two.page.click('[data-at="space board 2 2"]')
        two.page.wait_for_selector("#say:not(:empty)")
        two.page.get_by_text("Taken").wait_for()
        two.page.click("[data-do=hint]")
        two.page.wait_for_selector(".hint")
        one.page.wait_for_selector("#ask [data-do=undo]")
        one.page.click("#ask [data-do=undo]")
        one.page.wait_for_selector(READY)
        one.page.fill("#name", "<b>Anna</b>")
        one.page.press("#name", "Enter")
        two.page.get_by_text("<b>Anna</b>").first.wait_for()
        one.page.hover('[data-at="space board 1 1"]')
        one.page.wait_for_selector("#tip:not([hidden])")
        one.page.evaluate("() => {}")
        assert one.complaints == two.complaints == []


def test_everything_has_a_name_and_can_be_focused(browser: Any) -> None:
    served = Served()
    table = served.table("dragon_keeper", ["human", "human"], seed=2)
    with served.running():
        visitor = Visitor(
            browser,
            served.link(table, served.hall.tables[table].room.match.asked),
            viewport={"width": 380, "height": 760},
        )
        page = visitor.page
        page.wait_for_selector(READY)
        unnamed = page.evaluate(
            """() => [...document.querySelectorAll('button, [role=button], input, select')]
                .filter((e) => e.offsetParent !== null || e instanceof SVGElement)
                .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length))
                .map((e) => e.outerHTML.slice(0, 120))"""
        )
        assert unnamed == []
        unfocusable = page.evaluate(
            """() => [...document.querySelectorAll('[data-o]')].filter((e) => e.tabIndex < 0).length"""
        )
        assert unfocusable == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= 380, (
            "nothing sticks out of a telephone"
        )
        assert page.query_selector("[role=log][aria-live=polite]") is not None
        assert page.evaluate("document.documentElement.lang") == "en"
        page.click("#tabs [data-tab=log]")
        page.wait_for_selector("#log", state="visible")
        page.wait_for_selector("#boards", state="hidden")


def test_a_hostile_rule_file_runs_nothing(browser: Any) -> None:
    served = Served()
    table = served.table("", ["human", "human"], text=_hostile())
    with served.running():
        alarms: list[str] = []
        visitor = Visitor(browser, served.link(table, 1))
        visitor.page.on("dialog", lambda dialog: (alarms.append(dialog.message), dialog.dismiss()))
        visitor.page.wait_for_selector(READY)
        visitor.page.click('[data-at="space board 2 2"]')
        visitor.page.wait_for_selector("#log li")
        assert re.search(r"<script>alert\(\d+\)</script>", visitor.page.inner_text("body"))
        assert alarms == [] and visitor.complaints == []


def test_the_host_opens_a_table(browser: Any) -> None:
    served = Served()
    with served.running():
        host = Visitor(browser, served.hall.link(served.hall.host) or "")
        host.page.select_option("[name=game]", "tic_tac_toe")
        host.page.click("[data-do=open]")
        host.page.wait_for_selector(".seats .link")
        link = host.page.input_value(".seats .link")
        guest = Visitor(browser, link)
        guest.page.wait_for_selector(READY)
        host.page.get_by_text("at the table").first.wait_for()
        assert host.complaints == guest.complaints == []


def test_the_designer_changes_a_rule_and_goes_on(browser: Any) -> None:
    served = Served()
    served.table("tic_tac_toe", ["human", "human"])
    with served.running():
        host = Visitor(browser, served.hall.link(served.hall.host) or "")
        host.page.click("[data-do=design]")
        host.page.wait_for_selector("#designer:not([hidden])")
        host.page.fill("#draft", RULE.replace("mark(me)", "marc(me)"))
        host.page.wait_for_selector("#findings .bad")
        host.page.fill("#draft", RULE)
        host.page.wait_for_selector("#findings .good")
        host.page.get_by_text("no longer (4)").wait_for()
        host.page.click("[data-do=goon]")
        link = host.page.locator(".link").nth(3)
        link.wait_for()
        analyst = Visitor(browser, link.input_value())
        analyst.page.wait_for_selector("body.asked")
        assert len(analyst.page.query_selector_all("#boards [data-o]")) == 5
        host.page.fill("#games", "10")
        host.page.click("[data-do=compare]")
        host.page.wait_for_selector("#comparison svg", timeout=80_000)
        assert "with your rule" in host.page.inner_text("#comparison")
        assert host.complaints == analyst.complaints == []


def test_a_position_is_set_up_by_hand(browser: Any) -> None:
    """By pressing twice, by dragging, with the keyboard, and in words; taken back; saved as a scenario that runs."""
    served = Served()
    table = served.table("othello", ["human", "human"])
    with served.running():
        host = Visitor(browser, served.hall.link(served.hall.host) or "")
        host.page.click("[data-do=host][data-what=board]")
        link = host.page.locator("section.panel", has_text="To try things out").locator(".link")
        link.wait_for()
        board = Visitor(browser, link.input_value())
        room = served.hall.tables[next(name for name in served.hall.tables if name != table)].room
        page = board.page
        page.wait_for_selector(READY)

        def at(x: int, y: int) -> Any:
            return page.locator(f'[data-at="space board {x} {y}"]')

        def lies(x: int, y: int) -> bool:
            page.locator("#byhand li").nth(done - 1).wait_for()
            seen = served.look(lambda: room.match.everything()["places"]["board"]["contents"])
            return any(tuple(item[0]) == (x, y) for item in seen)

        done = 1
        page.click("[data-do=byhand]")
        at(4, 4).click(force=True)
        at(1, 1).click(force=True)
        assert lies(1, 1) and not lies(4, 4)
        done = 2
        here, there = at(1, 1).bounding_box(), at(2, 8).bounding_box()
        page.mouse.move(here["x"] + 20, here["y"] + 20)
        page.mouse.down()
        page.mouse.move(there["x"] + 15, there["y"] + 15, steps=4)
        page.mouse.up()
        assert lies(2, 8) and not lies(1, 1)
        done = 3
        at(2, 8).focus()
        page.keyboard.press("Enter")
        at(8, 8).focus()
        page.keyboard.press("Enter")
        assert lies(8, 8) and not lies(2, 8)
        at(8, 8).click(force=True)
        at(5, 5).click(force=True)
        page.locator("#say", has_text="no room").wait_for()
        page.click("[data-do=byhand]")
        done = 4
        page.fill("#setting input", "move space_at(board, 8, 8) to board at space_at(board, 4, 4)")
        page.press("#setting input", "Enter")
        assert lies(4, 4)
        page.fill("#setting input", "set gold = 3")
        page.press("#setting input", "Enter")
        page.locator("#say", has_text="gold").wait_for()
        with page.expect_download() as download:
            page.click("[data-do=scenario]")
        text = download.value.path().read_text(encoding="utf-8")
        assert text.count("    move ") == 4 and text.startswith('variant "a position" of othello:')
        page.click("[data-do=unset]")
        page.locator("#byhand li").nth(3).wait_for(state="detached")
        done = 3
        assert lies(8, 8)
        assert board.complaints == host.complaints == []
