"""`compute_prdc` as in the package prdc 0.2 (Naeem et al. 2020)."""

from __future__ import annotations

from typing import Any

import numpy as np

from prfast.inputs.errors import ArgumentError
from prfast.inputs.options import read_count
from prfast.scalars import metrics

_KEYS = ("precision", "recall", "density", "coverage")
_ARGUMENTS = {
    "real": "real_features",
    "fake": "fake_features",
    "real and fake": "real_features and fake_features",
    "k": "nearest_k",
}


def compute_prdc(real_features: Any, fake_features: Any, nearest_k: int) -> dict[str, np.float64]:
    """Return precision, recall, density and coverage, a point being in a ball if d < r.

    Example: ``prfast.compat.prdc.compute_prdc(*prfast.reference.TOYS["a"].sample(500), 5)``.
    See also `prfast.metrics`.

    Parameters
    ----------
    real_features, fake_features : array, shapes (n, d) and (m, d)
        Features of real and of generated samples.
    nearest_k : int
        Number of neighbors, a point never its own; from 1 to min(n, m) - 1.

    Notes
    -----
    Differences from prdc: distances are compared exactly as float64 sums.  The original compares
    roots of expanded squares, rounded to float32 for float32 features; ties and duplicates can fall
    on either side there.  A point is left out of its own neighbors by its row; `nearest_k` = min(n,
    m) - 1 is possible; NaN and infinite features are refused; memory stays bounded; nothing is
    printed.  `prfast.metrics` has d <= r, several k at once and more metrics.
    """
    k = read_count("nearest_k", nearest_k)
    try:
        values = dict(metrics(real_features, fake_features, k, _KEYS, ties="open"))
    except ArgumentError as error:
        raise error.renamed(_ARGUMENTS.get(error.argument, error.argument)) from None
    # From the number of pairs, rounded as prdc rounds it.
    inside = round(values["density"] * k * len(fake_features))
    values["density"] = 1 / k * (inside / len(fake_features))
    return {key: np.float64(values[key]) for key in _KEYS}
