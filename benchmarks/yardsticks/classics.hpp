// The eight classics. Where a move is asked in steps (Breakthrough, Liar's Dice), it is asked so here as well,
// or as one choice among all moves with `whole`, as OpenSpiel asks it.
#pragma once

#include "common.hpp"

namespace classics {

// ---------------------------------------------------------------- tic_tac_toe
inline Result tic_tac_toe(Table &table) {
    static const int lines[] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
    int marks[2] = {0, 0}, empty = 0777;
    for (int seat = 0; empty; seat = 1 - seat) {
        int square = 1 << pick_from(table, empty);
        table.moves++;
        empty -= square;
        marks[seat] |= square;
        for (int line : lines)
            if ((marks[seat] & line) == line) return {1u << seat, "line"};
    }
    return {0, "full"};
}

// ---------------------------------------------------------------- connect_four
// A column is seven bits, the highest always empty, so that a shift never runs into the next column.
inline Result connect_four(Table &table) {
    uint64_t discs[2] = {0, 0};
    int height[7] = {0};
    int columns = 0177;
    for (int seat = 0; columns; seat = 1 - seat) {
        int column = pick_from(table, columns);
        table.moves++;
        uint64_t mine = discs[seat] |= 1ull << (7 * column + height[column]);
        if (++height[column] == 6) columns -= 1 << column;
        for (int step : {1, 6, 7, 8}) {
            uint64_t pairs = mine & mine >> step;
            if (pairs & pairs >> 2 * step) return {1u << seat, "line"};
        }
    }
    return {0, "full"};
}

// ---------------------------------------------------------------- breakthrough
// Bit 8 * row + column. Seat 0 moves up. `straight`, `left` and `right` are the men who can move so.
template <bool whole>
Result breakthrough(Table &table) {
    const uint64_t not_first = 0xfefefefefefefefeull, not_last = 0x7f7f7f7f7f7f7f7full;
    uint64_t men[2] = {0xffffull, 0xffffull << 48};
    for (int seat = 0;; seat = 1 - seat) {
        uint64_t mine = men[seat], free = ~mine, empty = free & ~men[1 - seat];
        uint64_t straight, left, right;
        if (seat == 0) {
            straight = mine & empty >> 8;
            left = mine & not_first & free >> 7;
            right = mine & not_last & free >> 9;
        } else {
            straight = mine & empty << 8;
            left = mine & not_first & free << 9;
            right = mine & not_last & free << 7;
        }
        int man, way;  // 0 left, 1 straight, 2 right
        if (whole) {
            int n = table.pick(bits(left) + bits(straight) + bits(right));
            uint64_t ways[3] = {left, straight, right};
            for (way = 0; n >= bits(ways[way]); way++) n -= bits(ways[way]);
            man = nth(ways[way], n);
        } else {
            uint64_t able = straight | left | right;
            if (!able) return {2u >> seat, "blocked"};
            man = pick_from(table, able);
            unsigned ways = (left >> man & 1) | (straight >> man & 1) << 1 | (right >> man & 1) << 2;
            way = pick_from(table, ways);
        }
        table.moves++;
        int target = man + (seat == 0 ? 8 : -8) + way - 1;
        men[seat] = (mine & ~(1ull << man)) | 1ull << target;
        men[1 - seat] &= ~(1ull << target);
        if (target / 8 == (seat == 0 ? 7 : 0)) return {1u << seat, "far row"};
        if (!men[1 - seat]) return {1u << seat, "wiped out"};
    }
}

// ---------------------------------------------------------------- othello
// A shift by one step in each of eight directions, cut off at the sides of the board.
inline uint64_t shifted(uint64_t set, int direction) {
    const uint64_t not_first = 0xfefefefefefefefeull, not_last = 0x7f7f7f7f7f7f7f7full;
    switch (direction) {
        case 0: return set << 8;
        case 1: return set >> 8;
        case 2: return (set & not_last) << 1;
        case 3: return (set & not_first) >> 1;
        case 4: return (set & not_last) << 9;
        case 5: return (set & not_first) >> 9;
        case 6: return (set & not_first) << 7;
        default: return (set & not_last) >> 7;
    }
}

inline uint64_t playable(uint64_t mine, uint64_t theirs) {
    uint64_t found = 0, empty = ~(mine | theirs);
    for (int d = 0; d < 8; d++) {
        uint64_t run = shifted(mine, d) & theirs;
        for (int i = 0; i < 5; i++) run |= shifted(run, d) & theirs;
        found |= shifted(run, d) & empty;
    }
    return found;
}

inline Result othello(Table &table) {
    uint64_t discs[2] = {1ull << 27 | 1ull << 36, 1ull << 28 | 1ull << 35};
    for (int seat = 0, passed = 0; passed < 2; seat = 1 - seat) {
        uint64_t &mine = discs[seat], &theirs = discs[1 - seat];
        uint64_t squares = playable(mine, theirs);
        if (!squares) {
            passed++;
            continue;
        }
        passed = 0;
        uint64_t disc = 1ull << pick_from(table, squares);
        table.moves++;
        uint64_t turned = 0;
        for (int d = 0; d < 8; d++) {
            uint64_t run = 0, next = shifted(disc, d);
            for (; next & theirs; next = shifted(next, d)) run |= next;
            if (next & mine) turned |= run;
        }
        mine |= disc | turned;
        theirs &= ~turned;
    }
    int lead = bits(discs[0]) - bits(discs[1]);
    return {lead > 0 ? 1u : lead < 0 ? 2u : 3u, "no moves"};
}

// ---------------------------------------------------------------- kuhn_poker
inline Result kuhn_poker(Table &table) {
    int first = table.chance(3), second = table.chance(2);
    second += second >= first;
    unsigned higher = first > second ? 1 : 2;
    int bets = 0;
    for (int turn = 0;; turn++) {
        int seat = turn & 1;
        bool bet = table.pick(2);
        table.moves++;
        if (bet && ++bets == 2) return {higher, "showdown"};
        if (!bet && bets == 1) return {2u >> seat, "fold"};
        if (!bet && seat == 1) return {higher, "showdown"};
    }
}

// ---------------------------------------------------------------- leduc_poker
// Cards 0 to 5, two of each rank.
inline Result leduc_poker(Table &table) {
    int deck = 077, hands[2];
    auto draw = [&] {
        int card = nth(deck, table.chance(bits(deck)));
        deck &= ~(1 << card);
        return card / 2;
    };
    for (int &hand : hands) hand = draw();
    int paid[2] = {1, 1};
    for (int size : {2, 4}) {
        int common = size == 4 ? draw() : -1;
        int raises = 0;
        for (int turn = 0;; turn++) {
            int seat = turn & 1, owed = paid[1 - seat] - paid[seat];
            int choice = table.pick(1 + (owed > 0) + (raises < 2));
            table.moves++;
            if (owed == 0) choice++;  // nothing to fold for
            if (choice == 0) return {2u >> seat, "fold"};
            paid[seat] = paid[1 - seat];
            if (choice == 1) {
                if (raises > 0 || seat == 1) break;
            } else {
                paid[seat] += size;
                raises++;
            }
        }
        if (size == 4) {
            int mine = hands[0] + 3 * (hands[0] == common), yours = hands[1] + 3 * (hands[1] == common);
            return {mine > yours ? 1u : mine < yours ? 2u : 3u, "showdown"};
        }
    }
    return {0, ""};
}

// ---------------------------------------------------------------- goofspiel
inline Result goofspiel(Table &table) {
    int prizes = 017777, hands[2] = {017777, 017777}, points[2] = {0, 0};
    while (prizes) {
        int prize = nth(prizes, table.chance(bits(prizes)));
        prizes -= 1 << prize;
        int bids[2];
        for (int seat = 0; seat < 2; seat++) {
            bids[seat] = pick_from(table, hands[seat]);
            table.moves++;
            hands[seat] -= 1 << bids[seat];
        }
        if (bids[0] != bids[1]) points[bids[1] > bids[0]] += prize + 1;
    }
    return {points[0] > points[1] ? 1u : points[0] < points[1] ? 2u : 3u, "all prizes"};
}

// ---------------------------------------------------------------- liars_dice
// A bid is 0 to 11: faces 1 to 6 of one die, then of two. A six counts as every face.
template <bool whole>
Result liars_dice(Table &table) {
    int dice[2] = {table.chance(6), table.chance(6)};
    int bid = -1;
    for (int seat = 0;; seat = 1 - seat) {
        bool liar;
        int left = 11 - bid;  // how many bids are higher
        if (whole) {
            int choice = table.pick(left + (bid >= 0));
            liar = choice == left;
            if (!liar) bid += choice + 1;
        } else {
            liar = bid >= 0 && table.pick(1 + (left > 0)) == (left > 0);
            if (bid < 0) table.pick(1);
            if (!liar) {
                int lowest = (bid + 1) / 6, quantity = lowest + table.pick(2 - lowest);
                int from = quantity == lowest ? (bid + 1) % 6 : 0;
                bid = 6 * quantity + from + table.pick(6 - from);
            }
        }
        table.moves++;
        if (liar) {
            int face = bid % 6, showing = 0;
            for (int die : dice) showing += die == face || die == 5;
            return {showing > bid / 6 ? 2u >> seat : 1u << seat, "liar"};
        }
    }
}

}  // namespace classics
