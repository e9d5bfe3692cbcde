"""Rounds of a tournament: each pair of points once, and nobody in two places at a time."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from prfast.neighbors.engines.exact import ordered_pairs, rounds


@given(st.integers(1, 300), st.integers(1, 20), st.sampled_from([1, 8, 96]))
def test_each_pair_meets_once_and_no_part_is_in_two_pairs_of_a_round(n, least, block):
    met = np.zeros((n, n), int)
    told = 0
    for parts in rounds(n, least, block):
        busy = np.zeros(n, int)
        for first, end, other, other_end in parts:
            assert first % block == other % block == 0
            assert first == other or end <= other
            met[first:end, other:other_end] += 1
            busy[first:end] += 1
            if first != other:
                busy[other:other_end] += 1
        assert busy.max() <= 1
        told += ordered_pairs(parts)
    inside = np.triu(np.ones((n, n), bool))
    assert np.array_equal((met + met.T)[inside] > 0, inside[inside])
    assert met[np.triu_indices(n, 1)].max(initial=0) <= 1
    assert told == n * n


@given(st.integers(1, 3000), st.integers(1, 40))
def test_there_are_enough_parts_or_they_are_single_blocks(n, least):
    together = next(rounds(n, least, 96))
    assert len(together) >= least or len(together) == -(-n // 96)
