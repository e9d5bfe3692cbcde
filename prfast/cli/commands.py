"""The commands curve, metrics, profile, test, report, features and tables.

Options are checked before files are opened, files before anything is computed.  With several files
of generated samples the real samples are prepared once; results equal those of a call for each file
to the last bit.

Commands import what they alone use, so that each starts quickly.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from prfast.cli.files import (
    InputRecords,
    Inputs,
    Printout,
    check_outputs,
    check_page,
    class_cautions,
    curve_notes,
    each_model,
    equal_samples,
    few_samples,
    inputs_of,
    other_sizes,
    write_record,
)
from prfast.curve import PRCurve
from prfast.curve.summary import for_record, rows_of_table
from prfast.estimate.curves import pr_curve
from prfast.estimate.diagnostics import Contradiction, contradictions
from prfast.estimate.display import half_widths
from prfast.estimate.notes import full_resolution, legend
from prfast.files.readers import LABELED_TABLES, load_labels
from prfast.files.write import write_whole
from prfast.inputs.arrays import read_labels
from prfast.inputs.concurrency import read_jobs
from prfast.inputs.errors import ArgumentError, WrongValue
from prfast.inputs.options import (
    Progress,
    read_count,
    read_positive,
    read_progress,
    read_seed,
    read_share,
)
from prfast.methods.base import Method, read_context
from prfast.methods.neighbors import NeighborMethod
from prfast.methods.table import read_method, read_run
from prfast.results.info import agreed, made_of
from prfast.results.values import aligned, as_text, counted, for_json, value_and_error, wrapped
from prfast.samples.features import record_of
from prfast.samples.noise import Noise, read_resolution
from prfast.samples.pair import Pair
from prfast.samples.samples import Samples

if TYPE_CHECKING:
    from prfast.comparison.evaluator import Evaluator
    from prfast.estimate.profiles import Profile
    from prfast.scalars.measure import Metrics

# ---- options of the curves -----------------------------------------------------------------------


def names_of(options: argparse.Namespace) -> list[str]:
    """Return the names of the models, by default their files."""
    names: list[str] = options.names or options.fake
    if len(names) != len(options.fake):
        expected = counted(len(options.fake), "name", "names")
        raise ValueError(f"--names: {expected} expected, got {len(names)}")
    if len(set(names)) < len(names):
        hint = "" if options.names else "; they are the files by default"
        raise ValueError(f"--names: names that differ expected{hint}")
    return names


def curve_options(options: argparse.Namespace) -> tuple[Method, dict[str, Any]]:
    """Return the method and the settings of `pr_curve`, checked before any file is opened."""
    named = dict(_name_and_value(text) for text in options.option)
    flags = {name: getattr(options, name) for name in ("k", "ties", "backend")}
    flags = {name: value for name, value in flags.items() if value is not None}
    for name in flags.keys() & named.keys():
        raise ValueError(f"--{name}: once expected, got --option {name}={named[name]} too")
    of_method = named | flags
    settings: dict[str, Any] = {"random_state": options.seed, "n_jobs": options.jobs}
    settings |= {name: of_method.pop(name) for name in ("memory", "progress") if name in of_method}
    try:
        read_context(**settings)
        method = read_method(options.method, of_method)
    except ArgumentError as error:
        name = error.argument
        raise (error.renamed(f"--option {name}") if name in named else error) from None
    split = read_run(method, _split(options.split)).split
    # One progress bar for all models; None shows it on a terminal only.
    settings["progress"] = read_progress(settings.get("progress"))
    return method, settings | {"split": split}


def _name_and_value(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise ValueError(f"--option: NAME=VALUE expected, got {text!r}")
    try:
        return name, json.loads(value)
    except (json.JSONDecodeError, RecursionError):
        return name, value


def _split(text: str) -> float | str | None:
    try:
        return float(text)
    except ValueError:
        return None if text == "none" else text


def noise_of(options: argparse.Namespace) -> Noise:
    """Return the noise of --noise and --categories."""
    return Noise(options.noise, categories=options.categories)


def resolution_of(options: argparse.Namespace) -> float:
    """Return the resolution of --resolution."""
    sigma = read_resolution("resolution", options.resolution)
    if sigma and options.cluster is not None:
        raise WrongValue("resolution", f"0 expected with --cluster, got {sigma}")
    return sigma


def resolutions_of(options: argparse.Namespace) -> tuple[float, ...]:
    """Return the resolutions of --resolutions."""
    from prfast.estimate.profiles import read_resolutions

    words = options.resolutions in ("auto", ["auto"])
    return read_resolutions("auto" if words else options.resolutions)


def search_options(method: Method) -> dict[str, Any]:
    """Return the options of a method that metrics have as well."""
    return {name: getattr(method, name) for name in ("ties", "backend") if hasattr(method, name)}


def evaluator_of(real: Any, method: Method, settings: dict[str, Any], **metrics: Any) -> Evaluator:
    """Return an evaluator whose curve is that of `pr_curve` with these settings."""
    from prfast.comparison.evaluator import Evaluator

    return Evaluator(real, method, **settings, **search_options(method), **metrics)


# ---- prfast curve --------------------------------------------------------------------------------


def curve(options: argparse.Namespace) -> Printout:
    """Return a table of the curves; write JSON and pictures."""
    check_outputs([options.real, *options.fake], json=options.json, plot=options.plot)
    view, view_options = _view(options)
    if options.confidence is not None:
        read_share("confidence", options.confidence)
        if options.plot and view != "pr":
            got = f"--plot draws it with --view pr only, got --view {view}"
            raise WrongValue("confidence", got)
    method, settings = curve_options(options)
    sigma, noise = resolution_of(options), noise_of(options)
    divergences = None if options.divergences is None else options.divergences.split(",")
    if divergences is not None:
        from prfast.theory.divergences import divergence_table, read_names

        read_names(divergences, "divergences")
    names = names_of(options)
    if options.labels is not None or options.group_by is not None:
        return _classes(options, method, settings, names)
    with inputs_of(options, names) as inputs:
        estimate: Callable[[Any], PRCurve] = partial(
            pr_curve,
            inputs.named_real,
            method=method,
            resolution=sigma,
            noise=noise,
            **settings,
        )
        # Others have nothing to prepare; for one file it would not pay.
        prepares = isinstance(method, NeighborMethod) and len(names) > 1
        if prepares and not sigma and not any(inputs.designs):
            # The metrics are not used; these are valid for every number of real samples.
            unused = {"metrics_k": 1, "which": "precision"}
            estimate = evaluator_of(inputs.named_real, method, settings, **unused).curve
        curves = inputs.each(estimate, settings["progress"])
        notes = [*curve_notes(names, curves), *equal_samples(inputs, curves)]
        notes += [*other_sizes(inputs), *full_resolution(dict(zip(names, curves, strict=True)))]
    tables = [curve_table(names, curves)]
    besides: list[dict[str, Any]] = [{} for _ in curves]  # what entries of JSON have in addition
    if options.confidence is not None:
        uppers = _uppers(names, curves, options.confidence)
        tables.append(upper_table(names, uppers))
        for entry, upper in zip(besides, uppers, strict=True):
            entry["upper"] = {**for_record(upper), "curve": upper.to_dict()}
    if divergences:
        from prfast.records.documents import plain_key

        values = [divergence_table(one, divergences) for one in curves]
        tables.append(divergences_table(names, values))
        for entry, of_one in zip(besides, values, strict=True):
            entry["divergences"] = {plain_key(key): for_json(x) for key, x in of_one.items()}
    if options.json:
        from prfast.records.documents import curve_entry

        entries = each_model(options, curve_entry, curves)
        entries = [entry | more for entry, more in zip(entries, besides, strict=True)]
        write_record(options, inputs, {"curves": entries})
    if options.plot:
        if options.confidence is not None:
            view_options["band"] = options.confidence
        from prfast.plots.views import VIEWS

        title = f"{options.method}: {options.real}"
        figure = VIEWS[view](curves, labels=names, title=title, **view_options).figure
        write_whole(options.plot, lambda path: figure.savefig(path, dpi=150))
    for name, one in zip(names, curves, strict=True):
        notes += [f"{name}: {caution}" for caution in contradictions({options.method: one})]
    return Printout("\n\n".join(tables), notes)


def _view(options: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """Return the view of --plot and its options."""
    chosen: dict[str, Any] = {}
    if options.order is not None:
        chosen["order"] = read_positive("order", options.order)
    if options.inclusive:
        chosen["inclusive"] = True
    if chosen and options.view != "frontier":
        raise ValueError(f"--{next(iter(chosen))}: only with --view frontier")
    if options.view is not None and options.plot is None:
        raise ValueError("--view: only with --plot, which draws it")
    return options.view or "pr", chosen


def _uppers(names: Sequence[str], curves: Sequence[PRCurve], confidence: float) -> list[PRCurve]:
    """Return the upper confidence bounds of the curves; errors name the model."""
    bounds = []
    for name, one in zip(names, curves, strict=True):
        try:
            bounds.append(one.upper(confidence))
        except ArgumentError as error:
            raise error.renamed(f"--confidence: {name}") from None
    return bounds


# Options that are for curves of all samples only.
_NOT_OF_CLASSES = (
    "plot",
    "view",
    "divergences",
    "confidence",
    "cluster",
    "resolution",
)


def _classes(
    options: argparse.Namespace, method: Method, settings: dict[str, Any], names: Sequence[str]
) -> Printout:
    """Return a table of the classes for each model, and write JSON."""
    from prfast.comparison.classes import by_class
    from prfast.records.documents import classes_entry

    paths = _check_classes(options)
    settings = settings | search_options(method)
    with inputs_of(options, names, at_least=2) as inputs:
        of_real, *of_fakes = labels = _labels(paths, inputs)
        notes = [*equal_samples(inputs), *other_sizes(inputs)]

        def grouped(fake: Any, of_fake: Any, **design: Any) -> Any:
            return by_class(inputs.real, fake, of_real, of_fake, method, **settings, **design)

        groups = inputs.each(grouped, settings["progress"], of_fakes)
    if options.group_by is None:
        for path, one in zip(paths, labels, strict=True):
            inputs.add_record(options, "labels", one, path)
    write_record(options, inputs, {"classes": each_model(options, classes_entry, groups)})
    for name, one in zip(names, groups, strict=True):
        notes += class_cautions(name, one)
    tables = (f"{name}\n{one}" for name, one in zip(names, groups, strict=True))
    return Printout("\n\n".join(tables), notes)


def _check_classes(options: argparse.Namespace) -> list[str]:
    """Return the files of labels, with --group-by columns of the samples' files.

    That column is then one of those that are no features.

    Raises
    ------
    ValueError
        Options that exclude classes.
    """
    if options.labels is not None and options.group_by is not None:
        raise ValueError("--labels: --group-by names a column instead; one of both expected")
    option = "--group-by" if options.labels is None else "--labels"
    for name in _NOT_OF_CLASSES:
        if getattr(options, name) not in (None, 0.0):
            raise ValueError(f"{option}: classes are in the table and --json; got --{name}")
    files = [options.real, *options.fake]
    if options.group_by is None:
        if len(options.labels) != len(files):
            raise ValueError(
                f"--labels: {len(files)} files expected, of real samples and of each model, "
                f"got {len(options.labels)}"
            )
        return list(options.labels)
    for path in files:
        if os.path.splitext(path)[1].lower() not in LABELED_TABLES:
            raise ValueError(
                f"--group-by: tables expected, {' or '.join(LABELED_TABLES)}, got {path}; --labels "
                "takes labels of any samples"
            )
    options.drop = [*(options.drop or ()), options.group_by]
    return [f"{path}:{options.group_by}" for path in files]


def _labels(paths: Sequence[str], inputs: Inputs) -> list[Any]:
    """Return the validated labels of all files, one a sample."""
    checked = []
    sizes = [len(inputs.real), *inputs.sizes]
    for path, labels, size in zip(paths, load_labels(paths), sizes, strict=True):
        try:
            checked.append(read_labels("labels", labels, size))
        except ArgumentError as error:
            raise error.at(path) from None
    return checked


# ---- prfast metrics ------------------------------------------------------------------------------


def metrics(options: argparse.Namespace) -> Printout:
    """Return tables of the metrics for each k, and write JSON."""
    from prfast.neighbors import CachedSearch
    from prfast.records.documents import metrics_entry
    from prfast.scalars.api import metrics as metrics_of
    from prfast.scalars.api import read_metric_options
    from prfast.scalars.measure import measure
    from prfast.scalars.options import ReferenceCache
    from prfast.scalars.table import notes_of_metrics

    check_outputs([options.real, *options.fake], json=options.json)
    of_metrics: dict[str, Any] = {
        "k": options.k if isinstance(options.k, list) else [options.k],
        "which": options.which,
        "ties": options.ties,
        "kernel_subsets": options.kernel_subsets,
        "kernel_subset_size": options.kernel_subset_size,
        "random_state": read_seed(options.seed),
    }
    config = read_metric_options(**of_metrics)
    settings: dict[str, Any] = {"n_jobs": read_jobs(options.jobs), "progress": Progress()}
    sigma, noise = resolution_of(options), noise_of(options)
    names = names_of(options)
    with inputs_of(options, names, at_least=2) as inputs:
        notes = [*notes_of_metrics(config.names), *few_samples(inputs), *equal_samples(inputs)]
        real = Samples.read("real", inputs.real)
        search = CachedSearch([real.points], backend=options.backend, **settings)
        cache: ReferenceCache = {}

        def measured(fake: Any, **design: Any) -> Any:
            # Nothing is prepared: samples of weight 0 are left out, and smoothed real samples
            # depend on the dtype of both sets.
            if sigma or design:
                design |= {"resolution": sigma, "noise": noise, "backend": options.backend}
                return metrics_of(inputs.named_real, fake, **of_metrics, **design, **settings)
            return measure(Pair(real, Samples.read("fake", fake)), config, search, cache)

        results = inputs.each(measured, search.progress)
    models = each_model(options, lambda *one: one, results)
    entries = [metrics_entry(who, one) for who, by_k in models for one in by_k.values()]
    write_record(options, inputs, {"metrics": entries})
    return Printout(metrics_table(names, results), notes)


# ---- prfast profile ------------------------------------------------------------------------------


def profile(options: argparse.Namespace) -> Printout:
    """Return tables of the profiles; write JSON and a picture."""
    from prfast.estimate.profiles import profile as profile_of
    from prfast.records.documents import profile_entry

    check_outputs([options.real, *options.fake], json=options.json, plot=options.plot)
    method, settings = curve_options(options)
    settings |= {"resolutions": resolutions_of(options), "noise": noise_of(options)}
    names = names_of(options)
    with inputs_of(options, names) as inputs:
        estimate = partial(profile_of, inputs.named_real, method=method, **settings)
        profiles = inputs.each(estimate, settings["progress"])
        finest = [next(iter(one.estimates.values())) for one in profiles]
        notes = [*equal_samples(inputs, finest), *other_sizes(inputs)]
    write_record(options, inputs, {"profiles": each_model(options, profile_entry, profiles)})
    if options.plot:
        from prfast.plots.summaries import plot_profile, plot_profiles

        title = f"{options.method}: {options.real}"
        if len(profiles) == 1:
            figure: Any = plot_profile(profiles[0], title=f"{title}, {names[0]}").figure
        else:
            figure = plot_profiles(dict(zip(names, profiles, strict=True)), title=title).figure
        write_whole(options.plot, lambda path: figure.savefig(path, dpi=150))
    for name, one in zip(names, profiles, strict=True):
        each = (contradictions({options.method: curve}) for curve in one.estimates.values())
        notes += dict.fromkeys(f"{name}: {text}" for cautions in each for text in cautions)
    tables = [f"{name}\n{one}" for name, one in zip(names, profiles, strict=True)]
    if len(profiles) > 1:
        tables = [profiles_table(names, profiles), *tables]
    return Printout("\n\n".join(tables), notes)


# ---- prfast test ---------------------------------------------------------------------------------


def test(options: argparse.Namespace) -> Printout:
    """Return a line for each file, with the p-value; write JSON."""
    from prfast.estimate.two_sample import two_sample_test

    check_outputs([options.real, *options.fake], json=options.json)
    level = read_share("level", options.level)
    settings: dict[str, Any] = {"random_state": read_seed(options.seed)}
    settings |= {"n_jobs": read_jobs(options.jobs), "progress": Progress(), "level": level}
    names = names_of(options)
    with inputs_of(options, names, at_least=2) as inputs:
        tested = partial(two_sample_test, inputs.named_real, **settings)
        tests = inputs.each(tested, settings["progress"])
    entries = each_model(options, lambda who, one: who | one.to_dict(), tests)
    write_record(options, inputs, {"tests": entries})
    lines = [" ".join([*one.sentences(), f"Tested: {one.tested}."]) for one in tests]
    notes = [
        f"{name}: {one.caution}" for name, one in zip(names, tests, strict=True) if one.caution
    ]
    if len(tests) > 1:
        lines = [f"{name}: {line}" for name, line in zip(names, lines, strict=True)]
        notes.append(
            f"{len(tests)} tests, each at level {level:g}; at level {level / len(tests):.2g} none "
            f"of them rejects by chance with a probability of at least {1 - level:g}"
        )
    return Printout("\n".join(lines), notes)


# ---- prfast report -------------------------------------------------------------------------------


def report(options: argparse.Namespace) -> Printout:
    """Write the report of the files."""
    from prfast.comparison.results import Comparison, or_failure
    from prfast.records.documents import entries_of
    from prfast.report.write import write_report
    from prfast.scalars.api import read_metric_options

    files = [options.real, *options.fake]
    check_outputs(files, json=options.json, output=options.output)
    check_page(options.output)  # prfast rerun writes none
    names = names_of(options)
    confidence = read_share("confidence", options.confidence)
    method, settings = curve_options(options)
    of_metrics = {
        "metrics_k": read_count("metrics_k", options.metrics_k),
        "which": options.which,
        "halvings": read_count("halvings", options.halvings, at_least=0),
    }
    read_metric_options(options.metrics_k, options.which, getattr(method, "ties", "closed"))
    noise = noise_of(options)
    if options.resolutions is not None:
        of_metrics |= {"resolutions": resolutions_of(options), "noise": noise}
    with inputs_of(options, names, at_least=2) as inputs:
        evaluate = evaluator_of(inputs.named_real, method, settings, **of_metrics).evaluate
        results = inputs.each(partial(or_failure, evaluate), settings["progress"])
        evaluations = Comparison(dict(zip(names, results, strict=True)))
        curves = {name: one.curve for name, one in evaluations.items()}
        notes = list(equal_samples(inputs, [curves.get(name) for name in names]))
    if options.output is not None:
        write_report(
            evaluations,
            options.output,
            title=options.title,
            confidence=confidence,
            about={"real samples": options.real, "generated samples": ", ".join(options.fake)},
            notes=notes,
            random_state=options.seed,
        )
    models = zip(names, each_model(options), strict=True)
    parts = [entries_of(evaluations[name], who) for name, who in models if name in evaluations]
    write_record(
        options, inputs, {kind: [one for part in parts for one in part[kind]] for kind in parts[0]}
    )
    notes = [*curve_notes([*curves], [*curves.values()]), *notes]
    notes += [f"{name}: {text}" for name, one in evaluations.items() for text in one.cautions()]
    return Printout(f"Report written to {options.output}", notes)


# ---- prfast features -----------------------------------------------------------------------------


def features(options: argparse.Namespace) -> Printout:
    """Write the features of images."""
    from prfast.features.extraction import extract

    check_outputs([options.images], output=options.output)
    extracted = extract(
        options.images,
        options.model,
        out=options.output,
        batch_size=options.batch_size,
        device=options.device,
        n_jobs=read_jobs(options.jobs),
    )
    record = record_of(extracted) or {}
    notes = []
    if left_out := record["inputs"].get("left_out", 0):
        counts = counted(left_out, "file", "files")
        notes.append(f"{options.images}: {counts} left out, not of images")
    n, d = extracted.shape
    return Printout(f"{n} × {d} features of {record['model']} in {options.output}", notes)


# ---- prfast tables -------------------------------------------------------------------------------


def tables(options: argparse.Namespace) -> Printout:
    """Return the comparison of the files; write a report, JSON and a picture."""
    from prfast.files.tables import load_frames
    from prfast.neighbors.search import record_engines
    from prfast.plots.summaries import plot_columns
    from prfast.records.documents import Input, entries_of
    from prfast.tables.comparison import compare_tables
    from prfast.tables.results import HELD_OUT

    held_out = [] if options.held_out is None else [options.held_out]
    files = [options.real, *held_out, *options.fake]
    check_outputs(files, json=options.json, plot=options.plot, report=options.report)
    check_page(options.report)
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
            raise _with_tables(error, options, names) from None
    if options.report is not None:
        about = {"real table": options.real, "generated tables": ", ".join(options.fake)}
        if held_out:
            about["held-out rows"] = options.held_out
        comparison.report(options.report, title=options.title, about=about)
    if options.plot:
        figure: Any = plot_columns(comparison, title=options.real).figure
        write_whole(options.plot, lambda path: figure.savefig(path, dpi=150, bbox_inches="tight"))
    entries: dict[str, list[Any]] = {}
    who = dict(zip(names, each_model(options), strict=True)) | {HELD_OUT: {"name": HELD_OUT}}
    for name, one in comparison.items():
        own = who[name]
        for kind, some in entries_of(one, own).items():
            entries.setdefault(kind, []).extend(some)
    read: list[Any] = [
        ("real", None, options.real, real),
        ("held_out", None, options.held_out, held_frame),
    ]
    read += [("fake", *one) for one in zip(names, options.fake, others, strict=True)]
    records = [
        Input(role, name, path, None, None, None, [*table.shape], "table", None)
        for role, name, path, table in read
        if table is not None
    ]
    write_record(options, InputRecords(records, engines), entries)
    return Printout(str(comparison))


def _with_tables(error: ArgumentError, options: argparse.Namespace, names: list[str]) -> Exception:
    """Return an error on tables with their files in place of the arguments; others unchanged."""
    if not error.argument.startswith(("real", "held_out", "models")):
        return error
    text = str(error)
    for name, path in zip(names, options.fake, strict=True):
        text = text.replace(f"models[{name!r}]", path)
    files = {"real": options.real, "held_out": options.held_out}
    return ValueError(re.sub(r"\b(real|held_out)(?=[ :,\[;]|$)", lambda x: str(files[x[1]]), text))


# ---- text tables ---------------------------------------------------------------------------------


def curve_table(names: Sequence[str], curves: Sequence[PRCurve]) -> str:
    """Return a line for each file, the explanation of ±, and the info common to all curves."""
    rows = rows_of_table("table")
    halves = [half_widths(one) for one in curves]
    lines = [["", *(row.title for row in rows)]]
    for name, one, half in zip(names, curves, halves, strict=True):
        cells = (value_and_error(row.value(one), half.get(row.key)) for row in rows)
        lines.append([name, *cells])
    below = [wrapped(legend())] if any(halves) else []
    return "\n".join([*aligned(lines, least=10), "", *below, _common(one.info for one in curves)])


def upper_table(names: Sequence[str], uppers: Sequence[PRCurve]) -> str:
    """Return a table of upper confidence bounds; for the total variation they are lower bounds."""
    rows = rows_of_table("table")
    lines = [["", *(f"{row.title} {'≤' if row.larger_is_better else '≥'}" for row in rows)]]
    for name, one in zip(names, uppers, strict=True):
        lines.append([name, *(as_text(row.value(one), ".4f") for row in rows)])
    made = uppers[0].provenance
    certified = "certified" if all(one.provenance.certified for one in uppers) else "empirical"
    sentence = f"{100 * (made.confidence or 0):g} % confidence, {certified}, bound {made.bound}"
    return "\n".join([*aligned(lines, least=10), "", sentence])


def divergences_table(names: Sequence[str], values: Sequence[Mapping[str, float]]) -> str:
    """Return a line for each file, and what the scales of the divergences are."""
    from prfast.theory.phi import scales

    lines = [
        [name, *(as_text(value, ".5g") for value in one.values())]
        for name, one in zip(names, values, strict=True)
    ]
    below = [text] if (text := scales(values[0])) else []
    return "\n".join([*aligned([["divergence", *values[0]], *lines], least=8), *below])


def profiles_table(names: Sequence[str], profiles: Sequence[Profile]) -> str:
    """Return a line for each model: the area at each resolution, and the summary numbers."""
    from prfast.estimate.profile_notes import range_text

    sigmas = profiles[0].resolutions
    summary = [name.replace("_", " ") for name in profiles[0].summary()]
    lines = [["area at resolution", *(f"{sigma:g}" for sigma in sigmas), *summary]]
    for name, one in zip(names, profiles, strict=True):
        areas = (f"{area.value:.3f}" for area in one.intervals("area"))
        half, matching, coarse = one.summary().values()
        reached = (range_text(number, sigmas[0], sigmas[-1]) for number in (half, matching))
        lines.append([name, *areas, *reached, str(coarse)])
    return "\n".join(aligned(lines))


def metrics_table(names: Sequence[str], results: Sequence[dict[int, Metrics]]) -> str:
    """Return a block for each k, with a line for each file."""
    lines = []
    for k, first in results[0].items():
        rows = [
            [name, *(one[k].text(key) for key in first)]
            for name, one in zip(names, results, strict=True)
        ]
        lines += [*aligned([[f"k = {k}", *first], *rows], least=8), ""]
    if any(one.errors for by_k in results for one in by_k.values()):
        lines += [legend(of_scorer=False), ""]
    infos = (one.info for by_k in results for one in by_k.values())
    return "\n".join([*lines, _common(infos, but="k")])


def _common(infos: Iterator[Mapping[str, Any]], but: str = "") -> str:
    """Return in one line how all results were made; `but`: a key of their infos to leave out."""
    return wrapped(made_of(agreed(list(infos)), but))
