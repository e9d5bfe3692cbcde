"""`prfast curve`: curves of files of generated samples against a file of real ones."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from prfast.cli.arguments import (
    add_cluster,
    add_columns,
    add_files,
    add_method,
    add_outputs,
    curve_options,
    names_of,
)
from prfast.cli.classes import add_classes, run_classes, wants_classes
from prfast.cli.evaluated import check_enough, check_method, curve_of
from prfast.cli.notes import equal_samples, of_curves, other_sizes
from prfast.cli.outputs import check_outputs, note, say
from prfast.cli.records import each_model, looks_of, write_record
from prfast.cli.samples import inputs_of
from prfast.cli.tables import rows, table, upper_table
from prfast.curve import PRCurve
from prfast.curve.summary import for_record
from prfast.divergences.sums import Divergences, divergence_table, read_names
from prfast.divergences.table import NAMES as PHIS
from prfast.divergences.table import scales
from prfast.estimate.guard import contradictions
from prfast.files.write import write_whole
from prfast.inputs.errors import ArgumentError
from prfast.inputs.options import read_positive, read_share
from prfast.plots.views import ROWS, VIEWS, view_record
from prfast.records.entries import curve_entry
from prfast.records.keys import plain_key
from prfast.results.text import for_json

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
    """Curves of the files, as a table, JSON, pictures."""
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
        infos = [one.info for one in curves]
        notes = [*of_curves(names, infos), *equal_samples(names, inputs, infos)]
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
    # Last: a terminal that takes nothing loses nothing else.
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
    """The view and its options; neither may be said in vain.  What does not go together comes
    before what is missing: a file would not mend it."""
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
    """The curves that the true ones lie below; errors name the file."""
    found = []
    for path, curve in zip(paths, curves, strict=True):
        try:
            found.append(curve.upper(confidence))
        except ArgumentError as error:
            raise error.renamed(f"--confidence: {path}") from None
    return found


def _upper(found: Sequence[PRCurve]) -> dict[str, Any]:
    """The entry of a curve's JSON, if it was asked for; its masses are a curve's."""
    if not found:
        return {}
    return {"upper": {**for_record(found[0]), "curve": found[0].to_dict()}}


def _cautions(method: str, names: Sequence[str], curves: Sequence[PRCurve]) -> Iterator[str]:
    for name, curve in zip(names, curves, strict=True):
        for caution in contradictions({method: curve}):
            yield f"{name}: {caution}"


def _divergences(found: Sequence[Divergences]) -> dict[str, Any]:
    """The entry of a curve's JSON, if they were asked for."""
    if not found:
        return {}
    return {"divergences": {plain_key(name): for_json(value) for name, value in found[0].items()}}
