"""The checksum of a whole from those of its parts: CRC-32 of ab from those of a and of b.

A CRC is linear over bits: to append n zero bytes to a multiplies it by the n-th power of a matrix
of 32 × 32 bits, and crc(ab) = Z^n crc(a) ⊕ crc(b), n the length of b.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

_POLYNOMIAL = 0xEDB88320
_Matrix = tuple[int, ...]  # its columns


def crc_of_parts(parts: Iterable[tuple[int, int]]) -> int:
    """Of the parts one after the other, from (CRC-32, bytes) of each."""
    whole = 0
    for crc, length in parts:
        whole = _times(_zeros(length), whole) ^ crc
    return whole


def _times(matrix: _Matrix, vector: int) -> int:
    found = 0
    for column in matrix:
        if vector & 1:
            found ^= column
        vector >>= 1
    return found


def _product(one: _Matrix, other: _Matrix) -> _Matrix:
    return tuple(_times(one, column) for column in other)


@cache
def _zeros(length: int) -> _Matrix:
    """Appends so many zero bytes."""
    if length == 0:
        return tuple(1 << bit for bit in range(32))
    if length == 1:
        one_bit = (_POLYNOMIAL, *(1 << bit for bit in range(31)))
        two = _product(one_bit, one_bit)
        four = _product(two, two)
        return _product(four, four)
    half = _zeros(length // 2)
    even = _product(half, half)
    return _product(even, _zeros(1)) if length % 2 else even
