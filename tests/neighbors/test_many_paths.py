"""Every question on every path: the bits of the double loop, whatever threads and memory.

Sizes reach what small sets do not: limits of lists from a sample (768 references), lowered ones (at
the end of a super-block, where it is cut), super-blocks of 384 queries."""

import numpy as np
import pytest
from asked import (
    Truth,
    check_all,
    search_with,
)
from hostile_sets import KINDS, two_sets
from hypothesis import given
from hypothesis import strategies as st
from paths import PATHS, examples, on, paths

from prfast.neighbors import passes

SEEDS = st.integers(0, 10**6)


@st.composite
def truths(draw, most=1000):
    """Sets with more points than a sample has, and with fewer; of one and of many features."""
    n = draw(st.sampled_from([most, 780, 500, 300, 193, 96, 5]))
    m = draw(st.sampled_from([1, 40, 200, 450]))
    d = draw(st.sampled_from([1, 2, 5, 16, 40]))
    sets = two_sets(draw(st.sampled_from([*KINDS])), n, m, d, draw(SEEDS))
    return Truth(*sets)


@st.composite
def searches(draw):
    threads = draw(st.sampled_from([1, 1, 1, 2, 3]))
    return search_with(threads, draw(st.sampled_from([20_000, 300_000, 256_000_000])))


def some_ks(data, n):
    return data.draw(
        st.lists(st.sampled_from([1, 2, 5, 30, n // 2, n - 1, n]), min_size=1).map(
            lambda ks: sorted({max(1, k) for k in ks})
        )
    )


@given(truths(), searches(), paths(), st.booleans(), SEEDS, st.data())
@examples(25)
def test_every_task_equals_the_double_loop(truth, search, path, closed, seed, data):
    ks = some_ks(data, min(truth.n, len(truth.y)))
    with on(path):
        check_all(truth, search, ks, closed, np.random.default_rng(seed))


@pytest.fixture(scope="module")
def plain():
    return Truth(*two_sets("normal", 1000, 100, 40))


@pytest.mark.parametrize("path", PATHS)
def test_all_of_it_on_this_path(path, plain):
    """Calls of few queries, so that each question is many."""
    rng = np.random.default_rng(1)
    with on(path), pytest.MonkeyPatch.context() as patch:
        patch.setattr(passes, "FLOPS_A_CALL", 1e6)
        check_all(plain, search_with(3, 300_000), [1, 7], closed=False, rng=rng)
