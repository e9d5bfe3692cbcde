"""Tables of pandas, polars, pyarrow and other libraries; their columns; matching by name.

narwhals gives all columns one interface.  Tables without its support, such as those of DuckDB, pass
through pyarrow.  A column of vectors of one length becomes an array, shape (rows, length).  A
missing number in a column of floats or in a vector becomes NaN, and is refused as such.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.errors import (
    WrongRow,
    WrongType,
    WrongValue,
    import_optional,
    kind_of,
    libraries_of,
    not_numbers,
    some_of,
)

_LIBRARIES = {"pandas", "polars", "pyarrow", "modin", "narwhals"}


class Table(NamedTuple):
    """The columns of a table with their labels, in order."""

    rows: int
    columns: list[tuple[Any, Any]]
    whole: NDArray[Any] | None = None
    """The table as one array, shape (rows, columns), if all columns have the same float dtype."""
    row_labels: Any = None  # the index of pandas; None without

    @property
    def labels(self) -> list[Any]:
        return [label for label, _ in self.columns]

    def select(self, labels: list[Any]) -> Table:
        """Return the columns with these labels, all different, in their order."""
        at = {label: i for i, label in enumerate(self.labels)}
        order = [at[label] for label in labels]
        whole = None if self.whole is None else self.whole[:, order]
        return self._replace(columns=[self.columns[i] for i in order], whole=whole)


def read_table(name: str, values: Any) -> Table | None:
    """Return a table as a `Table`, without the row labels of pandas; None for anything else."""
    if isinstance(values, Table):
        return values
    frame = _by_narwhals(name, values)
    if not hasattr(frame, "iter_columns"):
        return None
    columns, whole = zip(frame.columns, frame.iter_columns(), strict=True), None
    dtypes = set(values.dtypes) if "pandas" in libraries_of(values) else set()
    if len(dtypes) == 1 and isinstance(dtype := dtypes.pop(), np.dtype) and dtype.kind == "f":
        whole = np.asarray(values.to_numpy())  # without a copy
    return Table(len(frame), [*columns], whole, row_labels_of(values))


def _by_narwhals(name: str, values: Any) -> Any:
    """Return a table or column as a DataFrame or Series of narwhals; None for anything else."""
    is_stream = hasattr(values, "__arrow_c_stream__")
    if not is_stream and not _LIBRARIES & libraries_of(values):
        return None
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import DuplicateError

    try:
        frame = nw.from_native(values, pass_through=True, allow_series=True)
    except DuplicateError as error:
        reason = " ".join(str(error).split())
        raise WrongValue(name, f"columns of different names expected ({reason})") from None
    if isinstance(frame, nw.DataFrame | nw.Series):
        return frame
    if "pyarrow" in libraries_of(values) and hasattr(values, "null_count"):
        # An array; narwhals supports those of several chunks only.
        arrow = import_optional("pyarrow", "its arrays", place=name)
        return nw.from_native(arrow.chunked_array([values]), series_only=True)
    # A stream of an array with dimensions, such as an xarray.DataArray, would lose its shape.
    if is_stream and not hasattr(values, "ndim"):
        import_optional("pyarrow", f"tables such as {kind_of(values)}", place=name)
        return nw.from_arrow(values, backend="pyarrow")
    if isinstance(frame, nw.LazyFrame):
        text = f"a table in memory expected, got {kind_of(values)}; collect it first"
        raise WrongType(name, text)
    return None


# ---- columns -----------------------------------------------------------------------------------


def read_column(name: str, values: Any) -> NDArray[Any] | None:
    """Return a column as an array, shape (rows,) or (rows, length); None for anything else."""
    series = _by_narwhals(name, values)
    if not hasattr(series, "is_null"):
        return None
    import narwhals.stable.v2 as nw

    dtype, native = series.dtype, series.to_native()
    inner = getattr(dtype, "inner", dtype)
    is_integer = inner.is_integer() and inner not in (nw.Int128, nw.UInt128)
    are_numbers = inner.is_float() or is_integer or inner == nw.Boolean
    if dtype != nw.Object and not are_numbers:
        raise not_numbers(name, native, native.dtype if dtype == nw.Unknown else dtype)
    missing = series.is_null().to_numpy()
    if missing.any():
        row = int(missing.argmax())
        text = "no missing value expected, got one in row {row}"
        raise WrongRow(name, f"{text}; prfast.encode and compare_tables take them", row)
    is_arrow = not {"pyarrow", "polars"}.isdisjoint(libraries_of(native))
    if isinstance(dtype, nw.List) and len(native) and is_arrow:
        # Without an array per row: it takes several times as long, and polars before 1.9 takes it
        # from other rows where the column is a slice.
        lengths = series.list.len().to_numpy()
        if lengths[0] and (lengths == lengths[0]).all():
            if "polars" in libraries_of(native):
                flat = native.explode()
            else:
                compute = import_optional("pyarrow.compute", "columns of vectors", place=name)
                flat = compute.list_flatten(native)
            return flat.to_numpy().reshape(len(native), -1)
    array: NDArray[Any] = series.to_numpy()
    is_array = array.ndim == 2 or (are_numbers and inner is dtype)
    return array if is_array else _stacked(name, native, array, dtype)


def _stacked(name: str, values: Any, cells: NDArray[Any], dtype: Any) -> NDArray[Any]:
    """Return vectors of one length, one per row, as one 2-D array."""
    rows: list[NDArray[Any]] = []
    for row, cell in enumerate(cells):
        if not isinstance(cell, list | tuple | np.ndarray):
            if row == 0:
                raise not_numbers(name, values, dtype)
            text = f"a vector as in row 0 expected, got {kind_of(cell)} in row {{row}}"
            raise WrongRow(name, text, row)
        try:
            vector = np.asarray(cell)
        except ValueError:  # nested lists of different lengths
            vector = np.empty((0, 0))
        if vector.ndim != 1:
            raise WrongRow(name, "a vector of numbers expected in row {row}, got nested ones", row)
        if vector.dtype.kind not in "fbiu" and vector.size:
            raise not_numbers(name, values, vector.dtype, f" in row {row}")
        if rows and len(vector) != len(rows[0]):
            text = f"vectors of one length expected, got {len(rows[0])} numbers in row 0 and "
            raise WrongRow(name, f"{text}{len(vector)} in row {{row}}", row)
        rows.append(vector)
    if not rows:
        raise WrongValue(name, "at least one vector expected, got none")
    if not len(rows[0]):
        raise WrongValue(name, "vectors of at least one number expected, got empty ones")
    stacked = np.stack(rows)
    if stacked.dtype.kind == "f":
        for vector in rows:
            check_exact(name, vector)
    return stacked


def check_exact(name: str, numbers: NDArray[Any]) -> None:
    """Raise `inexact` for 64-bit integers beyond ±2**53."""
    is_long = numbers.dtype.kind in "iu" and numbers.itemsize >= 8 and numbers.size
    if is_long and max(int(numbers.max()), -int(numbers.min())) > 2**53:
        raise inexact(name)


def if_empty(rows: int) -> str:
    """Return a hint for a set without rows, mostly what a filter has left; "" for others."""
    return "" if rows else "; look at the file or the filter that it comes from"


def inexact(name: str) -> WrongType:
    """Return the exception for integers that float64 rounds."""
    text = "integers beyond 2**53 are not exact in float64; leave out what names a row, and round "
    return WrongType(name, f"{text}others by {name}.astype(float)")


def row_labels_of(values: Any) -> Any:
    """Return the index of pandas, or of xarray's first dimension; None without labels of rows."""
    if isinstance(values, Table):
        return values.row_labels
    libraries = libraries_of(values)
    if "xarray" in libraries and hasattr(values, "indexes"):
        return values.indexes.get((*values.dims, None)[0])
    return getattr(values, "index", None) if libraries & {"pandas", "modin"} else None


# ---- columns matched by name -------------------------------------------------------------------


def opened(name: str, values: Any) -> Any:
    """Return a table, such as a stream that can be read only once, as a `Table`; or the values."""
    table = read_table(name, values)
    return values if table is None else table


def labels_of(values: Any) -> list[Any] | None:
    """Return the labels of a table's columns, in order; None for anything without labels."""
    if isinstance(values, Table):
        return values.labels
    # Attributes of the type: those of an xarray.DataArray include its coordinates, of any name.
    kind, labels = type(values), None
    if hasattr(kind, "column_names"):  # pyarrow tables, shards
        labels = values.column_names
    elif hasattr(kind, "columns") and hasattr(kind, "dtypes"):
        labels = values.columns
    return None if labels is None else list(labels)


def first_labels(*several: list[Any] | None) -> list[Any] | None:
    """Return the first labels that are not the default ones of pandas, or else the first."""
    given = [labels for labels in several if labels]
    return next((labels for labels in given if not is_default(labels)), given[0] if given else None)


def named(labels: Any) -> list[Any] | None:
    """Return a nonempty list of labels that are all strings; None for anything else."""
    is_named = isinstance(labels, list) and all(isinstance(label, str) for label in labels)
    return labels if is_named and labels else None


def match_columns(name: str, values: Any, known: list[Any] | None, before: str = "real") -> Any:
    """Return samples with their columns in the order of `known`, the labels of the set `before`;
    unchanged where a set has no names.  WrongValue where the names differ."""
    if known is None:
        return values
    values = opened(name, values)
    labels = labels_of(values)
    if labels is None or labels == known or not _same_names(name, labels, known, before):
        return values
    return values.select(known)


def _same_names(name: str, labels: list[Any], known: list[Any], before: str) -> bool:
    """Return whether columns are to be matched by name; raise WrongValue where they cannot be."""
    if set(known) == set(labels):
        return True
    if is_default(known) or is_default(labels):
        return False
    in_known, in_labels = set(known), set(labels)
    only = {name: [x for x in labels if x not in in_known]}
    only[before] = [x for x in known if x not in in_labels]
    raise other_columns(f"{before} and {name}", only, "select or rename them")


def other_columns(sets: str, only: Mapping[str, list[Any]], remedy: str) -> WrongValue:
    """Return the exception for different columns; only: by set those that it alone has."""
    differences = " and ".join(
        f"{some_of(map(repr, labels), 5)} only in {name}" for name, labels in only.items() if labels
    )
    return WrongValue(sets, f"the same columns expected, got {differences}; {remedy}")


def is_default(labels: list[Any]) -> bool:
    """Return whether labels are those that pandas gives to columns without names."""
    return labels == [*range(len(labels))]
