"""Makes docs/table.png: a table in the browser, of a real match. Needs Chromium and playwright.

python docs/tools/table_picture.py
"""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import dragonrules as dr
import uvicorn
from dragonrules.cli.commands.serve import address_of, hosts_of, listening
from dragonrules.cli.web.app import application
from dragonrules.cli.web.doors import SEAT
from dragonrules.cli.web.hall import Hall
from dragonrules.interpreter.players import player
from playwright.sync_api import sync_playwright

PICTURE = Path(__file__).parents[1] / "table.png"
SEED, TURN = 8, 6
SIZE = {"width": 1240, "height": 800}


def main() -> None:
    match = dr.load("dragon_keeper").start(3, seed=SEED)
    bots = [player("greedy" if seat == 1 else "random", seed=SEED, seat=seat) for seat in (1, 2, 3)]
    while match.turn < TURN or match.asked != 1 or match.decision is None or len(match.decision.options) < 3:
        assert match.asked is not None
        match.choose(bots[match.asked - 1].choose(match))
    with listening(0, lan=False) as listener:
        hall = Hall(address_of(listener, lan=False), keep=False)
        table = hall.open(match, ["human"] * 3)
        for seat, name in enumerate(("Anna", "Ben", "Chiara"), start=1):
            hall.tables[table].room.rename(seat, name)
        config = uvicorn.Config(
            application(hall, hosts_of(listener, lan=False)), log_level="error", ws="websockets-sansio"
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: server.run(sockets=[listener]), daemon=True)
        thread.start()
        door = hall.doors.get(SEAT, table, 1)
        assert door is not None
        with sync_playwright() as engine:
            browser = engine.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
            )
            page = browser.new_page(viewport=SIZE)
            page.goto(hall.link(door) or "")
            page.wait_for_selector("body.asked")
            page.wait_for_timeout(500)
            page.screenshot(path=PICTURE)
            browser.close()
        server.should_exit = True
        thread.join(10)


if __name__ == "__main__":
    main()
