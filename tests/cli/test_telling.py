"""Events as sentences, and views as a drawn table."""

from __future__ import annotations

import re
from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.cli.commands.replay import Tale
from dragonrules.cli.table.session import Session
from dragonrules.cli.table.tabletop import Tabletop
from dragonrules.interpreter.play.replay import Replay
from dragonrules.interpreter.table.narrate import Chronicle, Narrator, result
from dragonrules.interpreter.table.words import Words

from .command import dragonrules, written
from .paper import Paper, played

TILES = """\
game "Tiles" for 2 players

kinds Effect: stairs, coin_found
component Tile:
    effect: Effect
    arrows: set of direction
rows Tile:
    | effect     | arrows |
    | stairs     | N E    |
    | coin_found | S      |
look Tile: "{effect} {arrows}"

piece dragon on Tile
place lair: grid of Tile
place pile: bag of Tile
each player has:
    state score_so_far: 0..9 = 0

setup:
    move all from box(Tile) to pile
    for t in Tile where t.effect = stairs:
        move t to lair at space_at(lair, 0, 0) turned r90
        move dragon to t

phase Play:
    turns Round p:
        choose "where to" t in pile, s in frontier(lair) else finish {me}
        move t to lair at s
        set my.score_so_far = 4
"""


def of(spec: str | Path) -> tuple[dr.Match, Words]:
    match = dr.load(spec).start(seed=1)
    return match, Words(match.state.engine)


def test_a_lair_is_drawn_as_tiles_with_their_exits_turned(tmp_path: Path) -> None:
    match, words = of(written(tmp_path, tiles=TILES))
    drawn = [line.plain for line in Tabletop(words).lines(match.view(1), 80)]
    assert drawn[:6] == [
        "  +-------------+",
        "  |   stairs    |",
        "0 |             >",
        "  |   dragon    |",
        "  +------v------+",
        "         0",
    ]
    assert "pile coin found S" in drawn[-1]
    assert "Player 2 score so far 0" in drawn


def test_sealed_choices_are_told_once() -> None:
    match, words = of("goofspiel")
    chronicle, narrator = Chronicle(2), Narrator(words)
    chronicle.news(match, 1)
    match.choose(0)
    first = narrator.sentences(chronicle.news(match, 1))
    match.choose(1)
    second = narrator.sentences(chronicle.news(match, 2))
    assert first == ["Player 1: Card clubs 1 goes to player 1's bid."]
    assert second[0] == "Player 2: Card spades 2 goes to player 2's bid."
    assert not any("clubs 1" in sentence and "Player 1:" in sentence for sentence in second)


def test_together_the_seats_know_every_card_and_alone_only_their_own() -> None:
    match, words = of("kuhn_poker")
    narrator = Narrator(words)
    everything = narrator.sentences(Chronicle(2).news(match, 1))
    own = narrator.sentences(Chronicle(2).news_for(match, 1))
    assert not any(sentence.startswith("A card ") for sentence in everything)
    assert sum(sentence.startswith("A card ") for sentence in own) == 1


@pytest.mark.parametrize(
    ("winners", "reason", "text"),
    [
        ([2], None, "Player 2 wins."),
        ([3, 1], "worn_out", "Players 1 and 3 win together: worn out."),
        ([], None, "Nobody wins."),
    ],
)
def test_results(winners: list[int], reason: str | None, text: str) -> None:
    assert result(winners, reason) == text


@pytest.mark.parametrize(
    "game", ["kuhn_poker", "leduc_poker", "goofspiel", "othello", "liars_dice", "breakthrough"]
)
def test_every_view_of_a_whole_match_can_be_drawn_and_told(game: str) -> None:
    match, words = of(game)
    tabletop, narrator = Tabletop(words), Narrator(words)
    while not match.over:
        seat = match.state.player + 1
        assert tabletop.lines(match.view(seat), 60)
        assert words.question(match.decision) if match.decision else True
        match.choose(len(match.log) % len(match.state.options))
    sentences = narrator.sentences(match.observations(1))
    assert not [s for s in sentences if s.startswith("(") or "#" in s]


PARTS = """\
game "Parts" for 2 players
token Gem: ruby 5, pearl 4
place heap: bag of Gem
each player has: place purse: bag of Gem
setup: move all from box(Gem) to heap
phase Play:
    as player(1):
        choose a[k in Gem] in 0..2, q in players where sum(a[j] for j in Gem) = 1 and a[ruby] >= 1 and q != me
        for k in Gem: move a[k] of k from heap to q.purse
    finish {player(1)}
"""


def test_parts_of_a_choice_are_told_once_and_only_when_it_is_whole(tmp_path: Path) -> None:
    spec = written(tmp_path, parts=PARTS)
    told = dragonrules("run", spec, "--auto", "--seed", "1").output.splitlines()
    assert [line.strip() for line in told if "Player 1:" in line] == ["Player 1: 1, 0, player 2."]


SECRETS = """\
game "Secrets" for 2 players
component Card count 3
place deck: deck of Card, seen by nobody
each player has:
    place hand: bag of Card, seen by nobody
    state luck: 0..3 = 2, seen by owner
setup:
    move all from box(Card) to deck
    draw 1 from deck to player(1).hand
phase Play:
    show player(1).hand to player(2) secretly
    peek 1 of deck to player(2) secretly
    reveal player(1).luck to player(2) secretly
"""


def test_what_is_shown_in_secret_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "secrets.dragon"
    path.write_text(SECRETS, encoding="utf-8")
    match, words = of(path)
    told = [
        [s for s in Narrator(words).sentences(match.observations(seat)) if "secret" in s] for seat in (1, 2)
    ]
    assert told[0] == []
    assert [sentence.partition(": Card")[0] for sentence in told[1]] == [
        "In secret, player 1's hand is shown",
        "In secret, on top of deck",
        "In secret, player 1: luck 2.",
    ]
    assert [s for s in Narrator(words).sentences(Chronicle(2).news(match, 1)) if "secret" in s] == told[1]


TURNING = """\
game "Turning" for 2 players

component Tile:
    name: 1..2
    arrows: set of direction
rows Tile:
    | name | arrows |
    | 1    | N E    |
    | 2    | S      |
look Tile: "tile {name} {arrows}"

place lair: grid 2 by 1 of Tile
piece pawn on lair
place pile: bag of Tile

setup:
    move all from box(Tile) to pile
    for t in Tile where t.name = 1:
        move t to lair at space_at(lair, 1, 1)

phase Play:
    turns Round p:
        offer act

action turn_it in act:
    choose t in lair, r in {r90, r180}
    move t to lair at space_at(lair, 1, 1) turned r

action walk in act:
    choose s in spaces(lair)
    move pawn to s

action lay in act:
    choose t in pile
    require count(lair) = 1 because "it is full"
    move t to lair at space_at(lair, 2, 1)
"""
PLAYED = (
    ("turn_it", "Tile#1", "r90"),
    ("walk", (2, 1)),
    ("lay", "Tile#2"),
    ("walk", (1, 1)),
    ("turn_it", "Tile#1", "r180"),
    ("walk", (2, 1)),
)


def turning(tmp_path: Path) -> dr.Match:
    match = dr.load(written(tmp_path, turning=TURNING)).start(seed=1)
    for action in PLAYED:
        for wanted in action:
            assert match.decision is not None
            match.choose(next(o for o in match.decision.options if o.key[-1] == wanted))
    return match


def test_the_log_tells_a_tile_as_it_lay_when_it_happened(tmp_path: Path) -> None:
    match = turning(tmp_path)
    save = tmp_path / "turning.json"
    match.save(save)
    told = dragonrules("replay", save).stdout
    laid = [line.strip() for line in told.splitlines() if "lair" in line or "stands" in line]
    assert laid == [
        "Tile 1 N E goes from pile to lair a1.",
        "Tile 1 E S goes to lair a1.",
        "Pawn stands on b1.",  # nothing lay there yet
        "Tile 2 S goes from pile to lair b1.",
        "Pawn stands on a1 (tile 1 E S).",
        "Tile 1 S W goes to lair a1.",
        "Pawn stands on b1 (tile 2 S).",
    ]
    own = dragonrules("replay", save, "--seat", 1).stdout
    assert [line.strip() for line in own.splitlines() if "lair" in line or "stands" in line] == laid
    session = Session(match, [None, None], Paper())
    session.words.view = match.view(1)
    session.looking = 1
    news = [" ".join(line.plain for line in entry) for entry in session.news(1, 200)]
    assert "tile 1 →↓ ⇒ lair a1" in news[0]
    assert "pawn ⇒ b1" in news[1] and "tile" not in news[1]
    assert "pawn ⇒ a1 (tile 1 →↓)" in news[3]


def test_each_step_can_be_told_by_itself(tmp_path: Path) -> None:
    """Also in the middle of a choice of several parts, which others notice as a whole."""
    match = turning(tmp_path)
    replay = Replay(match.game, 2, 1, match.log)
    assert any(replay.at(step).state.held for step in range(replay.steps + 1))
    tale = Tale(replay, None)
    each = [sentence for step in range(replay.steps + 1) for sentence in tale.of_step(step)]
    together = tale.up_to(replay.steps)
    assert [done for s in each if (done := _done(s))] == [done for s in together if (done := _done(s))]


def _done(sentence: str) -> str | None:
    """What comes of a choice, without the choice that is told in front of it: several steps share one."""
    found = re.search(r"(pawn|tile .*?) (stands on|goes).*? (\w+)\.$", sentence, re.IGNORECASE)
    return f"{found[1]} {found[3]}".lower() if found is not None else None


# ---------------------------------------------------------------- one line for one happening
MARKET = """\
game "Market" for 2 players
token Fruit: apple 9, pear 9
component Stall:
    owner: 1..2
    price: 1..3
rows Stall:
    | owner | price |
    | 1..2  | 1..3  |
record Deal at most 9:
    maker: player
    taker: player
    give[Fruit]: 0..9
record Share at most 9:
    gets[player][Fruit]: 0..9
place street: row of Stall
place tray: bag of Fruit
place lost: bag of Stall
each player has:
    place stalls: bag of Stall, seen by all
    place basket: bag of Fruit, seen by all
setup:
    for s in Stall, p in players where p.seat = s.owner: move s to p.stalls
    for p in players: move 3 of apple from box(Fruit) to p.basket
phase Play:
    turns Day p:
        choose s in my.stalls
        move s to street
        offer deed
        move 1 of apple from my.basket to tray
        move 1 of apple from tray to left(me).basket
        move s to lost
action trade in deed:
    choose give[k in Fruit] in 0..my.basket[k] where sum(give[f] for f in Fruit) = 2
    note Deal(maker: me, taker: left(me), give: give)
action split in deed:
    choose n[q in players, k in {apple}] in 0..2 where sum(n[p, apple] for p in players) = 2
    note Share(gets: n)
look Stall: "player {owner}'s stall {price}"
look lost: hidden
look Deal: "{maker} offers {taker} {give}"
look Share: "{gets}"
"""


def test_a_choice_and_what_comes_of_it_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / "market.dragon"
    path.write_text(MARKET, encoding="utf-8")
    match = dr.load(path).start(2, seed=1)
    chronicle, narrator = Chronicle(2), Narrator(Words.of(match))
    narrator.words.you = 1
    chronicle.news_for(match, 1)
    for wanted in ("player 1's stall 1", "trade", "2"):
        option = next(o for o in match.decision.options if o.label == wanted)
        match.choose(option.index)
    assert narrator.sentences(chronicle.news_for(match, 1))[:-1] == [
        "You: player 1's stall 1 goes to street.",
        "You offer player 2 2 apple (Deal 1).",
        "1 apple goes from your basket to player 2's basket.",
        "Player 1's stall 1 leaves street.",
    ]
    for wanted in ("player 2's stall 3", "split", "2", "0"):
        option = next(o for o in match.decision.options if o.label == wanted)
        match.choose(option.index)
    assert narrator.sentences(chronicle.news_for(match, 1))[:2] == [
        "Player 2: player 2's stall 3 goes to street.",
        "Player 2: split: 2 apple for you (Share 1).",
    ]


def test_the_words_of_a_row_name_its_fields(tmp_path: Path) -> None:
    path = tmp_path / "market.dragon"
    path.write_text(MARKET.replace("offers {taker}", "offers {takr}"), encoding="utf-8")
    with pytest.raises(dr.SpecError, match="a Deal has no `takr`"):
        dr.load(path)


# ---------------------------------------------------------------- menus that leave no choice
NO_CHOICE = """\
game "No choice" for 2 players

token Coin: gold 3
place pile: bag of Coin
each player has:
    place purse: bag of Coin

setup:
    move all from box(Coin) to pile

phase Play:
    turns Round p: offer act

action take in act:
    require count(pile) > 0 because "the pile is empty"
    move 1 of gold from pile to my.purse

action give in act:
    require count(my.purse) > 0 because "there is nothing to give"
    move 1 of gold from my.purse to pile

ending done when count(pile) = 0: finish {active}
"""


def test_what_was_not_chosen_is_not_told_as_a_choice(tmp_path: Path) -> None:
    game, save = written(tmp_path, no_choice=NO_CHOICE), tmp_path / "m.json"
    told = dragonrules("run", game, "--auto", "--seed", 4, "--save", save).stdout.splitlines()
    forced = "  Player 1: take (not possible: give)."
    assert told[told.index("Player 1's turn.") + 1] == forced
    rounds = [line for line in told if line.startswith("  Player 1:")]
    assert "  Player 1: take." in rounds or "  Player 1: give." in rounds
    assert forced in dragonrules("replay", save).stdout.splitlines()
    assert forced in dragonrules("replay", save, "--seat", 1).stdout.splitlines()
    others = dragonrules("replay", save, "--seat", 2).stdout.splitlines()
    assert "  Player 1: take." in others and forced not in others


def test_a_log_at_the_table_says_what_was_forced(tmp_path: Path) -> None:
    game = written(tmp_path, no_choice=NO_CHOICE)
    people = ("--seat", "human", "--seat", "human")
    shown = dragonrules("run", game, *people, input="give\nlog\nquit\n").stdout
    log = shown.partition("> log")[2]
    assert "  You: take (not possible: give)." in log or "  Player 1: take (not possible: give)." in log
    assert "Player 1: give." in log or "You: give." in log


def test_what_was_taken_back_and_chosen_is_no_longer_forced(tmp_path: Path) -> None:
    session = Session(
        dr.load(written(tmp_path, no_choice=NO_CHOICE)).start(seed=1), [None, None], Paper(["give"])
    )
    played(session)
    forced = [event for event in session.noticed(1) if event[0] == "forced"]
    assert [event[3:] for event in forced] == [(("offer", "take"), ("give",))]
    assert not [event for event in session.match.observations(1) if event[0] == "forced"]


MARKS = """\
game "Marks" for 2 players
token Man: man 1
kinds Edge: inner_edge, outer_edge
component Card:
    v: 1..2
rows Card:
    | v    |
    | 1..2 |
look Card: "card {v}"
place board: grid 2 by 2 of Man
place yard: grid 2 by 2 of Man
place pile[Edge][1..2]: bag of Card
state mark[space of board][direction]: yes/no = no
state kept[Card][Edge]: 0..9 = 0
each player has: state at[space of yard]: 0..9 = 0
setup: move all from box(Card) to pile[outer_edge][2]
phase Play:
    set mark[space_at(board, 2, 1)][E] = yes
    finish {}
"""


def test_indices_are_told_one_by_one_and_spaces_as_on_the_board(tmp_path: Path) -> None:
    _, words = of(written(tmp_path, marks=MARKS))
    said = {
        "mark[2, 1][E]": "mark b1 E",
        "kept[Card#2][inner_edge]": "card 2 inner edge kept",
        "pile[outer_edge][2]": "outer edge 2 pile",
        "player 1: at[1, 2]": "player 1's at a2",
    }
    assert {label: words.place(label) for label in said} == said
