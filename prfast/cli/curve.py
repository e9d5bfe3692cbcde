"""`prfast curve`: curves of files of generated samples against a file of real ones.

With --labels or --group-by, curves and metrics class by class (`run_classes`).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from prfast.cli.arguments import (
    add_cluster,
    add_columns,
    add_files,
    add_method,
    add_outputs,
    curve_options,
    names_of,
    rows,
    table,
    upper_table,
)
from prfast.cli.outputs import (
    Inputs,
    check_outputs,
    class_cautions,
    each_model,
    equal_samples,
    inputs_of,
    looks_of,
    note,
    of_curves,
    other_sizes,
    say,
    write_record,
)
from prfast.cli.report import OWN, PREPARED, check_enough, check_method, curve_of, of_several
from prfast.comparison.classes import by_class
from prfast.curve import PRCurve
from prfast.curve.summary import for_record
from prfast.estimate.guard import contradictions
from prfast.files.labels import KINDS, load_labels
from prfast.files.write import write_whole
from prfast.inputs.arrays import read_labels
from prfast.inputs.errors import ArgumentError
from prfast.inputs.options import read_positive, read_share
from prfast.plots.views import ROWS, VIEWS, view_record
from prfast.records.record import classes_entry, curve_entry, look_of_labels, plain_key
from prfast.results.values import for_json
from prfast.theory.critics import Divergences, divergence_table, read_names
from prfast.theory.phi import NAMES as PHIS
from prfast.theory.phi import scales

# Options that are for curves of all samples only.
_OTHERS = ("plot", "view", "divergences", "confidence", "cluster")


def add_classes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--labels",
        metavar="FILE",
        nargs="+",
        help="curves and metrics of each class: files of labels, of REAL and of each FAKE (.npy, "
        "FILE.npz:KEY, .csv, FILE.csv:COLUMN, FILE.parquet:COLUMN)",
    )
    parser.add_argument(
        "--group-by",
        metavar="COLUMN",
        help="the same with the labels in a column of the tables of samples (.csv, .parquet), "
        "which is then no feature",
    )


def wants_classes(options: argparse.Namespace, told: dict[str, Any]) -> bool:
    """Whether classes are requested; raise ValueError for options that exclude them.

    Translates --group-by into --labels and --drop.
    """
    asked = [name for name in ("labels", "group_by") if getattr(options, name) is not None]
    if not asked:
        return False
    option = "--" + asked[0].replace("_", "-")
    if len(asked) > 1:
        raise ValueError("--labels: --group-by names a column instead; one of both expected")
    for name in _OTHERS:
        if getattr(options, name, None) is not None:
            raise ValueError(f"{option}: classes are in the table and --json; got --{name}")
    _check_method(option, options.method, told)
    files = [options.real, *options.fake]
    if options.labels is not None and len(options.labels) != len(files):
        raise ValueError(
            f"--labels: {len(files)} files expected, of real samples and of each model, "
            f"got {len(options.labels)}"
        )
    if options.group_by is not None:
        for path in files:
            if Path(path).suffix.lower() not in KINDS:
                raise ValueError(
                    f"--group-by: tables expected, {' or '.join(KINDS)}, got {path}; --labels "
                    "takes labels of any samples"
                )
        options.drop = [*(options.drop or ()), options.group_by]
        options.labels = [f"{path}:{options.group_by}" for path in files]
    return True


def _check_method(option: str, method: str, told: dict[str, Any]) -> None:
    """Raise ValueError for methods and options that `by_class` does not have."""
    if method not in PREPARED:
        raise ValueError(f"--method: {', '.join(PREPARED)} expected with {option}, got {method!r}")
    if told["split"] == "bernoulli":
        raise ValueError(f"--split: none or a share expected with {option}, got 'bernoulli'")
    own = sorted(OWN & told.keys())
    if own:
        raise ValueError(f"--option: none of auto's own expected with {option}, got {own[0]}")


def run_classes(options: argparse.Namespace, told: dict[str, Any], names: Sequence[str]) -> None:
    """Print a table for each model and write JSON."""
    told = of_several(options.method, told)
    with inputs_of(options, at_least=2) as inputs:
        inputs.check(partial(check_enough, options.method, told))
        of_real, *of_fakes = labels = _labels(options.labels, inputs)
        looks = looks_of(inputs, options.names)
        notes = [*equal_samples(names, inputs), *other_sizes(names, inputs)]

        def grouped(fake: Any, of_fake: Any) -> Any:
            return by_class(inputs.real, fake, of_real, of_fake, options.method, **told)

        found = inputs.each(grouped, told["progress"], names, of_fakes)
        if options.group_by is None:
            looks += [
                ("labels", path, None, look_of_labels(one))
                for path, one in zip(options.labels, labels, strict=True)
            ]
    tables = [f"{name}\n{groups}" for name, groups in zip(names, found, strict=True)]
    models = zip(each_model(options), found, strict=True)
    write_record(options, {"classes": [classes_entry(*one) for one in models]}, looks)
    for name, groups in zip(names, found, strict=True):
        notes += class_cautions(name, groups)
    for text in notes:
        note(text)
    if options.json != "-":
        say("\n\n".join(tables))


def _labels(paths: Sequence[str], inputs: Inputs) -> list[Any]:
    """Return the validated labels of all files, one a sample."""
    sizes = [len(inputs.real), *inputs.sizes]
    found = []
    for path, labels, size in zip(paths, load_labels(paths), sizes, strict=True):
        try:
            found.append(read_labels("labels", labels, size))
        except ArgumentError as error:
            raise error.at(path) from None
    return found


ABOUT = {
    "usage": "prfast curve REAL FAKE [FAKE ...] [options]",
    "help": "curves of one or more files of generated samples against real ones",
    "description": (
        "Curves of files of generated samples against a file of real ones.  Files: "
        ".npy (memory-mapped), .csv, .parquet, and .npz, .h5, .safetensors, .pt (where there are "
        "several arrays write FILE.npz:KEY); samples × features.  Fidelity: "
        "how much of what is generated looks real; diversity: how much of what is real is "
        "generated, in full where at least half as often; area 1 and total variation 0 mean equal "
        "distributions."
    ),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    add_files(parser)
    add_columns(parser)
    add_method(parser)
    add_classes(parser)
    parser.add_argument(
        "--divergences",
        metavar="NAME,...",
        help=f"print D(real‖fake) too: all, that is {', '.join(PHIS)}, or some of them, "
        "frontier_integral, tsallis:ORDER",
    )
    parser.add_argument(
        "--view",
        choices=VIEWS,
        help="what --plot draws and --json adds (default: pr, of which JSON has the masses); "
        "frontier: D(μ‖P) to the right, D(μ‖Q) up",
    )
    parser.add_argument(
        "--order", type=float, metavar="A", help="order of the frontier, in (0, inf] (default: inf)"
    )
    parser.add_argument(
        "--inclusive",
        action="store_true",
        help="the frontier D(P‖R), D(Q‖R) of compromises R that cover what either has (default: "
        "the exclusive one, of μ within what both have)",
    )
    parser.add_argument(
        "--confidence",
        type=float,
        metavar="C",
        help="print, add to --json and draw the curves that the true ones lie below, with this "
        "confidence, such as 0.95",
    )
    add_outputs(parser)
    add_cluster(parser)


def run(options: argparse.Namespace) -> None:
    """Print a table of the curves; write JSON and pictures."""
    check_outputs(options.json, options.plot, [options.real, *options.fake])
    view, more = _view(options)
    confidence = _confidence(options, view)
    told = curve_options(options)
    wanted = None if options.divergences is None else options.divergences.split(",")
    if wanted is not None:
        read_names(wanted, "--divergences")
    check_method(options.method, told)
    names = names_of(options)
    if wants_classes(options, told):
        run_classes(options, told, names)
        return
    with inputs_of(options) as inputs:
        inputs.check(partial(check_enough, options.method, told))
        looks = looks_of(inputs, options.names)
        curve = curve_of(inputs.named_real, options.method, told)
        curves = inputs.each(curve, told["progress"], names)
        provenances = [one.provenance for one in curves]
        notes = [*of_curves(names, provenances), *equal_samples(names, inputs, provenances)]
    notes += other_sizes(names, inputs)
    found = [divergence_table(c, wanted) for c in curves] if wanted else []
    uppers = [] if confidence is None else _uppers(names, curves, confidence)
    lines = [] if options.json == "-" else table(names, curves)  # computes the ± of each number
    if options.json:
        entries = [
            curve_entry(who, c)
            | _divergences(found[i : i + 1])
            | _upper(uppers[i : i + 1])
            | ({"view": view_record(c, view, **more)} if options.view else {})
            for i, (who, c) in enumerate(zip(each_model(options), curves, strict=True))
        ]
        write_record(options, {"curves": entries}, looks)
    if options.plot:
        title = f"{options.method}: {options.real}"
        if confidence is not None:
            more |= {"band": confidence}
        figure = VIEWS[view](curves, labels=names, title=title, **more).figure
        write_whole(options.plot, lambda path: figure.savefig(path, dpi=150))
    for text in (*notes, *_cautions(options.method, names, curves)):
        note(text)
    # Last, so that a closed terminal does not keep files from being written.
    if options.json != "-":
        say("\n".join(lines))
        if uppers:
            say("\n" + "\n".join(upper_table(names, uppers)))
        if found:
            below = scales(found[0])
            say(
                "\n"
                + "\n".join([*rows("divergence", names, found, ".5g"), *([below] if below else [])])
            )


def _view(options: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """Return the view and its options; raise ValueError for options without an effect.

    Conflicts are reported before a missing output file, as that file would not resolve them.
    """
    view = options.view or next(iter(ROWS))
    told = {"order": options.order, "inclusive": options.inclusive or None}
    more = {name: value for name, value in told.items() if value is not None}
    for name in more:
        having = [one for one, row in ROWS.items() if name in (*row.options, *row.flags)]
        if view not in having:
            raise ValueError(f"--{name}: only with --view {' or '.join(having)}")
    if "order" in more:
        more["order"] = read_positive("--order", more["order"])
    if options.view and not options.plot and not options.json:
        raise ValueError(f"--view {options.view}: --plot or --json expected as well, to hold it")
    return view, more


def _confidence(options: argparse.Namespace, view: str) -> float | None:
    if options.confidence is None:
        return None
    if options.plot and view != "pr":
        raise ValueError(f"--confidence: --plot draws it with --view pr only, got --view {view}")
    return read_share("--confidence", options.confidence)


def _uppers(paths: Sequence[str], curves: Sequence[PRCurve], confidence: float) -> list[PRCurve]:
    """Return the upper confidence bounds of the curves; errors name the file."""
    found = []
    for path, curve in zip(paths, curves, strict=True):
        try:
            found.append(curve.upper(confidence))
        except ArgumentError as error:
            raise error.renamed(f"--confidence: {path}") from None
    return found


def _upper(found: Sequence[PRCurve]) -> dict[str, Any]:
    """Return the JSON entry of an upper bound, {} if there is none."""
    if not found:
        return {}
    return {"upper": {**for_record(found[0]), "curve": found[0].to_dict()}}


def _cautions(method: str, names: Sequence[str], curves: Sequence[PRCurve]) -> Iterator[str]:
    for name, curve in zip(names, curves, strict=True):
        for caution in contradictions({method: curve}):
            yield f"{name}: {caution}"


def _divergences(found: Sequence[Divergences]) -> dict[str, Any]:
    """Return the JSON entry of divergences, {} if there are none."""
    if not found:
        return {}
    return {"divergences": {plain_key(name): for_json(value) for name, value in found[0].items()}}
