"""A linear classifier trained as in the 2019 paper, §6: ADAM with weight decay, 50 epochs.

The paper says: a learning rate "progressively decreased starting from 1e-3 for 50 epochs", "a fixed
weight decay of 0.1".  What it leaves open is decided here: the decrease is linear, to 0; the decay
is a penalty whose gradient ADAM sees, as in the authors' published code (not the later, decoupled
one); so are the batches of 64, the loss (logistic) and the first weights, uniform in ±1/√d.  Unlike
that code there is an offset, which has no decay, and nothing looks at the samples that are scored.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.errors import WrongValue

EPOCHS = 50
RATE = 1e-3
BATCH = 64
_MEAN, _SQUARE, _SMALL = 0.9, 0.999, 1e-8  # β1, β2 and ε of ADAM (Kingma & Ba 2015)


def plane(points: Floats, labels: Any, weight_decay: float, seed: int) -> tuple[Float64s, float]:
    """Normal and offset of one classifier; the features are used as they are, in float64."""
    rng = np.random.default_rng(seed)
    size, width = points.shape
    decay = np.append(np.full(width, weight_decay), 0.0)
    weights = rng.uniform(-1.0, 1.0, width + 1) / np.sqrt(width)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    step = 0
    with np.errstate(over="ignore", invalid="ignore"):  # seen at the end
        for epoch in range(EPOCHS):
            rate = RATE * (1 - epoch / EPOCHS)
            order = rng.permutation(size)
            for start in range(0, size, BATCH):
                rows = order[start : start + BATCH]
                step += 1
                slope = _slope(points[rows], labels[rows], weights) + decay * weights
                # m ← β1 m + (1 − β1) g,  v ← β2 v + (1 − β2) g²,  both divided by 1 − β^step
                mean += (1 - _MEAN) * (slope - mean)
                square += (1 - _SQUARE) * (slope**2 - square)
                spread = np.sqrt(square / (1 - _SQUARE**step))
                weights -= rate * mean / (1 - _MEAN**step) / (spread + _SMALL)
    if not np.isfinite([weights, square]).all():
        raise WrongValue(
            "real and fake", "their squares overflow float64; divide them by one number"
        )
    return weights[:-1], float(weights[-1])


def _slope(points: Floats, labels: Any, weights: Float64s) -> Float64s:
    """Gradient of the mean logistic loss, log(1 + e^−s) of real and log(1 + e^s) of generated."""
    wide = points.astype(np.float64)
    score = wide @ weights[:-1] + weights[-1]
    # P(real) − label, without overflow: 1 / (1 + e^−s) = (1 + tanh(s/2)) / 2
    error = (1 + np.tanh(score / 2)) / 2 - labels
    return np.append(error @ wide, error.sum()) / len(labels)
