"""A reference with its cached search, against which sets are evaluated; options of an evaluator."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from prfast.comparison.results import Evaluation
from prfast.curve import PRCurve
from prfast.estimate.curves import (
    Call,
    read_weighted,
    several_curves,
    with_all_rows,
    with_features,
)
from prfast.estimate.profiles import Profile, estimates_at
from prfast.estimate.two_sample import TwoSampleTest, test_of
from prfast.inputs.arrays import Floats, beside, read_labels, read_other, read_weights
from prfast.inputs.errors import ArgumentError, WrongValue
from prfast.inputs.noise import Noise, Smoother, fit_noise
from prfast.inputs.options import Progress, read_progress
from prfast.inputs.samples import (
    Design,
    Ints,
    SampleSet,
    check_alike,
    check_array,
    features_info,
    plain,
    record_of,
    take_rows,
)
from prfast.methods.base import ExecutionContext, Histograms, Key, Scores, draw_split
from prfast.methods.neighbors import NeighborMethod, check_k, read_k
from prfast.methods.table import Run, all_scores, check_partitions, expected_work, read_method
from prfast.neighbors import CachedSearch, NeighborSearch, Points, Rows
from prfast.scalars.api import names_with_weights
from prfast.scalars.halves import check_halves, halve
from prfast.scalars.measure import Metrics, SharesOfK, check_available, check_sizes, measure
from prfast.scalars.measure import expected_work as expected_metrics
from prfast.scalars.table import MetricOptions, ReferenceCache

# Options that do not affect results.
_OF_ONE_PROCESS = ("n_jobs", "memory", "progress")


class EvaluatorOptions(NamedTuple):
    """Checked options of an evaluator."""

    runs: list[Run]
    """The methods with their splits."""
    of_curves: dict[str, Any]
    """Checked arguments of the curves: methods, k, split, random_state, ties, count_self."""
    metrics: MetricOptions
    which: Any
    """The argument that named the metrics, None for the usual ones."""
    halvings: int
    search: dict[str, Any]
    """Options of the neighbor search: backend, n_jobs, memory, progress."""
    resolutions: tuple[float, ...] | None
    """Resolutions of the profile; None without one."""
    noise: Noise

    def arguments(self) -> dict[str, Any]:
        """Return the arguments that construct an equal evaluator."""
        return {
            **self.of_curves,
            "metrics_k": self.metrics.ks[0],
            "which": self.which if self.which is None else self.metrics.names,
            "halvings": self.halvings,
            "resolutions": self.resolutions and [*self.resolutions],
            "noise": self.noise,
            **self.search,
            "progress": self.search["progress"].visible,
        }

    def by_name(self) -> dict[str, Any]:
        """Return the arguments for JSON and text: methods and the usual metrics by their names, and
        noise by its options."""
        names = [
            method if isinstance(method, str) else repr(read_method(method, {}))
            for method in self.of_curves["methods"]
        ]
        by_name = {"methods": names, "which": self.metrics.names, "noise": self.noise.record()}
        return self.arguments() | by_name

    def that_matter(self) -> dict[str, Any]:
        """Return those of `by_name` that affect results."""
        return {name: x for name, x in self.by_name().items() if name not in _OF_ONE_PROCESS}

    @property
    def context(self) -> ExecutionContext:
        """The seed and the resources of the methods."""
        resources = {name: self.search[name] for name in _OF_ONE_PROCESS}
        return ExecutionContext(self.of_curves["random_state"], **resources)

    @property
    def neighbor_runs(self) -> list[Run]:
        """The methods that count neighbors."""
        return [run for run in self.runs if isinstance(run.method, NeighborMethod)]

    def check_same(self, argument: str, others: Mapping[str, Any]) -> None:
        """Raise WrongValue unless the options that affect results equal `others`."""
        for name, value in self.that_matter().items():
            if others.get(name) != value:
                raise WrongValue(argument, f"{name}={value!r} expected, got {others.get(name)!r}")


def read_search(backend: str, n_jobs: Any, memory: Any, progress: Any) -> dict[str, Any]:
    """Check the options of the neighbor search, and return them as Python numbers for JSON."""
    NeighborSearch(backend, n_jobs, memory, progress)
    return {
        "backend": backend,
        "n_jobs": None if n_jobs is None else int(n_jobs),
        "memory": int(memory),
        "progress": read_progress(progress),
    }


class ReadSet(NamedTuple):
    """A set that has been read, and what of the reference it is evaluated against."""

    fake: Any
    features: dict[str, Any]
    """The provenance of the features."""
    design: Design | None
    """Weights and groups of the samples of positive weight."""
    rows: tuple[Ints, Ints] | None
    """The rows of these; None for all."""


class PreparedReference:
    """A validated reference, its split, and a search that caches results within the reference.

    real: at least two samples, an array or a `SampleSet`.  labels: names of the columns.  w_real,
    groups: weights and labels of groups of the samples.
    """

    def __init__(
        self,
        real: Any,
        options: EvaluatorOptions,
        labels: list[Any] | None = None,
        w_real: Any = None,
        groups: Any = None,
    ) -> None:
        self.record = record_of(real)
        self.real: Any = real if isinstance(real, SampleSet) else np.ascontiguousarray(plain(real))
        self._options = options
        check_partitions(options.runs, self.real)
        size = len(self.real)
        self.weights = None if w_real is None else read_weights("w_real", w_real, size)
        self.groups = None if groups is None else read_labels("groups", groups, size)
        self.checksum = self._checksum()
        self._parts: tuple[Points, Points] | None = None
        # Against itself, so that what cannot be weighted is refused at once.
        design = self._design(self.real, None, None)
        self._metric_options(design)
        self._points: Any = self.real
        if design is not None and not design.weights[0].all():
            rows = np.flatnonzero(design.weights[0])
            design = design.of(rows, slice(None))
            self._points = take_rows(self.real, rows)
        real, runs = self._points, options.neighbor_runs
        fixed: list[Points] = [real]
        share = runs[0].split if runs else None  # all methods that count neighbors have one split
        if isinstance(share, float):
            # Real rows are drawn first, so they do not depend on the size of the generated set.
            part = draw_split(len(real), len(real), share, options.context.seed, design)
            self._parts = Rows(real, part.real_train), Rows(real, part.real_test)
            fixed += self._parts
        training = fixed[1] if self._parts else fixed[0]
        for method, split in runs:
            if split != "bernoulli":  # whose halves have random sizes
                # inf: the size of the generated set is not known yet.
                name, k = method.key
                check_k(name, read_k(k, training), len(training), math.inf)
        with metric_argument_names():
            check_sizes(len(real), math.inf, options.metrics)
        check_available(options.search["backend"], real, options.metrics)
        if options.halvings:
            check_halves(len(real), len(real), options.metrics)
        self._search = CachedSearch(fixed, **options.search)
        self._smoother: Smoother | None = None
        if options.resolutions is not None:
            check_array("resolutions", self.real, "None", list(options.resolutions))
            self._smoother = fit_noise(
                options.noise, np.asarray(self.real), options.context.seed, labels
            )
        self._cache: ReferenceCache = {}

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of an equal evaluator that belong to the reference."""
        return {"w_real": self.weights, "groups": self.groups}

    def _checksum(self) -> int:
        value = checksum_of(self.real)
        for one in (self.weights, self.groups):
            if one is not None:
                value = zlib.crc32(np.ascontiguousarray(one).tobytes(), value)
        return value

    def _design(self, fake: Any, w_fake: Any, groups: Any) -> Design | None:
        """Return the weights and groups of the reference and of a set."""
        both = self._groups_of_both(groups)
        resolution = max(self._options.resolutions or (0.0,))
        runs = self._options.runs
        return read_weighted(runs, self.real, fake, self.weights, w_fake, both, resolution)

    def _groups_of_both(self, groups: Any) -> tuple[Any, Any] | None:
        """Return the argument `groups` of both sets; None without any."""
        return None if self.groups is None and groups is None else (self.groups, groups)

    def _metric_options(self, design: Design | None) -> MetricOptions:
        """Return the options of the metrics; of the usual ones those that weights leave."""
        options, which = self._options.metrics, self._options.which
        if design is None or not design.weighted or not options.names:
            return options
        return options._replace(names=names_with_weights(which, design.weighted))

    @property
    def radii(self) -> dict[tuple[int, int], Floats]:
        """Cached squared radii, {(number of the set in the search, k): radii}, for pickles."""
        return dict(self._search.radii)

    @radii.setter
    def radii(self, radii: Mapping[tuple[int, int], Floats]) -> None:
        self._search.radii |= radii

    def unchanged(self) -> Any:
        """Return the reference; raise WrongValue if its checksum has changed."""
        if self._checksum() != self.checksum:
            raise WrongValue(
                "real", "has changed since the evaluator was constructed; construct a new one"
            )
        return self.real

    # ---- evaluation of one set; labels: column names of the reference ----------------------------

    def curves(
        self, fake: Any, labels: list[Any] | None, w_fake: Any, groups: Any
    ) -> dict[Key, PRCurve]:
        one = self._read(fake, labels, w_fake, groups, at_least=1)
        return self._curves(self._scores(one), one, labels)

    def metrics(self, fake: Any, labels: list[Any] | None, w_fake: Any, groups: Any) -> Metrics:
        return self._metrics(self._read(fake, labels, w_fake, groups, at_least=2))

    def evaluate(self, fake: Any, labels: list[Any] | None, w_fake: Any, groups: Any) -> Evaluation:
        one = self._read(fake, labels, w_fake, groups, at_least=2)
        fake, options, n = one.fake, self._options, len(self._points)
        halves = shares = None
        progress: Progress = options.search["progress"]
        with progress.work(self._expected_work(len(fake)), "evaluation"):
            scored, metric_options = self._scores(one), self._metric_options(one.design)
            if options.halvings:
                with metric_argument_names():
                    check_sizes(n, len(fake), metric_options)
                halves, shares = halve(
                    self._points,
                    fake,
                    metric_options,
                    NeighborSearch(**options.search),
                    options.halvings,
                    seed=options.context.seed,
                    reference=self.checksum,
                    cache=self._cache,
                    design=one.design,
                )
            metrics = self._metrics(one, shares)
        scores = {
            key: of_run.paired(n, self.checksum)
            for key, of_run in scored.items()
            if isinstance(of_run, Scores)
        }
        curves = self._curves(scored, one, labels)
        profile = self._profile(one, next(iter(curves.values())), labels)
        return Evaluation(curves, metrics, scores=scores, halves=halves, profile=profile)

    def test(
        self, fake: Any, labels: list[Any] | None, level: float, w_fake: Any, groups: Any
    ) -> TwoSampleTest:
        """Return the two-sample test by the only method."""
        _, w_fake, (_, groups) = beside(None, fake, None, w_fake, (None, groups))
        fake, features = self._read_fake(fake, labels, at_least=1)
        (run,), context = self._options.runs, self._options.context
        call = Call(run, self.real, fake, context, labels, features)
        return test_of(call, level, self._groups_of_both(groups), self.weights, w_fake)

    def _profile(self, one: ReadSet, full: PRCurve, labels: list[Any] | None) -> Profile | None:
        """Return the profile of the first method, whose curve at resolution 0 is `full`."""
        options = self._options
        if self._smoother is None or options.resolutions is None:
            return None
        estimates = estimates_at(
            options.runs[0],
            self._points,
            one.fake,
            options.resolutions,
            self._smoother,
            self._context(one),
            labels,
            full,
        )
        return Profile(with_features(estimates, one.features))

    def _read(
        self, fake: Any, labels: list[Any] | None, w_fake: Any, groups: Any, *, at_least: int
    ) -> ReadSet:
        """Return a set that has been read, with its weights and groups."""
        _, w_fake, (_, groups) = beside(None, fake, None, w_fake, (None, groups))
        fake, features = self._read_fake(fake, labels, at_least)
        design = self._design(fake, w_fake, groups)
        if design is None or all(weights.all() for weights in design.weights):
            return ReadSet(fake, features, design, None)
        rows = np.flatnonzero(design.weights[0]), np.flatnonzero(design.weights[1])
        return ReadSet(fake[rows[1]], features, design.of(*rows), rows)

    def _read_fake(
        self, fake: Any, labels: list[Any] | None, at_least: int
    ) -> tuple[Any, dict[str, Any]]:
        """Return validated samples of the reference's width, and the provenance of the features."""
        real = self.unchanged()
        check_alike("real", self, "fake", fake)
        features = features_info(self, fake)
        return read_other("fake", fake, real, labels, at_least=at_least), features

    def _context(self, one: ReadSet) -> ExecutionContext:
        return replace(self._options.context, design=one.design)

    def _expected_work(self, m: int) -> float:
        """Return the work for m generated samples, in pairs of samples; for the progress bar."""
        options, (n, d) = self._options, self._points.shape
        of_metrics = expected_metrics(n, m, d, options.metrics) * (1 + options.halvings / 2)
        profiles = expected_work(options.runs[:1], n, m) * len(options.resolutions or ())
        return expected_work(options.runs, n, m) + of_metrics + profiles

    def _scores(self, one: ReadSet) -> dict[Key, Scores | Histograms]:
        scored = all_scores(
            self._options.runs,
            self._points,
            one.fake,
            self._context(one),
            self._search,
            self._parts,
        )
        self._search.release()
        return scored

    def _curves(
        self,
        scored: Mapping[Key, Scores | Histograms],
        one: ReadSet,
        labels: list[Any] | None,
    ) -> dict[Key, PRCurve]:
        seed = self._options.context.seed
        curves = several_curves(scored, self._points, one.fake, seed, labels, one.design)
        return with_features(with_all_rows(curves, one.rows), one.features)

    def _metrics(self, one: ReadSet, shares: SharesOfK | None = None) -> Metrics:
        options = self._metric_options(one.design)
        with metric_argument_names():
            by_k = measure(
                self._points,
                one.fake,
                options,
                self._search,
                self._cache,
                one.features,
                one.design,
                shares,
            )
        self._search.release()
        return by_k[options.ks[0]]


def checksum_of(real: Any) -> int:
    """Return a CRC-32 of the samples."""
    if isinstance(real, SampleSet):  # tasks check each piece when they load it
        return real.checksum
    return zlib.crc32(np.ascontiguousarray(real).data.cast("B"))


@contextmanager
def metric_argument_names() -> Iterator[None]:
    """Name arguments in errors of metrics as functions of curves and metrics do: `metrics_k` for k,
    `which` for ranks that follow from it."""
    try:
        yield
    except ArgumentError as error:
        if error.argument.startswith(("cover_k", "p_k")):
            text = f"metrics for which there are enough samples expected; {error}"
            raise WrongValue("which", text) from None
        raise (error.renamed("metrics_k") if error.argument == "k" else error) from None
