"""The function `plug_in`: the classifier f_λ in place of the best f_γ (2024 paper, Theorem 3.1, 1).

    curve     α̂_λ = min_γ λ fpr(f_γ) + fnr(f_γ)      the best of all thresholds, on these samples
    plug-in         λ fpr(f_λ) + fnr(f_λ)            the threshold γ = λ of the ratio itself

A minimum over measured risks is on average below the risk of each classifier; the plug-in is that
of a fixed classifier, so its mean over evaluation samples is the risk of this classifier.
"""

from __future__ import annotations

from typing import Any, overload

import numpy as np

from prfast.curve.polyline import rejected
from prfast.inputs.arrays import Float64s, read_lambdas, read_pair, read_shaped, shaped
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import MEMORY, RandomState, Shown
from prfast.methods.auto.estimator import Auto
from prfast.methods.base import read_context
from prfast.methods.neighbors import NEIGHBOR_METHODS, NeighborMethod
from prfast.methods.table import check_partitions, read_method, read_run


@overload
def plug_in(
    real: Any,
    fake: Any,
    lam: float,
    method: str = ...,
    k: int | str | None = ...,
    **options: Any,
) -> tuple[float, float]: ...
@overload
def plug_in(
    real: Any,
    fake: Any,
    lam: Any,
    method: str = ...,
    k: int | str | None = ...,
    **options: Any,
) -> tuple[Any, Any]: ...
def plug_in(
    real: Any,
    fake: Any,
    lam: Any,
    method: str = "knn",
    k: int | str | None = None,
    *,
    split: float | str | None = "auto",
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: Shown = None,
    **options: Any,
) -> tuple[Any, Any]:
    """Return precision and recall at the threshold γ = λ, instead of the best of all thresholds.

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
        Samples, as for `pr_curve`.
    lam : float or array
        λ in [0, ∞].
    method : str
        "knn" (default), "ipr", "parzen", "coverage", whose scores are ratios of shares, or "auto",
        whose scores are log-ratios.  Scores of other methods only rank samples.
    k, split, random_state, n_jobs, memory, progress, **options
        As for `pr_curve`, which has the same scores for the same arguments.

    Returns
    -------
    precision, recall : float or array of the shape of `lam`
        λ fpr(f_λ) + fnr(f_λ), and that divided by λ.  For a neighbor method never below the curve
        of the same split, which is the minimum over all thresholds; for "auto" never below that
        with curve_estimator="hull".  They are not points of a curve: precision is above min(λ, 1)
        where f_λ is worse than the constant classifiers, and they may be ∞ at the ends; 0 · ∞ is
        0.

    Raises
    ------
    TypeError, ValueError
        As `pr_curve`; a method whose score is not a ratio; NaN or negative λ.

    Notes
    -----
    f_λ classifies as real where the ratio is >= 1/λ, for λ < 1 where it is > 1/λ (2024 paper,
    §3.1), and the ratio 0/0 is 1; at the ends the limits: f_0 where the ratio is ∞, f_∞ where it is
    not 0.

    2024 paper, Theorem 3.1: with a split, for k → ∞ and k/n → 0, both curve and plug-in converge to
    α_λ.  With a split the plug-in is an unbiased estimate of the risk of the fitted f_λ, which is
    above α_λ.  Its limit for fixed k and n → ∞ is `prfast.reference.knn_risk`.
    """
    flat, shape = read_shaped("lam", lam, read_lambdas)
    real, fake = read_pair(real, fake)
    context = read_context(random_state, n_jobs, memory, progress)
    if k is not None:
        options["k"] = k
    run = read_run(read_method(method, options), split)
    if not isinstance(run.method, Auto | NeighborMethod):
        known = ", ".join(map(repr, ("auto", *NEIGHBOR_METHODS)))
        raise WrongValue(
            "method",
            f"one of {known}, whose score is a ratio of densities, expected, got "
            f"{run.method.name!r}, which only ranks samples; pr_curve takes it",
        )
    check_partitions([run], real, "method")
    scores: Any = run.method.scores(real, fake, run.split, context)
    is_log = isinstance(run.method, Auto)
    precision, recall = _weighted_rates(flat, scores.real, scores.fake, is_log)
    return shaped(precision, shape), shaped(recall, shape)


def _weighted_rates(
    lam: Float64s, real: Float64s, fake: Float64s, log: bool
) -> tuple[Float64s, Float64s]:
    """Return λ fpr(f_λ) + fnr(f_λ) and fpr(f_λ) + fnr(f_λ)/λ, with 0 · ∞ = 0."""
    fpr = rejected(np.sort(real), lam, log=log) / real.size
    fnr = (fake.size - rejected(np.sort(fake), lam, log=log)) / fake.size
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        precision = np.where(fpr == 0, 0.0, lam * fpr) + fnr
        recall = fpr + np.where(fnr == 0, 0.0, fnr / lam)
    return precision, recall
