"""Batches of an evaluator, and its checkpoint: a flat dictionary of arrays and strings.

format       name and version number of the format
options      options of the evaluator that affect results, as JSON
reference    shape, dtype and checksum of a reference passed at once; else "batches"
batches      by set, as JSON: `features`, the provenance of the features or null; `of_all`, whether
             all batches have it; `columns`, the column names where a batch was a table, or null
real, fake   samples added in batches; left out where there are none
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from prfast.comparison.reference import EvaluatorOptions, PreparedReference
from prfast.inputs.arrays import Floats
from prfast.inputs.errors import ArgumentError, WrongType, WrongValue, kind_of
from prfast.inputs.tables import check_order, first_labels, labels_for_file, named
from prfast.samples.features import check_alike, joined, record_of, with_record
from prfast.samples.samples import Samples, check_widths, read_samples

_FORMAT = "prfast.Evaluator.state/1"
_TEXTS = ("format", "options", "reference", "batches")


@dataclass(eq=False)
class Batches:
    """Batches of one dtype and width, in order; threads may share them, as they do not change."""

    name: str
    """"real" or "fake", for errors."""
    arrays: list[Floats] = field(default_factory=list)
    record: Mapping[str, Any] | None = None
    """The first provenance record; other batches have an equal one or none."""
    names: list[Any] | None = None
    """Column names of the first batch that was a table."""

    def __len__(self) -> int:
        """Return the number of samples."""
        return sum(map(len, self.arrays))

    @property
    def width(self) -> int | None:
        """Number of features; None where there are no batches."""
        return int(self.arrays[0].shape[1]) if self.arrays else None

    def read(self, batch: Any) -> Floats:
        """Return a validated batch that matches those before; it may be empty and is not added."""
        samples = read_samples(self.name, batch, at_least=0)
        check_alike("batches before", self, self.name, batch)
        if self.arrays:
            before = "as in the batches before expected, got"
            width, dtype = samples.shape[1], self.arrays[0].dtype
            if width != self.width:
                raise WrongValue(self.name, f"{self.width} features {before} {width}")
            if len(samples) and samples.dtype != dtype:
                raise WrongType(self.name, f"{dtype} {before} {samples.dtype}")
        recorded: Floats = with_record(samples, record_of(batch))
        return recorded

    def followed_by(self, later: Batches) -> Batches:
        """Return these batches, then others that `read` takes, sharing the arrays."""
        record = later.record if self.record is None else self.record
        names = first_labels(self.names, later.names)
        return Batches(self.name, [*self.arrays, *later.arrays], record, names)

    def merged(self, other: Batches) -> Batches:
        """Return these batches, then those of the argument `other`, which are checked."""
        check_alike("batches", self, "other", other)
        check_order("other", other.names, self.names, "batches")
        try:
            for batch in other.arrays[:1]:
                self.read(batch)
        except ArgumentError as error:
            raise error.renamed("other") from None
        return self.followed_by(other)

    def whole(self) -> Floats:
        """Return all samples, of which there is at least one, in one array."""
        if len(self.arrays) > 1:
            self.arrays = [joined(self.arrays)]
        return self.arrays[0]


def check_pair(real: Samples | Batches, fake: Batches) -> None:
    """Check that both sets have one width, one record and one order of columns."""
    if real.width is not None and fake.width is not None:
        check_widths("fake", real.width, fake.width)
    check_alike("real", real, "fake", fake)
    check_order("fake", fake.names, real.names)


# ---- checkpoints ---------------------------------------------------------------------------------


def write_state(
    options: EvaluatorOptions,
    fixed: PreparedReference | None,
    sets: Iterable[Batches],
    array: Callable[[Any], Any] | None,
) -> dict[str, Any]:
    """Return the checkpoint; fixed: the reference, or None where it came in batches."""
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
    """Return the batches of a checkpoint of an evaluator with the same options and reference:
    "fake" and, where the reference came in batches, "real"."""
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
