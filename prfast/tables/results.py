"""Results of `compare_tables`: TableEvaluation of one table, TableComparison of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from prfast.comparison.results import Comparison, Evaluation
from prfast.curve import PRCurve
from prfast.estimate.attribution import Attribution, column_rows
from prfast.estimate.intervals import scored
from prfast.estimate.notes import half_widths, legend, notes_of
from prfast.estimate.profile_notes import NONE, PERHAPS, summary_cells
from prfast.inputs.options import read_count
from prfast.results.registry import renderer
from prfast.results.values import Display, Section, value_and_error
from prfast.scalars.measure import Metrics
from prfast.scalars.memorization import BLIND, Copies

HELD_OUT = "held-out rows"
_LISTED = 10  # columns of a model in a report


class TableEvaluation(Evaluation):
    """The results of one generated table: curve and profile, as of an `Evaluation`, and more.

    ``columns`` has a `ColumnDifference` for each column, for each pair of columns that differs
    clearly, and for the largest others; ``copies`` the test against held-out rows, None without
    these; ``encoding`` what became of each column, as `Encoding.record`.
    See also `prfast.compare_tables`.
    """

    def __init__(
        self,
        curves: Mapping[Any, PRCurve],
        metrics: Metrics,
        *,
        found: Attribution,
        copies: Copies | None,
        extremes: Mapping[str, Sequence[Mapping[str, Any]]],
        encoding: Mapping[str, Any],
        caution_on_copies: str,
        **more: Any,
    ) -> None:
        super().__init__(curves, metrics, **more)
        self.columns, self.copies, self.encoding = found.columns, copies, dict(encoding)
        self._extremes, self._caution_on_copies, self._found = extremes, caution_on_copies, found

    def generated_rows(self, count: int = 5) -> list[dict[str, Any]]:
        """Return the generated rows that are least like real ones, by their held-out scores.

        Each is a dictionary: ``row``, its number in the table; ``log_ratio``, the estimated
        logarithm of the ratio of the densities of real and generated rows there; ``cells``,
        {column: cell}.  count: how many, 5 by default, at most 100.
        """
        return [dict(row) for row in self._extremes["generated"][: read_count("count", count)]]

    def missed_rows(self, count: int = 5) -> list[dict[str, Any]]:
        """Return the real rows that the model misses most, as `generated_rows`; count: 5."""
        return [dict(row) for row in self._extremes["real"][: read_count("count", count)]]

    def sentences(self) -> list[str]:
        """Return the results in words: profile, rows that repeat, columns, copies."""
        profile, row = super().sentences(), self._found.row
        if row or any(column.is_clear for column in self.columns):
            # A curve of few distinct rows proves nothing.
            profile = [text for text in profile if not text.startswith((NONE, PERHAPS))]
        variation, low = self.curve.total_variation, 0.0
        if scored(self.curve):
            low = self.curve.interval("total_variation").low
        columns = self._found.sentences(low, f"at least about {variation:.2f}")
        words = [*profile, *([row.words] if row else []), *columns]
        if self.copies is not None:
            words += filter(None, [self._caution_on_copies, *self.copies.sentences()])
        return words

    def notes(self) -> list[str]:
        """Return notes on the samples; of copies, where not all rows are tested."""
        tested = 0 if self.copies is None else self.copies.info["n_fake"]
        if tested < (self.curve.provenance.n_fake or 0):
            return super().notes()
        return notes_of(replace(self.curve.provenance, copied=None))

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON: as `Evaluation.to_dict`, with ``columns``, as
        `TableComparison.column_rows`, ``encoding``, and ``copies``."""
        more: dict[str, Any] = {"columns": column_rows(self.columns), "encoding": self.encoding}
        if self.copies is not None:
            more["copies"] = self.copies.to_dict()
        return super().to_dict() | more


class TableComparison(Comparison):
    """Evaluations of tables by name; prints as a table.  See also `prfast.compare_tables`."""

    _values: dict[str, Any]

    def __init__(self, models: Mapping[str, TableEvaluation], notes: Sequence[str]) -> None:
        super().__init__(models)
        self._notes = list(notes)

    def __getitem__(self, name: str) -> TableEvaluation:
        table: Any = super().__getitem__(name)
        return table

    def rows(self, confidence: float | None = None) -> list[dict[str, Any]]:
        """Return a dictionary for each model, as `Comparison.rows`.  If there are held-out rows, it
        has the share of rows that are nearest to a training row, its p-value, DCR and NNDR.

        confidence: level of the half widths, by default None, without."""
        rows = super().rows(confidence)
        for row, table in zip(rows, self._values.values(), strict=True):
            if table.copies is not None:
                row |= {"nearest_training": table.copies.share, "p_value": table.copies.p_value}
                row |= {"DCR": table.copies.dcr[0], "DCR_held_out": table.copies.dcr[1]}
                row |= {"NNDR": table.copies.nndr[0], "NNDR_held_out": table.copies.nndr[1]}
        return rows

    def column_rows(self) -> list[dict[str, Any]]:
        """Return a record for each column and pair of columns of each model, for pandas.DataFrame:
        ``model``, ``columns``, ``value``, ``half_width``, ``words``, ``is_clear``, ``along``."""
        return [
            {"model": name, **row, "columns": " × ".join(row["columns"])}
            for name, table in self._values.items()
            for row in column_rows(table.columns)
        ]

    def report(self, path: str, **options: Any) -> None:
        """Write one HTML file about the models; options as for `prfast.report.write_report`."""
        renderer(self, "report")(self, path, sections=self._sections(), **options)

    def _sections(self) -> list[Section]:
        """Return the sections of a report on columns, rows and encodings."""
        columns, rows, copies = [], [], []
        cells: Sequence[Any] = ()
        for name, table in self._values.items():
            for column in table.columns[:_LISTED]:
                if column.is_clear:
                    size = value_and_error(column.value, column.half_width)
                    columns.append([name, column.name, size, column.words])
            for row in table.generated_rows():
                cells = cells or [*row["cells"]]
                values = [f"{x:.6g}" if isinstance(x, float) else x for x in row["cells"].values()]
                rows.append([name, str(row["row"]), f"{row['log_ratio']:.2f}", *map(str, values)])
            if (test := table.copies) is not None:
                shares = [f"{100 * share:.1f} %" for share in (test.share, test.expected)]
                distances = [f"{x:.4g}" for x in test.dcr] + [f"{x:.3f}" for x in test.nndr]
                copies.append([name, *shares, test.p_text, *distances])
        of_copies = ["", "nearer to training", "expected", "p", "DCR", "DCR, held-out"]
        of_copies += ["NNDR", "NNDR, held-out"]
        encoded = [*self._values.values()][-1].encoding["columns"]
        sections = [
            Section(
                "Columns that differ",
                ["Total variation that a column, or the dependence of two, shows by itself."],
                ["model", "column or pair", "total variation", "what differs most"],
                columns,
            ),
            Section(
                "Rows that are least like real ones",
                [
                    "By held-out scores; the logarithm of the ratio of real and generated rows.",
                    f"Rows are printed as they are, those of “{HELD_OUT}” are real ones, and "
                    "generated ones may be copies: whoever has this page can read them.",
                ],
                ["model", "row", "log-ratio", *cells],
                rows,
            ),
            Section("Copies of training rows", [BLIND], of_copies, copies),
            Section(
                "Encoding",
                ["Of the last model; each has its own."],
                list(encoded[0]),
                [[str(cell) for cell in row.values()] for row in encoded],
            ),
        ]
        return [section for section in sections if section.lines]

    def _display(self) -> Display:
        copies = [table.copies for table in self._values.values() if table.copies is not None]
        head = ["", "fidelity", "diversity", "area"]
        profiles = {name: summary_cells(profile) for name, profile in self.profiles.items()}
        head += next(iter(profiles.values()), ())
        head += ["nearest is of training", "p"] if copies else []
        lines = []
        for name, table in self._values.items():
            errors, numbers = half_widths(table.curve), ("fidelity", "diversity", "area")
            values = [value_and_error(getattr(table.curve, x), errors.get(x)) for x in numbers]
            line = [name, *values, *profiles.get(name, {}).values()]
            if table.copies is not None:
                line += [f"{100 * table.copies.share:.1f} %", table.copies.p_text]
            lines.append(line + [""] * (len(head) - len(line)))
        notes = [legend()]
        if copies:
            notes.append(
                "nearest is of training: generated rows that are nearer to a training than to a "
                f"held-out row, {100 * copies[0].expected:.1f} % by chance. p: small for "
                f"overfitting or copies. {BLIND}"
            )
        shown = self._displayed("Tables", lines, head, notes)
        # A column that names rows is the cause of what the sentences on models find.
        return shown._replace(notes=[*self._notes, *shown.notes])
