"""The server: links, where a request comes from, how much may be sent, headers, and what outlives a kill."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dragonrules as dr
import pytest
from dragonrules.cli.web.app import POLICY, SOCKETS_A_SEAT, STATIC, application
from dragonrules.cli.web.doors import BOARD, SEAT, WATCH
from dragonrules.cli.web.hall import Hall
from dragonrules.cli.web.wire import BURST, LARGEST
from dragonrules.interpreter.table.journal import read_journal
from dragonrules.interpreter.table.stories import resume_story
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

HERE = "127.0.0.1:8642"
OURS = {"host": HERE, "origin": f"http://{HERE}"}


def hall_with(
    name: str = "tic_tac_toe", kinds: tuple[str, ...] = ("human", "human"), **more: Any
) -> tuple[Hall, str]:
    hall = Hall(f"http://{HERE}", keep=False, pace=0)
    match = dr.load(name).start(len(kinds), seed=3)
    return hall, hall.open(match, list(kinds), **more)


@contextmanager
def served(hall: Hall, **more: Any) -> Iterator[TestClient]:
    with TestClient(application(hall, [HERE], **more), base_url=f"http://{HERE}") as client:
        yield client


@contextmanager
def sitting(client: TestClient, hall: Hall, table: str, seat: int | None) -> Iterator[WebSocketTestSession]:
    door = hall.doors.get(SEAT if seat else WATCH, table, seat)
    assert door is not None
    with client.websocket_connect("/socket", headers=OURS) as socket:
        socket.send_json({"t": "hello", "token": door.token})
        yield socket


def page(socket: WebSocketTestSession) -> dict[str, Any]:
    """The next page; clocks and notes in front of it are passed over."""
    while True:
        message = socket.receive_json()
        if message["t"] == "page":
            return dict(message)


def note(socket: WebSocketTestSession) -> str:
    while True:
        message = socket.receive_json()
        if message["t"] == "note":
            return str(message["text"])


def read_on(socket: WebSocketTestSession) -> None:
    while True:
        socket.receive_text()


def closed(client: TestClient, *messages: str, headers: dict[str, str] = OURS) -> int:
    """The code with which the server closes after these messages."""
    try:
        with client.websocket_connect("/socket", headers=headers) as socket:
            for message in messages:
                socket.send_text(message)
            read_on(socket)
    except WebSocketDisconnect as left:
        return left.code
    raise AssertionError("it was not closed")


# ---------------------------------------------------------------- playing
def test_two_play_to_the_end() -> None:
    hall, table = hall_with()
    with (
        served(hall) as client,
        sitting(client, hall, table, 1) as one,
        sitting(client, hall, table, 2) as two,
    ):
        first = page(one)
        assert set(first["sections"]) >= {"ask", "boards", "mine", "log"}
        assert 'data-o="0"' in first["sections"]["ask"] + first["sections"]["boards"]
        room = hall.tables[table].room
        for index in (0, 0, 0, 0, 0, 0, 0):
            seat = room.match.asked
            if seat is None:
                break
            (one if seat == 1 else two).send_json({"t": "choose", "q": room.question(seat), "i": index})
            assert one_of(one if seat == 1 else two, "boards")
        assert room.match.over
        assert "wins" in one_of(one, "end")


def one_of(socket: WebSocketTestSession, section: str) -> str:
    while True:
        sections = page(socket)["sections"]
        if sections.get(section):
            return str(sections[section])


def test_only_what_has_changed_is_sent() -> None:
    hall, table = hall_with()
    with served(hall) as client, sitting(client, hall, table, None) as watcher:
        page(watcher)
        with sitting(client, hall, table, 1) as one:
            page(one)
            assert set(page(watcher)["sections"]) == {"others"}, "somebody has sat down"


def test_stale_answers_get_the_present_question() -> None:
    hall, table = hall_with()
    with served(hall) as client, sitting(client, hall, table, 1) as one:
        page(one)
        one.send_json({"t": "choose", "q": 99, "i": 0})
        assert note(one) == "That was the answer to an earlier question."
        assert hall.tables[table].room.match.log == []


def test_spectators_cannot_do_anything() -> None:
    hall, table = hall_with()
    with served(hall) as client, sitting(client, hall, table, None) as watcher:
        page(watcher)
        for word in ("choose", "undo", "name", "hint", "why", "cells", "host"):
            watcher.send_json({"t": word, "q": 1, "i": 0, "do": "pause", "table": table, "name": "x"})
        watcher.send_json({"t": "replay", "step": 1})
        with sitting(client, hall, table, 1) as one:
            page(one)
        room = hall.tables[table].room
        assert room.match.log == [] and not room.paused and not room.chairs[0].name


def test_bots_play_by_themselves() -> None:
    hall, table = hall_with(kinds=("human", "random"))
    with served(hall) as client, sitting(client, hall, table, 1) as one:
        page(one)
        room = hall.tables[table].room
        one.send_json({"t": "choose", "q": room.question(1), "i": 4})
        while len(room.match.log) < 2:
            page(one)
        assert room.match.log[1][1] == 2


# ---------------------------------------------------------------- links
def test_a_wrong_link_is_refused() -> None:
    hall, table = hall_with()
    good = hall.doors.get(SEAT, table, 1)
    assert good is not None and good.token is not None and len(good.token) >= 22, "128 bits"
    with served(hall) as client:
        for token in (
            "",
            "x",
            good.token[:-1],
            good.token + "x",
            good.digest,
            None,
            7,
            [good.token],
            "x" * 5000,
        ):
            text = json.dumps({"t": "hello", "token": token})
            assert closed(client, text) == (4401 if len(text) < LARGEST else 4429)
        assert closed(client, json.dumps({"t": "choose", "token": good.token})) == 4401


def test_a_new_link_shuts_out_the_old_one() -> None:
    hall, table = hall_with()
    old = hall.doors.get(SEAT, table, 1)
    assert old is not None
    with served(hall) as client, client.websocket_connect("/socket", headers=OURS) as host:
        host.send_json({"t": "hello", "token": hall.host.token})
        page(host)
        with sitting(client, hall, table, 1) as one:
            page(one)
            host.send_json({"t": "host", "do": "link", "table": table, "seat": 1})
            with pytest.raises(WebSocketDisconnect) as left:
                read_on(one)
        assert left.value.code == 4401
        assert closed(client, json.dumps({"t": "hello", "token": old.token})) == 4401
        with sitting(client, hall, table, 1) as again:
            assert page(again)["seat"] == 1


def test_who_does_not_say_hello_has_to_leave() -> None:
    hall, _ = hall_with()
    with served(hall, patience=0.01) as client:
        assert closed(client) == 4401


def test_the_host_pauses_saves_and_lets_bots_take_over() -> None:
    hall, table = hall_with()
    with served(hall) as client, client.websocket_connect("/socket", headers=OURS) as host:
        host.send_json({"t": "hello", "token": hall.host.token})
        assert "Your tables" in page(host)["sections"]["lobby"]
        room = hall.tables[table].room
        host.send_json({"t": "host", "do": "pause", "table": table})
        assert "paused" in page(host)["sections"]["lobby"] and room.paused
        host.send_json({"t": "host", "do": "go", "table": table})
        page(host)
        host.send_json({"t": "host", "do": "save", "table": table})
        while (message := host.receive_json())["t"] != "file":
            pass
        assert json.loads(message["text"])["game"] == "Tic-Tac-Toe"
        for seat in (1, 2):
            host.send_json({"t": "host", "do": "bot", "table": table, "seat": seat, "kind": "random"})
        while not room.match.over:
            page(host)
        host.send_json({"t": "host", "do": "bot", "table": table, "seat": 1, "kind": "/etc/passwd"})
        assert "no player" in note(host)
        for bad in ({"do": "bot"}, {"do": "link", "seat": 9}, {"do": "pause", "table": "x"}, {"do": 7}, {}):
            host.send_json({"t": "host", "table": table, **bad})
        host.send_json({"t": "host", "do": "close", "table": table})
        while hall.tables:
            page(host)


def test_the_host_opens_tables() -> None:
    hall, _ = hall_with()
    wanted = {
        "t": "host",
        "do": "open",
        "game": "drakon",
        "variants": [],
        "options": {"goal": "8"},
        "seats": ["human", "greedy"],
    }
    with served(hall) as client, client.websocket_connect("/socket", headers=OURS) as host:
        host.send_json({"t": "hello", "token": hall.host.token})
        page(host)
        host.send_json(wanted)
        while "Drakon" not in page(host)["sections"]["lobby"]:
            pass
        assert len(hall.tables) == 2
        for wrong in (
            {"game": "/etc/passwd"},
            {"variants": ["../x.dragon"]},
            {"variants": ["no such"]},
            {"options": {"goal": "many"}},
            {"options": 7},
            {"seats": []},
            {"seats": ["human", "deep_blue"]},
            {"seats": ["human"] * 40},
        ):
            host.send_json({**wanted, **wrong})
            words = note(host)
            assert words and "Traceback" not in words and "/work" not in words
        assert len(hall.tables) == 2


# ---------------------------------------------------------------- where a request comes from
@pytest.mark.parametrize(
    "headers",
    [
        {"host": HERE, "origin": "http://evil.example"},
        {"host": HERE, "origin": "null"},
        {"host": HERE, "origin": ""},
        {"host": HERE, "origin": f"http://{HERE}.evil.example"},
        {"host": "evil.example:8642", "origin": "http://evil.example:8642"},
        {"host": "127.0.0.1:1", "origin": "http://127.0.0.1:1"},
    ],
)
def test_sockets_of_other_pages_are_refused(headers: dict[str, str]) -> None:
    hall, _ = hall_with()
    with served(hall) as client:
        assert closed(client, headers=headers) == 4403


def test_every_route_has_the_headers_and_knows_its_name() -> None:
    hall, _ = hall_with()
    with served(hall) as client:
        for path in [*STATIC, "/nowhere", "/../app.py", "/socket"]:
            answer = client.get(path)
            assert answer.status_code == (200 if path in STATIC else 404), path
            assert answer.headers["content-security-policy"] == POLICY
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["referrer-policy"] == "no-referrer"
            assert "set-cookie" not in answer.headers
            assert client.get(path, headers={"host": "evil.example"}).status_code == 403
            assert client.post(path).status_code in (404, 405)
    assert "'unsafe" not in POLICY and "default-src 'none'" in POLICY


# ---------------------------------------------------------------- limits
@pytest.mark.parametrize("text", ["", "{", "[]", "7", '{"t":7}', '"hello"', "[" * 3000, '{"x":1}'])
def test_what_is_no_message_ends_the_connection(text: str) -> None:
    hall, _ = hall_with()
    with served(hall) as client:
        assert closed(client, text) == 4403


def test_too_much_at_once_ends_the_connection() -> None:
    hall, table = hall_with()
    door = hall.doors.get(SEAT, table, 1)
    assert door is not None
    hello = json.dumps({"t": "hello", "token": door.token})
    with served(hall) as client:
        assert closed(client, hello, *['{"t":"explain"}'] * (BURST + 8)) == 4429
        assert closed(client, hello, json.dumps({"t": "name", "name": "x" * LARGEST})) == 4429


def test_so_many_sockets_and_no_more() -> None:
    hall, table = hall_with()
    door = hall.doors.get(SEAT, table, 1)
    assert door is not None
    hello = json.dumps({"t": "hello", "token": door.token})
    with served(hall, sockets=SOCKETS_A_SEAT + 1) as client:
        sockets = [client.websocket_connect("/socket", headers=OURS) for _ in range(SOCKETS_A_SEAT)]
        for socket in sockets:
            socket.__enter__()
            socket.send_text(hello)
            page(socket)
        assert closed(client, hello) == 4429
        with sitting(client, hall, table, 2) as two:
            page(two)
            other = hall.doors.get(WATCH, table)
            assert other is not None
            assert closed(client, json.dumps({"t": "hello", "token": other.token})) == 4429
        for socket in sockets:
            socket.__exit__(None, None, None)


# ---------------------------------------------------------------- keeping
def test_a_kill_loses_nothing_and_links_stay_good(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    hall, table = hall_with(path=path)
    door = hall.doors.get(SEAT, table, 2)
    assert door is not None
    hall.tables[table].room.rename(2, "Lena")
    hall._keep_links(table)
    room = hall.tables[table].room
    room.choose(1, room.question(1), 4)
    hall.tables[table]._write(safely=True)
    journal = hall.tables[table].journal
    assert journal is not None
    journal._file.close()  # killed: no last word
    links = path.with_name(path.name + ".links")
    assert links.stat().st_mode & 0o077 == 0
    assert door.token is not None and door.token not in links.read_text() + path.read_text()

    story = read_journal(path)
    assert story is not None and len(story.log) == 1
    again = Hall(f"http://{HERE}", keep=False)
    name = again.open(resume_story(story, None), story.seats, story=story)
    found = again.doors.find(door.token)
    assert found is not None and (found.table, found.seat) == (name, 2)
    assert again.tables[name].room.chairs[1].name == "Lena"
    assert again.tables[name].room.match.log == room.match.log


# ---------------------------------------------------------------- the designer's page
RULE = """variant "Corners" of tic_tac_toe:
    "Only corners and the centre at first."
    replace phase Play:
        turns Round p:
            choose s in spaces(board) where board[s] = none and (s.x + s.y) mod 2 = 0 because "no edge" else finish {}
            move 1 of mark(me) from box(Mark) to board at s
            if three_in_line(s): finish {me}
"""


def sections_of(socket: WebSocketTestSession, name: str) -> str:
    while True:
        found = page(socket)["sections"]
        if name in found:
            return str(found[name])


def test_a_rule_is_written_at_the_table() -> None:
    """Findings as one types, what changes, both rule sets in this position, and going on under the new one."""
    hall, table = hall_with()
    room = hall.tables[table].room
    room.choose(1, room.question(1), 4)
    with (
        served(hall) as client,
        client.websocket_connect("/socket", headers=OURS) as host,
        sitting(client, hall, table, 2) as two,
    ):
        host.send_json({"t": "hello", "token": hall.host.token})
        page(host)
        page(two)
        host.send_json({"t": "design", "do": "open", "table": table})
        assert "the host sees everything" in sections_of(two, "head"), "the others are told"
        ask = {"t": "design", "table": table}
        host.send_json({**ask, "do": "read", "text": RULE.replace("board[s]", "bord[s]")})
        findings = sections_of(host, "findings")
        assert "line 5" in findings and "bord" in findings and "data-line" in findings
        host.send_json({**ask, "do": "read", "text": "variant <script>"})
        assert "<script" not in sections_of(host, "findings")
        host.send_json({**ask, "do": "read", "text": RULE})
        assert "It holds together" in sections_of(host, "findings")
        sides = sections_of(host, "sides")
        assert "no longer (4)" in sides and "as before (4)" in sides
        host.send_json({**ask, "do": "go on", "text": RULE})
        assert "1 of 1 steps" in note(host)
        assert len(hall.tables) == 2
        board = list(hall.tables)[-1]
        door = hall.doors.get(BOARD, board)
        assert door is not None
        with client.websocket_connect("/socket", headers=OURS) as analyst:
            analyst.send_json({"t": "hello", "token": door.token})
            assert page(analyst)["seat"] == 2, "one plays for whoever is asked"
            analyst.send_json({"t": "why", "at": "space board 1 2"})
            assert "No edge" in note(analyst)
            there = hall.tables[board].room
            analyst.send_json({"t": "choose", "q": there.question(2), "i": 0})
            while page(analyst)["seat"] != 1:
                pass
            analyst.send_json({"t": "undo"})
            while there.match.asked != 2:
                page(analyst)
            analyst.send_json({"t": "scenario"})
            while (message := analyst.receive_json())["t"] != "file":
                pass
            assert message["text"].startswith(
                'variant "a position" of tic_tac_toe:\n    scenario "a position" for 2 players:'
            )
        for nonsense in (
            {"do": "read", "text": 7},
            {"do": "compare"},
            {"do": 9, "text": RULE},
            {"table": 1},
            {"do": "scenario", "number": 99},
        ):
            host.send_json({**ask, **nonsense})
        host.send_json({**ask, "do": "read", "text": ""})
        assert "nothing here yet" in sections_of(host, "findings")
        assert room.match.log[1:] == [], "the match itself is as it was"
