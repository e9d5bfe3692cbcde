"""The classifier f_λ itself in place of the best f_γ: γ = λ, item 1 of Theorem 3.1 (2024 paper).

    curve     α̂_λ = min_γ λ fpr(f_γ) + fnr(f_γ)      the least of all thresholds, on these samples
    plug-in         λ fpr(f_λ) + fnr(f_λ)            the threshold that the ratio itself asks for

A minimum over what was just measured is below the risk of each classifier on average; the plug-in
is of one that was fixed, so its mean over evaluation samples is that classifier's risk.
"""

from __future__ import annotations

from typing import Any, TypedDict, Unpack, overload

import numpy as np

from prfast.cluster.reading import read_pair
from prfast.curve.polyline import rejected
from prfast.estimate.cross_fitted import CrossFitted
from prfast.estimate.method import check_pieces, check_split, method_scores
from prfast.estimate.scores import read_split
from prfast.inputs.arrays import Float64s, read_lambdas, read_shaped, shaped
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import RandomState, Shown, read_jobs, read_seed
from prfast.scorers.auto.estimator import Auto
from prfast.scorers.methods import Chosen, choose
from prfast.scorers.neighbors import NEIGHBOR_METHODS, NeighborScorer


class PlugInKeywords(TypedDict, total=False):
    """The keywords of `plug_in` and of the methods that it takes, for its overloads."""

    split: float | str | None
    random_state: RandomState
    n_jobs: int | None
    client: Any
    ties: str
    count_self: bool
    backend: str
    memory: int
    progress: Shown
    folds: int
    fitted: int
    read_out: str


@overload
def plug_in(
    real: Any,
    fake: Any,
    lam: float,
    method: str = ...,
    k: int | str | None = ...,
    **options: Unpack[PlugInKeywords],
) -> tuple[float, float]: ...
@overload
def plug_in(
    real: Any,
    fake: Any,
    lam: Any,
    method: str = ...,
    k: int | str | None = ...,
    **options: Unpack[PlugInKeywords],
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
    client: Any = None,
    **options: Any,
) -> tuple[Any, Any]:
    """Precision and recall by the one threshold γ = λ, instead of the best of all thresholds.

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
        Samples, as for `pr_curve`.
    lam : float or array
        λ in [0, ∞].
    method : str
        "knn" (default), "ipr", "parzen", "coverage", whose scores are ratios of shares, or "auto",
        whose scores are log-ratios.  Others only rank samples: their thresholds have no unit.
    k, split, random_state, n_jobs, client, **options
        As for `pr_curve`, which with the same ones scores the same samples alike.

    Returns
    -------
    precision, recall : float or array of the shape of `lam`
        λ fpr(f_λ) + fnr(f_λ), and that divided by λ.  Of a neighbour method never below the curve
        of the same split, which is the least of all thresholds; of "auto" never below that with
        read_out="hull".  They are points of no curve: precision may be above min(λ, 1), where f_λ
        is worse than the constant classifiers; 0 · ∞ is 0 at the ends, where they may be ∞.

    Raises
    ------
    TypeError, ValueError
        As `pr_curve`; a method whose score is no ratio; NaN or negative λ.

    Notes
    -----
    f_λ says "real" where the ratio is >= 1/λ, for λ < 1 where it is > 1/λ (2024 paper, §3.1), and
    the ratio 0/0 is 1; at the ends the limits: f_0 where the ratio is ∞, f_∞ where it is not 0.

    2024 paper, Theorem 3.1: with a split, k → ∞ and k/n → 0 both come to α_λ.  With a split the
    plug-in has no bias as an estimate of the risk of the f_λ that was fitted; that risk is above
    α_λ.  Of k fixed and n → ∞ it is `prfast.reference.knn_risk`.
    """
    flat, shape = read_shaped("lam", lam, read_lambdas)
    real, fake = read_pair(real, fake, client)
    seed = read_seed(random_state)
    n_jobs = read_jobs(n_jobs)
    if k is not None:
        options["k"] = k
    chosen = choose(method, options, seed, n_jobs)
    _check_ratio(chosen)
    check_pieces(chosen, real)
    split = read_split(split, chosen.split)
    check_split(chosen, split)
    found: Any = method_scores(chosen, real, fake, split, seed)
    precision, recall = _weighed(
        flat, found.scored.real, found.scored.fake, isinstance(found, CrossFitted)
    )
    return shaped(precision, shape), shaped(recall, shape)


def _check_ratio(chosen: Chosen) -> None:
    if not isinstance(chosen.scorer, Auto | NeighborScorer):
        known = ", ".join(map(repr, ("auto", *NEIGHBOR_METHODS)))
        raise WrongValue(
            "method",
            f"one of {known}, whose score is a ratio of densities, expected, got "
            f"{chosen.name!r}, which only ranks samples; pr_curve takes it",
        )


def _weighed(lam: Float64s, real: Float64s, fake: Float64s, log: bool) -> tuple[Float64s, Float64s]:
    """λ fpr(f_λ) + fnr(f_λ), and fpr(f_λ) + fnr(f_λ)/λ, with 0 · ∞ = 0."""
    fpr = rejected(np.sort(real), lam, log=log) / real.size
    fnr = (fake.size - rejected(np.sort(fake), lam, log=log)) / fake.size
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        precision = np.where(fpr == 0, 0.0, lam * fpr) + fnr
        recall = fpr + np.where(fnr == 0, 0.0, fnr / lam)
    return precision, recall
