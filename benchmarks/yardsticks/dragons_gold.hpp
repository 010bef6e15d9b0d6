// Dragon's Gold for four players, 2011 edition: with the strategic division of hoards, or with negotiation.
#pragma once

#include "common.hpp"

namespace dragons_gold {

enum Treasure { silver, gold, red, blue, green, purple, yellow, white, black, kinds };
enum Role { knight_4, knight_3, thief, wizard };

constexpr int players = 4, dragons = 18, words = 12, most_traded = 3, majority = 12;
constexpr int minted[kinds] = {35, 20, 16, 12, 12, 12, 12, 6, 1};
constexpr int attack[4] = {4, 3, 2, 1};
constexpr int printed[dragons][3] = {  // strength, known, hidden
    {5, 3, 2}, {5, 5, 0}, {6, 3, 3}, {6, 6, 0}, {6, 1, 5}, {7, 4, 3}, {7, 5, 2}, {7, 2, 5}, {7, 7, 1},
    {8, 5, 3}, {8, 4, 4}, {8, 0, 9}, {8, 6, 1}, {9, 6, 3}, {9, 3, 6}, {9, 8, 1}, {10, 11, 0}, {10, 4, 5}};

struct Tokens {
    int8_t of[kinds] = {0};

    int count() const {
        int sum = 0;
        for (int n : of) sum += n;
        return sum;
    }
    unsigned present() const {
        unsigned found = 0;
        for (int k = 0; k < kinds; k++) found |= unsigned(of[k] > 0) << k;
        return found;
    }
    bool has(const Tokens &other) const {
        for (int k = 0; k < kinds; k++)
            if (of[k] < other.of[k]) return false;
        return true;
    }
    bool operator==(const Tokens &other) const {
        for (int k = 0; k < kinds; k++)
            if (of[k] != other.of[k]) return false;
        return true;
    }
    void add(const Tokens &other) {
        for (int k = 0; k < kinds; k++) of[k] = int8_t(of[k] + other.of[k]);
    }
    void take(const Tokens &other) {
        for (int k = 0; k < kinds; k++) of[k] = int8_t(of[k] - other.of[k]);
    }
};

struct Fighter {
    int8_t owner, role;
};

struct Dragon {
    int number;
    Tokens hoard;
    Fighter fighters[12];
    int size = 0;

    unsigned party() const {
        unsigned found = 0;
        for (int i = 0; i < size; i++) found |= 1u << fighters[i].owner;
        return found;
    }
    int force() const {
        int sum = 0;
        for (int i = 0; i < size; i++) sum += attack[fighters[i].role];
        return sum;
    }
    bool has_wizard(int p) const {
        for (int i = 0; i < size; i++)
            if (fighters[i].role == wizard && fighters[i].owner == p) return true;
        return false;
    }
};

struct Deal {
    int maker, taker;
    Tokens give, want;
    bool open;
};

inline int lower(int a, int b) { return a < b ? a : b; }
inline int higher(int a, int b) { return a > b ? a : b; }

template <bool strategic>
struct Game {
    Table &table;
    Tokens bag, screens[players];
    unsigned ready[players], spent[players] = {0};
    int deck[dragons], deck_size = dragons;
    Dragon lair[4];
    int lair_size = 0, lost_turns = 0, active = 0;

    explicit Game(Table &t) : table(t) {}

    // ------------------------------------------------------------ the course of the game
    Result play() {
        active = table.chance(players);
        for (unsigned &mine : ready) mine = 15;
        for (int k = 0; k < kinds; k++) bag.of[k] = int8_t(minted[k]);
        for (int i = 0; i < dragons; i++) deck[i] = i;
        for (int i = 0; i < 4; i++) reveal_dragon();
        for (; lair_size; active = (active + 1) % players) {
            if (lost_turns == players) return {richest(), "stalemate"};
            turn(active);
        }
        return {richest(), "the last dragon is dead"};
    }

    void turn(int me) {
        if (!ready[me]) ready[me] = spent[me], spent[me] = 0;
        if (!ready[me]) {
            lost_turns++;
            return;
        }
        int role = pick_from(table, ready[me]);
        int d = table.pick(lair_size);
        table.moves++;
        lost_turns = 0;
        ready[me] &= ~(1u << role);
        Dragon &dragon = lair[d];
        dragon.fighters[dragon.size++] = {int8_t(me), int8_t(role)};
        if (dragon.force() >= printed[dragon.number][0]) kill(d, me);
    }

    void reveal_dragon() {
        int i = table.chance(deck_size);
        Dragon &dragon = lair[lair_size++] = Dragon();
        dragon.number = deck[i];
        deck[i] = deck[--deck_size];
        draw(printed[dragon.number][1], bag, dragon.hoard);
    }

    void draw(int n, Tokens &from, Tokens &to) {
        for (int left = from.count(); n && left; n--, left--) {
            int i = table.chance(left), k = 0;
            while (i >= from.of[k]) i -= from.of[k++];
            from.of[k]--;
            to.of[k]++;
        }
    }

    void kill(int d, int killer) {
        Dragon &dragon = lair[d];
        draw(printed[dragon.number][2], bag, dragon.hoard);
        seize_reds(dragon);
        if (dragon.hoard.count()) share_out(dragon, killer);
        thefts(dragon);
        for (int i = 0; i < dragon.size; i++) spent[dragon.fighters[i].owner] |= 1u << dragon.fighters[i].role;
        lair[d] = lair[--lair_size];
        if (deck_size && bag.count()) {
            reveal_dragon();
            if (deck_size == 7) market();
        }
    }

    void seize_reds(Dragon &dragon) {
        int wizards = 0, owner = 0;
        for (int i = 0; i < dragon.size; i++)
            if (dragon.fighters[i].role == wizard) wizards++, owner = dragon.fighters[i].owner;
        if (wizards != 1) return;
        screens[owner].of[red] = int8_t(screens[owner].of[red] + dragon.hoard.of[red]);
        dragon.hoard.of[red] = 0;
    }

    void share_out(Dragon &dragon, int killer) {
        unsigned party = dragon.party();
        if (bits(party) == 1) screens[lowest(party)].add(dragon.hoard);
        else if (strategic) divide_and_choose(dragon, party);
        else talk(dragon, party, killer);
    }

    // ------------------------------------------------------------ divide and choose
    void divide_and_choose(const Dragon &dragon, unsigned party) {
        int order[players], force[players] = {0}, arrival[players], size = 0;
        for (int i = dragon.size - 1; i >= 0; i--) {
            force[dragon.fighters[i].owner] += attack[dragon.fighters[i].role];
            arrival[dragon.fighters[i].owner] = i;
        }
        for (unsigned left = party; left; left &= left - 1) {
            int p = lowest(left), at = size++;
            auto before = [&](int q) { return force[q] != force[p] ? force[q] > force[p] : arrival[q] < arrival[p]; };
            for (; at && !before(order[at - 1]); at--) order[at] = order[at - 1];
            order[at] = p;
        }
        Tokens heaps[players];
        make_heaps(dragon.hoard, heaps, size);
        unsigned left = (1u << size) - 1;
        for (int i = 0; i < size; i++) {
            int heap = pick_from(table, left);
            left &= ~(1u << heap);
            screens[order[i]].add(heaps[heap]);
        }
    }

    // Heaps are alike, so each is at most as large as the one before it, colour by colour. None is empty, unless there
    // are fewer tokens than heaps. A number is offered if the rest can still be made up.
    void make_heaps(const Tokens &hoard, Tokens *heaps, int size) {
        int colour[kinds], left[kinds], width = 0, tokens = 0;
        for (int k = 0; k < kinds; k++)
            if (hoard.of[k]) colour[width] = k, left[width++] = hoard.of[k], tokens += hoard.of[k];
        if (tokens < size) {
            table.asked += size * width;  // each token is a heap of its own: there is only one way
            for (int c = 0, heap = 0; c < width; c++)
                for (int i = 0; i < left[c]; i++) heaps[heap++].of[colour[c]] = 1;
            return;
        }
        int rows[players][kinds];
        for (int row = 0; row < size; row++) {
            int below = size - 1 - row;
            bool tied = row > 0;       // so far the same as the heap before it
            bool larger = false;       // so far so large that the heaps below fit under it, whatever comes
            bool some = false;
            for (int c = 0; c < width; c++) {
                int low = 0, high = lower(left[c], tokens - below);
                if (below == 0) {
                    low = high = left[c];
                } else if (left[c]) {
                    if (tied) high = lower(high, rows[row - 1][c]);
                    if (!larger) {
                        low = (left[c] + below) / (below + 1);
                        if (low < high && low * (below + 1) == left[c] &&
                            !fits_below(rows, row, c, low, left, width, below, tokens, tied, some))
                            low++;
                    }
                } else {
                    high = 0;
                }
                int n = low + table.pick(high - low + 1);
                if (tied && n < rows[row - 1][c]) tied = false;
                rows[row][c] = n;
                left[c] -= n;
                tokens -= n;
                some |= n > 0;
                larger |= left[c] < below * n;
                heaps[row].of[colour[c]] = int8_t(n);
            }
        }
    }

    // With `n` in column `c` and then as much as allowed: is the heap large enough for those below to fit under it?
    static bool fits_below(const int rows[][kinds], int row, int c, int n, const int *left, int width, int below,
                           int tokens, bool tied, bool some) {
        int spare = tokens - below - n;
        tied = tied && n == rows[row - 1][c];
        some |= n > 0;
        int verdict = left[c] - n - below * n;  // 0 here: equal so far
        for (int k = c + 1; k < width; k++) {
            int take = lower(left[k], spare);
            if (tied) {
                take = lower(take, rows[row - 1][k]);
                tied = take == rows[row - 1][k];
            }
            spare -= take;
            some |= take > 0;
            if (verdict == 0) verdict = left[k] - take - below * take;
        }
        return some && verdict <= 0;
    }

    // ------------------------------------------------------------ negotiation
    struct Plan {
        Tokens gets[players];
    };

    void talk(const Dragon &dragon, unsigned party, int killer) {
        Plan plans[words];
        int count = 0, backs[players] = {-1, -1, -1, -1}, given_up = 0;
        int p = killer;
        for (int word = 0; word < words; word++, p = (p + 1) % players) {
            while (!(party >> p & 1)) p = (p + 1) % players;
            int others = count - (backs[p] >= 0);
            int choice = table.pick(others ? 4 : 3);
            if (choice == 0) {
                Plan plan = propose(dragon.hoard, party);
                int at = 0;
                while (at < count && !same(plans[at], plan)) at++;
                if (at == count) plans[count++] = plan;
                backs[p] = at;
            } else if (choice == 3) {
                int i = table.pick(others);
                backs[p] = backs[p] >= 0 && i >= backs[p] ? i + 1 : i;
            } else if (choice == 2) {
                backs[p] = -1;
            }
            if (choice != 1) given_up = choice == 2 ? given_up | 1 << p : given_up & ~(1 << p);
            if (unsigned(given_up) == party) return;
            bool agreed = backs[p] >= 0;
            for (unsigned left = party; left; left &= left - 1) agreed &= backs[lowest(left)] == backs[p];
            if (!agreed) continue;
            for (unsigned left = party; left; left &= left - 1)
                screens[lowest(left)].add(plans[backs[p]].gets[lowest(left)]);
            return;
        }
    }

    static bool same(const Plan &one, const Plan &other) {
        for (int p = 0; p < players; p++)
            if (!(one.gets[p] == other.gets[p])) return false;
        return true;
    }

    Plan propose(const Tokens &hoard, unsigned party) {
        Plan plan;
        Tokens left = hoard;
        unsigned found = hoard.present();
        for (unsigned seats = party; seats; seats &= seats - 1) {
            bool last = !(seats & (seats - 1));
            for (unsigned colours = found; colours; colours &= colours - 1) {
                int k = lowest(colours), n = left.of[k];
                if (last) table.asked++;
                else n = table.pick(n + 1);
                plan.gets[lowest(seats)].of[k] = int8_t(n);
                left.of[k] = int8_t(left.of[k] - n);
            }
        }
        return plan;
    }

    // ------------------------------------------------------------ thieves
    void thefts(const Dragon &dragon) {
        unsigned party = dragon.party();
        for (int i = 0; i < dragon.size; i++) {
            if (dragon.fighters[i].role != thief) continue;
            int me = dragon.fighters[i].owner;
            unsigned victims = 0;
            for (unsigned left = party & ~(1u << me); left; left &= left - 1)
                if (screens[lowest(left)].count()) victims |= left & -left;
            if (!victims) continue;
            Tokens &theirs = screens[pick_from(table, victims)];
            if (dragon.has_wizard(me) && table.yes()) {
                int k = pick_from(table, theirs.present());
                theirs.of[k]--;
                screens[me].of[k]++;
            } else {
                draw(1, theirs, screens[me]);
            }
        }
    }

    // ------------------------------------------------------------ the market
    void market() {
        Deal deals[words];
        int count = 0, passes = 0;
        for (int word = 0; word < words; word++) {
            int me = (active + 1 + word) % players;
            unsigned mine = 0, for_me = 0;
            for (int i = 0; i < count; i++) {
                if (!deals[i].open) continue;
                if (deals[i].maker == me) mine |= 1u << i;
                if (deals[i].taker == me && screens[me].has(deals[i].want)) for_me |= 1u << i;
            }
            bool able[5] = {true, true, screens[me].count() > 0, for_me != 0, mine != 0};
            unsigned actions = 0;
            for (int i = 0; i < 5; i++) actions |= unsigned(able[i]) << i;
            int action = pick_from(table, actions);  // show, pass, offer, accept, withdraw
            passes = action == 1 ? passes + 1 : 0;
            if (action == 2) {
                Deal deal = make_offer(me);
                int at = 0;
                while (at < count && !same(deals[at], deal)) at++;
                if (at == count) deals[count++] = deal;
            } else if (action == 3) {
                Deal &deal = deals[pick_from(table, for_me)];
                deal.open = false;
                if (screens[deal.maker].has(deal.give)) {
                    screens[deal.maker].take(deal.give);
                    screens[deal.maker].add(deal.want);
                    screens[me].take(deal.want);
                    screens[me].add(deal.give);
                }
            } else if (action == 4) {
                deals[pick_from(table, mine)].open = false;
            }
            if (passes == players) return;
        }
    }

    static bool same(const Deal &one, const Deal &other) {
        return one.open == other.open && one.maker == other.maker && one.taker == other.taker &&
               one.give == other.give && one.want == other.want;
    }

    Deal make_offer(int me) {
        int q = table.pick(players - 1);
        Deal deal = {me, q + (q >= me), {}, {}, true};
        Tokens limits;
        for (int k = 0; k < kinds; k++) limits.of[k] = int8_t(lower(most_traded, screens[me].of[k]));
        deal.give = some(limits);
        for (int k = 0; k < kinds; k++) limits.of[k] = deal.give.of[k] ? 0 : most_traded;
        deal.want = some(limits);
        return deal;
    }

    // One to three tokens, colour by colour.
    Tokens some(const Tokens &limits) {
        Tokens taken;
        int sum = 0;
        for (unsigned left = limits.present(); left; left &= left - 1) {
            int k = lowest(left), most = lower(limits.of[k], most_traded - sum);
            int least = !(left & (left - 1)) && !sum ? 1 : 0;
            int n = least + table.pick(most - least + 1);
            taken.of[k] = int8_t(n);
            sum += n;
        }
        return taken;
    }

    // ------------------------------------------------------------ points
    unsigned richest() const {
        int points[players];
        for (int p = 0; p < players; p++) {
            const int8_t *mine = screens[p].of;
            points[p] = mine[silver] + 3 * mine[gold] + mine[red] + 7 * mine[black];
        }
        for (int gem : {blue, green, purple, yellow, white}) {
            unsigned owners = 0;
            for (int p = 0; p < players; p++) owners |= unsigned(screens[p].of[gem] > 0) << p;
            unsigned leaders = best_seats(owners, [&](int p) { return int(screens[p].of[gem]); });
            for (; leaders; leaders &= leaders - 1) points[lowest(leaders)] += majority;
        }
        return best_seats((1u << players) - 1, [&](int p) { return points[p]; });
    }
};

template <bool strategic>
Result playout(Table &table) {
    return Game<strategic>(table).play();
}

}  // namespace dragons_gold
