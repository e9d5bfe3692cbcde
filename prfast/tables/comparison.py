"""compare_tables: generated tables beside the real one, from data frames to an answer.

Each generated table is compared with the real rows: its curve and its profile, the columns and
pairs of columns that differ (`attribution`), the rows that show it, and, with held-out rows, copies
(`prfast.copies`).  Held-out rows are compared as well, under the name HELD_OUT: they are what a
perfect model would generate.

Each pair of tables has an encoding of its own, so that the numbers of a model do not depend on the
other models.  The test of copies encodes training, held-out and generated rows together, without
details such as the number of decimals, which are no distances.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from prfast.comparison.results import Evaluation, or_failure
from prfast.estimate.attribution import differences, repeated_row
from prfast.estimate.diagnostics import checked
from prfast.estimate.profiles import Profile, estimates_at, read_resolutions
from prfast.inputs.errors import ArgumentError, WrongType, WrongValue, kind_of
from prfast.inputs.frames import CATEGORY, NUMBER, Column, Frame, read_frames
from prfast.inputs.options import MEMORY, ProgressOption, RandomState, is_word, read_seed, stream
from prfast.methods.base import ExecutionContext, Scores, read_context
from prfast.methods.table import Run, all_scores, read_method, read_run
from prfast.results.info import version
from prfast.samples.pair import Cells, Pair
from prfast.samples.samples import Samples
from prfast.scalars.measure import Metrics
from prfast.scalars.memorization import Copies, copies
from prfast.tables.encoding import Encoding, fit_encoding
from prfast.tables.results import HELD_OUT, TableComparison, TableEvaluation

GENERATED = "generated"  # name of a single table
RESOLUTIONS = (0.0, 0.1, 0.2, 0.4, 0.8)
FEWEST = 10  # rows of a table
_ALIKE = 0.9  # area, below which held-out rows differ from real ones
COPIES_OF = 10_000  # generated rows that the test of copies uses
_EXTREME = 100  # rows of either set whose cells are stored
_ROWS_NAMED, _DENSE = 50, 20  # rows, from which on; integers over rows, up to which they count rows


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
    progress: ProgressOption = None,
) -> TableComparison:
    """Return how generated tables differ from a real one: how much, in which columns, and whether
    they copy it.

    Parameters
    ----------
    real : data frame of pandas, polars, pyarrow or another library that narwhals knows
        The rows that the models were trained on: numbers, booleans, categories, strings, dates,
        times and missing cells; at least ten.
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
        A `TableEvaluation` for each model: ``curve``, ``profile``, the ``columns`` and pairs that
        differ, ``copies``, ``generated_rows``.  It prints as a table with sentences; ``report``
        writes a page.

    Warns
    -----
    Contradiction
        As `prfast.pr_curve`.

    Raises
    ------
    TypeError, ValueError
        Columns that differ in names or kinds, cells of several types or of a type without an
        encoding; fewer than ten rows.  The message names the table and the column.

    Notes
    -----
    An encoding is fitted on the real rows and those of one model together, without a look at which
    is which: the numbers of a model do not depend on the other models.  The columns use at most
    20 000 rows of each table, the test of copies 10 000 generated rows; everything else uses all.
    docs/tables.md has the definitions.
    """
    seed = read_seed(random_state)
    named = _read_models(models, held_out is not None)
    several = isinstance(models, Mapping)
    arguments = {name: f"models[{name!r}]" if several else "models" for name in named}
    sets = {"real": real} | ({} if held_out is None else {"held_out": held_out})
    sets |= {arguments[name]: table for name, table in named.items()}
    frames = read_frames(sets, categories=categories, drop=drop, at_least=FEWEST)
    run = read_run(read_method(method, {}), "auto")
    context = read_context(seed, n_jobs, memory, progress)
    sigmas = None
    if resolutions is not None:
        sigmas = RESOLUTIONS if is_word(resolutions, "auto") else read_resolutions(resolutions)
    real_cells = Samples(frames["real"].matrix())
    call = _Call(frames["real"], real_cells, frames.get("held_out"), run, context, sigmas)
    tables = ({} if held_out is None else {HELD_OUT: "held_out"}) | arguments
    results: dict[str, TableEvaluation | Exception] = {}
    with context.progress.work(len(tables)):
        for name, argument in tables.items():
            caution = _caution_on_copies(results.get(HELD_OUT))
            try:
                with context.progress.work(1, name):
                    is_model = argument != "held_out"
                    table = frames[argument]
                    results[name] = or_failure(_compare, call, table, is_model, caution)
            except ArgumentError as error:
                raise error.at(argument) from None
    return TableComparison(results, [*_constants(frames), *_identifiers(frames["real"])])


def _read_models(models: Any, with_held_out: bool) -> dict[str, Any]:
    if isinstance(models, list | tuple):
        text = f"a mapping of names to tables, or one table, expected, got {kind_of(models)}"
        raise WrongType("models", text)
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


# ---- one table -----------------------------------------------------------------------------------


class _Call(NamedTuple):
    """Arguments and intermediate results that the comparisons of all tables of a call share."""

    real: Frame
    real_cells: Samples
    """The cells of the real rows."""
    held_out: Frame | None
    run: Run
    context: ExecutionContext
    resolutions: Sequence[float] | None
    """Those of the profile; None without one."""


def _caution_on_copies(held_out: TableEvaluation | Exception | None) -> str:
    """Return a sentence where the held-out rows are clearly no random part of the source of the
    real ones, as the test of copies supposes; "" where they may be."""
    if not isinstance(held_out, TableEvaluation) or held_out.curve.interval("area").high >= _ALIKE:
        return ""
    return (
        f"The held-out rows themselves differ from the real ones, with an area of "
        f"{held_out.curve.area:.2f}: they are no random part of one set, and rows that are nearer "
        "to training rows are no proof of copies."
    )


def _compare(call: _Call, frame: Frame, is_model: bool, caution: str) -> TableEvaluation:
    """Return the results of one table; caution: on the test of copies, if there is one."""
    encoding = fit_encoding({"real": call.real, "fake": frame})
    columns = zip(call.real.columns, frame.columns, strict=True)
    cells = Cells([(a.values, b.values, a.kind == CATEGORY) for a, b in columns])
    real, fake = encoding.sets
    pair = Pair(Samples(real, names=encoding.feature_names), Samples(fake), cells=cells)
    evaluation = _evaluate(call, pair, encoding, f"encoding of {len(frame.columns)} columns")
    test = None
    if is_model and call.held_out is not None:
        test = _copies(call, call.held_out, frame)
    rows_of_cells = Pair(call.real_cells, Samples(frame.matrix()))
    several = differences(call.real, frame, rows_of_cells, call.context.seed)
    rows = _extreme_rows(evaluation, {"real": call.real, "generated": frame})
    return TableEvaluation(
        evaluation,
        several,
        test,
        rows,
        encoding.record(),
        caution,
        repeated_row(call.real, frame, rows_of_cells.repetition),
    )


def _checksum(frame: Frame) -> int:
    """Return a checksum of the real rows, which all models share in any encoding."""
    checksum = 0
    for column in frame.columns:
        checksum = zlib.crc32(np.ascontiguousarray(column.values).data.cast("B"), checksum)
    return checksum


def _evaluate(call: _Call, pair: Pair, encoding: Encoding, features: str) -> Evaluation:
    """Return curve and profile of the rows of an encoding."""
    run, context = call.run, call.context
    with context.progress.work(2, "evaluation"):
        scored = all_scores([run], pair, context)
        curves = {key: one.curve() for key, one in scored.items()}
        curves = checked(curves, pair, context)
        entries: dict[str, Any] = {"features": {"model": features}}
        curves = {key: one._changed(entries) for key, one in curves.items()}
        profile = None
        if call.resolutions is not None:
            (full,) = curves.values()
            smoother = pair.smoother(encoding.noise, context.seed)
            estimates = estimates_at(run, pair, call.resolutions, smoother, context, full)
            profile = Profile({sigma: one._changed(entries) for sigma, one in estimates.items()})
    scores = {
        key: one.paired(_checksum(call.real))
        for key, one in scored.items()
        if isinstance(one, Scores)
    }
    sizes = {"n_real": len(pair.real), "n_fake": len(pair.fake), "n_features": pair.width}
    none = Metrics({}, {**sizes, "version": version()})
    return Evaluation(curves, none, scores=scores, profile=profile)


def _copies(call: _Call, held_out: Frame, frame: Frame) -> Copies:
    """Return the test of copies, of at most COPIES_OF generated rows."""
    sets = {"real": call.real, "held_out": held_out, "fake": frame}
    train, others, rows = fit_encoding(sets).coarse_sets
    context = call.context
    if len(rows) > COPIES_OF:
        rng = stream(context.seed, "rows for copies")
        rows = rows[np.sort(rng.choice(len(rows), COPIES_OF, replace=False))]
    return copies(
        train,
        others,
        rows,
        random_state=context.seed,
        n_jobs=context.n_jobs,
        memory=context.memory,
        progress=context.progress,
    )


def _extreme_rows(
    evaluation: Evaluation, frames: Mapping[str, Frame]
) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each set with the most extreme scores, the most extreme first."""
    scores = evaluation.curve.scores  # None of a partition
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in frames}
    for one in [] if scores is None else scores.extremes(_EXTREME):
        table = frames[one["set"]].table
        cells = {label: _plain(column[one["row"]]) for label, column in table.columns}
        rows[one["set"]].append({"row": one["row"], "log_ratio": one["score"], "cells": cells})
    return rows


def _plain(cell: Any) -> Any:
    """Return a cell without the type of NumPy, as it prints."""
    return cell.item() if isinstance(cell, np.generic) else cell


# ---- notes on the tables -------------------------------------------------------------------------


def _constants(frames: Mapping[str, Frame]) -> list[str]:
    several = zip(*(frame.columns for frame in frames.values()), strict=True)
    names = [
        repr(str(columns[0].name))
        for columns in several
        if len(np.unique(np.concatenate([one.values for one in columns]))) == 1
    ]
    return [f"Left out, as they do not vary: {', '.join(names)}."] if names else []


def _identifiers(frame: Frame) -> list[str]:
    """Return a note on the columns that differ in every row and may name it."""
    names = [repr(str(one.name)) for one in frame.columns if _may_name_rows(one)]
    if not names or frame.rows < _ROWS_NAMED:
        return []
    which = f"{', '.join(names)} differ{'s' if len(names) == 1 else ''} in every real row"
    return [f"{which}: leave out (drop) what names a row or counts rows."]


def _may_name_rows(column: Column) -> bool:
    """Return whether all cells differ, and are text or integers next to each other."""
    values = column.values
    if len(np.unique(values)) < len(values):
        return False
    if column.kind == CATEGORY:
        return True
    span = float(values.max() - values.min())
    return column.kind == NUMBER and span < _DENSE * len(values) and not (values % 1).any()
