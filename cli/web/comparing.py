"""Two rule sets compared in a process of its own: it tells how far it is, and stopping it is ending it.

What to do comes in as one line of JSON; lines go out: `{"played": 40}`, at the end `{"html": ...}` or
`{"problem": ...}`.
"""

from __future__ import annotations

import json
import sys
from typing import Any

MOST_GAMES, MOST_SECONDS = 400, 90


def tell(**message: Any) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main() -> None:
    from ...interpreter.core.errors import DragonError
    from ...interpreter.loading import load
    from ...interpreter.table.design import read_draft

    asked = json.loads(sys.stdin.readline())
    try:
        game = load(asked["spec"], variants=asked["variants"], options=asked["options"])
        draft = read_draft(game, asked["text"])
        if draft.game is None:
            tell(problem="The rules do not hold together.")
            return
        compare(game, draft.game, asked["players"], min(asked["games"], MOST_GAMES), asked["bot"])
    except DragonError as problem:
        tell(problem=str(problem).split("\n")[0])


def compare(game: Any, other: Any, players: int, games: int, bot: str) -> None:
    from ...interpreter.lab.comparing import compare as judge
    from ...interpreter.lab.experiments import Entrant, carry_out
    from ...interpreter.lab.playing import Series
    from ...interpreter.lab.reports import compared
    from ...interpreter.lab.scoring import counted_alike

    lineup = (bot,) * players
    keyed = bot == "random"
    entrants = [
        Entrant(title, Series(rules, lineup, seed=1, keyed=keyed))
        for title, rules in (("the rules as they are", game), ("with your rule", other))
    ]
    outcome = carry_out(entrants, games, tell=lambda played: tell(played=played))
    title, found = entrants[1].title, outcome.games[1]
    comparisons = judge(
        outcome.games[0],
        [(title, found)],
        lineup,
        rescored=[] if counted_alike(game, other) else [title],
    )
    tell(html=str(compared((entrants[0].title, outcome.games[0]), [(title, found)], comparisons)))


if __name__ == "__main__":
    main()
