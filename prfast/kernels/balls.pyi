from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_F64 = NDArray[np.float64]

ISAS: dict[str, int]
INT8_GAINS: dict[str, int]
BLOCK: int

def useless(refined: int, pairs: int) -> bool: ...

class Nearest:
    def __init__(self, first_query: int, queries: int, k: int, capacity: int) -> None: ...

class Pass:
    def __init__(
        self,
        queries: Any,  # an array or a Rows (prfast/balls/rows.py)
        refs: Any,
        centre: _F64,
        scale: float,
        room: int,
        isa: str,
        self_: bool,
        exact: bool,
    ) -> None: ...
    refined: int
    unfiltered: int
    redone: int
    @property
    def exact(self) -> bool: ...
    def use_int8(self, cauchy: bool, forced: bool = False) -> None: ...
    def counters(self) -> tuple[int, int, int]: ...
    def load(self, first: int, count: int, threads: int) -> None: ...
    def nearest(self, state: Nearest, first: int, count: int, threads: int) -> None: ...
    def unload(self) -> None: ...
    def within_start(self, state: Nearest, first: int, count: int, threads: int) -> None: ...
    def within_pairs(self, state: Nearest, parts: NDArray[np.int64], threads: int) -> bool: ...
    def within_end(self, state: Nearest, first: int, count: int, threads: int) -> None: ...
    def finish(
        self,
        state: Nearest,
        first: int,
        count: int,
        ks: NDArray[np.int64],
        threads: int,
        other_pass: Pass | None = None,
        other: Nearest | None = None,
    ) -> _F64: ...
    def kept_within(
        self, state: Nearest, first: int, count: int, t: _F64, closed: bool, threads: int
    ) -> NDArray[np.int64]: ...
    def count(
        self,
        tasks: Sequence[
            tuple[
                _F64 | None, _F64 | None, bool, NDArray[np.int64] | None, NDArray[np.int64] | None
            ]
        ],
        first: int,
        count: int,
        threads: int,
    ) -> None: ...
    def logsum(self, t: float, total: _F64, first: int, count: int, threads: int) -> None: ...
    def ratio(self, ref_t: _F64, best: _F64, first: int, count: int, threads: int) -> None: ...
    def intervals(self, count: int) -> tuple[_F64, _F64]: ...
    def possible(
        self,
        query_t: _F64 | None,
        ref_t: _F64 | None,
        threads: int,
        size: int = 960,
        pairs: bool = True,
        by: int | None = None,
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_] | None, _F64 | None]: ...
    def differences(self) -> tuple[_F64, _F64]: ...
