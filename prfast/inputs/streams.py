"""Random numbers: of one seed, a stream of its own for each purpose.

Samples are often drawn with default_rng(0) and then split with seed 0: the same stream would toss
the coins with the very numbers that chose, say, the mode of each sample.
"""

from __future__ import annotations

import numpy as np


def stream(seed: int, purpose: str) -> np.random.Generator:
    """The stream of a purpose, whose name is part of the seed."""
    key = int.from_bytes(purpose.encode())
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(key,)))
