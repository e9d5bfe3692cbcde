"""Structured samples in many dimensions, and noise that neighbors take for them."""

import numpy as np

DIM = 512


def structured(n, seed):
    """Ten hidden numbers decide all features, as in those of a network."""
    rng = np.random.default_rng([seed, 0])
    mixing = np.random.default_rng(7).normal(size=(10, DIM))
    return np.abs(rng.normal(size=(n, 10)) @ mixing / 3).astype(np.float32)


def noise(n, seed):
    return np.random.default_rng([seed, 1]).normal(size=(n, DIM)).astype(np.float32)
