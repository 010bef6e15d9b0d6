// Dragon Keeper for four players: three levels of 25 tiles, the dragon flies in a row and then in a column.
#pragma once

#include "common.hpp"

namespace dragon_keeper {

enum Special : uint8_t { none, staircase, passage, exchange, trap, release };
struct Tile {
    uint8_t colour, value;
    Special special;
};

constexpr int players = 4, colours = 5;

struct Tiles {
    Tile all[75];

    Tiles() {
        struct Row {
            int value;
            Special special;
            int count;
        };
        const Row red[] = {{1, staircase, 2}, {2, none, 3}, {3, none, 4}, {4, none, 3}, {5, none, 2}, {6, none, 1}};
        const Row others[] = {{1, none, 4}, {1, passage, 1},  {2, none, 3}, {2, release, 1}, {3, none, 2},
                              {3, exchange, 1}, {4, none, 1}, {4, trap, 1}, {5, none, 1}};
        Tile *next = all;
        for (const Row &row : red)
            for (int i = 0; i < row.count; i++) *next++ = {0, uint8_t(row.value), row.special};
        for (uint8_t colour = 1; colour < colours; colour++)
            for (const Row &row : others)
                for (int i = 0; i < row.count; i++) *next++ = {colour, uint8_t(row.value), row.special};
    }
};
inline const Tiles tiles;

struct Stack {
    uint8_t height = 0, tile[16];

    void add(int t) { tile[height++] = uint8_t(t); }
    void remove(int t) {
        int at = 0;
        while (tile[at] != t) at++;
        for (height--; at < height; at++) tile[at] = tile[at + 1];
    }
};

struct Game {
    Table &table;
    Stack stacks[players][colours];
    int guild[players], treasures[players], stock = 24 - 4 * players;
    unsigned alive = (1u << players) - 1;
    uint8_t dungeon[73], board[25];
    int left = 73, dragon = 12, taker = 0, first = 0;
    unsigned tiled = 0;  // the spaces with a tile
    bool level_over = false;

    explicit Game(Table &t) : table(t) {}

    void gain(int p, int t) { stacks[p][tiles.all[t].colour].add(t); }
    void lose(int p, int t) { stacks[p][tiles.all[t].colour].remove(t); }
    bool is_alive(int p) const { return alive >> p & 1; }

    Result play() {
        for (int i = 0; i < 73; i++) dungeon[i] = uint8_t(i + 2);  // 0 and 1 are the staircases
        int guilds = 036;
        for (int p = 0; p < players; p++) {
            guild[p] = nth(guilds, table.chance(bits(guilds)));
            guilds &= ~(1 << guild[p]);
            treasures[p] = 4;
        }
        first = table.chance(players);
        for (int level = 1; level <= 3; level++) {
            int stairs = level < 3 ? 2 - level : -1;
            lay_out(stairs);
            level_over = false;
            for (int p = first; !level_over; p = (p + 1) % players)
                if (is_alive(p)) turn(p);
            pay_toll();
            if (!alive) return {0, "nobody survived"};
            if (bits(alive) == 1 && level < 3) return {alive, "the last survivor"};
            first = holder(stairs);
        }
        for (int p = 0; p < players; p++)
            if (is_alive(p)) tribute(p);
        for (int p = 0; p < players; p++)
            if (is_alive(p)) releases(p);
        if (bits(alive) == 1) return {alive, "the last survivor"};
        int richest = 0;
        for (int p = 0; p < players; p++)
            if (is_alive(p) && treasures[p] > richest) richest = treasures[p];
        return {best_seats(alive, [&](int p) { return score(p, richest); }), "the dragon's esteem"};
    }

    void lay_out(int stairs) {
        for (int s = 0; s < 25; s++) {
            if (s == 12 && stairs >= 0) {
                board[s] = uint8_t(stairs);
                continue;
            }
            int i = table.chance(left);
            board[s] = dungeon[i];
            dungeon[i] = dungeon[--left];
        }
        tiled = (1u << 25) - 1;
        dragon = 12;
    }

    int holder(int stairs) const {
        for (int p = 0; stairs >= 0 && p < players; p++)
            for (int i = 0; i < stacks[p][0].height; i++)
                if (stacks[p][0].tile[i] == stairs) return p;
        return taker;
    }

    // ------------------------------------------------------------ a turn
    unsigned lane(bool in_row) const {
        unsigned line = in_row ? 037u << dragon / 5 * 5 : 0x108421u << dragon % 5;
        return line & tiled & ~(1u << dragon);
    }

    int fly(bool in_row) {
        unsigned line = lane(in_row);
        if (!line) {
            level_over = true;
            return -1;
        }
        dragon = pick_from(table, line);
        tiled &= ~(1u << dragon);
        return board[dragon];
    }

    void turn(int me) {
        int mine = fly(true);
        if (mine < 0) return;
        table.moves++;
        capture(me, mine);
        int gift = fly(false);
        if (gift < 0) return;
        int neighbour = me;
        do neighbour = (neighbour + players - 1) % players;
        while (!is_alive(neighbour));
        gain(neighbour, gift);
        if (tiles.all[gift].value > 2 && stock) stock--, treasures[me]++;
        if (tiles.all[mine].special == passage && lane(true) && table.yes()) {
            lose(me, mine);
            capture(me, fly(true));
        }
    }

    void capture(int me, int t) {
        gain(me, t);
        taker = me;
        if (tiles.all[t].special == exchange) swap_prisoners(me, t);
        if (tiles.all[t].special == trap && tiled && table.yes()) {
            int space = pick_from(table, tiled);
            tiled &= ~(1u << space);
            lose(me, t);
            gain(me, board[space]);
        }
    }

    unsigned stacked(int p) const {
        unsigned found = 0;
        for (int c = 0; c < colours; c++) found |= unsigned(stacks[p][c].height > 0) << c;
        return found;
    }

    void swap_prisoners(int me, int t) {
        unsigned others = 0;
        for (int q = 0; q < players; q++)
            if (q != me && is_alive(q) && stacked(q)) others |= 1u << q;
        if (!others || !table.yes()) return;
        int q = pick_from(table, others);
        int c = pick_from(table, stacked(q));
        int prisoner = stacks[q][c].tile[--stacks[q][c].height];
        lose(me, t);
        gain(me, prisoner);
        gain(q, t);
    }

    // ------------------------------------------------------------ paying and counting
    void pay_toll() {
        int remaining = bits(tiled);
        int toll = remaining == 0 ? 0 : remaining <= 5 ? 1 : remaining <= 8 ? 2 : 3;
        for (int p = 0; p < players; p++) {
            if (!is_alive(p)) continue;
            int due = toll + (p == taker), paid = due < treasures[p] ? due : treasures[p];
            if (due > treasures[p]) alive &= ~(1u << p);
            treasures[p] -= paid;
            stock += paid;
        }
    }

    void tribute(int p) {
        for (int round = 0; round < 2; round++) {
            unsigned highest = best_seats(stacked(p), [&](int c) { return int(stacks[p][c].height); });
            if (!highest) return;
            int c = pick_from(table, highest);
            stacks[p][c].height = 0;
            if (c != guild[p]) return;
        }
    }

    void releases(int p) {
        Stack &own = stacks[p][guild[p]];
        while (true) {
            int able[8], count = 0;
            for (const Stack &stack : stacks[p])
                for (int i = 0; i < stack.height; i++)
                    if (tiles.all[stack.tile[i]].special == release && own.height > (&stack == &own))
                        able[count++] = stack.tile[i];
            if (!count || !table.yes()) return;
            int key = able[table.pick(count)];
            lose(p, key);  // it cannot release itself
            int freed = table.pick(own.height);
            own.remove(own.tile[freed]);
        }
    }

    int score(int p, int richest) const {
        int points = treasures[p] && treasures[p] == richest ? 2 : 0;
        for (int c = 0; c < colours; c++)
            for (int i = 0; i < stacks[p][c].height; i++) {
                int value = tiles.all[stacks[p][c].tile[i]].value;
                points += c == guild[p] ? -value : value;
            }
        return points;
    }
};

inline Result playout(Table &table) { return Game(table).play(); }

}  // namespace dragon_keeper
