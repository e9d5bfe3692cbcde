"""compare_tables: generated tables beside the real one, from data frames to an answer.

All tables are encoded together (`encoding`), and each generated one is compared with the real rows:
its curve and its profile (`prfast.Evaluator`), the columns and pairs of columns that differ
(`attribution`), the rows that show it, and, with held-out rows, copies (`prfast.copies`).  Held-out
rows are compared as well, under the name HELD_OUT: they are what a perfect model would generate.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from prfast.comparison.evaluator import Evaluator
from prfast.comparison.results import Comparison, Evaluation
from prfast.curve import PRCurve
from prfast.curve.provenance import notes_of
from prfast.curve.summary import LEVEL, legend
from prfast.estimate.diagnostics import Contradiction
from prfast.estimate.explain import drawn, half_widths
from prfast.estimate.profiles import range_text
from prfast.inputs.errors import ArgumentError, WrongType, WrongValue
from prfast.inputs.options import (
    MEMORY,
    RandomState,
    Shown,
    is_word,
    read_count,
    read_progress,
    read_seed,
)
from prfast.inputs.samples import stream
from prfast.inputs.tables import named_array, read_table
from prfast.methods.columns import best_column_sentence
from prfast.results.values import Display, Section, value_and_error
from prfast.scalars.memorization import Copies, copies
from prfast.tables.attribution import Difference, differences
from prfast.tables.columns import Frame, read_frames
from prfast.tables.encoding import Encoding, fit_encoding

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HELD_OUT = "held-out rows"
GENERATED = "generated"  # name of a single table
RESOLUTIONS = (0.0, 0.1, 0.2, 0.4, 0.8)
COPIES_OF = 10_000  # generated rows that the test of copies uses
_NAMED = 3  # differences in a sentence
REST = 0.1  # of the total variation that no column or pair shows, from which on a sentence says so


class TableEvaluation(Evaluation):
    """The results of one generated table: curve and profile, as of an `Evaluation`, and more.

    ``differences`` has a `Difference` for each column and each pair of columns, the largest first;
    ``copies`` the test against held-out rows, None without these.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        differences: Sequence[Difference],
        copies: Copies | None,
        frames: tuple[Frame, Frame],
    ) -> None:
        super().__init__(
            evaluation.curves,
            evaluation.metrics,
            scores=evaluation.scores,
            halves=evaluation.halves,
            profile=evaluation.profile,
        )
        self.differences, self.copies = list(differences), copies
        self._frames = frames

    def __reduce__(self) -> tuple[Any, ...]:
        evaluation = Evaluation(
            self.curves,
            self.metrics,
            scores=self.scores,
            halves=self.halves,
            profile=self.profile,
        )
        return TableEvaluation, (evaluation, self.differences, self.copies, self._frames)

    def generated_rows(self, count: int = 5) -> list[dict[str, Any]]:
        """Return the generated rows that are least like real ones, by their held-out scores.

        count: how many, 5 by default.

        Returns
        -------
        list of dict
            ``row``, its number in the table; ``log_ratio``, the estimated logarithm of the ratio of
            the densities of real and generated rows there; ``cells``, {column: cell}.
        """
        return self._extreme("fake", count)

    def missed_rows(self, count: int = 5) -> list[dict[str, Any]]:
        """Return the real rows that the model misses most, `count` of them, 5 by default; as
        `generated_rows`."""
        return self._extreme("real", count)

    def _extreme(self, which: str, count: int) -> list[dict[str, Any]]:
        count = read_count("count", count)
        scores = next(iter(self.scores.values()), None)
        if scores is None:  # of a partition
            return []
        real = which == "real"
        values = np.asarray(scores.real if real else scores.fake, np.float64)
        frame = self._frames[0 if real else 1]
        rows = np.arange(frame.rows)[scores.real_rows if real else scores.fake_rows]
        order = np.argsort(-values if real else values, kind="stable")[:count]
        cells = _cells(frame, rows[order].tolist())
        return [
            {"row": int(rows[i]), "log_ratio": float(values[i]), "cells": one}
            for i, one in zip(order, cells, strict=True)
        ]

    def notes(self) -> list[str]:
        """Return notes on the samples; of copies, where these are not tested."""
        if self.copies is None:
            return super().notes()
        return notes_of(replace(self.curve.provenance, copied=None))

    def difference_sentences(self) -> list[str]:
        """Return what the columns say, in words."""
        clear = [one for one in self.differences if one.is_clear]
        variation = self.curve.total_variation
        if not clear:
            if variation < REST:
                return []
            return ["No single column or pair of columns clearly shows the difference by itself."]
        texts = [
            f"{one.name!r} {one.value:.2f}{f' ({one.words})' if one.words else ''}"
            for one in clear[:_NAMED]
        ]
        more = len(clear) - len(texts)
        others = f"; and {more} more" if more > 0 else ""
        lines = [f"Differs most in {'; '.join(texts)}{others}."]
        if variation > clear[0].value + REST:
            lines.append(
                f"The total variation is {variation:.2f}: more than any one of them shows."
            )
        return lines

    def sentences(self) -> list[str]:
        """Return what the results say, in words: profile, columns, copies."""
        of_copies = [] if self.copies is None else self.copies.sentences()
        return [*super().sentences(), *self.difference_sentences(), *of_copies]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON: as `Evaluation.to_dict`, with ``differences``,
        a list with ``columns``, ``value``, ``error``, ``is_clear`` and ``words``, and
        ``copies``."""
        more: dict[str, Any] = {"differences": difference_rows(self.differences)}
        if self.copies is not None:
            more["copies"] = self.copies.to_dict()
        return super().to_dict() | more


def _cells(frame: Frame, rows: list[int]) -> list[dict[str, Any]]:
    """Return some rows of a table as the caller passed it."""
    table = read_table("table", frame.native)
    assert table is not None
    return [{label: column[row] for label, column in table.columns} for row in rows]


def _shown(cell: Any) -> str:
    """Return a cell as text, of numbers six digits."""
    return f"{cell:.6g}" if isinstance(cell, float | np.floating) else str(cell)


def difference_rows(several: Sequence[Difference]) -> list[dict[str, Any]]:
    """Return differences as records for JSON."""
    return [one._asdict() | {"columns": [*map(str, one.columns)]} for one in several]


class TableComparison(Comparison):
    """Evaluations of generated tables by name; prints as a table.

    ``encoding`` says what became of each column.
    """

    def __init__(self, models: Mapping[str, TableEvaluation], encoding: Encoding) -> None:
        super().__init__(models)
        self.encoding, self._tables = encoding, dict(models)

    def __getitem__(self, name: str) -> TableEvaluation:
        return self._tables[name]

    def __reduce__(self) -> tuple[Any, ...]:
        return TableComparison, (self._tables, self.encoding)

    def rows(self, confidence: float | None = None) -> list[dict[str, Any]]:
        """Return a dictionary for each model, as `Comparison.rows`, with the share of rows that are
        nearest to a training row, and its p-value, where there are held-out rows.

        confidence: level of the half widths, by default None, without."""
        rows = super().rows(confidence)
        for row, one in zip(rows, self._tables.values(), strict=True):
            if one.copies is not None:
                row |= {"nearest is of training": one.copies.share, "p-value": one.copies.p_value}
        return rows

    def difference_rows(self) -> list[dict[str, Any]]:
        """Return a record for each column and pair of columns of each model: `model`, `columns`,
        `value`, `error`, `is_clear`, `words`; for ``pandas.DataFrame``."""
        return [
            {"model": name, **row, "columns": " × ".join(row["columns"])}
            for name, one in self._tables.items()
            for row in difference_rows(one.differences)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON: as `Comparison.to_dict`, with ``encoding``."""
        return super().to_dict() | {"encoding": self.encoding.record()}

    def plot_differences(self, **options: Any) -> Axes:
        """Plot the columns and pairs that differ most, a point for each model; options as for
        `prfast.plots.plot_differences`."""
        from prfast.plots import plot_differences

        axes: Axes = plot_differences(self, **options)
        return axes

    def report(self, path: str, **options: Any) -> None:
        """Write one HTML file about the models; options as for `prfast.report.write_report`."""
        import_module("prfast.report").write_report(
            self, path, sections=self._sections(), **options
        )

    def _sections(self) -> list[Section]:
        sections = [
            Section(
                "Columns that differ",
                ["Total variation that a column, or the dependence of two, shows by itself."],
                ["model", "column or pair", "total variation", "what differs most"],
                [
                    [name, one.name, value_and_error(one.value, 2 * one.error), one.words]
                    for name, model in self._tables.items()
                    for one in model.differences[:10]
                    if one.is_clear
                ],
            ),
            *(
                Section(
                    f"Rows of {name} that are least like real ones",
                    ["By held-out scores; the logarithm of the ratio of real and generated rows."],
                    ["row", "log-ratio", *rows[0]["cells"]],
                    [
                        [
                            str(row["row"]),
                            f"{row['log_ratio']:.2f}",
                            *map(_shown, row["cells"].values()),
                        ]
                        for row in rows
                    ],
                )
                for name, model in self._tables.items()
                if name != HELD_OUT and (rows := model.generated_rows())
            ),
            Section(
                "Copies of training rows",
                [
                    f"{name}: {text}"
                    for name, one in self._tables.items()
                    if one.copies is not None
                    for text in one.copies.sentences()
                ],
            ),
            Section(
                "Encoding",
                [],
                ["column", "kind", "features", "encoding"],
                [[str(cell) for cell in row.values()] for row in self.encoding.rows()],
            ),
        ]
        return [
            one for one in sections if (one.sentences and (one.lines or not one.head)) or one.lines
        ]

    def _display(self) -> Display:
        with_copies = any(one.copies is not None for one in self._tables.values())
        profiled = any(one.profile is not None for one in self._tables.values())
        head = ["", "fidelity", "diversity", "area"]
        head += ["coarse area", "half resolution"] if profiled else []
        head += ["nearest is of training", "p"] if with_copies else []
        lines = []
        for name, one in self._tables.items():
            errors = half_widths(one.curve)
            values = {"fidelity": one.curve.fidelity, "diversity": one.curve.diversity}
            values["area"] = one.curve.area
            line = [name, *(value_and_error(x, errors.get(key)) for key, x in values.items())]
            if one.profile is not None:
                summary = one.profile.summary(LEVEL)
                coarse, ends = summary["coarse_area"], one.profile.resolutions
                line.append(value_and_error(coarse.value, coarse.half_width))
                line.append(range_text(summary["half_resolution"], ends[0], ends[-1]))
            if one.copies is not None:
                line += [f"{100 * one.copies.share:.1f} %", f"{one.copies.p_value:.2g}"]
            lines.append(line + [""] * (len(head) - len(line)))
        notes = [legend()]
        if with_copies:
            expected = next(x.copies.expected for x in self._tables.values() if x.copies)
            notes.append(
                "nearest is of training: generated rows that are nearer to a training than to a "
                f"held-out row; without copies {100 * expected:.1f} % are expected."
            )
        left_out = [str(one.name) for one in self.encoding.columns if not one.features]
        if left_out:
            notes.append(f"Left out, as they do not vary: {', '.join(map(repr, left_out))}.")
        notes += [
            f"{name}: {text}"
            for name, one in self._tables.items()
            for text in (*one.sentences(), *one.notes())
        ]
        return Display(
            "Tables",
            lines,
            head,
            notes=notes,
            cautions=[
                f"{name}: {text}" for name, one in self._tables.items() for text in one.cautions()
            ],
            picture=drawn({name: one.curve for name, one in self._tables.items()}),
        )

    def __repr__(self) -> str:
        return f"TableComparison of {', '.join(self)}"


def compare_tables(
    real: Any,
    models: Any,
    held_out: Any = None,
    *,
    categories: Iterable[Any] = (),
    drop: Iterable[Any] = (),
    method: Any = "auto",
    resolutions: Sequence[float] | str | None = "auto",
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: Shown = None,
) -> TableComparison:
    """Return how generated tables differ from a real one: how much, in which columns, and whether
    they copy it.

    Parameters
    ----------
    real : data frame of pandas, polars, pyarrow or another library that narwhals knows
        The rows that the models were trained on: numbers, booleans, categories, strings, dates,
        times and missing cells.
    models : mapping of str to data frame, or a data frame
        Generated tables by names of their models.  Columns are matched by name.
    held_out : data frame, optional
        Rows of the same source that the models have not seen, such as a random part that was set
        aside: for the test of copies.  They are also compared with the real rows, as
        "held-out rows": no model can be expected to be nearer.
    categories : names
        Columns whose numbers are codes of categories; by default none.
    drop : names
        Columns to leave out, such as row numbers and identifiers; by default none.
    method : as for `prfast.pr_curve`
        "auto" by default.
    resolutions : sequence of float, "auto" or None
        As for `prfast.profile`; "auto" (default) is 0, 0.1, 0.2, 0.4 and 0.8, None no profile.
    random_state : int, generator of NumPy or None
        Seed of everything random; default 0.
    n_jobs, memory, progress
        As for `prfast.pr_curve`.

    Returns
    -------
    TableComparison
        A `TableEvaluation` for each model: `curve`, `profile`, `differences` by columns and pairs,
        `copies`, `generated_rows`.  It prints as a table with sentences; `report` writes a page.

    Warns
    -----
    Contradiction
        As `prfast.pr_curve`.

    Raises
    ------
    TypeError, ValueError
        Columns that differ in names or kinds, cells of several types or of a type without an
        encoding; fewer than two rows.  The message names the table and the column.

    Notes
    -----
    Encodings are fitted on the rows of all tables together, without a look at which is which.  The
    differences use at most 20 000 rows of each table, the test of copies 10 000 generated rows;
    everything else uses all.  docs/tables.md has the definitions.
    """
    seed = read_seed(random_state)
    named = _read_models(models, held_out is not None)
    sets = {"real": real} | ({} if held_out is None else {"held_out": held_out})
    arguments = {
        name: f"models[{name!r}]" if isinstance(models, Mapping) else "models" for name in named
    }
    sets |= {arguments[name]: table for name, table in named.items()}
    frames = read_frames(sets, categories=categories, drop=drop)
    encoding = fit_encoding(frames, categories=categories)
    encoded: Any = partial(named_array, labels=encoding.feature_names)
    real_rows = encoding.encode(frames["real"])
    shown = read_progress(progress)
    resources: dict[str, Any] = {"n_jobs": n_jobs, "memory": memory, "progress": shown}
    evaluator = Evaluator(
        encoded(real_rows),
        method,
        which=[],
        resolutions=RESOLUTIONS if is_word(resolutions, "auto") else resolutions,
        noise=encoding.noise,
        random_state=seed,
        **resources,
    )
    held_rows = None if held_out is None else encoding.encode(frames["held_out"])
    results = {}
    everything = ({} if held_out is None else {HELD_OUT: "held_out"}) | arguments
    with shown.work(len(everything)):
        for name, argument in everything.items():
            frame = frames[argument]
            rows = held_rows if argument == "held_out" else encoding.encode(frame)
            try:
                with shown.work(1, name):
                    evaluation = _evaluate(evaluator, encoded(rows), len(frame.columns))
            except ArgumentError as error:
                raise error.at(argument) from None
            test = None
            if held_rows is not None and argument != "held_out":
                some = _some_rows(rows, seed)
                test = copies(real_rows, held_rows, some, random_state=seed, **resources)
            different = differences(frames["real"], frame, seed)
            pair = frames["real"], frame
            results[name] = TableEvaluation(evaluation, different, test, pair)
    return TableComparison(results, encoding)


def _read_models(models: Any, with_held_out: bool) -> dict[str, Any]:
    if not isinstance(models, Mapping):
        return {GENERATED: models}
    if not models:
        raise WrongValue("models", "at least one table expected, got none")
    for name in models:
        if not isinstance(name, str):
            raise WrongType("models", f"names that are strings expected, got {name!r}")
        if name == HELD_OUT and with_held_out:
            raise WrongValue("models", f"names other than {HELD_OUT!r} expected, got one")
    return dict(models)


def _some_rows(rows: Any, seed: int) -> Any:
    if len(rows) <= COPIES_OF:
        return rows
    rng = stream(seed, "rows for copies")
    return rows[np.sort(rng.choice(len(rows), COPIES_OF, replace=False))]


def _evaluate(evaluator: Evaluator, rows: Any, width: int) -> Evaluation:
    """Return the evaluation of encoded rows of a table of `width` columns, without sentences in
    units of the encoding."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Contradiction)
        one = evaluator.evaluate(rows)
    curves = {key: _in_own_units(curve, width) for key, curve in one.curves.items()}
    for curve in curves.values():
        if curve.provenance.caution:
            warnings.warn(curve.provenance.caution, Contradiction, stacklevel=3)
    return Evaluation(
        curves, one.metrics, scores=one.scores, halves=one.halves, profile=one.profile
    )


def _in_own_units(curve: PRCurve, width: int) -> PRCurve:
    """Return a curve without the columns of the encoding, whose values are scores."""
    made = curve.provenance
    entries: dict[str, Any] = {"features": {"model": f"encoding of {width} columns"}}
    if made.columns:
        entries["columns"] = []
    if made.columns and made.caution:
        sentence = best_column_sentence(made.columns, made.n_features or 0)
        entries["caution"] = made.caution.replace(sentence, "")
    return curve.with_info(**entries)
