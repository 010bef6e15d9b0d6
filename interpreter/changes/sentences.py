"""Sentences for what has changed between two rule sets, as a player would tell another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from ...grammar import syntax
from ..files.sources import essence
from ..overlay.rows import column_of
from .differences import Pair, Part, differences, rows_of, share_kept

REWRITTEN = 0.35
"""What keeps less of its text than this is called rewritten."""
MOST_PARTS = 5
MOST_ROWS = 8
MOST_AROUND = 48
LONG = 90


_NOUNS = {"rows": "component", "define": "definition"}


# ---------------------------------------------------------------- names and texts
def plain(name: str) -> str:
    """`player.lost_turns` as it is said."""
    return name.replace("_", " ")


def title(part: Part) -> str:
    """What the sentence is about: `Trigger find a coin`."""
    word = _NOUNS.get(part.word, part.word)
    return f"{word[:1].upper()}{word[1:]} {plain(part.name)}".strip()


def text_of(node: Any) -> str:
    """The source of a part on one line, without cites and comments."""
    if node is None:
        return ""
    if not isinstance(node, syntax.Node):
        return str(node)
    lines = [re.sub(r"\s+#.*$", "", line).strip() for line in node.span.text.split("\n")]
    text = ""
    for line in lines:
        bare = re.sub(r"\s*\[[A-Z][A-Z0-9]*-?\d[^\]]*\]\s*$", "", line)
        is_open = sum((ch in "([{") - (ch in ")]}") for ch in text) > 0
        text += ("" if not text or not bare else " " if is_open or text.endswith(":") else "; ") + bare
    return re.sub(r"\s+", " ", text).replace("( ", "(").replace(" )", ")").strip()


def quoted(node: Any, limit: int = LONG) -> str:
    return short(text_of(node), limit)


def short(text: str, limit: int = LONG) -> str:
    return f"`{text}`" if len(text) <= limit else f"`{text[: limit - 4].rstrip()} ...`"


# ---------------------------------------------------------------- added and removed
def added(part: Part) -> list[str]:
    node = part.node
    doc = doc_of(node)
    about = f" {doc}" if doc else ""
    match node:
        case syntax.Option():
            return [
                f"New option {plain(part.name)}: {text_of(node.type)}, {text_of(node.default)} if nothing is set.{about}"
            ]
        case syntax.Demand():
            return [f"New requirement: {quoted(node.condition)}{_because(node)}."]
        case syntax.Action(menu=menu):
            where = f" (among {plain(str(menu))})" if menu is not None else ""
            return [f"New action {plain(part.name)}{where}:{about or ' ' + short(_body(node)) + '.'}"]
        case syntax.Trigger():
            return [
                f"New trigger {plain(part.name)}, {header_of(node)}:{about or ' ' + short(_body(node)) + '.'}"
            ]
        case syntax.Rule() | syntax.Phase():
            return [f"New {part.word} {plain(part.name)}:{about or ' ' + short(_body(node)) + '.'}"]
        case syntax.Ending():
            return [f"New ending {plain(part.name)}: when {quoted(node.when)}.{about}"]
        case syntax.Define(value=value):
            return [f"New definition {plain(part.name)}: {quoted(value)}.{about}"]
        case syntax.Always(condition=condition) | syntax.Never(condition=condition):
            return [f"New check, {part.word} {plain(part.name)}: {quoted(condition)}."]
        case syntax.Rows():
            return [f"{title(part)}: {_rows_told(rows_of([node]))}."]
        case syntax.Place() | syntax.State() | syntax.Piece():
            told = re.sub(rf"^{part.word}\s+[\w.]+\s*:?\s*", "", text_of(node)).split(' "')[0].rstrip(";")
            joint = "" if told.startswith("[") else ", " if part.word != "piece" else " "
            return [f"New {part.word} {_owned(part)}{joint}{told}.{about}"]
        case syntax.Token(items=items):
            return [f"New tokens {part.name}: {', '.join(text_of(i) for i in items)}.{about}"]
        case syntax.Kinds(values=values):
            return [f"New kinds {part.name}: {', '.join(map(plain, values))}."]
    return [f"New {part.word} {plain(part.name)}.{about}".replace("  ", " ")]


def removed(part: Part) -> list[str]:
    if isinstance(part.node, syntax.Demand):
        return [f"No longer required: {quoted(part.node.condition)}."]
    if part.word == "rows":
        return [f"{title(part)}: all its rows are gone."]
    return [f"No {_NOUNS.get(part.word, part.word)} {_owned(part)} any more."]


def _owned(part: Part) -> str:
    if not part.owner:
        return plain(part.name)
    return f"{plain(part.name.partition('.')[2])} of each {part.owner}"


def _because(node: Any) -> str:
    return f' because "{node.because}"' if getattr(node, "because", None) else ""


def _body(node: Any) -> str:
    """The statements of a rule on one line."""
    suite = node.body
    if not suite.span.text:
        return "nothing by itself"
    if isinstance(suite, syntax.Block):
        return "; ".join(text_of(stmt) for stmt in suite.body)
    return text_of(suite.body)


def doc_of(node: Any) -> str:
    doc = getattr(node, "doc", None) or getattr(getattr(node, "body", None), "doc", None)
    if isinstance(doc, syntax.WithDoc):
        doc = doc.doc
    return str(doc.text) if isinstance(doc, syntax.Doc) else ""


def header_of(trigger: syntax.Trigger) -> str:
    timing = {"TimingBefore": "before", "TimingInstead": "instead of", "TimingAfter": "after"}
    events = ", ".join(text_of(event) for event in trigger.events)
    where = f" where {text_of(trigger.where)}" if trigger.where is not None else ""
    return f"{timing[type(trigger.timing).__name__]} `{events}`{where and ' if ' + quoted(trigger.where, 60)}"


# ---------------------------------------------------------------- changed
def changed(old: list[Any], new: list[Any], part: Part) -> list[str]:
    """What became of a declaration. Most sorts have something better to say than `old` and `new`."""
    a, b = old[0], new[0]
    head = title(part)
    if isinstance(a, syntax.Rows):
        return [f"{head}: {words}." for words in _row_changes(rows_of(old), rows_of(new))]
    if type(a) is type(b):
        match a:
            case syntax.Game():
                return _game(a, b)
            case syntax.Option():
                return _option(a, b, head)
            case syntax.Token():
                return [f"{head}: {words}." for words in _items(a, b)]
            case syntax.Kinds():
                return [
                    f"{head}: {words}."
                    for words in _lists(list(map(plain, a.values)), list(map(plain, b.values)))
                ]
            case syntax.Table():
                return [f"{head}: {words}." for words in _table(a, b)] or [f"{head}: is another one."]
            case syntax.Place():
                told = _place(a, b)
                return [f"{head}: {words}." for words in told] or _general(a, b, head)
            case syntax.Define(value=value) | syntax.Score(value=value) | syntax.Value(value=value):
                if essence(a.params if isinstance(a, syntax.Define) else None) == essence(
                    b.params if isinstance(b, syntax.Define) else None
                ):
                    if _is_atom(value) or _is_atom(b.value):
                        return [f"{head}: {quoted(b.value, 120)} instead of {quoted(value, 120)}."]
    return _general(a, b, head)


def _is_atom(node: Any) -> bool:
    return isinstance(node, syntax.Number | syntax.Name | syntax.TypeName)


def _general(old: Any, new: Any, head: str) -> list[str]:
    pairs = differences(old, new)
    if len(pairs) <= MOST_PARTS and share_kept(old, new, pairs) >= REWRITTEN:
        ways_old, ways_new = _parents(old), _parents(new)
        told = [_told(pair, ways_old, ways_new) for pair in pairs]
        return [f"{head}: {words}." for words in dict.fromkeys(told)]
    steps = _changed_steps(old, new)
    if steps:
        return [line for a, b in steps for line in _general(a, b, f"{head}, step {plain(str(b.name))}")]
    doc = doc_of(new)
    if doc and doc != doc_of(old):
        return [f"{head}: is written anew. {doc}"]
    text = _body(new) if hasattr(new, "body") else text_of(getattr(new, "value", new))
    return [f"{head}: now `{text}`."] if len(text) <= LONG else [f"{head}: is written anew."]


def _changed_steps(old: Any, new: Any) -> list[tuple[syntax.Step, syntax.Step]]:
    """The named steps that differ, when nothing differs outside of them."""
    before, after = _steps(old), _steps(new)
    if not before or before.keys() != after.keys() or isinstance(old, syntax.Step):
        return []
    changed = [(before[n], after[n]) for n in before if essence(before[n]) != essence(after[n])]
    inside = {id(part) for a, _ in changed for part in _all(a)}
    for pair in differences(old, new):
        if id(pair[0]) not in inside:
            return []
    return changed


def _steps(node: Any) -> dict[str, syntax.Step]:
    return {str(part.name): part for part in _all(node) if isinstance(part, syntax.Step)}


def _all(node: Any) -> Iterator[syntax.Node]:
    """A part of a tree and everything in it."""
    if isinstance(node, syntax.Node):
        yield node
        for fld in attrs.fields(type(node)):
            value = getattr(node, fld.name)
            for child in value if isinstance(value, tuple) else (value,):
                yield from _all(child)


# ---------------------------------------------------------------- a small change inside a rule
Parents = dict[int, tuple[Any, str]]


def _parents(node: Any) -> Parents:
    """For each part of a tree what it is part of, and as what."""
    out: Parents = {}

    def walk(inner: Any) -> None:
        for fld in attrs.fields(type(inner)):
            value = getattr(inner, fld.name)
            for child in value if isinstance(value, tuple) else (value,):
                if isinstance(child, syntax.Node):
                    out[id(child)] = inner, fld.name
                    walk(child)

    if isinstance(node, syntax.Node):
        walk(node)
    return out


_AMOUNTS = {
    (syntax.Draw, "amount"): "draws",
    (syntax.MoveAmount, "amount"): "moves",
    (syntax.DrawUpTo, "amount"): "draws up to",
    (syntax.MoveUpTo, "amount"): "moves up to",
    (syntax.Peek, "amount"): "looks at",
    (syntax.Pick, "amount"): "picks",
    (syntax.Change, "by"): "changes",
    (syntax.Repeat, "limit"): "repeats up to",
}


def _told(pair: Pair, ways_old: Parents, ways_new: Parents) -> str:
    old, new = pair
    if old is None or new is None:
        parent, _ = (ways_new if old is None else ways_old).get(id(new if old is None else old), (None, ""))
        more, less = _JOINTS.get(type(parent), ("now also", "no longer"))
        return f"{more} {quoted(new)}" if old is None else f"{less} {quoted(old)}"
    if not isinstance(old, syntax.Node) or not isinstance(new, syntax.Node):
        return f"{quoted(new)} instead of {quoted(old)}"
    parent, field = ways_new.get(id(new), (None, ""))
    verb = _AMOUNTS.get((type(parent), field))
    if verb is not None:
        return _amount(verb, parent, old, new)
    if isinstance(parent, syntax.Finish):
        return (
            f"{text_of(new)} win instead of {text_of(old)}"
            if len(text_of(new)) < 40
            else (f"{quoted(new)} win instead of {quoted(old)}")
        )
    if isinstance(new, syntax.TimingBefore | syntax.TimingInstead | syntax.TimingAfter):
        return f"happens {_TIMINGS[type(new).__name__]} {quoted(parent.events[0])}, not {_TIMINGS[type(old).__name__]} it"
    old, new = _widened(old, new, ways_old, ways_new)
    return f"{quoted(new)} instead of {quoted(old)}"


_JOINTS = {
    syntax.Plus: ("plus", "without"),
    syntax.AndExpr: ("only if also", "no longer only if"),
    syntax.OrExpr: ("also if", "no longer if"),
}
_TIMINGS = {"TimingBefore": "before", "TimingInstead": "instead of", "TimingAfter": "after"}


def _amount(verb: str, stmt: Any, old: Any, new: Any) -> str:
    match stmt:
        case syntax.Draw(source=source) | syntax.DrawUpTo(source=source):
            return f"draws {text_of(new)} from {plain(text_of(source))} instead of {text_of(old)}"
        case syntax.MoveAmount(kind=kind, source=source) | syntax.MoveUpTo(kind=kind, source=source):
            what = f" {plain(text_of(kind))}" if kind is not None else ""
            return f"moves {text_of(new)}{what} from {plain(text_of(source))} instead of {text_of(old)}"
        case syntax.Change(target=target):
            return f"changes {plain(text_of(target))} by {text_of(new)} instead of {text_of(old)}"
    return f"{verb} {text_of(new)} instead of {text_of(old)}"


def _widened(old: Any, new: Any, ways_old: Parents, ways_new: Parents) -> Pair:
    """Both with as much around them as makes them understandable: a comparison, a call, a statement."""
    while True:
        (outer_old, _), (outer_new, field) = (
            ways_old.get(id(old), (None, "")),
            ways_new.get(id(new), (None, "")),
        )
        if outer_old is None or type(outer_old) is not type(outer_new):
            return old, new
        is_part = isinstance(outer_new, syntax.Expr) or isinstance(new, syntax.Expr)
        is_whole = isinstance(outer_new, syntax.Decl | syntax.Suite) or isinstance(new, syntax.Stmt)
        too_long = max(len(text_of(outer_old)), len(text_of(outer_new))) > MOST_AROUND
        if not is_part or is_whole or too_long or field in ("condition", "where", "when"):
            return old, new
        old, new = outer_old, outer_new


# ---------------------------------------------------------------- sorts with words of their own
def _game(old: syntax.Game, new: syntax.Game) -> list[str]:
    out = []
    if old.name != new.name:
        out.append(f"The game is called {new.name}, not {old.name}.")
    if essence(old.players) != essence(new.players):
        out.append(f"For {counts(new.players)} players instead of {counts(old.players)}.")
    if (old.together is None) != (new.together is None):
        out.append(
            "All win or lose together." if new.together is not None else "Players win each for themselves."
        )
    return out


def counts(players: Any) -> str:
    if isinstance(players, syntax.CountRange):
        return f"{players.low} to {players.high}"
    return " or ".join(players.counts)


def _option(old: syntax.Option, new: syntax.Option, head: str) -> list[str]:
    out = []
    if essence(old.default) != essence(new.default):
        out.append(f"{head}: {text_of(old.default)} becomes {text_of(new.default)}.")
    if essence(old.type) != essence(new.type):
        out.append(f"{head}: may be {text_of(new.type)} instead of {text_of(old.type)}.")
    return out


def _items(old: syntax.Token, new: syntax.Token) -> list[str]:
    before = {str(i.name): text_of(i.amount) for i in old.items}
    after = {str(i.name): text_of(i.amount) for i in new.items}
    out = [
        f"{after[k]} {plain(k)} instead of {before[k]}"
        for k in before
        if k in after and before[k] != after[k]
    ]
    out += [f"{after[k]} {plain(k)}, which are new" for k in after if k not in before]
    return out + [f"no {plain(k)} any more" for k in before if k not in after]


def _lists(old: Sequence[str], new: Sequence[str]) -> list[str]:
    fresh, lost = [v for v in new if v not in old], [v for v in old if v not in new]
    out = [f"{', '.join(fresh)} {'is' if len(fresh) == 1 else 'are'} new"] if fresh else []
    out += [f"{', '.join(lost)} {'is' if len(lost) == 1 else 'are'} gone"] if lost else []
    return out or ["in another order"]


def _place(old: syntax.Place, new: syntax.Place) -> list[str]:
    out = []
    if essence(old.shape) != essence(new.shape) or old.of != new.of:
        out.append(f"a {text_of(new.shape)} of {new.of} instead of a {text_of(old.shape)} of {old.of}")
    before = {type(c): c for c in old.clauses}
    after = {type(c): c for c in new.clauses}
    for sort in {**before, **after}:
        a, b = before.get(sort), after.get(sort)
        if essence(a) == essence(b):
            continue
        everybody = {syntax.SeenBy: "seen by all", syntax.SizeSeenBy: "size seen by all"}.get(sort, "")
        was, now = text_of(a) or everybody, text_of(b) or everybody
        out.append(f"{now} instead of {was}" if was and now else f"now {now}" if now else f"no longer {was}")
    return out


# ---------------------------------------------------------------- tables and rows
def _row_key(row: dict[str, str]) -> tuple[str, ...]:
    return tuple(text for column, text in row.items() if column != "count")


def _row_name(row: dict[str, str]) -> str:
    return " ".join(
        plain(text) for column, text in row.items() if column != "count" and text not in ("none", "")
    )


def _rows_told(rows: list[dict[str, str]]) -> str:
    told = [f"{row.get('count', '1')} {_row_name(row)}" for row in rows[:MOST_ROWS]]
    more = f" and {len(rows) - MOST_ROWS} rows more" if len(rows) > MOST_ROWS else ""
    return ", ".join(told) + more


def _row_changes(old: list[dict[str, str]], new: list[dict[str, str]]) -> list[str]:
    by_name = _by_name(old, new)
    if len(old) != len(new):
        return by_name
    in_place = _in_place([(a, b) for a, b in zip(old, new, strict=True) if a != b], len(old))
    return by_name if len(by_name) <= MOST_ROWS else min(by_name, in_place, key=len)


def _by_name(old: list[dict[str, str]], new: list[dict[str, str]]) -> list[str]:
    before, after = {_row_key(r): r for r in old}, {_row_key(r): r for r in new}
    counted = [k for k in before if k in after and before[k].get("count", "1") != after[k].get("count", "1")]
    lost = [before[k] for k in before if k not in after]
    fresh = [after[k] for k in after if k not in before]
    if len(counted) + len(lost) + len(fresh) > MOST_ROWS:
        summary = _by_first_column(old, new)
        if summary:
            return summary
    told = [
        f"{after[k].get('count', '1')} {_row_name(after[k])} instead of {before[k].get('count', '1')}"
        for k in counted
    ]
    pairs = _alike(lost, fresh)
    for a, b in pairs:
        told.append(
            ", ".join(
                f"{_row_name(a)} has {c} {plain(b[c])} instead of {plain(a[c])}"
                for c in b
                if b[c] != a.get(c)
            )
        )
    told += [f"no {_row_name(row)} any more" for row in lost if all(row is not a for a, _ in pairs)]
    told += [
        f"{row.get('count', '1')} {_row_name(row)}, new"
        for row in fresh
        if all(row is not b for _, b in pairs)
    ]
    return told or ["other rows"]


def _in_place(pairs: list[tuple[dict[str, str], dict[str, str]]], size: int) -> list[str]:
    """Rows whose cells have changed, in sum when the same happened to many."""
    told: dict[str, list[str]] = {}
    for a, b in pairs:
        for column in b:
            was, now = a.get(column, ""), b[column]
            if was == now:
                continue
            by = int(now) - int(was) if was.isdigit() and now.isdigit() else None
            sort = (
                f"{column} {abs(by)} {'more' if by > 0 else 'less'}"
                if by is not None
                else f"another {column}"
            )
            told.setdefault(sort, []).append(
                f"{_row_name(a)} has {column} {plain(now) or 'none'} instead of {plain(was) or 'none'}"
            )
    out = []
    for sort, lines in told.items():
        out += lines if len(lines) <= 3 else [f"{sort} in {len(lines)} of {size} rows"]
    return out


def _alike(
    lost: list[dict[str, str]], fresh: list[dict[str, str]]
) -> list[tuple[dict[str, str], dict[str, str]]]:
    """Rows in which a single cell has changed."""
    pairs = []
    left = list(fresh)
    for a in lost:
        for b in left:
            if a.keys() == b.keys() and sum(a[c] != b[c] for c in a) == 1:
                pairs.append((a, b))
                left = [row for row in left if row is not b]
                break
    return pairs


def _by_first_column(old: list[dict[str, str]], new: list[dict[str, str]]) -> list[str]:
    """Totals by what stands in the first column, where all counts are numbers."""

    def totals(rows: list[dict[str, str]]) -> dict[str, int] | None:
        out: dict[str, int] = {}
        for row in rows:
            first = next(iter(row.values()))
            count = row.get("count", "1")
            if not count.isdigit() or "," in first or ".." in first:
                return None
            out[first] = out.get(first, 0) + int(count)
        return out

    a, b = totals(old), totals(new)
    if a is None or b is None:
        return []
    told = [f"{b[k]} {plain(k)} instead of {a[k]}" for k in a if k in b and a[k] != b[k]]
    told += [f"no {plain(k)} any more" for k in a if k not in b]
    return told + [f"{b[k]} {plain(k)}, new" for k in b if k not in a]


def _table(old: syntax.Table, new: syntax.Table) -> list[str]:
    told = []
    if essence(old.type) != essence(new.type):
        told.append(f"gives {text_of(new.type)} instead of {text_of(old.type)}")
    before, after = rows_of([old]), rows_of([new])
    cases_old, cases_new = _cases(before, old), _cases(after, new)
    groups: dict[tuple[str, str], list[str]] = {}
    for case, value in cases_new.items():
        was = cases_old.get(case)
        if was is not None and was != value:
            groups.setdefault((was, value), []).append(case)
    for (was, value), cases in groups.items():
        told.append(f"{plain(value)} instead of {plain(was)} for {_few(cases)}")
    return told or (["other cases"] if before != after else [])


def _few(cases: list[str]) -> str:
    if len(cases) > 2 and all(case.isdigit() for case in cases):
        numbers = [int(case) for case in cases]
        if numbers == list(range(numbers[0], numbers[-1] + 1)):
            return f"{numbers[0]} to {numbers[-1]}"
    shown = ", ".join(cases[:6])
    return shown if len(cases) <= 6 else f"{shown} and {len(cases) - 6} more"


def _cases(rows: list[dict[str, str]], table: syntax.Table) -> dict[str, str]:
    """What a table says, case by case; ranges of numbers are written out."""
    out: dict[str, str] = {}
    columns = {str(p.name): column_of(str(p.name), p.type) for p in table.params}
    for row in rows:
        own = [c for c in row if c in columns]
        rest = [c for c in row if c not in own]
        combos = [""]
        for column in own:
            values = columns[column].values(row[column]) or [row[column]]
            combos = [f"{start} {plain(str(value))}".strip() for start in combos for value in values]
        for combo in combos:
            for column in rest:
                case = combo if len(rest) == 1 else f"{combo} {plain(column)}".strip()
                out[case] = row[column]
    return out
