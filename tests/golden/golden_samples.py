"""Input sets of the golden answers.

All numbers come from `Generator.random` by additions and multiplications, so that they are the same
bits on every processor; `normal` and `@` are not.
"""

from zlib import crc32

import numpy as np


def bell(rng, n, d):
    """Return n points of d roughly normal features, each the sum of four uniform numbers."""
    u = rng.random((4, n, d))
    return u[0] + u[1] + u[2] + u[3] - 2


def _shifted(rng, n=150, m=120, d=5):
    return bell(rng, n, d), bell(rng, m, d) + 0.4


def _few_values(rng, n=90, m=80, d=3):
    return np.floor(3 * rng.random((n, d))), np.floor(3 * rng.random((m, d)) + 0.2)


def _duplicates(rng):
    pool = bell(rng, 30, 4)
    return pool[np.arange(100) % 25], pool[5 + np.arange(80) % 25]


def _constant_columns(rng):
    x, y = _shifted(rng, 80, 90, 6)
    x[:, 2:] = y[:, 2:4] = 123.4
    return x, y


def _one_feature(rng):
    x, y = _shifted(rng, 150, 130, 1)
    x[:20] = y[:20] = np.round(x[:20], 1)
    return x, y


def _clusters(rng):
    """Clusters that are far apart and tighter than float32 resolves there."""
    x, y = _shifted(rng, 100, 110, 6)
    return (1e6 * np.floor(3 * rng.random((len(z), 1))) + 1e-3 * z for z in (x, y))


def _outlier(rng):
    x, y = _shifted(rng)
    x[7] *= 1e30
    return x, y


def _half_alike(rng):
    x, y = _shifted(rng, 120, 100, 40)
    x[::2] = y[::3] = 0.5
    return x, y


def _wide(rng):
    """Sets for which the int8 filter is chosen by itself: 512 rows and 32 features or more."""
    x, y = bell(rng, 600, 40), 0.8 * bell(rng, 560, 40)
    x[:, 5:] = np.maximum(x[:, 5:], 0)
    y[:60] = x[:60]
    return x, y


def _as(dtype, make=_shifted):
    return lambda rng: (x.astype(dtype) for x in make(rng))


def _times(factor):
    return lambda rng: (factor * x for x in _shifted(rng))


PAIRS = {
    "shifted": _shifted,
    "float32": _as(np.float32),
    "float16": _as(np.float16),
    "big endian": _as(">f8"),
    "int64": _as(np.int64, _few_values),
    "uint8": _as(np.uint8, lambda rng: (256 * rng.random((90, 4)), 200 * rng.random((100, 4)))),
    "bool": _as(bool, lambda rng: (rng.random((60, 9)) < 0.5, rng.random((70, 9)) < 0.4)),
    "few values": _few_values,
    "duplicates": _duplicates,
    "constant columns": _constant_columns,
    "all equal": lambda rng: (np.full((40, 3), 0.1), np.full((30, 3), 0.1)),
    "one feature": _one_feature,
    "one sample": lambda rng: (bell(rng, 1, 3), bell(rng, 1, 3)),
    "three samples": lambda rng: (bell(rng, 3, 2), bell(rng, 3, 2)),
    "unequal sizes": lambda rng: _shifted(rng, 300, 12),
    "identical": lambda rng: (bell(rng, 100, 4),) * 2,
    "disjoint": lambda rng: (bell(rng, 70, 4), bell(rng, 90, 4) + 100),
    "huge": _times(1e150),
    "tiny": _times(1e-150),
    "subnormal": _times(1e-310),
    "far from 0": lambda rng: (x + 1e4 for x in _shifted(rng)),
    "tight clusters": _clusters,
    "outlier": _outlier,
    "half alike": _half_alike,
    "wide": _as(np.float32, _wide),
}


def pair(name):
    """Return new arrays of the real and the generated samples."""
    rng = np.random.default_rng(crc32(name.encode()))
    real, fake = PAIRS[name](rng)
    return real, fake


def labels(n, classes):
    return np.arange(n) * 7 % 11 % classes
