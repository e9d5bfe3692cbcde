"""`compute_prdc` as in the package prdc 0.2 (Naeem et al. 2020)."""

from __future__ import annotations

from typing import Any

import numpy as np

from prfast.inputs.arrays import read_samples
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_count
from prfast.inputs.samples import check_alike
from prfast.inputs.tables import labels_of, match_columns, opened
from prfast.scalars import metrics

_KEYS = ("precision", "recall", "density", "coverage")


def compute_prdc(real_features: Any, fake_features: Any, nearest_k: int) -> dict[str, np.float64]:
    """Precision, recall, density and coverage, a point in a ball if d < r.

    Parameters
    ----------
    real_features, fake_features : array, shapes (n, d) and (m, d)
        Features of real and of generated samples.
    nearest_k : int
        Number of neighbors, a point never its own; from 1 to min(n, m) - 1.

    Returns
    -------
    dict
        "precision", "recall", "density", "coverage", rounded as prdc rounds them.

    Raises
    ------
    TypeError, ValueError
        Naming the argument, what was expected and what came.

    Notes
    -----
    What differs from prdc: distances are compared exactly as float64 sums, where prdc compares
    roots of expanded squares, rounded to float32 for float32 features, so that ties and duplicates
    can fall on either side there; a point is left out of its own neighbors by its row;
    `nearest_k` = min(n, m) - 1 is possible; NaN and infinite features are refused; memory stays
    bounded; nothing is printed.  `prfast.metrics` has d <= r, several k at once and more metrics.
    """
    table = opened("real_features", real_features)
    known = labels_of(table)
    check_alike("real_features", real_features, "fake_features", fake_features)
    fake = match_columns("fake_features", fake_features, known, "real_features")
    real = read_samples("real_features", table, at_least=2)
    fake = read_samples("fake_features", fake, at_least=2)
    if real.shape[1] != fake.shape[1]:
        raise WrongValue(
            "real_features and fake_features",
            f"the same number of features expected, got {real.shape[1]} and {fake.shape[1]}",
        )
    k = read_count("nearest_k", nearest_k, at_most=min(len(real), len(fake)) - 1)
    found = dict(metrics(real, fake, k, _KEYS, ties="open"))
    inside = round(found["density"] * k * len(fake))  # a count
    found["density"] = 1 / k * (inside / len(fake))
    return {key: np.float64(found[key]) for key in _KEYS}
