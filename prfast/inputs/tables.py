"""Tables of pandas, polars, pyarrow and other Arrow libraries; columns matched by name.

Any other table, such as one of DuckDB, Ibis or Modin, is read by pyarrow if it implements Arrow's
stream interface, ``__arrow_c_stream__``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.columns import is_column, load_extra
from prfast.inputs.errors import WrongType, WrongValue, kind_of, libraries_of

_SHOWN = 5  # labels in a message
# Expressions of each library that drop or select columns: table, labels, "it" or "them".
_WAYS = {
    "pandas": "{0}.drop(columns={1}) leaves {2} out, {0}[[…]] chooses columns",
    "polars": "{0}.drop({1}) leaves {2} out, {0}.select([…]) chooses columns",
    "pyarrow": "{0}.drop_columns({1}) leaves {2} out, {0}.select([…]) chooses columns",
}


class Table(NamedTuple):
    """The number of rows of a table, and its columns with their labels, in order."""

    rows: int
    columns: list[tuple[Any, Any]]
    library: str
    whole: NDArray[Any] | None = None
    """The table as one array, if all columns have the same float dtype."""

    @property
    def labels(self) -> list[Any]:
        return [label for label, _ in self.columns]

    def select(self, labels: list[Any]) -> Table:
        """Return the columns with these labels, which are all different, in their order."""
        at = {label: i for i, label in enumerate(self.labels)}
        order = [at[label] for label in labels]
        whole = None if self.whole is None else self.whole[:, order]
        return self._replace(columns=[self.columns[i] for i in order], whole=whole)

    def ways_out(self, name: str, labels: list[Any]) -> str:
        """Return a hint for a message: how to drop the columns with these labels."""
        if not name.isidentifier() or self.library not in _WAYS:
            return f"columns without numbers: {labels}"
        return _WAYS[self.library].format(name, labels, "it" if len(labels) == 1 else "them")


def read_table(name: str, values: Any) -> Table | None:
    """Return a table as a `Table`, without the row labels of pandas; None for anything else."""
    if isinstance(values, Table):
        return values
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


def opened(name: str, values: Any) -> Any:
    """Return a table as a `Table`, anything else unchanged.

    Some tables are streams that can be read only once: call it before using labels and numbers.
    """
    table = read_table(name, values)
    return values if table is None else table


def labels_of(values: Any) -> list[Any] | None:
    """Return the labels of a table's columns, in order; None for anything without labels."""
    if isinstance(values, Table):
        return values.labels
    # Attributes of the type: those of an xarray.DataArray include its coordinates, of any name.
    kind, labels = type(values), None
    if hasattr(kind, "column_names"):  # pyarrow tables, .csv files, shards
        labels = values.column_names
    elif hasattr(kind, "columns") and hasattr(kind, "dtypes"):
        labels = values.columns
    return None if labels is None else list(labels)


def first_labels(*several: list[Any] | None) -> list[Any] | None:
    """Return the first labels that are not the default ones of pandas, or else the first."""
    known = [one for one in several if one]
    return next((one for one in known if not _is_default(one)), known[0] if known else None)


def labels_for_file(labels: list[Any] | None) -> list[Any] | None:
    """Return labels in the form that files store, all strings; None for columns without names.

    Raises
    ------
    WrongValue
        Names that are not strings: a file would lose them, and later tables would be matched by
        position.
    """
    if not labels or _is_default(labels) or named(labels) is not None:
        return named(labels)
    other = next(one for one in labels if not isinstance(one, str))
    raise WrongValue("real", f"columns named by strings expected to keep, got {other!r}")


def named(labels: Any) -> list[Any] | None:
    """Return a nonempty list of labels that are all strings; None for anything else."""
    if isinstance(labels, list) and labels and all(isinstance(one, str) for one in labels):
        return labels
    return None


def match_columns(name: str, values: Any, known: list[Any] | None, before: str = "real") -> Any:
    """Return samples with their columns in the order of `known`, the labels of the set `before`.

    Columns are matched by name.  Where one set has no names (an array, a table with the default
    labels 0, 1, 2 … of pandas), they are matched by position.

    Raises
    ------
    WrongValue
        The names differ, or they are in different orders and one occurs more than once.
    """
    if known is None:
        return values
    values = opened(name, values)
    labels = labels_of(values)
    if labels is None or labels == known or not _same_names(name, labels, known, before):
        return values
    return values.select(known) if hasattr(type(values), "select") else values[known]


def check_order(
    name: str, labels: list[Any] | None, known: list[Any] | None, before: str = "real"
) -> None:
    """Raise WrongValue for labels that `match_columns` refuses, and for those in another order.

    For samples whose columns can no longer be selected by name.
    """
    if known is None or labels is None or known == labels:
        return
    if _same_names(name, labels, known, before):
        at = next(i for i, (a, b) in enumerate(zip(known, labels, strict=True)) if a != b)
        raise WrongValue(
            f"{before} and {name}",
            f"columns in one order expected, got {labels[at]!r} of {name} where {before} has "
            f"{known[at]!r}",
        )


def _same_names(name: str, labels: list[Any], known: list[Any], before: str) -> bool:
    """Return whether columns are to be matched by name; raise WrongValue where they cannot be."""
    there, here = set(known), set(labels)
    if there != here and (_is_default(known) or _is_default(labels)):
        return False
    sets = f"{before} and {name}"
    only = {
        name: [x for x in labels if x not in there],
        before: [x for x in known if x not in here],
    }
    if there != here:
        only_in = " and ".join(
            f"{_listed(some)} only in {one}" for one, some in only.items() if some
        )
        raise WrongValue(sets, f"the same columns expected, got {only_in}; select or rename them")
    for one, some in ((name, labels), (before, known)):
        if len(some) > len(here):
            double = next(x for x in some if some.count(x) > 1)
            raise WrongValue(
                sets, f"columns of different names expected, got several {double!r} in {one}"
            )
    return True


def _is_default(labels: list[Any]) -> bool:
    """Return whether labels are those that pandas gives to columns without names."""
    return labels == [*range(len(labels))]


def _listed(labels: list[Any]) -> str:
    some = list(dict.fromkeys(labels))
    more = f" and {len(some) - _SHOWN} more" if len(some) > _SHOWN else ""
    return ", ".join(map(repr, some[:_SHOWN])) + more


def _is_array(values: Any) -> bool:
    """Return whether an object with an Arrow stream is an array, such as an xarray.DataArray.

    A stream would lose its shape.  Tables like those of pandas have `ndim`, but `columns` too.
    """
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
