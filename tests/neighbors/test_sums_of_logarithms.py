"""Σ ½ ln(D / t) over many references: batches of D, groups and super-blocks of references."""

import math

import numpy as np
import oracles
import pytest
from paths import PATHS, on

from prfast.neighbors import NeighborSearch

QUERIES, REFERENCES = 26, 1700  # strips and groups that are not full
DIMS = (3, 13, 64)  # with and without columns beyond a vector


def samples(dim, dtype):
    rng = np.random.default_rng(dim)
    return rng.normal(size=(QUERIES, dim)).astype(dtype), rng.normal(size=(REFERENCES, dim)).astype(
        dtype
    )


def double_loop(d2, t):
    """In the order of the references."""
    found = np.zeros(len(d2))
    for i, row in enumerate(d2.tolist()):
        for d in row:
            if d < t:
                found[i] += 0.5 * math.log(d / t)
    return found


@pytest.mark.parametrize("path", [path for path in PATHS if not path.endswith("int8")])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_of_few_references_of_some_and_of_nearly_all(path, dtype):
    """Of few the filter decides; of nearly all it is given up after the first group."""
    for dim in DIMS:
        queries, refs = samples(dim, dtype)
        d2 = oracles.squared_distances(queries, refs)
        for share in (0.01, 0.2, 0.9):
            t = float(np.quantile(d2, share))
            for memory in (256_000_000, 1_000_000):  # of that, two super-blocks
                with on(path):
                    found = NeighborSearch("exact", n_jobs=1, memory=memory).log_distances(
                        queries, refs, t
                    )
                assert np.array_equal(found, double_loop(d2, t))
