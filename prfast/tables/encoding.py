"""Tables as arrays of numbers: the result `Encoding` and the public function `encode`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
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
        frames: Iterable[Frame],
        fit: str,
        categories: Iterable[Any],
        drop: Iterable[Any],
    ) -> None:
        self.columns, self.fit = columns, fit
        self._categories, self._dropped = list(categories), list(drop)
        self.feature_names = [feature for column in columns for feature in column.features]
        groups: list[tuple[int, ...]] = []
        details: list[int] = []
        start = 0
        for step in (step for column in columns for step in column.steps):
            places = tuple(range(start, start + len(step.names)))
            groups += [places] if step.is_category else []
            details += places if step.is_detail else ()
            start += len(places)
        self.noise = Noise(categories=groups, details=details)
        self.sets = [self._encoded(frame) for frame in frames]

    @property
    def coarse_sets(self) -> list[Floats]:
        """The encoded rows of all sets without details such as numbers of decimals, which are no
        distances: for `prfast.copies`."""
        details = [*self.noise.details]
        return [np.delete(rows, details, axis=1) for rows in self.sets]

    @property
    def real(self) -> Floats:
        """The encoded rows of the first set, shape (n, d)."""
        return self.sets[0]

    @property
    def fake(self) -> Floats:
        """The encoded rows of the second set, shape (m, d)."""
        if len(self.sets) < 2:
            raise AttributeError("fake: one set was encoded; transform encodes another")
        return self.sets[1]

    def transform(self, table: Any) -> Floats:
        """Return the rows of another table with the same columns, shape (rows, d).

        Numbers between two of the fit get scores between theirs; beyond all, one beyond theirs.
        Levels that the fit does not have count as "(other)", if that is a feature.

        Raises
        ------
        TypeError, ValueError
            As `encode`; a level or a missing cell for which there is no feature.
        """
        labels = labels_of(table) or []
        drop = [name for name in self._dropped if name in labels]
        frames = read_frames({"table": table}, categories=self._categories, drop=drop, at_least=1)
        by_name = {column.name: column for column in frames["table"].columns}
        names = [column.name for column in self.columns]
        if {*names} != {*by_name}:
            raise WrongValue("table", f"the columns {names} expected, got {[*by_name]}")
        frame = frames["table"]._replace(columns=[by_name[name] for name in names])
        for encoding, column in zip(self.columns, frame.columns, strict=True):
            self._check(encoding, column)
        return self._encoded(frame)

    def _check(self, encoding: ColumnEncoding, column: Column) -> None:
        """Raise WrongValue where a column of a later table has no encoding."""
        where = f"table[{column.name!r}]"
        if encoding.kind not in (column.kind, "empty") and column.kind is not None:
            raise WrongValue(where, f"a {encoding.kind} expected, got {column.kind}")
        if not encoding.features and encoding.kind != "empty":
            texts = {cell_text(column, value) for value in np.unique(column.values)[:2]}
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

    def _encoded(self, frame: Frame) -> Floats:
        result, at = np.empty((frame.rows, len(self.feature_names)), np.float32), 0
        for encoding, column in zip(self.columns, frame.columns, strict=True):
            for step in encoding.steps:
                cells = step.part(column) if step.part else column
                for values in step.of(frame.columns if step.of_all else cells):
                    result[:, at] = values
                    at += 1
        return result

    def rows(self) -> list[dict[str, Any]]:
        """Return a record for each column: ``column``, its name, ``kind``, ``features`` (how many)
        and ``encoding``, in words."""
        return [
            {"column": x.name, "kind": x.kind, "features": len(x.features), "encoding": x.text}
            for x in self.columns
        ]

    def record(self) -> dict[str, Any]:
        """Return the encoding for the record of a result."""
        columns = [row | {"column": str(row["column"])} for row in self.rows()]
        return {"fit": self.fit, "columns": columns}

    def _display(self) -> Display:
        rows = self.rows()
        sizes = " + ".join(str(len(rows)) for rows in self.sets)
        fitted = "all rows together" if self.fit == "all" else "the rows of the first set"
        return Display(
            "Encoding",
            [[str(cell) for cell in row.values()] for row in rows],
            [*rows[0]],
            words=(1, 3),
            notes=[f"{sizes} rows, {len(self.feature_names)} features; fitted on {fitted}."],
        )

    def __repr__(self) -> str:
        sizes = ", ".join("{} × {}".format(*rows.shape) for rows in self.sets)
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
        at which is which, so that equal distributions stay equal; or those of the first alone, so
        that it serves for later tables (`Encoding.transform`).
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
    names = ["fake"] if len(others) == 1 else [f"others[{i}]" for i in range(len(others))]
    sets = dict(zip(["real", *names], (real, *others), strict=True))
    frames = [*read_frames(sets, categories=categories, drop=drop).values()]
    return fit_encoding(frames, [Samples(x.matrix()) for x in frames], fit, categories, drop)


def fit_encoding(
    frames: Sequence[Frame],
    rows: Sequence[Samples],
    fit: str = "all",
    categories: Iterable[Any] = (),
    drop: Iterable[Any] = (),
) -> Encoding:
    """Return the encoding of sets that have been read, by `encode`; rows: the cells of each set."""
    fitted = 1 if fit == "real" else len(rows)

    @cache
    def once() -> Flags:
        return np.concatenate([first_rows(x.keys) == np.arange(len(x)) for x in rows[:fitted]])

    columns = [
        fit_column(columns[:fitted], once=once, open_levels=fit == "real")
        for columns in zip(*(frame.columns for frame in frames), strict=True)
    ]
    add_relations(columns, frames[:fitted])
    if not any(column.features for column in columns):
        raise WrongValue("real", "at least one column expected that varies, got none")
    return Encoding(columns, frames, fit, categories, drop)
