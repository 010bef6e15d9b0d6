"""Random games whose chance and picks are keyed by what they are for, as in lab/keyed.py, which says how.

In the small part of Python that translate.py turns into native functions. Names are hashed by Python, once:
where the word of a component or option is not in the table yet, the play stops, and goes on when it is there.
What is under way is kept in `luck` (keyed.py has its places).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .core_library import next_number
from .loop_library import begin, close_row, even_pick, look_at_lead, starter_of, step
from .machine import I32, I64, below_unsigned, halves_at, shift_right, wrapped

if TYPE_CHECKING:
    SEED = TURN = SEAT = HAD = STAMP = AHEAD = GAME = UNDER_WAY = MISSING = PILES = STRIDE = REFS = 0
    SETTLED = DICE = LOOKED = SEATS = 0
    ACTIVE_AT = ERROR = HEAD = OPTIONS = OPTIONS_AT = OVER = PC = PLAYER = PLAYERS = TURN_AT = WEIGHTS_AT = 0
    ENDLESS = LONG_RUN = FULL = WORD_BITS = MOST_TRIED = DRAWN = ROLLED = PICKED = 0

    def takers_of(S: I64) -> int: ...


def mixed(h: int, word: int) -> int:
    """One more word of what something is for (core/randomness.py, `hashed`)."""
    z = wrapped(h - 7046029254386353131) ^ word
    z = wrapped((z ^ shift_right(z, 30)) * -4658895280553007687)
    z = wrapped((z ^ shift_right(z, 27)) * -7723592293110705685)
    return z ^ shift_right(z, 31)


def word_place(words: I64, pc: int, value: int) -> int:
    """Where the word of a value is, or is to be; -1 if there is no room."""
    key = ((pc + 1) << 32) | (value + 2147483648)
    at = shift_right(wrapped(key * -7046029254386353131), 64 - WORD_BITS)
    tried = 0
    while tried < MOST_TRIED:
        found = words[2 * at]
        if found == 0 or found == key:
            return at
        at = (at + 1) & ((1 << WORD_BITS) - 1)
        tried += 1
    return 0 - 1


def learn_word(words: I64, pc: int, value: int, word: int) -> int:
    """1 if there is no room."""
    at = word_place(words, pc, value)
    if at < 0:
        return 1
    words[2 * at] = ((pc + 1) << 32) | (value + 2147483648)
    words[2 * at + 1] = word
    return 0


def words_known(S: I64, luck: I64, words: I64, found: I64) -> int:
    """The words of all options; 0 if one is not known yet."""
    options: I32 = halves_at(S, OPTIONS_AT)
    n = S[OPTIONS]
    i = 0
    while i < n:
        at = word_place(words, S[PC], options[i])
        if at < 0:
            S[ERROR] = FULL
            return 1
        if words[2 * at] == 0:
            luck[MISSING] = S[PC]
            luck[MISSING + 1] = options[i]
            return 0
        found[i] = words[2 * at + 1]
        i += 1
    return 1


def look_at_turn(S: I64, luck: I64) -> int:
    """A turn is the seat that has it and how many turns it has had."""
    turns: I32 = halves_at(S, TURN_AT)
    if turns[0] != luck[TURN]:
        luck[TURN] = turns[0]
        active: I32 = halves_at(S, ACTIVE_AT)
        seat = active[0] + 1
        luck[SEATS + seat] = luck[SEATS + seat] + 1
        luck[SEAT] = seat
        luck[HAD] = luck[SEATS + seat]
        luck[STAMP] = luck[STAMP] + 1
    return 0


def times_now(luck: I64, times: I64, site: int, player: int) -> int:
    """How often this has come up in this turn, with this time."""
    entry: I64 = times + 2 * (site * (PLAYERS + 1) + player)
    if entry[0] != luck[STAMP]:
        entry[0] = luck[STAMP]
        entry[1] = 0
    entry[1] = entry[1] + 1
    return entry[1]


def of_this_turn(luck: I64, h: int, n: int) -> int:
    return mixed(mixed(mixed(h, luck[SEAT]), luck[HAD]), n)


# ---------------------------------------------------------------- chance
def pile_of(S: I64, where: int, refs: I64, luck: I64) -> int:
    """The place in which all of the options lie; -1 if that is not one."""
    options: I32 = halves_at(S, OPTIONS_AT)
    weights: I32 = halves_at(S, WEIGHTS_AT)
    numbers: I32 = halves_at(S, HEAD)
    ref = numbers[where + options[0]]
    i = 1
    n = S[OPTIONS]
    while i < n:
        if weights[i] != weights[0] or numbers[where + options[i]] != ref:
            return 0 - 1
        i += 1
    if ref < 0 or ref >= luck[REFS]:
        return 0 - 1
    if refs[2 * ref] == 0:
        return 0 - 1
    return ref


def drawn(S: I64, luck: I64, refs: I64, ref: int, piles: I64, found: I64) -> int:
    """The position of the greatest of those that are there; all are shuffled anew if something has come in."""
    options: I32 = halves_at(S, OPTIONS_AT)
    n = S[OPTIONS]
    pile: I64 = piles + (refs[2 * ref] - 1) * luck[STRIDE]
    left: I64 = pile + 2
    anew = 1 - pile[0]
    i = 0
    while i < n and anew == 0:
        c = options[i]
        if (left[c >> 6] >> (c & 63)) & 1 == 0:
            anew = 1
        i += 1
    if anew:
        if pile[0]:
            pile[1] = pile[1] + 1
        pile[0] = 1
    start = mixed(mixed(mixed(mixed(0, luck[SEED]), DRAWN), refs[2 * ref + 1]), pile[1])
    best = 0
    most = 0
    i = 2
    while i < luck[STRIDE]:
        pile[i] = 0
        i += 1
    i = 0
    while i < n:
        c = options[i]
        left[c >> 6] = left[c >> 6] | (1 << (c & 63))
        rank = mixed(start, found[i])
        if i == 0 or below_unsigned(most, rank):
            best = i
            most = rank
        i += 1
    c = options[best]
    left[c >> 6] = left[c >> 6] ^ (1 << (c & 63))
    return best


def part_of(h: int, total: int) -> int:
    """(h * total) >> 64, with 64 bits."""
    low = h & 4294967295
    return ((h >> 32) * total + ((low * total) >> 32)) >> 32


def outcome(S: I64, luck: I64, point: I64, words: I64, refs: I64, piles: I64, times: I64, found: I64) -> int:
    """The position of what chance brings; -1 if a word is missing."""
    weights: I32 = halves_at(S, WEIGHTS_AT)
    n = S[OPTIONS]
    if n == 1:
        return 0
    if point[3] >= 0:
        ref = pile_of(S, point[3], refs, luck)
        if ref >= 0:
            if words_known(S, luck, words, found) == 0:
                return 0 - 1
            return drawn(S, luck, refs, ref, piles, found)
    h = mixed(mixed(mixed(mixed(0, luck[SEED]), ROLLED), point[1]), point[2])
    h = of_this_turn(luck, h, times_now(luck, times, point[0], 0))
    total = 0
    i = 0
    while i < n:
        total += weights[i]
        i += 1
    ticket = part_of(h, total)
    i = 0
    while i < n:
        if ticket < weights[i]:
            return i
        ticket -= weights[i]
        i += 1
    return n - 1


# ---------------------------------------------------------------- picks
def keyed_pick(S: I64, luck: I64, point: I64, words: I64, times: I64, found: I64) -> int:
    n = S[OPTIONS]
    if n == 1:
        return 0
    takers = takers_of(S)
    if takers < 2:
        if words_known(S, luck, words, found) == 0:
            return 0 - 1
    player = S[PLAYER]
    h = mixed(mixed(mixed(mixed(mixed(0, luck[SEED]), PICKED), player), point[1]), point[2])
    h = of_this_turn(luck, h, times_now(luck, times, point[0], player + 1))
    if takers > 1:
        luck[DICE] = h
        return even_pick(luck + DICE, n, takers)
    best = 0
    most = mixed(h, found[0])
    i = 1
    while i < n:
        rank = mixed(h, found[i])
        if below_unsigned(most, rank):
            best = i
            most = rank
        i += 1
    return best


# ---------------------------------------------------------------- games
def keyed_on(
    S: I64, luck: I64, points: I64, words: I64, refs: I64, piles: I64, times: I64, found: I64, row: I64,
    limit: int, lead: int,
) -> int:  # fmt: skip
    """On to the end of a game; 1 if a word is missing."""
    turns: I32 = halves_at(S, TURN_AT)
    while S[OVER] == 0 and S[ERROR] == 0 and row[1] < limit:
        point: I64 = points + 4 * S[PC]
        look_at_turn(S, luck)
        if S[PLAYER] < 0:
            index = outcome(S, luck, point, words, refs, piles, times, found)
            if index < 0:
                return 1
            luck[SETTLED] = luck[SETTLED] + 1
            if luck[SETTLED] > LONG_RUN:
                S[ERROR] = ENDLESS
            if S[ERROR] == 0:
                step(S, index)
        else:
            luck[SETTLED] = 0
            if row[11] == 0:
                row[11] = starter_of(S)
            index = keyed_pick(S, luck, point, words, times, found)
            if index < 0:
                return 1
            if S[ERROR] == 0:
                n = S[OPTIONS]
                row[1] = row[1] + 1
                row[2] = row[2] + (n == 1)
                row[3] = row[3] + n
                row[4] = max(row[4], n)
                step(S, index)
                if lead and turns[0] != luck[LOOKED] and S[ERROR] == 0:
                    luck[LOOKED] = turns[0]
                    look_at_lead(S, row, luck + AHEAD)
    close_row(S, row, luck + AHEAD, S[ERROR])
    return 0


def begin_keyed(S: I64, first: I64, luck: I64, piles: I64, row: I64, seed: int) -> int:
    i = 0
    while i < 12 + PLAYERS:
        row[i] = 0
        i += 1
    i = 0
    while i <= PLAYERS:
        luck[SEATS + i] = 0
        i += 1
    i = 0
    while i < luck[PILES]:
        piles[i * luck[STRIDE]] = 0
        piles[i * luck[STRIDE] + 1] = 0
        i += 1
    luck[SEED] = seed
    luck[TURN] = 0
    luck[SEAT] = 0
    luck[HAD] = 0
    luck[STAMP] = luck[STAMP] + 1
    luck[AHEAD] = 0 - 1
    luck[SETTLED] = 0
    begin(S, first, seed, 0)
    turns: I32 = halves_at(S, TURN_AT)
    luck[LOOKED] = turns[0]
    return 0


def keyed_series(
    S: I64, first: I64, master: int, number: int, games: int, limit: int, lead: int, rows: I64,
    luck: I64, points: I64, words: I64, refs: I64, piles: I64, times: I64, found: I64,
) -> int:  # fmt: skip
    """Games of a series, on from where it stopped for the lack of a word; 1 if one is missing again."""
    while luck[GAME] < games:
        row: I64 = rows + luck[GAME] * (12 + PLAYERS)
        if luck[UNDER_WAY] == 0:
            luck[DICE] = wrapped(master + (number + luck[GAME]) * -7046029254386353131)
            begin_keyed(S, first, luck, piles, row, shift_right(next_number(luck + DICE), 11))
            luck[UNDER_WAY] = 1
        if keyed_on(S, luck, points, words, refs, piles, times, found, row, limit, lead):
            return 1
        luck[UNDER_WAY] = 0
        luck[GAME] = luck[GAME] + 1
    return 0
