"""P and Q on finitely many cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from prfast.curve import PRCurve
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import RandomState
from prfast.reference.arguments import read_points, read_shares, read_sizes


class Discrete:
    """P and Q on finitely many cells, with masses p and q (each divided by its sum).

    Samples are cell numbers, as one column of float64.
    """

    def __init__(self, p: Any, q: Any) -> None:
        self.p = read_shares("p", p)
        self.q = read_shares("q", q, length=self.p.size)

    def curve(self) -> PRCurve:
        """The exact curve, α_λ = Σ_i min(λ p_i, q_i) (2018 paper, Theorem 2)."""
        return PRCurve.from_masses(self.p, self.q, info={"reference": "Discrete"})

    def sample(
        self, n: int, m: int | None = None, random_state: RandomState = 0
    ) -> tuple[Any, Any]:
        """n cells of P and m (n by default) of Q, arrays of shape (n, 1) and (m, 1); `random_state`
        is a seed, 0 by default."""
        rng, n, m = read_sizes(n, m, random_state)
        real = rng.choice(self.p.size, n, p=self.p)
        fake = rng.choice(self.q.size, m, p=self.q)
        return real[:, None].astype(np.float64), fake[:, None].astype(np.float64)

    def log_ratio(self, points: Any) -> Float64s:
        """ln p_i / q_i for cell numbers, shape (n, 1); ±∞ where one is 0, ValueError where both
        are."""
        numbers = read_points(points, 1)[:, 0]
        known = np.isin(numbers, np.flatnonzero((self.p > 0) | (self.q > 0)))
        if not known.all():
            row = int((~known).argmax())
            raise WrongValue(
                "points",
                f"cells of positive mass in P or Q, below {self.p.size}, expected, "
                f"got {numbers[row]} in row {row}",
            )
        cells = numbers.astype(np.int64)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.p[cells]) - np.log(self.q[cells]))
