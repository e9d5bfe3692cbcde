"""The commands curve, metrics, profile, test, report, features and tables.

A command checks its options, reads all files, calls the function of Python with these options for
each model, and prints what Python prints.  Commands import what they alone use, to start quickly.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from prfast.cli.files import (
    Inputs,
    Printout,
    arguments_of,
    engines_used,
    inputs_of,
    names_of,
    read_options,
    write_record,
)
from prfast.estimate.curves import pr_curve
from prfast.estimate.notes import uneven_notes
from prfast.files.readers import load_labels
from prfast.files.write import write_whole
from prfast.inputs.arrays import check_one_kind, read_labels
from prfast.inputs.errors import ArgumentError
from prfast.inputs.options import read_share
from prfast.results.info import agreed, made_of
from prfast.results.values import counted, folded, wrapped
from prfast.samples.samples import Samples

if TYPE_CHECKING:
    from prfast.comparison.class_results import Groups


def blocks(results: Mapping[str, Any]) -> str:
    """Return what Python prints of the result of each model, below its name."""
    return "\n\n".join(f"{name}\n{result}" for name, result in results.items())


def other_sizes(inputs: Inputs, metrics: Iterable[str] | None = None) -> list[str]:
    """Return the note on models whose numbers of samples differ, beside curves or these metrics."""
    sizes = dict(zip(inputs.names, map(len, inputs.fakes), strict=True))
    return uneven_notes(sizes, metrics or (), has_curves=metrics is None)


def curve(options: argparse.Namespace) -> Printout:
    """Return the curves as text; write JSON and pictures."""
    given = read_options(options)
    names = names_of(options)
    if options.labels is not None:
        return _classes(options, given)
    with inputs_of(options) as inputs:
        if len(names) == 1:
            curves = inputs.results(pr_curve, given)
            text = blocks(curves)
        else:  # the real samples are prepared once
            from prfast.comparison.evaluator import Evaluator
            from prfast.comparison.results import Comparison

            evaluator = Evaluator(inputs.real, which=[], **arguments_of(Evaluator, given))
            models = inputs.each(evaluator.evaluate, given["progress"])
            curves = {name: model.curve for name, model in models.items()}
            text = str(Comparison(models))
    write_record(options, inputs.records, inputs.engines, curves)
    if options.plot:
        from prfast.plots.views import plot_curves

        title = f"{options.method}: {options.real}"
        draw(options.plot, plot_curves(curves.values(), labels=names, title=title))
    return Printout(text)


def draw(path: str, axes: Any) -> None:
    write_whole(path, lambda draft: axes.figure.savefig(draft, dpi=150, bbox_inches="tight"))


# Options that are for curves of all samples only.
_NOT_OF_CLASSES = ("plot", "cluster")


def _classes(options: argparse.Namespace, given: dict[str, Any]) -> Printout:
    """Return a table of the classes for each model, and write JSON."""
    from prfast.comparison.classes import by_class

    for name in _NOT_OF_CLASSES:
        if getattr(options, name) is not None:
            raise ValueError(f"--{name}: not with --labels")
    paths, files = options.labels, [options.real, *options.fake]
    if len(paths) != len(files):
        text = f"{len(files)} files expected, of real samples and of each model"
        raise ValueError(f"--labels: {text}, got {len(paths)}")
    with inputs_of(options, at_least=2) as inputs:
        labels, sets = [], [inputs.real, *inputs.fakes]
        for path, values, samples in zip(paths, load_labels(paths), sets, strict=True):
            try:
                labels.append(read_labels("labels", values, len(samples.source)))
            except ArgumentError as error:
                raise error.at(path) from None
            check_one_kind((paths[0], path), (labels[0], labels[-1]))
            inputs.add_record("labels", labels[-1], path)

        def table(fake: Samples, labels_fake: Any) -> Groups:
            arguments = arguments_of(by_class, given)
            return by_class(inputs.real, fake, labels[0], labels_fake, **arguments)

        results = inputs.each(table, given["progress"], labels[1:])
    write_record(options, inputs.records, inputs.engines, results)
    return Printout(blocks(results), other_sizes(inputs))


def metrics(options: argparse.Namespace) -> Printout:
    """Return the metrics of each model for each k as text, and write JSON."""
    from prfast.scalars.api import metrics as metrics_of
    from prfast.scalars.api import read_metric_options

    given = read_options(options)
    given["k"] = given["k"] if isinstance(given["k"], list) else [given["k"]]
    read_metric_options(given["k"], given.get("which"), given["ties"])  # before files are opened
    with inputs_of(options, at_least=2) as inputs:
        results = inputs.results(metrics_of, given)
    write_record(options, inputs.records, inputs.engines, results)
    tables = []
    for models in zip(*(by_k.values() for by_k in results.values()), strict=True):
        if len(models) == 1:
            tables.append(blocks(dict(zip(results, models, strict=True))))
            continue
        lines = [["", *models[0]]]
        lines += [[name, *map(m.text, m)] for name, m in zip(results, models, strict=True)]
        below = [*dict.fromkeys(text for m in models for text in m.notes())]
        below.append(made_of(agreed([m.info for m in models])))
        tables.append("\n".join([*folded(lines, ()), "", *map(wrapped, below)]))
    return Printout("\n\n".join(tables), other_sizes(inputs, models[0]))


def profile(options: argparse.Namespace) -> Printout:
    """Return the profiles as text; write JSON and a picture."""
    from prfast.estimate.profiles import profile as profile_of

    given = read_options(options)
    with inputs_of(options) as inputs:
        profiles = inputs.results(profile_of, given)
    write_record(options, inputs.records, inputs.engines, profiles)
    if options.plot:
        from prfast.plots import plot_profiles

        draw(options.plot, plot_profiles(profiles, title=f"{options.method}: {options.real}"))
    return Printout(blocks(profiles), other_sizes(inputs))


def test(options: argparse.Namespace) -> Printout:
    """Return the tests as text; write JSON."""
    from prfast.estimate.two_sample import two_sample_test

    given = read_options(options)
    level = read_share("level", options.level)
    with inputs_of(options, at_least=2) as inputs:
        tests = inputs.results(two_sample_test, given)
    write_record(options, inputs.records, inputs.engines, tests)
    notes = []
    if len(tests) > 1:
        notes.append(
            f"{len(tests)} tests, each at level {level:g}; for {level:g} of all together, use "
            f"--level {level / len(tests):.2g}"
        )
    return Printout(blocks(tests), notes)


def report(options: argparse.Namespace) -> Printout:
    """Write the report of the files, and return the comparison as text."""
    from prfast.comparison.evaluator import Evaluator
    from prfast.comparison.results import Comparison
    from prfast.report.write import check_page, write_report

    if options.output is not None:  # prfast rerun writes none
        check_page(options.output)
    confidence = read_share("confidence", options.confidence)
    given = read_options(options)
    names_of(options)
    Evaluator(**arguments_of(Evaluator, given))  # checks the options
    with inputs_of(options, at_least=2) as inputs:
        evaluate = Evaluator(inputs.real, **arguments_of(Evaluator, given)).evaluate
        results = inputs.each(evaluate, given["progress"])
    comparison = Comparison(results)
    if options.output is not None:
        write_report(
            comparison,
            options.output,
            title=options.title,
            confidence=confidence,
            about={"real samples": options.real, "generated samples": ", ".join(options.fake)},
            random_state=options.seed,
        )
    write_record(options, inputs.records, inputs.engines, comparison)
    return Printout(f"{comparison}\n\nReport written to {options.output}")


def features(options: argparse.Namespace) -> Printout:
    """Write the features of images."""
    from prfast.features.extraction import extract

    extracted = extract(**arguments_of(extract, read_options(options)))
    record, (n, d) = extracted.record, extracted.shape
    left_out = record["inputs"].get("left_out", 0)
    counts = counted(left_out, "file", "files")
    notes = [f"{options.images}: {counts} left out, not of images"] if left_out else []
    return Printout(f"{n} × {d} features of {record['model']} in {options.output}", notes)


def tables(options: argparse.Namespace) -> Printout:
    """Return the comparison of the files; write a report and JSON."""
    from prfast.files.tables import load_frames
    from prfast.records.documents import Input
    from prfast.tables.comparison import compare_tables

    about = {"real table": options.real, "generated tables": ", ".join(options.fake)}
    held_out = [] if options.held_out is None else [options.held_out]
    if held_out:
        about["held-out rows"] = options.held_out
    files = [options.real, *held_out, *options.fake]
    if options.report is not None:
        from prfast.report.write import check_page

        check_page(options.report)
    names = names_of(options)
    given = read_options(options)
    frames = load_frames(files, options.drop or (), options.categories or ())
    real, *held_frames = frames[: 1 + len(held_out)]
    models = dict(zip(names, frames[1 + len(held_out) :], strict=True))
    arguments = arguments_of(compare_tables, given)
    with engines_used() as engines:
        comparison = compare_tables(real, models, *held_frames, **arguments)
    if options.report is not None:
        comparison.report(options.report, title=options.title, about=about)
    roles: list[Any] = ["real", *("held_out" for _ in held_out), *("fake" for _ in names)]
    titles = [None] * (1 + len(held_out)) + names
    records = [
        Input(role, name, path, None, None, None, [*table.shape], "table", None)
        for role, name, path, table in zip(roles, titles, files, frames, strict=True)
    ]
    write_record(options, records, engines, comparison)
    return Printout(str(comparison))
