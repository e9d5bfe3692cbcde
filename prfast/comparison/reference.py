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
from prfast.estimate.curves import curves_of_scores
from prfast.estimate.profiles import Profile, estimates_at
from prfast.estimate.two_sample import TwoSampleTest, test_of
from prfast.inputs.arrays import Floats
from prfast.inputs.errors import ArgumentError, WrongValue
from prfast.inputs.options import Progress, read_progress
from prfast.methods.base import ExecutionContext, Histograms, Key, Scores
from prfast.methods.neighbors import NeighborMethod, check_k, read_k
from prfast.methods.table import Run, all_scores, check_runs, expected_work, read_method
from prfast.neighbors import CachedSearch, NeighborSearch, Points, Rows
from prfast.samples.noise import Noise, Smoother, fit_noise
from prfast.samples.pair import Pair
from prfast.samples.samples import Samples, checksum_of
from prfast.scalars.api import names_with_weights
from prfast.scalars.halves import check_halves, halve
from prfast.scalars.measure import Metrics, SharesOfK, check_available, check_sizes, measure
from prfast.scalars.measure import expected_work as expected_metrics
from prfast.scalars.options import MetricOptions, ReferenceCache

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


class PreparedReference:
    """A validated reference, its split, and a search that caches results within the reference.

    real: at least two samples.
    """

    def __init__(self, real: Samples, options: EvaluatorOptions) -> None:
        if not real.is_partitioned and real.selection is None:
            real = replace(real, source=np.ascontiguousarray(real.source))
        self.samples, self._options = real, options
        itself = Pair.of(real, replace(real, weights=None, labels=None, selection=None, rows=None))
        self._check(itself)
        self._metric_options(itself)
        self.checksum = self._checksum()
        self._parts: tuple[Points, Points] | None = None
        points, runs = real.points, options.neighbor_runs
        fixed: list[Points] = [points]
        share = runs[0].split if runs else None  # all methods that count neighbors have one split
        if isinstance(share, float):
            # Real rows are drawn first, so they do not depend on the size of the generated set.
            part = Pair(real, real).split_rows(share, options.context.seed)
            self._parts = Rows(points, part.real_train), Rows(points, part.real_test)
            fixed += self._parts
        training = fixed[1] if self._parts else fixed[0]
        for method, split in runs:
            if split != "bernoulli":  # whose halves have random sizes
                # inf: the size of the generated set is not known yet.
                name, k = method.key
                check_k(name, read_k(k, training), len(training), math.inf)
        with metric_argument_names():
            check_sizes(len(real), math.inf, options.metrics)
        check_available(options.search["backend"], points, options.metrics)
        if options.halvings:
            check_halves(len(real), len(real), options.metrics)
        self._search = CachedSearch(fixed, **options.search)
        self._smoother: Smoother | None = None
        if options.resolutions is not None:
            self._smoother = fit_noise(options.noise, points, options.context.seed, real.names)
        self._cache: ReferenceCache = {}

    def _checksum(self) -> int:
        value = checksum_of(self.samples.source)
        for one in (self.samples.selection, self.samples.weights, self.samples.labels):
            if one is not None:
                value = zlib.crc32(np.ascontiguousarray(one).tobytes(), value)
        return value

    def _check(self, pair: Pair) -> None:
        """Raise WrongValue for weights or groups that a method or a resolution does not take."""
        if max(self._options.resolutions or (0.0,)):
            pair.check_noise("resolutions", self._options.resolutions)
        check_runs(self._options.runs, pair)

    def _metric_options(self, pair: Pair) -> MetricOptions:
        """Return the options of the metrics; of the usual ones those that weights leave."""
        options, which = self._options.metrics, self._options.which
        if not pair.weighted or not options.names:
            return options
        return options._replace(names=names_with_weights(which, pair.weighted))

    @property
    def radii(self) -> dict[tuple[int, int], Floats]:
        """Cached squared radii, {(number of the set in the search, k): radii}, for pickles."""
        return dict(self._search.radii)

    @radii.setter
    def radii(self, radii: Mapping[tuple[int, int], Floats]) -> None:
        self._search.radii |= radii

    def unchanged(self) -> Samples:
        """Return the reference; raise WrongValue if its checksum has changed."""
        if self._checksum() != self.checksum:
            raise WrongValue(
                "real", "has changed since the evaluator was constructed; construct a new one"
            )
        return self.samples

    def read(
        self, fake: Any, w_fake: Any, groups: Any, names: list[Any] | None, at_least: int = 1
    ) -> Pair:
        """Return the reference and a generated set, with its weights and group labels.

        names: of the columns, to which those of the set are matched.
        """
        real = self.unchanged()
        read = Samples.read("fake", fake, like=replace(real, names=names), at_least=at_least)
        pair = Pair.of(real, read.weighted_by("fake", w_fake, groups))
        self._check(pair)
        return pair

    # ---- evaluation of one set -------------------------------------------------------------------

    def curves(self, pair: Pair) -> dict[Key, PRCurve]:
        return self._curves(self._scores(pair), pair)

    def metrics(self, pair: Pair, shares: SharesOfK | None = None) -> Metrics:
        options = self._metric_options(pair)
        with metric_argument_names():
            by_k = measure(pair, options, self._search, self._cache, shares=shares)
        return by_k[options.ks[0]]

    def evaluate(self, pair: Pair) -> Evaluation:
        options, (n, m) = self._options, pair.sizes
        halves = shares = None
        progress: Progress = options.search["progress"]
        with progress.work(self._expected_work(m), "evaluation"):
            scored, metric_options = self._scores(pair), self._metric_options(pair)
            if options.halvings:
                with metric_argument_names():
                    check_sizes(n, m, metric_options)
                halves, shares = halve(
                    pair,
                    metric_options,
                    NeighborSearch(**options.search),
                    options.halvings,
                    seed=options.context.seed,
                    reference=self.checksum,
                    cache=self._cache,
                )
            metrics = self.metrics(pair, shares)
        scores = {
            key: of_run.paired(self.checksum)
            for key, of_run in scored.items()
            if isinstance(of_run, Scores)
        }
        curves = self._curves(scored, pair)
        profile = self._profile(pair, next(iter(curves.values())))
        return Evaluation(curves, metrics, scores=scores, halves=halves, profile=profile)

    def test(self, pair: Pair, level: float) -> TwoSampleTest:
        """Return the two-sample test by the only method."""
        (run,) = self._options.runs
        return test_of(pair, run, self._options.context, level)

    def _profile(self, pair: Pair, full: PRCurve) -> Profile | None:
        """Return the profile of the first method, whose curve at resolution 0 is `full`."""
        options = self._options
        if self._smoother is None or options.resolutions is None:
            return None
        run, context = options.runs[0], options.context
        return Profile(estimates_at(run, pair, options.resolutions, self._smoother, context, full))

    def _expected_work(self, m: int) -> float:
        """Return the work for m generated samples, in pairs of samples; for the progress bar."""
        options, n, d = self._options, len(self.samples), self.samples.width
        of_metrics = expected_metrics(n, m, d, options.metrics) * (1 + options.halvings / 2)
        profiles = expected_work(options.runs[:1], n, m) * len(options.resolutions or ())
        return expected_work(options.runs, n, m) + of_metrics + profiles

    def _scores(self, pair: Pair) -> dict[Key, Scores | Histograms]:
        runs, context = self._options.runs, self._options.context
        return all_scores(runs, pair, context, self._search, self._parts)

    def _curves(self, scored: Mapping[Key, Scores | Histograms], pair: Pair) -> dict[Key, PRCurve]:
        return curves_of_scores(scored, pair, self._options.context)


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
