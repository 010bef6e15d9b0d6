"""The run-time library: steps, forks, random games and series of them, enumeration.

Names in capitals are constants of the game (module.py): words of the header, offsets
in a state. A row of a series is: trouble, decisions, forced, options, widest, turns,
winners, reason, over, changes of the lead, whether there are scores, whose turn was first, scores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .core_library import copy_bytes, hash_words, next_number, number_below
from .machine import I32, I64, array, bytes_at, halves_at, move, rest_unsigned, shift_right, words_at, wrapped

if TYPE_CHECKING:
    ACTIVE_AT = AUTO = DEALS = DEPTH = ENTRY = ERROR = FAILED = FIXED = HEAD = OPTIONS = OPTIONS_AT = OVER = (
        PC
    ) = PLAYER = PLAYERS = 0
    REASON = RNG = SCORED = SEALED = SEAL_AT = SIZE = SP = STACK_AT = TURN_AT = WEIGHTS_AT = WINNERS = 0

    def run(S: I64, pc: int, value: int) -> int: ...
    def broken_invariant(S: I64) -> int: ...
    def score_of(S: I64, seat: int) -> int: ...
    def takers_of(S: I64) -> int: ...


def step(S: I64, index: int) -> int:
    """Go on with an option, by its position."""
    if index < 0 or index >= S[OPTIONS]:
        S[ERROR] = FAILED
        return FAILED
    options: I32 = halves_at(S, OPTIONS_AT)
    run(S, S[PC], options[index])
    return S[ERROR]


def begin(S: I64, first: I64, seed: int, auto: int) -> int:
    copy_state(S, first)
    S[RNG] = seed
    S[AUTO] = auto
    run(S, ENTRY, 0)
    return S[ERROR]


def copy_state(to: I64, source: I64) -> int:
    """A fork: only what is in use."""
    move(bytes_at(to, 0), bytes_at(source, 0), STACK_AT)
    copy_bytes(to, source, STACK_AT, 4 * source[SP])
    copy_bytes(to, source, OPTIONS_AT, 4 * source[OPTIONS])
    if source[PLAYER] < 0:
        copy_bytes(to, source, WEIGHTS_AT, 4 * source[OPTIONS])
    return 0


def put_seal(S: I64) -> int:
    """From here on others see how it was."""
    move(bytes_at(S, SEAL_AT), bytes_at(S, HEAD), FIXED)
    S[SEALED] = 1
    return 0


def hash_state(S: I64, seed: int) -> int:
    """Of what matters for what comes next; slots of frames that are not in use count."""
    h = hash_words(S, HEAD, FIXED // 8, seed ^ S[PC])
    stack: I32 = halves_at(S, STACK_AT)
    last = 0
    if S[SP] & 1:
        last = stack[S[SP] - 1]
    who = wrapped(S[PLAYER] * 31 + S[OVER] * 7 + S[WINNERS] + last * 1000003)
    return hash_words(S, STACK_AT, S[SP] // 2, h ^ who)


def random_pick(S: I64, generator: I64) -> int:
    """One of several options, all of them alike; of a whole that is dealt out cell by cell any way to deal
    it is as likely as any other (players/base.py, `even`)."""
    n = S[OPTIONS]
    if DEALS:
        takers = takers_of(S)
        if takers > 1:
            return even_pick(generator, n, takers)
    return number_below(generator, n)


def even_pick(generator: I64, options: int, takers: int) -> int:
    bars: I32 = array(64)
    least = options + takers
    k = 0
    while k < takers:
        last = options - 1 + k
        bar = number_below(generator, last + 1)
        i = 0
        while i < k:
            if bars[i] == bar:
                bar = last
                break
            i += 1
        bars[k] = bar
        least = min(least, bar)
        k += 1
    return least


def starter_of(S: I64) -> int:
    """Whose turn it is, from 1; 0 if there are no turns yet."""
    turns: I32 = halves_at(S, TURN_AT)
    active: I32 = halves_at(S, ACTIVE_AT)
    if turns[0] and active[0] >= 0:
        return active[0] + 1
    return 0


def look_at_lead(S: I64, row: I64, ahead: I64) -> int:
    """1 if the scores could not be worked out."""
    best = score_of(S, 0)
    leaders = 1
    row[12] = best
    p = 1
    while p < PLAYERS:
        score = score_of(S, p)
        row[12 + p] = score
        if score > best:
            best = score
            leaders = 1 << p
        else:
            if score == best:
                leaders = leaders | (1 << p)
        p += 1
    if S[ERROR]:
        return 1
    if leaders & ahead[0]:
        ahead[0] = ahead[0] & leaders
    else:
        row[9] = row[9] + 1
        ahead[0] = leaders
    return 0


def play_on(S: I64, row: I64, keys: I64, scratch: I64, limit: int, lead: int) -> int:
    """From here to the end, every seat at random, keeping count."""
    turns: I32 = halves_at(S, TURN_AT)
    ahead: I64 = scratch + 1
    turn = turns[0]
    decisions = row[1]
    forced = 0
    options = 0
    widest = 0
    starter = row[11]
    trouble = S[ERROR]
    while S[OVER] == 0 and trouble == 0 and decisions < limit:
        if starter == 0:
            starter = starter_of(S)
        n = S[OPTIONS]
        options += n
        pick = 0
        if n == 1:
            forced += 1
        else:
            widest = max(widest, n)
            scratch[0] = keys[S[PLAYER]] ^ decisions
            pick = random_pick(S, scratch)
        decisions += 1
        trouble = step(S, pick)
        if lead:
            if turns[0] != turn:
                turn = turns[0]
                if trouble == 0:
                    trouble = look_at_lead(S, row, ahead)
    row[1] = decisions
    row[2] = forced
    row[3] = options
    row[4] = max(widest, min(1, decisions))
    row[11] = starter
    return close_row(S, row, ahead, trouble)


def close_row(S: I64, row: I64, ahead: I64, trouble: int) -> int:
    """How a game has ended."""
    turns: I32 = halves_at(S, TURN_AT)
    row[0] = trouble
    row[5] = turns[0]
    row[6] = S[WINNERS]
    row[7] = S[REASON]
    row[8] = S[OVER]
    row[10] = 0
    if SCORED:
        if trouble == 0:
            row[10] = 1
            row[0] = look_at_lead(S, row, ahead)
    return row[0]


def seat_keys(keys: I64, seed: int) -> int:
    """What tells the random numbers of one seat from those of the others (players/base.py, `key_of`)."""
    scratch: I64 = keys + PLAYERS
    scratch[0] = seed
    base = next_number(scratch)
    p = 0
    while p < PLAYERS:
        scratch[0] = 0 - 2 - p
        keys[p] = base ^ next_number(scratch)
        p += 1
    return 0


def goes_wrong(S: I64, first: I64, seed: int, limit: int, keys: I64) -> int:
    """A random game, in which the invariants are tested at every decision and at the end, and the scores
    worked out there: does anything fail?"""
    scratch: I64 = keys + PLAYERS
    seat_keys(keys, seed)
    begin(S, first, seed, 1)
    decisions = 0
    while S[ERROR] == 0 and S[OVER] == 0 and decisions < limit:
        if broken_invariant(S) >= 0:
            return 1
        pick = 0
        if S[OPTIONS] > 1:
            scratch[0] = keys[S[PLAYER]] ^ decisions
            pick = random_pick(S, scratch)
        decisions += 1
        step(S, pick)
    if S[ERROR] == 0:
        if broken_invariant(S) >= 0:
            return 1
    if SCORED and S[OVER]:
        p = 0
        while p < PLAYERS:
            score_of(S, p)
            p += 1
    return S[ERROR] != 0


def first_wrong(S: I64, first: I64, master: int, number: int, games: int, limit: int, keys: I64) -> int:
    """Of the random games of a series from a number on: how many go well before one does not."""
    g = 0
    while g < games:
        keys[0] = wrapped(master + (number + g) * -7046029254386353131)
        seed = shift_right(next_number(keys), 11)
        if goes_wrong(S, first, seed, limit, keys):
            return g
        g += 1
    return games


def random_game(S: I64, first: I64, seed: int, limit: int, lead: int, row: I64, keys: I64) -> int:
    """`keys` is room for a word for each seat and two more."""
    scratch: I64 = keys + PLAYERS
    seat_keys(keys, seed)
    scratch[1] = 0 - 1
    row[1] = 0
    row[9] = 0
    row[11] = 0
    begin(S, first, seed, 1)
    return play_on(S, row, keys, scratch, limit, lead)


def series(
    S: I64, first: I64, master: int, number: int, games: int, limit: int, lead: int, rows: I64, keys: I64
) -> int:
    """Games of a series from a number on, a row for each."""
    g = 0
    while g < games:
        keys[0] = wrapped(master + (number + g) * -7046029254386353131)
        seed = shift_right(next_number(keys), 11)
        row: I64 = rows + g * (12 + PLAYERS)
        random_game(S, first, seed, limit, lead, row, keys)
        g += 1
    return games


def playouts(S: I64, start: I64, games: int, generator: I64, most: int, wins: I64) -> int:
    """Random games from one position on, every option as likely as the others: how many decisions; `wins` counts those of each seat, then
    the games that came to no end, then those with trouble. With `start` before its first step
    (no options) each is a new match."""
    total = 0
    g = 0
    while g < games:
        if start[OPTIONS] == 0:
            begin(S, start, next_number(generator), 1)
        else:
            copy_state(S, start)
            S[RNG] = next_number(generator)
            S[AUTO] = 1
        k = 0
        while S[OVER] == 0 and S[ERROR] == 0 and k < most:
            n = S[OPTIONS]
            pick = 0
            if n > 1:
                pick = number_below(generator, n)
            step(S, pick)
            k += 1
        total += k
        if S[ERROR]:
            wins[PLAYERS + 1] = wins[PLAYERS + 1] + 1
        else:
            if S[OVER] == 0:
                wins[PLAYERS] = wins[PLAYERS] + 1
            p = 0
            while p < PLAYERS:
                if (S[WINNERS] >> p) & 1:
                    wins[p] = wins[p] + 1
                p += 1
        g += 1
    return total


def count_histories(S: I64, arena: I64, depth: int, limit: int, counts: I64) -> int:
    """All ways to go on, so many steps deep (chance and decisions alike): `counts` gets how many stand at
    each depth, then how many are over, then how many met trouble. `arena` has room for `depth` states."""
    if S[ERROR]:
        counts[limit + 2] = counts[limit + 2] + 1
        return 1
    counts[limit - depth] = counts[limit - depth] + 1
    if S[OVER]:
        counts[limit + 1] = counts[limit + 1] + 1
        return 1
    if depth == 0:
        return 1
    total = 0
    i = 0
    n = S[OPTIONS]
    following: I64 = arena + SIZE // 8
    while i < n:
        copy_state(arena, S)
        step(arena, i)
        total += count_histories(arena, following, depth - 1, limit, counts)
        i += 1
    return total


def begin_many(base: I64, size: int, count: int, first: I64, which: I64, seeds: I64) -> int:
    """New matches, in those of many states that are named; a state lies `size` bytes behind the other."""
    i = 0
    while i < count:
        if which[i]:
            begin(words_at(base, i * size), first, seeds[i], 1)
        i += 1
    return count


def step_many(base: I64, size: int, count: int, picks: I64) -> int:
    """Go on in many states, each with an option by its position; -1 leaves a state as it is."""
    i = 0
    while i < count:
        if picks[i] >= 0:
            step(words_at(base, i * size), picks[i])
        i += 1
    return count


def many_scores(base: I64, size: int, count: int, scores: I64) -> int:
    """The scores of all seats in many states, one state after the other; 0 where there is none."""
    i = 0
    while i < count:
        S: I64 = words_at(base, i * size)
        p = 0
        while p < PLAYERS:
            score = score_of(S, p)
            if S[ERROR]:
                S[ERROR] = 0
                score = 0
            scores[i * PLAYERS + p] = score
            p += 1
        i += 1
    return count


def many_forks(to: I64, source: I64, times: int) -> int:
    """For measuring."""
    i = 0
    while i < times:
        copy_state(to, source)
        i += 1
    return rest_unsigned(to[SP], 1 << 30)
