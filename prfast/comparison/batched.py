"""Samples of an evaluator that come batch by batch."""

from __future__ import annotations

from typing import Any

from prfast.comparison.batches import Batches, check_as_wide
from prfast.comparison.evaluating import Evaluating
from prfast.comparison.evaluation import Evaluation
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.features import check_alike, first_recorded
from prfast.inputs.locks import lock
from prfast.inputs.options import read_flag
from prfast.inputs.tables import first_labels, labels_of, match_columns, opened


class Batched(Evaluating):
    """An evaluator that is given samples as they are made."""

    def update(self, fake: Any = None, *, real: Any = None) -> None:
        """Add samples for the next `compute`; they are copied, and a gradient is left behind.

        Parameters
        ----------
        fake : array, shape (b, d), optional
            Generated samples; b may be 0.
        real : array, shape (b, d), optional
            Samples of the reference, of an evaluator that was made without one; it is prepared
            again when it is needed next.

        Raises
        ------
        TypeError, ValueError
            Neither; a batch that does not fit to those before; a reference that was given.
        """
        with lock(self):
            self._update(fake, real)

    def compute(self) -> Evaluation:
        """Curves and metrics of all batches since the last `reset`.

        Raises
        ------
        ValueError
            There is none.
        """
        with lock(self):
            if not len(self._fake):
                raise ValueError("compute: batches expected, got none; call update first")
            whole = self._fake.whole()
        return self.evaluate(whole)

    def reset(self, *, real: bool = False) -> None:
        """Forget the generated samples; what was prepared of the reference stays.

        real: forget a reference that came in batches, too (default False).
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
