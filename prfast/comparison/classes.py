"""`by_class`: curves and metrics by class, of pairs of a sample and its label.

"auto" is fitted to all pairs at once (`labelled`), and to each large class.  Other methods and the
metrics take each class by itself.  Scores within classes are scores of pairs too, and have a curve
of all pairs.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from prfast.comparison.class_results import Change, Groups
from prfast.comparison.reference import metric_argument_names
from prfast.comparison.results import Evaluation
from prfast.curve import PRCurve, Provenance
from prfast.estimate.diagnostics import curves_of_scores
from prfast.inputs.arrays import Float64s, Ints, check_one_kind, in_order, of_class, read_labels
from prfast.inputs.errors import ArgumentError, WrongValue
from prfast.inputs.options import MEMORY, ProgressOption, RandomState, read_count
from prfast.methods.base import (
    ExecutionContext,
    Key,
    Scores,
    read_context,
    weighted_curve,
)
from prfast.methods.kmeans import KMeans
from prfast.methods.table import Run, all_scores, check_runs, expected_work, read_runs
from prfast.neighbors import NeighborSearch
from prfast.neighbors.tasks import largest_value
from prfast.results.values import listed
from prfast.samples.notes import FEW
from prfast.samples.pair import SETS, Pair
from prfast.samples.partition import cells_by_mass
from prfast.samples.partitioned import check_array
from prfast.samples.record import sizes_record, space_record
from prfast.samples.samples import Samples
from prfast.scalars.api import for_weights, read_metric_options
from prfast.scalars.measure import Metrics, check_available, check_sizes, provenance, sample_shares
from prfast.scalars.measure import expected_work as expected_metrics
from prfast.scalars.options import MetricOptions
from prfast.scalars.table import Share, is_of_samples, means, needed_rows


def by_class(
    real: Any,
    fake: Any,
    labels_real: Any,
    labels_fake: Any,
    methods: Any = ("auto",),
    k: Sequence[int | str] | int | str = "sqrt",
    *,
    metrics_k: int = 5,
    which: str | Sequence[str] | None = None,
    split: float | str | None = "auto",
    random_state: RandomState = 0,
    ties: str = "closed",
    count_self: bool = True,
    w_real: Any = None,
    w_fake: Any = None,
    groups: tuple[Any, Any] | None = None,
    repeats: str = "missing",
    backend: str = "auto",
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: ProgressOption = None,
) -> Groups:
    """Return curves and metrics of each class, and which classes are dropped or invented.

    Samples are compared with their labels.  Methods and metrics take each class by itself; "auto"
    takes classes with fewer than 200 samples of a set together, with their labels.  A sample with a
    wrong label is unlike its class, also in the results of all samples, `Groups.overall`.
    See also `Evaluator`.

    >>> real, fake = prfast.reference.GaussianShift(1.0, dim=8).sample(500)
    >>> labels = ["cat", "dog"] * 250
    >>> print(prfast.by_class(real, fake, labels, labels, "knn"))

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
        Samples, as for `prfast.pr_curves`.
    labels_real, labels_fake : array of int or str, shapes (n,) and (m,)
        The class of each sample; for generated samples the label that they were conditioned on.
        Predictions of a classifier are never wrong: they show where samples differ.
    methods, k, split, random_state, ties, count_self
        Options of the curves, see `prfast.pr_curves`.  Methods score samples, "auto" by default.
        It takes no partitioned samples here.
    metrics_k, which
        k (default 5) and names of the metrics (default None: the usual ones), see `prfast.metrics`.
        Metrics of both sets as wholes are refused.
    w_real, w_fake, groups
        See `prfast.pr_curves`, None by default: shares, curves and metrics are those of the
        weights, and errors count groups.
    repeats : "missing" or "weights"
        As for `prfast.pr_curve`, of equal samples of one class; "missing" by default.
    backend, n_jobs, memory, progress
        See `prfast.pr_curves`.

    Returns
    -------
    Groups
        A class that only one set has, or that is too small, has shares but no curve or no metrics;
        `left_out` has the reason.

    Raises
    ------
    TypeError, ValueError
        See those functions; labels that are not one integer or string a sample, or of another kind
        in the other set.
    """
    first = Samples.read("real", real, at_least=2)
    second = Samples.read("fake", fake, like=first, at_least=2)
    labels = []
    for name, samples, values in (("real", first, labels_real), ("fake", second, labels_fake)):
        argument = f"labels_{name}"
        values = in_order(argument, values, name, samples.index)
        labels.append(read_labels(argument, values, len(samples.source)))
    check_one_kind(("labels_real", "labels_fake"), labels)
    pair = Pair.read(
        first, second, w_real=w_real, w_fake=w_fake, groups=groups, repeats=repeats, kinds=labels
    )
    runs = read_runs(methods, k, split, ties, count_self, backend)
    check_runs(runs, pair)
    for method, _ in runs:
        if isinstance(method, KMeans):
            raise WrongValue("methods", f"methods that score samples expected, got {method.name!r}")
        if method.has_folds:
            text = "methods that count neighbors"
            check_array("methods", pair.real.source, text, repr(method.name))
    context = read_context(random_state, n_jobs, memory, progress)
    metrics = read_metric_options(read_count("metrics_k", metrics_k), which, ties)
    if of_sets := [name for name in metrics.names if not is_of_samples(name)]:
        text = f"metrics that are means over samples expected, got {listed(of_sets)}; "
        text += "prfast.metrics of the rows of a class, as real[labels_real == label], has them"
        raise WrongValue("which", text)
    if pair.weighted:
        metrics = for_weights(metrics, which is None, pair)
    search = NeighborSearch(backend, n_jobs, memory, context.progress)
    check_available(backend, pair.real.source, metrics)
    with metric_argument_names():
        check_sizes(*pair.sizes, metrics)
    kept = [x[samples.rows] for x, samples in zip(labels, pair.sets, strict=True)]
    classes = _Classes(pair, kept[0], kept[1])
    joint = [run for run in runs if run.method.has_folds]
    each = [run for run in runs if not run.method.has_folds]
    work: float = expected_work(joint, *pair.sizes)
    work += sum(expected_work(joint, len(x), len(y)) for x, y in classes.large)
    for x, y in classes.rows.values():
        work += expected_work(each, len(x), len(y)) + expected_metrics(len(x), len(y), metrics)
    with search.progress.work(work, "classes"):
        curves = classes.curves(runs, context)
        values = classes.metrics(metrics, search)
    overall = Evaluation(curves.pop(_ALL), values.pop(_ALL))
    return Groups(overall, curves, values, classes.curve(), classes.changes, classes.left_out)


_ALL = object()  # the key of the results of all samples beside the labels of classes


class _Classes:
    """The classes of the samples of a pair, in the order of their labels."""

    def __init__(self, pair: Pair, real: Any, fake: Any) -> None:
        self.pair, self.changes = pair, changes_of(pair, (real, fake))
        self.numbers = np.zeros(len(real), np.int64), np.zeros(len(fake), np.int64)
        """The number of the class of each row of either set."""
        self.rows: dict[Any, tuple[Ints, Ints]] = {}
        """The rows of each class that both sets have."""
        self.left_out: dict[Any, str] = {}
        for number, change in enumerate(self.changes):
            x, y = (np.flatnonzero(of_class(labels, change.label)) for labels in (real, fake))
            self.numbers[0][x] = self.numbers[1][y] = number
            if len(x) and len(y):
                self.rows[change.label] = x, y
            else:
                absent = "generated" if len(x) else "real"
                self.left_out[change.label] = f"no {absent} sample to evaluate"
        # Those with enough samples for a fit to them alone.
        self.large = [x for x in self.rows.values() if min(pair.take(*x).effective_size) >= FEW]
        lacking = np.array([change.clear and not all(change.sizes) for change in self.changes])
        self.missing = [np.flatnonzero(lacking[numbers]) for numbers in self.numbers]
        """The rows of either set of classes that the other set clearly lacks."""

    def _each(self, function: Callable[[Pair], Any]) -> dict[Any, Any]:
        """Return the results for the samples of each class that both sets have; where a class is
        too small, `left_out` has the reason."""
        results = {}
        for label, rows in self.rows.items():
            part = self.pair.take(*rows)
            try:
                results[label] = function(part if self.pair.real.is_partitioned else part.alone())
            except ArgumentError as error:
                self.left_out[label] = str(error)
        return results

    # ---- curves ----------------------------------------------------------------------------------

    def curves(self, runs: Sequence[Run], context: ExecutionContext) -> dict[Any, Any]:
        """Return {label: {key: curve}}, and that of all samples."""
        each = [run for run in runs if not run.method.has_folds]
        results: dict[Any, dict[Key, Any]] = {}
        if each:
            results = self._each(lambda part: all_scores(each, part, context))
            if self.rows and not results:
                why = self.left_out[next(iter(self.rows))]
                raise WrongValue("labels_real and labels_fake", f"larger classes expected; {why}")
        curves: dict[Any, dict[Key, PRCurve]] = {_ALL: {}}
        about: dict[str, Any] = {"n_features": self.pair.width, **space_record(self.pair)}
        for run in runs:
            key, rows = run.method.key, self.rows
            if run.method.has_folds:
                whole = self._fitted(run, context)
                scored = dict.fromkeys(rows, whole)
                every = [np.arange(size) for size in self.pair.sizes]
                real, fake = self._told_apart((whole.real, whole.fake), every)
                whole = replace(whole, real=real, fake=fake)
            else:
                scored = {label: scores[key] for label, scores in results.items()}
                whole = self._together(scored, run, context)
            if len(whole.real) and len(whole.fake):
                entries = about | self.pair.repetition.record()
                curves[_ALL] |= curves_of_scores({key: whole}, self.pair, context, (), entries)
            for label, score in scored.items():
                n, m = map(len, rows[label])
                entries = {"class": label, "class_real": n, "class_fake": m, **about}
                chosen = rows[label] if run.method.has_folds else ()
                if chosen:
                    entries |= {"scored_real": n, "scored_fake": m}
                # A caution on all samples holds for each class.
                if chosen and not curves[_ALL][key].provenance.caution:
                    part = self.pair.take(*chosen)
                    curve = curves_of_scores({key: score}, part, context, chosen, entries)[key]
                else:
                    curve = score.curve(*chosen, **entries)
                curves.setdefault(label, {})[key] = curve
        return curves

    def _fitted(self, run: Run, context: ExecutionContext) -> Any:
        """Return the scores of a fit to all samples with their labels, of large classes those of a
        fit to them alone.  Among many classes, a difference within a class is small."""
        pair = labelled(self.pair, self.numbers)
        whole: Any = run.method.scores(pair, run.split, context)
        real, fake = whole.real.copy(), whole.fake.copy()
        for x, y in self.large:
            part: Any = run.method.scores(self.pair.take(x, y), run.split, context)
            real[x], fake[y] = part.real, part.fake
        return replace(whole, real=real, fake=fake)

    def _together(self, scored: dict[Any, Scores], run: Run, context: ExecutionContext) -> Scores:
        """Return the scores of the classes together, and of classes that a set clearly lacks."""
        rows, scores = [], []
        for place, (name, samples) in enumerate(zip(SETS, self.pair.sets, strict=True)):
            s, lacks = np.full(len(samples), np.nan), self.missing[place]
            for part in scored.values():
                at = np.searchsorted(samples.rows, getattr(part, f"{name}_rows"))
                s[at] = getattr(part, name)
            # A split leaves a share of the samples; missing classes keep the same.
            total = sum(len(self.rows[label][place]) for label in scored)
            share = np.count_nonzero(s == s) / total if total else 1.0
            s[lacks[: round(share * len(lacks))]] = 0.0
            rows.append(np.flatnonzero(s == s))
            scores.append(s[rows[-1]])
        taken = self.pair.take(*rows)
        return Scores(
            *self._told_apart(scores, rows),
            real_rows=taken.real.rows,
            fake_rows=taken.fake.rows,
            provenance=run.method.record(self.pair, run.split, taken.sizes, context.seed),
            pair=None if self.pair.is_plain else taken.without_points(),
        )

    def _told_apart(
        self, scores: Sequence[Float64s], rows: Sequence[Ints]
    ) -> tuple[Float64s, Float64s]:
        """Return scores that tell apart the classes whose shares clearly differ.

        They are log-ratios of the cells of a hull of each such class, and of one of all others.
        Joined, the cells of a hull have the shares of its classes: the curve of all is nowhere
        above what these shares prove.
        """
        clear = np.array([change.clear for change in self.changes])
        if not clear.any():
            return scores[0], scores[1]
        hulls = [
            np.where(clear[numbers[at]], numbers[at], -1)
            for numbers, at in zip(self.numbers, rows, strict=True)
        ]
        shares = [x[at] / x[at].sum() for x, at in zip(self.pair.masses, rows, strict=True)]
        result = np.zeros(len(scores[0])), np.zeros(len(scores[1]))
        for hull in np.unique(np.concatenate(hulls)):
            inside = [numbers == hull for numbers in hulls]
            s = [x[here] for x, here in zip(scores, inside, strict=True)]
            w = [x[here] for x, here in zip(shares, inside, strict=True)]
            masses = np.ones(1), np.ones(1)  # one cell, of a class that only one set has
            if len(s[0]) and len(s[1]):
                # The masses are by rising scores.
                masses = PRCurve.from_scores(*s, w_real=w[0], w_fake=w[1]).masses
            p, q = (mass * x.sum() for mass, x in zip(masses, w, strict=True))
            with np.errstate(divide="ignore"):
                ratio = np.log(p) - np.log(q)
            for values, here, *cells in zip(result, inside, s, w, masses, strict=True):
                values[here] = ratio[cells_by_mass(*cells)] if here.any() else 0.0
        return result

    def curve(self) -> PRCurve:
        """Return the curve of the two histograms of labels, by the order of their ratios."""
        (n, m), pair = self.pair.sizes, self.pair
        # The cells are the labels; the samples that are counted also order them: no split.
        origin = Provenance(method="labels", n_real=n, n_fake=m, scored_real=n, scored_fake=m)
        ratio = np.array([change.real / (change.real + change.fake) for change in self.changes])
        real, fake = (ratio[numbers] for numbers in self.numbers)
        return weighted_curve((real, fake), pair, origin.added(split=None, **space_record(pair)))

    # ---- metrics ---------------------------------------------------------------------------------

    def metrics(self, options: MetricOptions, search: NeighborSearch) -> dict[Any, Metrics]:
        """Return {label: metrics}, and those of all samples."""
        pair, k = self.pair, options.ks[0]

        def measured(part: Pair) -> dict[str, Share]:
            with metric_argument_names():
                return sample_shares(*part.points, options, search)[k]

        by_label, shares = self._each(measured), {}
        for name, row in needed_rows(options.names).items():
            # Without neighbors in classes that the other set lacks.
            place, rank = SETS.index(row.over), row.spec(k, options).k
            share = row.share(np.zeros(pair.sizes[place], np.int64), rank, options)
            joined = share.values
            for label, measures in by_label.items():
                joined = joined.astype(np.result_type(joined, measures[name].values), copy=False)
                joined[self.rows[label][place]] = measures[name].values
            shares[name] = share._replace(values=joined)
        info = {"k": k, **provenance(pair, options, search)}
        results = {}
        for label in by_label:
            x, y = self.rows[label]
            about = {"class": label, "class_real": len(x), "class_fake": len(y), **info}
            about |= sizes_record(pair.take(x, y))
            values = means(shares, options.names, k, pair, real=x, fake=y)
            results[label] = Metrics(values, about, k=k, sizes=(len(x), len(y)))
        real, fake = (
            np.concatenate([*(self.rows[label][place] for label in by_label), lacks])
            for place, lacks in enumerate(self.missing)
        )
        values = {}
        if len(real) and len(fake):
            values = means(shares, options.names, k, pair, real=real, fake=fake)
        results[_ALL] = Metrics(values, info | sizes_record(pair), k=k, sizes=pair.sizes)
        return results


def changes_of(pair: Pair, labels: tuple[Any, Any]) -> list[Change]:
    """Return the shares of each class in both sets, in the order of the labels."""
    # Labels as int or str: together, arrays of int64 and uint64 would become float64.
    counts = [Counter(np.asarray(of_set).tolist()) for of_set in labels]
    sets, changes = [*zip(labels, pair.masses, pair.unit_numbers, strict=True)], []
    for label in sorted(counts[0] | counts[1]):
        shares, variance = [], 0.0
        for of_set, w, unit in sets:
            is_in_class = of_class(of_set, label)
            share = float(w[is_in_class].sum() / w.sum())
            shares.append(share)
            # Residuals of a ratio of sums over independent units.
            residuals = np.bincount(unit, w * (is_in_class - share))
            variance += float((residuals**2).sum() / w.sum() ** 2)
        sizes = counts[0][label], counts[1][label]
        changes.append(Change(label, shares[0], shares[1], math.sqrt(variance), sizes))
    return changes


_APART = 10.0  # distance of two classes, in the largest deviation within classes
_LEAST_APART = 1e-30  # distance where no column varies within a class
_LARGEST = 480  # exponent of values that keep their unit
_SOME_ROWS = 1000  # of a set, to find columns of few values


def labelled(pair: Pair, labels: tuple[Ints, Ints]) -> Pair:
    """Return the samples with their labels, whose units stay; labels: numbers of classes.

    A point is the sample minus the median of its class in both sets, so that a difference within
    classes is not small beside that between them, and a code, so that a class can differ in its own
    way.  Columns that repeat values also stay: minus medians they would no longer be equal.
    """
    exponent = max(math.frexp(largest_value(points))[1] for points in pair.points)
    if exponent > _LARGEST:  # their squares would not be in the range of float64
        pair = pair.with_points(*(np.ldexp(x, _LARGEST - exponent) for x in pair.points))
    real, fake = (points.copy() for points in pair.points)
    classes = 1 + max(int(numbers.max()) for numbers in labels)
    square = np.zeros(pair.width)
    for label in range(classes):
        rows = [np.flatnonzero(numbers == label) for numbers in labels]
        inside = np.concatenate([real[rows[0]], fake[rows[1]]])
        # An attained value: integers stay integers, and equal values equal.
        middle = (len(inside) - 1) // 2
        center = np.partition(inside, middle, axis=0)[middle]
        real[rows[0]] -= center
        fake[rows[1]] -= center
        square += ((inside - center).astype(np.float64) ** 2).sum(axis=0)
    reach = _APART * max(float(np.sqrt(square.max() / sum(pair.sizes))), _LEAST_APART)
    # The bits of the number of a class, two of which differ in a bit, and the number, whose shares
    # the base `values` estimates.
    numbers = np.arange(classes)
    bits = numbers[:, None] >> np.arange(max(classes - 1, 1).bit_length()) & 1
    codes = np.column_stack([bits, numbers / classes]).astype(real.dtype) * real.dtype.type(reach)
    exact = np.zeros(pair.width, bool)  # columns with at most half as many values as rows
    for points in pair.points:
        values = np.sort(points[:: -(-len(points) // _SOME_ROWS)], axis=0)
        exact |= 2 * (np.diff(values, axis=0) > 0).sum(axis=0) + 2 <= len(values)
    parts = zip((real, fake), pair.points, labels, strict=True)
    joint = pair.with_points(
        *(np.hstack([x, given[:, exact], codes[of]]) for x, given, of in parts)
    )
    first, second = (replace(samples, names=None) for samples in joint.sets)
    return replace(joint, real=first, fake=second)
