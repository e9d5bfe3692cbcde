"""An ensemble of linear classifiers of real against generated samples (2019 paper).

ADAM is trained as in the 2019 paper, §6: a learning rate "progressively decreased starting from
1e-3 for 50 epochs", "a fixed weight decay of 0.1".  The paper leaves open what is chosen here.  The
decrease is linear to 0.  The decay is in the gradient that ADAM gets, as in the authors' code (not
the decoupled one).  Batches have 64 rows, the loss is logistic, initial weights are uniform in
±1/√d.  Unlike that code there is an offset, without decay, and training never uses the samples that
are scored.
"""

from __future__ import annotations

import copy
from typing import Any, Self

import numpy as np

from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import is_word, read_count, read_number
from prfast.methods.base import ExecutionContext, FittedMethod, run_seeds
from prfast.results.info import version
from prfast.samples.pair import Pair

EPOCHS = 50
RATE = 1e-3
BATCH = 64
_MEAN, _SQUARE, _SMALL = 0.9, 0.999, 1e-8  # β1, β2 and ε of ADAM (Kingma & Ba 2015)


def adam_plane(
    points: Floats, labels: Any, sample_weights: Float64s | None, weight_decay: float, seed: int
) -> tuple[Float64s, float]:
    """Train a classifier by ADAM on features as they are, labels 1 for real and 0 for generated;
    return its normal, (d,), and its offset."""
    rng = np.random.default_rng(seed)
    size, width = points.shape
    decay = np.append(np.full(width, weight_decay), 0.0)
    weights = rng.uniform(-1.0, 1.0, width + 1) / np.sqrt(width)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    step = 0
    with np.errstate(over="ignore", invalid="ignore"):  # overflow is checked after the loop
        for epoch in range(EPOCHS):
            rate = RATE * (1 - epoch / EPOCHS)
            order = rng.permutation(size)
            for start in range(0, size, BATCH):
                rows = order[start : start + BATCH]
                step += 1
                points64 = points[rows].astype(np.float64)
                score = points64 @ weights[:-1] + weights[-1]
                # P(real) − label, without overflow: 1 / (1 + e^−s) = (1 + tanh(s/2)) / 2; the loss
                # is log(1 + e^−s) for real and log(1 + e^s) for generated samples.
                error = (1 + np.tanh(score / 2)) / 2 - labels[rows]
                if sample_weights is not None:
                    error = error * sample_weights[rows]
                gradient = np.append(error @ points64, error.sum()) / len(rows) + decay * weights
                # m ← β1 m + (1 − β1) g,  v ← β2 v + (1 − β2) g²,  both divided by 1 − β^step
                mean += (1 - _MEAN) * (gradient - mean)
                square += (1 - _SQUARE) * (gradient**2 - square)
                spread = np.sqrt(square / (1 - _SQUARE**step))
                weights -= rate * mean / (1 - _MEAN**step) / (spread + _SMALL)
    if not np.isfinite([weights, square]).all():
        text = "their squares overflow float64; divide them by one number"
        raise WrongValue("real and fake", text)
    return weights[:-1], float(weights[-1])


# Names of `training` and their default weight decay.
_DECAY = {"sgd": 0.004, "adam": 0.1}


class Classifier(FittedMethod):
    """The median of the decision values of linear classifiers (2019, §6).

    "sgd" is not the paper's training.  It is logistic regression by averaged stochastic gradient
    descent until it converges.  Features are minus their means and over one number, the
    root-mean-square distance of the training samples from their mean.  "adam" is the paper's: ADAM,
    50 epochs at a learning rate decreasing from 1e-3, on features as they are: their unit matters
    (``prfast.methods.classifier``).  Each classifier has its own order and initial weights.
    Example: ``prfast.methods.Classifier(classifiers=3)``.
    See also `Scorer`.

    Parameters
    ----------
    classifiers : int
        The number of classifiers; 10 by default, as in the paper.
    training : str
        "sgd" (default) or "adam".
    weight_decay : float or None
        L2 penalty on the weights.  None (default) is 0.004 with "sgd", for features at unit
        distance, and the paper's 0.1 with "adam", for features as they are.

    Raises
    ------
    TypeError, ValueError
        Not numbers, fewer than one or more than 10⁶ classifiers, another training, a weight decay
        outside [1e-12, 1e12].

    References
    ----------
    2019: Simon, Webster, Rabin, Revisiting Precision and Recall Definition for Generative Model
    Evaluation, §6.
    """

    name = "classifier"
    takes_weights = True
    split = "bernoulli"
    summary = "ensemble of linear classifiers (2019)"
    blind = (
        "what no linear rule tells apart: another spread about the same mean, other dependences "
        "between features"
    )
    _center: Any
    _distance: float
    _normals: Float64s
    _offsets: Float64s

    def __init__(
        self, *, classifiers: int = 10, training: str = "sgd", weight_decay: float | None = None
    ) -> None:
        self.classifiers = read_count("classifiers", classifiers, at_most=1_000_000)
        if not is_word(training, *_DECAY):
            names = " or ".join(map(repr, _DECAY))
            raise WrongValue("training", f"{names} expected, got {training!r}")
        self.training = training
        if weight_decay is not None:
            weight_decay = read_number("weight_decay", weight_decay, 1e-12, 1e12)
        self.weight_decay = weight_decay

    @property
    def _decay(self) -> float:
        return _DECAY[self.training] if self.weight_decay is None else self.weight_decay

    def settings(self) -> dict[str, Any]:
        params = self.get_params() | {"weight_decay": self._decay}
        return params | {"scikit_learn": version("scikit-learn")}

    def fit_pair(self, pair: Pair, context: ExecutionContext) -> Self:
        """Return a fitted copy; each classifier has a seed of its own."""
        fitted = copy.copy(self)
        points, labels = with_labels(pair)
        fitted._center, fitted._distance = 0.0, 1.0
        if self.training == "sgd":
            with np.errstate(over="ignore", invalid="ignore"):
                fitted._center = points.mean(axis=0, dtype=np.float64)
                centered = points - fitted._center
                # Squares neither overflow nor vanish in this unit, a power of two.
                unit = float(np.ldexp(1.0, np.frexp(np.abs(centered).max())[1]))
                squares = ((centered / unit) ** 2).sum(axis=1)
                fitted._distance = unit * float(np.sqrt(squares.mean())) or 1.0
            if not np.isfinite(fitted._distance):
                text = "their distances overflow float64; divide them by one number"
                raise WrongValue("real and fake", text)
            points = fitted._scaled(points)
        train = _sgd_plane if self.training == "sgd" else adam_plane
        arguments = points, labels, pair.mean_weights, self._decay
        planes = run_seeds(train, arguments, self.classifiers, "classifiers", context)
        fitted._normals = np.stack([normal for normal, _ in planes], axis=1)
        fitted._offsets = np.array([offset for _, offset in planes])
        return fitted

    def score(self, points: Floats) -> Any:
        """Return the median decision value of each point, (points,), by a fitted copy."""
        return np.median(self._scaled(points) @ self._normals + self._offsets, axis=1)

    def _scaled(self, points: Floats) -> Any:
        return (points - self._center) / self._distance


def with_labels(pair: Pair) -> tuple[Floats, Any]:
    """Return all samples and their labels, 1 for real and 0 for generated."""
    return np.concatenate(pair.points), np.repeat([1, 0], pair.sizes)


def _sgd_plane(
    points: Floats, labels: Any, weights: Float64s | None, weight_decay: float, seed: int
) -> tuple[Any, float]:
    """Train one classifier by averaged SGD; return its normal, (d,), and its offset."""
    from sklearn.linear_model import SGDClassifier

    sgd = SGDClassifier(
        loss="log_loss", alpha=weight_decay, average=True, random_state=seed, max_iter=1000
    )
    sgd.fit(points, labels, sample_weight=weights)
    return sgd.coef_[0], float(sgd.intercept_[0])
