"""Experiments of the papers that are neither a curve nor a metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.polyline import rejected
from prfast.inputs.arrays import Float64s, read_lambdas, read_shaped, shaped
from prfast.inputs.errors import WrongValue, closest
from prfast.inputs.options import (
    MEMORY,
    ProgressOption,
    RandomState,
    is_word,
    read_count,
    read_list,
    read_seed,
    read_share,
)
from prfast.methods.auto.estimator import Auto
from prfast.methods.base import read_context
from prfast.methods.kmeans import KMeans, Labels
from prfast.methods.neighbors import (
    NEIGHBOR_METHODS,
    NeighborMethod,
    NeighborScorer,
    check_k,
    read_k,
)
from prfast.methods.table import check_runs, read_run
from prfast.neighbors import NeighborSearch
from prfast.neighbors.tasks import in_range
from prfast.samples.pair import SETS, Pair
from prfast.samples.partitioned import Rows, refuse_partitions

__all__ = ["Cells", "KChoice", "choose_k", "partition", "plug_in"]


class KChoice(NamedTuple):
    """The number of neighbors, and the area of every k.  See also `choose_k`."""

    k: int
    """The k of the smallest area; the smallest one of several."""
    areas: dict[int, float]
    """{k: area of the curve of the training half, scored fold by fold}, k rising."""


def choose_k(
    real: Any,
    fake: Any,
    method: str = "knn",
    ks: Sequence[int] | int | None = None,
    *,
    folds: int = 5,
    split: float = 0.5,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
) -> KChoice:
    """Return the k of a neighbor method whose curve on held-out samples has the smallest area, by
    cross-validation in the training half (2024, §5.2).

    The population curve of a scorer that was fitted to other samples than those it scores lies
    above the true one at every λ (2019, Theorem 5).  So the k with the lowest population curve is
    the closest to the truth.  Areas of samples have noise and a bias downwards.  If the sets are
    close, noise decides, and the smallest area may be below the true one.  The other half of the
    samples stays independent of k.
    Example: ``prfast.reference.papers.choose_k(*prfast.reference.TOYS["a"].sample(500))``.
    See also `prfast.pr_curves`.

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
        Samples, as for `pr_curve`.
    method : str
        "knn" (default), "ipr", "parzen" or "coverage".
    ks : int or sequence of int, optional
        Numbers of neighbors to choose from, from 1 to the number of neighbors in a fold's training
        samples.  Default: the powers of 2 below the size of the smaller set of those, and ⌊√n⌋ of
        the real training half.
    folds : int
        Number of parts of the training half, 5 by default: each is scored by a fit to the others.
    split : float
        Share of each set that trains, 0.5 by default.
    random_state
        See `pr_curve`, with the same training half for the same values.  Folds are drawn by a
        random stream of their own.
    n_jobs
        See `pr_curve`.  All k come from the same passes.

    Returns
    -------
    KChoice
        ``k``, for ``pr_curve(real, fake, method, k=choice.k)``, and ``areas``.  If k is the largest
        candidate, a larger one may be better.
    """
    pair = Pair.read(real, fake)
    if not is_word(method, *NEIGHBOR_METHODS):
        text = f"one of {', '.join(map(repr, NEIGHBOR_METHODS))} expected, got {method!r}"
        raise WrongValue("method", text + closest(method, NEIGHBOR_METHODS))
    folds = read_count("folds", folds, at_least=2)
    seed, search = read_seed(random_state), NeighborSearch(n_jobs=n_jobs)
    part = pair.split_rows(read_share("split", split), seed)
    training = part.real_train, part.fake_train
    for name, size in zip(SETS, map(len, training), strict=True):
        if size < folds:
            text = f"at least {folds} training samples for {folds} folds expected, got {size}"
            raise WrongValue(name, text)
    numbers = pair.take(*training).partition(folds, seed, "choose_k", equal_apart=True)
    least = [len(fold) - int(np.bincount(fold).max()) for fold in numbers]
    if ks is None:
        most = max(1, min(least) - 1)
        powers = {1 << i for i in range(most.bit_length())}
        candidates = sorted(powers | {min(read_k("sqrt", part.real_train), most)})
    else:
        items = read_list("ks", ks, (int, np.integer, str))
        candidates = sorted({read_count("ks", k) for k in items})
    for k in candidates:
        try:
            check_k(method, k, *least)
        except WrongValue as error:
            raise WrongValue("ks", f"{error.text}, beside the fold that is left out") from None
    # Scores are ratios, with the same meaning in every fold, and a common threshold is a classifier
    # in each: so the population curve of all folds together, too, is not below the true one.
    sets = [*zip(in_range(*pair.points), training, numbers, strict=True)]
    scores: list[dict[int, list[Float64s]]] = [{k: [] for k in candidates} for _ in sets]
    for i in range(folds):
        scorer = NeighborScorer([(method, k) for k in candidates], search)
        scorer.fit(*(Rows(x, rows[fold != i]) for x, rows, fold in sets))
        for by_k, (x, rows, fold) in zip(scores, sets, strict=True):
            for (_, k), values in scorer.score(Rows(x, rows[fold == i])).items():
                by_k[k].append(values)
    areas = {
        k: PRCurve.from_scores(*(np.concatenate(by_k[k]) for by_k in scores)).area
        for k in candidates
    }
    best = min(areas, key=areas.__getitem__)  # the first, smallest, of equal areas
    return KChoice(best, areas)


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
    progress: ProgressOption = None,
    **options: Any,
) -> tuple[Any, Any]:
    """Return precision and recall at the threshold γ = λ, instead of the best of all thresholds.

    The curve is α̂_λ = min_γ λ fpr(f_γ) + fnr(f_γ), a minimum over measured risks, on average below
    the risk of each classifier; the plug-in is λ fpr(f_λ) + fnr(f_λ), that of one classifier.
    Example: ``prfast.reference.papers.plug_in(*prfast.reference.TOYS["a"].sample(500), 1.0)``.
    See also `prfast.pr_curve`.

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
        Samples, as for `pr_curve`.
    lam : float or array
        λ in [0, ∞].
    method : str
        "knn" (default), "ipr", "parzen" or "coverage" with ratios of shares as scores, or "auto"
        with log-ratios.  Scores of other methods only rank samples.
    k, split, random_state, n_jobs, memory, progress, **options
        See `pr_curve`; it has the same scores for the same arguments.

    Returns
    -------
    precision, recall : float or array of the shape of `lam`
        λ fpr(f_λ) + fnr(f_λ), and that divided by λ.  Never below the curve of the same split; for
        "auto" never below its `hull`.  They are not points of a curve.
        Precision is above min(λ, 1) where f_λ is worse than the constant classifiers, and they may
        be ∞ at the ends; 0 · ∞ is 0.

    Notes
    -----
    f_λ classifies as real where the ratio is >= 1/λ, for λ < 1 where it is > 1/λ (2024, §3.1); the
    ratio 0/0 is 1.  At the ends are the limits: f_0 where the ratio is ∞, f_∞ where it is not 0.

    2024, Theorem 3.1: with a split, for k → ∞ and k/n → 0, both curve and plug-in converge to α_λ.
    The plug-in is then an unbiased estimate of the risk of the fitted f_λ; it is above α_λ.  Its
    limit for fixed k and n → ∞ is `prfast.reference.knn_risk`.
    """
    flat, shape = read_shaped("lam", lam, read_lambdas)
    refuse_partitions("real", real)
    pair = Pair.read(real, fake)
    context = read_context(random_state, n_jobs, memory, progress)
    run = read_run(method, split, k, options)
    if not isinstance(run.method, Auto | NeighborMethod):
        text = f"one of {', '.join(map(repr, ('auto', *NEIGHBOR_METHODS)))}, whose score is a ratio"
        text += f" of densities, expected, got {run.method.name!r}, which only ranks samples"
        raise WrongValue("method", f"{text}; pr_curve takes it")
    check_runs([run], pair, "method")
    scores: Any = run.method.scores(pair, run.split, context)
    is_log = isinstance(run.method, Auto)
    n, m = scores.real.size, scores.fake.size
    fpr = rejected(np.sort(scores.real), flat, log=is_log) / n
    fnr = (m - rejected(np.sort(scores.fake), flat, log=is_log)) / m
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # 0 · ∞ = 0
        precision = np.where(fpr == 0, 0.0, flat * fpr) + fnr
        recall = fpr + np.where(fnr == 0, 0.0, fnr / flat)
    return shaped(precision, shape), shaped(recall, shape)


class Cells(NamedTuple):
    """The k-means cells of both sets.  See also `partition`."""

    real: Labels
    """The cell of each real sample in each run, integers of shape (runs, n)."""
    fake: Labels
    """The cell of each generated sample in each run, integers of shape (runs, m)."""


def partition(
    real: Any,
    fake: Any,
    *,
    clusters: int = 20,
    runs: int = 10,
    balance: bool = True,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    progress: ProgressOption = None,
) -> Cells:
    """Return the k-means cell of each sample, in every run of ``pr_curve(real, fake, "kmeans")``.

    (2018: Sajjadi et al., Assessing Generative Models via Precision and Recall, §4 and Fig. 9.)
    Example: ``prfast.reference.papers.partition(*prfast.reference.TOYS["a"].sample(500))``.
    See also `prfast.methods.KMeans`.

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
        Samples, as for `prfast.pr_curve`.
    clusters, runs, balance
        See `prfast.methods.KMeans`: 20 cells a run, 10 runs and True by default.
    n_jobs : int or None
        Number of processes for the runs, at most that of the usable cores; None (default) is one,
        -1 every core.  No result depends on it.
    random_state, progress
        See `prfast.pr_curve`.

    Returns
    -------
    Cells
        Labels of every run, those of the curve for the same options and version of scikit-learn.
    """
    pair = Pair.read(real, fake)
    context = read_context(random_state, n_jobs, progress=progress)
    kmeans = KMeans(clusters=clusters, runs=runs, balance=balance)
    return Cells(*kmeans.labels_of(pair, context))
