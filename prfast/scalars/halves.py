"""Split-half errors of metrics.

Both sets are cut in two at random, and the metrics T₁ and T₂ of the two pairs
of halves are computed.  The halves are independent, and the variance of a metric is about
proportional to 1/n, so

    Var(T) ≈ mean over halvings of ((T₁ − T₂) / 2)²,   Cov(T, T') likewise by products:

models whose real samples are cut into the same halves share that part of the noise.  A jackknife
that leaves out a tenth gives standard deviations that are 1.0 to 1.9 times too large, since
neighbors are not a smooth function of the samples.  For distances between equal distributions the
variance falls as 1/n², and the split-half deviation is √2 times too large.

Measured for differences of two models with ten halvings, n = 1000, d = 4, 8 and 32, 80 to 150
replications each: intervals of nominal level 0.95 cover 0.90 to 1.00 for every usual metric, most
of them 0.92 to 0.97; the deviation is 0.83 to 1.16 times that of the replications.  The Fréchet and
the kernel distance and authenticity were not among them.

A metric's own standard error, where it has one, takes precedence: a few halvings estimate a
deviation roughly, and they suppose a variance that falls as 1/n, where that of the kernel distance
of equal distributions falls as 1/n².
"""

from __future__ import annotations

from typing import Any

import numpy as np

from prfast.inputs.arrays import Floats
from prfast.inputs.errors import WrongValue
from prfast.inputs.samples import SampleSet
from prfast.neighbors import NeighborSearch
from prfast.neighbors.tasks import select
from prfast.scalars.measure import Halves, check_sizes, measure
from prfast.scalars.table import MetricOptions


def halve(
    real: Floats,
    fake: Floats,
    options: MetricOptions,
    search: NeighborSearch,
    halvings: int,
    *,
    seed: int,
    reference: int | None = None,
) -> Halves:
    """Return the split-half differences of metrics, for samples that have been read and one k.

    reference: checksum of the real samples, if it is known.
    """
    check_halves(len(real), len(fake), options)
    cuts = [_cuts(len(points), halvings, [seed, i]) for i, points in enumerate((real, fake))]
    differences: dict[str, Any] = {name: np.empty(halvings) for name in options.names}
    for i, (x, y) in enumerate(zip(*cuts, strict=True)):
        halves = ((_rows(real, a), _rows(fake, b)) for a, b in zip(x, y, strict=True))
        first, second = (measure(*half, options, search)[options.ks[0]] for half in halves)
        for name, values in differences.items():
            values[i] = (first[name] - second[name]) / 2
    return Halves(differences, None if reference is None else (reference, seed, halvings))


def _rows(points: Any, rows: Any) -> Any:
    return select(points, rows) if isinstance(points, SampleSet) else points[rows]


def check_halves(n: int, m: int, options: MetricOptions) -> None:
    """Raise WrongValue if a half has too few samples for the metrics."""
    try:
        check_sizes(n // 2, m // 2, options)
    except WrongValue as error:
        raise WrongValue("halvings", f"halves of {n} and {m} samples: {error}") from None


def _cuts(size: int, halvings: int, seed: list[int]) -> list[list[Any]]:
    """Return the sorted rows of both halves, for each halving."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(2,)))
    cuts = []
    for _ in range(halvings):
        order = rng.permutation(size)
        cuts.append([np.sort(order[: size // 2]), np.sort(order[size // 2 :])])
    return cuts
