"""The run-time library: the tree search of one decision. players/mcts.py says what is done.

`T` is the desk (desk.py). A node has ten words: total, visits, available, tries, first kid, next sibling, first
secret kid, the point and the value of the choice, prior. Kids are counted from 1, 0 is none. Whether a choice is known to
win (1) or to lose (-1) stands with the tries of a kid, which has none, and with the point of an option at the root.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core_library import one_of
from ..machine import F64, I32, I64, U8, bytes_at, halves_at, popcount, real, reals_at, root, whole, words_at
from .look_library import draw_world, hash2, look_ahead, over_rivals, result_for, went_wrong, work_out_values

if TYPE_CHECKING:
    ERROR = OPTIONS = OPTIONS_AT = OVER = PC = PLAYER = PLAYERS = SEALED = SIZE = TURN_AT = 0
    ARMS_AT = CENTRE_AT = FIGURES_AT = LOGARITHMS_AT = MARGINS_AT = PARTS_AT = PATH_AT = PICKS_AT = 0
    RIVALS_AT = SECRETS_AT = STATES_AT = TOTALS_AT = TREE_AT = SORTED_AT = 0
    SEAT = START = BUDGET = TRIALS = CAPACITY = NODES = TROUBLE = JUDGED = TURNS = DEPTH_OF_TREE = 0
    PLAIN = SOLVES = BEHIND_SEAL = DESCRIPTION_AT = RNG = PATIENCE = LUCK = LENGTH = ARMS = PICKED = LOW = (
        HIGH
    ) = SCALE = EXPLORATION = PRIOR_WEIGHT = 0

    def step(S: I64, index: int) -> int: ...
    def copy_state(to: I64, source: I64) -> int: ...


def logarithm(T: I64, n: int) -> float:
    table: F64 = reals_at(T, LOGARITHMS_AT)
    shift = 0
    while (n >> shift) > 511:
        shift += 1
    return table[n >> shift] + real(shift) * table[2]


def mean_of(T: I64, node: I64) -> float:
    reals: F64 = reals_at(T, 0)
    width = reals[HIGH] - reals[LOW]
    if width > 0.001:
        return (real(node[0]) / real(node[1]) - reals[LOW]) / width
    return 0.5


def kid_of(T: I64, holder: int, list_: int, hint: int, pc: int, value: int) -> int:
    """The kid for a choice, made if need be; counted from 1. `hint` is the one of the option before."""
    tree: I64 = words_at(T, TREE_AT)
    parent: I64 = tree + holder * 10
    k = parent[list_]
    if hint:
        before: I64 = tree + (hint - 1) * 10
        k = before[5]
    last = hint
    while k:
        node: I64 = tree + (k - 1) * 10
        if node[8] == value and node[7] == pc:
            return k
        last = k
        k = node[5]
    if hint:
        k = parent[list_]
        while k != hint:
            node = tree + (k - 1) * 10
            if node[8] == value and node[7] == pc:
                return k
            k = node[5]
    made: I64 = tree + T[NODES] * 10
    T[NODES] = T[NODES] + 1
    k = T[NODES]
    i = 0
    while i < 10:
        made[i] = 0
        i += 1
    made[7] = pc
    made[8] = value
    if last:
        node = tree + (last - 1) * 10
        node[5] = k
    else:
        parent[list_] = k
    return k


def select_option(T: I64, S: I64, holder: int, list_: int) -> int:
    """The position of an option; T[PICKED] is its node."""
    tree: I64 = words_at(T, TREE_AT)
    kids: I32 = halves_at(T, PICKS_AT)
    options: I32 = halves_at(S, OPTIONS_AT)
    n = S[OPTIONS]
    if T[NODES] + n > T[CAPACITY]:
        T[TROUBLE] = 21
        return 0
    hint = 0
    untried = 0
    i = 0
    while i < n:
        hint = kid_of(T, holder, list_, hint, S[PC], options[i])
        kids[i] = hint - 1
        node: I64 = tree + (hint - 1) * 10
        node[2] = node[2] + 1
        if node[1] == 0:
            untried += 1
        i += 1
    i = 0
    while i < n:
        node = tree + kids[i] * 10
        if node[3] > 0:
            T[PICKED] = kids[i]
            return i
        i += 1
    if untried:
        pick = one_of(T + LUCK, untried)
        i = 0
        while i < n:
            node = tree + kids[i] * 10
            if node[1] == 0:
                if pick == 0:
                    T[PICKED] = kids[i]
                    return i
                pick -= 1
            i += 1
    reals: F64 = reals_at(T, 0)
    best = 0.0 - 1.0
    picked = 0
    i = 0
    while i < n:
        node = tree + kids[i] * 10
        if node[3] == 0:
            figure = mean_of(T, node) + reals[EXPLORATION] * root(logarithm(T, node[2] + 1) / real(node[1]))
            if figure > best:
                best = figure
                picked = i
        i += 1
    T[PICKED] = kids[picked]
    return picked


def onto_path(T: I64, node: int, player: int) -> int:
    path: I64 = words_at(T, PATH_AT)
    if T[LENGTH] >= 4096:
        T[TROUBLE] = 22
        return 1
    path[2 * T[LENGTH]] = node
    path[2 * T[LENGTH] + 1] = player
    T[LENGTH] = T[LENGTH] + 1
    return 0


def pick_secretly(T: I64, S: I64, holder: int, list_: int) -> int:
    if S[OPTIONS] == 1:
        return 0
    index = select_option(T, S, holder, list_)
    onto_path(T, T[PICKED], S[PLAYER])
    return index


def play_on_for(T: I64, S: I64, last_turn: int, patience: int) -> int:
    """1 if the rules fail on the way."""
    turns: I32 = halves_at(S, TURN_AT)
    luck: I64 = T + LUCK
    while patience > 0 and S[OVER] == 0 and turns[0] < last_turn:
        step(S, one_of(luck, S[OPTIONS]))
        if S[ERROR]:
            return went_wrong(T, S)
        patience -= 1
    return 0


def margins_of(T: I64, S: I64) -> int:
    margins: F64 = reals_at(T, MARGINS_AT)
    parts: I64 = words_at(T, PARTS_AT)
    work_out_values(T, S)
    p = 0
    while p < PLAYERS:
        margins[p] = real(over_rivals(T, p)) / real(parts[p])
        p += 1
    return 0


def set_scale(T: I64) -> int:
    """How much positions vary, a few turns from here."""
    S: I64 = words_at(T, STATES_AT + 2 * SIZE)
    turns: I32 = halves_at(S, TURN_AT)
    reals: F64 = reals_at(T, 0)
    centre: F64 = reals_at(T, CENTRE_AT)
    margins: F64 = reals_at(T, MARGINS_AT)
    found: F64 = reals_at(T, TOTALS_AT)
    count = 0
    number = 0
    while number < 12 and T[TROUBLE] == 0:
        draw_world(T, S, hash2(hash2(hash2(0, T[START]), 1), number), 0)
        T[LUCK] = hash2(hash2(hash2(0, T[START]), 4), number)
        if play_on_for(T, S, turns[0] + PLAYERS, T[PATIENCE]) == 0:
            if S[OVER] == 0:
                margins_of(T, S)
                p = 0
                while p < PLAYERS:
                    found[count * PLAYERS + p] = margins[p]
                    p += 1
                count += 1
        number += 1
    T[JUDGED] = 1
    reals[SCALE] = 1.0
    p = 0
    while p < PLAYERS:
        centre[p] = 0.0
        p += 1
    if count:
        p = 0
        while p < PLAYERS:
            total = 0.0
            n = 0
            while n < count:
                total = total + found[n * PLAYERS + p]
                n += 1
            centre[p] = total / real(count)
            p += 1
        spread = 0.0
        n = 0
        while n < count:
            p = 0
            while p < PLAYERS:
                off = found[n * PLAYERS + p] - centre[p]
                spread = spread + off * off
                p += 1
            n += 1
        width = 2.0 * root(spread / real(count * PLAYERS))
        reals[SCALE] = 0.000001
        if width > 0.000001:
            reals[SCALE] = width
        if spread <= 0.0:
            T[JUDGED] = 0
    return 0


def work_out_figures(T: I64, S: I64) -> int:
    figures: I64 = words_at(T, FIGURES_AT)
    margins: F64 = reals_at(T, MARGINS_AT)
    centre: F64 = reals_at(T, CENTRE_AT)
    reals: F64 = reals_at(T, 0)
    rivals: I64 = words_at(T, RIVALS_AT)
    margins_of(T, S)
    p = 0
    while p < PLAYERS:
        x = (margins[p] - centre[p]) / reals[SCALE]
        s = x / root(1.0 + x * x)
        figure = 0.5 + 0.4 * s
        if S[OVER]:
            result = real(result_for(T, S, p)) / real(popcount(rivals[p]) + 1)
            figure = 0.5 + 0.45 * result + 0.05 * s
        figures[p] = whole((1048576.0 * figure + 4503599627370496.0) - 4503599627370496.0)
        p += 1
    return 0


def set_proven(T: I64, index: int, value: int) -> int:
    tree: I64 = words_at(T, TREE_AT)
    node: I64 = tree + index * 10
    if index < T[ARMS]:
        node[7] = value
    else:
        node[3] = value
    return 0


def prove(T: I64, S: I64) -> int:
    """The match is over at the end of a path, without any chance on the way."""
    tree: I64 = words_at(T, TREE_AT)
    path: I64 = words_at(T, PATH_AT)
    i = T[LENGTH] - 1
    result = result_for(T, S, path[2 * i + 1])
    if result == 0:
        return 0
    found = 1
    if result < 0:
        found = 0 - 1
    set_proven(T, path[2 * i], found)
    while i > 0:
        parent: I64 = tree + path[2 * i - 2] * 10
        if found < 0:
            k = parent[4]
            while k:
                node: I64 = tree + (k - 1) * 10
                if node[3] >= 0:
                    return 0
                k = node[5]
        if path[2 * i + 1] != path[2 * i - 1]:
            found = 0 - found
        i -= 1
        set_proven(T, path[2 * i], found)
    return 1


def win_at_once(T: I64, S: I64, at: int) -> int:
    """Behind a new node: if one choice wins, it is made."""
    twin: I64 = words_at(T, STATES_AT + 4 * SIZE)
    options: I32 = halves_at(S, OPTIONS_AT)
    player = S[PLAYER]
    n = S[OPTIONS]
    if n == 1 or n > 64:
        return 0
    i = 0
    while i < n:
        copy_state(twin, S)
        step(twin, i)
        if went_wrong(T, twin):
            if T[TROUBLE]:
                return 0
        else:
            if twin[OVER]:
                if result_for(T, twin, player) > 0:
                    if T[NODES] + 1 > T[CAPACITY]:
                        T[TROUBLE] = 21
                        return 0
                    onto_path(T, kid_of(T, at, 4, 0, S[PC], options[i]) - 1, player)
                    copy_state(S, twin)
                    return 1
        i += 1
    return 0


def iterate(T: I64, S: I64, index: int) -> int:
    """From the root down and back up; 0 if it taught nothing."""
    tree: I64 = words_at(T, TREE_AT)
    path: I64 = words_at(T, PATH_AT)
    secrets: U8 = bytes_at(T, SECRETS_AT)
    turns: I32 = halves_at(S, TURN_AT)
    at = index
    node: I64 = tree + at * 10
    patience = T[PATIENCE]
    deepest = turns[0] + T[DEPTH_OF_TREE]
    new = 0
    if node[1] == 0:
        new = 1
    certain = S[RNG]
    step(S, index)
    if went_wrong(T, S):
        return 0
    while (
        new == 0 and S[OVER] == 0 and patience > 0 and turns[0] < deepest and T[NODES] - T[ARMS] - 1 < 2097152
    ):
        patience -= 1
        index = 0
        if S[OPTIONS] > 1:
            player = S[PLAYER]
            if player != T[SEAT] and (S[SEALED] != 0 or secrets[S[PC]] != 0):
                index = pick_secretly(T, S, at, 6)
            else:
                index = select_option(T, S, at, 4)
                at = T[PICKED]
                onto_path(T, at, player)
                kid: I64 = tree + at * 10
                if kid[1] == 0:
                    new = 1
            if T[TROUBLE]:
                return 0
        step(S, index)
        if went_wrong(T, S):
            return 0
    if T[SOLVES]:
        if new != 0 and S[OVER] == 0:
            win_at_once(T, S, at)
            if T[TROUBLE]:
                return 0
        if S[OVER] != 0 and S[RNG] == certain:
            prove(T, S)
    failed = 0
    if T[JUDGED]:
        failed = play_on_for(T, S, turns[0] + T[TURNS], patience)
    else:
        failed = play_on_for(T, S, 1 << 40, 2000)
    if failed:
        return 0
    work_out_figures(T, S)
    figures: I64 = words_at(T, FIGURES_AT)
    reals: F64 = reals_at(T, 0)
    i = 0
    while i < T[LENGTH]:
        kid = tree + path[2 * i] * 10
        kid[1] = kid[1] + 1
        kid[0] = kid[0] + figures[path[2 * i + 1]]
        mean = real(kid[0]) / real(kid[1])
        if mean < reals[LOW]:
            reals[LOW] = mean
        if mean > reals[HIGH]:
            reals[HIGH] = mean
        i += 1
    return 1


def try_arm(T: I64, index: int) -> int:
    tree: I64 = words_at(T, TREE_AT)
    S: I64 = words_at(T, STATES_AT + 3 * SIZE)
    arm: I64 = tree + index * 10
    number = arm[3]
    arm[3] = number + 1
    T[LENGTH] = 0
    onto_path(T, index, T[SEAT])
    T[LUCK] = hash2(hash2(hash2(0, T[START]), 5), number)
    draw_world(T, S, hash2(hash2(hash2(0, T[START]), 1), number), 1)
    if T[TROUBLE]:
        return 0
    return iterate(T, S, index)


def blended(T: I64, index: int) -> float:
    """What is thought of an option at the root: an opinion counts like some visits with that figure."""
    tree: I64 = words_at(T, TREE_AT)
    arm: I64 = tree + index * 10
    priors: F64 = reals_at(T, TREE_AT)
    prior = priors[index * 10 + 9]
    reals: F64 = reals_at(T, 0)
    if arm[7] > 0:
        return 2.0
    if arm[7] < 0:
        return 0.0 - 1.0
    mean = 0.5
    if arm[1]:
        mean = mean_of(T, arm)
    if prior < 0.0:
        if arm[1]:
            return mean
        return 0.0
    weight = reals[PRIOR_WEIGHT]
    return (real(arm[1]) * mean + weight * prior) / (real(arm[1]) + weight)


def sort_arms(arms: I32, figures: F64, count: int) -> int:
    """The largest figure first, of equals the one that came first."""
    i = 1
    while i < count:
        one = arms[i]
        figure = figures[i]
        j = i
        while j > 0 and figures[max(j - 1, 0)] < figure:
            arms[j] = arms[j - 1]
            figures[j] = figures[j - 1]
            j -= 1
        arms[j] = one
        figures[j] = figure
        i += 1
    return 0


def rounds_for(arms: int) -> int:
    rounds = 1
    while (1 << rounds) < arms:
        rounds += 1
    return rounds


def believe(T: I64, count: int) -> int:
    """Opinions about the options at the root, from the totals of the look-ahead."""
    priors: F64 = reals_at(T, TREE_AT)
    totals: I64 = words_at(T, TOTALS_AT)
    low = totals[0]
    high = totals[0]
    i = 1
    while i < count:
        low = min(low, totals[i])
        high = max(high, totals[i])
        i += 1
    i = 0
    while i < count:
        priors[i * 10 + 9] = 0.5
        if high > low:
            priors[i * 10 + 9] = real(totals[i] - low) / real(high - low)
        i += 1
    return 0


def search_tree(T: I64) -> int:
    """The best option; the arms, best first, stand at ARMS_AT. Nodes of the options are the first of the tree."""
    true: I64 = words_at(T, STATES_AT + SIZE)
    tree: I64 = words_at(T, TREE_AT)
    priors: F64 = reals_at(T, TREE_AT)
    reals: F64 = reals_at(T, 0)
    arms: I32 = halves_at(T, ARMS_AT)
    figures: F64 = reals_at(T, SORTED_AT)
    count = true[OPTIONS]
    T[ARMS] = count
    T[NODES] = count + 1
    D: I32 = halves_at(T, DESCRIPTION_AT)
    T[SOLVES] = 0
    if T[PLAIN] != 0 and T[BEHIND_SEAL] == 0 and D[0] == 0 and D[1] == 0 and D[2] == 0:
        T[SOLVES] = 1
    reals[LOW] = 1048576.0
    reals[HIGH] = 0.0
    i = 0
    while i < (count + 1) * 10:
        tree[i] = 0
        i += 1
    set_scale(T)
    if T[TROUBLE]:
        return 0
    i = 0
    while i < count:
        priors[i * 10 + 9] = 0.0 - 1.0
        i += 1
    if reals[PRIOR_WEIGHT] > 0.0:
        look_ahead(T, min(T[TRIALS], T[BUDGET]))
        if T[TROUBLE]:
            return 0
        believe(T, count)
    i = 0
    while i < count:
        arms[i] = i
        figures[i] = priors[i * 10 + 9]
        i += 1
    sort_arms(arms, figures, count)
    size = count
    while size > 2 and T[BUDGET] < 2 * size * rounds_for(size):
        size = (size + 1) // 2
    left = T[BUDGET]
    rounds = rounds_for(size)
    while rounds > 0:
        each = max(1, left // (size * rounds))
        while each > 0:
            i = 0
            while i < size and left > 0:
                arm: I64 = tree + arms[i] * 10
                if arm[7] == 0:
                    try_arm(T, arms[i])
                    if T[TROUBLE]:
                        return 0
                    left -= 1
                i += 1
            each -= 1
        i = 0
        while i < size:
            figures[i] = blended(T, arms[i])
            i += 1
        sort_arms(arms, figures, size)
        size = (size + 1) // 2
        rounds -= 1
    return arms[0]
