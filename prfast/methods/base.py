"""METHODS, the table of methods, and the resolution of a method's name or object to a scorer."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol, runtime_checkable

from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.errors import WrongType, WrongValue, closest
from prfast.methods.auto.estimator import Auto
from prfast.methods.classifier import FittedScorer, LinearEnsemble, SklearnScorer
from prfast.methods.kmeans import KMeansPartition
from prfast.methods.neighbors import NEIGHBORS, NeighborScorer


@runtime_checkable
class Scorer(Protocol):
    def fit(self, real: Floats, fake: Floats) -> Any: ...

    def score(self, points: Floats) -> Any: ...


@runtime_checkable
class Partition(Protocol):
    def masses(self, real: Floats, fake: Floats) -> list[tuple[Float64s, Float64s]]: ...


class Make:
    """The constructor of a method's scorer or partition; unknown options are a TypeError."""

    def __init__(self, name: str, maker: Callable[..., Scorer | Partition | Auto]) -> None:
        self.name, self.maker = name, maker
        self.__signature__ = inspect.signature(maker)

    def __call__(self, *values: Any, **options: Any) -> Scorer | Partition | Auto:
        if values:
            raise WrongType("make", f"options by name expected, got {values[0]!r} without one")
        check_options(self.name, options.keys() - _OWN)
        return self.maker(**options)

    def __repr__(self) -> str:
        return f"Make({self.name!r})"


_OWN = {"random_state", "n_jobs"}  # arguments of `pr_curve` that it passes to every method


@dataclass(frozen=True)
class Method:
    """A row of METHODS: the constructor of the scorer or partition, and the split of its paper."""

    make: Make
    split: float | str | None
    summary: str
    records: tuple[str, ...] = ()
    """Attributes that a curve records besides the options."""
    blind: str = ""
    """What it cannot detect, however many samples there are; empty where nothing is known."""

    @property
    def options(self) -> list[str]:
        """Names of the options that a caller may set."""
        return [name for name in inspect.signature(self.make).parameters if name not in _OWN]


# Options that results do not depend on; curves do not record them.
_WITHOUT_EFFECT = ("memory", "progress")

METHODS = {
    "auto": Method(
        Make("auto", Auto),
        None,
        "a cross-fitted library of bases, stacked; needs no choices",
        ("scikit_learn",),
    ),
    **{
        name: Method(Make(name, partial(NeighborScorer, name)), 0.5, row.summary, blind=row.blind)
        for name, row in NEIGHBORS.items()
    },
    "kmeans": Method(
        Make("kmeans", KMeansPartition),
        None,
        "histograms on k-means cells, mean of runs (2018)",
        ("scikit_learn",),
        "differences inside a cell: noise added to every sample, modes that are narrower, a few "
        "hundred samples copied over and over",
    ),
    "classifier": Method(
        Make("classifier", LinearEnsemble),
        "bernoulli",
        "ensemble of linear classifiers (2019)",
        ("scikit_learn",),
        "what no linear rule tells apart: another spread about the same mean, other dependences "
        "between features",
    ),
}


class Chosen(NamedTuple):
    """The resolved argument `method` of a public function."""

    name: str
    scorer: Scorer | Partition | Auto
    settings: list[str]  # names of the scorer's attributes that a curve records
    split: float | str | None  # the method's default


def choose(method: Any, options: dict[str, Any], seed: int, n_jobs: int | None) -> Chosen:
    """Return the method of this name, or the one that this object is.

    A name takes options.  An object is a scorer, a partition, a scikit-learn classifier or a
    function of points; options are set on it beforehand.

    Raises
    ------
    ValueError
        If the name is unknown.
    TypeError
        If the object is none of these, or the method does not have an option.
    """
    if isinstance(method, str):
        if method not in METHODS:
            known = ", ".join(repr(name) for name in METHODS)
            text = f"one of {known}, or a scorer expected, got {method!r}"
            raise WrongValue("method", text + closest(method, METHODS))
        check_options(method, options)
        row = METHODS[method]
        scorer = row.make(random_state=seed, n_jobs=n_jobs, **options)
        return Chosen(method, scorer, recorded(row), row.split)
    if options:
        raise WrongType(min(options), "options go with a method's name; set them on the object")
    name = type(method).__name__
    if not isinstance(method, type):
        if _is_classifier(method):
            return Chosen(name, SklearnScorer(method, seed), ["classifier", "scikit_learn"], 0.5)
        if isinstance(method, Partition):
            return Chosen(name, method, [], None)
        if isinstance(method, Scorer):
            return Chosen(name, method, [], 0.5)
        if callable(method):
            return Chosen(
                getattr(method, "__qualname__", name), FittedScorer(method), ["fitted"], None
            )
    known = ", ".join(repr(name) for name in METHODS)
    raise WrongType(
        "method",
        f"one of {known}, a scikit-learn classifier, a scorer with fit(real, fake) and "
        f"score(points), or a function of points expected, got {method!r}",
    )


def recorded(row: Method) -> list[str]:
    """Return the names of the attributes that a curve records."""
    return [*(name for name in row.options if name not in _WITHOUT_EFFECT), *row.records]


# Arguments of the same functions that belong to no method; candidates for a misspelt option.
_BESIDE = ("method", "methods", "random_state", "n_jobs", "k", "split")


def check_options(method: str, options: Iterable[str]) -> None:
    """Raise a TypeError for the first name that is not an option of the method."""
    known = METHODS[method].options
    unknown = sorted(set(options) - set(known))
    if unknown:
        others = [repr(name) for name, row in METHODS.items() if unknown[0] in row.options]
        elsewhere = f"; an option of {', '.join(others)}" if others else ""
        raise WrongType(
            unknown[0],
            f"not an option of method {method!r}, which has {', '.join(known)}"
            f"{elsewhere or closest(unknown[0], [*known, *_BESIDE])}",
        )


def _is_classifier(method: Any) -> bool:
    """Whether it is a scikit-learn classifier; a TypeError for other estimators with fit(X, …)."""
    if not (hasattr(method, "fit") and hasattr(method, "get_params")):
        return False  # without importing scikit-learn
    from sklearn.base import BaseEstimator, is_classifier

    if is_classifier(method):
        return True
    if isinstance(method, BaseEstimator) and "X" in inspect.signature(method.fit).parameters:
        raise WrongType(
            "method", f"a scikit-learn classifier expected, got {type(method).__name__}"
        )
    return False
