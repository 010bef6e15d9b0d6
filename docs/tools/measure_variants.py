"""Measures what the house variants do, and keeps the verdicts for the page on them.

    python docs/tools/measure_variants.py greedy:60 [TITLE...]      a minute of players who look ahead
    python docs/tools/measure_variants.py random:400 [TITLE...]     400 games of players at random

Each variant is held against its game and what it needs, by `dragonrules compare` from a fresh seed.
`docs/variants.json` keeps the command and its answer; `dragonrules games --variants --format markdown`
makes the page of it.
"""

from __future__ import annotations

import json
import re
import secrets
import subprocess
import sys
from pathlib import Path

from dragonrules.cli.options.variants import entries
from dragonrules.interpreter.files.find_specs import find_spec
from dragonrules.interpreter.files.find_variants import find_variant

HERE = Path(__file__).parents[1]
KEPT = HERE / "variants.json"
GAMES = {"drakon": 3, "ryu": 3, "dragon_keeper": 3, "dragons_gold": 4}


def printed(game: str, name: str) -> bool:
    """Does it stand in the rulebook? Then its parts cite that."""
    file, _ = find_variant(find_spec(game), name)
    return re.search(r"\[[A-Z]+-\d", file.read_text(encoding="utf-8")) is not None


def main(how: str, titles: list[str]) -> None:
    bot, _, amount = how.partition(":")
    for game, players in GAMES.items():
        found = {entry.title: entry for entry in entries(find_spec(game))}
        names = {entry.title: entry.name for entry in found.values()}
        for entry in found.values():
            if (titles and entry.title not in titles) or printed(game, entry.name):
                continue
            below = [names.get(name, name.removeprefix(f"{game}_")) for name in entry.needs]
            command = ["compare", "+".join([game, *below]), entry.name, "--players", str(players)]
            command += ["--rest", bot, "--seconds" if bot == "greedy" else "--games", amount]
            command += ["--seed", str(secrets.randbelow(10**6))]
            done = subprocess.run(
                [sys.executable, "-m", "dragonrules", *command, "--jobs", "1", "--format", "json"],
                capture_output=True,
                text=True,
                check=False,
            )
            if not done.stdout.strip():
                print(entry.title, done.stderr[-300:], file=sys.stderr)
                continue
            answer = json.loads(done.stdout)["comparisons"][0]
            kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
            kept[entry.title] = {
                "command": f"dragonrules {' '.join(command)}",
                "games": answer["games"],
                "sentence": answer["sentence"],
            }
            KEPT.write_text(json.dumps(dict(sorted(kept.items())), indent=2) + "\n", encoding="utf-8")
            print(entry.title, answer["sentence"], flush=True)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "greedy:60", sys.argv[2:])
