"""Checksums of a whole from those of its parts: what zlib finds of all bytes."""

import zlib
from itertools import pairwise

import numpy as np
import pytest

from prfast.cluster.reading import crc_of_parts

BYTES = np.random.default_rng(0).bytes(5000)


@pytest.mark.parametrize("cuts", [(), (0,), (5000,), (1, 2, 3), (1000, 1000, 4999), (7, 300, 4000)])
def test_parts_make_the_checksum_of_the_whole(cuts):
    ends = [0, *cuts, len(BYTES)]
    parts = [BYTES[a:b] for a, b in pairwise(ends)]
    assert crc_of_parts((zlib.crc32(one), len(one)) for one in parts) == zlib.crc32(BYTES)


def test_of_long_parts_it_is_quick():
    zeros = zlib.crc32(bytes(1 << 20))
    assert crc_of_parts([(zeros, 1 << 20)] * 64) == zlib.crc32(bytes(1 << 26))
