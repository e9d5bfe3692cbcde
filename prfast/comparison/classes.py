"""Curves and metrics by class, `by_class`; dropped and invented classes, `Groups`.

Scores and radii are those of all samples together; a class has the curve of its samples' scores and
the mean over its samples of each metric.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from prfast.comparison.reference import metric_argument_names
from prfast.comparison.results import numbers_of, row_of_numbers
from prfast.curve import PRCurve, Provenance
from prfast.estimate.display import half_widths
from prfast.estimate.notes import legend
from prfast.estimate.sample_notes import FEW, ROUGH
from prfast.inputs.arrays import of_class, read_labels
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.options import MEMORY, ProgressOption, RandomState, read_count
from prfast.methods.base import (
    ExecutionContext,
    Key,
    PartitionMethod,
    Scores,
    read_context,
    weighted_curve,
)
from prfast.methods.table import Run, all_scores, check_runs, expected_work, read_runs
from prfast.neighbors import NeighborSearch
from prfast.results.values import Display, Result, listed, shortened, value_and_error
from prfast.samples.pair import Pair
from prfast.samples.samples import Samples
from prfast.scalars.api import names_with_weights, read_metric_options
from prfast.scalars.measure import Metrics, check_available, provenance, sample_shares
from prfast.scalars.measure import expected_work as expected_metrics
from prfast.scalars.options import MetricOptions
from prfast.scalars.table import is_of_samples, means


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
    backend: str = "auto",
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: ProgressOption = None,
) -> Groups:
    """Return curves and metrics of each class, and which classes are dropped or invented.

    Scores and radii are those of all samples together, as without classes: a class has the curve of
    its samples' scores, and the mean over its samples of each metric.

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
        Samples, as for `prfast.pr_curves`.
    labels_real, labels_fake : array of int or str, shapes (n,) and (m,)
        The class of each sample; for generated samples the label that they were conditioned on, or
        the prediction of a classifier.
    methods, k, split, random_state, ties, count_self
        Options of the curves, as for `prfast.pr_curves`; methods that score samples, "auto" by
        default.
    metrics_k, which
        k (default 5) and names of the metrics (default None: the usual ones), as for
        `prfast.metrics`, but for those of both sets as wholes: distances, ``clipped_density`` and
        ``clipped_coverage``, ``alpha_precision`` and ``beta_recall``.
    w_real, w_fake, groups
        As for `prfast.pr_curves`, None by default: shares, curves and metrics are those of the
        weights, and errors count groups.
    backend, n_jobs, memory, progress
        As for `prfast.pr_curves`.

    Returns
    -------
    Groups
        A class that only one set has, or that is too small, has shares but no curve; `left_out`
        has the reason.

    Raises
    ------
    TypeError, ValueError
        As those functions; labels that are not one integer or string a sample, or integers for one
        set and strings for the other.
    """
    first = Samples.read("real", real, at_least=2)
    second = Samples.read("fake", fake, like=first, at_least=2)
    classes_real = _read_labels("real", first, labels_real)
    classes_fake = _read_labels("fake", second, labels_fake)
    if (classes_real.dtype.kind == "U") != (classes_fake.dtype.kind == "U"):
        raise WrongType(
            "labels_real and labels_fake",
            f"one kind expected, got {classes_real.dtype} and {classes_fake.dtype}",
        )
    pair = Pair.read(first, second, w_real=w_real, w_fake=w_fake, groups=groups)
    runs = read_runs(methods, k, split, ties, count_self, backend)
    check_runs(runs, pair)
    for method, _ in runs:
        if isinstance(method, PartitionMethod):
            raise WrongValue("methods", f"methods that score samples expected, got {method.name!r}")
    context = read_context(random_state, n_jobs, memory, progress)
    metrics = read_metric_options(read_count("metrics_k", metrics_k), which, ties)
    if of_sets := [name for name in metrics.names if not is_of_samples(name)]:
        text = f"metrics that are means over samples expected, got {listed(of_sets)}; "
        text += "prfast.metrics of the rows of a class, as real[labels_real == label], has them"
        raise WrongValue("which", text)
    if pair.weighted:
        metrics = metrics._replace(names=names_with_weights(which, pair))
    search = NeighborSearch(backend, n_jobs, memory, context.progress)
    check_available(backend, pair.real.source, metrics)
    work = expected_work(runs, *pair.sizes) + expected_metrics(*pair.sizes, pair.width, metrics)
    with search.progress.work(work, "classes"):
        return _groups(pair, (classes_real, classes_fake), runs, metrics, search, context)


def _read_labels(name: str, samples: Samples, labels: Any) -> Any:
    """Return the class of each sample of a set."""
    argument = f"labels_{name}"
    return read_labels(argument, samples.in_order(argument, labels, name), len(samples.source))


def _groups(
    pair: Pair,
    all_labels: tuple[Any, Any],
    runs: Sequence[Run],
    metrics: MetricOptions,
    search: NeighborSearch,
    context: ExecutionContext,
) -> Groups:
    """Return the results of each class; all_labels: those of all samples in the caller's sets."""
    real, fake = (
        labels[samples.numbers] for labels, samples in zip(all_labels, pair.sets, strict=True)
    )
    changes, k = changes_of(pair, (real, fake)), metrics.ks[0]
    scores = all_scores(runs, pair, context, search)
    with metric_argument_names():
        shares = sample_shares(*pair.points, metrics, search)[k]
    info = {"k": k, **provenance(pair, metrics, search)}
    curves_by_class: dict[Any, dict[Key, PRCurve]] = {}
    metrics_by_class: dict[Any, Metrics] = {}
    left_out: dict[Any, str] = {}
    for change in changes:
        label, (n, m) = change.label, change.sizes
        about = {"class": label, "class_real": n, "class_fake": m}
        if n and m:
            x, y = of_class(real, label), of_class(fake, label)
            values = means(shares, metrics.names, k, pair, real=x, fake=y)
            info_of_class = info | about | pair.take(x, y).sizes_record()
            metrics_by_class[label] = Metrics(values, info_of_class, k=k, sizes=pair.sizes)
        for key, score in scores.items():
            assert isinstance(score, Scores)  # partitions were refused
            a = of_class(all_labels[0][score.real_rows], label)
            b = of_class(all_labels[1][score.fake_rows], label)
            if a.any() and b.any():
                scored = {"scored_real": int(a.sum()), "scored_fake": int(b.sum())}
                curve = score.curve(a, b, **about, **scored, **pair.features)
                curves_by_class.setdefault(label, {})[key] = curve
            else:
                sides = [side for side, x in (("real", a), ("generated", b)) if not x.any()]
                left_out[label] = f"no {' and no '.join(sides)} sample to evaluate"
    curve = _curve_of_labels(pair, (real, fake), changes)
    return Groups(curves_by_class, metrics_by_class, curve, changes, left_out)


def changes_of(pair: Pair, labels: tuple[Any, Any]) -> list[Change]:
    """Return the shares of each class in both sets, in the order of the labels."""
    # As int or str: together, arrays of int64 and uint64 would become float64.
    counts = [Counter(np.asarray(of_set).tolist()) for of_set in labels]
    sets, changes = [*zip(labels, pair.masses, pair.unit_numbers, strict=True)], []
    for label in sorted(counts[0] | counts[1]):
        shares, variance = [], 0.0
        for of_set, w, unit in sets:
            is_in_class = of_class(of_set, label)
            share = float(w[is_in_class].sum() / w.sum())
            shares.append(share)
            # Of a ratio of sums over independent units.
            residuals = np.bincount(unit, w * (is_in_class - share))
            variance += float((residuals**2).sum() / w.sum() ** 2)
        sizes = counts[0][label], counts[1][label]
        changes.append(Change(label, shares[0], shares[1], math.sqrt(variance), sizes))
    return changes


def _curve_of_labels(pair: Pair, labels: tuple[Any, Any], changes: Sequence[Change]) -> PRCurve:
    """Return the curve of the two histograms of labels, by the order of the ratios of classes."""
    n, m = pair.sizes
    # The cells are the labels; the samples that are counted also order them: no split.
    origin = Provenance(method="labels", n_real=n, n_fake=m, scored_real=n, scored_fake=m)
    origin = origin.added(split=None, **pair.features)
    real, fake = np.empty(n), np.empty(m)
    for change in changes:
        for scores, of_set in zip((real, fake), labels, strict=True):
            scores[of_class(of_set, change.label)] = change.real / (change.real + change.fake)
    return weighted_curve(real, fake, pair, origin)


# ---- results -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Change:
    """The shares of a class in the real and in the generated samples."""

    label: Any
    real: float
    fake: float
    standard_error: float
    """Standard error of fake − real; of distinct samples, √(p(1 − p)/n + q(1 − q)/m)."""
    sizes: tuple[int, int]
    """Numbers of real and of generated samples of the class."""

    @property
    def difference(self) -> float:
        """fake − real: invented mass if positive, dropped mass if negative."""
        return self.fake - self.real

    @property
    def clear(self) -> bool:
        """Whether the difference exceeds three standard errors."""
        return abs(self.difference) > 3 * self.standard_error


@dataclass(frozen=True, repr=False)
class Groups(Result):
    """The result of `prfast.by_class`; prints as a table.

    curves: {label: {(method, k): PRCurve}}.  metrics: {label: Metrics}.  labels: the curve of the
    two histograms of labels.  changes: a `Change` for each class, in the order of the labels.
    left_out: {label: reason} for classes that have no curve or no metrics.
    """

    _index = "class"

    curves: Mapping[Any, dict[tuple[str, Any], PRCurve]]
    metrics: Mapping[Any, Metrics]
    labels: PRCurve
    changes: Sequence[Change]
    left_out: Mapping[Any, str]

    @property
    def dropped(self) -> list[Change]:
        """Classes with clearly less generated than real mass, the largest loss first."""
        less = [change for change in self.changes if change.clear and change.difference < 0]
        return sorted(less, key=lambda one: one.difference)

    @property
    def invented(self) -> list[Change]:
        """Classes with clearly more generated than real mass, the largest gain first."""
        more = [change for change in self.changes if change.clear and change.difference > 0]
        return sorted(more, key=lambda one: -one.difference)

    def rows(self) -> list[dict[str, Any]]:
        """Return a dictionary for each class.

        ``class``, its shares ``real`` and ``fake``, their ``difference``, its ``standard_error``,
        whether it is ``clear``; then the numbers of its curves and metrics under the headings of
        `Evaluation.rows`, as far as there are any.
        """
        none = Metrics({})
        return [
            {
                "class": change.label,
                "real": change.real,
                "fake": change.fake,
                "difference": change.difference,
                "standard_error": change.standard_error,
                "clear": change.clear,
                **row_of_numbers(
                    numbers_of(
                        self.curves.get(change.label, {}), self.metrics.get(change.label, none)
                    )
                ),
            }
            for change in self.changes
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON.

        Returns
        -------
        dict
            ``labels``, the curve of the histograms of labels; ``classes``, as `rows` has them;
            ``curves``, a list with ``class``, ``method``, ``k`` and ``curve``; ``left_out``, a list
            with ``class`` and ``why``.
        """
        return {
            "labels": self.labels.to_dict(),
            "classes": self.rows(),
            "curves": [
                {"class": label, "method": method, "k": k, "curve": curve.to_dict()}
                for label, curves in self.curves.items()
                for (method, k), curve in curves.items()
            ],
            "left_out": [{"class": label, "why": why} for label, why in self.left_out.items()],
        }

    def _display(self) -> Display:
        names = list(next(iter(self.metrics.values()), ()))
        lines = []
        for one in self.changes:
            curves, metrics = self.curves.get(one.label), self.metrics.get(one.label)
            curve = next(iter(curves.values())) if curves else None
            half = half_widths(curve).get("area") if curve else None
            lines.append(
                [
                    str(one.label),
                    f"{one.real:.4f}",
                    f"{one.fake:.4f}",
                    _word(one),
                    value_and_error(curve.area, half) if curve else "-",
                    *(metrics.text(name) if metrics else "-" for name in names),
                ]
            )
        reasons: dict[str, list[str]] = {}
        for label, why in self.left_out.items():
            reasons.setdefault(why, []).append(str(label))
        few = [
            str(change.label)
            for change in self.changes
            if change.label in self.metrics
            and min(self.metrics[change.label].info.get("effective_size", change.sizes)) < FEW
        ]
        notes = [legend()] if any("±" in line[4] for line in lines) else []
        notes += [f"{shortened(labels)}: {why}" for why, labels in reasons.items()]
        if few:
            notes.append(f"{shortened(few)}: with fewer than {FEW} samples of either set {ROUGH}.")
        head = ["class", "real", "fake", "clear", "area", *names]
        return Display("Classes", lines, head, notes)

    def __repr__(self) -> str:
        counts = f"{len(self.dropped)} clearly dropped, {len(self.invented)} clearly invented"
        return f"Groups({len(self.changes)} classes, {counts})"


def _word(change: Change) -> str:
    """Return the word for a clear change: of all the mass of a class, or of a part of it."""
    if not change.clear:
        return ""
    if change.difference < 0:
        return "dropped" if change.fake == 0 else "less"
    return "invented" if change.real == 0 else "more"
