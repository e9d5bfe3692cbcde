"""Sets of samples (samples × features), and what goes with each sample."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Floats, read_numbers
from prfast.inputs.blocks import blocks
from prfast.inputs.errors import WrongRow, WrongType, WrongValue
from prfast.inputs.features import check_alike
from prfast.inputs.kinds import kind_of
from prfast.inputs.tables import labels_of, match_columns, opened

_NUMBERS_AT_ONCE = 1 << 20  # numbers looked at together when searching for non-finite ones


def read_samples(name: str, values: Any, *, at_least: int = 1) -> Floats:
    """A set of samples: a finite 2-D array (samples × features), not copied if it is one."""
    array = read_numbers(name, values)
    check_shape(name, array.shape, at_least)
    for rows in blocks(array.shape[0], _NUMBERS_AT_ONCE // array.shape[1]):
        block = np.isfinite(array[rows])
        if not block.all():
            row = rows.start + int((~block.all(axis=1)).argmax())
            column = int((~np.isfinite(array[row])).argmax())
            text = f"finite numbers expected, got {array[row, column]} in row {{row}}"
            raise WrongRow(name, f"{text}, column {column}", row)
    return array


def check_shape(name: str, shape: tuple[int, ...], at_least: int = 1) -> None:
    """Is it a shape of a set of samples?"""
    if len(shape) != 2:
        hint = ""
        if len(shape) == 1:
            hint = f"; for one feature a sample use {name}.reshape(-1, 1)"
        elif len(shape) == 4:
            hint = "; of images, compute features first"
        raise WrongValue(
            name, f"a 2-D array (samples × features) expected, got shape {shape}{hint}"
        )
    if shape[1] == 0:
        raise WrongValue(name, f"at least one feature expected, got shape {shape}")
    if shape[0] < at_least:
        raise WrongValue(name, f"at least {at_least} samples expected, got {shape[0]}")


def check_widths(name: str, real: int, other: int) -> None:
    """Are other samples as wide as the real ones?"""
    if real != other:
        raise WrongValue(
            f"real and {name}", f"the same number of features expected, got {real} and {other}"
        )


def read_pair(real: Any, fake: Any, *, at_least: int = 1) -> tuple[Floats, Floats]:
    """Both sets of samples, of one width, and features of one kind, with the same columns."""
    real = opened("real", real)
    read = read_samples("real", real, at_least=at_least)
    check_alike("real", real, "fake", fake)
    return read, read_other("fake", fake, read, labels_of(real), at_least=at_least)


def read_other(
    name: str, values: Any, real: Floats, labels: list[Any] | None = None, *, at_least: int = 1
) -> Floats:
    """Samples as wide as the real ones, which have been read.

    labels: those of the real columns, to which the columns of a table are matched.
    """
    other = read_samples(name, match_columns(name, values, labels), at_least=at_least)
    check_widths(name, real.shape[1], other.shape[1])
    return other


def read_labels(name: str, values: Any, length: int) -> NDArray[Any]:
    """Labels of classes, one a sample: a 1-D array of whole numbers or of strings."""
    try:
        labels = np.asarray(values)
    except ValueError:  # of several lengths
        raise WrongType(name, f"integers or strings expected, got {kind_of(values)}") from None
    if labels.dtype.kind == "O" and all(isinstance(one, str) for one in labels.ravel()):
        labels = labels.astype(np.str_)
    if labels.dtype.kind not in "biuU":
        raise WrongType(
            name, f"integers or strings expected, got {kind_of(values)} of dtype {labels.dtype}"
        )
    if labels.shape != (length,):
        raise WrongValue(
            name, f"one label a sample, shape ({length},), expected, got shape {labels.shape}"
        )
    return labels


def of_class(labels: NDArray[Any], label: int | str) -> NDArray[np.bool_]:
    """Which of the labels are this one, of them or of those of another set, compared as what they
    are: integers of two types may otherwise be compared as float64."""
    if labels.dtype.kind in "iu" and not isinstance(label, str):
        ends = np.iinfo(labels.dtype)
        if not ends.min <= label <= ends.max:
            return np.zeros(labels.shape, np.bool_)
    found: NDArray[np.bool_] = labels == label
    return found
