"""A state as JSON data and back, in any process."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..core.events import Chosen, event_from
from ..python.runtime import Grown
from .handles import Names
from .state import State

if TYPE_CHECKING:
    from .engine import Engine


def checksum(data: Mapping[str, Any]) -> str:
    """A fingerprint of all that a save says, so that a damaged one is noticed before it is believed."""
    rest = {key: value for key, value in data.items() if key != "checksum"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def encode_state(state: State) -> dict[str, Any]:
    """A copy: it stays as it is when the match goes on."""
    return {
        "I": list(state.I),
        "L": [list(x) for x in state.L],
        "G": [sorted(g.cells.items()) for g in state.G],
        "stack": list(state.st),
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
        "queue": list(state.queue),
        "held": list(state.held),
        "seen": [list(events) for events in state.seen] if state.seen is not None else None,
        "causes": [[event.cause for event in events] for events in state.seen]
        if state.seen is not None
        else None,
        "names": state.names.to_json() if state.names is not None else None,
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
    state.queue = [(p, event_from(_frozen(e))) for p, e in data["queue"]]
    state.held = [(Chosen(*_frozen(e)[1:]), seen) for e, seen in data["held"]]
    seen = data["seen"]
    state.seen = [[event_from(_frozen(e)) for e in events] for events in seen] if seen is not None else None
    for events, causes in zip(state.seen or (), data.get("causes") or (), strict=False):
        for event, cause in zip(events, causes, strict=True):
            event.cause = cause
    names = data["names"]
    state.names = Names.from_json(names) if names is not None else None
    return state


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, list | tuple) else value
