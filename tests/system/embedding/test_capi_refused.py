"""The public C functions say what does not fit, and do nothing with it."""

from ctypes import byref, c_int64

import numpy as np
import pytest
from called import API, STATUS, at, points

MOST = 2**63 - 1
X, ZERO, HUGE = np.arange(12.0), np.zeros(12), np.full(12, 1e308)
NAN, MINUS = np.append(X[:-1], np.nan), np.append(X[:-1], -1.0)
NAN_RADII, ANY_RADII = np.append(X[:5], np.nan), np.array([-1.0, -np.inf, np.inf, 0.0, 1.0, 2.0])
ONE, ZEROTH, SIXTH, SEVENTH = (np.array(k, np.int64) for k in ([1], [0], [1, 6], [1, 7]))
OUT, INTS = np.empty(64), np.empty(64, np.int64)
OUTS, CELLS = (at(OUT), at(OUT[20:]), at(OUT[40:])), byref(c_int64())
SETS = points(X.reshape(6, 2)), points(X.reshape(6, 2))

CALLS = [
    ("sweep", (None, 3, at(X), 3, *OUTS[:2], CELLS), "BAD_POINTER"),
    ("sweep", (at(X) + 4, 3, at(X), 3, *OUTS[:2], CELLS), "BAD_POINTER"),
    ("sweep", (at(X), 3, at(X), 3, None, OUTS[1], CELLS), "BAD_POINTER"),
    ("sweep", (at(X), 3, at(X), 3, *OUTS[:2], None), "BAD_POINTER"),
    ("sweep", (at(X), 0, at(X), 3, *OUTS[:2], CELLS), "BAD_SIZE"),
    ("sweep", (at(X), 2**31, at(X), 3, *OUTS[:2], CELLS), "BAD_SIZE"),
    ("sweep", (at(NAN), 12, at(X), 3, *OUTS[:2], CELLS), "BAD_NUMBER"),
    ("vertices", (None, at(X), 12, *OUTS), "BAD_POINTER"),
    ("vertices", (at(X), at(X), 12, None, *OUTS[1:]), "BAD_POINTER"),
    ("vertices", (at(X), at(X), 12, *OUTS[:2], None), "OK"),
    ("vertices", (at(X), at(ZERO), 12, *OUTS), "BAD_NUMBER"),
    ("vertices", (at(X), at(MINUS), 12, *OUTS), "BAD_NUMBER"),
    ("vertices", (at(HUGE), at(HUGE), 12, *OUTS), "OK"),
    ("min_sums", (None, at(X), 12, at(X), 12, at(OUT)), "BAD_POINTER"),
    ("min_sums", (at(X), at(X), 0, at(X), 12, at(OUT)), "BAD_SIZE"),
    ("min_sums", (at(X), at(X), 12, at(X), MOST, at(OUT)), "BAD_SIZE"),
    ("min_sums", (at(MINUS), at(X), 12, at(X), 12, at(OUT)), "BAD_NUMBER"),
    ("min_sums", (at(X), at(X), 12, at(MINUS), 12, at(OUT)), "BAD_NUMBER"),
    ("min_sums", (at(HUGE), at(X), 12, at(X), 12, at(OUT)), "OUT_OF_RANGE"),
    ("kth_distances", (*SETS, 2, at(ONE), 1, 0, 6, at(OUT)), "BAD_OPTION"),
    ("kth_distances", (*SETS, 0, at(ZEROTH), 1, 0, 6, at(OUT)), "BAD_K"),
    ("kth_distances", (*SETS, 0, at(SEVENTH), 2, 0, 6, at(OUT)), "BAD_K"),
    ("kth_distances", (*SETS, 0, at(SIXTH), 2, 0, 6, at(OUT)), "OK"),
    ("kth_distances", (*SETS, 0, None, 1, 0, 6, at(OUT)), "BAD_POINTER"),
    ("kth_distances", (*SETS, 0, at(ONE), 1, 0, 6, None), "BAD_POINTER"),
    ("kth_distances", (*SETS, 0, at(ONE), MOST, 0, 6, at(OUT)), "BAD_SIZE"),
    ("kth_distances", (*SETS, 0, at(ONE), 1, -1, 6, at(OUT)), "BAD_SIZE"),
    ("kth_distances", (*SETS, 0, at(ONE), 1, 1, 6, at(OUT)), "BAD_SIZE"),
    ("kth_distances", (*SETS, 0, at(ONE), 1, MOST, MOST, at(OUT)), "BAD_SIZE"),
    ("count", (*SETS, None, None, 1, 0, 6, at(INTS), None), "BAD_OPTION"),
    ("count", (*SETS, at(X), at(X), 1, 0, 6, at(INTS), None), "BAD_OPTION"),
    ("count", (*SETS, at(X), None, 1, 0, 7, at(INTS), None), "BAD_SIZE"),
    ("count", (*SETS, at(X), None, 1, 5, 1, at(INTS), None), "OK"),
    ("count", (*SETS, at(X), None, 1, 0, 6, None, None), "OK"),
    ("count", (*SETS, at(X), None, 1, 0, 6, at(INTS) + 4, None), "BAD_POINTER"),
    ("count", (*SETS, at(NAN_RADII), None, 1, 0, 6, at(INTS), None), "BAD_NUMBER"),
    ("count", (*SETS, None, at(NAN_RADII), 1, 0, 5, at(INTS), None), "BAD_NUMBER"),
    ("count", (*SETS, None, at(ANY_RADII), 1, 0, 6, at(INTS), None), "OK"),
]


@pytest.mark.parametrize(
    ("function", "arguments", "status"),
    CALLS,
    ids=range(len(CALLS)),  # not by addresses, which differ in each process
)
def test_a_function_says_whether_its_arguments_fit(function, arguments, status):
    assert STATUS[getattr(API, function)(*arguments)] == status


def changed(**fields):
    """Return a set of points with another member."""
    result = points(X.reshape(6, 2))
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
        (points(NAN.reshape(6, 2)), "BAD_NUMBER"),
        (points(HUGE.reshape(6, 2)), "OUT_OF_RANGE"),
        (points((X * 1e-300).reshape(6, 2)), "OUT_OF_RANGE"),
    ],
)
def test_points_that_are_none_are_refused_on_either_side(bad, status):
    good = SETS[0] if status != "OUT_OF_RANGE" else points(np.zeros((6, 2)))
    for sets in ((bad, good), (good, bad)):
        found = API.kth_distances(*sets, 0, at(ONE), 1, 0, 6, at(OUT))
        counted = API.count(*sets, at(ZERO), None, 1, 0, 6, at(INTS), None)
        assert STATUS[found] == STATUS[counted] == status


def test_every_status_has_a_text_of_its_own():
    texts = [API.status_text(status).decode() for status in (*STATUS, 99, -1)]
    assert texts[-1] == texts[-2] == "prfast: a status expected, got another number"
    assert len(set(texts)) == len(STATUS) + 1
