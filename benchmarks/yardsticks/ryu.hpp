// Ryu for four players. The races are dealt by seat.
#pragma once

#include "common.hpp"

namespace ryu {

enum Cube { yellow, blue, orange, violet, white, kinds };
enum Token { merchant, smuggler, governor };
enum Land { smuggler_guild, merchant_guild, bazaar, governors_island, first_home, deserted = first_home + 4 };

constexpr int players = 4, islands = 9, pieces = 5, turn_limit = 5000;
constexpr int in_play[kinds] = {21, 7, 7, 7, 1};
constexpr int cost[pieces][4] = {{0, 0, 0, 0}, {0, 1, 1, 1}, {0, 0, 0, 0}, {0, 1, 1, 1}, {2, 1, 1, 1}};
constexpr int same_colour[pieces] = {3, 0, 3, 0, 0};
constexpr int price[pieces] = {3, 3, 3, 3, 5};

struct Cubes {
    int of[kinds] = {0};

    int count() const { return of[0] + of[1] + of[2] + of[3] + of[4]; }
    void move_all(Cubes &to) {
        for (int k = 0; k < kinds; k++) to.of[k] += of[k], of[k] = 0;
    }
    unsigned present() const {
        unsigned found = 0;
        for (int k = 0; k < kinds; k++) found |= unsigned(of[k] > 0) << k;
        return found;
    }
};

inline int lower(int a, int b) { return a < b ? a : b; }
inline int higher(int a, int b) { return a > b ? a : b; }

struct Game {
    Table &table;
    int land[islands];        // what lies where
    bool sepia[islands] = {false};
    Cubes bag, centre, screen[players];
    int tokens[players][3] = {{0}}, built[players] = {0}, dragon[players];
    bool over = false;

    explicit Game(Table &t) : table(t) {}

    // ------------------------------------------------------------ the course of the game
    Result play() {
        for (int k = 0; k < kinds; k++) bag.of[k] = in_play[k];
        for (Cubes &mine : screen) bag.of[yellow] -= 2, mine.of[yellow] = 2;
        for (int i = 0; i < islands; i++) land[i] = i;
        for (int i = 0; i < islands; i++) {
            int j = i + table.chance(islands - i), other = land[j];
            land[j] = land[i];
            land[i] = other;
            if (other >= first_home && other < deserted) dragon[other - first_home] = i;
        }
        gain(3, table.pick(2) ? smuggler : merchant, 1);
        for (int turns = 0, p = 0; turns < turn_limit; turns++, p = (p + 1) % players) {
            turn(p);
            if (over) return {best_seats((1u << players) - 1, [&](int q) { return built[q]; }), "dragon_done"};
        }
        return {0, "unfinished"};
    }

    void turn(int me) {
        if (!screen[me].count() && table.yes()) find_yellow(me);
        int harbour = (dragon[me] + table.pick(9)) % islands;
        table.moves++;
        int way = (harbour - dragon[me] + islands) % islands, steps = lower(way, islands - way);
        dragon[me] = harbour;
        if (steps > 2 || !act(me) || over) return;
        if (!bag.of[white]) dragon_bid(me);
        if (over || steps) return;
        dragon[me] = (harbour + islands - 2 + table.pick(5)) % islands;
    }

    // ------------------------------------------------------------ cubes and tokens
    void spend(int me, int k, int n) { screen[me].of[k] -= n, centre.of[k] += n; }
    void gain(int me, int k, int n) { tokens[me][k] = lower(5, tokens[me][k] + n); }

    void build_piece(int p) {
        if (++built[p] == pieces) over = true;
    }

    void draw(int n, Cubes &to) {
        for (int left = bag.count(); n && left; n--, left--) {
            int i = table.chance(left), k = 0;
            while (i >= bag.of[k]) i -= bag.of[k++];
            bag.of[k]--;
            to.of[k]++;
        }
    }

    void find_yellow(int me) {
        Cubes &where = centre.of[yellow] ? centre : bag;
        if (where.of[yellow]) where.of[yellow]--, screen[me].of[yellow]++;
    }

    // Cubes of one's choice, kind by kind: `least` to `most` in all.
    void pick_cubes(Cubes &from, Cubes &to, int least, int most) {
        int behind = from.count(), taken = 0;
        for (int k = 0; k < kinds; k++) {
            if (!from.of[k]) continue;
            behind -= from.of[k];
            int low = higher(0, least - taken - behind), high = lower(from.of[k], most - taken);
            int n = low + table.pick(high - low + 1);
            from.of[k] -= n;
            to.of[k] += n;
            taken += n;
        }
    }

    int owner(int i) const { return land[i] >= first_home && land[i] < deserted ? land[i] - first_home : -1; }
    bool settled(int i) const { return land[i] >= first_home; }

    // ------------------------------------------------------------ actions
    enum Action {
        explore, build, guild_draw, guild_exchange, buy_governor, buy_yellow, bazaar_governor, bazaar_draw, flip, reveal
    };

    // Every action that is possible, or none; false if none is carried out.
    bool act(int me) {
        int here = dragon[me];
        const int *mine = screen[me].of;
        const int *has = tokens[me];
        unsigned able = 0;
        auto allow = [&](Action a, bool can) { able |= unsigned(can) << a; };
        if (built[me] < pieces) allow(build, payable(me) + has[governor] >= price[built[me]]);
        switch (land[here]) {
            case smuggler_guild:
                allow(guild_draw, mine[yellow] >= 1);
                allow(guild_exchange, mine[blue] + mine[orange] + mine[violet] >= 1);
                break;
            case merchant_guild:
                allow(buy_governor, mine[yellow] >= 2);
                allow(buy_yellow, has[merchant] && has[smuggler] && centre.of[yellow] + bag.of[yellow]);
                break;
            case bazaar:
                allow(bazaar_governor, has[merchant] >= 3);
                allow(bazaar_draw, has[smuggler] >= 3);
                break;
            case governors_island:
                allow(flip, has[merchant] >= 1);
                allow(reveal, has[smuggler] >= 1);
                break;
            default: allow(explore, owner(here) != me && !sepia[here] && mine[yellow] >= 1);
        }
        if (!able) return false;
        int choice = table.pick(bits(able) + 1);
        if (choice == bits(able)) return false;
        carry_out(me, here, Action(nth(able, choice)));
        return true;
    }

    void carry_out(int me, int here, Action action) {
        switch (action) {
            case explore: return look_around(me, here);
            case build: return build_dragon(me);
            case guild_draw:
                spend(me, yellow, 1);
                draw(1, screen[me]);
                return gain(me, smuggler, 2);
            case guild_exchange: return exchange(me);
            case buy_governor:
                spend(me, yellow, 2);
                return gain(me, governor, 1);
            case buy_yellow:
                tokens[me][merchant]--;
                tokens[me][smuggler]--;
                return find_yellow(me);
            case bazaar_governor:
                tokens[me][merchant] -= 3;
                return gain(me, governor, 1);
            case bazaar_draw:
                tokens[me][smuggler] -= 3;
                return draw(2, screen[me]);
            case flip: return flip_island(me);
            case reveal: return search_screens(me);
        }
    }

    void look_around(int me, int here) {
        spend(me, yellow, 1);
        turn_over(here);
        gain(me, merchant, 1);
        int host = owner(here);
        if (host < 0) return draw(2, screen[me]);
        int face = 4 + table.chance(2);
        Cubes drawn, heap;
        draw(face, drawn);
        if (drawn.count() < face) return drawn.move_all(screen[me]);
        if (face == 4) {
            int first = pick_from(table, drawn.present());
            drawn.of[first]--;
            screen[me].of[first]++;
            pick_cubes(drawn, screen[host], 2, 2);
            return drawn.move_all(screen[me]);
        }
        pick_cubes(drawn, heap, 1, 2);
        bool smaller = table.yes();
        heap.move_all(screen[smaller ? me : host]);
        drawn.move_all(screen[smaller ? host : me]);
    }

    void turn_over(int island) {
        sepia[island] = !sepia[island];
        for (int i = 0; i < islands; i++)
            if (settled(i) && !sepia[i]) return;
        for (int i = 0; i < islands; i++) sepia[i] = i == island;
    }

    int payable(int me) const {
        const int *mine = screen[me].of;
        int piece = built[me], sum = 0;
        if (same_colour[piece]) return higher(mine[blue], higher(mine[orange], mine[violet]));
        for (int k = yellow; k <= violet; k++) sum += lower(mine[k], cost[piece][k]);
        return sum;
    }

    // Cubes for the next piece, colour by colour; governors make up for the rest.
    void build_dragon(int me) {
        int piece = built[me], need = price[piece] - tokens[me][governor], paid = 0;
        const int *mine = screen[me].of;
        int most[4], behind = 0;
        for (int k = yellow; k <= violet; k++) {
            most[k] = lower(mine[k], cost[piece][k] + (k == yellow ? 0 : same_colour[piece]));
            behind += most[k];
        }
        for (int k = yellow; k <= violet; k++) {
            int low = higher(0, cost[piece][k] - tokens[me][governor]), high = most[k];
            if (low == high) {  // settled from the start: not asked
                behind -= high;
                spend(me, k, high);
                paid += high;
                continue;
            }
            behind -= high;
            int n;
            if (same_colour[piece]) {
                // All of one colour: nothing, if another colour can do or none is needed, or enough.
                bool later = need <= 0;
                for (int j = k + 1; j <= violet; j++) later |= most[j] >= need;
                int least = higher(1, need), more = paid ? 0 : higher(0, high - least + 1);
                int choice = table.pick((paid || later) + more);
                n = paid || (later && choice == 0) ? 0 : least + choice - later;
            } else {
                low = higher(low, need - paid - behind);
                n = low + table.pick(high - low + 1);
            }
            spend(me, k, n);
            paid += n;
        }
        tokens[me][governor] -= price[piece] - paid;
        build_piece(me);
    }

    void exchange(int me) {
        const int *mine = screen[me].of;
        int sum = 0, behind = mine[blue] + mine[orange] + mine[violet];
        for (int k = blue; k <= violet; k++) {
            if (!mine[k]) continue;
            behind -= mine[k];
            int low = sum || behind ? 0 : 1;
            int n = low + table.pick(mine[k] - low + 1);
            spend(me, k, n);
            sum += n;
        }
        compensate(me, sum);
    }

    void compensate(int me, int n) {
        int merchants = table.pick(n + 1);
        gain(me, merchant, merchants);
        gain(me, smuggler, n - merchants);
    }

    void flip_island(int me) {
        tokens[me][merchant]--;
        unsigned able = 0;
        for (int i = 0; i < islands; i++) able |= unsigned(settled(i)) << i;
        turn_over(pick_from(table, able));
    }

    void search_screens(int me) {
        tokens[me][smuggler]--;
        Cubes heap;
        for (int i = 1; i < players; i++) {
            Cubes &theirs = screen[(me + i) % players];
            int extra = theirs.count() - 4;
            if (extra > 0) pick_cubes(theirs, heap, extra, extra);
        }
        if (heap.count() && table.yes()) {
            int k = pick_from(table, heap.present());
            heap.of[k]--;
            screen[me].of[k]++;
        }
        heap.move_all(centre);
    }

    void dragon_bid(int me) {
        Cubes bids[players];
        int stake[players];
        for (int p = 0; p < players; p++) {
            bids[p].of[white] = screen[p].of[white];
            screen[p].of[white] = 0;
            pick_cubes(screen[p], bids[p], 0, screen[p].count());
            stake[p] = bids[p].count();
            bids[p].move_all(centre);
        }
        unsigned top = best_seats((1u << players) - 1, [&](int p) { return stake[p]; });
        if (bits(top) == 1) build_piece(lowest(top));
        if (over) return;
        for (int i = 0; i < players; i++) {
            int p = (me + i) % players;
            if (stake[p] && (bits(top) > 1 || !(top >> p & 1))) compensate(p, stake[p]);
        }
        centre.move_all(bag);
    }
};

inline Result playout(Table &table) { return Game(table).play(); }

}  // namespace ryu
