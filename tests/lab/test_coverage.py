"""Coverage: what counts, that counting changes nothing, that counts add up, and how they are told."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from random import Random

import dragonrules as dr
import pytest
from dragonrules.interpreter.lab import coverage_reports as reports
from dragonrules.interpreter.play.coverage import Coverage, Question
from dragonrules.interpreter.play.scenarios import run_scenario

SPEC = """\
game "Fair" for 2 to 3 players

kinds Colour: red, blue, black

token Coin: gold 9
state colour: Colour = red
state round_number: 0..99 = 0

place pile: bag of Coin, seen by all
each player has:
    place purse: bag of Coin, seen by all

setup:
    move all from box(Coin) to pile

phase Play:
    turns Round p:
        change round_number by 1
        offer fair

action take in fair:
    require pile != {}
    choose n in 1..3 where n <= 2
    move n of gold from pile to my.purse

action paint in fair:
    choose c in Colour where c != black
    set colour = c
    if colour = red: celebrate()
    else: nothing

action burn in fair:
    require round_number > 90
    forgotten()

rule celebrate():
    let bonus = worth(colour)
    if bonus > 5: forgotten()

rule forgotten():
    set round_number = 0

define worth(c: Colour) = 2 if c = red else 7
define unused(c: Colour) = c = blue
define limit = 4

trigger echo after paint:
    set round_number = round_number

trigger silence after burn:
    nothing

ending enough when count(pile) < limit: finish players

scenario "painting":
    when:
        player(1) chooses paint, red
    then:
        check colour = red
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> dr.Game:
    path = tmp_path_factory.mktemp("coverage") / "fair.dragon"
    path.write_text(SPEC, encoding="utf-8")
    return dr.load(path)


def line_of(text: str) -> int:
    return next(n for n, line in enumerate(SPEC.splitlines(), start=1) if line.strip().startswith(text))


def played(game: dr.Game, players: int, seeds: range) -> Coverage:
    engine = game.engine(players, covered=True)
    for seed in seeds:
        random = Random(seed)
        state = engine.new(seed)
        for _ in range(60):
            if state.over:
                break
            state.apply(random.randrange(len(state.options)))
    return Coverage.of(engine, reset=True)


# ---------------------------------------------------------------- counting
def test_counting_changes_nothing() -> None:
    for name, players in (("drakon", 3), ("dragons_gold", 3)):
        rules = dr.load(name)
        bare, covered = rules.engine(players), rules.engine(players, covered=True)
        assert bare.shape == covered.shape, name
        states = [engine.new(11) for engine in (bare, covered)]
        random = Random(1)
        for _ in range(150):
            assert states[0].key() == states[1].key(), name
            if states[0].over:
                break
            pick = random.randrange(len(states[0].options))
            for state in states:
                state.apply(pick)
        assert "HITS" not in bare.generated.source
        assert bare.counts is None


def test_lines_branches_and_rules(game: dr.Game) -> None:
    coverage = played(game, 2, range(30))
    (file,) = coverage.files
    lines = coverage.lines(file)
    declared = {d.name: d for d in coverage.declarations()}
    assert declared["setup"].runs == 30
    assert declared["take"].taken == declared["take"].runs > 0
    assert declared["take"].offered is not None
    assert declared["take"].offered >= declared["take"].runs
    assert (declared["burn"].runs, declared["burn"].offered) == (0, 0)
    assert declared["echo"].runs == declared["paint"].runs
    assert (declared["silence"].runs, declared["unused"].runs, declared["forgotten"].runs) == (0, 0, 0)
    assert "limit" not in declared  # a constant is data
    assert lines[line_of("require round_number")].state == "missed"
    assert lines[line_of("if bonus")].missed == ("the condition never held", "never reached `forgotten()`")
    assert lines[line_of("define worth")].missed == ("never the value `7`",)
    assert lines[line_of("set colour")].hits == declared["paint"].runs
    assert declared["worth"].runs > 0 and declared["enough"].runs > 0


def test_options_never_offered_and_never_chosen(game: dr.Game) -> None:
    coverage = played(game, 2, range(20))
    never = {q.name: words for q, words in coverage.never_offered()}
    assert never == {"fair": ("burn",), "n": ("3",), "c": ("black",)}
    engine = game.engine(2, covered=True)
    state = engine.new(0)
    for _ in range(5):
        state.step(state.options[0])
    words = {q.name: words for q, words in Coverage.of(engine, reset=True).never_taken()}
    assert words["fair"] == ("paint",)
    assert words["n"] == ("2",)


def test_a_definition_counts_however_it_is_compiled(tmp_path: Path) -> None:
    """Small ones are written in place, large ones are functions, some could be tables."""
    big = " + ".join(f"({n} if p.seat = {n} else 0)" for n in range(1, 40))
    path = tmp_path / "defs.dragon"
    path.write_text(
        'game "Defs" for 2 players\n\nstate total: 0..9999 = 0\n'
        "define small(p: player) = p.seat + total\n"
        "define table_like(n: 1..3) = n * n\n"
        f"define big(p: player) = {big}\n"
        "define domain = {q for q in players where q.seat > 0}\n"
        "define tested(q: player, n: 1..3) = q.seat + n > 1\n"
        "define opened_up(n: 1..3) = n + total >= 0\n\n"
        "phase Play:\n    turns Round p:\n"
        "        choose n in 1..3 where opened_up(n) and any(tested(q, n) for q in domain)\n"
        "        set total = small(me) + table_like(n) + big(me)\n"
        "        if total > 50: finish {me}\n"
    )
    rules = dr.load(path)
    coverage = played(rules, 2, range(3))
    runs = {d.name: d.runs for d in coverage.declarations() if d.kind == "define"}
    assert set(runs) == {"small", "table_like", "big", "domain", "tested", "opened_up"}
    assert all(runs.values()), runs


def test_thinking_does_not_count(game: dr.Game) -> None:
    engine = game.engine(2, covered=True)
    assert engine.counts is not None
    state = engine.new(0)
    before = Coverage.of(engine)
    with engine.counts.paused():
        twin = state.fork()
        for _ in range(5):
            twin.step(twin.options[0])
    assert Coverage.of(engine) == before
    state.step(state.options[0])
    assert Coverage.of(engine, reset=True) != before


def test_every_match_counts_its_set_up(game: dr.Game) -> None:
    match = game.start(2, covered=True)
    engine = match.state.engine
    Coverage.of(engine, reset=True)
    game.start(2, covered=True)
    game.start(2, covered=True)
    assert {d.name: d.runs for d in Coverage.of(engine, reset=True).declarations()}["setup"] == 2


def test_scenarios_count(game: dr.Game) -> None:
    (scenario,) = game.checked.scenarios
    first = run_scenario(game, 0, scenario, covered=True).coverage
    again = run_scenario(game, 0, scenario, covered=True).coverage
    assert first is not None and first == again
    runs = {d.name: d.runs for d in first.declarations()}
    assert (runs["paint"], runs["celebrate"], runs["take"]) == (1, 1, 0)
    assert run_scenario(game, 0, scenario).coverage is None


# ---------------------------------------------------------------- as data
def test_parts_add_up_to_the_whole(game: dr.Game) -> None:
    whole = played(game, 2, range(12))
    parts = [played(game, 2, range(n, n + 4)) for n in (0, 4, 8)]
    total = Coverage()
    for part in parts:
        total.add(Coverage.from_data(json.loads(json.dumps(part.to_data()))))
    assert total == whole
    assert total.to_data() == whole.to_data()
    assert whole - parts[0] == parts[1] + parts[2]


def test_other_numbers_of_players_add_up_too(game: dr.Game) -> None:
    both = played(game, 2, range(4)) + played(game, 3, range(4))
    assert {d.name: d.runs for d in both.declarations()}["setup"] == 8
    assert sum(isinstance(q, Question) for q in both.answers) == 3


def test_a_covered_engine_survives_the_cache(game: dr.Game) -> None:
    engine = game.engine(2, covered=True)
    twin = pickle.loads(pickle.dumps(engine))
    state = twin.new(0)
    state.step(state.options[0])
    counted = Coverage.of(twin)
    assert sum(counted.hits.values()) > 0
    assert counted.hits.keys() == Coverage.of(engine).hits.keys()


def test_a_bare_engine_has_nothing_to_tell(game: dr.Game) -> None:
    with pytest.raises(ValueError, match="covered=True"):
        Coverage.of(game.engine(2))


# ---------------------------------------------------------------- reports
def test_text(game: dr.Game) -> None:
    told = reports.text(played(game, 2, range(20)))
    head, row, *rest = told.splitlines()
    assert head.split() == ["lines", "branches", "rules", "lines", "missed"]
    lines, percent = row.split()[1:3]
    assert 0 < int(percent) < 100
    assert "/" in lines
    missed = "\n".join(rest)
    assert "rule forgotten" in missed
    assert "burn" in missed.split("never offered:")[1]
    assert reports.text(Coverage()).split() == head.split()


def test_lcov(game: dr.Game) -> None:
    coverage = played(game, 2, range(20))
    records = [line.partition(":") for line in reports.lcov(coverage).splitlines()]
    of = {key: [value for k, _, value in records if k == key] for key, _, _ in records}
    assert of["SF"] == list(coverage.files)
    assert len(of["FN"]) == len(of["FNDA"]) == int(of["FNF"][0])
    assert sum(not value.startswith("0,") for value in of["FNDA"]) == int(of["FNH"][0])
    assert sum(not value.endswith(",0") for value in of["DA"]) == int(of["LH"][0]) < int(of["LF"][0])
    taken = [value.split(",")[3] for value in of["BRDA"]]
    assert len(taken) == int(of["BRF"][0])
    assert sum(value not in ("0", "-") for value in taken) == int(of["BRH"][0])
    assert "-" in taken or "0" in taken
    assert records[-1][0] == "end_of_record"


def test_html(game: dr.Game) -> None:
    coverage = played(game, 2, range(20))
    page = reports.html(coverage, reports.sources_of(game.checked))
    assert page.startswith("<!doctype html>")
    assert page.count('class="missed"') == sum(
        line.state == "missed" for file in coverage.files for line in coverage.lines(file).values()
    )
    assert "move n of gold from pile to my.purse" in page
    assert "the condition never held" in page
    assert "<script>alert" not in reports.html(coverage, {coverage.files[0]: "<script>alert(1)</script>"})
