"""Calls of C that nobody should make: a status, and nothing that is not the caller's is touched."""

from ctypes import byref, c_int64

import called
import numpy as np
from called import API, STATUS, at
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

BITS = st.integers(0, 2**64 - 1).map(lambda bits: np.uint64(bits).view(np.float64).item())
NUMBERS = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 0.5, 5e-324, 1e308, -1.0, np.inf, -np.inf, np.nan]), BITS
)
SIZES = st.integers(1, 12)
WRONG_SIZES = st.sampled_from([0, -1, -(2**63), 2**62, 2**63 - 1])
GUARD = 0x7FF8DEADBEEF0000  # a NaN that no function makes


def numbers(size):
    return arrays(np.float64, size, elements=NUMBERS)


def guarded(size):
    """An array, of which a function may write so many, with some after it that it may not."""
    return np.full(size + 4, GUARD, np.uint64).view(np.float64)


def untouched(whole, size):
    return (whole[size:].view(np.uint64) == GUARD).all()


@given(st.data())
@settings(max_examples=50)
def test_sweep_of_any_bits(data):
    real, fake = (data.draw(numbers(data.draw(SIZES))) for _ in range(2))
    sizes = [real.size, fake.size]
    if data.draw(st.booleans()):
        sizes[data.draw(st.integers(0, 1))] = data.draw(WRONG_SIZES)
    given_real = None if data.draw(st.integers(0, 9)) == 0 else real
    room = API.sweep_room(real.size, fake.size)
    p, q, cells = guarded(room), guarded(room), c_int64(-7)
    status = API.sweep(at(given_real), sizes[0], at(fake), sizes[1], at(p), at(q), byref(cells))
    assert STATUS[status]
    assert untouched(p, room)
    assert untouched(q, room)
    if STATUS[status] == "OK":
        assert sizes == [real.size, fake.size]
        assert not np.isnan([*real, *fake]).any()
        assert (p[: cells.value].sum(), q[: cells.value].sum()) == (real.size, fake.size)


@given(st.data())
@settings(max_examples=50)
def test_masses_of_any_bits(data):
    size = data.draw(SIZES)
    p, q, lam = data.draw(numbers(size)), data.draw(numbers(size)), data.draw(numbers(3))
    told = size if data.draw(st.integers(0, 3)) else data.draw(WRONG_SIZES)
    alpha = guarded(3)
    status = API.min_sums(at(p), at(q), told, at(lam), 3, at(alpha))
    assert STATUS[status]
    assert untouched(alpha, 3)
    if STATUS[status] == "OK":
        assert told == size
        assert (alpha[:3] >= 0).all()


@given(st.data())
@settings(max_examples=50)
def test_distances_of_any_bits(data):
    dim = data.draw(st.integers(1, 3))
    x, y = (data.draw(arrays(np.float64, (data.draw(SIZES), dim), elements=NUMBERS)) for _ in "xy")
    ks = np.array(data.draw(st.lists(st.integers(-1, 14), min_size=1, max_size=3)), np.int64)
    first, count = data.draw(st.integers(-1, 12)), data.draw(st.integers(-1, 12))
    within = data.draw(st.integers(-1, 2))
    room = max(count, 0) * ks.size
    d2 = guarded(room)
    sets = called.points(x), called.points(x if within == 1 else y)
    status = API.kth_distances(*sets, within, at(ks), ks.size, first, count, at(d2))
    assert STATUS[status]
    assert untouched(d2, room)
    if STATUS[status] == "OK" and np.isfinite(x).all() and np.isfinite(y).all():
        found = d2[:room].reshape(count, ks.size)
        assert (found >= 0).all()
        assert (np.diff(found[:, np.argsort(ks)], axis=1) >= 0).all()
