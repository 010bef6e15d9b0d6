"""The server is killed in the middle of a match, again and again: is anything lost that somebody had seen happen?

    python tests/endurance/kill_server.py [KILLS]

A person plays by messages against bots. After every kill the match is resumed with the same link.
Only servers count that somebody had played at; one that does not start is a failure of its own.
Ends with 1 if a decision is missing that the person had been shown the outcome of, or a match was not resumed.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from dragonrules.interpreter.table.journal import read_journal
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

COMMAND = [sys.executable, "-m", "dragonrules", "serve"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(port: int, *rest: str) -> tuple[subprocess.Popen[str], dict[str, str]]:
    """A server, once it answers, and the links that it has told."""
    server = subprocess.Popen(
        [*COMMAND, "--port", str(port), "--pace", "0", *rest], stdout=subprocess.PIPE, text=True
    )
    links: dict[str, str] = {}
    assert server.stdout is not None
    for line in server.stdout:
        found = re.match(r"(Host|Seat \d|Watch):\s+\S*#(\S+)", line)
        if found:
            links[found[1]] = found[2]
        if line.startswith("Watch") or "link from before" in line:
            break
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    return server, links


def play(port: int, token: str, rng: random.Random, seconds: float) -> tuple[int, bool]:
    """Answers until the time is over. How many answers were followed by another question, so that the person
    has seen what came of them; and whether there was a page at all."""
    until, asked, accepted, seen = time.monotonic() + seconds, -1, 0, False
    try:
        with connect(f"ws://127.0.0.1:{port}/socket", origin=f"http://127.0.0.1:{port}") as wire:  # type: ignore[arg-type]
            wire.send(json.dumps({"t": "hello", "token": token}))
            while time.monotonic() < until or not seen:
                message = json.loads(wire.recv(timeout=20))
                if message["t"] != "page":
                    continue
                seen = True
                if message["q"] == asked:
                    continue
                options = re.findall(r'data-o="(\d+)"', "".join(message["sections"].values()))
                accepted += asked >= 0
                asked = message["q"] if options else -1
                if options:
                    wire.send(json.dumps({"t": "choose", "q": asked, "i": int(rng.choice(options))}))
    except (OSError, TimeoutError, WebSocketException) as problem:
        print(f"  {problem!r}")
    return accepted, seen


def new_match(seed: int) -> list[str]:
    return f"drakon --seat human --seat random --seat random --set goal=84 --seed {seed}".split()


def main(kills: int) -> int:
    rng, lost, killed, failed, matches, shown = random.Random(5), 0, 0, 0, 1, 0
    with tempfile.TemporaryDirectory() as place:
        os.environ["DRAGONRULES_STATE"] = place
        port, token, accepted, rest = free_port(), "", 0, new_match(1)
        while killed < kills and failed < 5:
            server, links = start(port, *rest)
            token = links.get("Seat 1", token)
            more, seen = play(port, token, rng, rng.uniform(0.05, 0.6))
            server.send_signal(signal.SIGKILL)
            server.wait()
            accepted, shown = accepted + more, shown + more
            killed, failed = killed + seen, failed + (not seen)
            file = next(iter(sorted(Path(place).glob("*.jsonl"))))
            story = read_journal(file)
            assert story is not None
            kept = sum(entry[:2] == ["choose", 1] for entry in story.log)
            if kept < accepted:
                print(f"kill {killed}: {accepted} answers were seen to count, {kept} are in the journal")
                lost += accepted - kept
                accepted = kept
            rest = ["--resume"]
            if story.over:
                file.unlink()
                token, accepted, rest, matches = "", 0, new_match(killed), matches + 1
        print(f"{killed} kills in {matches} matches, {shown} answers seen to count; lost: {lost}")
        print(f"servers that did not come up: {failed}")
    return int(lost > 0 or failed > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 50))
