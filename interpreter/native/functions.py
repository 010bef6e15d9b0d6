"""The functions of machine code, callable from Python. A call lets other threads run meanwhile."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from .compile import Loaded

_WORD, _ADDRESS = ctypes.c_int64, ctypes.c_void_p
_SIGNATURES = {
    "begin": (_ADDRESS, _ADDRESS, _WORD, _WORD),
    "run": (_ADDRESS, _WORD, _WORD),
    "step": (_ADDRESS, _WORD),
    "copy_state": (_ADDRESS, _ADDRESS),
    "hash_state": (_ADDRESS, _WORD),
    "random_game": (_ADDRESS, _ADDRESS, _WORD, _WORD, _WORD, _ADDRESS, _ADDRESS),
    "series": (_ADDRESS, _ADDRESS, _WORD, _WORD, _WORD, _WORD, _WORD, _ADDRESS, _ADDRESS),
    "first_wrong": (_ADDRESS, _ADDRESS, _WORD, _WORD, _WORD, _WORD, _ADDRESS),
    "playouts": (_ADDRESS, _ADDRESS, _WORD, _ADDRESS, _WORD, _ADDRESS),
    "count_histories": (_ADDRESS, _ADDRESS, _WORD, _WORD, _ADDRESS),
    "many_forks": (_ADDRESS, _ADDRESS, _WORD),
    "score_of": (_ADDRESS, _WORD),
    "takers_of": (_ADDRESS,),
    "worth_of": (_ADDRESS, _WORD),
    "broken_invariant": (_ADDRESS,),
    "begin_many": (_ADDRESS, _WORD, _WORD, _ADDRESS, _ADDRESS, _ADDRESS),
    "step_many": (_ADDRESS, _WORD, _WORD, _ADDRESS),
    "many_scores": (_ADDRESS, _WORD, _WORD, _ADDRESS),
}


class Functions:
    begin: Callable[[int, int, int, int], int]
    run: Callable[[int, int, int], int]
    step: Callable[[int, int], int]
    copy_state: Callable[[int, int], int]
    hash_state: Callable[[int, int], int]
    random_game: Callable[[int, int, int, int, int, int, int], int]
    series: Callable[[int, int, int, int, int, int, int, int, int], int]
    first_wrong: Callable[[int, int, int, int, int, int, int], int]
    playouts: Callable[[int, int, int, int, int, int], int]
    count_histories: Callable[[int, int, int, int, int], int]
    many_forks: Callable[[int, int, int], int]
    score_of: Callable[[int, int], int]
    takers_of: Callable[[int], int]
    worth_of: Callable[[int, int], int]
    broken_invariant: Callable[[int], int]
    begin_many: Callable[[int, int, int, int, int, int], int]
    step_many: Callable[[int, int, int, int], int]
    many_scores: Callable[[int, int, int, int], int]

    def __init__(self, code: bytes) -> None:
        self.loaded = Loaded(code)

    def __getattr__(self, name: str) -> Any:
        """A function when it is first needed."""
        if name not in _SIGNATURES:
            raise AttributeError(name)
        made = ctypes.CFUNCTYPE(_WORD, *_SIGNATURES[name])(self.loaded.address(name))
        setattr(self, name, made)
        return made

    def plan(self, uid: str) -> Callable[[int], int]:
        """What works out the plan of a choice by cells, where that lies in the frame."""
        made: Callable[[int], int] = ctypes.CFUNCTYPE(_WORD, _ADDRESS)(self.loaded.address(f"plan_{uid}"))
        return made
