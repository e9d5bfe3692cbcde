from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_F64 = NDArray[np.float64]

ISAS: dict[str, int]
INT8_GAINS: dict[str, int]
INT8_WIDEST: int
BLOCK: int
INT8_BLOCK: int
SAMPLE: int
HALVINGS: int
FAR_UNREFINED: int
ALL_BUT_KTH_UNREFINED: int

_Counts = NDArray[np.int64]
_I32 = NDArray[np.int32]
_F32 = NDArray[np.float32]
_ListArrays = tuple[_I32, NDArray[np.float32], _I32, NDArray[np.float32]]
_Sides = tuple[NDArray[np.uint16], NDArray[np.uint16]]
_Tasks = Sequence[
    tuple[_F64 | None, _F64 | None, bool, _Counts | _I32 | None, _Counts | _I32 | None]
]

class Nearest:
    def __init__(self, first_query: int, queries: int, k: int, capacity: int) -> None: ...

class Lists:
    def __init__(
        self, queries: int, k: int, capacity: int, pooled: Lists | None = None, unrefined: int = 0
    ) -> None: ...
    @property
    def nbytes(self) -> int: ...
    def __len__(self) -> int: ...
    def begin(self, first_query: int) -> None: ...
    def limit_to(self, limit: NDArray[np.float32]) -> None: ...
    def to_arrays(self, n: int) -> _ListArrays: ...
    def merge(
        self, fill: _I32, key: NDArray[np.float32], ref: _I32, limit: NDArray[np.float32]
    ) -> None: ...
    def shorten(self, isa: str, dim: int, scale: float, norms: _F64, k: int) -> None: ...
    @property
    def failed(self) -> int: ...
    @property
    def capacity(self) -> int: ...

class Pass:
    def __init__(
        self,
        queries: Any,  # an array or a Rows (prfast/neighbors/tasks.py)
        refs: Any,
        center: _F64,
        scale: float,
        capacity: int,
        isa: str,
        self_: bool,
        exact: bool,
        own: _Counts | None = None,
        block: int = ...,
    ) -> None: ...
    @property
    def dim(self) -> int: ...
    @property
    def exact(self) -> bool: ...
    def use_int8(self, cauchy: bool, forced: bool = False) -> None: ...
    def counters(self) -> list[int]: ...
    def load(self, first: int, count: int, threads: int) -> None: ...
    def unload(self) -> None: ...
    def nearest(self, state: Nearest, first: int, count: int, threads: int) -> None: ...
    def int8_bounds(self) -> NDArray[np.float32]: ...
    def lower_limits(
        self, lists: Lists, seen: _Counts, bounds8: NDArray[np.float32], threads: int
    ) -> None: ...
    def symmetric(
        self, lists: Lists, parts: _Counts, bounds8: NDArray[np.float32], threads: int
    ) -> None: ...
    def limits(self, d2: _F64) -> NDArray[np.float32]: ...
    def answers(
        self,
        lists: Lists,
        first: int,
        count: int,
        ks: Sequence[_Counts],
        closed: bool,
        threads: int,
        other_pass: Pass | None = None,
        other: Lists | None = None,
        across: bool = False,
        values: _F64 | None = None,
    ) -> dict[str, Any]: ...
    def half_kth(
        self,
        lists: Lists,
        first: int,
        count: int,
        ks: _Counts,
        halvings: int,
        sides: _Sides,
        threads: int,
    ) -> _F64: ...
    def finish(
        self,
        state: Nearest,
        first: int,
        count: int,
        ks: _Counts,
        threads: int,
        other_pass: Pass | None = None,
        other: Nearest | None = None,
    ) -> _F64: ...
    def count_within(
        self, state: Nearest, first: int, count: int, t: _F64, closed: bool, threads: int
    ) -> _Counts: ...
    def scan(
        self,
        tasks: _Tasks,
        first: int,
        count: int,
        threads: int,
        lists: Lists | None = None,
        sides: _Sides | None = None,
    ) -> None: ...
    def ratio(self, ref_t: _F64, best: _F64, first: int, count: int, threads: int) -> None: ...

def intervals(passed: Pass, count: int) -> tuple[_F64, _F64]: ...
def possible(
    passed: Pass,
    query_t: _F64 | None,
    ref_t: _F64 | None,
    threads: int,
    size: int = 960,
    pairs: bool = True,
    by: int | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.bool_] | None, _F64 | None]: ...
def differences(passed: Pass) -> tuple[_F64, _F64]: ...
def pairs(queries: Any, refs: Any, query: _Counts, ref: _Counts) -> _F64: ...
def kernel_sums(
    isa: str, products: _F32, a: _F32, b: _F32, factor: float, shift: float, cubic: bool, same: bool
) -> tuple[_F64, _F64, float]: ...
def unresolved(
    isa: str,
    dim: int,
    scale: float,
    a: Lists,
    b: Lists | None,
    norms: _F64,
    ks: Sequence[_Counts],
    across: bool = False,
) -> dict[str, Any]: ...
