"""The public function `by_class`: curves and metrics by class, dropped and invented classes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from prfast.comparison.groups import Change, Groups
from prfast.curve import PRCurve
from prfast.distributed.reading import read_pair
from prfast.distributed.sharded import Sharded
from prfast.estimate.curves import curves_of, with_features
from prfast.inputs.arrays import Floats, of_class, read_labels
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.features import features_info
from prfast.inputs.options import MEMORY, RandomState, Shown, read_count
from prfast.methods.base import ExecutionContext, Key, PartitionMethod, Scores, read_context
from prfast.methods.table import Run, all_scores, check_partitions, expected_work, read_runs
from prfast.neighbors import Search
from prfast.results.values import listed
from prfast.scalars.api import read_metric_options
from prfast.scalars.measure import check_available, measure, provenance, sample_shares
from prfast.scalars.measure import expected_work as expected_metrics
from prfast.scalars.result import Metrics
from prfast.scalars.table import MetricOptions, means, set_metrics

NEIGHBORS = ("all", "class")


def by_class(
    real: Any,
    fake: Any,
    labels_real: Any,
    labels_fake: Any,
    methods: Any = ("auto",),
    k: Sequence[int | str] | int | str = "sqrt",
    *,
    neighbors: str = "all",
    metrics_k: int = 5,
    which: str | Sequence[str] | None = ("precision", "recall", "density", "coverage"),
    split: float | str | None = "auto",
    random_state: RandomState = 0,
    ties: str = "closed",
    count_self: bool = True,
    backend: str = "auto",
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: Shown = None,
    client: Any = None,
) -> Groups:
    """Return curves and metrics of each class, and which classes are dropped or invented.

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
        Samples, as for `prfast.pr_curves`.
    labels_real, labels_fake : array of int or str, shapes (n,) and (m,)
        The class of each sample; for generated samples the label that they were conditioned on, or
        the prediction of a classifier.
    neighbors : "all" or "class"
        "all" (default): scores and radii are those of all samples together, as without classes; a
        class has the curve of its samples' scores, and the mean over its samples of each metric.
        "class": each class separately, as if `pr_curves` and `metrics` were called with its samples
        alone; n in k = √n is that of the class.
    methods, k, split, random_state, ties, count_self
        Options of the curves, as for `prfast.pr_curves`; methods is "auto" by default.  "kmeans"
        and other partitions, which have no scores, need neighbors="class".
    metrics_k, which
        k (default 5) and names of the metrics (default "precision", "recall", "density" and
        "coverage"), as for `prfast.metrics`.  Metrics that are no means over samples,
        ``frechet_distance`` and ``kernel_distance``, need neighbors="class".
    backend, n_jobs, memory, progress, client
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
    features = features_info(real, fake)
    real, fake = read_pair(real, fake, client, at_least=2)
    of_real = read_labels("labels_real", labels_real, len(real))
    of_fake = read_labels("labels_fake", labels_fake, len(fake))
    if (of_real.dtype.kind == "U") != (of_fake.dtype.kind == "U"):
        raise WrongType(
            "labels_real and labels_fake",
            f"one kind expected, got {of_real.dtype} and {of_fake.dtype}",
        )
    if neighbors not in NEIGHBORS:
        raise WrongValue("neighbors", f"'all' or 'class' expected, got {neighbors!r}")
    if neighbors == "class" and isinstance(real, Sharded):
        raise WrongValue("neighbors", f"'all' expected for samples in pieces, got {neighbors!r}")
    runs = read_runs(methods, k, split, ties, count_self, backend)
    check_partitions(runs, real)
    for method, _ in runs if neighbors == "all" else ():
        if isinstance(method, PartitionMethod):
            raise WrongValue(
                "methods", f"methods that score samples expected with neighbors='all', got {method}"
            )
    context = read_context(random_state, n_jobs, memory, progress)
    metrics = read_metric_options(read_count("metrics_k", metrics_k), which, ties)
    if neighbors == "all" and set_metrics(metrics.names):
        raise WrongValue(
            "which",
            "metrics that are means over samples expected with neighbors='all', got "
            f"{listed(list(set_metrics(metrics.names)))}; neighbors='class' has them",
        )
    search = Search(backend, n_jobs, memory, context.progress)
    check_available(backend, isinstance(real, Sharded), metrics)
    find = _among_all if neighbors == "all" else _alone
    samples = Labelled(real, fake, of_real, of_fake, features)
    d = real.shape[1]
    sizes = [(len(real), len(fake))] if neighbors == "all" else samples.sizes
    work = sum(expected_work(runs, *x) + expected_metrics(*x, d, metrics) for x in sizes)
    with search.progress.work(work, "classes"):
        return find(samples, runs, metrics, search, context)


@dataclass(frozen=True)
class Labelled:
    """Both sets of samples with their labels."""

    real: Floats
    fake: Floats
    of_real: Any
    of_fake: Any
    features: Mapping[str, Any]
    """Provenance of the features, as `features_info` returns it."""

    @property
    def labels(self) -> list[Any]:
        """The sorted labels of both sets, as int or str."""
        # Concatenated arrays of int64 and uint64 would become float64.
        found = {label for one in (self.of_real, self.of_fake) for label in np.unique(one).tolist()}
        return sorted(found)

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """(real, generated) numbers of samples of each class that both sets have."""
        counts = (np.unique(one, return_counts=True) for one in (self.of_real, self.of_fake))
        real, fake = (dict(zip(x.tolist(), n.tolist(), strict=True)) for x, n in counts)
        return [(real[label], fake[label]) for label in real if label in fake]


def _among_all(
    samples: Labelled,
    runs: Sequence[Run],
    metrics: MetricOptions,
    search: Search,
    context: ExecutionContext,
) -> Groups:
    """Return the results by class of scores and counts among all samples."""
    real, fake, of_real, of_fake = samples.real, samples.fake, samples.of_real, samples.of_fake
    scores = all_scores(runs, real, fake, context, search)
    shares = sample_shares(real, fake, metrics, search)[metrics.ks[0]]
    info = {"k": metrics.ks[0], **provenance(real, fake, metrics, search), **samples.features}
    found_curves, found_metrics, left_out = {}, {}, {}
    for label in samples.labels:
        x, y = of_class(of_real, label), of_class(of_fake, label)
        about = {"neighbors": "all", "class": label}
        about |= {"class_real": int(x.sum()), "class_fake": int(y.sum())}
        if x.any() and y.any():
            found_metrics[label] = Metrics(
                means(shares, metrics.names, real=x, fake=y),
                info | about,
                k=metrics.ks[0],
                sizes=(len(real), len(fake)),
            )
        of_label: dict[Key, PRCurve] = {}
        for key, one in scores.items():
            assert isinstance(one, Scores)  # partitions were refused
            a = of_class(of_real[one.real_rows], label)
            b = of_class(of_fake[one.fake_rows], label)
            if a.any() and b.any():
                sizes = {"scored_real": int(a.sum()), "scored_fake": int(b.sum())}
                of_label[key] = one.curve(a, b, **about, **sizes, **samples.features)
            else:
                left_out[label] = _absent(a, b, "to evaluate")
        if of_label:
            found_curves[label] = of_label
    return _groups(samples, found_curves, found_metrics, left_out)


def _alone(
    samples: Labelled,
    runs: Sequence[Run],
    metrics: MetricOptions,
    search: Search,
    context: ExecutionContext,
) -> Groups:
    """Return the results of each class computed from its samples alone."""
    found_curves, found_metrics, left_out = {}, {}, {}
    for label in samples.labels:
        of_real, of_fake = (of_class(one, label) for one in (samples.of_real, samples.of_fake))
        if not (of_real.any() and of_fake.any()):
            left_out[label] = _absent(of_real, of_fake, "of it")
            continue
        x, y = samples.real[of_real], samples.fake[of_fake]
        try:
            found = (
                with_features(curves_of(runs, x, y, context), samples.features),
                measure(x, y, metrics, search, features=samples.features)[metrics.ks[0]],
            )
        except ValueError as error:  # too few samples for this k or split
            left_out[label] = str(error)
        else:
            found_curves[label], found_metrics[label] = found
    return _groups(samples, found_curves, found_metrics, left_out)


def _absent(real: Any, fake: Any, what: str) -> str:
    """Return the reason why a class is left out, from the masks of its samples."""
    names = [name for name, one in (("real", real), ("generated", fake)) if not one.any()]
    return f"no {' and no '.join(names)} sample {what}"


def _groups(samples: Labelled, curves: Any, metrics: Any, left_out: dict[Any, str]) -> Groups:
    of_real, of_fake, labels = samples.of_real, samples.of_fake, samples.labels
    n, m = len(of_real), len(of_fake)
    real, fake = ([int(of_class(of, label).sum()) for label in labels] for of in (of_real, of_fake))
    changes = []
    for label, a, b in zip(labels, real, fake, strict=True):
        p, q = a / n, b / m
        changes.append(Change(label, p, q, math.sqrt(p * (1 - p) / n + q * (1 - q) / m)))
    # The cells are the labels; the samples that are counted also order them: no split.
    info = {"method": "labels", "split": None, "n_real": n, "n_fake": m}
    info |= {"scored_real": n, "scored_fake": m, **samples.features}
    return Groups(curves, metrics, PRCurve.from_masses(real, fake, info=info), changes, left_out)
