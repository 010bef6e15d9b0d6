"""What an editor asks, over whole games: every name is known, renaming changes nothing, half a text never raises."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from dragonrules.cli.main import cli
from dragonrules.grammar import Source, Word, syntax
from dragonrules.grammar.fixes import Fix, apply
from dragonrules.grammar.highlighting import COMPASS, CONSTANTS, TYPES, VALUES
from dragonrules.interpreter.check.functions import REDUCTIONS
from dragonrules.interpreter.check.index import Symbol
from dragonrules.interpreter.editing import asking, colours, completing, edits, outline
from dragonrules.interpreter.editing.structure import LABELS, NAMES, PATHS, parts
from dragonrules.interpreter.editing.workspace import Analysis, Workspace

GAMES = Path(__file__).parents[2] / "games"
FOUR = [GAMES / f"{name}.dragon" for name in ("drakon", "dragon_keeper", "ryu", "dragons_gold")]
REST = sorted(set(GAMES.rglob("*.dragon")) - {*FOUR})
SOME = [GAMES / "classics" / "connect_four.dragon", GAMES / "classics" / "leduc_poker.dragon"]
BUILT_IN = {*CONSTANTS, *TYPES, *VALUES, *COMPASS, *REDUCTIONS, "turn", "action", "round", "count"}
ATTRIBUTES = {"on", "space", "seat", "turned", "owner", "x", "y", "place"}
"""What every piece, player, tile or space has: no rule file declares it."""


def every(path: Path) -> Analysis:
    workspace = Workspace()
    workspace.open(path, path.read_text(encoding="utf-8"))
    return workspace.analysis(path)


def words(node: object, kind: str = "") -> list[tuple[str, Word]]:
    """All words of a tree, each with its class and field."""
    if not isinstance(node, syntax.Node):
        return []
    out = []
    for field, value in parts(node):
        if isinstance(value, Word):
            out.append((f"{type(node).__name__}.{field}", value))
        else:
            out += words(value)
    return out


NAMING = NAMES | LABELS | {
    "Name.text", "TypeName.text", "NamedType.name", "Attribute.name", "Binder.name", "VectorBinder.name", "Param.name",
    "Let.name", "Roll.name", "Rule.name", "Action.name", "Define.name", "Place.name", "State.name", "Option.name",
    "Kinds.name", "Trigger.name", "Ending.name", "Phase.name", "Step.name",
}  # fmt: skip


def functions() -> set[str]:
    from dragonrules.interpreter.check.built_ins import BUILTINS

    return {*BUILTINS}


def names_known(path: Path) -> int:
    """Each name of a file is declared there or means something that knows of it; how many there are."""
    analysis, count = every(path), 0
    for known in analysis.known:
        index = known.index
        declared = {(s.span.source.name, s.span.start) for s in index.symbols.values()}
        used = {(name, start): use for (name, start, _), use in index.uses.items()}
        for field, word in words(known.file):
            if word.span.source.name != str(path) or field not in NAMING:
                continue
            if str(word) in BUILT_IN | functions() or (field == "Attribute.name" and str(word) in ATTRIBUTES):
                continue
            place = (word.span.source.name, word.span.start)
            assert place in declared or place in used, (field, word, word.span.line)
            count += 1
            if place in used:
                meant = index.symbols.get(used[place].symbol)
                if meant is None:
                    assert used[place].symbol.partition(".")[0] in ("direction", "rotation", "seat_1"), word
                else:
                    assert used[place] in index.references(meant.id)
    return count


@pytest.mark.parametrize("path", [*FOUR, *REST[::8]], ids=lambda path: path.stem)
def test_every_name_is_known(path: Path) -> None:
    """The test that keeps the index complete."""
    assert names_known(path) > 0


@pytest.mark.long
@pytest.mark.parametrize("path", REST, ids=lambda path: path.stem)
def test_every_name_of_every_file_is_known(path: Path) -> None:
    assert names_known(path) > 0


def fresh(symbol: Symbol) -> str:
    return "Qzx" + symbol.name if symbol.name[0].isupper() else "qzx_" + symbol.name


def meanings(workspace: Workspace, path: Path) -> list[str]:
    """What the names of a file mean, in the order of the text."""
    index = workspace.analysis(path).known[0].index
    uses = sorted(index.uses.values(), key=lambda use: (use.span.source.name, use.span.start))
    return [use.symbol for use in uses]


def renamed(path: Path, limit: int | None) -> int:
    """Rename symbols one by one. Only names change, and each name of the new rules means what it meant before."""
    text = path.read_text(encoding="utf-8")
    workspace = Workspace()
    workspace.open(path, text)
    meant = meanings(workspace, path)
    symbols = [
        s for s in workspace.analysis(path).known[0].index.symbols.values() if s.span.source.name == str(path)
    ]
    symbols = [s for s in symbols if s.kind not in ("game", "scenario") and s.id not in ("score", "value")]
    step = max(1, len(symbols) // limit) if limit else 1
    done = 0
    for symbol in symbols[::step]:
        found = asking.rename(workspace, path, symbol.span.start, fresh(symbol))
        assert not isinstance(found, asking.Refused), (symbol, found)
        new = apply(Source(str(path), text), [Fix("", (edit,)) for edit in found])
        workspace.open(path, new)
        assert workspace.analysis(path).known[0].game is not None, symbol
        now = [name.replace(fresh(symbol), symbol.name) for name in meanings(workspace, path)]
        workspace.open(path, text)
        assert now == meant, symbol
        back = re.sub(rf"\b{fresh(symbol)}\b", symbol.name, new)
        assert back == text, symbol
        done += 1
    return done


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_a_new_name_gives_the_same_game(path: Path) -> None:
    assert renamed(path, 12) >= 8


COINS = """\
game "Coins" for 2 players
kinds Way: by_land, by_sea
token Coin: gold 30
place bank: bag of Coin, seen by all
setup: move all from box(Coin) to bank
each player has:
    place purse: bag of Coin, seen by all
phase Play:
    turns Round p:
        offer deed
action earn in deed:
    choose w in Way
    move 1 of gold from bank to my.purse
action rest in deed
ending rich for p in players when count(p.purse) >= 2: finish {p}
"""
SCENARIO = """\
scenario "two coins" for 2 players:
    when:
        player(1) chooses earn, by_sea
        player(2) chooses rest
        player(1) chooses earn, by_land
    then:
        check count(player(1).purse) = 2
"""


@pytest.mark.parametrize("name", ["earn", "by_sea", "purse"])
def test_scenarios_in_other_files_are_renamed_along(name: str, tmp_path: Path) -> None:
    game, scenarios = tmp_path / "coins.dragon", tmp_path / "coins_scenarios.dragon"
    game.write_text(COINS)
    scenarios.write_text(SCENARIO)
    workspace = Workspace([tmp_path])
    workspace.open(game, COINS)
    found = asking.rename(workspace, game, COINS.index(name), "something_else")
    assert isinstance(found, list)
    assert {edit.span.source.name for edit in found} == {str(game), str(scenarios)}
    for path, text in ((game, COINS), (scenarios, SCENARIO)):
        path.write_text(
            apply(
                Source(str(path), text),
                [Fix("", (edit,)) for edit in found if edit.span.source.name == str(path)],
            )
        )
        assert name not in path.read_text()
    done = CliRunner().invoke(cli, ["test", str(scenarios)])
    assert done.exit_code == 0 and "1 passed" in done.output, done.output


@pytest.mark.long
@pytest.mark.parametrize("path", [*FOUR, *SOME], ids=lambda path: path.stem)
def test_every_new_name_gives_the_same_game(path: Path) -> None:
    assert renamed(path, None) > 8


def ask_everything(workspace: Workspace, path: Path, offset: int) -> None:
    asking.hover(workspace, path, offset)
    asking.definition(workspace, path, offset)
    completing.completions(workspace, path, offset)
    asking.references(workspace, path, offset)
    asking.rename(workspace, path, offset, "fresh_name")


def cut_off(path: Path, step: int) -> None:
    text = path.read_text(encoding="utf-8")
    workspace = Workspace()
    workspace.open(path, text)
    workspace.analysis(path)
    for end in range(0, len(text), step):
        workspace.open(path, text[:end])
        workspace.quick(path)
        ask_everything(workspace, path, end)
        outline.symbols(workspace, path)
        outline.folding(workspace, path)
        outline.lenses(workspace, path)
        outline.links(workspace, path)
        colours.tokens(workspace, path)
        edits.formatted(workspace.analysis(path).source)


def test_half_a_text_never_raises() -> None:
    cut_off(SOME[0], 61)


@pytest.mark.long
@pytest.mark.parametrize("path", [*FOUR, *REST], ids=lambda path: path.stem)
def test_texts_cut_off_anywhere(path: Path) -> None:
    cut_off(path, 50)


def test_checking_in_spite_of_what_cannot_be_read(tmp_path: Path) -> None:
    """A broken declaration is told, its name is not called unknown, and slips elsewhere are still found."""
    path = tmp_path / "four.dragon"
    text = SOME[0].read_text(encoding="utf-8")
    broken = text.replace("define ", "define )", 1).replace("finish", "finsh", 1)
    name = re.search(r"define (\w+)", text)
    assert name is not None
    workspace = Workspace()
    workspace.open(path, broken)
    found = workspace.analysis(path)
    assert found.syntax
    assert not any(f"`{name[1]}` is not known" in d.message for d in found.meaning)


def test_a_variant_leads_into_its_base() -> None:
    path = GAMES / "variants" / "drakon_heroes.dragon"
    text = path.read_text(encoding="utf-8")
    workspace = Workspace([GAMES])
    workspace.open(path, text)
    ((span, base),) = outline.links(workspace, path)[:1]
    assert (span.text, base.name) == ("drakon", "drakon.dragon")
    offset = text.index("replace step") + len("replace step Rounds.")
    leads = [asking.definition(workspace, path, m.start(1)) for m in re.finditer(r"replace \w+ (\w+)", text)]
    assert offset and any(spans and spans[0].source.name.endswith("drakon.dragon") for spans in leads)


def test_names_of_the_wanted_sort_come_first(tmp_path: Path) -> None:
    """Of two kinds the values of the one that is compared, before locals and everything else."""
    text = COINS.replace("choose w in Way\n", "choose w in Way where w = \n")
    text = text.replace("kinds Way: by_land, by_sea", "kinds Way: by_land, by_sea\nkinds Hue: amber")
    workspace = Workspace()
    workspace.open(tmp_path / "coins.dragon", text.replace("where w = \n", "where w = by_sea\n"))
    workspace.analysis(tmp_path / "coins.dragon")
    workspace.open(tmp_path / "coins.dragon", text)
    found = completing.completions(workspace, tmp_path / "coins.dragon", text.index("w = ") + 4)
    assert [c.name for c in found][:2] == ["by_land", "by_sea"] and "amber" in {c.name for c in found[2:]}


def test_formatting_touches_only_what_changes() -> None:
    text = SOME[0].read_text(encoding="utf-8")
    lines = text.split("\n")
    number = next(n for n, line in enumerate(lines) if line.startswith("    ") and " = " in line)
    lines[number] = lines[number].replace(" = ", "  =  ", 1)
    found = edits.formatted(Source("x", "\n".join(lines)))
    assert found is not None and len(found) == 1
    assert found[0].text == text.split("\n")[number] + "\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_positions(encoding: str) -> None:
    pytest.importorskip("pygls")
    from dragonrules.cli.lsp.convert import Text

    text = 'game "Würfel 🎲🎲" for 2 players\nlook x: "🎲", short "é"\n'
    made = Text(text, encoding)
    for offset in range(len(text) + 1):
        assert made.offset(made.position(offset)) == offset
    dice = made.position(text.index("🎲") + 1).character - made.position(text.index("🎲")).character
    assert dice == {"utf-8": 4, "utf-16": 2, "utf-32": 1}[encoding]


def test_line_ends_and_marks(tmp_path: Path) -> None:
    path = tmp_path / "four.dragon"
    text = SOME[0].read_text(encoding="utf-8")
    workspace = Workspace()
    workspace.open(path, "\ufeff" + text.replace("\n", "\r\n"))
    found = workspace.analysis(path)
    assert not found.syntax and found.known[0].game is not None


def test_new_classes_of_the_tree_are_told_of() -> None:
    """A path of the tree that names something must be known to the editor."""
    classes = {cls.__name__ for cls in _all(syntax.Node)}
    told = {name.partition(".")[0] for name in NAMES | LABELS | PATHS}
    assert told <= classes


def _all(cls: type) -> list[type]:
    return [found for sub in cls.__subclasses__() for found in (sub, *_all(sub))]
