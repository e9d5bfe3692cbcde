"""Methods that wrap an object of the caller: a classifier, a scorer, a function."""

from __future__ import annotations

import copy
import inspect
from contextlib import AbstractContextManager
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np

from prfast.inputs.arrays import Floats
from prfast.inputs.concurrency import lock
from prfast.inputs.errors import WrongType
from prfast.methods.base import ExecutionContext, FittedMethod, Method
from prfast.methods.classifier import with_labels
from prfast.results.info import version
from prfast.samples.pair import Pair


@runtime_checkable
class Scorer(Protocol):
    """An object with fit(real, fake) and score(points) -> (n,), larger where more like real.

    See also `prfast.PRCurve.from_scores`.

    >>> class First:
    ...     def fit(self, real, fake): pass
    ...     def score(self, points): return -points[:, 0]
    >>> prfast.pr_curve(*prfast.reference.GaussianShift(1.0).sample(500), First())
    """

    def fit(self, real: Floats, fake: Floats) -> Any: ...

    def score(self, points: Floats) -> Any: ...


def adapted(target: Any) -> Method | None:
    """Return the method that wraps an object of the caller; None for any other object, a TypeError
    for an estimator of scikit-learn that is no classifier."""
    if isinstance(target, type):
        return None
    if hasattr(target, "fit") and hasattr(target, "get_params"):
        from sklearn.base import BaseEstimator, is_classifier  # only where there is an estimator

        if is_classifier(target):
            return ClassifierAdapter(target)
        if isinstance(target, BaseEstimator) and "X" in inspect.signature(target.fit).parameters:
            text = f"a scikit-learn classifier expected, got {type(target).__name__}"
            raise WrongType("method", text)
    if isinstance(target, Scorer):
        return ScorerAdapter(target)
    return FunctionAdapter(target) if callable(target) else None


class _Adapter(FittedMethod):
    """Base class of methods that wrap an object; its only option is the object."""

    def __init__(self, target: Any) -> None:
        self.target = target
        self.name = type(target).__name__

    def settings(self) -> dict[str, Any]:
        return {}

    def __repr__(self) -> str:
        return self.name


class ScorerAdapter(_Adapter):
    """The method of a `Scorer`; it is fitted itself."""

    def fit_pair(self, pair: Pair, context: ExecutionContext) -> Self:
        self.target.fit(*pair.points)
        return self

    def score(self, points: Floats) -> Any:
        return self.target.score(points)

    def _lock_target(self) -> AbstractContextManager[Any]:
        return lock(self.target)


class FunctionAdapter(_Adapter):
    """The method of a function of points, (n, d) -> (n,): a discriminator, a known ratio."""

    split = None
    takes_weights = True

    def __init__(self, target: Any) -> None:
        super().__init__(target)
        self.name = getattr(target, "__qualname__", self.name)

    def settings(self) -> dict[str, Any]:
        return {"fitted": False}

    def fit_pair(self, pair: Pair, context: ExecutionContext) -> Self:
        return self

    def score(self, points: Floats) -> Any:
        return self.target(points)


class ClassifierAdapter(_Adapter):
    """The method of a scikit-learn classifier; a clone is fitted, with real as class 1.

    The score is its `decision_function`, or the predicted probability of real where it has none.
    Each parameter `random_state` that is None, of its parts too, gets a seed from that of the call.
    """

    _fitted: Any

    @property
    def takes_weights(self) -> bool:  # type: ignore[override]
        from sklearn.utils.validation import has_fit_parameter

        return bool(has_fit_parameter(self.target, "sample_weight"))

    def settings(self) -> dict[str, Any]:
        return {"classifier": repr(self.target), "scikit_learn": version("scikit-learn")}

    def fit_pair(self, pair: Pair, context: ExecutionContext) -> Self:
        from sklearn.base import clone

        classifier = clone(self.target)
        unseeded = sorted(
            name
            for name, value in classifier.get_params().items()
            if value is None and name.rpartition("__")[2] == "random_state"
        )
        seeds = np.random.SeedSequence(context.seed).generate_state(len(unseeded))
        classifier.set_params(**dict(zip(unseeded, seeds.tolist(), strict=True)))
        fitted, weights = copy.copy(self), pair.mean_weights
        options = {} if weights is None else {"sample_weight": weights}
        fitted._fitted = classifier.fit(*with_labels(pair), **options)
        return fitted

    def score(self, points: Floats) -> Any:
        """Return decision values or probabilities of real; of a matrix, its second column."""
        for name in ("decision_function", "predict_proba"):
            if hasattr(self._fitted, name):
                values = getattr(self._fitted, name)(points)
                return values[:, 1] if np.ndim(values) == 2 else values
        text = f"a classifier with decision_function or predict_proba expected, got {self.name}"
        raise WrongType("method", text)
