"""The run-time library: what bots say in a negotiation. players/agreements.py says how.

Of a decision inside a negotiation there are eight words: region, kind (1 an offer, 2 the choice of a row, 3 a part of a
proposal), where it is kept how many rows there are and which row each seat stands for, the cases that lead to a row and
to a proposal, as masks, and the case for those who wait. Gains are two words: what the one gains who gains the
least, and what I gain. States: two worlds, then one that is played on, and one for a way that is tried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..machine import I32, I64, halves_at, words_at
from .look_library import draw_world, hash2, over_rivals, went_wrong, work_out_values

if TYPE_CHECKING:
    HEAD = OPTIONS = OPTIONS_AT = OVER = PC = PLAYER = PLAYERS = SIZE = 0
    FAILED_LOOK = GAINS_AT = LUCK = PARTS_AT = SEAT = STANDING_AT = START = STATES_AT = TALK_OF_AT = (
        TALKS_AT
    ) = 0
    TROUBLE = VALUES_AT = WEIGHTS_OF_GAINS_AT = 0

    def step(S: I64, index: int) -> int: ...
    def copy_state(to: I64, source: I64) -> int: ...
    def random_pick(S: I64, generator: I64) -> int: ...


def talk_at(T: I64, S: I64) -> int:
    """The number of the pending decision among those inside negotiations, or -1."""
    if S[OVER]:
        return 0 - 1
    talk_of: I32 = halves_at(T, TALK_OF_AT)
    return talk_of[S[PC]]


def option_of(S: I64, value: int) -> int:
    options: I32 = halves_at(S, OPTIONS_AT)
    i = 0
    while i < S[OPTIONS]:
        if options[i] == value:
            return i
        i += 1
    return 0 - 1


def stand(T: I64, S: I64, number: int) -> int:
    """How each seat stands, in parts that can be compared."""
    out: I64 = words_at(T, STANDING_AT + 128 * number)
    values: I64 = words_at(T, VALUES_AT)
    parts: I64 = words_at(T, PARTS_AT)
    weights: I64 = words_at(T, WEIGHTS_OF_GAINS_AT)
    work_out_values(T, S)
    p = 0
    while p < PLAYERS:
        out[p] = (7 * over_rivals(T, p) + 3 * parts[p] * values[p]) * weights[p]
        p += 1
    return 0


def step_in_talk(T: I64, S: I64, index: int) -> int:
    """1 if the rules fail."""
    step(S, index)
    if went_wrong(T, S):
        T[FAILED_LOOK] = 1
        return 1
    return 0


def way_to_row(T: I64, S: I64, twin: I64, talk: I32, row: int) -> int:
    """Can who is asked take a row? Then `twin` is the state afterwards, and the answer the option, from 1."""
    talks: I32 = halves_at(T, TALKS_AT)
    case = 0
    while (talk[4] >> case) > 0:
        if (talk[4] >> case) & 1:
            index = option_of(S, case)
            if index >= 0:
                copy_state(twin, S)
                if step_in_talk(T, twin, index):
                    return 0
                there = talk_at(T, twin)
                if there >= 0 and talks[8 * max(there, 0) + 1] == 2:
                    chosen = option_of(twin, row)
                    if chosen >= 0:
                        if step_in_talk(T, twin, chosen):
                            return 0
                        return index + 1
        case += 1
    return 0


def leave_talk(T: I64, S: I64, region: int, row: int) -> int:
    """Play on until the negotiation is over; who has taken the row, with me."""
    twin: I64 = words_at(T, STATES_AT + 5 * SIZE)
    talks: I32 = halves_at(T, TALKS_AT)
    taken = 1 << T[SEAT]
    n = 0
    while n < 300:
        number = talk_at(T, S)
        if number < 0:
            return taken
        talk: I32 = talks + 8 * number
        if talk[0] != region:
            return taken
        index = 0
        if talk[1] == 1:
            way = 0
            if (taken >> S[PLAYER]) & 1 == 0:
                way = way_to_row(T, S, twin, talk, row)
                if T[FAILED_LOOK]:
                    return 0
            if way:
                taken = taken | (1 << S[PLAYER])
                copy_state(S, twin)
                index = 0 - 1
            else:
                index = max(option_of(S, talk[6]), 0)
        if talk[1] == 2:
            index = max(option_of(S, row), 0)
        if index >= 0:
            if step_in_talk(T, S, index):
                return 0
        n += 1
    return taken


def no_gains(T: I64) -> int:
    gains: I64 = words_at(T, GAINS_AT)
    gains[0] = 0 - (1 << 60)
    gains[1] = 0 - (1 << 60)
    return 0


def gains_of(T: I64, world: int, S: I64, region: int, row: int, proposed: int) -> int:
    """What comes of it if everybody concerned takes a row, from a state in which I have had my say."""
    gains: I64 = words_at(T, GAINS_AT)
    taken = leave_talk(T, S, region, row)
    if T[FAILED_LOOK] or (proposed != 0 and taken == 1 << T[SEAT]):
        return no_gains(T)
    stand(T, S, 2)
    after: I64 = words_at(T, STANDING_AT + 256)
    without: I64 = words_at(T, STANDING_AT + 128 * world)
    gains[0] = 1 << 60
    p = 0
    while p < PLAYERS:
        if (taken >> p) & 1:
            gains[0] = min(gains[0], after[p] - without[p])
        p += 1
    gains[1] = after[T[SEAT]] - without[T[SEAT]]
    return 0


def my_row(T: I64, S: I64, backs: int) -> int:
    if backs < 0:
        return 0 - 1
    numbers: I32 = halves_at(S, HEAD)
    return numbers[backs + T[SEAT]]


def gains_by_row(T: I64, number: int, talk: I32, row: int) -> int:
    """What if I took a row on the table?"""
    world: I64 = words_at(T, STATES_AT + (2 + number) * SIZE)
    S: I64 = words_at(T, STATES_AT + 4 * SIZE)
    T[FAILED_LOOK] = 0
    if my_row(T, world, talk[3]) == row:
        copy_state(S, world)
        return gains_of(T, number, S, talk[0], row, 0)
    if way_to_row(T, world, S, talk, row) == 0:
        return no_gains(T)
    return gains_of(T, number, S, talk[0], row, 0)


def gains_completed(T: I64, number: int, talk: I32, option: int) -> int:
    """What if I go on with an option, and with the rest of what I am asked for in any way?"""
    S: I64 = words_at(T, STATES_AT + 4 * SIZE)
    talks: I32 = halves_at(T, TALKS_AT)
    numbers: I32 = halves_at(S, HEAD)
    T[FAILED_LOOK] = 0
    copy_state(S, words_at(T, STATES_AT + (2 + number) * SIZE))
    rows = numbers[talk[2]]
    if step_in_talk(T, S, option):
        return no_gains(T)
    n = 0
    while n < 300:
        here = talk_at(T, S)
        if here < 0 or S[PLAYER] != T[SEAT]:
            n = 1000
        else:
            asked: I32 = talks + 8 * here
            if asked[0] != talk[0] or asked[1] == 1:
                n = 1000
            else:
                pick = 0
                if S[OPTIONS] > 1:
                    pick = random_pick(S, T + LUCK)
                if step_in_talk(T, S, pick):
                    return no_gains(T)
        n += 1
    row = my_row(T, S, talk[3])
    if numbers[talk[2]] > rows:
        row = numbers[talk[2]] - 1
    if row < 0:
        return no_gains(T)
    return gains_of(T, number, S, talk[0], row, 1)


def mine_first(gains: I64) -> int:
    """What I gain by comes before what I lose by."""
    if gains[1] <= 0:
        gains[0] = 0 - (1 << 61)
    return 0


def larger(a0: int, a1: int, b0: int, b1: int) -> int:
    if a0 > b0:
        return 1
    if a0 < b0:
        return 0
    if a1 > b1:
        return 1
    return 0


def best_part(T: I64, talk: I32) -> int:
    true: I64 = words_at(T, STATES_AT + SIZE)
    gains: I64 = words_at(T, GAINS_AT)
    best0 = 0
    best1 = 0
    chosen = 0
    n = 0
    while n < 24:
        option = random_pick(true, T + LUCK)
        gains_completed(T, n & 1, talk, option)
        mine_first(gains)
        if n == 0 or larger(gains[0], gains[1], best0, best1):
            best0 = gains[0]
            best1 = gains[1]
            chosen = option
        n += 1
    return chosen


def best_row(T: I64, talk: I32) -> int:
    true: I64 = words_at(T, STATES_AT + SIZE)
    S: I64 = words_at(T, STATES_AT + 4 * SIZE)
    options: I32 = halves_at(true, OPTIONS_AT)
    gains: I64 = words_at(T, GAINS_AT)
    best0 = 0
    best1 = 0
    chosen = 0
    n = 0
    while n < true[OPTIONS]:
        total0 = 0
        total1 = 0
        number = 0
        while number < 2:
            T[FAILED_LOOK] = 0
            copy_state(S, words_at(T, STATES_AT + (2 + number) * SIZE))
            if step_in_talk(T, S, n):
                no_gains(T)
            else:
                gains_of(T, number, S, talk[0], options[n], 0)
            total0 += gains[0]
            total1 += gains[1]
            number += 1
        gains[0] = total0
        gains[1] = total1
        mine_first(gains)
        if n == 0 or larger(gains[0], gains[1], best0, best1):
            best0 = gains[0]
            best1 = gains[1]
            chosen = n
        n += 1
    return chosen


def answer(T: I64, talk: I32) -> int:
    true: I64 = words_at(T, STATES_AT + SIZE)
    world: I64 = words_at(T, STATES_AT + 2 * SIZE)
    S: I64 = words_at(T, STATES_AT + 4 * SIZE)
    numbers: I32 = halves_at(world, HEAD)
    gains: I64 = words_at(T, GAINS_AT)
    idle = max(option_of(true, talk[6]), 0)
    rows = numbers[talk[2]]
    on_table = 0 - 1
    row0 = 0 - (1 << 60)
    row1 = 0 - (1 << 60)
    row = 0
    while row < rows:
        gains_by_row(T, 0, talk, row)
        total0 = gains[0]
        total1 = gains[1]
        gains_by_row(T, 1, talk, row)
        total0 += gains[0]
        total1 += gains[1]
        if total1 > 0 and larger(total0, total1, row0, row1):
            on_table = row
            row0 = total0
            row1 = total1
        row += 1
    proposal = 0 - 1
    own0 = 0 - (1 << 60)
    own1 = 0 - (1 << 60)
    case = 0
    while (talk[5] >> case) > 0:
        index = 0 - 1
        if (talk[5] >> case) & 1:
            index = option_of(true, case)
        n = 0
        while n < 24 and index >= 0:
            gains_completed(T, n & 1, talk, index)
            if gains[1] > 0 and larger(gains[0], gains[1], own0, own1):
                proposal = index
                own0 = gains[0]
                own1 = gains[1]
            n += 1
        case += 1
    enough = max(0, 8 - 2 * rows)
    own = 0
    if proposal >= 0:
        own = 2 * own1
    if on_table >= 0 and 10 * row1 >= enough * own:
        if my_row(T, world, talk[3]) == on_table:
            return idle
        T[FAILED_LOOK] = 0
        way = way_to_row(T, world, S, talk, on_table)
        if way:
            return way - 1
        return idle
    if proposal >= 0 and own0 > 0:
        return proposal
    return idle


def negotiate(T: I64) -> int:
    """The position of an option."""
    true: I64 = words_at(T, STATES_AT + SIZE)
    S: I64 = words_at(T, STATES_AT + 4 * SIZE)
    talk: I32 = halves_at(T, TALKS_AT) + 8 * talk_at(T, true)
    T[LUCK] = hash2(hash2(0, T[START]), 6)
    number = 0
    while number < 2:
        world: I64 = words_at(T, STATES_AT + (2 + number) * SIZE)
        draw_world(T, world, hash2(hash2(hash2(0, T[START]), 1), number), 0)
        if T[TROUBLE]:
            return 0
        T[FAILED_LOOK] = 0
        copy_state(S, world)
        leave_talk(T, S, talk[0], 0 - 1)
        if T[FAILED_LOOK]:
            stand(T, world, number)
        else:
            stand(T, S, number)
        number += 1
    if talk[1] == 1:
        return answer(T, talk)
    if talk[1] == 2:
        return best_row(T, talk)
    return best_part(T, talk)
