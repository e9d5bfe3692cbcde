"""The commands of `prfast` and their options, one table each.

A command has the options that are arguments of its public functions, with their defaults.  To
declare them imports its modules, so `declare` does it for the command in use only.
"""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from prfast.results.registry import loaded

# Arguments of Python by the names of options that set them, where these differ.
ARGUMENTS = {"jobs": "n_jobs", "seed": "random_state", "output": "out"}
_FLAGS = {argument: option for option, argument in ARGUMENTS.items()} | {"methods": "method"}
_FLAGS |= dict.fromkeys(("w_real", "w_fake"), "weights")


def flag_of(argument: str) -> str:
    """Return the option that sets an argument, as "--metrics-k"."""
    return "--" + _FLAGS.get(argument, argument).replace("_", "-")


def number_or_text(text: str) -> float | str:
    """Return an integer, another number, or the text."""
    for number in (int, float):
        with suppress(ValueError):
            return number(text)
    return text


def filled(text: str) -> str:
    """Return a help text with the names of tables of the package, as {samples.noise:SCALES}."""

    def names(match: re.Match[str]) -> str:
        table = loaded(match[1])
        if isinstance(table, Mapping):
            return "; ".join(f"{name}: {getattr(x, 'summary', x)}" for name, x in table.items())
        return ", ".join(x if isinstance(x, str) else f"{x:g}" for x in table)

    return re.sub(r"\{([\w.]+:\w+)\}", names, text)


def _value(metavar: str | None, text: str, **settings: Any) -> dict[str, Any]:
    """Return the settings of an option."""
    return {"metavar": metavar, "help": text, **settings}


def _values(metavar: str, text: str, **settings: Any) -> dict[str, Any]:
    """Return the settings of an option of several values."""
    return {"metavar": metavar, "help": text, "nargs": "+", **settings}


_TIES, _BACKENDS = "inputs.options:TIES", "neighbors:BACKENDS"

# Options of all commands, or with its name before it of one.  Choices may be "module:name".  An
# option that is an argument has the default and the type of the function's, if that is a value.
OPTIONS: dict[str, dict[str, Any]] = {
    "real": _value("REAL", "file of real samples"),
    "fake": _values("FAKE", "files of generated samples"),
    "names": _values("NAME", "names of the models (default: their files)"),
    "columns": _values(
        "NAME",
        "columns of tables (.csv, .parquet) that are features, by names or patterns such as "
        "'f*' (default: all); a column may hold vectors",
    ),
    "drop": _values("NAME", "columns to leave out, by names or patterns"),
    "method": _value(None, "{methods.table:METHODS}", choices="methods.table:METHODS"),
    "k": _value(
        "K",
        "neighbors, a number or sqrt: the root of the real training samples (default)",
        type=number_or_text,
    ),
    "ties": _value(None, "for neighbors, d <= r (default: closed) or d < r (open)", choices=_TIES),
    "backend": _value(None, "search for neighbors (default: auto)", choices=_BACKENDS),
    "option": _value(
        "NAME=VALUE",
        "an option of the method, such as clusters=50; may be repeated",
        action="append",
        default=[],
    ),
    "split": _value(None, "bernoulli, none, a share such as 0.5, or the method's own, auto"),
    "weights": _values(
        "COLUMN",
        "column of weights in the tables of samples, which is then no feature; two names: of REAL "
        "and of every FAKE, none where there is none",
    ),
    "groups": _values(
        "COLUMN",
        "column of groups of samples that depend on each other, such as the frames of a video, in "
        "the tables of samples, which is then no feature; two names as for --weights; no group is "
        "in both sets",
    ),
    "repeats": _value(
        None,
        "what equal rows of a set are: missing, as those of a model that repeats itself, or "
        "weights, as in a Markov chain",
        choices=("missing", "weights"),
    ),
    "labels": _values(
        "FILE",
        "curves and metrics of each class: files of labels, for REAL and for each FAKE (.npy, "
        "FILE.npz:KEY, .csv, FILE.csv:COLUMN, FILE.parquet:COLUMN)",
    ),
    "metrics k": _values("K", "neighbors", type=number_or_text),
    "which": _values(
        "NAME", "metrics: {scalars.table:NAMES}, fid, kid, or all (default: {scalars.table:USUAL})"
    ),
    "metrics ties": _value(None, "d <= r (closed) or d < r (open)", choices=_TIES),
    "metrics backend": _value(None, "search for neighbors", choices=_BACKENDS),
    "resolutions": _values(
        "S",
        "resolutions of a profile, at least two, in standard deviations; auto: its own; none: no "
        "profile",
        type=number_or_text,
    ),
    "level": _value("A", "level of each test, in (0, 1)"),
    "report output": _value("FILE", "a .html file", required=True),
    "metrics-k": _value("K", "neighbors of metrics"),
    "halvings": _value(
        "N",
        "random halvings of the samples for the ± of metrics, 12 are enough, which cost about as "
        "much as the metrics; of authenticity and of distances each costs half as much",
    ),
    "confidence": _value("C", "confidence of the bands of the curves, in (0, 1)"),
    "tables real": _value("REAL", "table that the models were trained on"),
    "held-out": _value(
        "FILE", "rows of the same source that the models have not seen, for the test of copies"
    ),
    "tables drop": _values("NAME", "columns to leave out, such as row numbers"),
    "categories": _values("NAME", "columns whose numbers are codes of categories"),
    "report": _value("FILE", "write one HTML file to share: .html"),
    "title": _value(None, "heading of the report (default: the names)"),
    "images": _value("FOLDER", "folder of images, or a file with an array of them"),
    "features output": _value(
        "FILE", "a .npy file; the record is written to the .json file beside it", required=True
    ),
    "model": _value(
        "NAME",
        "inception-v3-compat, whose features FID is of, or another extractor of torch-fidelity",
        required=True,
    ),
    "device": _value("NAME", "device of torch, such as cuda"),
    "batch-size": _value("N", "images that go through the model at once"),
    "record": _value("RECORD.json", "a file of --json"),
    "root": _value(
        "FOLDER", "folder of the files (default: where they were, relative to the record)"
    ),
    "json": _value("FILE", "write all results, and what prfast rerun needs; - is the terminal"),
    "no-hash": {
        "help": "leave the checksums of the files out of --json; computing them reads all files "
        "again",
        "action": "store_true",
    },
    "jobs": _value(
        "N",
        "threads, or processes of kmeans and classifier, at most one a core; -1: every core "
        "(default: every core; one process)",
        type=int,
    ),
    "features jobs": _value("N", "threads that read images (default: every core)", type=int),
    "plot": _value("FILE", "draw the curves, or the profile: .png, .pdf, .svg"),
    "demo plot": _value(
        "FILE",
        "draw the curves: .png, .pdf, .svg (default: %(default)s)",
        default="prfast-demo.png",
    ),
    "seed": _value("N", "seed"),
    "cluster": _value(
        "WHERE",
        "read the files piece by piece on workers of Dask: those of a scheduler, such as "
        "tcp://HOST:8786, or processes started here, local or local:4; a name may be a pattern, "
        "such as 'real-*.npy' (.npy, .parquet)",
    ),
}
_POSITIONAL = ("real", "fake", "images", "record")
# Options that set parts of arguments; `options` are those of a method.
_PARTS = dict.fromkeys(("ties", "backend", "option"), "options")


def declare(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the options of a command to its parser, and set its default `run`."""
    command = COMMANDS[name]
    parser.set_defaults(run=loaded(command.run))
    defaults: dict[str, Any] = {}
    for function in reversed(command.functions.split()):
        for parameter in inspect.signature(loaded(function)).parameters.values():
            defaults[flag_of(parameter.name)] = parameter.default
    beside, without = command.beside.split(), command.without.split()
    for key in dict.fromkeys(key.rpartition(" ")[2] for key in OPTIONS):
        flag, is_part = f"--{key}", key in _PARTS and flag_of(_PARTS[key]) in defaults
        if key in without or not (is_part or flag in defaults or key in beside):
            continue
        settings = dict(OPTIONS.get(f"{name} {key}") or OPTIONS[key])
        value = None if is_part else defaults.get(flag)
        if isinstance(value, str | int | float) and "default" not in settings:
            settings = {"type": type(value)} | settings | {"default": value}
            settings["help"] += " (default: %(default)s)"
        if isinstance(settings.get("choices"), str):
            settings["choices"] = list(loaded(settings["choices"]))
        flags = [key] if key in _POSITIONAL else ["-o", flag] if key == "output" else [flag]
        parser.add_argument(*flags, **settings)


class Command(NamedTuple):
    run: str
    functions: str  # those that have the defaults of options; the first with an argument counts
    beside: str  # options that are no arguments of these functions
    help: str
    description: str
    usage: str | None = None  # in place of that of argparse, where that is too long
    without: str = ""  # arguments that are no options


COMMANDS: dict[str, Command] = {
    "curve": Command(
        "cli.commands:curve",
        "estimate.curves:pr_curve",
        "names columns drop labels json no-hash plot cluster",
        "curves of one or more files of generated samples against real ones",
        "Curves of files of generated samples against a file of real ones.  Files: .npy "
        "(memory-mapped), .csv, .parquet, and .npz, .h5, .safetensors, .pt (where there are "
        "several arrays write FILE.npz:KEY); samples × features.  Area 1 is that of equal sets.",
    ),
    "metrics": Command(
        "cli.commands:metrics",
        "scalars.api:metrics",
        "names columns drop json no-hash cluster",
        "precision, recall, density, coverage and their relatives",
        "Metrics of files of generated samples against a file of real ones; files as for curve.",
    ),
    "profile": Command(
        "cli.commands:profile",
        "estimate.profiles:profile",
        "names columns drop json no-hash plot",
        "curves at several resolutions: differences of detail, and of mass",
        "Curves of files of generated samples against a file of real ones, both smoothed; "
        "files as for curve.  Differences of detail, such as blur, vanish; differences of mass, "
        "such as missing modes or junk, remain.",
    ),
    "test": Command(
        "cli.commands:test",
        "estimate.two_sample:two_sample_test",
        "names columns drop json no-hash",
        "whether a difference could be chance: a valid p-value",
        "Two-sample test of files of generated samples against a file of real ones: the p-value, a "
        "lower bound of the total variation, and the columns that differ.  Files as for curve.",
        without="method k ties backend option",
    ),
    "report": Command(
        "cli.commands:report",
        "estimate.curves:pr_curve comparison.evaluator:Evaluator report.write:write_report",
        "names columns drop output json no-hash",
        "one HTML file to share: curves, metrics and what they say",
        "One HTML file about files of generated samples against a file of real ones: interactive "
        "curves, sortable numbers and every option.  Files as for curve; needs the extra report.",
        "prfast report REAL FAKE [FAKE ...] -o FILE.html [options]",
        without="weights groups",
    ),
    "tables": Command(
        "cli.commands:tables",
        "tables.comparison:compare_tables",
        "fake names report title json no-hash",
        "generated tables of any columns: how far, in which columns, copies",
        "Compares generated tables with a real one: numbers, categories, text, dates and missing "
        "cells, from .csv and .parquet files with the same columns.  With "
        "--held-out it says whether generated rows are copies.  Needs the extra tables.",
        "prfast tables REAL FAKE [FAKE ...] [--held-out FILE] [options]",
        without="method",
    ),
    "features": Command(
        "cli.commands:features",
        "features.extraction:extract",
        "output",
        "from a folder of images to a file of features",
        "Features of the images in a folder and the folders in it, in the order of their names.  "
        "How they were made is recorded in FILE.json.  Needs the extra features.",
        "prfast features FOLDER -o FILE.npy --model NAME [options]",
    ),
    "demo": Command(
        "cli.demo:run",
        "cli.demo:class_cases",
        "plot",
        "class dropping and inventing on scikit-learn's digits",
        "Real: digits 0-4.  Generated: digits 0 to q-1, q = 1 to 10.  Theory expects rectangles.",
        without="method labels",
    ),
    "rerun": Command(
        "cli.rerun:run",
        "",
        "record root",
        "run the command of a file of --json again, and compare the results",
        "Repeats the command of a record (--json of any command that compares) and prints "
        "the differences, of inputs and versions too: of numbers with a ± those beyond it, of "
        "others all.  Exit status: 0, none; 1, numbers or inputs differ; 2, an error, such as a "
        "missing file.",
    ),
}
