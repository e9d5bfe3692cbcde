"""A fixed order in which the first of some points stand for all, however the points are sorted."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray


def fair(n: int) -> NDArray[np.int64]:
    """The numbers below n, i · step mod n: evenly spread from the first on, as the step is about
    n times the golden section, and each once, as it has no divisor in common with n."""
    step = max(1, round(n * (math.sqrt(5) - 1) / 2))
    while math.gcd(step, n) > 1:
        step += 1
    return np.arange(n, dtype=np.int64) * step % n


def places(order: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each number is in the order."""
    found = np.empty_like(order)
    found[order] = np.arange(len(order))
    return found
