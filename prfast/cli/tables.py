"""The command `tables`: generated tables beside a real one, from files of data frames."""

from __future__ import annotations

import argparse
import re
import warnings
from typing import Any

from prfast.cli.commands import names_of, resolutions_of
from prfast.cli.files import InputRecords, Printout, check_outputs, each_model, write_record
from prfast.estimate.diagnostics import Contradiction
from prfast.files.tables import load_frames
from prfast.files.write import write_whole
from prfast.inputs.concurrency import read_jobs
from prfast.inputs.errors import ArgumentError
from prfast.neighbors.search import record_engines
from prfast.plots.summaries import plot_columns
from prfast.records.documents import Input, entries_of
from prfast.tables.comparison import compare_tables
from prfast.tables.results import HELD_OUT


def tables(options: argparse.Namespace) -> Printout:
    """Return the comparison of the files; write a report, JSON and a picture."""
    held_out = [] if options.held_out is None else [options.held_out]
    files = [options.real, *held_out, *options.fake]
    check_outputs(files, json=options.json, plot=options.plot, report=options.report)
    if options.report is not None:
        from prfast.report.write import load_libraries

        if not options.report.lower().endswith((".html", ".htm")):
            raise ValueError(f"{options.report}: a file ending in .html expected")
        load_libraries()
    names = names_of(options)
    resolutions: Any = None
    if options.resolutions != ["none"]:
        words = options.resolutions in ("auto", ["auto"])
        resolutions = "auto" if words else resolutions_of(options)
    real, *others = load_frames(files, options.drop or (), options.categories or ())
    held_frame = others.pop(0) if held_out else None
    with warnings.catch_warnings(), record_engines() as engines:
        warnings.simplefilter("ignore", Contradiction)  # the text says the same
        try:
            comparison = compare_tables(
                real,
                dict(zip(names, others, strict=True)),
                held_frame,
                categories=options.categories or (),
                drop=options.drop or (),
                resolutions=resolutions,
                random_state=options.seed,
                n_jobs=read_jobs(options.jobs),
            )
        except ArgumentError as error:
            raise _with_files(error, options, names) from None
    if options.report is not None:
        about = {"real table": options.real, "generated tables": ", ".join(options.fake)}
        if held_out:
            about["held-out rows"] = options.held_out
        comparison.report(options.report, title=options.title, about=about)
    if options.plot:
        figure: Any = plot_columns(comparison, title=options.real).figure
        write_whole(options.plot, lambda path: figure.savefig(path, dpi=150, bbox_inches="tight"))
    entries: dict[str, list[Any]] = {}
    who = each_model(options)
    for name, one in comparison.items():
        own = {"name": HELD_OUT} if name == HELD_OUT else who[names.index(name)]
        for kind, some in entries_of(one, own).items():
            entries.setdefault(kind, []).extend(some)
    records = _inputs(options, names, real, held_frame, others)
    write_record(options, InputRecords(records, engines), entries)
    return Printout(str(comparison))


def _inputs(
    options: argparse.Namespace, names: list[str], real: Any, held_out: Any, fakes: list[Any]
) -> list[Input]:
    """Return the files for the record of --json."""

    def described(role: Any, name: str | None, path: str, table: Any) -> Input:
        return Input(role, name, path, None, None, None, [*table.shape], "table", None)

    records = [described("real", None, options.real, real)]
    if held_out is not None:
        records.append(described("held_out", None, options.held_out, held_out))
    models = zip(names, options.fake, fakes, strict=True)
    return records + [described("fake", *one) for one in models]


def _with_files(error: ArgumentError, options: argparse.Namespace, names: list[str]) -> Exception:
    """Return an error on tables with their files in place of the arguments; others unchanged."""
    if not error.argument.startswith(("real", "held_out", "models")):
        return error
    text = str(error)
    for name, path in zip(names, options.fake, strict=True):
        text = text.replace(f"models[{name!r}]", path)
    files = {"real": options.real, "held_out": options.held_out}
    return ValueError(re.sub(r"\b(real|held_out)(?=[ :,\[;]|$)", lambda x: str(files[x[1]]), text))
