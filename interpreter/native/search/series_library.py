"""The run-time library: whole games whose seats are played by bots, one after the other inside one call.

`seats` has, for each seat, who plays there (-1 at random, 0 greedy, else the iterations of mcts), then its key, then how
often it has chosen; and two words more. The rows are those of loop_library.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core_library import next_number
from ..loop_library import copy_state, look_at_lead, random_pick, starter_of, step
from ..machine import I32, I64, bytes_at, halves_at, move, words_at
from .agree_library import negotiate
from .knowledge_library import describe
from .look_library import choose_greedily, hash2
from .tree_library import search_tree

if TYPE_CHECKING:
    AUTO = ENTRY = ERROR = OPTIONS = OPTIONS_AT = OVER = PC = PLAYER = PLAYERS = REASON = RNG = SCORED = (
        SEALED
    ) = 0
    SIZE = TURN_AT = WATCH = WINNERS = 0
    ASKER = BEHIND_SEAL = BUDGET = MINE_AT = OWN = SEAT = START = STATES_AT = TALK_OF_AT = TRIALS = (
        TROUBLE
    ) = 0
    ASKERS_AT = BOOK = BOOKS_AT = CHOSEN_AT = FIRST_BOOK_AT = OPENING_AT = OPENING_BOOKS_AT = WRITTEN_AT = (
        WRITTEN_SIZE
    ) = 0
    K_CHOSEN = K_OPEN = K_OPEN_UNSEALS = K_QUEUE = K_SEAL_LUCK = K_SELF = K_TROUBLE = K_UNSEALS = 0

    def run(S: I64, pc: int, value: int) -> int: ...


def begin_watched(S: I64, K: I64, first: I64, seed: int) -> int:
    """A new match, and books in which everything is in the box."""
    p = 0
    while p < PLAYERS:
        move(bytes_at(K, BOOKS_AT + p * BOOK), bytes_at(K, FIRST_BOOK_AT), BOOK)
        p += 1
    written: I64 = words_at(K, WRITTEN_AT)
    p = 0
    while p < WRITTEN_SIZE:
        written[p] = 0
        p += 1
    K[K_QUEUE] = 0
    K[K_UNSEALS] = 0
    K[K_OPEN] = 0
    K[K_TROUBLE] = 0
    copy_state(S, first)
    S[RNG] = seed
    S[AUTO] = 1
    S[WATCH] = K[K_SELF]
    run(S, ENTRY, 0)
    return S[ERROR]


def step_watched(S: I64, K: I64, index: int) -> int:
    """One choice. Behind a seal it is kept how it was when that was put on, and who has chosen what since."""
    options: I32 = halves_at(S, OPTIONS_AT)
    if S[SEALED]:
        if K[K_OPEN] == 0:
            if S[RNG] != K[K_SEAL_LUCK]:
                K[K_TROUBLE] = 2
            K[K_OPEN] = 1
            K[K_OPEN_UNSEALS] = K[K_UNSEALS]
            K[K_CHOSEN] = 0
            copy_state(words_at(K, OPENING_AT), S)
            move(bytes_at(K, OPENING_BOOKS_AT), bytes_at(K, BOOKS_AT), PLAYERS * BOOK)
        chosen: I64 = words_at(K, CHOSEN_AT)
        if K[K_CHOSEN] >= 1024:
            K[K_TROUBLE] = 3
            return 1
        chosen[2 * K[K_CHOSEN]] = S[PLAYER]
        chosen[2 * K[K_CHOSEN] + 1] = options[index]
        K[K_CHOSEN] = K[K_CHOSEN] + 1
    step(S, index)
    if K[K_OPEN]:
        if K[K_UNSEALS] != K[K_OPEN_UNSEALS]:
            K[K_OPEN] = 0
    if S[ERROR]:
        return S[ERROR]
    return K[K_TROUBLE]


def prepare(T: I64, K: I64, S: I64, seat: int, start: int) -> int:
    """Put on the desk what a seat knows."""
    base: I64 = words_at(T, STATES_AT)
    true: I64 = words_at(T, STATES_AT + SIZE)
    T[SEAT] = seat
    T[START] = start
    T[TRIALS] = 90
    T[TROUBLE] = 0
    T[BEHIND_SEAL] = K[K_OPEN]
    copy_state(true, S)
    true[WATCH] = 0
    if K[K_OPEN] == 0:
        copy_state(base, true)
        describe(T, K, words_at(K, BOOKS_AT + seat * BOOK), base, seat)
        return T[TROUBLE]
    copy_state(base, words_at(K, OPENING_AT))
    base[WATCH] = 0
    askers: I32 = halves_at(K, ASKERS_AT)
    T[ASKER] = askers[base[PC]]
    if askers[base[PC]] < 0:
        T[TROUBLE] = 35
        return 35
    chosen: I64 = words_at(K, CHOSEN_AT)
    mine: I64 = words_at(T, MINE_AT)
    T[OWN] = 0
    i = 0
    while i < K[K_CHOSEN]:
        if chosen[2 * i] == seat:
            if T[OWN] >= 64:
                T[TROUBLE] = 36
                return 36
            mine[T[OWN]] = chosen[2 * i + 1]
            T[OWN] = T[OWN] + 1
        i += 1
    describe(T, K, words_at(K, OPENING_BOOKS_AT + seat * BOOK), base, seat)
    return T[TROUBLE]


def think(T: I64, K: I64, S: I64, seat: int, start: int, budget: int) -> int:
    """What a bot chooses; T[TROUBLE] if Python has to say."""
    if prepare(T, K, S, seat, start):
        return 0
    talk_of: I32 = halves_at(T, TALK_OF_AT)
    if talk_of[S[PC]] >= 0:
        return negotiate(T)
    if budget == 0:
        return choose_greedily(T)
    T[BUDGET] = budget
    return search_tree(T)


def thinking_game(
    T: I64, K: I64, S: I64, first: I64, seed: int, limit: int, lead: int, row: I64, seats: I64
) -> int:
    """One game, with its row."""
    keys: I64 = seats + PLAYERS
    moments: I64 = keys + PLAYERS
    scratch: I64 = moments + PLAYERS
    turns: I32 = halves_at(S, TURN_AT)
    scratch[0] = seed
    base = next_number(scratch)
    p = 0
    while p < PLAYERS:
        scratch[0] = 0 - 2 - p
        keys[p] = base ^ next_number(scratch)
        moments[p] = 0
        p += 1
    ahead: I64 = scratch + 1
    ahead[0] = 0 - 1
    row[9] = 0
    forced = 0
    options = 0
    widest = 0
    decisions = 0
    starter = 0
    trouble = begin_watched(S, K, first, seed)
    turn = turns[0]
    while S[OVER] == 0 and trouble == 0 and decisions < limit:
        if starter == 0:
            starter = starter_of(S)
        n = S[OPTIONS]
        player = S[PLAYER]
        options += n
        pick = 0
        if n == 1:
            forced += 1
        else:
            widest = max(widest, n)
            if seats[player] < 0:
                scratch[0] = keys[player] ^ decisions
                pick = random_pick(S, scratch)
            else:
                pick = think(T, K, S, player, hash2(hash2(0, keys[player]), moments[player]), seats[player])
                trouble = T[TROUBLE]
        moments[player] = moments[player] + 1
        decisions += 1
        if trouble == 0:
            trouble = step_watched(S, K, pick)
        if lead:
            if turns[0] != turn:
                turn = turns[0]
                if trouble == 0:
                    trouble = look_at_lead(S, row, ahead)
    row[0] = trouble
    row[1] = decisions
    row[2] = forced
    row[3] = options
    row[4] = max(widest, min(1, decisions))
    row[5] = turns[0]
    row[6] = S[WINNERS]
    row[7] = S[REASON]
    row[8] = S[OVER]
    row[10] = 0
    row[11] = starter
    if SCORED:
        if trouble == 0:
            row[10] = 1
            row[0] = look_at_lead(S, row, ahead)
    return row[0]
