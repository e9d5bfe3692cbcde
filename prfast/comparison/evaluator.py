"""Evaluator: one reference, prepared once, and any number of models or checkpoints against it."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from prfast.balls import Points, Remembering, Rows, Search
from prfast.cluster.reading import read_other, read_samples
from prfast.cluster.sharded import Sharded
from prfast.comparison.models import Comparison, Evaluation
from prfast.comparison.saved import load_evaluator, write_evaluator
from prfast.curve import PRCurve
from prfast.estimate.several import ScoredSet, read_several, scored_sets, several_curves
from prfast.estimate.split import split_share
from prfast.inputs.arrays import Floats
from prfast.inputs.errors import ArgumentError, WrongType, WrongValue
from prfast.inputs.features import joined, record_of, with_record
from prfast.inputs.options import MEMORY, read_count
from prfast.metrics.halves import Halves, check_halves, halve
from prfast.metrics.measure import measure
from prfast.metrics.options import check_sizes, read_metric_options
from prfast.metrics.result import Metrics
from prfast.results.values import Remade
from prfast.scorers.neighbors import check_k, read_k


class Evaluator(Remade):
    """A reference set, prepared once, against which any number of sets is evaluated.

    What depends on the reference alone (its split, the radii of its balls, the neighbours of its
    evaluation half in its training half) is computed for the first set and kept.  Results are those
    of `prfast.pr_curves` and `prfast.metrics`, to the last bit.

    Parameters
    ----------
    real : array, shape (n, d)
        Samples of the reference distribution; kept, and not copied where rows are contiguous.  They
        must stay as they are: a changed reference is refused.  Of a reference in pieces,
        `prfast.shards` or a dask array, all sets are in pieces; it is looked at once, but neither
        saved nor sent elsewhere, and takes no batches.
    methods, k, split, random_state, ties, count_self
        Of the curves: "auto", by default the only one, and those of `prfast.pr_curves`.  The other
        options are of the latter; `random_state` is for both.
    halvings : int
        Random halvings of the samples, from which the ± of metrics comes (`Comparison.differences`,
        ``prfast.metrics.halves``); each costs half of what the metrics cost.  0 (default): none; 12
        do.
    metrics_k, which
        k (5) and names of the metrics, as for `prfast.metrics`; `ties` is that of the curves.
    backend, n_jobs, memory, progress, client
        As for `prfast.pr_curves`; beside it, up to `memory` again is kept for each method and k
        that needs neighbours of the reference in itself ("knn", "coverage"), else they are found
        again for each set.

    Raises
    ------
    TypeError, ValueError
        As those functions.
    """

    def __init__(
        self,
        real: Any,
        methods: Sequence[str] | str = ("auto",),
        k: Sequence[int | str] | int | str = "sqrt",
        *,
        split: float | None = 0.5,
        random_state: int | None = 0,
        ties: str = "closed",
        count_self: bool = True,
        metrics_k: int = 5,
        which: str | Sequence[str] | None = None,
        halvings: int = 0,
        backend: str = "auto",
        n_jobs: int | None = None,
        memory: int = MEMORY,
        progress: bool = False,
        client: Any = None,
    ) -> None:
        read = read_samples("real", real, client, at_least=2)
        self._real: Any = read
        if not isinstance(read, Sharded):
            self._real = with_record(np.ascontiguousarray(read), record_of(read))
        self._mark = _mark(self._real)
        self._curves = read_several(methods, k, split, random_state, ties, count_self)
        self._metrics = read_metric_options(read_count("metrics_k", metrics_k), which, ties)
        self._halvings = read_count("halvings", halvings, at_least=0, at_most=10_000)
        self._settings: dict[str, Any] = {
            "backend": backend,
            "n_jobs": n_jobs,
            "memory": memory,
            "progress": progress,
        }
        self._batches: list[Floats] = []
        self._prepare()

    def _prepare(self) -> None:
        """The halves of the reference, and a search that remembers what it finds of them."""
        real, curves = self._real, self._curves
        self._parts: tuple[Points, Points] | None = None
        fixed: list[Points] = [real]
        if curves.split is not None:
            # The real rows are drawn first, so they do not depend on the other set's size.
            part = split_share(len(real), len(real), curves.split, curves.seed)
            self._parts = Rows(real, part.real_train), Rows(real, part.real_test)
            fixed += self._parts
        training = fixed[1] if self._parts else fixed[0]
        for k in curves.ks:
            for method in curves.methods:
                # The other set may have any size.
                check_k(method, read_k(k, training), len(training), math.inf)
        with _own_names():
            check_sizes(len(real), len(real), self._metrics)
        if self._halvings:
            check_halves(len(real), len(real), self._metrics)
        self._search = Remembering(fixed, **self._settings)

    def _unchanged(self) -> Any:
        """The reference; ValueError if it is no longer what it was."""
        if _mark(self._real) != self._mark:
            raise WrongValue("real", "has changed since the evaluator was made; make a new one")
        return self._real

    def _check_array(self, call: str, words: str) -> None:
        """TypeError where the reference is in pieces."""
        if isinstance(self._real, Sharded):
            raise WrongType(call, f"a reference that is an array expected, got pieces; {words}")

    # ---- one set -----------------------------------------------------------------------------

    def curves(self, fake: Any) -> dict[tuple[str, int | str], PRCurve]:
        """Every method and k, as `prfast.pr_curve(real, fake, "auto", …)`, under ("auto", None),
        and `prfast.pr_curves(real, fake, …)`."""
        real = self._unchanged()
        fake = read_other("fake", fake, real)
        return several_curves(self._scored(fake), real, fake, self._curves.seed)

    def _scored(self, fake: Floats) -> list[ScoredSet]:
        settings = {name: self._settings[name] for name in ("n_jobs", "memory", "progress")}
        found = scored_sets(self._real, fake, self._curves, self._search, settings, self._parts)
        self._search.release()
        return found

    def curve(self, fake: Any) -> PRCurve:
        """The curve of the one method and k that the evaluator has.

        Raises
        ------
        ValueError
            It has several: use `curves`.
        """
        curves = self._curves
        if len(curves.methods) * len(curves.ks) + curves.auto > 1:
            raise ValueError("curve: an evaluator of one method and one k expected; use curves")
        return next(iter(self.curves(fake).values()))

    def metrics(self, fake: Any) -> Metrics:
        """The metrics, as `prfast.metrics(real, fake, …)`."""
        real = self._unchanged()
        fake = read_other("fake", fake, real, at_least=2)
        with _own_names():
            found: Metrics = measure(real, fake, self._metrics, self._search)
        self._search.release()
        return found

    def evaluate(self, fake: Any) -> Evaluation:
        """Curves and metrics of a set, and what `Comparison.differences` takes from it: the scores
        that its curves are made of, and metrics of halves if they are asked for."""
        real = self._unchanged()
        fake = read_other("fake", fake, real, at_least=2)
        scored, metrics = self._scored(fake), self.metrics(fake)
        scores = {
            key: kept for one in scored for key, kept in one.paired(len(real), self._mark).items()
        }
        curves = several_curves(scored, real, fake, self._curves.seed)
        return Evaluation(curves, metrics, scores=scores, halves=self._halves(fake))

    def _halves(self, fake: Floats) -> Halves | None:
        if not self._halvings:
            return None
        search = Search(**self._settings)
        how_many, seed = self._halvings, self._curves.seed
        return halve(
            self._real, fake, self._metrics, search, how_many, seed=seed, reference=self._mark
        )

    def compare(self, models: Mapping[str, Any]) -> Comparison:
        """Curves and metrics of several sets, {name: array}."""
        if not isinstance(models, Mapping) or not models:
            raise WrongType(
                "models",
                "a mapping of names to arrays expected, "
                f"got {'an empty one' if isinstance(models, Mapping) else type(models).__name__}",
            )
        for name in models:
            if not isinstance(name, str):
                raise WrongType("models", f"names that are strings expected, got {name!r}")
        found = {}
        for name, fake in models.items():
            try:
                found[name] = self.evaluate(fake)
            except ArgumentError as error:
                raise error.at(f"models[{name!r}]") from None
        return Comparison(found)

    # ---- batch by batch ----------------------------------------------------------------------

    def update(self, batch: Any) -> None:
        """Add generated samples, shape (b, d), for the next `compute`; they are copied."""
        self._check_array("update", "evaluate takes all samples of a model")
        read = read_other("batch", batch, self._real)
        if self._batches and read.dtype != self._batches[0].dtype:
            raise WrongType(
                "batch",
                f"{self._batches[0].dtype} as in the batches before expected, got {read.dtype}",
            )
        self._batches.append(with_record(np.array(read), record_of(read)))

    def compute(self) -> Evaluation:
        """Curves and metrics of all batches since the last `reset`.

        Raises
        ------
        ValueError
            There is none.
        """
        if not self._batches:
            raise ValueError("compute: batches expected, got none; call update first")
        if len(self._batches) > 1:
            self._batches = [joined(self._batches)]
        return self.evaluate(self._batches[0])

    def merge(self, other: Evaluator) -> Evaluator:
        """An evaluator with the batches of this one and then those of another, which stay as they
        are, as where processes have each seen some of the samples.

        "auto" draws folds by the order of the samples: merge processes in one order, and a result
        can be found again.

        Parameters
        ----------
        other : Evaluator
            Of the same reference and options; `n_jobs`, `memory` and `progress` are those of this
            one.

        Raises
        ------
        TypeError, ValueError
            No evaluator; another reference, other options, batches of another dtype.
        """
        if not isinstance(other, Evaluator):
            raise WrongType("other", f"an Evaluator expected, got {type(other).__name__}")
        for each in (self, other):
            each._check_array("merge", "it has no batches")
        one, another = ((e._unchanged(), e._mark) for e in (self, other))
        if one[1:] != another[1:] or one[0].shape != another[0].shape:
            raise WrongValue("other", "an evaluator of the same reference expected")
        own, its = self._options(), other._options()
        for name in own:
            if name not in _OF_ONE_PROCESS and own[name] != its[name]:
                raise WrongValue("other", f"{name}={own[name]!r} expected, got {its[name]!r}")
        batches = [*self._batches, *other._batches]
        for batch in batches:
            if batch.dtype != batches[0].dtype:
                raise WrongType(
                    "other", f"batches of {batches[0].dtype} expected, got {batch.dtype}"
                )
        return Evaluator._of_kept(self._real, own, other._kept()[2] | self._kept()[2], batches)

    def reset(self) -> None:
        """Forget the batches; what was prepared of the reference stays."""
        self._batches = []

    # ---- kept in a file, or sent to another process --------------------------------------------

    def save(self, path: str) -> None:
        """Write the reference, the options and the radii found so far to a file (NumPy's .npz).

        It holds a version and a checksum; batches are not in it.
        """
        write_evaluator(path, *self._kept())

    @classmethod
    def load(cls, path: str) -> Evaluator:
        """The evaluator that `save` wrote.

        Raises
        ------
        FileNotFoundError, ValueError
            No file; not such a file, one of another format, one whose checksum does not fit.
        """
        kept = load_evaluator(path)
        try:
            return cls._of_kept(*kept)
        except (TypeError, ValueError, IndexError) as error:
            raise ValueError(f"{path}: a file of Evaluator.save expected: {error}") from None

    def _kept(self) -> tuple[Floats, dict[str, Any], dict[str, Floats]]:
        """The reference, the options and the radii found so far, of which the same is made again:
        without the neighbours that were kept, which are found again when they are needed."""
        self._check_array("save", "its pieces are where they are")
        radii = {f"radii {i} {k}": d2 for (i, k), d2 in sorted(self._search.radii.items())}
        return self._unchanged(), self._options(), radii

    @classmethod
    def _of_kept(
        cls,
        real: Any,
        options: Mapping[str, Any],
        radii: Mapping[str, Any],
        batches: Sequence[Floats] = (),
    ) -> Evaluator:
        evaluator = cls.__new__(cls)  # a subclass may be made otherwise
        Evaluator.__init__(evaluator, real, **options)
        for name, d2 in radii.items():
            _, number, k = name.split()
            wanted = len(evaluator._search.fixed[int(number)])
            if d2.shape != (wanted,) or d2.dtype != np.float64 or not (d2 >= 0).all():
                raise WrongValue(name, f"{wanted} numbers >= 0 expected")
            evaluator._search.radii[int(number), int(k)] = d2
        evaluator._batches = list(batches)
        return evaluator

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._of_kept, (*self._kept(), self._batches)

    def _options(self) -> dict[str, Any]:
        curves, metrics = self._curves, self._metrics
        return {
            "methods": ["auto"] * curves.auto + curves.methods,
            "k": curves.ks,
            "split": curves.split,
            "random_state": curves.seed,
            "ties": curves.ties,
            "count_self": curves.count_self,
            "metrics_k": metrics.ks[0],
            "which": metrics.names,
            "halvings": self._halvings,
            "backend": self._search.backend,
            **{  # checked by the search; as numbers that JSON knows
                name: None if value is None else int(value)
                for name, value in self._settings.items()
                if name in ("n_jobs", "memory")
            },
            "progress": bool(self._settings["progress"]),
        }

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self._options().items())
        n, d = self._real.shape
        return f"Evaluator({n} samples of {d} features; {options})"


# Options that change no result.
_OF_ONE_PROCESS = {"n_jobs", "memory", "progress"}


@contextmanager
def _own_names() -> Iterator[None]:
    """Errors of the metrics, whose k is `metrics_k` here."""
    try:
        yield
    except ArgumentError as error:
        raise (error.renamed("metrics_k") if error.argument == "k" else error) from None


def _mark(real: Any) -> int:
    """A checksum, quick beside the distances."""
    if isinstance(real, Sharded):  # whoever loads a piece sees whether it is what it was
        return real.checksum
    return zlib.crc32(real.data.cast("B"))
