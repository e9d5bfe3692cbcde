"""The reference of an evaluator with its cached search; batches of samples; checkpoints.

A checkpoint is a flat dictionary of arrays and strings:

format       name and version number of the format
options      options of the evaluator that affect results, as JSON
reference    shape, dtype and checksum of a reference passed at once; else "batches"
batches      by set, as JSON: `features`, the provenance of the features or null; `of_all`, whether
             all batches have it; `columns`, the column names where a batch was a table, or null
real, fake   samples added in batches; left out where there are none
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from prfast.comparison.results import Evaluation
from prfast.estimate.diagnostics import curves_of_scores
from prfast.estimate.profiles import Profile, estimates_at
from prfast.inputs.arrays import Floats
from prfast.inputs.errors import ArgumentError, WrongType, WrongValue, kind_of
from prfast.inputs.tables import check_order, first_labels, labels_for_file, named
from prfast.methods.base import ExecutionContext, Histograms, Key, Scores
from prfast.methods.neighbors import NeighborMethod, check_k, read_k
from prfast.methods.table import Run, all_scores, check_runs, expected_work, read_method
from prfast.neighbors import CachedSearch, NeighborSearch, Points, Rows
from prfast.samples.features import check_alike, joined, record_of, with_record
from prfast.samples.ladder import Ladder
from prfast.samples.pair import Pair
from prfast.samples.samples import Samples, check_shape, checksum_of, read_samples
from prfast.scalars.api import for_weights
from prfast.scalars.halves import check_halves, halve
from prfast.scalars.measure import Metrics, SharesOfK, check_available, check_sizes, measure
from prfast.scalars.measure import expected_work as expected_metrics
from prfast.scalars.options import MetricOptions, ReferenceCache

_FORMAT = "prfast.Evaluator.state/1"
_TEXTS = ("format", "options", "reference", "batches")
# Options that do not affect results.
_OF_ONE_PROCESS = ("n_jobs", "memory", "progress")


class EvaluatorOptions(NamedTuple):
    """Checked options of an evaluator."""

    arguments: dict[str, Any]  # that construct an equal evaluator, but those of the reference
    runs: list[Run]
    metrics: MetricOptions
    ladder: Ladder  # of profiles
    context: ExecutionContext

    def record(self) -> dict[str, Any]:
        """Return the arguments that affect results, for JSON and text."""
        methods = self.arguments["methods"]
        entries = self.arguments | {
            "methods": [x if isinstance(x, str) else repr(read_method(x, {})) for x in methods],
            "which": self.metrics.names,
            **self.ladder.record(),
        }
        return {name: x for name, x in entries.items() if name not in _OF_ONE_PROCESS}

    def check_same(self, argument: str, entries: Mapping[str, Any]) -> None:
        """Raise WrongValue unless these entries of another record equal those of these options."""
        for name, value in self.record().items():
            if entries.get(name) != value:
                raise WrongValue(argument, f"{name}={value!r} expected, got {entries.get(name)!r}")


class PreparedReference:
    """A reference of at least two samples, its split, and a search that caches results in it."""

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
                name, k = method.key
                check_k(name, read_k(k, training), len(training), math.inf)  # of any generated set
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
        self._ladder = options.ladder.fitted(Pair(real, real), context.seed)
        self._cache: ReferenceCache = {}

    def _checksum(self) -> int:
        value = checksum_of(self.samples.source)
        for numbers in (self.samples.selection, self.samples.weights, self.samples.labels):
            if numbers is not None:
                value = zlib.crc32(np.ascontiguousarray(numbers).tobytes(), value)
        return value

    def _check(self, pair: Pair) -> MetricOptions:
        """Raise WrongValue for samples that a method does not take; return the metrics' options."""
        options = self._options.metrics
        self._options.ladder.check(pair.real)
        check_runs(self._options.runs, pair)
        if not pair.weighted:
            return options
        return for_weights(options, self._options.arguments["which"] is None, pair)

    def unchanged(self) -> Samples:
        """Return the reference; raise WrongValue if its checksum has changed."""
        if self._checksum() != self.checksum:
            raise WrongValue(
                "real", "has changed since the evaluator was constructed; construct a new one"
            )
        return self.samples

    def summary(self) -> str:
        """Return shape, dtype and checksum of the unchanged reference, to compare it."""
        rows = self.unchanged().source
        return "{} × {} {}, crc {:08x}".format(*rows.shape, rows.dtype, self.checksum)

    def read(
        self, fake: Any, w_fake: Any, groups: Any, at_least: int, names: list[Any] | None = None
    ) -> Pair:
        """Return the reference and a generated set, whose columns are matched to these names or
        those of the reference."""
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
        halvings, ladder = self._options.arguments["halvings"], self._ladder
        # The work of the bar, in pairs of samples.
        work = expected_metrics(*pair.sizes, self._options.metrics)
        work = expected_work(runs, *pair.sizes) + work * (1 + halvings / 2)
        work += expected_work(runs[:1], *pair.sizes) * len(ladder.sigmas)
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
        if ladder.sigmas:
            full = next(iter(curves.values()))
            profile = Profile(estimates_at(runs[0], pair, ladder, context, full))
        with_cells = {key: x for key, x in scored.items() if isinstance(x, Scores)}
        scores = {key: x.paired(self.checksum) for key, x in with_cells.items()}
        return Evaluation(curves, metrics, scores=scores, halves=halves, profile=profile)


@contextmanager
def metric_argument_names() -> Iterator[None]:
    """Name in errors `metrics_k` for the k of metrics, `which` for ranks that follow from it."""
    try:
        yield
    except ArgumentError as error:
        if error.argument.startswith(("cover_k", "p_k")):
            text = f"metrics for which there are enough samples expected; {error}"
            raise WrongValue("which", text) from None
        raise (error.renamed("metrics_k") if error.argument == "k" else error) from None


# ---- batches -------------------------------------------------------------------------------------


@dataclass(eq=False)
class Batches:
    """Batches of one dtype and width, in order; threads may share them, as they do not change."""

    name: str  # "real" or "fake", for errors
    arrays: list[Floats] = field(default_factory=list)
    record: Mapping[str, Any] | None = None  # the first one; later batches have an equal or none
    names: list[Any] | None = None  # column names of the first batch that was a table

    def __len__(self) -> int:
        return sum(map(len, self.arrays))

    @property
    def width(self) -> int | None:
        return int(self.arrays[0].shape[1]) if self.arrays else None

    def read(self, batch: Any) -> Floats:
        """Return a batch after checks against those before; it may be empty."""
        samples = read_samples(self.name, batch, at_least=0)
        check_alike("batches before", self, self.name, batch)
        if self.arrays:
            before = "as in the batches before expected, got"
            width, dtype = samples.shape[1], self.arrays[0].dtype
            if width != self.width:
                raise WrongValue(self.name, f"{self.width} features {before} {width}")
            if len(samples) and samples.dtype != dtype:
                raise WrongType(self.name, f"{dtype} {before} {samples.dtype}")
        return with_record(samples, record_of(batch))

    def followed_by(self, later: Batches) -> Batches:
        """Return these batches, then others that `read` takes, sharing the arrays."""
        record = later.record if self.record is None else self.record
        names = first_labels(self.names, later.names)
        return Batches(self.name, [*self.arrays, *later.arrays], record, names)

    def merged(self, other: Batches) -> Batches:
        """Return these batches, then those of the argument `other`, after checks."""
        check_alike("batches", self, "other", other)
        check_order("other", other.names, self.names, "batches")
        try:
            for batch in other.arrays[:1]:
                self.read(batch)
        except ArgumentError as error:
            raise error.renamed("other") from None
        return self.followed_by(other)

    def whole(self) -> Floats:
        """Return all samples, at least one, in one array."""
        if len(self.arrays) > 1:
            self.arrays = [joined(self.arrays)]
        return self.arrays[0]


def check_pair(real: Samples | Batches, fake: Batches) -> None:
    if real.width is not None and fake.width is not None:
        check_shape("fake", (1, fake.width), width=real.width)
    check_alike("real", real, "fake", fake)
    check_order("fake", fake.names, real.names)


# ---- checkpoints ---------------------------------------------------------------------------------


def write_state(
    options: EvaluatorOptions,
    fixed: PreparedReference | None,
    sets: Iterable[Batches],
    array: Callable[[Any], Any] | None,
) -> dict[str, Any]:
    """Return a checkpoint; fixed: the reference, None where it came in batches."""
    samples, about = {}, {}
    for batches in sets:
        if len(batches):
            whole = batches.whole()
            samples[batches.name] = np.array(whole) if array is None else array(np.array(whole))
            about[batches.name] = {
                "features": None if batches.record is None else dict(batches.record),
                "of_all": record_of(whole) is not None,
                "columns": labels_for_file(batches.names),
            }
    return {
        "format": _FORMAT,
        "options": json.dumps(options.record()),
        "reference": fixed.summary() if fixed else "batches",
        "batches": json.dumps(about),
        **samples,
    }


def read_state(
    state: Any, options: EvaluatorOptions, fixed: PreparedReference | None
) -> dict[str, Batches]:
    """Return the batches of a checkpoint of an evaluator with the same options and reference."""
    if not isinstance(state, Mapping):
        raise WrongType(
            "state", f"a mapping that Evaluator.state_dict gave expected, got {kind_of(state)}"
        )
    if missing := [name for name in _TEXTS if name not in state]:
        raise WrongValue("state", f"an entry {missing[0]!r} expected, got none")
    # str: .npz files hold strings as arrays of no dimension.
    texts = {name: str(state[name]) for name in _TEXTS}
    reference = fixed.summary() if fixed else "batches"
    for name, expected in (("format", _FORMAT), ("reference", reference)):
        if texts[name] != expected:
            raise WrongValue("state", f"{name} {expected!r} expected, got {texts[name]!r}")
    names = ("fake",) if fixed is not None else ("real", "fake")
    if unknown := sorted(map(str, state.keys() - {*_TEXTS, *names})):
        raise WrongValue("state", f"{', '.join((*_TEXTS, *names))} expected, got {unknown[0]!r}")
    try:
        options.check_same("state", dict(json.loads(texts["options"])))
        about = dict(json.loads(texts["batches"]))
        if any(name in state and name not in about for name in names):
            raise ValueError("an entry for each array expected")
        return {name: _read_batches(name, state, dict(about.get(name, {}))) for name in names}
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, ArgumentError):
            raise
        raise WrongValue("state", "entries as of Evaluator.state_dict expected") from None


def _read_batches(name: str, state: Mapping[str, Any], about: Mapping[str, Any]) -> Batches:
    record, columns, width = about.get("features"), about.get("columns"), 0
    arrays = []
    if name in state:
        samples = np.array(read_samples(f"state[{name!r}]", state[name]))
        width = samples.shape[1]
        arrays.append(with_record(samples, record if about.get("of_all") else None))
    if columns is not None and (named(columns) is None or len(set(columns)) != width):
        raise ValueError("a name of each column expected")
    if not isinstance(record, Mapping | None):
        raise TypeError("a record expected")
    return Batches(name, arrays, record, columns)
