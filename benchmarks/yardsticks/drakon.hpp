// Drakon for four players.
//
// The lair is a board of 128 by 128 cells that runs on over its edges; no lair of 72 chambers spans that far. Kept up
// to date with every chamber laid or lifted: which free cells lie beside the lair, and for each cell the sides at which
// an arrow points from outside. A chamber fits where none of its arrows leaves by such a side.
#pragma once

#include "common.hpp"

namespace drakon {

enum Effect : uint8_t {
    start, blank, destroy, drakon_moves, escape, find_coin, floating, lose_gold, harp, shift, map_chamber, master_key,
    mind_control, rotate, steal_left, steal_right, wind, teleport
};

// Sides: north, east, south, west are bits 0 to 3.
constexpr int N = 1, E = 2, S = 4, W = 8;
constexpr int players = 4, chambers = 72, cells = 128 * 128, goal = 10, turn_limit = 1000;
constexpr int step_by[4] = {128, 1, -128, -1};

inline int beside(int cell, int side) { return (cell + step_by[side]) & (cells - 1); }
inline int back(int side) { return side ^ 2; }
inline int turned(int arrows, int quarters) { return ((arrows << quarters) | (arrows >> (4 - quarters))) & 15; }

using Set = unsigned __int128;  // of chambers
inline Set one(int chamber) { return Set(1) << chamber; }
inline int size(Set set) { return bits(uint64_t(set)) + bits(uint64_t(set >> 64)); }
inline int element(Set set, int n) {
    int low = bits(uint64_t(set));
    return n < low ? nth(uint64_t(set), n) : 64 + nth(uint64_t(set >> 64), n - low);
}
inline int first_of(Set set) { return uint64_t(set) ? lowest(uint64_t(set)) : 64 + lowest(uint64_t(set >> 64)); }
inline int pick_chamber(Table &table, Set set) { return element(set, table.pick(size(set))); }

struct Looks {
    int count = 0;
    uint8_t arrows[4];
};

// What is printed on the chambers, and how arrows can be turned.
struct Box {
    Effect effect[chambers];
    uint8_t arrows[chambers];
    uint8_t kind[chambers];     // the same for chambers that look the same
    Looks looks[16][16];        // by arrows and by sides aimed at: the different ways in which it fits
    uint16_t fitting[16];       // by arrows: the sets of sides aimed at with which it fits

    Box() {
        struct Row {
            Effect effect;
            int arrows, count;
        };
        const int line = N | S, bend = N | E, fork = N | E | W;
        const Row rows[] = {
            {start, N | E | S, 1},
            {blank, N, 3}, {blank, line, 2}, {blank, bend, 3}, {blank, fork, 4},
            {find_coin, N, 3}, {find_coin, line, 2}, {find_coin, bend, 3}, {find_coin, fork, 2},
            {lose_gold, N, 1}, {lose_gold, line, 1}, {lose_gold, bend, 1}, {lose_gold, fork, 1},
            {steal_left, N, 1}, {steal_left, line, 1}, {steal_left, bend, 1}, {steal_left, fork, 1},
            {steal_right, N, 1}, {steal_right, line, 1}, {steal_right, bend, 1}, {steal_right, fork, 1},
            {destroy, N, 1}, {destroy, line, 1}, {destroy, bend, 1}, {destroy, fork, 1},
            {drakon_moves, N, 1}, {drakon_moves, line, 1}, {drakon_moves, bend, 1}, {drakon_moves, fork, 1},
            {escape, bend, 1}, {escape, fork, 1},
            {floating, line, 1}, {floating, fork, 1},
            {harp, line, 1}, {harp, bend, 1},
            {shift, N, 1}, {shift, line, 1}, {shift, bend, 1},
            {map_chamber, N, 1}, {map_chamber, bend, 1}, {map_chamber, fork, 1},
            {master_key, 0, 3},
            {mind_control, N, 1}, {mind_control, line, 1}, {mind_control, bend, 1}, {mind_control, fork, 1},
            {rotate, N, 1}, {rotate, line, 1}, {rotate, bend, 1}, {rotate, fork, 1},
            {wind, line, 1}, {wind, bend, 1}, {wind, fork, 1},
            {teleport, 0, 3},
        };
        int next = 0, number = 0;
        for (const Row &row : rows) {
            for (int i = 0; i < row.count; i++, next++) {
                effect[next] = row.effect;
                arrows[next] = uint8_t(row.arrows);
                kind[next] = uint8_t(number);
            }
            number++;
        }
        for (int mine = 0; mine < 16; mine++) {
            fitting[mine] = 0;
            for (int aimed = 0; aimed < 16; aimed++) {
                Looks &found = looks[mine][aimed];
                for (int quarters = 0; quarters < 4; quarters++) {
                    int now = turned(mine, quarters);
                    bool known = now & aimed;
                    for (int i = 0; i < found.count; i++) known |= found.arrows[i] == now;
                    if (!known) found.arrows[found.count++] = uint8_t(now);
                }
                if (found.count) fitting[mine] |= uint16_t(1 << aimed);
            }
        }
    }
};
inline const Box box;

struct Lair {
    uint8_t at[cells] = {0};         // a chamber plus one
    uint8_t near[cells] = {0};       // how many chambers lie beside a cell
    uint8_t aimed[cells] = {0};      // the sides of a cell at which an arrow points
    int16_t frontier_place[cells];   // where a free cell stands in the frontier
    int16_t frontier[4 * chambers];
    int frontier_size = 0;
    int16_t cell[chambers];
    uint8_t exits[chambers];         // arrows as they lie
    Set laid = 0;
    unsigned aims = 0;               // which sets of sides are aimed at, over the frontier
    bool aims_known = false;

    void add_frontier(int c) {
        frontier_place[c] = int16_t(frontier_size);
        frontier[frontier_size++] = int16_t(c);
    }

    void drop_frontier(int c) {
        int place = frontier_place[c], last = frontier[--frontier_size];
        frontier[place] = int16_t(last);
        frontier_place[last] = int16_t(place);
    }

    void lay(int chamber, int c, int arrows) {
        if (near[c]) drop_frontier(c);
        at[c] = uint8_t(chamber + 1);
        cell[chamber] = int16_t(c);
        exits[chamber] = uint8_t(arrows);
        laid |= one(chamber);
        for (int side = 0; side < 4; side++) {
            int other = beside(c, side);
            if (near[other]++ == 0 && !at[other]) add_frontier(other);
            if (arrows >> side & 1) aimed[other] |= uint8_t(1 << back(side));
        }
        aims_known = false;
    }

    void lift(int chamber) {
        int c = cell[chamber];
        at[c] = 0;
        laid &= ~one(chamber);
        for (int side = 0; side < 4; side++) {
            int other = beside(c, side);
            if (--near[other] == 0 && !at[other]) drop_frontier(other);
            aimed[other] &= uint8_t(~(1 << back(side)));
        }
        if (near[c]) add_frontier(c);
        aims_known = false;
    }

    void turn(int chamber, int arrows) {
        exits[chamber] = uint8_t(arrows);
        for (int side = 0; side < 4; side++) {
            uint8_t &other = aimed[beside(cell[chamber], side)];
            int bit = 1 << back(side);
            other = uint8_t(arrows >> side & 1 ? other | bit : other & ~bit);
        }
        aims_known = false;
    }

    void clear() {
        while (laid) lift(first_of(laid));
    }

    unsigned frontier_aims() {
        if (!aims_known) {
            aims = 0;
            for (int i = 0; i < frontier_size; i++) aims |= 1u << aimed[frontier[i]];
            aims_known = true;
        }
        return aims;
    }

    int beyond(int chamber, int side) const { return at[beside(cell[chamber], side)] - 1; }

    // ------------------------------------------------------------ where a hero may go
    Set step(int chamber, int arrows, bool any_door) const {
        Set ahead = 0, around = 0, harps = 0;
        for (int side = 0; side < 4; side++) {
            int next = beyond(chamber, side);
            if (next < 0) continue;
            around |= one(next);
            if (!(arrows >> side & 1)) continue;
            ahead |= one(next);
            if (box.effect[next] == harp) harps |= one(next);
        }
        return harps ? harps : any_door ? around : ahead;
    }

    // The arrows of a chamber for a hero who is blown through it.
    int arrows_through(int chamber) const {
        if (box.effect[chamber] == teleport || box.effect[chamber] == master_key) return 15 & ~aimed[cell[chamber]];
        return exits[chamber];
    }

    Set ends(int chamber) const {
        Effect effect = box.effect[chamber];
        if (effect == teleport) return laid & ~one(chamber);
        Set found = step(chamber, exits[chamber], effect == master_key);
        if (effect != wind) return found;
        Set blown = 0;
        for (Set left = found; left; left &= left - 1) {
            int passed = first_of(left);
            blown |= step(passed, arrows_through(passed), false);
        }
        return blown;
    }
};

struct Hand {
    int count = 0;
    uint8_t chamber[chambers];

    void add(int c) { chamber[count++] = uint8_t(c); }
    void remove(int c) {
        int at = 0;
        while (chamber[at] != c) at++;
        chamber[at] = chamber[--count];
    }
};

struct Game {
    Table &table;
    Lair &lair;
    Hand hands[players];
    uint8_t pile[chambers], under[chambers];  // `under` is known: what was put below the pile, first come first drawn
    int pile_size = 0, under_first = 0, under_size = 0;
    int hoard[3] = {10, 9, 9}, purse[players][3] = {{0}};
    int on[players], drakon = -1;
    Set acted[players] = {0};
    bool met[players] = {false}, coin_moved = false, over = false;
    int turns = 0, quiet = 0, bare_turns = 0;
    Result result = {0, ""};

    Game(Table &t, Lair &l) : table(t), lair(l) {}

    // ------------------------------------------------------------ the course of the game
    Result play() {
        lair.lay(0, 64 * 128 + 64, box.arrows[0]);
        for (int c = 1; c < chambers; c++) pile[pile_size++] = uint8_t(c);
        for (Hand &hand : hands)
            for (int i = 0; i < 4; i++) draw(hand);
        for (int p = 0; p < players; p++) {
            table.pick(6 - p);  // a hero; all are alike in this game
            on[p] = 0;
        }
        for (int p = table.chance(players); !over; p = (p + 1) % players) {
            bool able = false;
            for (int q = 0; q < players && !able; q++) able = !stuck(q);
            if (!able) finish(richest(), "nobody_can_act");
            else if (turns >= turn_limit) finish(0, "unfinished");
            else if (!stuck(p)) turn(p);
        }
        return result;
    }

    void finish(unsigned winners, const char *ending) {
        over = true;
        result = {winners, ending};
    }

    unsigned richest() const {
        return best_seats((1u << players) - 1, [&](int p) { return wealth(p); });
    }

    bool can_place(int p) const {
        unsigned aims = lair.frontier_aims();
        for (int i = 0; i < hands[p].count; i++)
            if (box.fitting[box.arrows[hands[p].chamber[i]]] & aims) return true;
        return false;
    }

    bool stuck(int p) const { return !can_place(p) && !lair.ends(on[p]); }

    bool bare() const {
        for (const Hand &hand : hands)
            if (hand.count) return false;
        return true;
    }

    void turn(int p) {
        turns++;
        bool was_bare = bare(), place = can_place(p);
        Set ends = lair.ends(on[p]);
        bool places = table.pick(place + bool(ends)) == 0 && place;
        table.moves++;
        if (places) place_chamber(p);
        else enter(p, pick_chamber(table, ends));
        if (over) return;
        feed(p);
        bool is_bare = was_bare && bare();
        bare_turns = is_bare ? bare_turns + 1 : 0;
        quiet = is_bare && !coin_moved ? quiet + 1 : 0;
        if (bare_turns >= 50 * players) finish(richest(), "long_enough");
        else if (quiet >= 10 * players) finish(richest(), "nothing_happens");
        for (int q = 0; q < players; q++) acted[q] = 0, met[q] = false;
        coin_moved = false;
    }

    void feed(int active) {
        for (int i = 0; i < players; i++) {
            int q = (active + i) % players;
            if (on[q] != drakon) continue;
            on[q] = 0;
            if (!met[q]) coin(purse[q], hoard);
        }
    }

    // ------------------------------------------------------------ coins and chambers
    int wealth(int p) const { return purse[p][0] + 2 * purse[p][1] + 3 * purse[p][2]; }

    void coin(int *from, int *to) {
        int coins = from[0] + from[1] + from[2];
        if (!coins) return;
        int n = table.chance(coins), kind = n < from[0] ? 0 : n < from[0] + from[1] ? 1 : 2;
        from[kind]--;
        to[kind]++;
        coin_moved = true;
        for (int p = 0; p < players; p++)
            if (wealth(p) >= goal) return finish(1u << p, "free");
    }

    void draw(Hand &hand) {
        if (pile_size) {
            int i = table.chance(pile_size);
            hand.add(pile[i]);
            pile[i] = pile[--pile_size];
        } else if (under_first < under_size) {
            hand.add(under[under_first++]);
        }
    }

    void put_under(int c) {
        if (under_first == under_size) under_first = under_size = 0;
        if (under_size == chambers) {
            for (int i = under_first; i < under_size; i++) under[i - under_first] = under[i];
            under_size -= under_first;
            under_first = 0;
        }
        under[under_size++] = uint8_t(c);
    }

    // One of each kind in the hand for which `able` holds.
    template <typename Able>
    int pick_kind(const Hand &hand, Able able) {
        uint64_t seen = 0;
        uint8_t found[chambers];
        int count = 0;
        for (int i = 0; i < hand.count; i++) {
            int c = hand.chamber[i];
            uint64_t kind = 1ull << box.kind[c];
            if (!(seen & kind) && able(c)) seen |= kind, found[count++] = uint8_t(c);
        }
        return found[table.pick(count)];
    }

    int pick_space(int arrows, int except) {
        int16_t found[4 * chambers];
        int count = 0;
        for (int i = 0; i < lair.frontier_size; i++) {
            int c = lair.frontier[i];
            if (c != except && box.looks[arrows][lair.aimed[c]].count) found[count++] = int16_t(c);
        }
        return found[table.pick(count)];
    }

    int pick_look(int arrows, int cell) {
        const Looks &looks = box.looks[arrows][lair.aimed[cell]];
        return looks.arrows[table.pick(looks.count)];
    }

    void place_chamber(int p) {
        unsigned aims = lair.frontier_aims();
        int c = pick_kind(hands[p], [&](int x) { return (box.fitting[box.arrows[x]] & aims) != 0; });
        int cell = pick_space(box.arrows[c], -1);
        int look = pick_look(box.arrows[c], cell);
        hands[p].remove(c);
        lair.lay(c, cell, look);
        placed(p, c);
        draw(hands[p]);
    }

    Set unoccupied() const {
        Set found = lair.laid;
        for (int hero : on) found &= ~one(hero);
        return found;
    }

    Set removable() const {
        Set found = unoccupied() & ~one(0);
        return drakon < 0 ? found : found & ~one(drakon);
    }

    void placed(int p, int c) {
        if (box.effect[c] == drakon_moves && drakon < 0) drakon = pick_chamber(table, unoccupied());
        if (box.effect[c] == escape && table.yes()) on[p] = c;
    }

    void enter(int p, int c) {
        on[p] = c;
        if (c == drakon) {
            met[p] = true;
            on[p] = 0;
            coin(purse[p], hoard);
        } else if (!(acted[p] & one(c))) {
            acted[p] |= one(c);
            act(p, c);
        }
    }

    // ------------------------------------------------------------ what chambers do
    void act(int p, int c) {
        switch (box.effect[c]) {
            case destroy: return destroy_chamber();
            case drakon_moves: return move_drakon();
            case find_coin: return coin(hoard, purse[p]);
            case floating: return float_room(c);
            case lose_gold: return coin(purse[p], hoard);
            case shift: return shift_chamber(p);
            case map_chamber: return take_chamber(p);
            case mind_control: return control(p);
            case rotate: return turn_chamber();
            case steal_left: return coin(purse[(p + 1) % players], purse[p]);
            case steal_right: return coin(purse[(p + players - 1) % players], purse[p]);
            default: return;
        }
    }

    void destroy_chamber() {
        Set able = removable();
        if (!able) return;
        int x = pick_chamber(table, able);
        lair.lift(x);
        put_under(x);
    }

    void move_drakon() {
        Set reach = one(drakon), edge = reach;
        for (int i = 0; i < 3; i++) {
            Set next = 0;
            for (; edge; edge &= edge - 1) next |= lair.step(first_of(edge), 0, true);
            edge = next & ~reach;
            reach |= next;
        }
        drakon = pick_chamber(table, reach);
    }

    void float_room(int c) {
        int cell = lair.cell[c], look = lair.exits[c];
        lair.lift(c);
        bool able = false;
        for (int i = 0; i < lair.frontier_size && !able; i++) {
            int s = lair.frontier[i];
            able = s != cell && box.looks[box.arrows[c]][lair.aimed[s]].count;
        }
        if (able && table.yes()) {
            cell = pick_space(box.arrows[c], cell);
            look = pick_look(box.arrows[c], cell);
        }
        lair.lay(c, cell, look);
    }

    void shift_chamber(int p) {
        Set may = removable();
        unsigned aims = 0;
        for (Set left = may; left; left &= left - 1) aims |= 1u << lair.aimed[lair.cell[first_of(left)]];
        auto fits = [&](int x) { return (box.fitting[box.arrows[x]] & aims) != 0; };
        bool able = false;
        for (int i = 0; i < hands[p].count; i++) able |= fits(hands[p].chamber[i]);
        if (!able || !table.yes()) return;
        int mine = pick_kind(hands[p], fits);
        Set old = 0;
        for (Set left = may; left; left &= left - 1) {
            int x = first_of(left);
            if (box.looks[box.arrows[mine]][lair.aimed[lair.cell[x]]].count) old |= one(x);
        }
        int taken = pick_chamber(table, old), cell = lair.cell[taken];
        int look = pick_look(box.arrows[mine], cell);
        lair.lift(taken);
        hands[p].remove(mine);
        hands[p].add(taken);
        lair.lay(mine, cell, look);
        placed(p, mine);
    }

    void take_chamber(int p) {
        unsigned able = 0;
        for (int q = 0; q < players; q++)
            if (q != p && hands[q].count) able |= 1u << q;
        if (!able) return;
        Hand &hand = hands[pick_from(table, able)];
        int c = hand.chamber[table.chance(hand.count)];
        hand.remove(c);
        hands[p].add(c);
    }

    void control(int p) {
        unsigned able = 0;
        for (int q = 0; q < players; q++)
            if (q != p && lair.ends(on[q])) able |= 1u << q;
        if (!able) return;
        int q = pick_from(table, able);
        enter(q, pick_chamber(table, lair.ends(on[q])));
    }

    // The looks of a chamber when it has been turned by one to three quarters.
    Looks other_looks(int x) const {
        Looks found;
        for (int quarters = 1; quarters < 4; quarters++) {
            int now = turned(lair.exits[x], quarters);
            bool known = now & lair.aimed[lair.cell[x]];
            for (int i = 0; i < found.count; i++) known |= found.arrows[i] == now;
            if (!known) found.arrows[found.count++] = uint8_t(now);
        }
        return found;
    }

    void turn_chamber() {
        Set able = 0;
        for (Set left = lair.laid; left; left &= left - 1) {
            int x = first_of(left);
            if (other_looks(x).count) able |= one(x);
        }
        if (!able) return;
        int x = pick_chamber(table, able);
        Looks looks = other_looks(x);
        lair.turn(x, looks.arrows[table.pick(looks.count)]);
    }
};

inline Result playout(Table &table) {
    static Lair lair;  // emptied after each game, which is cheaper than a new one
    Result result = Game(table, lair).play();
    lair.clear();
    return result;
}

}  // namespace drakon
