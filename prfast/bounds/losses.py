"""Losses that bounds are given: how large they may be, and their means over samples with masses."""

from __future__ import annotations

from typing import Any

import numpy as np

from prfast.bounds.multipliers import limits
from prfast.divergences.phi import Phi
from prfast.inputs.arrays import Float64s, read_weights
from prfast.inputs.options import read_number


def read_top(phi: Phi, loss_max: Any) -> float:
    """The largest loss there can be, at most φ◇(0), where φ* ends."""
    end = limits(phi)[1]
    top = read_number("loss_max", loss_max, 1e-300, 1e300)
    if top > end:
        raise ValueError(
            f"loss_max: at most {end:.6g} expected, where φ* of {phi.name} ends, "
            f"got {top:g}; scale the losses"
        )
    return top


def read_masses(name: str, weights: Any, length: int) -> Float64s:
    """Weights divided by their sum."""
    weights = np.ones(length) if weights is None else read_weights(name, weights, length)
    weights = weights / weights.max()
    return np.asarray(weights / weights.sum())


def mean(values: Any, masses: Float64s) -> Any:
    """Means along the last axis; what has no mass does not count, not even ∞."""
    return np.asarray(values)[..., masses > 0] @ masses[masses > 0]
