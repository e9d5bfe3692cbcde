"""Evaluator: one reference, prepared once, for any number of models or checkpoints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from prfast.comparison.reference import (
    Batches,
    EvaluatorOptions,
    PreparedReference,
    check_pair,
)
from prfast.comparison.results import Comparison, Evaluation
from prfast.curve import PRCurve
from prfast.estimate.diagnostics import curves_of_scores
from prfast.estimate.two_sample import TwoSampleTest, test_of
from prfast.inputs.concurrency import lock
from prfast.inputs.errors import ArgumentError, WrongType, WrongValue
from prfast.inputs.options import MEMORY, ProgressOption, RandomState, read_count, read_flag
from prfast.inputs.tables import first_labels, labels_of, match_columns, opened
from prfast.methods.base import read_context
from prfast.methods.table import listed_methods, read_ks, read_runs
from prfast.neighbors import NeighborSearch
from prfast.samples.features import check_all_alike, record_of, with_record
from prfast.samples.ladder import Ladder
from prfast.samples.pair import Pair
from prfast.samples.samples import Samples
from prfast.scalars.api import read_metric_options
from prfast.scalars.measure import Metrics


class Evaluator:
    """A reference set, prepared once, against which any number of sets is evaluated.

    What depends on the reference alone (its split, radii and neighbors) is computed with the first
    set and cached.  Results equal those of `prfast.pr_curve`, `prfast.pr_curves` and
    `prfast.metrics`, to the last bit.  Threads may share an evaluator: evaluations run
    concurrently, changes of its batches one after another.  See also `pr_curve` and `by_class`.

    >>> real, fake = prfast.reference.GaussianShift(1.0, dim=8).sample(500)
    >>> print(prfast.Evaluator(real).compare({"model": fake, "again": fake[::-1]}))

    Parameters
    ----------
    real : array, shape (n, d), optional
        Samples of the reference distribution.  A C-contiguous array is not copied, and refused if
        it has been modified since.  Columns of later tables are matched by the names of a table.
        Without `real` the reference comes in batches, ``update(real=…)``.
    methods, k, split, random_state, ties, count_self, backend, n_jobs, memory, progress
        See `prfast.pr_curves`; "auto" by default.  The seed, 0 by default, is also that of the
        metrics, as are `ties`.  Up to `memory` bytes more cache the neighbors within the reference
        for each method and k that needs them ("knn", "coverage").
    metrics_k, which
        k (default 5) and names of the metrics, see `prfast.metrics`; ``[]`` for none.
    halvings : int
        Number of random halvings of the samples, for split-half errors of metrics.  They are those
        in `Comparison.differences`, and the ± of metrics without a standard error
        (``prfast.scalars.halves``).  0 (default): none; 12 are enough.  Up to 15 together cost as
        much as the metrics.  Each costs half as much for distances, authenticity, clipped density
        or partitioned samples.
    resolutions, noise
        See `prfast.profile`: evaluations then have a `profile` by the first method, on the same
        noise for every model.  None (default): none.
    w_real, groups : array, shape (n,), or None
        See `prfast.pr_curve`, of the real samples, None by default.  Sets have theirs, `w_fake` and
        `groups`, with each call.  Metrics have no standard errors with groups.
    repeats : "missing" or "weights"
        See `prfast.pr_curve`, of all sets; default "missing".

    Raises
    ------
    TypeError, ValueError
        See those functions.  Two methods of one name and k; weights that a method or the metrics
        refuse; weights or groups of a reference in batches.
    """

    def __init__(
        self,
        real: Any = None,
        methods: Any = ("auto",),
        k: Sequence[int | str] | int | str = "sqrt",
        *,
        split: float | str | None = "auto",
        random_state: RandomState = 0,
        ties: str = "closed",
        count_self: bool = True,
        metrics_k: int = 5,
        which: str | Sequence[str] | None = None,
        halvings: int = 0,
        resolutions: Sequence[float] | str | None = None,
        noise: Any = "std",
        w_real: Any = None,
        groups: Any = None,
        repeats: str = "missing",
        backend: str = "auto",
        n_jobs: int | None = None,
        memory: int = MEMORY,
        progress: ProgressOption = None,
    ) -> None:
        samples = None
        if real is not None:
            samples = Samples.read("real", real, at_least=2)
            samples = samples.weighted_by("real", w_real, groups)
        elif w_real is not None or groups is not None:
            name = "groups" if w_real is None else "w_real"
            raise WrongValue(name, "None expected without a reference, as batches have none")
        runs = read_runs(methods, k, split, ties, count_self, backend)
        NeighborSearch(backend, n_jobs, memory, progress)  # checks these
        context = read_context(random_state, n_jobs, memory, progress)
        none = isinstance(which, list | tuple) and not which
        k_of_metrics = read_count("metrics_k", metrics_k)
        metrics = read_metric_options(k_of_metrics, None if none else which, ties)
        metrics = metrics._replace(names=[]) if none else metrics
        ladder = Ladder.read(resolutions, noise, may_be_none=True)
        arguments = {
            "methods": listed_methods(methods),
            "k": read_ks(k),
            "split": split if split is None or isinstance(split, str) else float(split),
            "random_state": context.seed,
            "ties": ties,
            "count_self": bool(count_self),
            "metrics_k": metrics.ks[0],
            "which": None if which is None else metrics.names,
            "halvings": read_count("halvings", halvings, at_least=0, at_most=10_000),
            **ladder.arguments,
            "repeats": repeats,
            "backend": backend,
            "n_jobs": context.n_jobs,
            "memory": context.memory,
            "progress": context.progress.visible,
        }
        self._options = EvaluatorOptions(arguments, runs, metrics, ladder, context)
        # The reference of the constructor; None if it comes in batches.
        self._fixed = None if samples is None else PreparedReference(samples, self._options)
        # The prepared reference, either way; None while new batches of it are not prepared.
        self._ready = self._fixed
        self._real: Samples | Batches = self._fixed.samples if self._fixed else Batches("real")
        self._fake = Batches("fake")

    def curves(
        self, fake: Any, *, w_fake: Any = None, groups: Any = None
    ) -> dict[tuple[str, Any], PRCurve]:
        """Return the curves of all methods.

        Parameters
        ----------
        fake : array, shape (m, d)
            Generated samples.
        w_fake, groups : array, shape (m,), or None
            See `prfast.pr_curve`, of these samples; None by default.

        Returns
        -------
        dict
            {(method, k): PRCurve}, as of `prfast.pr_curves`; k is None for methods that count no
            neighbors.  "auto" comes first, then the methods that count neighbors.
        """
        reference, pair = self._read(fake, w_fake, groups)
        return curves_of_scores(reference.scores(pair), pair, self._options.context)

    def curve(self, fake: Any, *, w_fake: Any = None, groups: Any = None) -> PRCurve:
        """Return the curve of an evaluator of a single method and k; arguments as for `curves`.

        ValueError where the evaluator has several.
        """
        if len(self._options.runs) > 1:
            raise ValueError("curve(): an evaluator of one method and one k expected; use curves")
        return next(iter(self.curves(fake, w_fake=w_fake, groups=groups).values()))

    def metrics(self, fake: Any, *, w_fake: Any = None, groups: Any = None) -> Metrics:
        """Return the metrics, as `prfast.metrics(real, fake, …)`, of weights those that take them;
        arguments as for `curves`."""
        reference, pair = self._read(fake, w_fake, groups, at_least=2)
        return reference.metrics(pair)

    def evaluate(self, fake: Any, *, w_fake: Any = None, groups: Any = None) -> Evaluation:
        """Return curves and metrics of a set; arguments as for `curves`.

        The result also has what `Comparison.differences` needs: the scores behind the curves and,
        with `halvings`, metrics of halves of the samples.
        """
        reference, pair = self._read(fake, w_fake, groups, at_least=2)
        return reference.evaluate(pair)

    def test(
        self, fake: Any, *, level: float = 0.05, w_fake: Any = None, groups: Any = None
    ) -> TwoSampleTest:
        """Return the two-sample test of a batch against the reference, by an evaluator of one
        method: as `prfast.two_sample_test(real, fake, method, level=level, …)`.

        Arguments as for `curves`; level: 0.05 by default; ValueError where the evaluator has
        several methods.  Batches share the reference, and their p-values depend on each other:
        docs/testing.md, "Drift", has what holds for many.
        """
        if len(self._options.runs) > 1:
            raise ValueError("test(): an evaluator of one method and one k expected")
        pair = self._read(fake, w_fake, groups)[1]
        return test_of(pair, self._options.runs[0], self._options.context, level)

    def compare(
        self,
        models: Mapping[str, Any],
        *,
        w_fake: Mapping[str, Any] | None = None,
        groups: Mapping[str, Any] | None = None,
    ) -> Comparison:
        """Return curves and metrics of several sets, {name: array}; w_fake, groups: likewise of the
        sets that have them, default None."""
        if not isinstance(models, Mapping) or not models:
            got = "an empty one" if isinstance(models, Mapping) else type(models).__name__
            raise WrongType("models", f"a mapping of names to arrays expected, got {got}")
        for name in models:
            if not isinstance(name, str):
                raise WrongType("models", f"names that are strings expected, got {name!r}")
        for name, values in (("w_fake", w_fake), ("groups", groups)):
            if not isinstance(values, Mapping | None):
                raise WrongType(name, "a mapping of names of models to arrays expected")
            if unknown := [model for model in values or () if model not in models]:
                raise WrongValue(name, f"names of models expected, got {unknown[0]!r}")
        check_all_alike((f"models[{name!r}]", fake) for name, fake in models.items())
        evaluations, names = {}, self._real.names
        progress = self._options.context.progress
        with progress.work(len(models)):
            for name, fake in models.items():
                try:
                    with progress.work(1, name):
                        fake = opened("fake", fake)
                        names = first_labels(names, labels_of(fake))
                        weights, labels = ((x or {}).get(name) for x in (w_fake, groups))
                        reference = self._prepared()
                        pair = reference.read(fake, weights, labels, 2, names)
                        evaluations[name] = reference.evaluate(pair)
                except ArgumentError as error:
                    raise error.at(f"models[{name!r}]") from None
        return Comparison(evaluations)

    def update(self, fake: Any = None, *, real: Any = None) -> None:
        """Add a batch for the next `compute`; samples are copied and detached from gradients.

        Parameters
        ----------
        fake, real : array, shape (b, d), optional
            Generated samples; b may be 0.  Samples of the reference, for an evaluator constructed
            without one.  The next evaluation prepares it again.

        Raises
        ------
        TypeError, ValueError
            Neither argument; a batch of another width, dtype or provenance than those before;
            `real` where the constructor received the reference.
        """
        if fake is None and real is None:
            raise WrongType("update", "a batch expected, fake or real=…, got neither")
        if real is not None and self._fixed is not None:
            text = "None expected, the constructor received the reference; Evaluator() takes it"
            raise WrongValue("real", f"{text} in batches")
        with lock(self):
            sets: dict[str, Any] = {"real": self._real, "fake": self._fake}
            grown = {}
            for name, batch in (("real", real), ("fake", fake)):
                if batch is None:
                    continue
                batch = opened(name, batch)
                for source, samples in sets.items():
                    before = "batches before" if source == name else source
                    batch = match_columns(name, batch, samples.names, before)
                read = sets[name].read(batch)
                record, labels = record_of(read), labels_of(batch)
                later = Batches(name, [with_record(np.array(read), record)], record, labels)
                sets[name] = sets[name].followed_by(later)
                grown[name] = len(read) > 0
            check_pair(**sets)
            if grown.get("real"):
                self._real, self._ready = sets["real"], None
            if grown.get("fake"):
                self._fake = sets["fake"]

    def compute(self, *, w_fake: Any = None, groups: Any = None) -> Evaluation:
        """Return curves and metrics of all batches since the last `reset`; ValueError for none;
        w_fake, groups: of their samples in this order, as for `curves`; default None."""
        with lock(self):
            if not len(self._fake):
                raise ValueError("compute: batches expected, got none; call update first")
            whole = self._fake.whole()
        return self.evaluate(whole, w_fake=w_fake, groups=groups)

    def reset(self, *, real: bool = False) -> None:
        """Discard the generated samples; real: also a reference in batches (default False)."""
        with lock(self):
            self._fake = Batches("fake")
            if read_flag("real", real):
                if self._fixed is not None:
                    text = "False expected where the constructor received the reference, got True"
                    raise WrongValue("real", text)
                self._real, self._ready = Batches("real"), None

    def merge(self, other: Evaluator) -> Evaluator:
        """Return a new evaluator with the batches of this one, then those of another.

        Merge processes in a fixed order to get reproducible results: the folds of "auto" depend on
        the order of the samples.

        other: of the same reference and options, or of a reference in batches.  Batches are
        concatenated as well; TypeError or ValueError for any other.  The result has `n_jobs`,
        `memory` and `progress` of this one.
        """
        if not isinstance(other, Evaluator):
            raise WrongType("other", f"an Evaluator expected, got {type(other).__name__}")
        fixed, others_fixed = (e._fixed and e._fixed.summary() for e in (self, other))
        if fixed != others_fixed:
            raise WrongValue("other", "an evaluator of the same reference expected")
        self._options.check_same("other", other._options.record())
        (real, fake), (others_real, others_fake) = self._sets(), other._sets()
        if isinstance(real, Batches) and isinstance(others_real, Batches):
            real = real.merged(others_real)
        fake = fake.merged(others_fake)
        check_pair(real, fake)
        result = copy(self)
        result._real, result._fake = real, fake
        return result

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the reference with its radii, options and batches; no lists of neighbors."""
        fixed = self._fixed and (self._fixed.unchanged(), dict(self._fixed.radii))
        return _restored, (type(self), self._options.arguments, fixed, *self._sets())

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self._options.record().items())
        if self._fixed is None:
            return f"Evaluator({len(self._real)} samples in batches; {options})"
        n, d = self._fixed.samples.source.shape
        return f"Evaluator({n} samples of {d} features; {options})"

    def _read(
        self, fake: Any, w_fake: Any, groups: Any, at_least: int = 1
    ) -> tuple[PreparedReference, Pair]:
        """Return the prepared reference, and a pair with a generated set that is read here."""
        reference = self._prepared()
        return reference, reference.read(fake, w_fake, groups, at_least)

    def _prepared(self) -> PreparedReference:
        """Return the prepared reference; batches added since then are included."""
        with lock(self):
            if self._ready is None:
                real: Any = self._real
                if len(real) < 2:
                    text = f"at least 2 samples expected, got {len(real)}; update(real=…) adds them"
                    raise WrongValue("real", text)
                samples = replace(Samples.read("real", real.whole()), names=real.names)
                self._ready = PreparedReference(samples, self._options)
            return self._ready

    def _sets(self) -> tuple[Samples | Batches, Batches]:
        """Return the real samples, where they came in batches these, and the generated batches."""
        with lock(self):
            return self._real, self._fake


def _restored(
    kind: type[Evaluator],
    arguments: Mapping[str, Any],
    fixed: tuple[Samples, Mapping[tuple[int, int], Any]] | None,
    real: Samples | Batches,
    fake: Batches,
) -> Evaluator:
    """Return an evaluator with a reference and its radii, or None, and batches, for pickles."""
    evaluator = kind.__new__(kind)  # __init__ of a subclass may take other arguments
    Evaluator.__init__(evaluator, fixed and fixed[0], **arguments)
    evaluator._fake = fake
    if fixed is None:
        evaluator._real = real
    elif evaluator._fixed is not None:
        evaluator._fixed.radii.update(fixed[1])
    return evaluator
