"""The run-time library: what a position is worth, worlds behind a seal, and look-ahead. players/utility.py, worlds.py and
greedy.py say what is done.

`T` is the desk that a decision is thought over at (desk.py): words about the task, tables, states, the tree.

What native code has no room for (a limit, see code.py) ends the whole search: T[TROUBLE] says so, and Python thinks instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core_library import one_of
from ..machine import I32, I64, halves_at, popcount, shift_right, words_at, wrapped
from .deal_library import settle_world, shuffle

if TYPE_CHECKING:
    ERROR = OPTIONS = OPTIONS_AT = OVER = PC = PLAYER = PLAYERS = SIZE = TURN_AT = WINNERS = WORTH = 0
    MINE_AT = RIVALS_AT = STATES_AT = TOTALS_AT = TRIED_AT = VALUES_AT = 0
    SEAT = START = TRIALS = BEHIND_SEAL = TROUBLE = OWN = WORLD_LUCK = LUCK = ARMS = ASKER = FAILED_LOOK = 0

    def run(S: I64, pc: int, value: int) -> int: ...
    def step(S: I64, index: int) -> int: ...
    def copy_state(to: I64, source: I64) -> int: ...
    def worth_of(S: I64, seat: int) -> int: ...
    def pick_secretly(T: I64, S: I64, holder: int, list_: int) -> int: ...


def hash2(h: int, word: int) -> int:
    """One word more: `hashed` of core/randomness.py."""
    z = wrapped(h - 7046029254386353131) ^ word
    z = wrapped((z ^ shift_right(z, 30)) * -4658895280553007687)
    z = wrapped((z ^ shift_right(z, 27)) * -7723592293110705685)
    return z ^ shift_right(z, 31)


def went_wrong(T: I64, S: I64) -> int:
    """Has a step failed? By the rules, or because native code has no room, which ends the search."""
    e = S[ERROR]
    if e == 0:
        return 0
    if e == 3 or e == 4 or e > 11:
        T[TROUBLE] = e
    return 1


# ---------------------------------------------------------------- what a position is worth: players/utility.py
def work_out_values(T: I64, S: I64) -> int:
    values: I64 = words_at(T, VALUES_AT)
    p = 0
    while p < PLAYERS:
        values[p] = 0
        p += 1
    if WORTH:
        p = 0
        while p < PLAYERS:
            values[p] = worth_of(S, p)
            if went_wrong(T, S):
                S[ERROR] = 0
                p = 0
                while p < PLAYERS:
                    values[p] = 0
                    p += 1
            p += 1
    return 0


def over_rivals(T: I64, seat: int) -> int:
    values: I64 = words_at(T, VALUES_AT)
    rivals: I64 = words_at(T, RIVALS_AT)
    mask = rivals[seat]
    total = 0
    most = 0 - (1 << 62)
    count = 0
    q = 0
    if mask == 0:
        mask = rivals[PLAYERS + seat]
        while q < PLAYERS:
            if (mask >> q) & 1:
                total += values[q]
            q += 1
        return 2 * total
    while q < PLAYERS:
        if (mask >> q) & 1:
            total += values[q]
            most = max(most, values[q])
            count += 1
        q += 1
    return 2 * count * values[seat] - count * most - total


def result_for(T: I64, S: I64, seat: int) -> int:
    """In shares."""
    rivals: I64 = words_at(T, RIVALS_AT)
    mask = rivals[seat]
    shares = popcount(mask) + 1
    if S[WINNERS] == 0:
        if mask:
            return 0
        return 0 - shares
    if (S[WINNERS] >> seat) & 1:
        return shares - popcount(mask & S[WINNERS])
    return 0 - shares


def margin_for(T: I64, S: I64, seat: int) -> int:
    work_out_values(T, S)
    margin = over_rivals(T, seat)
    if S[OVER]:
        margin += (1 << 40) * result_for(T, S, seat)
    return margin


# ---------------------------------------------------------------- worlds
def draw_world(T: I64, world: I64, seed: int, picks: int) -> int:
    """World of a seed, up to the pending decision. With `picks` others choose behind a seal by the tree."""
    luck: I64 = T + WORLD_LUCK
    luck[0] = seed
    base: I64 = words_at(T, STATES_AT)
    settle_world(T, world, base, luck)
    if T[BEHIND_SEAL] == 0:
        return 0
    tries = 0
    while tries < 8:
        if catch_up(T, world, luck, picks):
            return 0
        if T[TROUBLE]:
            return 1
        settle_world(T, world, base, luck)
        tries += 1
    T[TROUBLE] = 20
    return 1


def catch_up(T: I64, world: I64, luck: I64, picks: int) -> int:
    """From the moment of the seal to the pending decision. Does it lead to the same question?"""
    true: I64 = words_at(T, STATES_AT + SIZE)
    mine: I64 = words_at(T, MINE_AT)
    run(world, T[ASKER], 0)
    if went_wrong(T, world):
        return 0
    at = 0
    while world[OVER] == 0:
        options: I32 = halves_at(world, OPTIONS_AT)
        n = world[OPTIONS]
        index = 0
        if world[PLAYER] == T[SEAT]:
            if at == T[OWN]:
                asked: I32 = halves_at(true, OPTIONS_AT)
                if world[PC] != true[PC] or n != true[OPTIONS]:
                    return 0
                while index < n:
                    if options[index] != asked[index]:
                        return 0
                    index += 1
                return 1
            while index < n and options[min(index, 4095)] != mine[at]:
                index += 1
            if index == n:
                return 0
            at += 1
        else:
            if picks:
                index = pick_secretly(T, world, T[ARMS], 4)
                if T[TROUBLE]:
                    return 0
            else:
                index = one_of(luck, n)
        step(world, index)
        if went_wrong(T, world):
            return 0
    return 0


# ---------------------------------------------------------------- look-ahead: players/greedy.py
def best_from(T: I64, level: int, turn: int, trials: int, patience: int) -> int:
    """The best of some ways to go on in the state of this level."""
    S: I64 = words_at(T, STATES_AT + (4 + level) * SIZE)
    turns: I32 = halves_at(S, TURN_AT)
    luck: I64 = T + LUCK
    while S[OVER] == 0 and patience > 0 and turns[0] == turn:
        n = S[OPTIONS]
        if n > 1 and S[PLAYER] == T[SEAT] and trials > 1:
            return best_of_all(T, level, turn, trials, patience)
        step(S, one_of(luck, n))
        if went_wrong(T, S):
            T[FAILED_LOOK] = 1
            return 0
        patience -= 1
    return margin_for(T, S, T[SEAT])


def best_of_all(T: I64, level: int, turn: int, trials: int, patience: int) -> int:
    S: I64 = words_at(T, STATES_AT + (4 + level) * SIZE)
    twin: I64 = words_at(T, STATES_AT + (5 + level) * SIZE)
    tried: I32 = halves_at(T, TRIED_AT + level * 16384)
    n = S[OPTIONS]
    i = 0
    while i < n:
        tried[i] = i
        i += 1
    if n > trials:
        shuffle(tried, n, trials, T + LUCK)
        n = trials
    best = 0 - (1 << 62)
    i = 0
    while i < n:
        copy_state(twin, S)
        step(twin, tried[i])
        if went_wrong(T, twin):
            T[FAILED_LOOK] = 1
            return 0
        found = best_from(T, level + 1, turn, trials // n, patience - 1)
        if T[FAILED_LOOK]:
            return 0
        best = max(best, found)
        i += 1
    return best


def look_ahead(T: I64, trials: int) -> int:
    """Totals of all options; how many worlds they are sums over."""
    true: I64 = words_at(T, STATES_AT + SIZE)
    world: I64 = words_at(T, STATES_AT + 2 * SIZE)
    first: I64 = words_at(T, STATES_AT + 4 * SIZE)
    totals: I64 = words_at(T, TOTALS_AT)
    count = true[OPTIONS]
    rounds = max(1, min(3, trials // count))
    each = max(1, trials // (count * rounds))
    i = 0
    while i < count:
        totals[i] = 0
        i += 1
    number = 0
    while number < rounds:
        draw_world(T, world, hash2(hash2(hash2(0, T[START]), 1), number), 0)
        T[LUCK] = hash2(hash2(hash2(0, T[START]), 2), number)
        turns: I32 = halves_at(world, TURN_AT)
        i = 0
        while i < count and T[TROUBLE] == 0:
            copy_state(first, world)
            step(first, i)
            T[FAILED_LOOK] = went_wrong(T, first)
            found = 0
            if T[FAILED_LOOK] == 0:
                found = best_from(T, 0, turns[0], each, 40)
            if T[FAILED_LOOK]:
                found = margin_for(T, world, T[SEAT])
            totals[i] = totals[i] + found
            i += 1
        number += 1
    return rounds


def choose_greedily(T: I64) -> int:
    """The option with the largest total, or any of the largest."""
    look_ahead(T, T[TRIALS])
    true: I64 = words_at(T, STATES_AT + SIZE)
    totals: I64 = words_at(T, TOTALS_AT)
    count = true[OPTIONS]
    best = totals[0]
    near = 1
    i = 1
    while i < count:
        if totals[i] > best:
            best = totals[i]
            near = 0
        if totals[i] == best:
            near += 1
        i += 1
    T[LUCK] = hash2(hash2(0, T[START]), 3)
    pick = one_of(T + LUCK, near)
    i = 0
    while i < count:
        if totals[i] == best:
            if pick == 0:
                return i
            pick -= 1
        i += 1
    return 0
