"""Evaluator: one reference, prepared once, for any number of models or checkpoints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from prfast.comparison.batches import Batches, check_pair, read_state, write_state
from prfast.comparison.reference import EvaluatorOptions, PreparedReference
from prfast.comparison.results import Comparison, Evaluation, or_failure
from prfast.curve import PRCurve
from prfast.estimate.profiles import read_resolutions
from prfast.estimate.two_sample import TwoSampleTest
from prfast.inputs.concurrency import lock
from prfast.inputs.errors import ArgumentError, WrongType, WrongValue
from prfast.inputs.options import MEMORY, ProgressOption, RandomState, read_count, read_flag
from prfast.inputs.tables import first_labels, labels_of, match_columns, opened
from prfast.methods.base import read_context, read_split
from prfast.methods.table import listed_methods, read_ks, read_runs
from prfast.neighbors import NeighborSearch
from prfast.samples.features import check_all_alike, record_of, with_record
from prfast.samples.noise import read_noise
from prfast.samples.pair import Pair
from prfast.samples.samples import Samples
from prfast.scalars.api import read_metric_options
from prfast.scalars.measure import Metrics


class Evaluator:
    """A reference set, prepared once, against which any number of sets is evaluated.

    What depends on the reference alone (its split, the radii of its balls, the neighbors of its
    evaluation half in its training half) is computed with the first set and cached.  Results equal
    those of `prfast.pr_curve`, `prfast.pr_curves` and `prfast.metrics`, to the last bit.  Threads
    may share an evaluator: evaluations run concurrently, changes of its batches one after another.

    Parameters
    ----------
    real : array, shape (n, d), optional
        Samples of the reference distribution; referenced, not copied, where the array is
        C-contiguous.  A reference that has been modified since is refused.  The columns of later
        tables are matched by the column names of a table; other names are refused.  Without `real`
        the reference comes in batches, ``update(real=…)``.
    methods : str, method, or a sequence of them
        "auto" (default), or any methods of `prfast.pr_curve`, with different names or k, such as
        ``["knn", Classifier(classifiers=3)]``.
    k, split, ties, count_self
        As for `prfast.pr_curves`.
    random_state : int, generator of NumPy or None
        Seed of curves and metrics; default 0.
    halvings : int
        Number of random halvings of the samples, for split-half errors of metrics: those in
        `Comparison.differences`, and the ± of metrics without a standard error
        (``prfast.scalars.halves``).  0 (default): none; 12 are enough.  Up to 15 together cost
        about as much as the metrics.  With the Fréchet and the other distances, authenticity,
        clipped density or partitioned samples each costs half as much.
    resolutions, noise
        As for `prfast.profile`: evaluations then have a `profile` by the first method, on the same
        noise for every model.  None (default): none.
    w_real, groups : array, shape (n,), or None
        Weights of the real samples, and labels of those that depend on each other, as for
        `prfast.pr_curve`; sets have theirs, `w_fake` and `groups`, with each call.  Groups are in
        one half of a halving, and metrics have no standard errors with them.  None (default): equal
        weights, independent samples.
    repeats : "missing" or "weights"
        What equal rows are, in all sets, as for `prfast.pr_curve`; default "missing".
    metrics_k, which
        k (default 5) and names of the metrics, as for `prfast.metrics`, ``[]`` for none; `ties` is
        that of the curves.
    backend, n_jobs, memory, progress
        As for `prfast.pr_curves`.  In addition, up to `memory` bytes cache the neighbors within
        the reference for each method and k that needs them ("knn", "coverage"); larger lists are
        computed again for each set.

    Raises
    ------
    TypeError, ValueError
        As those functions; two methods of one name and k; weights that a method or the metrics do
        not take; weights or groups of a reference in batches.
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
        no_metrics = isinstance(which, list | tuple) and not which
        metrics = read_metric_options(
            read_count("metrics_k", metrics_k), None if no_metrics else which, ties
        )
        if no_metrics:
            metrics = metrics._replace(names=[])
        arguments = {
            "methods": listed_methods(methods),
            "k": read_ks(k),
            "split": read_split(split),
            "random_state": context.seed,
            "ties": ties,
            "count_self": bool(count_self),
            "metrics_k": metrics.ks[0],
            "which": None if which is None else metrics.names,
            "halvings": read_count("halvings", halvings, at_least=0, at_most=10_000),
            "resolutions": None if resolutions is None else [*read_resolutions(resolutions)],
            "noise": read_noise(noise),
            "repeats": repeats,
            "backend": backend,
            "n_jobs": context.n_jobs,
            "memory": context.memory,
            "progress": context.progress.visible,
        }
        self._options = EvaluatorOptions(arguments, runs, metrics, context)
        # The reference of the constructor; None if it comes in batches.
        self._fixed = None if samples is None else PreparedReference(samples, self._options)
        # The prepared reference, either way; None while new batches of it are not prepared.
        self._ready = self._fixed
        like = None if self._fixed is None else self._fixed.samples
        self._real, self._fake = Batches("real", like=like), Batches("fake")

    # ---- evaluation ------------------------------------------------------------------------------

    def curves(
        self, fake: Any, *, w_fake: Any = None, groups: Any = None
    ) -> dict[tuple[str, Any], PRCurve]:
        """Return the curves of all methods.

        Parameters
        ----------
        fake : array, shape (m, d)
            Generated samples.
        w_fake, groups : array, shape (m,), or None
            Weights of these samples, and labels of those that depend on each other, which no real
            sample has; None (default): equal weights, independent samples.

        Returns
        -------
        dict
            {(method, k): PRCurve} for methods that count neighbors, as
            `prfast.pr_curves(real, fake, …)`; {(method, None): PRCurve} for others, as
            `prfast.pr_curve(real, fake, method, …)`.  "auto" comes first, then the methods that
            count neighbors, then the others.
        """
        return self._prepared().curves(self._pair(fake, w_fake, groups))

    def curve(self, fake: Any, *, w_fake: Any = None, groups: Any = None) -> PRCurve:
        """Return the curve of an evaluator of a single method and k; arguments as for `curves`.

        Raises
        ------
        ValueError
            The evaluator has several; use `curves`.
        """
        if len(self._options.runs) > 1:
            raise ValueError("curve: an evaluator of one method and one k expected; use curves")
        return next(iter(self.curves(fake, w_fake=w_fake, groups=groups).values()))

    def metrics(self, fake: Any, *, w_fake: Any = None, groups: Any = None) -> Metrics:
        """Return the metrics, as `prfast.metrics(real, fake, …)`; arguments as for `curves`.

        With weights, those of the usual metrics that take them.
        """
        return self._prepared().metrics(self._pair(fake, w_fake, groups, at_least=2))

    def evaluate(self, fake: Any, *, w_fake: Any = None, groups: Any = None) -> Evaluation:
        """Return curves and metrics of a set; arguments as for `curves`.

        The result also has what `Comparison.differences` needs: the scores behind the curves and,
        with `halvings`, metrics of halves of the samples.
        """
        return self._prepared().evaluate(self._pair(fake, w_fake, groups, at_least=2))

    def test(
        self, fake: Any, *, level: float = 0.05, w_fake: Any = None, groups: Any = None
    ) -> TwoSampleTest:
        """Return the two-sample test of a batch against the reference, by an evaluator of one
        method: as `prfast.two_sample_test(real, fake, method, level=level, …)`.

        Of each batch by itself the p-value is valid: P(p <= u) <= u for all u where its samples and
        the reference are independent draws of one distribution, by the theorem in
        ``prfast.estimate.two_sample``.  Batches share the reference, so that their p-values depend
        on each other.  Under any dependence Bonferroni's and Holm's corrections hold, and the level
        may be spent: if batch t is tested at level a_t, with Σ a_t <= a over an endless sequence,
        then any false alarm has a probability of at most a.  Docs: testing, "Drift".

        Parameters
        ----------
        fake : array, shape (m, d)
            The batch.
        level : float
            As for `prfast.two_sample_test`, 0.05 by default.
        w_fake, groups
            Of the samples of the batch, as for `curves`.

        Raises
        ------
        ValueError
            The evaluator has several methods; as `prfast.two_sample_test`.
        """
        if len(self._options.runs) > 1:
            raise ValueError("test: an evaluator of one method and one k expected")
        return self._prepared().test(self._pair(fake, w_fake, groups), level)

    def compare(
        self,
        models: Mapping[str, Any],
        *,
        w_fake: Mapping[str, Any] | None = None,
        groups: Mapping[str, Any] | None = None,
    ) -> Comparison:
        """Return curves and metrics of several sets, {name: array}.

        w_fake, groups: of the sets that have them, likewise; None (default) for none.
        """
        if not isinstance(models, Mapping) or not models:
            raise WrongType(
                "models",
                "a mapping of names to arrays expected, "
                f"got {'an empty one' if isinstance(models, Mapping) else type(models).__name__}",
            )
        for name in models:
            if not isinstance(name, str):
                raise WrongType("models", f"names that are strings expected, got {name!r}")
        weights, labels_of_groups = (
            _of_models(name, one, models) for name, one in (("w_fake", w_fake), ("groups", groups))
        )
        check_all_alike((f"models[{name!r}]", fake) for name, fake in models.items())
        evaluations, labels = {}, self._real.labels
        progress = self._options.context.progress
        with progress.work(len(models)):
            for name, fake in models.items():
                try:
                    with progress.work(1, name):
                        fake = opened("fake", fake)
                        labels = first_labels(labels, labels_of(fake))
                        beside = weights.get(name), labels_of_groups.get(name)
                        reference = self._prepared()
                        pair = reference.read(fake, *beside, at_least=2, names=labels)
                        evaluations[name] = or_failure(reference.evaluate, pair)
                except ArgumentError as error:
                    raise error.at(f"models[{name!r}]") from None
        return Comparison(evaluations)

    # ---- batches ---------------------------------------------------------------------------------

    def update(self, fake: Any = None, *, real: Any = None) -> None:
        """Add a batch for the next `compute`; samples are copied and detached from gradients.

        Parameters
        ----------
        fake : array, shape (b, d), optional
            Generated samples; b may be 0.
        real : array, shape (b, d), optional
            Samples of the reference, for an evaluator constructed without one; the reference is
            prepared again by the next evaluation.

        Raises
        ------
        TypeError, ValueError
            Neither argument; a batch of another width, dtype or provenance than those before;
            `real` where the constructor received the reference.
        """
        if fake is None and real is None:
            raise WrongType("update", "a batch expected, fake or real=…, got neither")
        if real is not None and self._fixed is not None:
            raise WrongValue(
                "real",
                "None expected, the constructor received the reference; "
                "Evaluator() takes it in batches",
            )
        with lock(self):
            self._update(fake, real)

    def compute(self, *, w_fake: Any = None, groups: Any = None) -> Evaluation:
        """Return curves and metrics of all batches since the last `reset`.

        w_fake, groups: of their samples in the order of the batches, as for `curves`, None by
        default.

        Raises
        ------
        ValueError
            There are no generated samples.
        """
        with lock(self):
            if not len(self._fake):
                raise ValueError("compute: batches expected, got none; call update first")
            whole = self._fake.whole()
        return self.evaluate(whole, w_fake=w_fake, groups=groups)

    def reset(self, *, real: bool = False) -> None:
        """Discard the generated samples; the prepared reference stays.

        real: also discard a reference that came in batches (default False).
        """
        with lock(self):
            self._fake = Batches("fake")
            if read_flag("real", real):
                if self._fixed is not None:
                    raise WrongValue(
                        "real",
                        "False expected where the constructor received the reference, got True",
                    )
                self._real, self._ready = Batches("real"), None

    def merge(self, other: Evaluator) -> Evaluator:
        """Return a new evaluator with the batches of this one, then those of another.

        For example, to combine processes that have each evaluated some of the samples.  The folds
        of "auto" depend on the order of the samples: merge processes in a fixed order to get
        reproducible results.

        Parameters
        ----------
        other : Evaluator
            An evaluator of the same reference and options.  Where both take the reference in
            batches, these are concatenated as well.  `n_jobs`, `memory` and `progress` of the
            result are those of this evaluator.

        Raises
        ------
        TypeError, ValueError
            Not an evaluator; another reference, other options, batches of another dtype or width.
        """
        if not isinstance(other, Evaluator):
            raise WrongType("other", f"an Evaluator expected, got {type(other).__name__}")
        references = [
            None if e._fixed is None else (e._fixed.unchanged().source.shape, e._fixed.checksum)
            for e in (self, other)
        ]
        if references[0] != references[1]:
            raise WrongValue("other", "an evaluator of the same reference expected")
        self._options.check_same("other", other._options.that_matter())
        (real, fake), (others_real, others_fake) = self._sets(), other._sets()
        real, fake = real.followed_by(others_real), fake.followed_by(others_fake)
        check_pair(real, fake)
        return _restored(Evaluator, self._options.arguments, self._reference(), real, fake)

    # ---- pickle and state_dict -------------------------------------------------------------------

    def state_dict(self, array: Callable[[Any], Any] | None = None) -> dict[str, Any]:
        """Return the state for a checkpoint: a flat dictionary of NumPy arrays and strings.

        It has copies of the batches.  A reference in batches is part of it; for a reference given
        to the constructor it has a checksum, and `load_state_dict` needs an evaluator constructed
        with that reference again, which is then prepared anew.

        Parameters
        ----------
        array : function, optional
            Converts each array: ``torch.from_numpy`` for ``torch.save``, as ``torch.load`` with
            weights_only refuses files that contain NumPy arrays.

        Returns
        -------
        dict
            The argument of `load_state_dict`; ``prfast.comparison.batches`` documents its keys.
        """
        return write_state(self._options, self._fixed, self._sets(), array)

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore a state of `state_dict`; the batches of this evaluator are discarded.

        Parameters
        ----------
        state : mapping
            The state of an evaluator with the same options and the same reference; its arrays may
            be tensors, and its strings 0-d arrays of NumPy, as ``numpy.savez`` writes them.

        Raises
        ------
        TypeError, ValueError
            Not a state, or one of another format; another reference, other options.  The evaluator
            is then unchanged.
        """
        sets = read_state(state, self._options, self._fixed)
        real, fake = sets.get("real", self._real), sets["fake"]
        check_pair(real, fake)
        with lock(self):
            self._real, self._fake, self._ready = real, fake, self._fixed

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the reference with its radii, the options and the batches.

        Cached lists of neighbors are left out and computed again when needed.
        """
        real, fake = self._sets()
        reference = self._reference()
        return _restored, (type(self), self._options.arguments, reference, real, fake)

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self._options.by_name().items())
        if self._fixed is None:
            return f"Evaluator({len(self._real)} samples in batches; {options})"
        n, d = self._fixed.samples.source.shape
        return f"Evaluator({n} samples of {d} features; {options})"

    # ---- helpers ---------------------------------------------------------------------------------

    def _pair(self, fake: Any, w_fake: Any, groups: Any, at_least: int = 1) -> Pair:
        """Return the reference and a generated set that is read here."""
        return self._prepared().read(fake, w_fake, groups, at_least, self._real.labels)

    def _prepared(self) -> PreparedReference:
        """Return the prepared reference; batches added since then are included."""
        with lock(self):
            if self._ready is None:
                if len(self._real) < 2:
                    raise WrongValue(
                        "real",
                        f"at least 2 samples expected, got {len(self._real)}; "
                        "update(real=…) adds them",
                    )
                samples = Samples.read("real", self._real.whole())
                samples = replace(samples, names=self._real.labels)
                self._ready = PreparedReference(samples, self._options)
            return self._ready

    def _update(self, fake: Any, real: Any) -> None:
        sets, grown = {"real": self._real, "fake": self._fake}, {}
        for name, batch in (("real", real), ("fake", fake)):
            if batch is None:
                continue
            batch = opened(name, batch)
            for other, batches in sets.items():
                before = "batches before" if other == name else other
                batch = match_columns(name, batch, batches.labels, before)
            read = sets[name].read(batch)
            copied = with_record(np.array(read), record_of(read))
            sets[name] = sets[name].and_batch(copied, labels_of(batch))
            grown[name] = len(read) > 0
        check_pair(**sets)
        if grown.get("real"):
            self._real, self._ready = sets["real"], None
        if grown.get("fake"):
            self._fake = sets["fake"]

    def _reference(self) -> tuple[Samples | None, Mapping[tuple[int, int], Any]]:
        """Return the reference of the constructor with its cached radii; None if there is none."""
        if self._fixed is None:
            return None, {}
        return self._fixed.unchanged(), dict(self._fixed.radii)

    def _sets(self) -> tuple[Batches, Batches]:
        """Return the real and the generated batches."""
        with lock(self):
            return self._real, self._fake


def _of_models(name: str, values: Any, models: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an argument that has an array for some models."""
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        raise WrongType(name, "a mapping of names of models to arrays expected")
    if unknown := [value for value in values if value not in models]:
        raise WrongValue(name, f"names of models expected, got {unknown[0]!r}")
    return values


def _restored(
    kind: type[Evaluator],
    arguments: Mapping[str, Any],
    reference: tuple[Samples | None, Mapping[tuple[int, int], Any]],
    real: Batches,
    fake: Batches,
) -> Evaluator:
    """Return an evaluator with a reference, its radii, and batches, for pickles."""
    evaluator = kind.__new__(kind)  # __init__ of a subclass may take other arguments
    samples, radii = reference
    Evaluator.__init__(evaluator, samples, **arguments)
    evaluator._real, evaluator._fake = real, fake
    if evaluator._fixed is not None:
        evaluator._fixed.radii.update(radii)
    return evaluator
