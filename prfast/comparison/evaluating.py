"""Base classes of Evaluator: evaluation of sets against a reference; samples in batches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prfast.comparison.models import Comparison, Evaluation
from prfast.comparison.prepared import Prepared, Wanted
from prfast.comparison.state import Batches, check_as_wide
from prfast.curve import PRCurve
from prfast.distributed.sharded import Sharded
from prfast.inputs.concurrency import lock
from prfast.inputs.errors import ArgumentError, WrongType, WrongValue
from prfast.inputs.features import check_alike, check_all_alike, first_recorded
from prfast.inputs.options import Progress, read_flag
from prfast.inputs.tables import first_labels, labels_of, match_columns, opened
from prfast.scalars.result import Metrics


class Evaluating:
    """A reference, given at once or in batches, and the options of the evaluation.

    given: validated samples; None for a reference in batches.  labels: column names of a table.
    """

    def __init__(self, given: Any, wanted: Wanted, labels: list[Any] | None = None) -> None:
        self._wanted = wanted
        self._real, self._fake = Batches("real"), Batches("fake")
        self._given = None if given is None else Prepared(given, wanted)
        self._labels = labels
        self._ready = self._given

    def _prepared(self) -> Prepared:
        """Return the prepared reference; batches added since then are included."""
        with lock(self):
            if self._ready is None:
                if len(self._real) < 2:
                    raise WrongValue(
                        "real",
                        f"at least 2 samples expected, got {len(self._real)}; "
                        "update(real=…) adds them",
                    )
                self._ready = Prepared(self._real.whole(), self._wanted)
            return self._ready

    def _check_array(self, call: str, words: str) -> None:
        """Raise TypeError for a reference in pieces."""
        if self._given is not None and isinstance(self._given.real, Sharded):
            raise WrongType(call, f"a reference that is an array expected, got pieces; {words}")

    def _width_given(self) -> int | None:
        return None if self._given is None else int(self._given.real.shape[1])

    def _reference(self, batches: Batches) -> Any:
        """Return the object that has the provenance of the reference."""
        return batches.known if self._given is None else self._given

    def _known_labels(self) -> list[Any] | None:
        """Return the column names of the reference, from the first table among its parts."""
        return first_labels(self._labels, self._real.labels)

    def curves(self, fake: Any) -> dict[tuple[str, Any], PRCurve]:
        """Return the curves of all methods.

        Parameters
        ----------
        fake : array, shape (m, d)
            Generated samples, or samples in pieces if the reference is.

        Returns
        -------
        dict
            {(method, k): PRCurve} for methods that count neighbours, as
            `prfast.pr_curves(real, fake, …)`; {(method, None): PRCurve} for others, as
            `prfast.pr_curve(real, fake, method, …)`.  "auto" comes first, then the methods that
            count neighbours, then the others.
        """
        return self._prepared().curves(fake, self._known_labels())

    def curve(self, fake: Any) -> PRCurve:
        """Return the curve of an evaluator of a single method and k.

        Raises
        ------
        ValueError
            The evaluator has several; use `curves`.
        """
        if len(self._wanted.runs) > 1:
            raise ValueError("curve: an evaluator of one method and one k expected; use curves")
        return next(iter(self.curves(fake).values()))

    def metrics(self, fake: Any) -> Metrics:
        """Return the metrics, as `prfast.metrics(real, fake, …)`."""
        return self._prepared().metrics(fake, self._known_labels())

    def evaluate(self, fake: Any) -> Evaluation:
        """Return curves and metrics of a set.

        The result also has what `Comparison.differences` needs: the scores behind the curves and,
        with `halvings`, metrics of halves of the samples.
        """
        return self._prepared().evaluate(fake, self._known_labels())

    def compare(self, models: Mapping[str, Any]) -> Comparison:
        """Return curves and metrics of several sets, {name: array}."""
        if not isinstance(models, Mapping) or not models:
            raise WrongType(
                "models",
                "a mapping of names to arrays expected, "
                f"got {'an empty one' if isinstance(models, Mapping) else type(models).__name__}",
            )
        for name in models:
            if not isinstance(name, str):
                raise WrongType("models", f"names that are strings expected, got {name!r}")
        check_all_alike((f"models[{name!r}]", fake) for name, fake in models.items())
        found, labels = {}, self._known_labels()
        progress: Progress = self._wanted.settings["progress"]
        with progress.work(len(models)):
            for name, fake in models.items():
                try:
                    with progress.work(1, name):
                        fake = opened("fake", fake)
                        labels = first_labels(labels, labels_of(fake))
                        found[name] = self._prepared().evaluate(fake, labels)
                except ArgumentError as error:
                    raise error.at(f"models[{name!r}]") from None
        return Comparison(found)


class Batched(Evaluating):
    """Evaluation of samples that are added batch by batch: update, compute, reset."""

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
            `real` where the reference was given to the constructor.
        """
        with lock(self):
            self._update(fake, real)

    def compute(self) -> Evaluation:
        """Return curves and metrics of all batches since the last `reset`.

        Raises
        ------
        ValueError
            There are no generated samples.
        """
        with lock(self):
            if not len(self._fake):
                raise ValueError("compute: batches expected, got none; call update first")
            whole = self._fake.whole()
        return self.evaluate(whole)

    def reset(self, *, real: bool = False) -> None:
        """Discard the generated samples; the prepared reference stays.

        real: also discard a reference that came in batches (default False).
        """
        with lock(self):
            self._fake = Batches("fake")
            if read_flag("real", real):
                if self._given is not None:
                    raise WrongValue(
                        "real", "False expected of a reference that was given, got True"
                    )
                self._real, self._ready = Batches("real"), None

    def _update(self, fake: Any, real: Any) -> None:
        self._check_array("update", "evaluate takes all samples of a model")
        if fake is None and real is None:
            raise WrongType("update", "a batch expected, fake or real=…, got neither")
        if real is not None and self._given is not None:
            raise WrongValue(
                "real",
                "None expected, the reference was given when the evaluator was made; "
                "Evaluator() takes it in batches",
            )
        columns = {"real": self._known_labels(), "fake": self._fake.labels}
        given = {"real": opened("real", real), "fake": opened("fake", fake)}
        for name in given:
            for other, known in columns.items():
                before = "batches before" if other == name else other
                given[name] = match_columns(name, given[name], known, before)
            columns[name] = first_labels(columns[name], labels_of(given[name]))
        of_real = None if real is None else self._real.read(given["real"])
        of_fake = None if fake is None else self._fake.read(given["fake"])
        widths = [None if one is None else one.shape[1] for one in (of_real, of_fake)]
        width = self._width_given() or self._real.width
        check_as_wide(widths[0] or width, widths[1] or self._fake.width)
        check_alike(
            "real",
            first_recorded([of_real, self._reference(self._real)]),
            "fake",
            first_recorded([of_fake, self._fake.known]),
        )
        if of_real is not None and len(of_real):
            self._real.add(of_real)
            self._real.labels = columns["real"]
            self._ready = None
        if of_fake is not None:
            self._fake.add(of_fake)
            self._fake.labels = columns["fake"]
