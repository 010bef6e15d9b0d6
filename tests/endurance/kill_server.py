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


def play(port: int, token: str, rng: random.Random, seconds: float, known: list[int], file: Path) -> None:
    """Answers until the time is over; after each that was accepted, how long the journal is."""
    until = time.monotonic() + seconds
    with connect(f"ws://127.0.0.1:{port}/socket", origin=f"http://127.0.0.1:{port}") as wire:  # type: ignore[arg-type]
        wire.send(json.dumps({"t": "hello", "token": token}))
        asked = -1
        while time.monotonic() < until:
            message = json.loads(wire.recv(timeout=10))
            if message["t"] != "page":
                continue
            story = read_journal(file)
            known.append(story.decisions if story is not None else 0)  # this much was there when a page came
            options = re.findall(r'data-o="(\d+)"', "".join(message["sections"].values()))
            if message["q"] != asked and options:
                asked = message["q"]
                wire.send(json.dumps({"t": "choose", "q": asked, "i": int(rng.choice(options))}))


def main(kills: int) -> int:
    rng, lost, killed, failed, matches = random.Random(5), 0, 0, 0, 1
    with tempfile.TemporaryDirectory() as place:
        os.environ["DRAGONRULES_STATE"] = place
        port, token, known = free_port(), "", [0]
        rest = [
            "drakon",
            "--seat",
            "human",
            "--seat",
            "random",
            "--seat",
            "random",
            "--set",
            "goal=84",
            "--seed",
            "1",
        ]
        for number in range(2 * kills):
            if killed == kills:
                break
            seen = len(known)
            server, links = start(port, *rest)
            token = links.get("Seat 1", token)
            file = next(iter(sorted(Path(place).glob("*.jsonl"))))
            try:
                play(port, token, rng, rng.uniform(0.05, 0.6), known, file)
            except (OSError, TimeoutError, WebSocketException) as problem:
                print(f"server {number + 1}: {problem!r}")
            server.send_signal(signal.SIGKILL)
            server.wait()
            story = read_journal(file)
            assert story is not None
            if story.damage is not None and "cut off" not in story.damage:
                print(f"kill {number + 1}: {story.damage}")
                lost += 1
            if story.decisions < max(known):
                print(f"kill {number + 1}: {max(known)} decisions were there, {story.decisions} are left")
                lost += 1
            if len(known) > seen:
                killed += 1
            else:
                failed += 1
            if story.over:
                file.unlink()
                known, token, matches = [0], "", matches + 1
            else:
                rest = ["--resume"]
                continue
            rest = [
                "drakon",
                "--seat",
                "human",
                "--seat",
                "random",
                "--seat",
                "random",
                "--set",
                "goal=84",
                "--seed",
                str(number),
            ]
        print(
            f"{killed} kills in {matches} matches; servers that did not start: {failed}; decisions lost: {lost}"
        )
    return int(lost > 0 or failed > 0 or killed < kills)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 50))
