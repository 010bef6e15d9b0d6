"""What do bots that think cost, in machine code and in Python, and what does a designer learn in a minute?

    python benchmarks/bots.py speed               # games per CPU second, both engines in turns: three minutes
    python benchmarks/bots.py verdicts --seconds 120     # what of ten house variants is settled: half an hour
    python benchmarks/bots.py talks               # hoards of Dragon's Gold that greedy bots fail to share

CPU time of one process. `speed` gives the ratio of the two engines inside the same run. `verdicts` plays a variant
and its base in pairs until length, score and the advantage of who starts (of seat 1 where nobody starts by lot)
all have a verdict, which is looked at after 50, 100, 200 pairs and so on, or so many CPU seconds are over; what is
open then is told with the seconds that would settle it in four of five cases. 120 seconds are a minute of two
processors. The making of machine code does not count.
"""

from __future__ import annotations

import argparse
import time

import dragonrules as dr
from dragonrules.interpreter.lab.comparing import Comparison, Difference, Verdict, chosen_figures, compare
from dragonrules.interpreter.lab.playing import Played, Series, code_of, seed_of
from dragonrules.interpreter.players.machine import series_of

FOUR = (("drakon", 4), ("dragon_keeper", 4), ("ryu", 4), ("dragons_gold", 4))
VARIANTS = (
    ("drakon", (), "soft_claws", 3), ("drakon", (), "restless", 3),
    ("drakon", ("heroes",), "tireless_heroes", 3), ("ryu", (), "open_bids", 3), ("ryu", (), "light_dragons", 3),
    ("dragon_keeper", (), "debts", 3), ("dragon_keeper", (), "poisoned_gifts", 3),
    ("dragons_gold", (), "three_offers", 4), ("dragons_gold", (), "thieves_first", 4),
    ("dragons_gold", (), "old_dragons", 4),
)  # fmt: skip
ABOUT = chosen_figures("length,score,start")


def rate(series: Series, seconds: float) -> float:
    """Games in a CPU second."""
    series.play_many(range(1))
    begin, games = time.process_time(), 0
    while (spent := time.process_time() - begin) < seconds or not games:
        series.play_many(range(games, games + 1))
        games += 1
    return games / spent


def speed(seconds: float) -> None:
    print(f"{'games per CPU second':<26}{'Python':>10}{'native':>10}{'times':>8}")
    for name, players in FOUR:
        for kind in ("greedy", "mcts:100"):
            slow = Series(dr.load(name, engine="python"), (kind,) * players, seed=1)
            fast = Series(dr.load(name), (kind,) * players, seed=1)
            fast.make_ready()
            assert fast.thinking is not None, name
            python, native = rate(slow, seconds), rate(fast, seconds)
            print(f"{f'{name} {kind}':<26}{python:>10.3g}{native:>10.4g}{native / python:>8.0f}", flush=True)


def verdicts(kind: str, seconds: float) -> None:
    """A series of each of the two rule sets, pair by pair."""
    settled = 0
    print(f"{kind}, {seconds:g} CPU seconds each")
    for name, with_, variant, players in VARIANTS:
        rule_sets = [dr.load(name, variants=with_), dr.load(name, variants=(*with_, variant))]
        both = [Series(game, (kind,) * players, seed=1) for game in rule_sets]
        for series in both:
            series.make_ready()
            series.play_many(range(1))
        rows: list[list[Played]] = [[], []]
        begin, pairs, look = time.process_time(), 0, 50
        found = None
        while (spent := time.process_time() - begin) < seconds or pairs < 2:
            for series, played in zip(both, rows, strict=True):
                played += series.play_many(range(pairs, pairs + 1))
            pairs += 1
            if pairs == look:
                found = judged(rows, variant, (kind,) * players)
                if not open_figures(found):
                    break
                look *= 2
        if pairs != look:
            found = judged(rows, variant, (kind,) * players)
        assert found is not None
        open_ = open_figures(found)
        needed = found.needed
        settled += not open_
        words = f"settled in {spent:,.0f} CPU seconds"
        if open_:
            words = f"open: {', '.join(d.measure.title for d in open_)}"
        if open_ and needed is not None:
            words += f"; about {needed * spent / pairs:,.0f} CPU seconds would do"
        print(f"  {variant:<18}{pairs:>7} pairs, {1000 * spent / pairs:>8.1f} ms a pair: {words}", flush=True)
    print(f"  settled: {settled} of {len(VARIANTS)}")


def judged(rows: list[list[Played]], title: str, lineup: tuple[str, ...]) -> Comparison:
    return compare(rows[0], [(title, rows[1])], lineup, about=ABOUT)[0]


def open_figures(found: Comparison) -> list[Difference]:
    return [d for d in found.differences if d.verdict is Verdict.OPEN]


def talks(games: int, first: int) -> None:
    """Who plays is Python, for every talk is looked at; the choices are the same."""
    from dragonrules.interpreter.players import player

    game = dr.load("dragons_gold")
    series_of(game, 4, make=True)
    engine = game.engine(4)
    lid = engine.layout.instances["lid"][0].ref
    ended = lost = 0
    for seed in range(games):
        match = game.start(4, seed=seed_of(first, seed))
        seats = [player("greedy", seed=seed, seat=seat) for seat in range(1, 5)]
        while not match.over:
            before, gone = engine.talks.get(match.state.pc), sum(match.state.I[lid : lid + 9])
            match.choose(seats[match.state.player].choose(match))
            after = engine.talks.get(match.state.pc)
            if before is not None and before.record == "Plan" and (after is None or after.record != "Plan"):
                ended += 1
                lost += sum(match.state.I[lid : lid + 9]) > gone
    print(
        f"{games} games: of {ended} hoards to be shared {lost} were lost ({100 * lost / max(1, ended):.0f} %)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="what bots cost, and what they tell")
    parser.add_argument("what", choices=("speed", "verdicts", "talks"))
    parser.add_argument("--seconds", type=float, default=None)
    parser.add_argument("--kind", action="append", help="of bots; greedy and mcts:100 if not given")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=9, help="of the talks")
    args = parser.parse_args()
    if args.what == "speed":
        speed(args.seconds or 8.0)
    elif args.what == "verdicts":
        for kind in args.kind or ("greedy", "mcts:100"):
            assert code_of(kind) is not None
            verdicts(kind, args.seconds or 120.0)
    else:
        talks(args.games, args.seed)


if __name__ == "__main__":
    main()
