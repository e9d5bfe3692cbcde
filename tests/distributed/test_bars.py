"""The bar of a search moves as blocks of pairs are done."""

from dataclasses import replace

import numpy as np
from listening import Listening
from shards import sharded

from prfast.neighbors import NeighborSearch


def test_the_bar_moves_block_by_block():
    rows = np.random.default_rng(0).normal(size=(3000, 4))
    listening = Listening()
    search = NeighborSearch(progress=listening)
    sets = [replace(sharded(rows, cuts), part_rows=1000) for cuts in ((1000, 2000), (1500,))]
    search.kth(*sets, [3])
    steps = listening.steps
    assert sum(steps) == 3000**2
    assert len([step for step in steps if step]) > 3
