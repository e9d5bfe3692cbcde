"""The bar of a search moves as blocks of pairs are done."""

import numpy as np
import pytest
from shards import sharded

from prfast.balls import Search
from prfast.balls.engines.blocks.engine import Blocks


def test_the_bar_moves_block_by_block(monkeypatch):
    pytest.importorskip("tqdm")
    rows = np.random.default_rng(0).normal(size=(3000, 4))
    search, steps = Search(progress=True), []

    class Watched:
        n = 0

        def __init__(self, **options):
            self.total = options["total"]

        def __enter__(self):
            return self

        def __exit__(self, *error):
            assert self.n == self.total

        def update(self, n):
            steps.append(n)
            self.n += n

    monkeypatch.setattr(search, "_bars", Watched)
    monkeypatch.setattr(search, "_blocks", Blocks(1000))
    search.kth(sharded(rows, (1000, 2000)), sharded(rows, (1500,)), [3])
    assert sum(steps) == 3000**2
    assert len([step for step in steps if step]) > 3
