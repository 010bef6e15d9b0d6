// What all yardsticks share: luck, a table at which choices are picked and counted, and small tools for bits.
#pragma once

#include <cstdint>

// SplitMix64. `below` multiplies instead of dividing; its bias is below 1 in 10^8 here.
struct Luck {
    uint64_t state;

    uint64_t next() {
        uint64_t z = (state += 0x9e3779b97f4a7c15ull);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }

    int below(int n) { return int((next() >> 32) * uint64_t(n) >> 32); }
};

// Where a game is played: every choice goes through `pick`, every draw through `chance`.
struct Table {
    Luck luck;
    long asked = 0;  // choices, also those with a single option
    long open = 0;   // choices with more than one option
    long moves = 0;  // what the rules of the game call a move

    int pick(int options) {
        asked++;
        if (options == 1) return 0;
        open++;
        return luck.below(options);
    }

    bool yes() { return pick(2) == 0; }

    int chance(int outcomes) { return outcomes == 1 ? 0 : luck.below(outcomes); }
};

// How a game ended. Winners are a set of seats: bit 0 is the first seat.
struct Result {
    unsigned winners;
    const char *ending;
};

inline int bits(uint64_t set) { return __builtin_popcountll(set); }
inline int lowest(uint64_t set) { return __builtin_ctzll(set); }

// The n-th element of a set, counted from 0.
inline int nth(uint64_t set, int n) {
    while (n--) set &= set - 1;
    return lowest(set);
}

inline int pick_from(Table &table, uint64_t set) { return nth(set, table.pick(bits(set))); }

// All seats with the highest value, as a set.
template <typename Value>
unsigned best_seats(unsigned seats, Value value) {
    unsigned best = 0;
    int highest = 0;
    for (unsigned left = seats; left; left &= left - 1) {
        int seat = lowest(left), mine = value(seat);
        if (!best || mine > highest) best = 0, highest = mine;
        if (mine == highest) best |= 1u << seat;
    }
    return best;
}
