import numpy as np
from numpy.typing import NDArray

_F64 = NDArray[np.float64]
_U8 = NDArray[np.uint8]
_U32 = NDArray[np.uint32]

def edges(values: _F64, most: int) -> _F64: ...
def binned(x: _F64, edges: _F64) -> _U8: ...
def boost(
    bins: _U8,
    labels: _U8,
    trees: int,
    leaves: int,
    least: int,
    rate: float,
    l2: float,
    start: float | _F64,
    weights: _F64 | None = ...,
    work: int = ...,
) -> tuple[_U32, _F64]: ...
def add_trees(splits: _U32, values: _F64, bins: _U8, odds: _F64) -> None: ...
