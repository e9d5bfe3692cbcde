"""The commands curve, metrics, report and features.

Options are checked before files are opened, files before anything is computed.  With several files
of generated samples the real samples are prepared once; results equal those of a call for each file
to the last bit.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from prfast.cli.files import (
    Inputs,
    check_outputs,
    class_cautions,
    curve_notes,
    each_model,
    equal_samples,
    few_samples,
    inputs_of,
    other_sizes,
    write_record,
)
from prfast.cli.terminal import json_text, note, say
from prfast.comparison.classes import by_class
from prfast.comparison.evaluator import Evaluator
from prfast.comparison.results import cell
from prfast.curve import PRCurve
from prfast.curve.curve import legend
from prfast.curve.summary import for_record, shown
from prfast.estimate.curves import pr_curve
from prfast.estimate.explain import half_widths
from prfast.estimate.guard import contradictions
from prfast.files.labels import KINDS, load_labels
from prfast.files.load import load_array
from prfast.files.write import write_whole
from prfast.inputs.arrays import read_labels
from prfast.inputs.errors import ArgumentError, WrongValue
from prfast.inputs.features import features_info, plain, record_of
from prfast.inputs.options import (
    Progress,
    read_count,
    read_jobs,
    read_positive,
    read_progress,
    read_seed,
    read_share,
)
from prfast.methods.base import read_context, split_share
from prfast.methods.neighbors import NEIGHBOR_METHODS, check_k, read_k
from prfast.methods.table import METHODS, read_method
from prfast.neighbors import Remembering
from prfast.plots.views import ROWS, VIEWS, view_record
from prfast.records.record import (
    classes_entry,
    curve_entry,
    entries_of,
    metrics_entry,
    plain_key,
)
from prfast.results.info import agreed, scalars
from prfast.results.values import aligned, as_text, counted, for_json
from prfast.scalars.api import read_metric_options
from prfast.scalars.measure import check_sizes, measure
from prfast.scalars.result import Metrics
from prfast.scalars.table import ReferenceCache
from prfast.theory.critics import divergence_table, read_names
from prfast.theory.phi import scales

# ---- options of the curves -----------------------------------------------------------------------

OF_CLASSES = ("auto", *NEIGHBOR_METHODS)  # methods of `by_class`
OWN = frozenset({"folds", "fitted", "curve_estimator"})  # options of `pr_curve` with "auto" only


def names_of(options: argparse.Namespace, files_differ: bool = False) -> list[str]:
    """Return the names of the models, by default their files.

    files_differ: refuse default names that are equal, too.
    """
    given = options.names is not None
    names: list[str] = options.names if given else options.fake
    if len(names) != len(options.fake):
        expected = counted(len(options.fake), "name", "names")
        raise ValueError(f"--names: {expected} expected, got {len(names)}")
    if (given or files_differ) and len(set(names)) < len(names):
        hint = "" if given else "; they are the files by default"
        raise ValueError(f"--names: names that differ expected{hint}")
    return names


def curve_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options of `pr_curve`, checked."""
    named = dict(_name_and_value(text) for text in options.option)
    settings = dict(named)
    for name in ("k", "ties", "backend"):
        value = getattr(options, name)
        if value is None:
            continue
        if name in settings:
            raise ValueError(f"--{name}: once expected, got --option {name}={settings[name]} too")
        settings[name] = value
    seed, jobs = read_seed(options.seed), read_jobs(options.jobs)
    of_call = {name: settings[name] for name in ("memory", "progress") if name in settings}
    try:
        read_context(seed, jobs, **of_call)
        own = {name: value for name, value in settings.items() if name not in of_call}
        read_method(options.method, own)
    except ArgumentError as error:
        name = error.argument
        raise (error.renamed(f"--option {name}") if name in named else error) from None
    split = _split(options.split)
    if not METHODS[options.method].has_split and split not in ("auto", None):
        raise WrongValue("split", f"none expected for method {options.method!r}, got {split!r}")
    # One progress bar for all models; None shows it on a terminal only.
    settings["progress"] = read_progress(settings.get("progress"))
    return settings | {"split": split, "random_state": seed, "n_jobs": jobs}


def _name_and_value(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise ValueError(f"--option: NAME=VALUE expected, got {text!r}")
    try:
        return name, json.loads(value)
    except (json.JSONDecodeError, RecursionError):
        return name, value


def _split(text: str) -> float | str | None:
    if text in ("auto", "bernoulli"):
        return text
    if text == "none":
        return None
    try:
        return read_share("split", float(text))
    except ValueError:
        words = "auto, bernoulli, none or a share in (0, 1)"
        raise WrongValue("split", f"{words} expected, got {text!r}") from None


def check_enough(method: str, settings: dict[str, Any], n: int, m: int) -> None:
    """Raise the error of a method that counts neighbors for too few samples, before any work."""
    split = METHODS[method].split if settings["split"] == "auto" else settings["split"]
    if method not in NEIGHBOR_METHODS or isinstance(split, str):  # halves of random size
        return
    train = n, m
    if split is not None:
        part = split_share(n, m, split, settings["random_state"])
        train = len(part.real_train), len(part.fake_train)
    check_k(method, read_k(settings.get("k", "sqrt"), range(train[0])), *train)


_OF_METRICS = ("ties", "backend")  # options of the method that metrics have, too
_OF_CALLS = ("split", "random_state", "n_jobs", "memory", "progress")  # of calls, not of methods


def evaluator_of(real: Any, method: str, settings: dict[str, Any], **of_metrics: Any) -> Evaluator:
    """Return an evaluator whose curve is that of `pr_curve` with these settings."""
    own = {name: value for name, value in settings.items() if name not in _OF_CALLS}
    shared = {x: settings[x] for x in (*_OF_CALLS, *_OF_METRICS) if x in settings}
    return Evaluator(real, read_method(method, own), **shared, **of_metrics)


# ---- prfast curve --------------------------------------------------------------------------------


def curve(options: argparse.Namespace) -> None:
    """Print a table of the curves; write JSON and pictures."""
    check_outputs([options.real, *options.fake], json=options.json, plot=options.plot)
    view, view_options = _view(options)
    if options.confidence is not None:
        read_share("confidence", options.confidence)
        if options.plot and view != "pr":
            got = f"--plot draws it with --view pr only, got --view {view}"
            raise WrongValue("confidence", got)
    settings = curve_options(options)
    divergences = None if options.divergences is None else options.divergences.split(",")
    if divergences is not None:
        read_names(divergences, "divergences")
    names = names_of(options)
    if options.labels is not None or options.group_by is not None:
        _classes(options, settings, names)
        return
    method = options.method
    with inputs_of(options, names) as inputs:
        inputs.check(partial(check_enough, method, settings))
        estimate: Callable[[Any], PRCurve] = partial(
            pr_curve, inputs.named_real, method=method, **settings
        )
        if method in NEIGHBOR_METHODS:  # others have nothing to prepare
            # The metrics are not used; these are valid for every number of real samples.
            unused = {"metrics_k": 1, "which": "precision"}
            estimate = evaluator_of(inputs.named_real, method, settings, **unused).curve
        curves = inputs.each(estimate, settings["progress"])
        notes = [*curve_notes(names, curves), *equal_samples(inputs, curves)]
        notes += other_sizes(inputs)
    tables = [] if options.json == "-" else [curve_table(names, curves)]
    besides: list[dict[str, Any]] = [{} for _ in curves]  # what entries of JSON have in addition
    if options.confidence is not None:
        uppers = _uppers(names, curves, options.confidence)
        tables.append(upper_table(names, uppers))
        for entry, upper in zip(besides, uppers, strict=True):
            entry["upper"] = {**for_record(upper), "curve": upper.to_dict()}
    if divergences:
        values = [divergence_table(one, divergences) for one in curves]
        tables.append(divergences_table(names, values))
        for entry, of_one in zip(besides, values, strict=True):
            entry["divergences"] = {plain_key(key): for_json(x) for key, x in of_one.items()}
    if options.view:
        for entry, one in zip(besides, curves, strict=True):
            entry["view"] = view_record(one, view, **view_options)
    if options.json:
        models = zip(each_model(options), curves, besides, strict=True)
        entries = [curve_entry(who, one) | more for who, one, more in models]
        write_record(options, inputs, {"curves": entries})
    if options.plot:
        if options.confidence is not None:
            view_options["band"] = options.confidence
        title = f"{method}: {options.real}"
        figure = VIEWS[view](curves, labels=names, title=title, **view_options).figure
        write_whole(options.plot, lambda path: figure.savefig(path, dpi=150))
    for name, one in zip(names, curves, strict=True):
        notes += [f"{name}: {caution}" for caution in contradictions({method: one})]
    _finish(options, notes, "\n\n".join(tables))


def _finish(options: argparse.Namespace, notes: Sequence[str], text: str) -> None:
    """Print notes and tables, after files are written: a closed terminal does not lose them."""
    for one in notes:
        note(one)
    if options.json != "-":
        say(text)


def _view(options: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """Return the view and its options; raise ValueError for options without an effect.

    Conflicts are reported before a missing output file, as that file would not resolve them.
    """
    view = options.view or next(iter(ROWS))
    values = {"order": options.order, "inclusive": options.inclusive or None}
    found = {name: value for name, value in values.items() if value is not None}
    for name in found:
        having = [one for one, row in ROWS.items() if name in (*row.options, *row.flags)]
        if view not in having:
            raise ValueError(f"--{name}: only with --view {' or '.join(having)}")
    if "order" in found:
        found["order"] = read_positive("order", found["order"])
    if options.view and not options.plot and not options.json:
        raise ValueError(f"--view {options.view}: --plot or --json expected as well, to hold it")
    return view, found


def _uppers(names: Sequence[str], curves: Sequence[PRCurve], confidence: float) -> list[PRCurve]:
    """Return the upper confidence bounds of the curves; errors name the model."""
    found = []
    for name, one in zip(names, curves, strict=True):
        try:
            found.append(one.upper(confidence))
        except ArgumentError as error:
            raise error.renamed(f"--confidence: {name}") from None
    return found


# Options that are for curves of all samples only.
_NOT_OF_CLASSES = ("plot", "view", "divergences", "confidence", "cluster")


def _classes(options: argparse.Namespace, settings: dict[str, Any], names: Sequence[str]) -> None:
    """Print a table of the classes for each model, and write JSON."""
    paths = _check_classes(options, settings)
    with inputs_of(options, names, at_least=2) as inputs:
        inputs.check(partial(check_enough, options.method, settings))
        of_real, *of_fakes = labels = _labels(paths, inputs)
        notes = [*equal_samples(inputs), *other_sizes(inputs)]

        def grouped(fake: Any, of_fake: Any) -> Any:
            return by_class(inputs.real, fake, of_real, of_fake, options.method, **settings)

        groups = inputs.each(grouped, settings["progress"], of_fakes)
    if options.group_by is None:
        for path, one in zip(paths, labels, strict=True):
            inputs.add_record(options, "labels", one, path)
    models = zip(each_model(options), groups, strict=True)
    write_record(options, inputs, {"classes": [classes_entry(*one) for one in models]})
    for name, one in zip(names, groups, strict=True):
        notes += class_cautions(name, one)
    tables = (f"{name}\n{one}" for name, one in zip(names, groups, strict=True))
    _finish(options, notes, "\n\n".join(tables))


def _check_classes(options: argparse.Namespace, settings: dict[str, Any]) -> list[str]:
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
        if getattr(options, name) is not None:
            raise ValueError(f"{option}: classes are in the table and --json; got --{name}")
    if options.method not in OF_CLASSES:
        known = ", ".join(OF_CLASSES)
        raise ValueError(f"--method: {known} expected with {option}, got {options.method!r}")
    if settings["split"] == "bernoulli":
        raise ValueError(f"--split: none or a share expected with {option}, got 'bernoulli'")
    if own := sorted(OWN & settings.keys()):
        raise ValueError(f"--option: none of auto's own expected with {option}, got {own[0]}")
    files = [options.real, *options.fake]
    if options.group_by is None:
        if len(options.labels) != len(files):
            raise ValueError(
                f"--labels: {len(files)} files expected, of real samples and of each model, "
                f"got {len(options.labels)}"
            )
        return list(options.labels)
    for path in files:
        if Path(path).suffix.lower() not in KINDS:
            raise ValueError(
                f"--group-by: tables expected, {' or '.join(KINDS)}, got {path}; --labels "
                "takes labels of any samples"
            )
    options.drop = [*(options.drop or ()), options.group_by]
    return [f"{path}:{options.group_by}" for path in files]


def _labels(paths: Sequence[str], inputs: Inputs) -> list[Any]:
    """Return the validated labels of all files, one a sample."""
    found = []
    sizes = [len(inputs.real), *inputs.sizes]
    for path, labels, size in zip(paths, load_labels(paths), sizes, strict=True):
        try:
            found.append(read_labels("labels", labels, size))
        except ArgumentError as error:
            raise error.at(path) from None
    return found


# ---- prfast metrics ------------------------------------------------------------------------------


def metrics(options: argparse.Namespace) -> None:
    """Print tables of the metrics for each k and write JSON."""
    check_outputs([options.real, *options.fake], json=options.json)
    wanted = read_metric_options(
        options.k if isinstance(options.k, list) else [options.k],
        options.which,
        options.ties,
        kernel_subsets=options.kernel_subsets,
        kernel_subset_size=options.kernel_subset_size,
        random_state=read_seed(options.seed),
    )
    settings = {"n_jobs": read_jobs(options.jobs), "progress": Progress()}
    names = names_of(options)
    with inputs_of(options, names, at_least=2) as inputs:
        notes = [*few_samples(inputs), *equal_samples(inputs)]
        inputs.check(lambda n, m: check_sizes(n, m, wanted))
        real = plain(inputs.real)
        search = Remembering([real], backend=options.backend, **settings)
        cache: ReferenceCache = {}

        def measured(fake: Any) -> dict[int, Metrics]:
            features = features_info(inputs.real, fake)
            return measure(real, plain(fake), wanted, search, cache, features)

        found = inputs.each(measured, search.progress)
    models = zip(each_model(options), found, strict=True)
    entries = [metrics_entry(who, one) for who, by_k in models for one in by_k.values()]
    write_record(options, inputs, {"metrics": entries})
    _finish(options, notes, metrics_table(names, found))


# ---- prfast report -------------------------------------------------------------------------------


def report(options: argparse.Namespace) -> None:
    """Write the report of the files."""
    from prfast.report.write import load_libraries, write_report

    files = [options.real, *options.fake]
    check_outputs(files, json=options.json, output=options.output)
    if options.output is not None:  # prfast rerun writes none
        if not options.output.lower().endswith((".html", ".htm")):
            raise ValueError(f"{options.output}: a file ending in .html expected")
        load_libraries()
    names = names_of(options, files_differ=True)
    order = read_positive("order", options.order)
    confidence = read_share("confidence", options.confidence)
    method, settings = options.method, curve_options(options)
    of_metrics = {
        "metrics_k": read_count("metrics_k", options.metrics_k),
        "which": options.which,
        "halvings": read_count("halvings", options.halvings, at_least=0),
    }
    read_metric_options(options.metrics_k, options.which, settings.get("ties", "closed"))
    with inputs_of(options, names, at_least=2) as inputs:
        evaluate = evaluator_of(inputs.named_real, method, settings, **of_metrics).evaluate
        found = dict(zip(names, inputs.each(evaluate, settings["progress"]), strict=True))
        curves = [one.curve for one in found.values()]
        notes = list(equal_samples(inputs, curves))
    if options.output is not None:
        write_report(
            found,
            options.output,
            title=options.title,
            order=order,
            confidence=confidence,
            about={"real samples": options.real, "generated samples": ", ".join(options.fake)},
            notes=notes,
            random_state=options.seed,
        )
    models = zip(each_model(options), found.values(), strict=True)
    parts = [entries_of(one, who) for who, one in models]
    kinds = ("curves", "metrics")
    write_record(
        options, inputs, {kind: [one for part in parts for one in part[kind]] for kind in kinds}
    )
    notes = [*curve_notes(names, curves), *notes]
    notes += [f"{name}: {text}" for name, one in found.items() for text in one.cautions()]
    _finish(options, notes, f"Report written to {options.output}")


# ---- prfast features -----------------------------------------------------------------------------


def features(options: argparse.Namespace) -> None:
    """Write the features of images or texts, or print the record of a file."""
    from prfast.features.extract import extract

    if options.show is not None:
        if options.images is not None or options.output is not None:
            raise ValueError("--show: a file alone expected, got a folder or an output too")
        _show(options.show)
        return
    needed = {"FOLDER": options.images, "--output": options.output, "--model": options.model}
    for name, value in needed.items():
        if value is None:
            raise ValueError(f"{name}: one expected, got none")
    check_outputs([options.images], output=options.output)
    try:
        found = extract(
            options.images,
            options.model,
            out=options.output,
            batch_size=options.batch_size,
            device=options.device,
            layer=options.layer,
            weights=options.weights,
            seed=options.seed,
            n_jobs=read_jobs(options.jobs),
        )
    except KeyboardInterrupt:
        note(f"{options.output}: not done; the same command goes on where this one was")
        raise
    record = record_of(found) or {}
    left_out = record["inputs"].get("left_out", 0)
    if left_out:
        files = counted(
            left_out,
            "file that does not end as pictures do was",
            "files that do not end as pictures do were",
        )
        note(f"{options.images}: {files} left out")
    n, d = found.shape
    say(f"{n} × {d} features of {record['model']} in {options.output}")


def _show(path: str) -> None:
    found = load_array(path)
    record = record_of(found)
    if record is None:
        raise ValueError(f"{path}: says nothing of how its features were made")
    n, d = found.shape
    say(f"{path}: {n} × {d}, {found.dtype}")
    say(json_text(record, ensure_ascii=False))


# ---- text tables ---------------------------------------------------------------------------------


def curve_table(names: Sequence[str], curves: Sequence[PRCurve]) -> str:
    """Return a line for each file, the explanation of ±, and the info common to all curves."""
    rows = shown("table")
    halves = [half_widths(one) for one in curves]
    known = any(halves)
    lines = [["", *(row.title for row in rows)]]
    for name, one, half in zip(names, curves, halves, strict=True):
        cells = (cell(row.title, row.value(one), half.get(row.key), known) for row in rows)
        lines.append([name, *cells])
    below = [legend()] if known else []
    return "\n".join([*aligned(lines, least=10), "", *below, _common(one.info for one in curves)])


def upper_table(names: Sequence[str], uppers: Sequence[PRCurve]) -> str:
    """Return a table of upper confidence bounds; for the total variation they are lower bounds."""
    rows = shown("table")
    lines = [["", *(f"{row.title} {'≤' if row.larger_is_better else '≥'}" for row in rows)]]
    for name, one in zip(names, uppers, strict=True):
        lines.append([name, *(as_text(row.value(one), ".4f") for row in rows)])
    made = uppers[0].provenance
    certified = "certified" if all(one.provenance.certified for one in uppers) else "empirical"
    sentence = f"{100 * (made.confidence or 0):g} % confidence, {certified}, bound {made.bound}"
    return "\n".join([*aligned(lines, least=10), "", sentence])


def divergences_table(names: Sequence[str], found: Sequence[Mapping[str, float]]) -> str:
    """Return a row for each divergence, a column for each file, and what their scales are."""
    lines = [[name, *(as_text(one[name], ".5g") for one in found)] for name in found[0]]
    below = [text] if (text := scales(found[0])) else []
    return "\n".join([*aligned([["divergence", *names], *lines], least=8), *below])


def metrics_table(names: Sequence[str], found: Sequence[dict[int, Metrics]]) -> str:
    """Return a block of lines for each k, with a column for each file."""
    lines = []
    for k, first in found[0].items():
        rows = [[name, *(one[k].text(name) for one in found)] for name in first]
        lines += [*aligned([[f"k = {k}", *names], *rows], least=8), ""]
    if any(one.errors for by_k in found for one in by_k.values()):
        lines += [legend(of_scorer=False), ""]
    infos = (one.info for by_k in found for one in by_k.values())
    return "\n".join([*lines, _common(infos, but="k")])


def _common(infos: Iterator[Mapping[str, Any]], but: str = "") -> str:
    """Return the entries common to all infos in one line; `but`: a key to leave out."""
    entries = scalars(agreed(list(infos))).items()
    return ", ".join(f"{key} {value}" for key, value in entries if key != but)
