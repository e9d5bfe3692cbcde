"""The bar of a search moves as blocks of pairs are done."""

import numpy as np
from listening import Listening
from shards import sharded

from prfast.neighbors import Search
from prfast.neighbors.engines.blocks.engine import Blocks


def test_the_bar_moves_block_by_block(monkeypatch):
    rows = np.random.default_rng(0).normal(size=(3000, 4))
    listening = Listening()
    search = Search(progress=listening)
    monkeypatch.setattr(search, "_blocks", Blocks(1000))
    search.kth(sharded(rows, (1000, 2000)), sharded(rows, (1500,)), [3])
    steps = listening.steps
    assert sum(steps) == 3000**2
    assert len([step for step in steps if step]) > 3
