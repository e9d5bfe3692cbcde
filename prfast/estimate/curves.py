"""The public functions `pr_curve` and `pr_curves`: from samples to curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve
from prfast.estimate.diagnostics import checked, with_equal_rows
from prfast.inputs.arrays import is_plain, read_design, read_pair
from prfast.inputs.errors import WrongValue
from prfast.inputs.noise import smoothed_pair
from prfast.inputs.options import MEMORY, ProgressOption, RandomState
from prfast.inputs.samples import Design, Ints, SampleSet, features_info
from prfast.inputs.tables import first_labels, labels_of, opened
from prfast.methods.base import ExecutionContext, Key, PartitionMethod, read_context
from prfast.methods.neighbors import NEIGHBOR_METHODS, NeighborMethod
from prfast.methods.table import (
    Run,
    all_scores,
    check_partitions,
    expected_work,
    read_method,
    read_run,
    read_runs,
)


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
    resolution: float = 0.0,
    noise: Any = "std",
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: ProgressOption = None,
    **options: Any,
) -> PRCurve:
    """Return the precision-recall curve of generated against real samples.

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
        Samples of the real distribution P and of the generated one Q, usually features of some
        network; n and m may differ.  Methods of the papers use them as they are; "auto" computes
        its own coordinates of them, and fits to at most `fitted` of a set.
    method : str, method, scikit-learn classifier, scorer or function
        A name, which takes options, or an object of ``prfast.methods``, which has them:
        ``pr_curve(x, y, "knn", k=5)`` is ``pr_curve(x, y, KNN(k=5))``.
        "auto" (default): a library of scorers, cross-fitted and stacked into a log-ratio, which
        detects differences that single published methods do not; see ``prfast.methods.auto``.
        "knn", "ipr", "parzen", "coverage": ratios of counts of neighbors (2024, §3; see
        ``prfast.methods.neighbors``), exact to the last bit.
        "kmeans": histograms on 20 k-means cells, mean of 10 runs (2018 paper).
        "classifier": an ensemble of 10 linear classifiers, median of their decision values (2019
        paper; its option `training` says how they are trained).
        Any scikit-learn classifier, of which a clone is fitted.  Any object with fit(real, fake)
        and score(points), which is fitted itself.  Any function of points, such as the
        decision_function of a fitted classifier, larger where points are more like real ones.
    k : int, "sqrt" or None
        Number of neighbors, only for the methods that count neighbors; None (default) and "sqrt"
        are ⌊√n⌋ of the real training samples.
    split : "auto", "bernoulli", float or None
        Samples that the scorer is fitted on.  A share in (0, 1): that share of each set, drawn at
        random; the rest is scored.  "bernoulli": a fair coin per pair (x_i, y_i) sends one to
        training and the other to evaluation (2019, Algorithm 1).  None: fitted and scored on
        all samples, which may give a curve below the true one.  "auto" (default) is the method's
        own: None for "auto", which is cross-fitted in folds, for "kmeans" and for functions,
        "bernoulli" for "classifier", 0.5 for all others.
    w_real, w_fake : array, shapes (n,) and (m,), or None
        Weights of the samples, >= 0, such as importance weights or those of a survey; only their
        ratios matter, and samples of weight 0 are left out.  The curve is that of the distributions
        that the weighted samples stand for.  For "auto", "kmeans", "classifier", classifiers whose
        fit has `sample_weight`, and functions of points; at resolution 0.  None (default): equal
        weights.
    groups : two arrays, shapes (n,) and (m,), or None
        Labels, integers or strings, of samples that depend on each other, such as the frames of a
        video: those with one label are in one fold, on one side of a split, and one unit of the
        intervals.  No label is in both sets.  None (default): samples are independent.
    resolution : float
        Standard deviation σ of the normal noise that smooths both distributions, in units of
        `noise`; 0 (default): none.  Differences of detail vanish at coarse resolutions, differences
        of mass remain: see `prfast.profile`, which gives the curves of several.
    noise : "std", "common", "covariance", "neighbors", array or `prfast.methods.Noise`
        Noise of resolution 1: by default ("std") with the standard deviation of each feature in the
        real set.
    random_state : int, generator of NumPy or None
        Seed of everything random (default 0), recorded in `info`.  None draws a fresh one; a
        Generator, RandomState or SeedSequence draws one, once.
    n_jobs : int or None
        Threads of "auto" and of the methods that count neighbors, by default (None) every usable
        core; processes that share runs or classifiers, by default one.  -1 is every core, -2 all
        but one, and so on; never more than the usable cores.  No result depends on it.
    memory : int
        Bytes beside the inputs, 256 000 000 by default, for "auto" and the methods that count
        neighbors.
    progress : bool or None
        A bar: None (default) in a terminal or a notebook, for what takes more than two seconds;
        True always; False never.
    **options
        Options of the method that is a name.  "auto": folds=10 (more are closer to the truth where
        samples are few), fitted=20_000 (largest number of samples of a set that are fitted to; all
        are scored), curve_estimator="auto" ("mean", "hull", "smooth").
        Where neighbors are counted: ties="closed" (d <= r; "open" is d < r),
        count_self=True (whether a sample is its own first neighbor, without a split),
        backend="auto" ("exact", "tree", "approximate").
        "kmeans": clusters=20, runs=10, balance=True (weigh both sets alike).
        "classifier": classifiers=10, training="sgd" ("adam" is that of the paper, with features as
        they are), weight_decay=None (0.004 with "sgd", 0.1 with "adam").

    Returns
    -------
    PRCurve
        With `info`: method, options, split, sizes, seed, version.  Where rows repeat, `distinct`,
        the numbers of distinct real and generated rows, and, with "auto", `effective_size`, those
        of independent samples, on which its ± is based.  With weights or groups `weighted`, the
        sets that have weights, `groups`, the numbers of groups, and `effective_size`,
        (Σ w)² / Σ w² of each set, of groups with their sums of weights.  `copied`, the number of
        generated rows that equal a real one, if any.  `caution`, a sentence, where the sets look
        alike by the curve but not by precision or coverage (k = 5, of a seeded share of at most
        1000 samples of each set), or where "auto" detects exact values or rounding and they see no
        difference; not with weights.  With "auto" also `columns`, which separate the sets by
        themselves, and below an area of 0.98 `missed` and `least_real`, rows of samples
        (docs/auto.md).  The attribute `work` counts how pairs were decided, where neighbors are
        counted.

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
    call = read_call(real, fake, method, k, split, options, random_state, n_jobs, memory, progress)
    real, fake, context = call.real, call.fake, call.context
    design = read_weighted([call.run], real, fake, w_real, w_fake, groups, resolution)
    real, fake, context, rows = of_positive_weight(real, fake, replace(context, design=design))
    smoothed = smoothed_pair(real, fake, resolution, noise, context.seed, call.labels)
    context = replace(context, smoothed=smoothed)
    curves = curves_of([call.run], real, fake, context, labels=call.labels)
    (curve,) = with_features(with_all_rows(curves, rows), call.features).values()
    return curve


def read_weighted(
    runs: Sequence[Run],
    real: Any,
    fake: Any,
    w_real: Any,
    w_fake: Any,
    groups: Any,
    resolution: float = 0.0,
) -> Design | None:
    """Return the weights and groups of samples that have been read.

    Raises
    ------
    TypeError, ValueError
        As `read_design`; weights with a resolution, or for a method without; partitions.
    """
    design = read_design((len(real), len(fake)), w_real, w_fake, groups)
    if design is None:
        return None
    name = "groups"
    if design.weighted:
        name = "w_" + design.weighted[0]
        if resolution:
            text = "None expected at a resolution above 0, whose noise has the scale of all samples"
            raise WrongValue(name, text)
        for method, _ in runs:
            if not method.takes_weights:
                raise WrongValue(
                    name,
                    f"None expected for method {method.name!r}, which has no weights; 'auto', "
                    "'kmeans', 'classifier', classifiers of scikit-learn whose fit has "
                    "sample_weight, and functions of points have",
                )
    if design.grouped:
        for method, _ in runs:
            if isinstance(method, PartitionMethod) and not method.takes_weights:
                raise WrongValue(
                    "groups", f"None expected for method {method.name!r}, which has no groups"
                )
    if isinstance(real, SampleSet):
        raise WrongValue(name, "None expected for partitioned samples")
    return design


def of_positive_weight(
    real: Any, fake: Any, context: ExecutionContext
) -> tuple[Any, Any, ExecutionContext, tuple[Ints, Ints] | None]:
    """Return the samples of positive weight, the settings for these, and the rows that they are;
    None for the rows where all are."""
    design = context.design
    if design is None or all(weights.all() for weights in design.weights):
        return real, fake, context, None
    of_real, of_fake = map(np.flatnonzero, design.weights)
    context = replace(context, design=design.of(of_real, of_fake))
    return real[of_real], fake[of_fake], context, (of_real, of_fake)


def with_all_rows(curves: dict[Key, PRCurve], rows: tuple[Ints, Ints] | None) -> dict[Key, PRCurve]:
    """Return the curves of these rows, None for all, with the row numbers of all samples."""
    if rows is None:
        return curves
    return {key: _renumbered(curve, rows) for key, curve in curves.items()}


def _renumbered(curve: PRCurve, rows: tuple[Ints, Ints]) -> PRCurve:
    of_real, of_fake = rows
    entries = {"missed": of_real, "least_real": of_fake}
    more = {
        key: x[list(rows)].tolist()
        for key, x in entries.items()
        if (rows := getattr(curve.provenance, key))
    }
    scores = curve.scores
    if scores is not None:
        numbers = {"real_rows": of_real[scores.real_rows], "fake_rows": of_fake[scores.fake_rows]}
        scores = scores._replace(**numbers)
    return curve._added(**more)._made_of(curve.work, scores)


class Call(NamedTuple):
    """The arguments of `pr_curve`, which have been read."""

    run: Run
    real: Any
    fake: Any
    context: ExecutionContext
    labels: list[Any] | None
    """Names of the columns."""
    features: dict[str, Any]
    """Entries of `info` on the features."""


def read_call(
    real: Any,
    fake: Any,
    method: Any,
    k: Any,
    split: Any,
    options: dict[str, Any],
    random_state: Any,
    n_jobs: Any,
    memory: Any,
    progress: Any,
) -> Call:
    """Check the arguments of `pr_curve`, where they are documented."""
    real, fake, labels, features = _read_samples(real, fake)
    context = read_context(random_state, n_jobs, memory, progress)
    if k is not None:
        options["k"] = k
    run = read_run(read_method(method, options), split)
    check_partitions([run], real, "method")
    return Call(run, real, fake, context, labels, features)


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
    resolution: float = 0.0,
    noise: Any = "std",
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: ProgressOption = None,
) -> dict[Key, PRCurve]:
    """Return curves of several methods; those that count neighbors, with all k, share their passes
    over the distances.

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
        Samples, as for `pr_curve`.
    methods : str, method, or a sequence of them
        "knn", "ipr", "parzen" and "coverage" by default; any methods of `pr_curve`, such as
        ``["auto", "knn", KMeans(clusters=50)]``.
    k : int, "sqrt" or a sequence of them
        Numbers of neighbors for the names among `methods`; "sqrt" (default) is ⌊√n⌋ of the real
        training samples.
    split : "auto", "bernoulli", float or None
        That of all methods that have one, as for `pr_curve`; "auto" (default) is each method's own.
    ties, count_self, backend
        As for `pr_curve` and its neighbor methods, for the names among `methods`.
    w_real, w_fake, groups, resolution, noise, random_state, n_jobs, memory, progress
        As for `pr_curve`.

    Returns
    -------
    dict
        {(method, k): PRCurve}, with k as in the argument, None for a method without k.  "auto" is
        first, then the methods that count neighbors, then the others.  Each is equal to that of
        `pr_curve`.

    Warns
    -----
    Contradiction
        As `pr_curve`.

    Raises
    ------
    TypeError, ValueError
        As `pr_curve`; two methods of one name and k.

    References
    ----------
    2024: Sykes, Simon, Rabin, Unifying and extending Precision Recall metrics for assessing
    generative models, §3.
    """
    real, fake, labels, features = _read_samples(real, fake)
    context = read_context(random_state, n_jobs, memory, progress)
    runs = read_runs(methods, k, split, ties, count_self, backend)
    check_partitions(runs, real)
    design = read_weighted(runs, real, fake, w_real, w_fake, groups, resolution)
    real, fake, context, rows = of_positive_weight(real, fake, replace(context, design=design))
    smoothed = smoothed_pair(real, fake, resolution, noise, context.seed, labels)
    context = replace(context, smoothed=smoothed)
    if len(runs) > 1 and any(not isinstance(run.method, NeighborMethod) for run in runs):
        with context.progress.work(expected_work(runs, len(real), len(fake)), "curves"):
            curves = curves_of(runs, real, fake, context, labels=labels)
    else:
        curves = curves_of(runs, real, fake, context, labels=labels)
    return with_features(with_all_rows(curves, rows), features)


def _read_samples(real: Any, fake: Any) -> tuple[Any, Any, list[Any] | None, dict[str, Any]]:
    """Return both sets, the labels of their columns, and the entry of `info` on their features."""
    labels = None
    if not (is_plain(real) and is_plain(fake)):
        real, fake = opened("real", real), opened("fake", fake)
        labels = first_labels(labels_of(real), labels_of(fake))
    features = features_info(real, fake)
    return *read_pair(real, fake), labels, features


def curves_of(
    runs: Sequence[Run],
    real: Any,
    fake: Any,
    context: ExecutionContext,
    *,
    labels: list[Any] | None = None,
) -> dict[Key, PRCurve]:
    """Return the curve of every method, with a caution where the metrics contradict it, for samples
    that have been read; labels: names of their columns."""
    smoothed = context.smoothed
    if smoothed is None:
        scores = all_scores(runs, real, fake, context)
        return several_curves(scores, real, fake, context.seed, labels, context.design)
    scores = all_scores(runs, smoothed.real, smoothed.fake, context)
    curves = {key: one.curve()._added(**smoothed.record()) for key, one in scores.items()}
    return checked(curves, smoothed.real, smoothed.fake, context.seed, smoothed.equal)


def several_curves(
    scores: Mapping[Key, Any],
    real: Any,
    fake: Any,
    seed: int,
    labels: list[Any] | None = None,
    design: Design | None = None,
) -> dict[Key, PRCurve]:
    """Return the curves of scores, with a caution where the metrics contradict one."""
    curves = {}
    for key, one in scores.items():
        named = labels is not None and hasattr(one, "with_column_names")
        curves[key] = (one.with_column_names(labels) if named else one).curve()
    if design is not None and design.weighted:  # the metrics of the check have no weights
        return with_equal_rows(curves, real, fake)
    return checked(curves, real, fake, seed)


def with_features(curves: Mapping[Any, PRCurve], features: Mapping[str, Any]) -> dict[Any, PRCurve]:
    """Return the curves with the entry `features` that `features_info` gives."""
    return {key: one._added(**features) if features else one for key, one in curves.items()}
