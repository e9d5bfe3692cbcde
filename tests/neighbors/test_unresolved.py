"""Lists that are taken, put together and asked without their references."""

import numpy as np
import oracles
import pytest

from prfast.kernels import distances
from prfast.kernels.capabilities import isa
from prfast.neighbors.engines.lists import frame_of, new_pass

X = np.random.default_rng(0).normal(size=(500, 5)).astype(np.float32)
Q = X[:90] + np.float32(0.25)
D2 = oracles.squared_distances(Q, X)
FRAME = frame_of(X, Q)
NONE = np.empty(0, np.int64)
NORMS = (((Q - FRAME.center) * FRAME.scale).astype(np.float32).astype(float) ** 2).sum(1)


def lists_of(refs, reach=None):
    """What the queries have in some references, as far as they reach."""
    one = new_pass(Q, refs, len(refs), False, FRAME)
    one.load(0, len(refs), 1)
    lists = distances.Lists(len(Q), 20, 300)
    if reach is not None:
        lists.limit_to(one.limits(reach))
    one.scan([], 0, len(Q), 1, lists)
    return lists


def together(reach=None, cut=200):
    lists = distances.Lists(len(Q), 1, 900)
    for start, stop in ((0, cut), (cut, 500)):
        fill, key, ref, limit = lists_of(X[start:stop], reach).to_arrays(len(Q))
        lists.merge(fill, key, ref + np.int32(start), limit)
    return lists


def ask(lists, ks, other=None, across=False):
    return distances.unresolved(isa(), 5, FRAME.scale, lists, other, NORMS, ks, across)


def kth(told, k, d2):
    """Of the first ball: the k-th of what is open, after what is certain."""
    found = []
    for i in range(len(Q)):
        open_d2 = np.sort(d2[told["query"] == i])
        assert len(open_d2) == told["opened"][i].sum()
        found.append(open_d2[k - told["below"][i, 0, 0] - 1])
    return np.array(found)


@pytest.mark.parametrize("shortened", [False, True])
def test_what_is_open_has_the_kth(shortened):
    reach = np.sort(D2, axis=1)[:, 40].copy()
    lists = together(reach)
    if shortened:
        lists.shorten(isa(), 5, FRAME.scale, NORMS, 20)
        assert 20 <= lists.to_arrays(len(Q))[0].mean() < 25
    told = ask(lists, (np.array([20]), NONE, NONE))
    assert not told["failed"].any()
    assert len(told["query"]) < 4 * len(Q)
    d2 = distances.pairs(Q, X, told["query"].astype(np.int64), told["ref"].astype(np.int64))
    assert np.array_equal(d2, D2[told["query"], told["ref"]])
    assert np.array_equal(kth(told, 20, d2), np.sort(D2, axis=1)[:, 19])


def test_all_within_reach_is_listed():
    reach = np.sort(D2, axis=1)[:, 40].copy()
    fill, _, ref, _ = lists_of(X, reach).to_arrays(len(Q))
    for i, listed in enumerate(np.split(ref, np.cumsum(fill)[:-1])):
        assert set(np.flatnonzero(D2[i] <= reach[i])) <= set(listed)
    assert lists_of(X, np.full(len(Q), -1.0)).to_arrays(len(Q))[0].max() == 0


def test_what_lists_do_not_reach_is_not_told():
    lists = together(np.sort(D2, axis=1)[:, 9].copy())
    assert ask(lists, (np.array([30]), NONE, NONE))["failed"].all()
    far = ask(lists, (np.array([5]), np.array([15]), NONE), together(), across=True)
    assert not far["failed"].any()
    assert (far["below"][:, 1, 0] == -1).all()  # of the first set in balls of the second
    assert (far["below"][:, 0, 1] >= 0).all()


def test_more_than_a_list_holds_is_put_together_as_that():
    lists, other = distances.Lists(len(Q), 1, 900), lists_of(X)
    fill, key, ref, limit = other.to_arrays(len(Q))
    lists.merge(np.full_like(fill, -1), key[:0], ref[:0], limit)
    lists.merge(fill, key, ref, limit)
    assert lists.failed == len(Q)
    assert ask(lists, (np.array([1]), NONE, NONE))["failed"].all()
