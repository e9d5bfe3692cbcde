"""The public functions `pr_curve` and `pr_curves`: from samples to curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from prfast.curve import PRCurve
from prfast.estimate.method import check_pieces, method_curve
from prfast.estimate.methods import neighbor_curves, read_curve_options
from prfast.estimate.scores import read_split, with_features
from prfast.inputs.arrays import read_pair
from prfast.inputs.features import features_info
from prfast.inputs.options import MEMORY, RandomState, Shown, read_jobs, read_seed
from prfast.inputs.tables import first_labels, labels_of, opened
from prfast.methods.base import choose
from prfast.methods.neighbors import NEIGHBOR_METHODS
from prfast.neighbors import Search


def pr_curve(
    real: Any,
    fake: Any,
    method: Any = "auto",
    k: int | str | None = None,
    *,
    split: float | str | None = "auto",
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    **options: Any,
) -> PRCurve:
    """Return the precision-recall curve of generated against real samples.

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
        Samples of the real distribution P and of the generated one Q, usually features of some
        network; n and m may differ.  Methods of the papers use them as they are; "auto" computes
        its own coordinates of them, and fits to at most `fitted` of a set.
    method : str, scorer, scikit-learn classifier or function
        "auto" (default): a library of scorers, cross-fitted and stacked into a log-ratio, which
        detects differences that single published methods do not; see ``prfast.methods.auto``.
        "knn", "ipr", "parzen", "coverage": ratios of counts of neighbours (2024 paper, §3; see
        `prfast.methods.neighbors`), exact to the last bit.
        "kmeans": histograms on 20 k-means cells, mean of 10 runs (2018 paper).
        "classifier": an ensemble of 10 linear classifiers, median of their decision values (2019
        paper; its option `training` says how they are trained).
        Any scikit-learn classifier, of which a clone is fitted.  Any object with fit(real, fake)
        and score(points), which is fitted itself.  Any function of points, such as the
        decision_function of a fitted classifier, larger where points are more like real ones.
    k : int, "sqrt" or None
        Number of neighbours, only for the methods that count neighbours; None (default) and "sqrt"
        are ⌊√n⌋ of the real training samples.
    split : "auto", "bernoulli", float or None
        Samples that the scorer is fitted on.  A share in (0, 1): that share of each set, drawn at
        random; the rest is scored.  "bernoulli": a fair coin per pair (x_i, y_i) sends one to
        training and the other to evaluation (2019 paper, Algorithm 1).  None: fitted and scored on
        all samples, which may give a curve below the true one.  "auto" (default) is the method's
        own: None for "auto", which is cross-fitted in folds, for "kmeans" and for functions,
        "bernoulli" for "classifier", 0.5 for all others.
    random_state : int, generator of NumPy or None
        Seed of everything random (default 0), recorded in `info`.  None draws a fresh one; a
        Generator, RandomState or SeedSequence draws one, once.
    n_jobs : int or None
        Threads of "auto" and of the methods that count neighbours, by default (None) every usable
        core; processes that share runs or classifiers, by default one.  -1 is every core, -2 all
        but one, and so on; never more than the usable cores.  No result depends on it.
    **options
        Options of the method.  "auto": folds=10 (more are closer to the truth where samples are
        few), fitted=20_000 (largest number of samples of a set that are fitted to; all are scored),
        read_out="auto" ("mean", "hull", "smooth"), memory=256_000_000, progress=None (a bar in a
        terminal or a notebook, for what takes more than two seconds; True always, False never).
        Where neighbours are counted: ties="closed" (d <= r; "open" is d < r),
        count_self=True (whether a sample is its own first neighbour, without a split),
        backend="auto" ("exact", "tree", "approximate"), memory=256_000_000 (bytes beside the
        inputs), progress.
        "kmeans": clusters=20, runs=10, balance=True (weigh both sets alike), progress.
        "classifier": classifiers=10, training="sgd" ("adam" is that of the paper, with features as
        they are), weight_decay=None (0.004 with "sgd", 0.1 with "adam"), progress.

    Returns
    -------
    PRCurve
        With `info`: method, options, split, sizes, seed, version.  Where rows repeat, `distinct`,
        the numbers of distinct real and generated rows, and, with "auto", `units`, those of
        independent samples, on which its ± is based.  `copied`, the number of generated rows that
        equal a real one, if any.  `caution`, a sentence, where the sets look alike by the curve
        but not by precision or coverage (k = 5, of a seeded share of at most 1000 samples of each
        set), or where "auto" detects exact values or rounding and they see no difference.  With
        "auto" also `columns`, which separate the sets by themselves, and below an area of 0.98
        `missed` and `least_real`, rows of samples (docs/auto.md).  The attribute `work` counts how
        pairs were decided, where neighbours are counted.

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
    real, fake = opened("real", real), opened("fake", fake)
    labels = first_labels(labels_of(real), labels_of(fake))
    features = features_info(real, fake)
    real, fake = read_pair(real, fake)
    seed = read_seed(random_state)
    n_jobs = read_jobs(n_jobs)
    if k is not None:
        options["k"] = k
    chosen = choose(method, options, seed, n_jobs)
    check_pieces(chosen, real)
    curve = method_curve(chosen, real, fake, read_split(split, chosen.split), seed, labels)
    return curve.with_info(**features) if features else curve


def pr_curves(
    real: Any,
    fake: Any,
    methods: Sequence[str] = NEIGHBOR_METHODS,
    k: Sequence[int | str] | int | str = "sqrt",
    *,
    split: float | None = 0.5,
    random_state: RandomState = 0,
    ties: str = "closed",
    count_self: bool = True,
    backend: str = "auto",
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: Shown = None,
) -> dict[tuple[str, int | str], PRCurve]:
    """Return curves of several neighbour methods and several k from the same passes over the
    distances.

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
        Samples, as for `pr_curve`.
    methods : sequence of str
        "knn", "ipr", "parzen" and "coverage" by default, or some of them.
    k : int, "sqrt" or a sequence of them
        Numbers of neighbours; "sqrt" (default) is ⌊√n⌋ of the real training samples.
    split : float or None
        Share of each set that trains, 0.5 by default; None trains and scores on all samples.
    random_state, ties, count_self, backend, n_jobs, memory, progress
        As for `pr_curve` and its neighbour methods.

    Returns
    -------
    dict
        {(method, k): PRCurve}, with k as in the argument.  Each is equal to that of `pr_curve`.

    Warns
    -----
    Contradiction
        As `pr_curve`.

    Raises
    ------
    TypeError, ValueError
        As `pr_curve`.

    References
    ----------
    2024: Sykes, Simon, Rabin, Unifying and extending Precision Recall metrics for assessing
    generative models, §3.
    """
    features = features_info(real, fake)
    real, fake = read_pair(real, fake)
    options = read_curve_options(methods, k, split, random_state, ties, count_self)
    curves = neighbor_curves(real, fake, options, Search(backend, n_jobs, memory, progress))
    return with_features(curves, features)
