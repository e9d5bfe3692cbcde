"""Class by class: `prfast curve --labels …` and `--group-by …`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from prfast.cli.evaluated import OWN, PREPARED, check_enough, of_several
from prfast.cli.notes import class_cautions, equal_samples, other_sizes
from prfast.cli.outputs import note, say
from prfast.cli.records import each_model, looks_of, write_record
from prfast.cli.samples import Inputs, inputs_of
from prfast.comparison.classes import by_class
from prfast.files.labels import KINDS, load_labels
from prfast.inputs.errors import ArgumentError
from prfast.inputs.samples import read_labels
from prfast.records.entries import classes_entry
from prfast.records.inputs import look_of_labels

# Which are of curves of all samples, and not of a class.
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
    """Are they asked for?  ValueError for what they do not go with."""
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
    """ValueError for what curves of classes are not made with."""
    if method not in PREPARED:
        raise ValueError(f"--method: {', '.join(PREPARED)} expected with {option}, got {method!r}")
    if told["split"] == "bernoulli":
        raise ValueError(f"--split: none or a share expected with {option}, got 'bernoulli'")
    own = sorted(OWN & told.keys())
    if own:
        raise ValueError(f"--option: none of auto's own expected with {option}, got {own[0]}")


def run_classes(options: argparse.Namespace, told: dict[str, Any], names: Sequence[str]) -> None:
    """A table a model, and JSON."""
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
    """Those of all files, as many as samples."""
    sizes = [len(inputs.real), *inputs.sizes]
    found = []
    for path, labels, size in zip(paths, load_labels(paths), sizes, strict=True):
        try:
            found.append(read_labels("labels", labels, size))
        except ArgumentError as error:
            raise error.at(path) from None
    return found
