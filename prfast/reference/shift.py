"""P = N(0, I) and Q = N(μ, I), the pair of the 2024 paper's Table 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from prfast.curve import PRCurve
from prfast.inputs.arrays import Float64s, read_lambdas, read_shaped
from prfast.inputs.options import RandomState, read_count, read_number
from prfast.reference.arguments import read_points, read_sizes
from prfast.reference.level_sets import CELLS, line_curve


class GaussianShift:
    """P = N(0, I_d) and Q = N(μ1, I_d) at distance Δ = ‖μ1‖ = μ√d; `dim`, 1 by
    default, is d.

    α_λ = λ Φ(−ln λ/Δ − Δ/2) + Φ(ln λ/Δ − Δ/2).
    """

    def __init__(self, delta: float, dim: int = 1) -> None:
        self.delta = read_number("delta", delta, 0.0, 1e3)
        self.dim = read_count("dim", dim)

    def alpha(self, lam: Any) -> Float64s:
        """The closed form of α at λ in [0, ∞], any shape."""
        from scipy.special import ndtr

        lam, shape = read_shaped("lam", lam, read_lambdas)
        lam = lam.reshape(shape)
        if self.delta == 0:
            return np.asarray(np.minimum(lam, 1.0))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            t = np.log(lam) / self.delta
            real = np.where(np.isposinf(lam), 0.0, lam * ndtr(-t - self.delta / 2))
        return np.asarray(real + ndtr(t - self.delta / 2))

    def curve(self, cells: int = CELLS) -> PRCurve:
        """The curve on `cells` intervals of the log-ratio, 32_768 by default: α is exact at the
        ratios of their ends, and between them too high by at most about 0.05 Δ ((24 + Δ) / cells)²,
        3e-8 for Δ = 1."""
        cells = read_count("cells", cells, at_least=3)
        info = {"reference": "GaussianShift", "delta": self.delta, "cells": cells}
        if self.delta == 0:
            return PRCurve.from_masses([1.0], [1.0], info=info)
        # Along the line through both means P is N(0, 1), Q is N(Δ, 1).
        return line_curve(cells, np.array([0.0, self.delta]), np.ones(2), np.eye(2), info)

    def sample(
        self, n: int, m: int | None = None, random_state: RandomState = 0
    ) -> tuple[Any, Any]:
        """n points of P and m (n by default) of Q, float64, shapes (n, dim) and (m, dim);
        `random_state` is a seed, 0 by default."""
        rng, n, m = read_sizes(n, m, random_state)
        shift = self.delta / np.sqrt(self.dim)
        return rng.standard_normal((n, self.dim)), rng.standard_normal((m, self.dim)) + shift

    def log_ratio(self, points: Any) -> Float64s:
        """ln dP/dQ = Δ²/2 − Δ ⟨z, 1⟩/√d."""
        points = read_points(points, self.dim)
        along = points.sum(axis=1, dtype=np.float64) / np.sqrt(self.dim)
        return np.asarray(self.delta**2 / 2 - self.delta * along)
