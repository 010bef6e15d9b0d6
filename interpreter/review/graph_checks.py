"""What the graph of the rules shows: what is never reached, what never ends, circles of triggers.

All of it is asked of one graph (graphs.py): rules, actions, menus, triggers, phases and endings, with an edge for each
call, offer and effect that sets something off, which carries the place in the text. Never reached is what no way
leads to from the phases; of a group whose members only lead to each other one is told, and the others named beside
it, or each would be told for each. Turns and rounds in which people decide have no way out if neither they nor
what they call says `stop` or `finish`, and the game has no ending. A circle is told once, beginning with what
stands first in the file, and only where nobody decides on the way and no condition on it depends on anything
that the circle changes: a warning that is often wrong is read by nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise

from attrs import frozen

from ...grammar import Report, Span
from ..check.returns import statements
from ..core import (
    OPERATORS,
    Apply,
    CallRule,
    Can,
    CanMenu,
    CheckedGame,
    Draw,
    Ex,
    Expire,
    Finish,
    For,
    If,
    Local,
    Me,
    Pick,
    PlaceRef,
    Repeat,
    Return,
    Rounds,
    RuleDecl,
    SeenByNobody,
    Set,
    St,
    StateRef,
    Stop,
    Swap,
    Turns,
    bodies,
    children,
    word_of,
)
from ..core.facts import ALWAYS_WAIT, LEAVES, PUTS, TAKES, reads, writes
from ..core.scenario_parts import Given
from .graphs import FLOW, Graph, rule_graph
from .reaching import circles, has_a_circle, reached
from .trees import head_of, inner, name_of, own_expressions, procedures

CIRCLES_LOOKED_AT = 400


def graphs(game: CheckedGame, report: Report) -> None:
    graph = rule_graph(game)
    _never_reached(game, graph, report)
    _behind_an_exit(game, report)
    _no_way_out(game, graph, report)
    _circles(game, report)
    _kept_for_nobody(game, report)


# ---------------------------------------------------------------- never reached
def _never_reached(game: CheckedGame, graph: Graph, report: Report) -> None:
    """Rules, actions and triggers to which no way leads from the phases. Of those that lead to each
    other only the first is told; what nobody names at all is told as never used."""
    ways = _ways(game, graph)
    in_use = reached(ways, "start")
    left_out = [
        node.id for node in graph.of_kind("rule", "action", "menu", "trigger") if node.id not in in_use
    ]
    among = {node: [there for there in ways.get(node, ()) if there in left_out] for node in left_out}
    for group in circles(among):
        if not any(there in group for node in left_out if node not in group for there in among[node]):
            members = sorted(group, key=lambda name: graph.nodes[name].span.start)
            node = graph.nodes[members[0]]
            if len(members) > 1:
                others = " and ".join(f"`{graph.nodes[name].name}`" for name in members[1:])
                _warn(report, f"nothing leads to `{node.name}` but {others}", node.span)
            elif node.kind == "menu":
                _warn(
                    report,
                    f"nobody is ever offered `{node.name}`, so this action is never taken",
                    node.span,
                    f"write `offer {node.name}` or `may {node.name}` where it is asked",
                )
            elif node.kind == "trigger":
                _warn(
                    report, f"`{node.name}` never runs, because {_never(game.triggers[node.name])}", node.span
                )
            elif graph.into(node.id) or graph.out_of(node.id, "before", "instead", "after"):
                _warn(report, f"`{node.name}` is never called", node.span)
    _phases_behind_the_end(game, report)


def _warn(report: Report, message: str, span: Span, help_line: str | None = None) -> None:
    report.add("D0409", message, span, help=help_line, severity="warning")


def _ways(game: CheckedGame, graph: Graph) -> dict[str, set[str]]:
    """What leads to what, from `start` on; a trigger on a place is set off by what fills or empties it."""
    ways: dict[str, set[str]] = {}

    def leads(source: str, target: str) -> None:
        ways.setdefault(source, set()).add(target)

    for edge in graph.edges:
        if edge.mode in ("entering", "leaving"):
            leads(f"{edge.mode} {edge.source}", edge.target)
        elif edge.kind in FLOW:
            leads(edge.source, edge.target)
        elif edge.kind in ("puts", "takes"):
            leads(edge.source, f"{'entering' if edge.kind == 'puts' else 'leaving'} {edge.target}")
            name = edge.target.removeprefix("place ")
            if not game.places[name].tokens:  # a single component may come from anywhere
                leads(edge.source, f"leaving {edge.target}")
    for ending in game.endings:
        leads("start", f"ending {ending}")
    for scenario in game.scenarios:
        for part in scenario.parts:
            for st in statements(part.body if isinstance(part, Given) else ()):
                if isinstance(st, CallRule) and st.rule in game.rules:
                    leads("start", f"{game.rules[st.rule].kind} {st.rule}")
    for asked in _asked_about(game):
        leads("start", asked)
    if game.phases:
        leads("start", f"phase {game.phases[0].name}")
    return ways


def _never(trigger: RuleDecl) -> str:
    kind, name = trigger.events[0]
    match kind:
        case "turn":
            return "there are no turns"
        case "entering" | "leaving":
            return f"nothing ever {'enters' if kind == 'entering' else 'leaves'} `{name}`"
    return f"`{name}` never happens"


def _asked_about(game: CheckedGame) -> Iterator[str]:
    """Actions that are only asked about (`can x`) are in use."""
    for rule in procedures(game):
        for st in statements(rule.body):
            for own in own_expressions(st):
                for ex in inner(own):
                    if isinstance(ex, Can):
                        yield f"action {ex.action}"
                    elif isinstance(ex, CanMenu):
                        yield f"menu {ex.menu}"


def _phases_behind_the_end(game: CheckedGame, report: Report) -> None:
    """Phases behind one that certainly ends the match."""
    for number, phase in enumerate(game.phases[:-1]):
        last = next((st for st in phase.body if isinstance(st, Finish)), None)
        if last is not None:
            after = game.phases[number + 1]
            report.add(
                "D0409",
                f"phase `{after.name}` is never reached",
                head_of(after.span),
                related=[(last.span, "the match is over here")],
                severity="warning",
            )
            return


def _behind_an_exit(game: CheckedGame, report: Report) -> None:
    """Statements behind one that leaves."""
    whole = [rule.body for rule in procedures(game)] + [ending.body for ending in game.endings.values()]
    for outermost in whole:
        for body in _bodies(outermost):
            for st, following in pairwise(body):
                if isinstance(st, LEAVES):
                    report.add(
                        "D0409",
                        "this is never reached",
                        head_of(following.span),
                        related=[(head_of(st.span), f"`{word_of(st)}` leaves before it")],
                        severity="warning",
                    )
                    break


def _bodies(body: tuple[St, ...]) -> Iterator[tuple[St, ...]]:
    yield body
    for st in body:
        for inner_body in bodies(st):
            yield from _bodies(inner_body)


# ---------------------------------------------------------------- no way out
def _no_way_out(game: CheckedGame, graph: Graph, report: Report) -> None:
    """Turns and rounds in which people decide, but nothing ever ends."""
    if game.endings:
        return
    ways = {
        node: [edge.target for edge in graph.out_of(node, *FLOW, "takes", "puts")] for node in graph.nodes
    }
    procs = {f"{rule.kind} {rule.name}": rule for rule in procedures(game)}
    for rule in procs.values():
        for st, outer in _loops(rule.body, (rule.name,) if rule.kind == "phase" else ()):
            name = st.label
            word = "turns" if isinstance(st, Turns) else "rounds"
            bounded = st.where is not None or (isinstance(st, Rounds) and st.clock is not None)
            node = f"loop {name or f'{word} in line {st.span.line}'}"
            if bounded or node not in ways or not graph.nodes[node].decides:
                continue
            labels = {*outer, str(name)} if name else set(outer)
            if _ends(st.body, labels, lexical=True):
                continue
            called = [procs[n] for n in reached(ways, node) if n in procs]
            if any(_ends(proc.body, None, lexical=False) for proc in called):
                continue
            report.add(
                "D0502",
                f"these {word} go on for ever: nothing in them says `finish` or `stop`, and the game has no ending",
                Span(st.span.source, st.span.start, st.span.start + len(word)),
                help="end the match with `ending ... when ...: finish ...`, or the loop with `stop Name`",
                severity="warning",
            )


def _loops(body: tuple[St, ...], outer: tuple[str, ...]) -> Iterator[tuple[Turns | Rounds, tuple[str, ...]]]:
    for st in body:
        if isinstance(st, Rounds) or (isinstance(st, Turns) and not st.once):
            yield st, outer
        label = st.label if isinstance(st, Turns | Rounds | For | Repeat) else None
        here = (*outer, str(label)) if isinstance(label, str) else outer
        for inner_body in bodies(st):
            yield from _loops(inner_body, here)


def _ends(body: tuple[St, ...], labels: set[str] | None, *, lexical: bool) -> bool:
    """Does something in a body leave the loop? In the loop itself `return` and `expire` do too; of
    rules that it calls, a `stop` of what they have not opened themselves."""
    for st in statements(body):
        if isinstance(st, Finish) or (lexical and isinstance(st, Return | Expire)):
            return True
        if isinstance(st, Stop) and (not st.local if labels is None else st.label in labels or not st.local):
            return True
    return False


# ---------------------------------------------------------------- circles
@frozen
class Step:
    """One thing that sets off another without anybody deciding."""

    source: str
    target: str
    span: Span
    conditions: tuple[Ex, ...]
    word: str


class _Steps:
    """The steps between rules and triggers; where somebody decides first, or chance does, there is none."""

    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self.open: set[str] = set()
        """The rules in which somebody decides or chance does."""
        changed = True
        while changed:
            changed = False
            for name, rule in game.rules.items():
                if name not in self.open and any(self._waits(st) for st in statements(rule.body)):
                    self.open.add(name)
                    changed = True

    def _waits(self, st: St) -> bool:
        return isinstance(st, ALWAYS_WAIT) or (isinstance(st, CallRule) and st.rule in self.open)

    def all(self) -> Iterator[Step]:
        for rule in (*self.game.rules.values(), *self.game.triggers.values()):
            where = (rule.where,) if rule.where is not None else ()
            yield from self._body(self._id(rule), rule.body, where, [False])
        for trigger in self.game.triggers.values():
            for kind, name in trigger.events:
                if kind == "rule" and not (trigger.timing == "after" and name in self.open):
                    yield Step(name, self._id(trigger), trigger.span, (), "sets off")

    def _id(self, rule: RuleDecl) -> str:
        return f"trigger {rule.name}" if rule.kind == "trigger" else rule.name

    def _body(
        self, at: str, body: tuple[St, ...], conditions: tuple[Ex, ...], decided: list[bool]
    ) -> Iterator[Step]:
        """`decided` turns true behind a decision, or behind a way out."""
        for st in body:
            if decided[0]:
                return
            if isinstance(st, CallRule):
                yield Step(at, st.rule, st.span, conditions, "calls")
            elif isinstance(st, (*PUTS, Swap)):
                yield from self._crossings(at, st, conditions)
            if self._waits(st):
                decided[0] = True
                return
            own = tuple(ex for ex in own_expressions(st)) if isinstance(st, If | For | Repeat) else ()
            for inner_body in bodies(st):
                yield from self._body(at, inner_body, (*conditions, *own), [False])
            if any(isinstance(s, LEAVES) or self._waits(s) for s in statements((st,))):
                decided[0] = True

    def _crossings(self, at: str, st: St, conditions: tuple[Ex, ...]) -> Iterator[Step]:
        for trigger in self.game.triggers.values():
            for kind, key in trigger.events:
                if kind not in ("entering", "leaving"):
                    continue
                places: tuple[Ex, ...] = ()
                if isinstance(st, Swap):
                    places = (st.left, st.right)
                elif kind == "entering" and isinstance(st, PUTS):
                    places = (st.place,)
                elif kind == "leaving" and isinstance(st, TAKES):
                    places = (st.source,)
                if any(isinstance(p, PlaceRef) and name_of(p.place) == key for p in places):
                    word = "enters" if kind == "entering" else "leaves"
                    yield Step(at, self._id(trigger), st.span, conditions, f"{word} a place and sets off")


def _circles(game: CheckedGame, report: Report) -> None:
    """Rules and triggers that set each other off for ever: nobody decides on the way, and no
    condition on the way depends on anything that the circle changes."""
    steps: dict[tuple[str, str], list[Step]] = {}
    for step in _Steps(game).all():
        steps.setdefault((step.source, step.target), []).append(step)
    ways: dict[str, list[str]] = {}
    for source, target in steps:
        ways.setdefault(source, []).append(target)
    if not has_a_circle(ways):
        return
    import networkx  # late: it takes as long to import as most games to check

    network: networkx.DiGraph[str] = networkx.DiGraph(list(steps))
    written = {
        **{name: _written(rule.body, game) for name, rule in game.rules.items()},
        **{f"trigger {name}": _written(trig.body, game) for name, trig in game.triggers.items()},
    }
    told: set[str] = set()
    for circle in islice(networkx.simple_cycles(network), CIRCLES_LOOKED_AT):
        start = min(range(len(circle)), key=lambda at: _order(game, circle[at]))
        circle = [*circle[start:], *circle[:start]]
        if told.intersection(circle):
            continue
        changed = set().union(*(written.get(name, set()) for name in circle))
        way = []
        for source, target in zip(circle, [*circle[1:], circle[0]], strict=True):
            where = _condition_of(game, target)
            endless = [
                s for s in steps[source, target] if not _may_change((*s.conditions, *where), changed, game)
            ]
            if not endless:
                break
            way.append(endless[0])
        else:
            told.update(circle)
            _tell(way, report)


def _order(game: CheckedGame, name: str) -> int:
    rule = game.triggers.get(name.removeprefix("trigger "), game.rules.get(name))
    return rule.span.start if rule is not None else 0


def _condition_of(game: CheckedGame, name: str) -> tuple[Ex, ...]:
    trigger = game.triggers.get(name.removeprefix("trigger ")) if name.startswith("trigger ") else None
    return (trigger.where,) if trigger is not None and trigger.where is not None else ()


def _written(body: tuple[St, ...], game: CheckedGame) -> set[str]:
    found: set[str] = set()
    for st in statements(body):
        found |= writes(st, game) | ({"anything"} if isinstance(st, Draw | Pick) else set())
    return found


def _may_change(conditions: tuple[Ex, ...], changed: set[str], game: CheckedGame) -> bool:
    """Could a condition fail the next time round?"""
    for condition in conditions:
        if any(
            (isinstance(ex, Local | Me) or (isinstance(ex, Apply) and OPERATORS[ex.op].reads))
            for ex in inner(condition)
        ):
            return True
        read = reads(condition, game)
        if read & changed or "anything" in read | changed:
            return True
    return False


def _tell(way: list[Step], report: Report) -> None:
    names = [step.source.removeprefix("trigger ") for step in way]
    shown = " sets off ".join(f"`{name}`" for name in [*names, names[0]])
    triggers = any(step.target.startswith("trigger ") for step in way)
    guarded = any(step.conditions for step in way)
    report.add(
        "D0402" if triggers else "D0406",
        f"this never ends: {shown}, and nobody decides on the way",
        way[0].span,
        related=[
            (
                step.span,
                f"`{step.source.removeprefix('trigger ')}` {step.word} `{step.target.removeprefix('trigger ')}`",
            )
            for step in way[1:]
        ],
        help="nothing in the circle changes what its conditions ask for"
        if guarded
        else "put a condition or a choice before the call",
        severity="warning",
    )


# ---------------------------------------------------------------- never read
def _kept_for_nobody(game: CheckedGame, report: Report) -> None:
    """States that nobody sees and no rule reads: setting them has no effect."""
    hidden = {id(state): state for state in game.states.values() if isinstance(state.seen, SeenByNobody)}
    conditions = [game.endings[name].when for name in game.endings]
    conditions += [ending.domain for ending in game.endings.values() if ending.domain is not None]
    conditions += [invariant.condition for invariant in game.invariants.values()]
    conditions += [define.body for define in game.defines.values()]
    conditions += [t.where for t in game.triggers.values() if t.where is not None]
    for scenario in game.scenarios:
        for part in scenario.parts:
            conditions += children(part)
    for ex in inner(conditions):
        if isinstance(ex, StateRef):
            hidden.pop(id(ex.state), None)
    bodies = [rule.body for rule in procedures(game)] + [ending.body for ending in game.endings.values()]
    for body in bodies:
        for st in statements(body):
            target = st.target.state if isinstance(st, Set) and isinstance(st.target, StateRef) else None
            for ex in own_expressions(st):
                for found in inner(ex):
                    if isinstance(found, StateRef) and found.state is not target:
                        hidden.pop(id(found.state), None)
    for state in hidden.values():
        report.add(
            "D0403",
            f"`{name_of(state)}` is never read, and nobody sees it",
            state.span,
            severity="warning",
        )
