"""Every model against the real samples, which are prepared once for all of them: what `curve` and
`report` have in common.  Results are those of one call a model, to the last bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prfast.comparison.evaluation import Evaluation
from prfast.comparison.evaluator import Evaluator
from prfast.curve import PRCurve
from prfast.estimate.curves import pr_curve
from prfast.estimate.split import read_split, split_share
from prfast.inputs.errors import ArgumentError
from prfast.scalars import metrics
from prfast.scorers.methods import METHODS, choose
from prfast.scorers.neighbors import NEIGHBOR_METHODS, check_k, read_k

PREPARED = ("auto", *NEIGHBOR_METHODS)
OWN = frozenset({"folds", "fitted", "read_out"})  # of "auto", which is told them by itself only
_OF_CALLS = ("split", "random_state", "n_jobs")  # of every method
_OF_BOTH = ("ties", "backend", "memory", "n_jobs", "progress")


def is_prepared(method: str, told: dict[str, Any]) -> bool:
    """Is there an evaluator of the method with what `pr_curve` is told?"""
    return method in PREPARED and told["split"] != "bernoulli" and not OWN & told.keys()


def check_method(method: str, told: dict[str, Any]) -> None:
    """Errors of the method's options, before any file is opened."""
    own = {name: value for name, value in told.items() if name not in _OF_CALLS}
    choose(method, own, told["random_state"], told["n_jobs"])


def check_enough(method: str, told: dict[str, Any], n: int, m: int) -> None:
    """Are there samples enough for split and k, of a method that counts neighbours?  As it would
    say when its turn comes."""
    split = read_split(told["split"], METHODS[method].split)
    if method not in NEIGHBOR_METHODS or split == "bernoulli":  # whose halves have any size
        return
    train = n, m
    if split is not None:
        part = split_share(n, m, split, told["random_state"])
        train = len(part.real_train), len(part.fake_train)
    check_k(method, read_k(told.get("k", "sqrt"), range(train[0])), *train)


def curve_of(real: Any, method: str, told: dict[str, Any]) -> Callable[[Any], PRCurve]:
    """What gives the curve of generated samples, as `pr_curve` would."""
    if method in NEIGHBOR_METHODS and is_prepared(method, told):  # "auto" has nothing to prepare
        # Metrics are not asked for; this one never refuses the real samples.
        return _evaluator(real, method, told, metrics_k=1, which="precision").curve
    return lambda fake: pr_curve(real, fake, method, **told)


def evaluation_of(
    real: Any, method: str, told: dict[str, Any], **more: Any
) -> Callable[[Any], Evaluation]:
    """What gives curve and metrics of generated samples; more: metrics_k, which, halvings."""
    if is_prepared(method, told):
        return _evaluator(real, method, told, **more).evaluate
    of_metrics = {name: told[name] for name in _OF_BOTH if name in told}

    def evaluate(fake: Any) -> Evaluation:
        curve = pr_curve(real, fake, method, **told)
        try:
            found = metrics(real, fake, more["metrics_k"], more["which"], **of_metrics)
        except ArgumentError as error:
            raise (error.renamed("metrics_k") if error.argument == "k" else error) from None
        return Evaluation({(method, told.get("k")): curve}, found)

    return evaluate


def of_several(method: str, told: dict[str, Any]) -> dict[str, Any]:
    """What functions of several methods are told for this one: k and split have no "auto"."""
    own = {"k": "sqrt"} | told
    if own["split"] == "auto" or method == "auto":
        own["split"] = 0.5
    return own


def _evaluator(real: Any, method: str, told: dict[str, Any], **more: Any) -> Evaluator:
    return Evaluator(real, method, **of_several(method, told), **more)
