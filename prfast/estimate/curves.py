"""The public functions `pr_curve` and `pr_curves`: from samples to curves."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from prfast.curve import PRCurve
from prfast.estimate.diagnostics import curves_of_scores
from prfast.inputs.options import MEMORY, ProgressOption, RandomState
from prfast.methods.base import Key, read_context
from prfast.methods.neighbors import NEIGHBOR_METHODS, NeighborMethod
from prfast.methods.table import all_scores, check_runs, expected_work, read_run, read_runs
from prfast.samples.pair import Pair


def pr_curve(
    real: Any,
    fake: Any,
    method: Any = "auto",
    k: int | str | None = None,
    *,
    split: float | str | None = "auto",
    w_real: Any = None,
    w_fake: Any = None,
    groups: tuple[Any, Any] | None = None,
    repeats: str = "missing",
    resolution: float = 0.0,
    noise: Any = "std",
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: ProgressOption = None,
    **options: Any,
) -> PRCurve:
    """Return the precision-recall curve of generated against real samples.

    See also `metrics`, `two_sample_test` and `profile`.

    >>> real, fake = prfast.reference.GaussianShift(1.0, dim=8).sample(500)
    >>> print(prfast.pr_curve(real, fake))

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
        Samples of the real distribution P and of the generated one Q, usually features of a
        network; n and m may differ.  Methods of the papers use them as they are; "auto" computes
        its own coordinates of them.
    method : str, method, scikit-learn classifier, scorer or function
        A name, with options here, or an object of ``prfast.methods``, with its options:
        ``pr_curve(x, y, "knn", k=5)`` is ``pr_curve(x, y, KNN(k=5))``.  "auto" (default): scorers,
        cross-fitted and stacked into a log-ratio (``prfast.methods.auto``).  "knn", "ipr",
        "parzen", "coverage": ratios of counts of neighbors (2024, §3), exact to the last bit.
        "kmeans": histograms on 20 k-means cells, mean of 10 runs (2018 paper).  "classifier": an
        ensemble of 10 linear classifiers, median of their decision values (2019 paper).  Or a
        scikit-learn classifier (a clone is fitted), an object with fit(real, fake) and
        score(points), or a function of points.  Scores are larger for points more like real ones.
    k : int, "sqrt" or None
        Number of neighbors, only for the methods that count neighbors; None (default) and "sqrt"
        are ⌊√n⌋ of the real training samples.
    split : "auto", "bernoulli", float or None
        Samples that the scorer is fitted on.  A share in (0, 1): that share of each set, drawn at
        random; the rest is scored.  "bernoulli": a fair coin per pair (x_i, y_i) sends one to
        training and the other to evaluation (2019, Algorithm 1).  None: fitted and scored on all
        samples; the curve may be below the true one.  "auto" (default) is the method's own: None
        for "auto" (it is cross-fitted), "kmeans" and functions, "bernoulli" for "classifier", 0.5
        for all others.
    w_real, w_fake : array, shapes (n,) and (m,), or None
        Weights of the samples, >= 0.  Only their ratios matter; samples of weight 0 are left out.
        For "auto", "kmeans", "classifier", classifiers whose fit has `sample_weight`, and functions
        of points.  Noise has the units of the weighted real set.  None (default): equal weights.
    groups : two arrays, shapes (n,) and (m,), or None
        Labels, integers or strings, of samples that depend on each other, such as the frames of a
        video.  Samples with the same label are in one fold, on one side of a split, and one unit of
        the intervals.  No label is in both sets.  None (default): samples are independent.
    repeats : "missing" or "weights"
        What equal rows of a set are.  "missing" (default): copies that cover less of the real
        distribution, as of a collapsed generator.  "weights": one observation with the sum of their
        weights, as in a Markov chain; nothing is missing.  It needs a method that takes weights.
    resolution, noise
        Standard deviation σ of the normal noise that smooths both distributions, 0 (default): none;
        and the noise of resolution 1, see `prfast.profile`.
    random_state : int, generator of NumPy or None
        Seed of everything random (default 0), recorded in `info`.  None draws a fresh one; a
        Generator, RandomState or SeedSequence draws one, once.
    n_jobs : int or None
        Threads of "auto" and of the methods that count neighbors, by default (None) every usable
        core, or as many as the environment variable OMP_NUM_THREADS says; processes that share runs
        or classifiers, by default one.  -1 is every core, -2 all but one.  No result depends on it.
    memory : int
        Bytes beside the inputs, 256 000 000 by default, for "auto" and the methods that count
        neighbors.
    progress : bool or None
        A bar: None (default) in a terminal or a notebook, for what takes more than two seconds;
        True always; False never.  PRFAST_PROGRESS=0 in the environment makes False the default.
    **options
        Options of the method that is a name, as the arguments of its class in ``prfast.methods``.
        "auto": folds=10, fitted=20_000, bases=None.  Methods that
        count neighbors: ties="closed" (d <= r; "open" is d < r), count_self=True (whether a sample
        is its own first neighbor, without a split), backend="auto" ("exact", "tree",
        "approximate").  "kmeans": clusters=20, runs=10, balance=True.  "classifier":
        classifiers=10, training="sgd" ("adam"), weight_decay=None.

    Returns
    -------
    PRCurve
        Its `info` has method, options, split, sizes, seed, version.  If rows repeat, `distinct`,
        the numbers of distinct real and generated rows, and, with "auto", `effective_size`, those
        of independent samples.  For weights or groups: `weighted`, the sets that have weights;
        `groups`, the numbers of groups; `effective_size`, (Σ w)² / Σ w² of each set, of groups with
        their sums of weights.  `copied`, the number of generated rows that equal a real one, if
        any.  `caution`, a sentence, if the sets are alike by the curve but not by precision or
        coverage (k = 5, at most 1000 samples each).  Also if "auto" detects exact values or
        rounding and these do not; not with weights.  For "auto" below an area of 0.98 also `missed`
        and `least_real`, rows of samples (docs/auto.md).

    Warns
    -----
    Contradiction
        There is such a caution.

    Raises
    ------
    TypeError, ValueError
        Wrong shape or dtype, widths that differ, too few samples, non-finite values, an unknown
        method or option.  The message names the argument, what was expected and what came.

    References
    ----------
    2018: Sajjadi et al., Assessing Generative Models via Precision and Recall.
    2019: Simon, Webster, Rabin, Revisiting Precision and Recall Definition for Generative Model
    Evaluation.  2024: Sykes, Simon, Rabin, Unifying and extending Precision Recall metrics for
    assessing generative models.
    """
    pair = Pair.read(real, fake, w_real=w_real, w_fake=w_fake, groups=groups, repeats=repeats)
    context = read_context(random_state, n_jobs, memory, progress)
    run = read_run(method, split, k, options)
    check_runs([run], pair, "method")
    pair = pair.at(resolution, noise, context.seed)
    scores = all_scores([run], pair, context)
    (curve,) = curves_of_scores(scores, pair, context).values()
    return curve


def pr_curves(
    real: Any,
    fake: Any,
    methods: Any = NEIGHBOR_METHODS,
    k: Sequence[int | str] | int | str = "sqrt",
    *,
    split: float | str | None = "auto",
    random_state: RandomState = 0,
    ties: str = "closed",
    count_self: bool = True,
    backend: str = "auto",
    w_real: Any = None,
    w_fake: Any = None,
    groups: tuple[Any, Any] | None = None,
    repeats: str = "missing",
    resolution: float = 0.0,
    noise: Any = "std",
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: ProgressOption = None,
) -> dict[Key, PRCurve]:
    """Return curves of several methods; those that count neighbors, with all k, share their passes
    over the distances.

    See also `pr_curve`.

    >>> real, fake = prfast.reference.GaussianShift(1.0, dim=8).sample(500)
    >>> curves = prfast.pr_curves(real, fake, ["knn", "ipr"], k=[5, 10])
    >>> print(curves["knn", 5])

    Parameters
    ----------
    real, fake
        See `pr_curve`.
    methods : str, method, or a sequence of them
        "knn", "ipr", "parzen" and "coverage" by default; any methods of `pr_curve`, such as
        ``["auto", "knn", KMeans(clusters=50)]``.
    k : int, "sqrt" or a sequence of them
        Numbers of neighbors for the names among `methods`; "sqrt" (default) is ⌊√n⌋ of the real
        training samples.
    split : "auto", "bernoulli", float or None
        That of all methods that have one, as for `pr_curve`; "auto" (default) is each method's own.
    ties, count_self, backend
        See `pr_curve` and its neighbor methods, for the names among `methods`.
    w_real, w_fake, groups, repeats, resolution, noise, random_state, n_jobs, memory, progress
        See `pr_curve`.

    Returns
    -------
    dict
        {(method, k): PRCurve}, with k as in the argument, None for a method without k.  "auto" is
        first, then the methods that count neighbors, then the others.  Each is equal to that of
        `pr_curve`.

    Raises
    ------
    TypeError, ValueError
        See `pr_curve`, also for warnings and references; two methods of one name and k.
    """
    pair = Pair.read(real, fake, w_real=w_real, w_fake=w_fake, groups=groups, repeats=repeats)
    context = read_context(random_state, n_jobs, memory, progress)
    runs = read_runs(methods, k, split, ties, count_self, backend)
    check_runs(runs, pair)
    pair = pair.at(resolution, noise, context.seed)
    are_alone = all(isinstance(run.method, NeighborMethod) for run in runs) or len(runs) == 1
    work = expected_work(runs, *pair.sizes)
    with nullcontext() if are_alone else context.progress.work(work, "curves"):
        return curves_of_scores(all_scores(runs, pair, context), pair, context)
