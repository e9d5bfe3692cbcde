"""Blocks of rows: each row once, in order."""

from hypothesis import given
from hypothesis import strategies as st

from prfast.inputs.arrays import blocks


@given(st.integers(0, 200), st.integers(0, 250))
def test_each_row_is_in_one_block(count, size):
    found = list(blocks(count, size))
    assert [row for rows in found for row in range(rows.start, rows.stop)] == list(range(count))
    assert all(rows.stop - rows.start == max(1, size) for rows in found[:-1])
