"""Which variables must survive from one block to the next: the slots of a frame."""

from __future__ import annotations

from typing import Any, assert_never

from ..core import (
    As,
    CallDefine,
    CallRule,
    Can,
    CanMenu,
    Case,
    CheckedGame,
    Choice,
    Choose,
    Ex,
    For,
    Gen,
    Let,
    Local,
    Me,
    Note,
    Offering,
    Reduction,
    SeenBy,
    ShowOff,
    ShowOn,
    St,
    Var,
    VectorCells,
    VectorStart,
    VectorValue,
    children,
    header,
    holding,
    own_bodies,
)
from .ir import Block, Instr, Proc, Program
from .terminators import (
    AskCase,
    AskCell,
    AskValue,
    Back,
    Binding,
    Branch,
    Call,
    ChanceDraw,
    ChanceRoll,
    Finished,
    Jump,
    Switch,
    Terminator,
    Unwind,
    answered,
    targets,
)

_BODIES = ("body", "orelse")


def settle_slots(program: Program, proc: Proc, game: CheckedGame) -> None:
    """Fill `live` of each block and `slots` of the procedure."""
    if proc.plain:
        return
    blocks = {number: program.blocks[number] for number in proc.blocks}
    bound: dict[int, str] = {}
    for block in blocks.values():
        entered = None if block.term is None else answered(block.term)
        if entered is not None:
            bound[entered[0]] = entered[1].uid
    used: dict[int, set[str]] = {}
    made: dict[int, set[str]] = {}
    for number, block in blocks.items():
        used[number], made[number] = _block_uses(block, bound.get(number), game)
    asked: dict[int, set[str]] = {}
    for block in blocks.values():
        term = block.term
        if isinstance(term, AskValue | AskCell | AskCase):  # so that "why not?" can be answered
            asked[targets(term)[0]] = _term_uses(term, game)
    live: dict[int, set[str]] = {number: set() for number in blocks}
    changed = True
    while changed:
        changed = False
        for number in reversed(proc.blocks):
            block = blocks[number]
            out: set[str] = set()
            if block.term is not None:
                for target in targets(block.term):
                    out |= live[target]
                for scope in block.scopes:  # a call or a clock may leave it by force
                    if scope.label is not None and scope.exit in live:
                        out |= live[scope.exit]
            now = used[number] | (out - made[number]) | asked.get(number, set())
            if now != live[number]:
                live[number] = now
                changed = True
    everything: set[str] = set()
    for number, block in blocks.items():
        block.live = tuple(sorted(live[number]))
        everything |= live[number]
    proc.slots = sorted(everything, key=_slot_order(proc))


def _slot_order(proc: Proc) -> Any:
    first = {p.uid: i for i, p in enumerate(proc.params)}
    return lambda uid: (first.get(uid, 10**6), uid)


def _block_uses(block: Block, entry: str | None, game: CheckedGame) -> tuple[set[str], set[str]]:
    used: set[str] = set()
    made: set[str] = {entry} if entry else set()
    for instr in block.code:
        reads, writes = instr_uses(instr, game)
        used |= reads - made
        made |= writes
    for scope in block.scopes:
        for instr in scope.cleanup:
            reads, _ = instr_uses(instr, game)
            used |= reads - made
    if block.term is not None:
        used |= _term_uses(block.term, game) - made
    return used, made


def instr_uses(instr: Instr, game: CheckedGame) -> tuple[set[str], set[str]]:
    reads: set[str] = set()
    writes: set[str] = set()
    asks_me = _read_stmt(instr.st, reads, writes, game)
    if asks_me and instr.me is not None:
        reads.add(instr.me.uid)
    if not isinstance(instr.st, Let):
        reads -= writes
    return reads, writes


def _read_stmt(st: St, reads: set[str], writes: set[str], game: CheckedGame) -> bool:
    """Collect reads and writes; tell whether `me` is read (but not when `as` inside gives it)."""
    me = _read([getattr(st, name) for name in holding(type(st)) if name not in _BODIES], reads, game)
    if isinstance(st, Let):
        writes.add(st.var.uid)
    elif isinstance(st, CallRule):
        if st.var is not None:
            writes.add(st.var.uid)
        me = me or _callee_uses_me(st.rule, game)
    elif isinstance(st, Note):
        if st.var is not None:
            writes.add(st.var.uid)
    elif isinstance(st, ShowOn):
        writes.add(st.saved.uid)
    elif isinstance(st, ShowOff):
        reads.add(st.saved.uid)
    elif isinstance(st, For):
        for gen in st.gens:
            writes.add(gen.var.uid)
        if st.who is not None:
            for inner in st.body:
                _read_stmt(inner, reads, writes, game)
            return me
    elif isinstance(st, As):
        for inner in st.body:
            _read_stmt(inner, reads, writes, game)
        return me
    for inner in (inner for body in own_bodies(st) for inner in body):
        me = _read_stmt(inner, reads, writes, game) or me
    return me


def _callee_uses_me(name: str, game: CheckedGame) -> bool:
    if name.startswith("trigger "):
        return game.triggers[name[8:]].uses_me
    rule = game.rules.get(name.rstrip("!"))
    return rule.uses_me if rule is not None else False


def _term_uses(term: Terminator, game: CheckedGame) -> set[str]:
    reads: set[str] = set()
    if _term_reads(term, reads, game) and term.me is not None:
        reads.add(term.me.uid)
    return reads


def _term_reads(term: Terminator, reads: set[str], game: CheckedGame) -> bool:
    """Collect the variables that an end of a block reads; True when it reads `me`."""
    match term:
        case Branch():
            return _read(term.condition, reads, game)
        case Switch():
            return _read(term.which, reads, game)
        case Call():
            return _read(term.args, reads, game) or _callee_uses_me(term.proc, game)
        case Back():
            return _read(term.value, reads, game)
        case AskValue():
            _read(term.binding, reads, game)
            return True
        case AskCell():
            _read((term.binding, term.cells, term.filled), reads, game)
            return True
        case AskCase():
            _read(term.cases, reads, game)
            return True
        case ChanceDraw():
            return _read(term.source, reads, game)
        case ChanceRoll():
            return _read((term.domain, term.weight, term.audience), reads, game)
        case Jump() | Unwind() | Finished():
            return False
        case _:
            assert_never(term)


def _read(node: Any, reads: set[str], game: CheckedGame) -> bool:
    """Collect the variables that an expression reads; True when it reads `me`."""
    match node:
        case tuple() | list():
            found = [_read(item, reads, game) for item in node]
            return any(found)
        case Me():
            return True
        case Local(var=var):
            reads.add(var.uid)
            return False
        case Reduction():
            return _scoped(node.gens, (node.value, node.by, node.while_), reads, game)
        case VectorCells(gen=gen) | VectorStart(gen=gen):
            return _read(gen, reads, game)
        case VectorValue(cells=cells, filled=filled):
            return _read((cells, filled), reads, game)
        case Ex():
            me = _read(list(children(node)), reads, game)
            if isinstance(node, CallDefine):
                return me or node.define.uses_me
            return me or isinstance(node, Can | CanMenu)
        case Gen():
            return _scoped((node,), (), reads, game)
        case Binding():
            return _scoped((node.gen, *node.rest), (node.distinct,), reads, game)
        case Choice():
            return _scoped(node.gens, (), reads, game)
        case Case():
            return _read_case(node, reads, game)
        case Offering():
            me = _read(node.menu_args, reads, game)
            return _read(node.cases, reads, game) or me
        case SeenBy():
            return _read(node.players, reads, game)
        case Var():
            reads.add(node.uid)
    return False


def _scoped(gens: tuple[Gen, ...], more: tuple[Any, ...], reads: set[str], game: CheckedGame) -> bool:
    inner: set[str] = set()
    me = False
    bound: set[str] = set()
    for gen in gens:
        me = _read((gen.domain, gen.where, tuple(d for _, d in gen.cells)), inner, game) or me
        bound.add(gen.var.uid)
        bound |= {var.uid for var, _ in gen.cells}
    me = _read(more, inner, game) or me
    reads |= inner - bound
    return me


def _read_case(case: Case, reads: set[str], game: CheckedGame) -> bool:
    """What the possibility of a case depends on: its arguments, or the header of its body."""
    me = _read(case.args, reads, game)
    inner: set[str] = set()
    bound: set[str] = set()
    for st in header(case.body):
        if isinstance(st, Choose):
            me = _read(st.choice.gens, inner, game) or me
            bound |= {gen.var.uid for gen in st.choice.gens}
        else:
            me = _read(list(children(st)), inner, game) or me
            if isinstance(st, Let):
                bound.add(st.var.uid)
    reads |= inner - bound
    return True if case.action is not None else me
