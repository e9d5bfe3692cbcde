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

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from prfast.comparison.results import or_failure
from prfast.curve import PRCurve
from prfast.estimate.attribution import differences, repeated_row
from prfast.estimate.curves import curves_of_scores
from prfast.estimate.profiles import Profile, estimates_at, read_resolutions
from prfast.inputs.errors import ArgumentError, WrongType, WrongValue, kind_of
from prfast.inputs.frames import CATEGORY, NUMBER, Column, Frame, read_frames
from prfast.inputs.options import MEMORY, ProgressOption, RandomState, is_word, stream
from prfast.methods.base import ExecutionContext, Scores, read_context
from prfast.methods.table import Run, all_scores, read_method, read_run
from prfast.results.info import version
from prfast.samples.pair import Pair
from prfast.samples.samples import Samples, checksum_of
from prfast.scalars.measure import Metrics
from prfast.scalars.memorization import Copies, copies
from prfast.tables.encoding import fit_encoding
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
    named = _read_models(models, held_out is not None)
    several = isinstance(models, Mapping)
    arguments = {name: f"models[{name!r}]" if several else "models" for name in named}
    sets = {"real": real} | ({} if held_out is None else {"held_out": held_out})
    sets |= {arguments[name]: table for name, table in named.items()}
    frames = read_frames(sets, categories=categories, drop=drop, at_least=FEWEST)
    run = read_run(read_method(method, {}), "auto")
    context = read_context(random_state, n_jobs, memory, progress)
    if is_word(resolutions, "auto"):
        resolutions = RESOLUTIONS
    elif resolutions is not None:
        resolutions = read_resolutions(resolutions)
    cells = {argument: Samples(frame.matrix()) for argument, frame in frames.items()}
    tables = ({} if held_out is None else {HELD_OUT: "held_out"}) | arguments
    results: dict[str, TableEvaluation | Exception] = {}
    with context.progress.work(len(tables)):
        for name, argument in tables.items():
            roles = {"real": "real", "fake": argument}
            if held_out is not None and name != HELD_OUT:
                roles["held_out"] = "held_out"
            sets = {role: (frames[one], cells[one]) for role, one in roles.items()}
            caution = _caution_on_copies(results.get(HELD_OUT))
            try:
                with context.progress.work(1, name):
                    results[name] = or_failure(_compare, sets, run, resolutions, caution, context)
            except ArgumentError as error:
                raise error.at(argument) from None
    return TableComparison(results, _notes(frames))


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


def _compare(
    sets: Mapping[str, tuple[Frame, Samples]],
    run: Run,
    resolutions: Sequence[float] | None,
    caution: str,
    context: ExecutionContext,
) -> TableEvaluation:
    """Return the results of one table.

    sets: the columns and the rows of cells of "real", "fake" and, for the test of copies,
    "held_out"; caution: on this test.
    """
    frames = {name: frame for name, (frame, _) in sets.items()}
    rows = {name: cells for name, (_, cells) in sets.items()}
    real, fake = frames["real"], frames["fake"]
    cells = Pair(rows["real"], rows["fake"])
    encoding = fit_encoding({"real": real, "fake": fake}, cells.sets)
    columns = differences(real, fake, cells, context.seed)
    pair, profile = cells.with_points(*encoding.sets), None
    entries = {"features": {"model": f"encoding of {len(encoding.columns)} columns"}}
    with context.progress.work(2, "evaluation"):
        scored = all_scores([run], pair, context)
        ((key, curve),) = curves_of_scores(scored, pair, context).items()
        if resolutions is not None:
            smoother = pair.smoother(encoding.noise, context.seed)
            estimates = estimates_at(run, pair, resolutions, smoother, context, curve)
            profile = Profile(
                {sigma: estimate._changed(entries) for sigma, estimate in estimates.items()}
            )
    curve, scores = curve._changed(entries), scored[key]
    reference = checksum_of(cells.real.points)  # the real rows, which all models share
    sizes = {"n_real": len(pair.real), "n_fake": len(pair.fake), "n_features": pair.width}
    return TableEvaluation(
        {key: curve},
        Metrics({}, {**sizes, "version": version()}),
        scores={key: scores.paired(reference)} if isinstance(scores, Scores) else {},
        profile=profile,
        columns=columns,
        copies=_copies(frames, rows, context) if "held_out" in sets else None,
        extremes=_extreme_rows(curve, {"real": real, "generated": fake}),
        encoding=encoding.record(),
        caution_on_copies=caution,
        repeated=repeated_row(real, fake, cells.repetition),
    )


def _copies(
    frames: Mapping[str, Frame], rows: Mapping[str, Samples], context: ExecutionContext
) -> Copies:
    """Return the test of copies, of at most COPIES_OF generated rows."""
    encoding = fit_encoding(frames, [*rows.values()])
    encoded = dict(zip(frames, encoding.coarse_sets, strict=True))
    fake = encoded["fake"]
    if len(fake) > COPIES_OF:
        rng = stream(context.seed, "rows for copies")
        fake = fake[np.sort(rng.choice(len(fake), COPIES_OF, replace=False))]
    return copies(
        encoded["real"],
        encoded["held_out"],
        fake,
        random_state=context.seed,
        n_jobs=context.n_jobs,
        memory=context.memory,
        progress=context.progress,
    )


def _extreme_rows(curve: PRCurve, frames: Mapping[str, Frame]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each set with the most extreme scores, the most extreme first."""
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in frames}
    for one in [] if curve.scores is None else curve.scores.extremes(_EXTREME):
        columns = frames[one["set"]].table.columns
        cells = {label: cells[one["row"]] for label, cells in columns}
        plain = {k: x.item() if isinstance(x, np.generic) else x for k, x in cells.items()}
        rows[one["set"]].append({"row": one["row"], "log_ratio": one["score"], "cells": plain})
    return rows


# ---- notes on the tables -------------------------------------------------------------------------


def _notes(frames: Mapping[str, Frame]) -> list[str]:
    """Return the notes on columns that do not vary, and on those that differ in every real row and
    may name it."""
    constant, naming, notes = [], [], []
    for several in zip(*(frame.columns for frame in frames.values()), strict=True):
        name = repr(str(several[0].name))
        if len(np.unique(np.concatenate([one.values for one in several]))) == 1:
            constant.append(name)
        if _may_name_rows(several[0]):
            naming.append(name)
    if constant:
        notes.append(f"Left out, as they do not vary: {', '.join(constant)}.")
    if naming and frames["real"].rows >= _ROWS_NAMED:
        which = f"{', '.join(naming)} differ{'s' if len(naming) == 1 else ''} in every real row"
        notes.append(f"{which}: leave out (drop) what names a row or counts rows.")
    return notes


def _may_name_rows(column: Column) -> bool:
    """Return whether all cells differ, and are text or integers next to each other."""
    values = column.values
    if len(np.unique(values)) < len(values):
        return False
    if column.kind == CATEGORY:
        return True
    span = float(values.max() - values.min())
    return column.kind == NUMBER and span < _DENSE * len(values) and not (values % 1).any()
