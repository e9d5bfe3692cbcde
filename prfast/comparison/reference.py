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
from prfast.estimate.curves import curves_of_scores
from prfast.estimate.profiles import Profile, estimates_at
from prfast.inputs.errors import ArgumentError, WrongValue
from prfast.methods.base import ExecutionContext, Histograms, Key, Scores
from prfast.methods.neighbors import NeighborMethod, check_k, read_k
from prfast.methods.table import Run, all_scores, check_runs, expected_work, read_method
from prfast.neighbors import CachedSearch, NeighborSearch, Points, Rows
from prfast.samples.noise import Smoother, fit_noise
from prfast.samples.pair import Pair
from prfast.samples.partitioned import check_array
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

    arguments: dict[str, Any]
    """The arguments that construct an equal evaluator, but those of the reference."""
    runs: list[Run]
    """The methods with their splits."""
    metrics: MetricOptions
    context: ExecutionContext

    def record(self) -> dict[str, Any]:
        """Return the arguments that affect results, for JSON and text: methods and the usual
        metrics by their names, and noise by its options."""
        methods = self.arguments["methods"]
        entries = self.arguments | {
            "methods": [x if isinstance(x, str) else repr(read_method(x, {})) for x in methods],
            "which": self.metrics.names,
            "noise": self.arguments["noise"].record(),
        }
        return {name: x for name, x in entries.items() if name not in _OF_ONE_PROCESS}

    def check_same(self, argument: str, entries: Mapping[str, Any]) -> None:
        """Raise WrongValue unless these entries of another record equal those of these options."""
        for name, value in self.record().items():
            if entries.get(name) != value:
                raise WrongValue(argument, f"{name}={value!r} expected, got {entries.get(name)!r}")


class PreparedReference:
    """A validated reference, its split, and a search that caches results within the reference.

    real: at least two samples.
    """

    def __init__(self, real: Samples, options: EvaluatorOptions) -> None:
        if not real.is_partitioned and real.selection is None:
            real = replace(real, source=np.ascontiguousarray(real.source))
        real = real.with_repeats(options.arguments["repeats"])
        self.samples, self._options = real, options
        arguments, context = options.arguments, options.context
        self._check(Pair.read(real, Samples(real.source)))
        self.checksum = self._checksum()
        self._parts: tuple[Points, Points] | None = None
        points = real.points
        fixed: list[Points] = [points]
        runs = [run for run in options.runs if isinstance(run.method, NeighborMethod)]
        share = runs[0].split if runs else None  # all methods that count neighbors have one split
        if isinstance(share, float):
            # Real rows are drawn first, so they do not depend on the size of the generated set.
            part = Pair(real, real).split_rows(share, context.seed)
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
        backend = arguments["backend"]
        check_available(backend, points, options.metrics)
        if arguments["halvings"]:
            check_halves(len(real), len(real), options.metrics)
        self._settings: dict[str, Any] = {"backend": backend, "n_jobs": context.n_jobs}
        self._settings |= {"memory": context.memory, "progress": context.progress}
        self._search = CachedSearch(fixed, **self._settings)
        self.radii = self._search.radii
        """Cached squared radii, {(number of the set in the search, k): radii}, for pickles."""
        self._smoother: Smoother | None = None
        if arguments["resolutions"]:
            self._smoother = fit_noise(
                arguments["noise"], points, context.seed, real.names, real.weights
            )
        self._cache: ReferenceCache = {}

    def _checksum(self) -> int:
        value = checksum_of(self.samples.source)
        for numbers in (self.samples.selection, self.samples.weights, self.samples.labels):
            if numbers is not None:
                value = zlib.crc32(np.ascontiguousarray(numbers).tobytes(), value)
        return value

    def _check(self, pair: Pair) -> MetricOptions:
        """Raise WrongValue for samples that a method or a resolution does not take; return the
        options of the metrics, of the usual ones those that take the samples."""
        options, arguments = self._options.metrics, self._options.arguments
        if max(arguments["resolutions"] or (0.0,)):
            check_array("resolutions", pair.real.source, "0", arguments["resolutions"])
        check_runs(self._options.runs, pair)
        if not pair.weighted or not options.names:
            return options
        return options._replace(
            names=names_with_weights(options.names, arguments["which"] is None, pair)
        )

    def unchanged(self) -> Samples:
        """Return the reference; raise WrongValue if its checksum has changed."""
        if self._checksum() != self.checksum:
            raise WrongValue(
                "real", "has changed since the evaluator was constructed; construct a new one"
            )
        return self.samples

    def summary(self) -> str:
        """Return shape, dtype and checksum of the unchanged reference, for comparisons."""
        rows = self.unchanged().source
        return "{} × {} {}, crc {:08x}".format(*rows.shape, rows.dtype, self.checksum)

    def read(
        self, fake: Any, w_fake: Any, groups: Any, at_least: int, names: list[Any] | None = None
    ) -> Pair:
        """Return the reference and a generated set, with its weights and group labels.

        names: of the columns, to which those of the set are matched; None for the reference's.
        """
        real = self.unchanged()
        like = replace(real, names=names or real.names)
        samples = Samples.read("fake", fake, like=like, at_least=at_least)
        samples = samples.weighted_by("fake", w_fake, groups)
        pair = Pair.read(real, samples.with_repeats(self._options.arguments["repeats"]))
        self._check(pair)
        return pair

    def scores(self, pair: Pair) -> dict[Key, Scores | Histograms]:
        runs, context = self._options.runs, self._options.context
        return all_scores(runs, pair, context, self._search, self._parts)

    def metrics(self, pair: Pair, shares: SharesOfK | None = None) -> Metrics:
        options = self._check(pair)
        with metric_argument_names():
            by_k = measure(pair, options, self._search, self._cache, shares=shares)
        return by_k[options.ks[0]]

    def evaluate(self, pair: Pair) -> Evaluation:
        runs, context = self._options.runs, self._options.context
        halvings, sigmas = (self._options.arguments[name] for name in ("halvings", "resolutions"))
        # The work of the bar, in pairs of samples.
        work = expected_metrics(*pair.sizes, self._options.metrics)
        work = expected_work(runs, *pair.sizes) + work * (1 + halvings / 2)
        work += expected_work(runs[:1], *pair.sizes) * len(sigmas or ())
        halves = shares = profile = None
        with context.progress.work(work, "evaluation"):
            scored = self.scores(pair)
            if halvings:
                options, search = self._check(pair), NeighborSearch(**self._settings)
                with metric_argument_names():
                    check_sizes(*pair.sizes, options)
                how: dict[str, Any] = {"seed": context.seed, "reference": self.checksum}
                halves, shares = halve(pair, options, search, halvings, **how, cache=self._cache)
            metrics = self.metrics(pair, shares)
        curves = curves_of_scores(scored, pair, context)
        if self._smoother is not None:
            full = next(iter(curves.values()))
            profile = Profile(estimates_at(runs[0], pair, sigmas, self._smoother, context, full))
        with_cells = {key: x for key, x in scored.items() if isinstance(x, Scores)}
        scores = {key: x.paired(self.checksum) for key, x in with_cells.items()}
        return Evaluation(curves, metrics, scores=scores, halves=halves, profile=profile)


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
