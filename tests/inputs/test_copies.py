"""Equal rows are counted, and none that only looks equal."""

import numpy as np
import pytest

from prfast.inputs import samples
from prfast.inputs.samples import equal_rows, stream


def counts(points, others):
    """By Python's own equality of tuples."""
    known = set(map(tuple, others.tolist()))
    seen, again = set(), 0
    for row in map(tuple, points.tolist()):
        again += row in seen
        seen.add(row)
    return sum(tuple(row) in known for row in points.tolist()), again


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("width", [1, 3, 40])
@pytest.mark.parametrize("values", ["whole", "tenths", "far"])
def test_counts_are_those_of_tuples(dtype, width, values):
    rng = np.random.default_rng(width)
    points, others = (rng.integers(-2, 3, (n, width)).astype(dtype) for n in (300, 200))
    points[50:80] = others[20:50]
    points[100:120] = points[10]
    if values == "tenths":
        points, others = points / dtype(10), others / dtype(10)
    if values == "far":
        points, others = points * dtype(1e30), others * dtype(1e30)
    found = equal_rows(others, points)
    assert (found.copied, len(points) - len(found.counts[1])) == counts(points, others)


def test_zeros_of_both_signs_are_equal_and_both_dtypes_are_compared_as_numbers():
    zeros, minus = np.zeros((4, 2)), -np.zeros((3, 2), np.float32)
    assert equal_rows(minus, zeros).group.tolist() == [0] * 7
    tenth = np.full((1, 2), 0.1)
    assert equal_rows(tenth.astype(np.float32), tenth).copied == 0


# ---- groups ------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtypes", ["dd", "ff", "df"])
def test_groups_are_those_of_tuples(dtypes):
    rng = np.random.default_rng(1)
    real, fake = (
        rng.integers(-1, 2, (size, 4)).astype(t) / 4
        for size, t in zip((90, 70), dtypes, strict=True)
    )
    first: dict = {}
    rows = map(tuple, [*real.tolist(), *fake.tolist()])
    expected = [first.setdefault(row, i) for i, row in enumerate(rows)]
    found = equal_rows(real, fake)
    assert found.group.tolist() == expected
    assert found.copied == counts(fake, real)[0]
    assert [len(one) for one in found.counts] == [
        len(one) - counts(one, one)[1] for one in (real, fake)
    ]


def test_rows_with_equal_keys_that_differ_are_in_no_group(monkeypatch):
    monkeypatch.setattr(samples, "row_keys", lambda points: np.zeros(len(points), np.uint64))
    real, fake = np.array([[1.0, 2.0], [2.0, 1.0]]), np.array([[1.0, 2.0], [3.0, 1.0]])
    assert equal_rows(real, fake).group.tolist() == [0, 1, 0, 3]


def test_groups_of_some_rows_and_what_is_recorded_of_them():
    real, fake = np.array([[1.0], [2.0], [3.0], [2.0]]), np.array([[5.0], [5.0], [3.0], [5.0]])
    found = equal_rows(real, fake)
    assert found.record() == {"distinct": [3, 2], "copied": 1, "discrete": True}
    assert found.units == (2, 1)  # 16 / 6 and 16 / 10
    some = found.of([True, True, False, False], slice(2))
    assert some.record() == {"distinct": [2, 1]}
    assert some.units == (2, 1)
    assert equal_rows(real[:2], fake[2:]).record() == {}
    assert equal_rows(real[:3], fake[2:]).record() == {"copied": 1}


# ---- random streams ----------------------------------------------------------------------------


def test_each_purpose_of_a_seed_has_a_stream_of_its_own():
    drawn = [
        stream(seed, purpose).random() for seed in (0, 1) for purpose in ("split", "bootstrap")
    ]
    assert len({*drawn, np.random.default_rng(0).random()}) == 5
    assert stream(0, "split").random() == drawn[0]
