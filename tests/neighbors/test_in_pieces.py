"""Samples in pieces, on a cluster that is right here: the bits of the double loop, whatever the
pieces and the parts."""

from functools import cache

import numpy as np
import pytest
from asked import Truth, check_counts, check_kth, check_union
from hostile_sets import KINDS, points, two_sets
from hypothesis import given
from hypothesis import strategies as st
from paths import examples
from pieces import HalfInPieces, InPieces, even, sharded
from refusals import refused

from prfast.neighbors import NeighborSearch


@cache
def truth(kind, n=260, m=150, d=5):
    return Truth(*two_sets(kind, n, m, d))


def check_within(truth, search, ks):
    d2 = truth.inside.copy()
    np.fill_diagonal(d2, np.inf)
    d2 = np.sort(d2, axis=1)
    ks = [k for k in ks if k < truth.n]
    assert np.array_equal(search.kth_within(truth.x, ks), d2[:, [k - 1 for k in ks]])


def check_sums(truth, search):
    one = NeighborSearch("exact")
    t = float(np.median(truth.between))
    found = search.log_distances(truth.y, truth.x, t)
    assert np.array_equal(found, one.log_distances(truth.y, truth.x, t))
    ref_t = truth.between.min(axis=0)
    ref_t[::7] = -1.0
    found = search.largest_ratio(truth.y, truth.x, ref_t)
    assert np.array_equal(found, one.largest_ratio(truth.y, truth.x, ref_t))


def check_all(truth, search, ks, closed=True):
    rng = np.random.default_rng(0)
    check_kth(truth, search, ks)
    check_within(truth, search, ks)
    check_counts(truth, search, closed, rng)
    check_sums(truth, search)
    for leave_out in ("real", "fake", None):
        check_union(truth, search, ks, closed, leave_out, rng)


# Lengths of pieces, and rows of parts: pieces in groups, pieces that are cut, more parts than are
# put together at a time.
PIECES = [(7, 100), (1, 60), (100, 60), (96, 96), (1000, 97), (30, 20)]


@pytest.mark.parametrize(
    ("kind", "pieces"), [(kind, PIECES[i % 2]) for i, kind in enumerate(KINDS)]
)
def test_hostile_sets_in_pieces(kind, pieces):
    length, rows = pieces
    search = InPieces(even(length), rows, n_jobs=1)
    check_all(truth(kind, 200, 120), search, [1, 5, 40], closed=length == 7)


@pytest.mark.parametrize(("length", "rows"), PIECES[2:])
def test_any_pieces_and_parts(length, rows):
    check_all(truth("few values"), InPieces(even(length), rows, n_jobs=1), [1, 20, 150])


@pytest.mark.parametrize(("kind", "order"), [("sorted", "sorted"), ("each twice", "shuffled")])
def test_some_rows_of_sets_in_pieces(kind, order):
    search = HalfInPieces(even(45), 70, order=order)
    check_all(truth(kind), search, [1, 5, 40], closed=kind == "sorted")


@st.composite
def lengths(draw):
    """Pieces of any sizes, some without rows."""
    cuts = draw(st.lists(st.floats(0, 1), max_size=9))

    def of(n):
        ends = np.sort(np.array([0, *(int(c * n) for c in cuts), n]))
        return np.diff(ends)

    return of


@given(lengths(), st.integers(5, 150), st.sampled_from(["normal", "few values", "each twice"]))
@examples(6)
def test_any_chunks(lengths, rows, kind):
    check_all(truth(kind, 120, 70), InPieces(lengths, rows, n_jobs=1), [1, 9])


def test_what_is_not_answered_in_pieces():
    x = np.random.default_rng(0).normal(size=(20, 3))
    pieces = sharded(x, [20])
    search = NeighborSearch()
    with refused(TypeError, "samples: either arrays or partitioned samples expected, got both"):
        search.kth(x, pieces, [1])
    search.backend = "approximate"  # an extra that need not be there
    message = "backend: 'auto', 'exact', 'tree' expected for partitioned samples, got 'approximate'"
    with refused(ValueError, message):
        search.kth(pieces, pieces, [1])


@cache
def far(scale, shift):
    x, y = points("normal", 700, 9, 0), points("normal", 650, 9, 1)
    return Truth(x, np.float32(scale * y + shift))


FAR = [
    ((1, 100), "real", True),
    ((0.01, 0), "fake", False),
    ((30, 0), "real", True),
    ((30, 0), "fake", False),
    ((1, 3), None, True),
]


@pytest.mark.parametrize(("change", "leave_out", "closed"), FAR)
def test_sets_that_are_far_from_each_other(change, leave_out, closed):
    search, rng = InPieces(even(150), 200, n_jobs=1), np.random.default_rng(2)
    check_union(far(*change), search, [1, 20], closed, leave_out, rng)
