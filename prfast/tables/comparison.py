"""compare_tables: generated tables beside the real one, from data frames to an answer.

Held-out rows are compared as generated ones are, under the name HELD_OUT: a perfect model would
generate them.  Each pair of tables has its encoding.  The test of copies encodes training, held-out
and generated rows together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from prfast.estimate.attribution import Attribution
from prfast.estimate.diagnostics import curves_of_scores
from prfast.estimate.profiles import Profile, estimates_at
from prfast.inputs.errors import ArgumentError, WrongValue
from prfast.inputs.frames import CATEGORY, NUMBER, Frame, read_frames
from prfast.inputs.options import MEMORY, ProgressOption, RandomState, check_named, stream
from prfast.methods.base import ExecutionContext, Scores, read_context
from prfast.methods.table import Run, all_scores, read_method, read_run
from prfast.results.info import version
from prfast.samples.ladder import Ladder
from prfast.samples.pair import Pair
from prfast.samples.samples import Samples, checksum_of
from prfast.scalars.measure import Metrics
from prfast.scalars.memorization import copies
from prfast.tables.encoding import fit_encoding
from prfast.tables.results import HELD_OUT, TableComparison, TableEvaluation

GENERATED = "generated"  # name of a single table
RESOLUTIONS = (0.0, 0.1, 0.2, 0.4, 0.8)
FEWEST = 10  # rows of a table
_ALIKE = 0.9  # area, below which held-out rows differ from real ones
COPIES_OF = 10_000  # generated rows that the test of copies uses
_EXTREME = 100  # rows of either set whose cells are stored
_ROWS_NAMED, _DENSE = 50, 20  # least rows; most integers over rows that count rows


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
    """Return how generated tables differ from a real one: how much, in what columns, whether they
    copy it.

    See also `encode` and `copies`.

    >>> import pandas
    >>> real, fake = (pandas.DataFrame(x) for x in prfast.reference.GaussianShift(1.0).sample(500))
    >>> print(prfast.compare_tables(real, {"model": fake}))

    Parameters
    ----------
    real : data frame of pandas, polars, pyarrow or another library that narwhals supports
        The rows that the models were trained on: numbers, booleans, categories, strings, dates,
        times and missing cells; at least ten.
    models : mapping of str to data frame, or a data frame
        Generated tables by names of their models.  Columns are matched by name.
    held_out : data frame, optional
        Rows of the same source that no model was given, such as a random part: for the test of
        copies.  They are also compared with the real rows, as "held-out rows": no model can be
        expected to be nearer.
    categories, drop : names
        Columns whose numbers are codes of categories, and columns to leave out, such as row
        numbers and identifiers; by default none.
    method : as for `prfast.pr_curve`
        "auto" by default.
    resolutions : sequence of float, "auto" or None
        See `prfast.profile`; "auto" (default) is 0, 0.1, 0.2, 0.4 and 0.8, None no profile.
    random_state : int, generator of NumPy or None
        Seed of everything random; default 0.
    n_jobs, memory, progress
        See `prfast.pr_curve`.

    Returns
    -------
    TableComparison
        A `TableEvaluation` for each model: ``curve``, ``profile``, the ``columns`` and pairs that
        differ, ``copies``, ``generated_rows``.  It prints as a table with sentences; ``report``
        writes a page.

    Warns
    -----
    Contradiction
        See `prfast.pr_curve`.

    Raises
    ------
    TypeError, ValueError
        Columns that differ in names or kinds, cells of several types or of a type without an
        encoding; fewer than ten rows.  The message names the table and the column.

    Notes
    -----
    An encoding is fitted on the real rows and those of one model together: its numbers do not
    depend on further models.  The columns use at most 20 000 rows of each table, the test of copies
    10 000 generated rows; everything else uses all.  Definitions: docs/tables.md.
    """
    # The argument of each result, and the table of each argument.
    tables, given = {GENERATED: "models"}, {"models": models}
    if isinstance(models, Mapping | list | tuple):
        check_named("models", models, "tables")
        tables = {name: f"models[{name!r}]" for name in models}
        given = {tables[name]: models[name] for name in models}
    sets = {"real": real}
    if held_out is not None:
        if HELD_OUT in tables:
            raise WrongValue("models", f"names other than {HELD_OUT!r} expected, got one")
        sets["held_out"] = held_out
    frames = read_frames(sets | given, categories=categories, drop=drop, at_least=FEWEST)
    run = read_run(read_method(method, {}), "auto")
    context = read_context(random_state, n_jobs, memory, progress)
    ladder = Ladder.read(resolutions, auto=RESOLUTIONS, may_be_none=True)
    cells = {name: Samples(frame.matrix()) for name, frame in frames.items()}
    tables = tables if held_out is None else {HELD_OUT: "held_out"} | tables
    results: dict[str, TableEvaluation] = {}
    with context.progress.work(len(tables)):
        for name, argument in tables.items():
            roles = {"real": "real", "fake": argument}
            if held_out is not None and name != HELD_OUT:
                roles["held_out"] = "held_out"
            rows = {role: (frames[source], cells[source]) for role, source in roles.items()}
            held, caution = results.get(HELD_OUT), ""
            if held is not None and held.curve.interval("area").high < _ALIKE:
                caution = (
                    "The held-out rows themselves differ from the real ones, with an area of "
                    f"{held.curve.area:.2f}: they are no random part of one set, and rows that are "
                    "nearer to training rows are no proof of copies."
                )
            try:
                with context.progress.work(1, name):
                    results[name] = _compare(rows, run, ladder, caution, context)
            except ArgumentError as error:
                raise error.at(argument) from None
    return TableComparison(results, _notes(frames))


def _compare(
    sets: Mapping[str, tuple[Frame, Samples]],
    run: Run,
    ladder: Ladder,
    caution: str,
    context: ExecutionContext,
) -> TableEvaluation:
    """Return the results of one table.

    sets: columns and cells of "real", "fake" and, for the test of copies, "held_out"; caution: on
    this test.
    """
    (real, real_cells), (fake, fake_cells) = sets["real"], sets["fake"]
    cells = Pair(real_cells, fake_cells)
    encoding = fit_encoding([real, fake], cells.sets)
    found = Attribution.of(real, fake, cells, context.seed, rows=True)
    pair, profile = cells.with_points(*encoding.sets), None
    entries = {"features": {"model": f"encoding of {len(encoding.columns)} columns"}}
    with context.progress.work(2, "evaluation"):
        scored = all_scores([run], pair, context)
        ((key, curve),) = curves_of_scores(scored, pair, context).items()
        if ladder.sigmas:
            ladder = replace(ladder, noise=encoding.noise)
            estimates = estimates_at(run, pair, ladder, context, curve)
            profile = Profile({sigma: x._changed(entries) for sigma, x in estimates.items()})
    curve, scores = curve._changed(entries), scored[key]
    sizes = {"n_real": len(pair.real), "n_fake": len(pair.fake), "n_features": pair.width}
    tables = {"real": real.table.columns, "generated": fake.table.columns}
    extremes: dict[str, list[dict[str, Any]]] = {name: [] for name in tables}
    for row in [] if curve.scores is None else curve.scores.extremes(_EXTREME):
        values = {label: column[row["row"]] for label, column in tables[row["set"]]}
        plain = {k: x.item() if isinstance(x, np.generic) else x for k, x in values.items()}
        record = {"row": row["row"], "log_ratio": row["score"], "cells": plain}
        extremes[row["set"]].append(record)
    test = None
    if "held_out" in sets:
        together = fit_encoding(*zip(*sets.values(), strict=True))
        encoded = dict(zip(sets, together.coarse_sets, strict=True))
        if len(rows := encoded["fake"]) > COPIES_OF:
            rng = stream(context.seed, "rows for copies")
            encoded["fake"] = rows[np.sort(rng.choice(len(rows), COPIES_OF, replace=False))]
        how: dict[str, Any] = {"n_jobs": context.n_jobs, "memory": context.memory}
        how |= {"random_state": context.seed, "progress": context.progress}
        test = copies(encoded["real"], encoded["held_out"], encoded["fake"], **how)
    # The models share the real rows, shown by their checksum.
    reference = checksum_of(cells.real.points)
    return TableEvaluation(
        {key: curve},
        Metrics({}, {**sizes, "version": version()}),
        scores={key: scores.paired(reference)} if isinstance(scores, Scores) else {},
        profile=profile,
        found=found,
        copies=test,
        extremes=extremes,
        encoding=encoding.record(),
        caution_on_copies=caution,
    )


def _notes(frames: Mapping[str, Frame]) -> list[str]:
    """Return the notes on columns that differ in every real row and may name it, and on those that
    do not vary."""
    constant, naming, notes = [], [], []
    for columns in zip(*(frame.columns for frame in frames.values()), strict=True):
        name, kind, values = repr(str(columns[0].name)), columns[0].kind, columns[0].values
        if len(np.unique(np.concatenate([column.values for column in columns]))) == 1:
            constant.append(name)
        if len(np.unique(values)) == len(values):
            is_dense = values.max() - values.min() < _DENSE * len(values)  # integers in a row
            is_number = kind == NUMBER and is_dense and not (values % 1).any()
            naming += [name] if kind == CATEGORY or is_number else []
    if naming and frames["real"].rows >= _ROWS_NAMED:
        which = f"{', '.join(naming)} differ{'s' if len(naming) == 1 else ''} in every real row"
        notes.append(f"{which}: leave out (drop) what names a row or counts rows.")
    if constant:
        notes.append(f"Left out, as they do not vary: {', '.join(constant)}.")
    return notes
