// Random games, written by hand for each game alone: how fast could they be?
//
//     g++ -O3 -march=native -std=c++17 yardsticks.cpp -o yardsticks
//     ./yardsticks GAME 0.5s SEED       for so many seconds of CPU time
//     ./yardsticks GAME 2000 SEED       so many games
//
// It prints one line of JSON: games, moves, choices asked, those with more than one option, the squares of a game's
// choices, CPU seconds, how often each seat won and how often each ending came. Without a game, the names.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>

#include "classics.hpp"
#include "dragon_keeper.hpp"
#include "dragons_gold.hpp"
#include "drakon.hpp"
#include "ryu.hpp"

struct Named {
    const char *name;
    Result (*playout)(Table &);
};

static const Named games[] = {
    {"tic_tac_toe", classics::tic_tac_toe},
    {"connect_four", classics::connect_four},
    {"breakthrough", classics::breakthrough<false>},
    {"breakthrough_whole", classics::breakthrough<true>},
    {"othello", classics::othello},
    {"kuhn_poker", classics::kuhn_poker},
    {"leduc_poker", classics::leduc_poker},
    {"goofspiel", classics::goofspiel},
    {"liars_dice", classics::liars_dice<false>},
    {"liars_dice_whole", classics::liars_dice<true>},
    {"drakon", drakon::playout},
    {"dragon_keeper", dragon_keeper::playout},
    {"ryu", ryu::playout},
    {"dragons_gold_strategic", dragons_gold::playout<true>},
    {"dragons_gold", dragons_gold::playout<false>},
};

static double cpu_seconds() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

int main(int argc, char **argv) {
    if (argc != 4) {
        for (const Named &game : games) std::puts(game.name);
        return argc == 1 ? 0 : 2;
    }
    for (const Named &game : games) {
        if (std::strcmp(game.name, argv[1])) continue;
        Table table{Luck{std::strtoull(argv[3], nullptr, 10)}};
        bool timed = std::strchr(argv[2], 's');
        double amount = std::atof(argv[2]), begin = cpu_seconds(), spent = 0;
        long played = 0, won[8] = {0};
        double squares = 0;
        std::map<const char *, long> endings;
        while (timed ? spent < amount : played < long(amount)) {
            for (int i = 0; i < 100; i++, played++) {
                long before = table.asked;
                Result result = game.playout(table);
                for (int seat = 0; seat < 8; seat++) won[seat] += result.winners >> seat & 1;
                endings[result.ending]++;
                double asked = double(table.asked - before);
                squares += asked * asked;
            }
            spent = cpu_seconds() - begin;
        }
        std::printf("{\"games\": %ld, \"moves\": %ld, \"asked\": %ld, \"open\": %ld, \"squares\": %.0f, \"cpu\": %.6f, ",
                    played, table.moves, table.asked, table.open, squares, spent);
        std::printf("\"won\": [");
        for (int seat = 0; seat < 8; seat++) std::printf("%s%ld", seat ? ", " : "", won[seat]);
        std::printf("], \"endings\": {");
        const char *comma = "";
        for (const auto &[ending, count] : endings) {
            std::printf("%s\"%s\": %ld", comma, ending, count);
            comma = ", ";
        }
        std::printf("}}\n");
        return 0;
    }
    std::fprintf(stderr, "no such game: %s\n", argv[1]);
    return 2;
}
