"""A state as JSON data and back, in any process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .runtime import Grown
from .state import State

if TYPE_CHECKING:
    from .engine import Engine


def encode_state(state: State) -> dict[str, Any]:
    return {
        "I": state.I,
        "L": state.L,
        "G": [sorted(g.cells.items()) for g in state.G],
        "stack": state.st,
        "pc": state.pc,
        "player": state.player,
        "options": list(state.options),
        "weights": list(state.weights),
        "rv": state.rv,
        "over": state.over,
        "winners": state.winners,
        "reason": state.reason,
        "atomic": state.atomic,
        "sealed": state.sealed,
        "queue": state.queue,
        "held": state.held,
        "seen": state.seen,
    }


def decode_state(engine: Engine, data: dict[str, Any]) -> State:
    state = State(engine)
    state.I = [_frozen(x) for x in data["I"]]
    state.L = [list(x) for x in data["L"]]
    state.G = []
    for cells in data["G"]:
        grown = Grown()
        for space, comp in cells:
            grown.put(space, comp)
        state.G.append(grown)
    state.st = [_frozen(x) for x in data["stack"]]
    state.pc = data["pc"]
    state.player = data["player"]
    state.options = [_frozen(x) for x in data["options"]]
    state.weights = list(data["weights"])
    state.rv = _frozen(data["rv"])
    state.over = data["over"]
    state.winners = data["winners"]
    state.reason = data["reason"]
    state.atomic = data["atomic"]
    sealed = data["sealed"]
    state.sealed = ([_frozen(x) for x in sealed[0]], [list(x) for x in sealed[1]]) if sealed else None
    state.queue = [(p, _frozen(e)) for p, e in data["queue"]]
    state.held = [_frozen(e) for e in data["held"]]
    seen = data["seen"]
    state.seen = [[_frozen(e) for e in events] for events in seen] if seen is not None else None
    return state


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, list | tuple) else value
