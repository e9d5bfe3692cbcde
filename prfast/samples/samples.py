"""Samples: one set of rows with its weights, groups, names of columns and record.

A sample with the weight w counts as a share w / Σ w of its distribution; those of weight 0 are
dropped.  Samples with the same group label depend on each other.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import (
    PLAIN,
    Float64s,
    Ints,
    blocks,
    in_order,
    read_labels,
    read_numbers,
    read_weights,
)
from prfast.inputs.concurrency import cached_property
from prfast.inputs.errors import WrongRow, WrongType, WrongValue, kind_of
from prfast.inputs.options import is_word
from prfast.inputs.tables import if_empty, labels_of, match_columns, named, opened, row_labels_of
from prfast.results.values import counted
from prfast.samples.features import check_alike, record_of
from prfast.samples.partitioned import (
    PartitionedRows,
    PartitionedSource,
    Points,
    Rows,
    check_array,
    refuse_partitions,
)
from prfast.samples.repetition import Keys, equal_groups, first_rows, row_keys

_NUMBERS_AT_ONCE = 1 << 20  # numbers per block of the search for non-finite ones


@dataclass(eq=False)
class Samples:
    """One set of samples, checked; never changed."""

    source: Points  # the rows that were read, shape (all, features)
    selection: Ints | None = None  # the rows of `source` that are the samples; None for all
    weights: Float64s | None = None
    """Weights > 0 over the largest, shape (samples,); None where all are equal."""
    labels: NDArray[Any] | None = None
    """The group label of each sample; None where each sample is a group."""
    names: list[Any] | None = None  # names of the columns
    record: Mapping[str, Any] | None = None  # how the features were computed
    rows: Any = None
    """Numbers of the samples in the caller's set; None for 0, 1, 2, …; these then stand here."""
    index: Any = None  # labels of the samples, as the index of pandas; None without
    merged: int | None = None
    """Number of rows, where equal ones were merged and weights count them; None without."""

    def __post_init__(self) -> None:
        self.width = int(self.source.shape[1])
        self.is_partitioned = isinstance(self.source, PartitionedRows)  # not in this process
        self.rows = np.arange(len(self)) if self.rows is None else self.rows

    @classmethod
    def read(
        cls,
        name: str,
        values: Any,
        *,
        weights: Any = None,
        groups: Any = None,
        like: Samples | None = None,
        at_least: int = 1,
    ) -> Samples:
        """Return a set of samples from the argument `name` and its companions.

        like: a set whose columns are matched by name, and whose record must agree.
        """
        given = weights is not None or groups is not None
        if isinstance(values, Samples):
            return values.weighted_by(name, weights, groups) if given else values
        names, index, record, is_plain = None, None, None, type(values) in PLAIN
        if not is_plain:
            values = opened(name, values)
            index = row_labels_of(values)
        if like is not None and like.record is not None:
            check_alike("real", like, name, values)
        if like is not None and isinstance(like.source, PartitionedRows):
            points = like.source.read_other(name, values, like.names, at_least)
        elif like is None and isinstance(values, PartitionedSource | PartitionedRows):
            points = values if isinstance(values, PartitionedRows) else values.read(name, None)
            check_shape(name, points.shape, at_least)
        else:
            if like is not None and like.names is not None:
                values = match_columns(name, values, like.names)
            width = None if like is None else like.width
            points = read_samples(name, values, at_least=at_least, width=width)
        if not is_plain:
            names, record = labels_of(values), record_of(values)  # in the order of `like`
        read = cls(points, names=names, record=record, index=index)
        return read.weighted_by(name, weights, groups) if given else read

    def weighted_by(self, name: str, weights: Any = None, groups: Any = None) -> Samples:
        """Return the samples of positive weight, with weights and group labels that are read."""
        n, labels = len(self), self.labels
        if groups is not None:
            labels = read_labels("groups", in_order("groups", groups, name, self.index), n)
        if weights is None:
            return replace(self, labels=labels)
        argument = f"w_{name}"
        w = read_weights(argument, in_order(argument, weights, name, self.index), n)
        kept = w > 0
        are_equal = bool((w[kept] == w.max()).all())
        samples = replace(self, weights=None if are_equal else w / w.max(), labels=labels)
        return samples if kept.all() else samples.take(kept)

    def with_repeats(self, repeats: str, kinds: Any = None) -> Samples:
        """Return the samples; for "weights" the distinct ones with sums of weights.

        kinds: a label of each sample of the caller's set; samples of two kinds differ.
        """
        if not is_word(repeats, "missing", "weights"):
            raise WrongValue("repeats", f"'missing' or 'weights' expected, got {repeats!r}")
        if repeats == "missing":
            return self
        if self.labels is not None:
            raise WrongValue("repeats", "'missing' expected with groups; thin chains instead")
        check_array("repeats", self.source, "'missing'", repr(repeats))
        group = equal_groups(self.keys, self.points)
        if kinds is not None:
            group = first_rows(
                len(self) * np.unique(kinds[self.rows], return_inverse=True)[1] + group
            )
        total = np.bincount(group, self.mass)
        first = np.flatnonzero(total)
        if len(first) == len(self):
            return self
        total = total[first]
        weights = None if (total == total[0]).all() else total / total.max()
        merged = len(self) if self.weights is None and self.selection is None else None
        return replace(self.take(first), weights=weights, merged=merged)

    def __len__(self) -> int:
        return len(self.source) if self.selection is None else len(self.selection)

    @cached_property
    def points(self) -> Any:
        """The rows, shape (samples, features); a selection of partitioned rows as `Rows`."""
        if self.selection is None:
            return self.source
        if isinstance(self.source, PartitionedRows):
            return Rows(self.source, self.selection)
        return self.source[self.selection]

    @cached_property
    def mass(self) -> Float64s:
        """The weight of each sample over the largest; 1 where all are equal."""
        return np.ones(len(self)) if self.weights is None else self.weights

    @cached_property
    def groups(self) -> Ints:
        """The number, from 0, of the group of each sample."""
        if self.labels is None:
            return np.arange(len(self))
        return np.asarray(np.unique(self.labels, return_inverse=True)[1], np.int64)

    @property
    def group_count(self) -> int:
        return int(self.groups.max()) + 1

    @cached_property
    def keys(self) -> Keys:
        """A hash of each sample, to find equal ones."""
        return row_keys(self.points)

    def __reduce__(self) -> tuple[Any, ...]:
        return Samples, tuple(getattr(self, field.name) for field in fields(self))

    def take(self, rows: Any) -> Samples:
        """Return a selection of the samples: an index array, a mask or a slice."""
        if isinstance(rows, slice) and rows == slice(None):
            return self
        at = np.arange(len(self))[rows]
        beside = {name: getattr(self, name) for name in ("weights", "labels", "index")}
        taken = {name: values[at] for name, values in beside.items() if values is not None}
        selection = at if self.selection is None else self.selection[at]
        merged = self.merged if len(at) == len(self) else None
        return replace(self, selection=selection, rows=self.rows[at], merged=merged, **taken)


def checksum_of(points: Points) -> int:
    if isinstance(points, PartitionedRows):  # tasks check each piece when they load it
        return points.checksum
    return zlib.crc32(np.ascontiguousarray(points).data.cast("B"))


# ---- rows of numbers -----------------------------------------------------------------------------


def read_samples(name: str, values: Any, *, at_least: int = 1, width: int | None = None) -> Any:
    """Return a finite 2-D float array, shape (samples, features); partitions are refused.

    width: that of the real samples; None for any.
    """
    if type(values) not in PLAIN:
        refuse_partitions(name, values)
        if type(values).__module__.startswith(("dask.", "dask_expr.")):
            hint = "prfast.distributed.Chunks makes samples of a dask array"
            raise WrongType(name, f"an array expected, got {kind_of(values)}; {hint}")
    array = read_numbers(name, values)
    check_shape(name, array.shape, at_least, width)
    for rows in blocks(array.shape[0], _NUMBERS_AT_ONCE // array.shape[1]):
        block = np.isfinite(array[rows])
        if not block.all():
            row = rows.start + int((~block.all(axis=1)).argmax())
            column = int((~np.isfinite(array[row])).argmax())
            number, labels = array[row, column], named(labels_of(values))
            text = f"finite numbers expected, got {number} in row {{row}}, column {column}"
            if labels is not None and len(labels) == array.shape[1]:
                text += f", {labels[column]!r}"
                is_missing = bool(np.isnan(number))
                text += "; prfast.encode and compare_tables take missing cells" * is_missing
            raise WrongRow(name, text, row)
    return array


def check_shape(
    name: str, shape: tuple[int, ...], at_least: int = 1, width: int | None = None
) -> None:
    """Raise WrongValue unless the shape is (samples, features) with enough of both; width: that of
    the real samples, None for any."""
    if len(shape) != 2:
        hint = {
            1: f"; for one feature a sample use {name}.reshape(-1, 1)",
            3: f"; np.concatenate({name}) joins batches, {name}.reshape(len({name}), -1) makes "
            "one row of each sample",
            4: "; of images, compute features first, as by prfast.features.extract",
        }.get(len(shape), "")
        text = f"a 2-D array (samples × features) expected, got shape {shape}"
        raise WrongValue(name, text + hint)
    if shape[1] == 0 or shape[0] < at_least:
        text = f"at least {counted(at_least, 'sample', 'samples')} expected, got {shape[0]}"
        if shape[1] == 0:
            text = f"at least one feature expected, got shape {shape}"
        raise WrongValue(name, text + if_empty(shape[0]))
    if width not in (None, shape[1]):
        text = f"the same number of features expected, got {width} and {shape[1]}"
        raise WrongValue(f"real and {name}", text)
