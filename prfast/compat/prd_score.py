"""The public functions of `prd_score.py`, the code of the 2018 paper (Sajjadi et al.).

The order is (eval, ref): generated first, the opposite of the rest of prfast.  The exact curve is
that of `prfast.PRCurve.from_masses` and of `prfast.pr_curve(real, fake, method="kmeans")`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s, in_order, read_rates, read_shaped_pair, read_weights
from prfast.inputs.errors import ArgumentError, WrongValue
from prfast.inputs.options import RandomState, read_count, read_flag, read_number
from prfast.methods.base import read_context
from prfast.methods.kmeans import KMeans, cell_counts
from prfast.samples.pair import Pair
from prfast.samples.partitioned import refuse_partitions
from prfast.theory.tradeoffs import min_sums

_MOST_ANGLES = 1_000_000
_ARGUMENTS = {"real": "ref_data", "fake": "eval_data", "real and fake": "ref_data and eval_data"}


def compute_prd(
    eval_dist: Any, ref_dist: Any, num_angles: int = 1001, epsilon: float = 1e-10
) -> tuple[Float64s, Float64s]:
    """Return points of the PRD curve of two histograms: α_λ = Σ min(λ ref, eval) and α_λ / λ.

    Example: ``prfast.compat.prd_score.compute_prd([0.25, 0.25, 0.5], [0.5, 0.5, 0.0])``.
    See also `prfast.PRCurve.from_masses`.

    Parameters
    ----------
    eval_dist, ref_dist : array, shape (cells,)
        Probabilities of the cells under the generated and the real distribution.
    num_angles : int
        Number of points, λ = tan of equidistant angles; 1001 by default, from 3 to 1 000 000.
    epsilon : float
        First angle, and distance of the last one from π/2; 1e-10 by default, in (0, 0.1).

    Returns
    -------
    precision, recall : float64 array, shape (num_angles,)
        Clipped to [0, 1]; above 1.001, as of masses that do not sum to 1, ValueError is raised.

    Notes
    -----
    Differences from the original: sums are compensated, and memory is that of the result, not cells
    × num_angles.  Masses that are negative or not finite are refused.
    """
    ref_dist = in_order("ref_dist", ref_dist, "eval_dist", eval_dist)
    eval_masses = read_weights("eval_dist", eval_dist, all_zero=True)
    ref_masses = read_weights("ref_dist", ref_dist, eval_masses.size, all_zero=True)
    num_angles = read_count("num_angles", num_angles, at_least=3, at_most=_MOST_ANGLES)
    if not 0 < (epsilon := read_number("epsilon", epsilon, 0, 0.1)) < 0.1:
        raise WrongValue("epsilon", f"a number in (0, 0.1) expected, got {epsilon}")
    slopes = np.tan(np.linspace(epsilon, np.pi / 2 - epsilon, num_angles))
    precision = min_sums(ref_masses, eval_masses, slopes)
    recall = precision / slopes
    if max(precision.max(), recall.max()) > 1.001:
        sums = f"{eval_masses.sum():.6g} and {ref_masses.sum():.6g}"
        text = f"masses that sum to 1 expected, got sums {sums}"
        raise WrongValue("eval_dist and ref_dist", text)
    return np.minimum(precision, 1.0), np.minimum(recall, 1.0)


def compute_prd_from_embedding(
    eval_data: Any,
    ref_data: Any,
    num_clusters: int = 20,
    num_angles: int = 1001,
    num_runs: int = 10,
    enforce_balance: bool = True,
    *,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
) -> tuple[Float64s, Float64s]:
    """Return the PRD curve of samples by mini-batch k-means cells of both, averaged over runs.

    Example: ``prfast.compat.prd_score.compute_prd_from_embedding([[0], [1]], [[1], [2]], 2)``.
    See also `prfast.methods.KMeans`.

    Parameters
    ----------
    eval_data, ref_data : array, shapes (m, d) and (n, d)
        Features of generated and of real samples.
    num_clusters : int
        Number of cells, 20 by default, at least 2.
    num_angles : int
        See `compute_prd`.
    num_runs : int
        Runs of k-means, 10 by default.
    enforce_balance : bool
        True (default): refuse m ≠ n.  The larger set decides the cells otherwise.
    random_state : int, generator of NumPy or None
        Seed of all runs, 0 by default; None is random.
    n_jobs : int or None
        Processes that share the runs, at most one per usable core; None is one.  The result does
        not depend on it.

    Returns
    -------
    precision, recall : float64 array, shape (num_angles,)

    Notes
    -----
    Differences from the original: k-means is seeded (`random_state=None` is the original's
    behavior).  The mean of all samples is subtracted before it; this changes cells by rounding
    only.  A single cell is refused.
    """
    enforce_balance = read_flag("enforce_balance", enforce_balance)
    refuse_partitions("ref_data", ref_data)
    try:
        ref_points, eval_points = Pair.read(ref_data, eval_data).points
    except ArgumentError as error:
        raise error.renamed(_ARGUMENTS.get(error.argument, error.argument)) from None
    # In float64, as the original clusters them.
    eval_points, ref_points = (x.astype(np.float64, copy=False) for x in (eval_points, ref_points))
    m, n = len(eval_points), len(ref_points)
    if enforce_balance and m != n:
        text = f"{n} samples, or enforce_balance=False, expected as in ref_data, got {m}"
        raise WrongValue("eval_data", text)
    num_angles = read_count("num_angles", num_angles, at_least=3, at_most=_MOST_ANGLES)
    num_runs = read_count("num_runs", num_runs, at_most=1_000_000)
    cells = read_count("num_clusters", num_clusters, at_least=2)
    kmeans = KMeans(clusters=cells, runs=num_runs, balance=False)
    pair = Pair.read(eval_points, ref_points)
    labels = kmeans.labels_of(pair, read_context(random_state, n_jobs))
    counts = (cell_counts(of_set, cells) for of_set in labels)
    points = [compute_prd(p / m, q / n, num_angles) for p, q in zip(*counts, strict=True)]
    precision, recall = np.mean(points, axis=0)
    return precision, recall


def prd_to_max_f_beta_pair(
    precision: Any, recall: Any, beta: float = 8
) -> tuple[np.float64, np.float64]:
    """Return the largest F_β and the largest F_1/β, in place of recall and precision.

    Example: ``prfast.compat.prd_score.prd_to_max_f_beta_pair([0.2, 0.8], [0.9, 0.3])``.
    See also `prfast.PRCurve`.

    Parameters
    ----------
    precision, recall : array
        Values in [0, 1], at least one, of shapes that broadcast.
    beta : float
        Weight of recall, 8 by default, in [1e-100, 1e100].

    Notes
    -----
    The original's values, with 10⁻¹⁰ added to the denominator; `PRCurve.f_score` is exact.
    """
    p, r, _ = read_shaped_pair("precision", precision, "recall", recall, read_rates)
    beta = read_number("beta", beta, 1e-100, 1e100)
    f_beta, f_beta_inv = (
        ((1 + b**2) * (p * r) / ((b**2 * p) + r + 1e-10)).max() for b in (beta, 1 / beta)
    )
    return f_beta, f_beta_inv
