"""A real browser at a real server, for tests marked `browser`. Where there is no Chromium they are skipped."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import dragonrules as dr
import pytest
from dragonrules.cli.commands.serve import address_of, hosts_of, listening
from dragonrules.cli.web.app import application
from dragonrules.cli.web.doors import SEAT, WATCH
from dragonrules.cli.web.hall import Hall

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Served:
    """A hall behind an address, in a thread of its own."""

    def __init__(self) -> None:
        self.listener = listening(0, lan=False)
        self.hall = Hall(address_of(self.listener, lan=False), keep=False, pace=0)
        self.loop = asyncio.new_event_loop()

    def table(self, name: str, kinds: list[str], *, seed: int = 1, text: str | None = None) -> str:
        game = dr.loads(text) if text is not None else dr.load(name)
        return self.hall.open(game.start(len(kinds), seed=seed), kinds)

    def link(self, table: str, seat: int | None) -> str:
        door = self.hall.doors.get(SEAT if seat else WATCH, table, seat)
        assert door is not None
        return self.hall.link(door) or ""

    @contextmanager
    def running(self) -> Iterator[Served]:
        import uvicorn

        app = application(self.hall, hosts_of(self.listener, lan=False))
        server = uvicorn.Server(
            uvicorn.Config(app, log_level="error", ws="websockets-sansio", timeout_graceful_shutdown=1)
        )
        thread = threading.Thread(target=self._serve, args=(server,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            server.should_exit = True
            thread.join(10)
            self.listener.close()

    def _serve(self, server: Any) -> None:
        self.loop.run_until_complete(server.serve(sockets=[self.listener]))

    def look(self, what: Callable[[], Any]) -> Any:
        """What the server's own thread sees: a room is never met in the middle of a decision."""

        async def asked() -> Any:
            return what()

        return asyncio.run_coroutine_threadsafe(asked(), self.loop).result(20)


@contextmanager
def chromium() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here")
    with playwright.sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


class Visitor:
    """Somebody in a browser of their own; what the console complains of is kept."""

    def __init__(self, browser: Any, link: str, **context: Any) -> None:
        self.complaints: list[str] = []
        self.context = browser.new_context(
            **{"viewport": {"width": 1100, "height": 800}, "reduced_motion": "reduce", **context}
        )
        self.context.set_default_timeout(20_000)
        self.page = self.context.new_page()
        self.page.on(
            "console",
            lambda message: self.complaints.append(message.text) if message.type == "error" else None,
        )
        self.page.on("pageerror", lambda problem: self.complaints.append(str(problem)))
        self.page.goto(link)
        self.page.wait_for_selector("#head h1, #lobby h1")
