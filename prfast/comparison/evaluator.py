"""Evaluator: one reference, prepared once, for any number of models or checkpoints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

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
from prfast.distributed.reading import read_samples
from prfast.inputs.concurrency import lock
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.features import check_alike, first_recorded, record_of, with_record
from prfast.inputs.options import MEMORY, RandomState, Shown
from prfast.inputs.tables import check_order, first_labels, labels_of, opened


class Evaluator(Batched):
    """A reference set, prepared once, against which any number of sets is evaluated.

    What depends on the reference alone (its split, the radii of its balls, the neighbours of its
    evaluation half in its training half) is computed with the first set and cached.  Results equal
    those of `prfast.pr_curve`, `prfast.pr_curves` and `prfast.metrics`, to the last bit.  Threads
    may share an evaluator: evaluations run concurrently, changes of its batches one after another.

    Parameters
    ----------
    real : array, shape (n, d), optional
        Samples of the reference distribution; referenced, not copied, where the array is
        C-contiguous.  A reference that has been modified since is refused.  The columns of later
        tables are matched by the column names of a table; other names are refused.  Without `real`
        the reference comes in batches, ``update(real=…)``.  With a reference in pieces
        (`prfast.shards`, a dask array), all sets must be in pieces; such an evaluator cannot be
        pickled and takes no batches.
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
        (``prfast.scalars.result``).  Each costs half as much as the metrics.  0 (default): none;
        12 are enough.
    metrics_k, which
        k (default 5) and names of the metrics, as for `prfast.metrics`; `ties` is that of the
        curves.
    backend, n_jobs, memory, progress, client
        As for `prfast.pr_curves`.  In addition, up to `memory` bytes cache the neighbours within
        the reference for each method and k that needs them ("knn", "coverage"); larger lists are
        computed again for each set.

    Raises
    ------
    TypeError, ValueError
        As those functions; two methods of one name and k.
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
        of_curves = (methods, k, split, random_state, ties, count_self)
        wanted = read_wanted(*of_curves, metrics_k, which, halvings, settings)
        super().__init__(read, wanted, labels_of(real))

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
        """Return the state for a checkpoint: a flat dictionary of NumPy arrays and strings.

        It has copies of the batches and the cached radii.  A reference in batches is part of it;
        for a reference given to the constructor it has a checksum, and `load_state_dict` needs an
        evaluator constructed with that reference again.

        Parameters
        ----------
        array : function, optional
            Converts each array: ``torch.from_numpy`` for ``torch.save``, as ``torch.load`` with
            weights_only refuses files that contain NumPy arrays.

        Returns
        -------
        dict
            The argument of `load_state_dict`; ``prfast.comparison.state`` documents its keys.
        """
        self._check_array("state_dict", "its pieces are where they are")
        return write_state(self._wanted, self._given, self._seen(), array)

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
        self._check_array("load_state_dict", "its pieces are where they are")
        seen = read_state(state, self._wanted, self._given)
        with lock(self):
            self._go_on(seen)

    def _go_on(self, seen: Seen) -> None:
        """Replace batches and radii by those of a state, after checking that they fit."""
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
        """Return the reference given to the constructor, with its provenance; else None."""
        given = self._given
        return None if given is None else with_record(given.unchanged(), given.record)

    def _seen(self) -> Seen:
        """Return a consistent snapshot of batches and radii, safe from other threads."""
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
        evaluator = cls.__new__(cls)  # __init__ of a subclass may take other arguments
        Evaluator.__init__(evaluator, real, **options)
        evaluator._real, evaluator._fake = of_real or Batches("real"), fake or Batches("fake")
        evaluator._labels = labels
        if radii:
            evaluator._prepared().take(radii)
        return evaluator

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the reference, the options, the batches and the radii.

        Cached lists of neighbours are left out and computed again when needed.
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
