"""Losses that bounds are given: how large they may be, of whom, and their means over samples with
masses."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prfast.divergences.phi import Phi, limits
from prfast.inputs.arrays import Float64s, read_losses, read_masses
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_number


def read_top(phi: Phi, loss_max: Any) -> float:
    """The largest loss there can be, at most φ◇(0), where φ* ends."""
    end = limits(phi)[1]
    top = read_number("loss_max", loss_max, 1e-300, 1e300)
    if top > end:
        raise WrongValue(
            "loss_max",
            f"at most {end:.6g} expected, where φ* of {phi.name} ends, "
            f"got {top:g}; scale the losses",
        )
    return top


class Losses(NamedTuple):
    """Losses on the samples of one side, source or target, in rows of hypotheses h'."""

    own: Float64s
    """ℓ(h'; y): (hypotheses, samples)."""
    pairs: Float64s
    """ℓ(h; h'), of the one hypothesis h: (hypotheses, samples)."""
    masses: Float64s
    """Of the samples; their sum is 1."""


def read_sides(
    losses: tuple[Any, Any], pairs: tuple[Any, Any], weights: tuple[Any, Any], top: float
) -> tuple[Losses, Losses]:
    """Source and target: losses in [0, top] of the same hypotheses, on samples of their own."""
    source = read_losses("source_losses", losses[0], top, (-1, -1))
    target = read_losses("target_losses", losses[1], top, (len(source), -1))
    sides = []
    for i, (side, own) in enumerate((("source", source), ("target", target))):
        others = read_losses(f"{side}_pairs", pairs[i], top, own.shape)
        masses = read_masses(f"{side}_weights", weights[i], own.shape[1])
        sides.append(Losses(own, others, masses))
    return sides[0], sides[1]


def mean(values: Any, masses: Float64s) -> Any:
    """Means along the last axis; what has no mass does not count, not even ∞."""
    return np.asarray(values)[..., masses > 0] @ masses[masses > 0]
