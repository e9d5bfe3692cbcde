"""Tables of pandas, polars, pyarrow, and of whatever hands Arrow on -> their columns by name.

A table that is none of the three, as of DuckDB, Ibis or Modin, is read by pyarrow if it speaks
Arrow's stream interface, ``__arrow_c_stream__``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.columns import is_column
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.extra import load_extra
from prfast.inputs.kinds import kind_of, libraries_of

# How each library leaves columns out and chooses some, in words of Python.
_WAYS = {
    "pandas": "{0}.drop(columns={1}) leaves {2} out, {0}[[…]] chooses columns",
    "polars": "{0}.drop({1}) leaves {2} out, {0}.select([…]) chooses columns",
    "pyarrow": "{0}.drop_columns({1}) leaves {2} out, {0}.select([…]) chooses columns",
}


class Table(NamedTuple):
    """The rows and the columns of a table, by their labels, in order."""

    rows: int
    columns: list[tuple[Any, Any]]
    library: str
    whole: NDArray[Any] | None = None
    """All of one float type as the array that it is, not copied."""

    def ways_out(self, name: str, labels: list[Any]) -> str:
        """What leaves these columns out."""
        if not name.isidentifier() or self.library not in _WAYS:
            return f"columns without numbers: {labels}"
        return _WAYS[self.library].format(name, labels, "it" if len(labels) == 1 else "them")


def read_table(name: str, values: Any) -> Table | None:
    """None if it is no table; the row labels of pandas are no column."""
    libraries = libraries_of(values)
    if "pandas" in libraries and hasattr(values, "dtypes") and hasattr(values, "columns"):
        return Table(len(values), [*values.items()], "pandas", _one_block(values))
    if "polars" in libraries and hasattr(values, "get_columns"):
        columns = values.get_columns()
        return Table(len(values), [(one.name, one) for one in columns], "polars")
    if "pyarrow" in libraries and hasattr(values, "column_names"):
        return _of_pyarrow(values, "pyarrow")
    if "polars" in libraries and hasattr(values, "collect"):
        raise WrongType(
            name, f"a table in memory expected, got {kind_of(values)}; {name}.collect() reads it"
        )
    if hasattr(values, "__arrow_c_stream__") and not is_column(values) and not _is_array(values):
        pyarrow = load_extra("pyarrow", f"tables such as {kind_of(values)}", "inputs", place=name)
        return _of_pyarrow(pyarrow.table(values), "")
    return None


def labels_of(values: Any) -> list[Any] | None:
    """The labels of a table's columns, in order; None where it is no table, or does not say."""
    labels = getattr(values, "column_names", None)  # pyarrow's
    if labels is None and hasattr(values, "dtypes"):
        labels = getattr(values, "columns", None)
    return None if labels is None else list(labels)


def named(labels: Any) -> list[Any] | None:
    """Labels that are all strings, which files keep; None otherwise."""
    if isinstance(labels, list) and labels and all(isinstance(one, str) for one in labels):
        return labels
    return None


def check_order(
    name: str, labels: list[Any] | None, known: list[Any] | None, before: str = "real"
) -> None:
    """Tables with columns of the same labels have them in one order, that of the one before; others
    are compared as they lie, whatever they are called."""
    if known is None or labels is None or known == labels or set(known) != set(labels):
        return
    if len(known) != len(labels):  # labels that come twice: whoever looks at widths refuses them
        return
    at = next(i for i, (a, b) in enumerate(zip(known, labels, strict=True)) if a != b)
    raise WrongValue(
        f"{before} and {name}",
        f"columns in one order expected, got {labels[at]!r} of {name} where {before} has "
        f"{known[at]!r}",
    )


def _is_array(values: Any) -> bool:
    """Return whether an object that exports Arrow streams is an array, whose shape a stream would
    lose, as that of an xarray.DataArray; a table of pandas' kind has dimensions and columns."""
    return hasattr(values, "ndim") and not hasattr(type(values), "columns")


def _of_pyarrow(values: Any, library: str) -> Table:
    named: Iterable[tuple[Any, Any]] = zip(values.column_names, values.columns, strict=True)
    return Table(len(values), [*named], library)


def _one_block(values: Any) -> NDArray[Any] | None:
    dtypes = set(values.dtypes)
    if len(dtypes) == 1 and isinstance(dtype := dtypes.pop(), np.dtype) and dtype.kind == "f":
        whole: NDArray[Any] = values.to_numpy()
        return whole
    return None
