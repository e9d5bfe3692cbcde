"""The public C functions say what does not fit, and do nothing with it."""

from ctypes import byref, c_int64

import numpy as np
import pytest
from called import API, STATUS, at, points

X = np.arange(12.0)
OUT = np.empty(64)
INTS = np.empty(64, np.int64)
MOST = 2**63 - 1


def status_of(function, *arguments):
    return STATUS[getattr(API, function)(*arguments)]


def with_nan(x, value=np.nan):
    return np.append(x[:-1], value)


NAN, MINUS, HUGE = with_nan(X), with_nan(X, -1.0), np.full(12, 1e308)
ZERO = np.zeros(12)


@pytest.mark.parametrize(
    ("real", "n", "fake", "m", "p", "status"),
    [
        (None, 3, at(X), 3, at(OUT), "BAD_POINTER"),
        (at(X) + 4, 3, at(X), 3, at(OUT), "BAD_POINTER"),
        (at(X), 3, at(X), 3, None, "BAD_POINTER"),
        (at(X), 0, at(X), 3, at(OUT), "BAD_SIZE"),
        (at(X), 2**31, at(X), 3, at(OUT), "BAD_SIZE"),
        (at(NAN), 12, at(X), 3, at(OUT), "BAD_NUMBER"),
    ],
    ids=range(6),  # not by their addresses, which differ in each process
)
def test_sweep_refuses(real, n, fake, m, p, status):
    result = byref(c_int64())
    assert status_of("sweep", real, n, fake, m, p, at(OUT), result) == status
    assert status_of("sweep", real, n, fake, m, p, at(OUT), None) == "BAD_POINTER"


@pytest.mark.parametrize(
    ("p", "q", "number", "status"),
    [
        (None, X, 12, "BAD_POINTER"),
        (X, ZERO, 12, "BAD_NUMBER"),
        (X, MINUS, 12, "BAD_NUMBER"),
        (HUGE, HUGE, 12, "OK"),
    ],
)
def test_vertices_refuse(p, q, number, status):
    out = at(OUT), at(OUT[20:]), at(OUT[40:])
    assert status_of("vertices", at(p), at(q), number, *out) == status
    assert status_of("vertices", at(X), at(X), 12, None, *out[1:]) == "BAD_POINTER"
    assert status_of("vertices", at(X), at(X), 12, *out[:2], None) == "OK"


@pytest.mark.parametrize(
    ("p", "number", "lam", "lams", "status"),
    [
        (None, 12, X, 12, "BAD_POINTER"),
        (X, 0, X, 12, "BAD_SIZE"),
        (X, 12, X, MOST, "BAD_SIZE"),
        (MINUS, 12, X, 12, "BAD_NUMBER"),
        (X, 12, MINUS, 12, "BAD_NUMBER"),
        (HUGE, 12, X, 12, "OUT_OF_RANGE"),
    ],
)
def test_min_sums_refuse(p, number, lam, lams, status):
    assert status_of("min_sums", at(p), at(X), number, at(lam), lams, at(OUT)) == status


SET = X.reshape(6, 2)


def changed(**fields):
    """Return a set of points with another member."""
    result = points(SET)
    for name, value in fields.items():
        setattr(result, name, value)
    return result


@pytest.mark.parametrize(
    ("bad", "status"),
    [
        (None, "BAD_POINTER"),
        (changed(rows=at(X) + 1), "BAD_POINTER"),
        (changed(count=0), "BAD_SIZE"),
        (changed(count=2**31), "BAD_SIZE"),
        (changed(stride=1), "BAD_SIZE"),
        (changed(stride=MOST), "BAD_SIZE"),
        (changed(dim=-MOST), "BAD_SIZE"),
        (changed(dim=1), "BAD_SIZE"),  # of another dimension than the other set
        (changed(wide=2), "BAD_OPTION"),
        (changed(reserved=1), "BAD_OPTION"),
        (points(with_nan(X, -np.inf).reshape(6, 2)), "BAD_NUMBER"),
        (points(HUGE.reshape(6, 2)), "OUT_OF_RANGE"),
        (points((X * 1e-300).reshape(6, 2)), "OUT_OF_RANGE"),
    ],
)
def test_points_that_are_none_are_refused_on_either_side(bad, status):
    good = points(SET if status != "OUT_OF_RANGE" else np.zeros((6, 2)))
    k = np.ones(1, np.int64)
    for sets in ((bad, good), (good, bad)):
        assert status_of("kth_distances", *sets, 0, at(k), 1, 0, 6, at(OUT)) == status
        counted = status_of("count", *sets, at(ZERO), None, 1, 0, 6, at(INTS), None)
        assert counted == status


@pytest.mark.parametrize(
    ("within", "ks", "ks_count", "first", "count", "status"),
    [
        (2, [1], 1, 0, 6, "BAD_OPTION"),
        (0, [0], 1, 0, 6, "BAD_K"),
        (0, [1, 7], 2, 0, 6, "BAD_K"),
        (0, [1, 6], 2, 0, 6, "OK"),
        (0, None, 1, 0, 6, "BAD_POINTER"),
        (0, [1], MOST, 0, 6, "BAD_SIZE"),
        (0, [1], 1, -1, 6, "BAD_SIZE"),
        (0, [1], 1, 1, 6, "BAD_SIZE"),
        (0, [1], 1, MOST, MOST, "BAD_SIZE"),
    ],
)
def test_kth_distances_refuse(within, ks, ks_count, first, count, status):
    ks = None if ks is None else np.array(ks, np.int64)
    options = within, at(ks), ks_count, first, count
    sets = points(SET), points(SET)
    assert status_of("kth_distances", *sets, *options, at(OUT)) == status
    assert status_of("kth_distances", *sets, *options, None) != "OK"


@pytest.mark.parametrize(
    ("query_t", "ref_t", "closed", "first", "count", "status"),
    [
        (None, None, 1, 0, 6, "BAD_OPTION"),
        (X, X, 1, 0, 6, "BAD_OPTION"),
        (X, None, 1, 0, 7, "BAD_SIZE"),
        (X, None, 1, 5, 1, "OK"),
        (with_nan(X[:6]), None, 1, 0, 6, "BAD_NUMBER"),
        (None, with_nan(X[:6]), 1, 0, 5, "BAD_NUMBER"),
        (None, np.array([-1.0, -np.inf, np.inf, 0.0, 1.0, 2.0]), 1, 0, 6, "OK"),
    ],
)
def test_count_refuses(query_t, ref_t, closed, first, count, status):
    sets = points(SET), points(SET)
    options = at(query_t), at(ref_t), closed, first, count
    assert status_of("count", *sets, *options, at(INTS), None) == status
    assert status_of("count", *sets, *options, None, None) == status
    assert status_of("count", *sets, *options, at(INTS) + 4, None) != "OK"


def test_every_status_has_a_text_of_its_own():
    texts = [API.status_text(status).decode() for status in (*STATUS, 99, -1)]
    assert texts[-1] == texts[-2] == "prfast: a status expected, got another number"
    assert len(set(texts)) == len(STATUS) + 1
    assert texts[5] == "prfast: k from 1 to the number of neighbors expected"
