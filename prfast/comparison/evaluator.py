"""Evaluator: one reference, prepared once, for any number of models or checkpoints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from prfast.comparison.reference import Batches, EvaluatorOptions, PreparedReference
from prfast.comparison.results import Comparison, Evaluation
from prfast.inputs.concurrency import lock
from prfast.inputs.errors import ArgumentError, WrongType, WrongValue
from prfast.inputs.options import MEMORY, ProgressOption, RandomState, check_named, read_count
from prfast.inputs.tables import first_labels, labels_of, opened
from prfast.methods.base import read_context
from prfast.methods.table import listed_methods, read_ks, read_runs
from prfast.neighbors import NeighborSearch
from prfast.samples.features import check_all_alike
from prfast.samples.ladder import Ladder
from prfast.samples.partitioned import refuse_partitions
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
        None (default): the options are checked, and nothing can be evaluated.
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
        refuse.
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
            samples = Samples.read("real", real, weights=w_real, groups=groups, at_least=2)
        elif w_real is not None or groups is not None:
            raise WrongValue("real", "samples expected, got None")
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
        self._prepared = None if samples is None else PreparedReference(samples, self._options)
        self._fake = Batches("fake")

    def metrics(self, fake: Any, *, w_fake: Any = None, groups: Any = None) -> Metrics:
        """Return the metrics, as `prfast.metrics(real, fake, …)`, of weights those that take them;
        arguments as for `evaluate`."""
        reference = self._reference
        return reference.metrics(reference.read(fake, w_fake, groups))

    def evaluate(self, fake: Any, *, w_fake: Any = None, groups: Any = None) -> Evaluation:
        """Return curves and metrics of a set.

        Parameters
        ----------
        fake : array, shape (m, d)
            Generated samples, at least two.
        w_fake, groups : array, shape (m,), or None
            See `prfast.pr_curve`, of these samples; None by default.

        Returns
        -------
        Evaluation
            It has ``curves``, {(method, k): PRCurve}, as of `prfast.pr_curves`, ``curve``, the
            first of them, and the metrics.  It also has what `Comparison.differences` needs: the
            scores behind the curves and, with `halvings`, metrics of halves of the samples.
        """
        reference = self._reference
        return reference.evaluate(reference.read(fake, w_fake, groups))

    def compare(
        self,
        models: Mapping[str, Any],
        *,
        w_fake: Mapping[str, Any] | None = None,
        groups: Mapping[str, Any] | None = None,
    ) -> Comparison:
        """Return curves and metrics of several sets, {name: array}; w_fake, groups: likewise of the
        sets that have them, default None."""
        check_named("models", models, "arrays")
        for name, values in (("w_fake", w_fake), ("groups", groups)):
            if not isinstance(values, Mapping | None):
                raise WrongType(name, "a mapping of names of models to arrays expected")
            if unknown := [model for model in values or () if model not in models]:
                raise WrongValue(name, f"names of models expected, got {unknown[0]!r}")
        check_all_alike((f"models[{name!r}]", fake) for name, fake in models.items())
        evaluations, reference, progress = {}, self._reference, self._options.context.progress
        names = reference.samples.names
        with progress.work(len(models)):
            for name, fake in models.items():
                try:
                    with progress.work(1, name):
                        fake = opened("fake", fake)
                        names = first_labels(names, labels_of(fake))
                        weights, labels = ((x or {}).get(name) for x in (w_fake, groups))
                        pair = reference.read(fake, weights, labels, names)
                        evaluations[name] = reference.evaluate(pair)
                except ArgumentError as error:
                    raise error.at(f"models[{name!r}]") from None
        return Comparison(evaluations)

    def update(self, fake: Any) -> None:
        """Add a batch of generated samples for the next `compute`; they are copied and detached
        from gradients.

        Parameters
        ----------
        fake : array, shape (b, d)
            b may be 0.

        Raises
        ------
        TypeError, ValueError
            A batch of another width, dtype or provenance than the reference or those before; a
            partitioned reference, for which `evaluate` takes partitioned samples.
        """
        refuse_partitions("real", self._reference.samples.source)
        with lock(self):
            self._fake = self._fake.followed_by(fake, self._reference.samples)

    def compute(self, *, w_fake: Any = None, groups: Any = None) -> Evaluation:
        """Return curves and metrics of all batches since the last `reset`; ValueError for none;
        w_fake, groups: of their samples in this order, as for `evaluate`; default None."""
        with lock(self):
            if not len(self._fake):
                raise ValueError("compute: batches expected, got none; call update first")
            whole = self._fake.whole()
        return self.evaluate(whole, w_fake=w_fake, groups=groups)

    def reset(self) -> None:
        """Discard the batches of generated samples."""
        with lock(self):
            self._fake = Batches("fake")

    def __getstate__(self) -> tuple[Any, ...]:
        """Pickle the reference with its radii, options and batches; no lists of neighbors."""
        reference = self._reference
        return self._options.arguments, reference.unchanged(), dict(reference.radii), self._fake

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        arguments, samples, radii, fake = state
        Evaluator.__init__(self, samples, **arguments)  # that of a subclass may take others
        self._reference.radii.update(radii)
        self._fake = fake

    def __repr__(self) -> str:
        arguments = self._options.arguments.items()
        options = ", ".join(f"{name}={value!r}" for name, value in arguments)
        if self._prepared is None:
            return f"Evaluator(None; {options})"
        n, d = self._prepared.samples.source.shape
        return f"Evaluator({n} samples of {d} features; {options})"

    @property
    def _reference(self) -> PreparedReference:
        if self._prepared is None:
            raise WrongValue("real", "samples expected, got None")
        return self._prepared
