import numpy as np
from numpy.typing import NDArray

_F64 = NDArray[np.float64]

def fit(
    x: _F64, p: _F64, q: _F64, low: float, high: float, smooth: float, heights: _F64
) -> None: ...
def interpolate(
    x: _F64, low: float, high: float, heights: _F64, bound: float, values: _F64
) -> None: ...
