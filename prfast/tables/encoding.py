"""Tables as arrays of numbers: the result `Encoding` and the public function `encode`.

The encoding is fitted on the rows of all sets together, without a look at which row is of which
set, or on those of the first set alone; `encoders` has what becomes of each column.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.errors import WrongValue
from prfast.inputs.frames import Column, Frame, cell_text, read_frames
from prfast.inputs.options import is_word
from prfast.inputs.tables import labels_of
from prfast.results.values import Display, Result
from prfast.samples.noise import Noise
from prfast.samples.repetition import first_rows
from prfast.samples.samples import Samples
from prfast.tables.encoders import ColumnEncoding, Flags, add_relations, fit_column

Floats = NDArray[np.float32]


class Encoding(Result):
    """Sets of rows as numbers, and how each column became numbers; prints as a table of columns.

    ``real`` and ``fake`` are the encoded rows of the first and of the second set, float32 arrays of
    shapes (n, d) and (m, d); ``sets`` has all.  ``feature_names`` are the names of the d features,
    ``noise`` is the argument `noise` of `prfast.profile` that treats indicators as categories, and
    ``columns`` has the encoding of each column.
    """

    _index = "column"

    def __init__(
        self,
        columns: list[ColumnEncoding],
        frames: Mapping[str, Frame],
        fit: str,
        categories: Iterable[Any],
        drop: Iterable[Any],
    ) -> None:
        self.columns, self.fit = columns, fit
        self._categories, self._dropped = list(categories), list(drop)
        self._frames = dict(frames)

    @cached_property
    def sets(self) -> list[Floats]:
        """The encoded rows of all sets."""
        return [self.encode(frame) for frame in self._frames.values()]

    @property
    def coarse_sets(self) -> list[Floats]:
        """The encoded rows of all sets without details such as numbers of decimals, which are no
        distances: for `prfast.copies`."""
        details = [*self.noise.details]
        return [np.delete(one, details, axis=1) for one in self.sets]

    @property
    def real(self) -> Floats:
        """The encoded rows of the first set, shape (n, d)."""
        return self.sets[0]

    @property
    def fake(self) -> Floats:
        """The encoded rows of the second set, shape (m, d)."""
        if len(self._frames) < 2:
            raise AttributeError("fake: one set was encoded; transform encodes another")
        return self.sets[1]

    @cached_property
    def feature_names(self) -> list[str]:
        """Names of the d features."""
        return [feature for column in self.columns for feature in column.features]

    @cached_property
    def noise(self) -> Noise:
        """Noise of standard deviations, for which the indicators of a column are one category."""
        categories: list[tuple[int, ...]] = []
        details: list[int] = []
        start = 0
        for step in (step for column in self.columns for step in column.steps):
            places = tuple(range(start, start + len(step.names)))
            categories += [places] if step.is_category else []
            details += places if step.is_detail else ()
            start += len(places)
        return Noise(categories=categories, details=details)

    def transform(self, table: Any) -> Floats:
        """Return the rows of another table with the same columns, shape (rows, d).

        Numbers between two of the fit get scores between theirs; beyond all, one beyond theirs.
        Levels that the fit does not have count as "(other)", if that is a feature.

        Raises
        ------
        TypeError, ValueError
            As `encode`; a level or a missing cell for which there is no feature.
        """
        read = read_frames(
            {"table": table}, categories=self._categories, drop=self._drop(table), at_least=1
        )
        by_name = {one.name: one for one in read["table"].columns}
        names = [one.name for one in self.columns]
        if {*names} != {*by_name}:
            raise WrongValue("table", f"the columns {names} expected, got {[*by_name]}")
        frame = read["table"]._replace(columns=[by_name[name] for name in names])
        for encoding, column in zip(self.columns, frame.columns, strict=True):
            self._check(encoding, column)
        return self.encode(frame)

    def _drop(self, table: Any) -> list[Any]:
        labels = labels_of(table) or []
        return [name for name in self._dropped if name in labels]

    def _check(self, encoding: ColumnEncoding, column: Column) -> None:
        where = f"table[{column.name!r}]"
        if encoding.kind not in (column.kind, "empty") and column.kind is not None:
            raise WrongValue(where, f"a {encoding.kind} expected, got {column.kind}")
        if not encoding.features and encoding.kind != "empty":
            values = np.unique(column.values)
            texts = {cell_text(column, value) for value in values[:2]}
            if texts != {encoding.constant}:
                raise WrongValue(where, f"{encoding.constant} in all rows expected, as in the fit")
        if self.fit == "real" or not encoding.features:
            return
        if column.missing.any() and f"{column.name} missing" not in encoding.features:
            text = "no missing cell expected, as the fit has none; fit='real' allows them"
            raise WrongValue(where, text)
        if encoding.levels is not None and (new := {*column.levels} - {*encoding.levels}):
            text = f"levels of the fit expected, got {min(new)!r}; fit='real' allows others"
            raise WrongValue(where, text)

    def encode(self, frame: Frame) -> Floats:
        """Return the rows of a table that has been read."""
        result, at = np.empty((frame.rows, len(self.feature_names)), np.float32), 0
        for encoding, column in zip(self.columns, frame.columns, strict=True):
            for step in encoding.steps:
                for values in step.of(frame.columns if step.of_all else column):
                    result[:, at] = values
                    at += 1
        return result

    def rows(self) -> list[dict[str, Any]]:
        """Return a record for each column: ``column``, its name, ``kind``, ``features`` (how many)
        and ``encoding``, in words."""
        return [
            {
                "column": column.name,
                "kind": column.kind,
                "features": len(column.features),
                "encoding": column.text,
            }
            for column in self.columns
        ]

    def record(self) -> dict[str, Any]:
        """Return the encoding for the record of a result."""
        columns = [row | {"column": str(row["column"])} for row in self.rows()]
        return {"fit": self.fit, "columns": columns}

    def _display(self) -> Display:
        rows = self.rows()
        sizes = " + ".join(str(frame.rows) for frame in self._frames.values())
        fitted = "all rows together" if self.fit == "all" else "the rows of the first set"
        return Display(
            "Encoding",
            [
                [str(row["column"]), row["kind"], str(row["features"]), row["encoding"]]
                for row in rows
            ],
            ["column", "kind", "features", "encoding"],
            words=(1, 3),
            notes=[f"{sizes} rows, {len(self.feature_names)} features; fitted on {fitted}."],
        )

    def __repr__(self) -> str:
        width = len(self.feature_names)
        sizes = ", ".join(f"{frame.rows} × {width}" for frame in self._frames.values())
        return f"Encoding of {len(self.columns)} columns: {sizes}"


def encode(
    real: Any,
    *others: Any,
    fit: Literal["all", "real"] = "all",
    categories: Iterable[Any] = (),
    drop: Iterable[Any] = (),
) -> Encoding:
    """Return tables of numbers, categories, dates and missing cells as arrays of numbers.

    Parameters
    ----------
    real, *others : data frame of pandas, polars, pyarrow or another library that narwhals knows
        Tables with the same columns, matched by name; usually real and generated rows.
    fit : "all" or "real"
        Rows that the encoding is fitted on: those of all tables together (default), without a look
        at which is which, so that equal distributions stay equal as long as no table is made of
        another; or those of the first alone, so that it serves for later tables
        (`Encoding.transform`), whose numbers beyond the fitted range get the same score, beyond
        its ends.
    categories : names
        Columns whose numbers are codes of categories; by default none.
    drop : names
        Columns to leave out; by default none.

    Returns
    -------
    Encoding
        With the arrays `real`, `fake` and `sets`, and `noise` for `prfast.profile`.

    Raises
    ------
    TypeError, ValueError
        Columns that differ in names or kinds, cells of several types or of a type without an
        encoding; the message names the column.

    Examples
    --------
    ::

        encoded = prfast.encode(real, fake)
        print(encoded)
        prfast.pr_curve(encoded.real, encoded.fake)
    """
    if not is_word(fit, "all", "real"):
        raise WrongValue("fit", f"'all' or 'real' expected, got {fit!r}")
    names = (
        ["real", "fake"]
        if len(others) == 1
        else ["real", *(f"others[{i}]" for i in range(len(others)))]
    )
    frames = read_frames(
        dict(zip(names, (real, *others), strict=True)), categories=categories, drop=drop
    )
    rows = [Samples(frame.matrix()) for frame in frames.values()]
    return fit_encoding(frames, rows, fit, categories, drop)


def fit_encoding(
    frames: Mapping[str, Frame],
    rows: Sequence[Samples],
    fit: str = "all",
    categories: Iterable[Any] = (),
    drop: Iterable[Any] = (),
) -> Encoding:
    """Return the encoding of sets that have been read; see `encode`.

    rows: the cells of each set.
    """
    fitted = 1 if fit == "real" else len(rows)

    @cache
    def once() -> Flags:
        return np.concatenate([first_rows(x.keys) == np.arange(len(x)) for x in rows[:fitted]])

    columns = [
        fit_column(several[:fitted], once=once, open_levels=fit == "real")
        for several in zip(*(frame.columns for frame in frames.values()), strict=True)
    ]
    add_relations(columns, [*frames.values()][:fitted])
    if not any(column.features for column in columns):
        raise WrongValue("real", "at least one column expected that varies, got none")
    return Encoding(columns, frames, fit, categories, drop)
