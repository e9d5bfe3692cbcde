"""An evaluator in a file: its reference, its options, and the radii that were found in it.

One .npz, as `files.archive` writes it: in its header the format, the options and, where they
are known, what the reference is features of and the names of its columns; and the arrays `real` and
`radii I K`, D of the K-th neighbours inside the I-th set that the evaluator keeps.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prfast.files.archive import load_archive, write_archive
from prfast.inputs.arrays import Floats
from prfast.inputs.features import record_of, with_record
from prfast.inputs.tables import labels_for_file, named

_FORMAT = "prfast.Evaluator/1"


def write_evaluator(
    path: str,
    real: Floats,
    options: Mapping[str, Any],
    radii: Mapping[str, Any],
    labels: list[Any] | None = None,
) -> None:
    """All of it or nothing; labels: of the columns."""
    header = {"format": _FORMAT, **options}
    if (record := record_of(real)) is not None:
        header["features"] = dict(record)
    if (names := labels_for_file(labels)) is not None:
        header["columns"] = names
    write_archive(path, header, {"real": real, **radii})


def load_evaluator(path: str) -> tuple[Any, dict[str, Any], dict[str, Any], Any]:
    """The reference, the options and, by their names, the radii, and the labels of columns; all of
    it unchecked.

    Raises
    ------
    FileNotFoundError
    ValueError
        Not such a file, another format, a checksum that does not fit.
    """
    options, arrays = load_archive(path, _FORMAT, "Evaluator.save")
    real = with_record(arrays.pop("real", None), options.pop("features", None))
    labels = options.pop("columns", None)
    if labels is not None and named(labels) is None:
        raise ValueError(f"{path}: columns: a list of strings expected, got {labels!r}")
    return real, options, arrays, labels
