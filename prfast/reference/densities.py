"""P and Q given by their densities."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from prfast.curve import PRCurve
from prfast.inputs.arrays import Float64s, read_numbers
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.options import RandomState, read_count, read_seed
from prfast.inputs.samples import read_samples
from prfast.reference.arguments import read_sizes


class Densities:
    """P and Q given by any two log-densities and samplers.

    Parameters
    ----------
    log_p, log_q : callable
        (n, d) points -> (n,) log-densities with respect to one measure; −∞ where there is no mass.
    sample_p, sample_q : callable
        (rng, n) -> (n, d) points, rng a numpy.random.Generator.
    """

    def __init__(
        self,
        log_p: Callable[[Any], Any],
        log_q: Callable[[Any], Any],
        sample_p: Callable[[np.random.Generator, int], Any],
        sample_q: Callable[[np.random.Generator, int], Any],
    ) -> None:
        functions = {"log_p": log_p, "log_q": log_q, "sample_p": sample_p, "sample_q": sample_q}
        for name, function in functions.items():
            if not callable(function):
                raise WrongType(name, f"a function expected, got {type(function).__name__}")
        self.log_p, self.log_q = log_p, log_q
        self.sample_p, self.sample_q = sample_p, sample_q

    def curve(self, n: int = 1 << 18, random_state: RandomState = 0) -> PRCurve:
        """The curve from n samples of the mixture ½(P + Q), 262_144 by default, of the seed
        `random_state`, 0 by default.

        A sample z carries the masses p ∝ η(z), q ∝ 1 − η(z), η = p/(p + q): the perfect scorer
        without a threshold, so the error is that of means of bounded numbers, ≲ 1/(2√n).
        """
        n = read_count("n", n, at_least=2)
        seed = read_seed(random_state)
        ratio = np.concatenate([self.log_ratio(z) for z in self.sample(n - n // 2, n // 2, seed)])
        from scipy.special import expit

        info = {"reference": type(self).__name__, "n": n, "random_state": seed}
        return PRCurve.from_masses(expit(ratio), expit(-ratio), info=info)

    def sample(
        self, n: int, m: int | None = None, random_state: RandomState = 0
    ) -> tuple[Any, Any]:
        """n points of P and m (n by default) of Q, float64, shapes (n, d) and (m, d);
        `random_state` is a seed, 0 by default."""
        rng, n, m = read_sizes(n, m, random_state)
        real = read_samples("sample_p(rng, n)", self.sample_p(rng, n))
        fake = read_samples("sample_q(rng, n)", self.sample_q(rng, m))
        return real, fake

    def log_ratio(self, points: Any) -> Float64s:
        """ln dP/dQ at points (n, d); ±∞ where one density is 0, ValueError where both are."""
        points = read_samples("points", points)
        logs = []
        for name, function in (("log_p", self.log_p), ("log_q", self.log_q)):
            values = read_numbers(name, function(points)).astype(np.float64)
            if values.shape != (points.shape[0],):
                raise WrongValue(
                    name,
                    f"shape {(points.shape[0],)} expected for {points.shape[0]} points, "
                    f"got {values.shape}",
                )
            if np.isnan(values).any() or np.isposinf(values).any():
                raise WrongValue(name, "finite numbers or −∞ expected, got nan or ∞")
            logs.append(values)
        nowhere = np.isneginf(logs[0]) & np.isneginf(logs[1])
        if nowhere.any():
            raise WrongValue(
                "points",
                f"a positive density of P or Q expected, got none in row {nowhere.argmax()}",
            )
        return np.asarray(logs[0] - logs[1])
