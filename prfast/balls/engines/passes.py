"""What a pass of the kernels is given: instruction set, filter, centre and scale, sizes."""

from __future__ import annotations

import os

import numpy as np

import prfast._kernels as _kernels
from prfast.balls.rows import Points, by_block
from prfast.inputs.arrays import Float64s


def isa() -> int:
    """The best instruction set that runs here, or the one named by PRFAST_ISA."""
    wanted = os.environ.get("PRFAST_ISA")
    if wanted is None:
        return max(i for i in _kernels.ISAS.values() if _kernels.isa_runs(i))
    if wanted not in _kernels.ISAS or not _kernels.isa_runs(_kernels.ISAS[wanted]):
        here = ", ".join(name for name, i in _kernels.ISAS.items() if _kernels.isa_runs(i))
        raise ValueError(f"PRFAST_ISA: one of {here} expected on this machine, got {wanted!r}")
    return _kernels.ISAS[wanted]


def _filter_is_off() -> bool:
    """PRFAST_FILTER=off computes every distance in float64: for tests, and to be sure."""
    return os.environ.get("PRFAST_FILTER") == "off"


def _filter_is_void(exponent: int, dim: int) -> bool:
    """Where the bound of csrc/balls.h does not hold: D, or a threshold in the filter's units, would
    leave the normal numbers of float64, or sums of so many float32 bound nothing."""
    return not -470 <= exponent <= 500 or dim >= 1 << 22


def _flops(dim: int) -> int:
    """Of one pair: the products, and what comes with them."""
    return 2 * dim + 64


def _capacity(k: int) -> int:
    """Room of a reservoir: cutting it costs O(room) and frees half."""
    return 2 * k + 16


def _mean(points: Points) -> Float64s:
    total = np.zeros(points.shape[1])
    for block in by_block(points):
        total += block.sum(axis=0, dtype=np.float64)
    return total / len(points)


def _largest_offset(points: Points, centre: Float64s) -> float:
    highest = np.full(points.shape[1], -np.inf)
    lowest = np.full(points.shape[1], np.inf)
    for block in by_block(points):
        np.maximum(highest, block.max(axis=0), out=highest)
        np.minimum(lowest, block.min(axis=0), out=lowest)
    return float(max((highest - centre).max(), (centre - lowest).max()))
