"""Equal rows are counted, and none that only looks equal."""

import numpy as np
import pytest

from prfast.samples.pair import Pair
from prfast.samples.repetition import equal_groups


def repetition(real, fake):
    return Pair.read(real, fake).repetition


def counts(points, refs):
    """Return the counts by Python's own equality of tuples."""
    ref_rows = set(map(tuple, refs.tolist()))
    seen, again = set(), 0
    for row in map(tuple, points.tolist()):
        again += row in seen
        seen.add(row)
    return sum(tuple(row) in ref_rows for row in points.tolist()), again


def test_zeros_of_both_signs_are_equal_and_both_dtypes_are_compared_as_numbers():
    zeros, minus = np.zeros((4, 2)), -np.zeros((3, 2), np.float32)
    assert repetition(minus, zeros).group.tolist() == [0] * 7
    tenth = np.full((1, 2), 0.1)
    assert repetition(tenth.astype(np.float32), tenth).copied == 0


@pytest.mark.parametrize("dtypes", ["dd", "ff", "df"])
def test_groups_are_those_of_tuples(dtypes):
    rng = np.random.default_rng(1)
    sizes = zip((90, 70), dtypes, strict=True)
    real, fake = (rng.integers(-1, 2, (n, 4)).astype(t) / 4 for n, t in sizes)
    first: dict = {}
    rows = map(tuple, [*real.tolist(), *fake.tolist()])
    expected = [first.setdefault(row, i) for i, row in enumerate(rows)]
    result = repetition(real, fake)
    assert result.group.tolist() == expected
    assert result.copied == counts(fake, real)[0]
    assert [len(count) for count in result.counts] == [
        len(points) - counts(points, points)[1] for points in (real, fake)
    ]


def test_rows_with_equal_keys_that_differ_are_in_no_group():
    real, fake = np.array([[1.0, 2.0], [2.0, 1.0]]), np.array([[1.0, 2.0], [3.0, 1.0]])
    assert equal_groups(np.zeros(4, np.uint64), real, fake).tolist() == [0, 1, 0, 3]


def test_groups_of_some_rows_and_what_is_recorded_of_them():
    real, fake = np.array([[1.0], [2.0], [3.0], [2.0]]), np.array([[5.0], [5.0], [3.0], [5.0]])
    result = repetition(real, fake)
    assert result.record() == {"distinct": [3, 2], "copied": 1, "discrete": True}
    assert result.effective_size == (2, 1)  # 16 / 6 and 16 / 10
    part = result.of([True, True, False, False], slice(2))
    assert part.record() == {"distinct": [2, 1], "discrete": True}
    assert part.effective_size == (2, 1)
    assert repetition(real[:2], fake[2:]).record() == {}
    assert repetition(real[:3], fake[2:]).record() == {"copied": 1}


@pytest.mark.parametrize(("copied", "discrete"), [(0.02, False), (0.3, True)])
def test_copies_of_repeated_continuous_rows_are_no_draws_unless_they_are_as_frequent(
    copied, discrete
):
    real, fake = np.random.default_rng(0).normal(size=(2, 1000, 6))
    real[:150], number = real[150:300], int(1000 * copied)
    fake[:number] = real[:number]
    assert repetition(real, fake).discrete == discrete


def test_a_selection_without_generated_rows_leaves_nothing_uncovered():
    assert repetition(np.eye(3), np.zeros((4, 3))).of(slice(None), slice(0)).covered == 1.0
