"""Evaluator: one reference, prepared once, and any number of models or checkpoints against it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from prfast.cluster.reading import read_samples
from prfast.comparison.evaluating import Batched
from prfast.comparison.prepared import Prepared, read_wanted
from prfast.comparison.state import (
    Batches,
    Seen,
    check_as_wide,
    read_state,
    take_radii,
    write_state,
)
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.features import check_alike, first_recorded, record_of, with_record
from prfast.inputs.locks import lock
from prfast.inputs.options import MEMORY, RandomState, Shown
from prfast.inputs.tables import check_order, first_labels, labels_of, opened


class Evaluator(Batched):
    """A reference set, prepared once, against which any number of sets is evaluated.

    What depends on the reference alone (its split, the radii of its balls, the neighbours of its
    evaluation half in its training half) is computed for the first set and kept.  Results are those
    of `prfast.pr_curve`, `prfast.pr_curves` and `prfast.metrics`, to the last bit.  Threads may
    share one: they ask at the same time, and what changes its batches takes turns.

    Parameters
    ----------
    real : array, shape (n, d), optional
        Samples of the reference distribution; kept, and not copied where rows are contiguous.  They
        must stay as they are: a changed reference is refused.  The column names of a table are
        kept: columns of later tables are matched by name, and other names are refused.  Without it
        the reference comes in batches, ``update(real=…)``.  Of a reference in pieces,
        `prfast.shards` or a dask array, all sets are in pieces; it is looked at once, but is not
        pickled, and takes no batches.
    methods : str, object, or a sequence of them
        As `method` of `prfast.pr_curve`: "auto" (default), "knn", "ipr", "parzen", "coverage",
        "kmeans", "classifier", a scikit-learn classifier, an object with fit and score, a function
        of points; of different names.
    k, split, ties, count_self
        Of the methods that count neighbours, as for `prfast.pr_curves`.
    random_state : int, generator of NumPy or None
        Seed of curves and metrics; default 0.
    options : mapping, optional
        {name of a method: {option: value}}: what `prfast.pr_curve` takes for it, `split` included,
        as in ``{"kmeans": {"clusters": 50}, "classifier": {"split": 0.5}}``.
    halvings : int
        Random halvings of the samples, from which the ± of metrics comes that have no standard
        error of their own, and all of `Comparison.differences` (``prfast.scalars.measure``); each
        costs half of what the metrics cost.  0 (default): none; 12 do.
    metrics_k, which
        k, 5 by default, and names of the metrics, as for `prfast.metrics`; `ties` is that of the
        curves.
    backend, n_jobs, memory, progress, client
        As for `prfast.pr_curves`; beside it, up to `memory` again is kept for each method and k
        that needs neighbours of the reference in itself ("knn", "coverage"), else they are found
        again for each set.

    Raises
    ------
    TypeError, ValueError
        As those functions; two methods of one name, options of a method that is not among them.
    """

    def __init__(
        self,
        real: Any = None,
        methods: Any = ("auto",),
        k: Sequence[int | str] | int | str = "sqrt",
        *,
        split: float | None = 0.5,
        random_state: RandomState = 0,
        ties: str = "closed",
        count_self: bool = True,
        options: Mapping[str, Mapping[str, Any]] | None = None,
        metrics_k: int = 5,
        which: str | Sequence[str] | None = None,
        halvings: int = 0,
        backend: str = "auto",
        n_jobs: int | None = None,
        memory: int = MEMORY,
        progress: Shown = None,
        client: Any = None,
    ) -> None:
        real = opened("real", real)
        read = None
        if real is not None:
            read = with_record(read_samples("real", real, client, at_least=2), record_of(real))
        settings = {"backend": backend, "n_jobs": n_jobs, "memory": memory, "progress": progress}
        of_curves = (methods, k, split, random_state, ties, count_self, options)
        wanted = read_wanted(*of_curves, metrics_k, which, halvings, settings)
        super().__init__(read, wanted, labels_of(real))

    def merge(self, other: Evaluator) -> Evaluator:
        """An evaluator with the batches of this one and then those of another, which stay as they
        are, as where processes have each seen some of the samples.

        "auto" draws folds by the order of the samples: merge processes in one order, and a result
        can be found again.

        Parameters
        ----------
        other : Evaluator
            Of the same reference and options, or neither made with a reference: then batches of
            real samples follow each other as well.  `n_jobs`, `memory` and `progress` are those of
            this one.

        Raises
        ------
        TypeError, ValueError
            No evaluator; another reference, other options, batches of another dtype or width.
        """
        if not isinstance(other, Evaluator):
            raise WrongType("other", f"an Evaluator expected, got {type(other).__name__}")
        for each in (self, other):
            each._check_array("merge", "it has no batches")
        one, another = (
            None if e._given is None else (e._given.unchanged().shape, e._given.mark)
            for e in (self, other)
        )
        if one != another:
            raise WrongValue("other", "an evaluator of the same reference expected")
        self._wanted.check_same("other", other._wanted.named())
        mine, theirs = self._seen(), other._seen()
        real, fake = mine.real.followed_by(theirs.real), mine.fake.followed_by(theirs.fake)
        own, others = self._reference(real), other._reference(real)
        check_alike("real", own, "other's real", others)
        check_alike("real", first_recorded([own, others]), "fake", fake.known)
        radii = {} if self._given is None else {**theirs.radii, **mine.radii}
        labels = first_labels(self._labels, other._labels)
        check_order("other's real", other._labels, labels)
        check_order("fake", fake.labels, first_labels(labels, real.labels))
        options = self._wanted.options()
        return Evaluator._of_kept(self._own(), options, radii, fake, real, labels)

    # ---- pickle, state_dict ----------------------------------------------------------------------

    def state_dict(self, array: Callable[[Any], Any] | None = None) -> dict[str, Any]:
        """What the evaluator has seen, for a checkpoint: copies of its batches, and the radii that
        it has found; NumPy arrays, strings, nothing nested.

        The reference is in it where it came in batches; of one that was given there is a checksum,
        and `load_state_dict` is for an evaluator that is made of it again.

        Parameters
        ----------
        array : function, optional
            What each array is handed through: ``torch.from_numpy`` for ``torch.save``, whose files
            ``torch.load`` refuses, with weights_only, where they hold NumPy's.

        Returns
        -------
        dict
            `load_state_dict` says what else it takes.
        """
        self._check_array("state_dict", "its pieces are where they are")
        return write_state(self._wanted, self._given, self._seen(), array)

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on where `state_dict` was called; batches of this evaluator are forgotten.

        Parameters
        ----------
        state : mapping
            What `state_dict` gave, of an evaluator of the same options and the same reference; its
            arrays may have become tensors, its strings NumPy's, as in files of ``numpy.savez``.

        Raises
        ------
        TypeError, ValueError
            No such mapping, one of another format; another reference, other options.  The evaluator
            stays as it is.
        """
        self._check_array("load_state_dict", "its pieces are where they are")
        seen = read_state(state, self._wanted, self._given)
        with lock(self):
            self._go_on(seen)

    def _go_on(self, seen: Seen) -> None:
        """From what another has seen, if it fits."""
        real, fake = seen.real, seen.fake
        check_as_wide(self._width_given() or real.width, fake.width)
        check_alike("real", self._reference(real), "fake", fake.known)
        check_order("fake", fake.labels, first_labels(self._labels, real.labels))
        ready = self._given
        if ready is None and len(real) > 1:
            ready = Prepared(real.whole(), self._wanted)
        take_radii(ready, seen.radii)
        self._real, self._fake, self._ready = real, fake, ready

    def _own(self) -> Any:
        """The reference that was given."""
        given = self._given
        return None if given is None else with_record(given.unchanged(), given.record)

    def _seen(self) -> Seen:
        """The batches and radii so far; of this moment, whatever other threads do next."""
        with lock(self):
            radii = {} if self._ready is None else self._ready.radii()
            return Seen(self._real.copy(), self._fake.copy(), radii)

    @classmethod
    def _of_kept(
        cls,
        real: Any,
        options: Mapping[str, Any],
        radii: Mapping[str, Any],
        fake: Batches | None = None,
        of_real: Batches | None = None,
        labels: list[Any] | None = None,
    ) -> Evaluator:
        evaluator = cls.__new__(cls)  # a subclass may be made otherwise
        Evaluator.__init__(evaluator, real, **options)
        evaluator._real, evaluator._fake = of_real or Batches("real"), fake or Batches("fake")
        evaluator._labels = labels
        if radii:
            evaluator._prepared().take(radii)
        return evaluator

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the reference, the options, the batches and the radii.

        Lists of neighbours are left out and computed again when they are needed.
        """
        self._check_array("pickle", "its pieces are where they are")
        seen = self._seen()
        kept = self._own(), self._wanted.options(), seen.radii, seen.fake, seen.real, self._labels
        return type(self)._of_kept, kept

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self._wanted.named().items())
        if self._given is None:
            return f"Evaluator({len(self._real)} samples in batches; {options})"
        n, d = self._given.real.shape
        return f"Evaluator({n} samples of {d} features; {options})"
