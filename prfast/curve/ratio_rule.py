"""f_γ: which samples a ratio of counts calls real (2024 paper, §3.1).

Of a sample with the counts a (real) and b (generated)

    f_γ = 1[γ a >= b]  for γ >= 1,      f_γ = 1[γ a > b]  for γ < 1   ("Note on symmetry"):

a ratio a/b that ties with 1/γ is real from γ = 1 on, and generated below.  0/0 is the ratio 1.  The
ends are the limits: f_0 says "real" where b = 0 < a alone, f_∞ wherever a > 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s


def rejected(ratios: Float64s, gamma: Float64s, *, log: bool = False) -> NDArray[np.int64]:
    """How many of these ratios, which rise, f_γ calls generated; of each γ in [0, ∞].

    log: the ratios are given by their logarithms.
    """
    with np.errstate(divide="ignore", over="ignore"):
        threshold = -np.log(gamma) if log else 1.0 / gamma
    lowest = -np.inf if log else 0.0
    loose = ((gamma >= 1) & (threshold > lowest)) | np.isposinf(threshold)
    found: Any = [np.searchsorted(ratios, threshold, side) for side in ("left", "right")]
    return np.asarray(np.where(loose, *found), dtype=np.int64)
