"""Another process: resumes saves and plays matches, and says what it finds.

As a script it answers one JSON line for each JSON line it reads:

    {"save": path, "numbers": [...]}                      what comes after a save
    {"spec": path, "variants": [...], "players": n,
     "seed": s, "numbers": [...]}                         a match from its start

`Elsewhere` is the other end.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


class Elsewhere:
    """A Python of its own, with its own hash seed, kept for many questions."""

    def __init__(self) -> None:
        environment = {**os.environ, "PYTHONHASHSEED": "4711"}
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def close(self) -> None:
        self._process.communicate()

    def after_save(self, path: Path, numbers: Iterable[int]) -> Any:
        return self._ask(save=str(path), numbers=list(numbers))

    def from_the_start(self, table: Any, seed: int, numbers: Iterable[int]) -> Any:
        return self._ask(
            spec=str(table.path),
            variants=table.variants,
            players=table.players,
            seed=seed,
            numbers=list(numbers),
        )

    def _ask(self, **question: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        found = json.loads(self._process.stdout.readline())
        assert "error" not in found, found["error"]
        return found["story"]


def answer(question: dict[str, Any], games: dict[Any, Any]) -> Any:
    import dragonrules as dr
    from playing import story  # type: ignore[import-not-found]

    if "save" in question:
        data = json.loads(Path(question["save"]).read_text(encoding="utf-8"))
        name = (data["spec"], tuple(data["variants"]))
        if name not in games:  # the first save of a game finds its rules by itself
            match = dr.resume(question["save"])
            games[name] = match.game
        else:
            match = dr.resume(question["save"], game=games[name])
    else:
        name = (question["spec"], tuple(question["variants"]))
        if name not in games:
            games[name] = dr.load(name[0], variants=name[1])
        match = games[name].start(question["players"], seed=question["seed"])
    return story(match, question["numbers"])


def main() -> None:
    sys.path.insert(0, str(FOLDER.parent))
    games: dict[Any, Any] = {}
    for line in sys.stdin:
        try:
            found = {"story": answer(json.loads(line), games)}
        except Exception:
            found = {"error": traceback.format_exc()}
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
