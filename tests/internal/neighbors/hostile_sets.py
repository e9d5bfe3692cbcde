"""Two sets of points on which fast ways to compare distances stumble, a row each."""

import numpy as np


def _clusters(rng, n, d, apart, wide, spread=2):
    return apart * rng.integers(0, spread, (n, 1)) + wide * rng.normal(size=(n, d))


def _half_alike(rng, n, d):
    x = rng.normal(size=(n, d))
    x[rng.permutation(n)[: n // 2]] = 0.3
    return x


def _with_outlier(rng, n, d, far):
    x = rng.normal(size=(n, d))
    x[rng.integers(n)] *= far
    return x


def _sorted(rng, n, d):
    x = rng.normal(size=(n, d))
    return x[np.argsort(x[:, 0])]


def _classes(rng, n, d):
    """Ten classes, one after the other, as files of samples have them."""
    centers = 5 * rng.normal(size=(10, d))
    return np.repeat(centers, -(-n // 10), axis=0)[:n] + rng.normal(size=(n, d))


def _constant_columns(rng, n, d):
    x = rng.normal(size=(n, d))
    x[:, : d // 2] = 123.4
    return x


# name: (points, float32?)
KINDS = {
    "normal": (lambda rng, n, d: rng.normal(size=(n, d)), True),
    "no float32 numbers": (lambda rng, n, d: 1 + 1e-9 * rng.normal(size=(n, d)), False),
    "half alike": (_half_alike, True),
    "all alike": (lambda rng, n, d: np.full((n, d), 0.3), True),
    "few values": (lambda rng, n, d: rng.integers(0, 2, (n, d)) * (np.arange(d) < 4), True),
    "log-normal norms": (
        lambda rng, n, d: rng.normal(size=(n, d)) * np.exp(3 * rng.normal(size=(n, 1))),
        True,
    ),
    "tight clusters": (lambda rng, n, d: _clusters(rng, n, d, 1e6, 1e-3), False),
    "float32 clusters": (lambda rng, n, d: _clusters(rng, n, d, 1e4, 1, 8), True),
    "each twice": (lambda rng, n, d: rng.normal(size=(n, d))[np.arange(n) // 2], True),
    "outlier 1e4": (lambda rng, n, d: _with_outlier(rng, n, d, 1e4), True),
    "outlier 1e30": (lambda rng, n, d: _with_outlier(rng, n, d, 1e30), True),
    "sorted": (_sorted, True),
    "classes in turn": (_classes, True),
    "tiny": (lambda rng, n, d: 1e-30 * rng.normal(size=(n, d)), True),
    "denormal": (lambda rng, n, d: 1e-41 * rng.normal(size=(n, d)), True),
    "tiny float64": (lambda rng, n, d: 1e-150 * rng.normal(size=(n, d)), False),
    "small float64": (lambda rng, n, d: 1e-100 * rng.normal(size=(n, d)), False),
    "huge": (lambda rng, n, d: 1e30 * rng.normal(size=(n, d)), True),
    "huge float64": (lambda rng, n, d: 1e150 * rng.normal(size=(n, d)), False),
    "constant columns": (_constant_columns, True),
}


def points(kind, n, d, seed):
    make, narrow = KINDS[kind]
    x = make(np.random.default_rng(seed), n, d)
    return np.ascontiguousarray(x, np.float32 if narrow else np.float64)


def two_sets(kind, n, m, d, seed=0):
    """Draw two sets of one kind; a few points are in both."""
    x, y = points(kind, n, d, [seed, 0]), points(kind, m, d, [seed, 1])
    shared = min(n, m) // 10
    y[:shared] = x[:shared]
    return x, y
