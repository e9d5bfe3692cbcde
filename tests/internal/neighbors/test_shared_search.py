"""One search, many threads of Python: each has the answers that it would have alone."""

import numpy as np
import pytest
from helpers import at_once
from paths import union

from prfast.kernels import masses
from prfast.neighbors import Count, NeighborSearch

THREADS = 8
RNG = np.random.default_rng(0)
X = RNG.normal(size=(1540, 6)).astype(np.float32)  # each pair of it is computed once
SETS = [(RNG.normal(size=(200 + 10 * i, 6)) + 0.1 * i).astype(np.float32) for i in range(THREADS)]
RADII = 0.5 + RNG.random(len(X))


def questions(search, queries, refs):
    """Return the answers of a search to several questions."""
    counts = [Count(None, RADII, True, np.zeros(len(queries), np.int64), None, 1)]
    near = union(search, queries, refs, X, [1, 3], [2], [4], across=True, counts=counts)
    inside = search.kth_within(X, [1, 5])
    ratio = search.largest_ratio(queries, X, RADII)
    arrays = near.d2_a, near.d2_b, near.d2_both, near.of_a, near.of_b, near.across_a, near.across_b
    return [*arrays, counts[0].rows, inside, ratio]


def check_same(result, expected):
    for arrays, expected_arrays in zip(result, expected, strict=True):
        for array, expected_array in zip(arrays, expected_arrays, strict=True):
            np.testing.assert_array_equal(array, expected_array)


@pytest.mark.parametrize("backend", ["exact", "tree"])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_threads_that_share_a_search_have_the_answers_of_their_own(backend, n_jobs):
    alone = [questions(NeighborSearch("exact"), refs, refs[:150]) for refs in SETS]
    search = NeighborSearch(backend, n_jobs=n_jobs)
    calls = [lambda refs=refs: questions(search, refs, refs[:150]) for refs in SETS]
    check_same(at_once(calls), alone)


def test_kernels_are_called_by_many_threads():
    scores = [RNG.normal(size=40_000).astype(kind) for kind in (np.float32, np.float64)] * 4

    def call(x):
        return masses.sort(x, -x, 2), masses.sweep(np.sort(x), np.sort(-x))

    results = at_once([lambda x=x: call(x) for x in scores])
    for x, (sorted_scores, swept) in zip(scores, results, strict=True):
        np.testing.assert_array_equal(sorted_scores, (np.sort(x), np.sort(-x)))
        assert swept[0].sum() == swept[1].sum() == len(x)
