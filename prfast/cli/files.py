"""Files and options of a command, checked before any work: samples, outputs, the record of --json.

`Inputs` reads the samples of all files.  Output files are written whole or not at all.
"""

from __future__ import annotations

import argparse
import inspect
import json
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from prfast.cli.options import ARGUMENTS, number_or_text
from prfast.estimate.diagnostics import Contradiction
from prfast.files.readers import load, load_array, load_labels, place_and_key
from prfast.files.tables import TABLES, Selection, read_selection
from prfast.files.write import has_record, sidecar, write_text
from prfast.inputs.errors import ArgumentError
from prfast.inputs.options import Progress
from prfast.inputs.tables import first_labels
from prfast.methods.base import read_context
from prfast.methods.table import read_method, read_run
from prfast.neighbors.search import record_engines
from prfast.results.info import version
from prfast.results.values import counted
from prfast.samples.features import check_all_alike, with_record
from prfast.samples.samples import Samples

if TYPE_CHECKING:
    from prfast.records.documents import Input

Result = TypeVar("Result")


class Printout(NamedTuple):
    """Output of the program when a command is done and its files are written."""

    text: str
    notes: Sequence[str] = ()  # lines for standard error
    status: int = 0


class Inputs:
    """The samples of all files, read and checked at construction; errors name the file.

    .npy files are memory-mapped.  names: of the models; client: of Dask, for partitioned samples.
    """

    def __init__(
        self, options: argparse.Namespace, client: Any, engines: set[str], at_least: int
    ) -> None:
        self.names, self.paths = names_of(options), list[str](options.fake)
        self.records: list[Input] = []
        self.engines, self._options = engines, options
        files = [options.real, *self.paths]
        weights, groups = (_columns_of(options, name, files) for name in ("weights", "groups"))
        if client is None:
            for path in files:
                if not os.path.exists(place_and_key(path)[0]):
                    load_array(path)  # raises for a missing file before others are read
        labels = load_labels([f"{path}:{x}" for path, x in zip(files, groups, strict=True) if x])
        sets: list[Samples] = []
        columns, drop = read_selection(options.columns, options.drop)
        for path, weight, group in zip(files, weights, groups, strict=True):
            with self._errors_name(path):
                role, like = ("fake", sets[0]) if sets else ("real", None)
                how: dict[str, Any] = {"like": like, "at_least": at_least}
                how["groups"] = labels.pop(0) if group else None
                how["weights"] = None if weight is None else np.ravel(load(path, columns=weight))
                if client is None:  # columns of weights and groups are no features
                    left_out = (*(drop or ()), *(x for x in (weight, group) if x)) or None
                    values = load_array(path, Selection(columns, left_out))
                else:
                    from prfast.distributed.shards import shards

                    values = shards(path, columns=columns, drop=drop, client=client)
                sets.append(Samples.read(role, values, **how))
            check_all_alike(zip(self.paths, sets[1:], strict=False))
            sets[0] = replace(sets[0], names=first_labels(sets[0].names, sets[-1].names))
        self.real, *self.fakes = sets
        titles = [None, *(options.names or [None] * len(self.paths))]
        for path, samples, name in zip(files, sets, titles, strict=True):
            values = with_record(samples.source, samples.record)
            self.add_record("fake" if len(self.records) else "real", values, path, name)

    def add_record(self, role: str, values: Any, path: str, name: str | None = None) -> None:
        """Add an input to the record of --json."""
        if self._options.json:
            from prfast.records.documents import described

            self.records.append(described(role, values, path, name))

    def each(
        self, call: Callable[..., Result], progress: Progress, *beside: Sequence[Any]
    ) -> dict[str, Result]:
        """Return call(samples, …) by the name of each model, with one progress bar.

        beside: sequences of further arguments, an entry for each model.
        """
        results, number = {}, len(self.paths)
        with progress.work(number):
            models = zip(self.paths, self.names, self.fakes, *beside, strict=True)
            for i, (path, name, *arguments) in enumerate(models, start=1):
                title = f"{name} ({i} of {number})" if number > 1 else name
                with self._errors_name(path), progress.work(1, title):
                    results[name] = call(*arguments)
        return results

    def results(
        self, function: Callable[..., Result], given: Mapping[str, Any]
    ) -> dict[str, Result]:
        """Return what a function of Python returns for each model; given: of `read_options`."""
        call = partial(function, self.real, **arguments_of(function, given))
        return self.each(call, given["progress"])

    @contextmanager
    def _errors_name(self, path: str) -> Iterator[None]:
        """Put the file in front of the name of the argument in errors."""
        try:
            yield
        except ArgumentError as error:
            files = {"real": self._options.real, "fake": path, "real and fake": path}
            # Tables: real['width'].  If there are several models, errors of options name theirs.
            file = files.get(error.argument.partition("[")[0], path if self.paths[1:] else None)
            raise (error if file is None else error.at(file)) from None


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


def _columns_of(options: argparse.Namespace, name: str, files: Sequence[str]) -> list[str | None]:
    """Return the column of --weights or --groups in each file; None where there is none."""
    columns = getattr(options, name, None)
    if columns is None:
        return [None] * len(files)
    if len(columns) > 2:
        text = "a column, or two, of real and of generated samples, expected, got"
        raise ValueError(f"--{name}: {text} {len(columns)}")
    if getattr(options, "cluster", None) is not None:
        raise ValueError(f"--{name}: not with --cluster")
    for path in files:
        if os.path.splitext(path)[1].lower() not in TABLES:
            text = f"tables expected, {' or '.join(TABLES)}, got {path}"
            raise ValueError(f"--{name}: {text}")
    named = [columns[0], *columns[-1:] * (len(files) - 1)]
    return [None if column == "none" else column for column in named]


@contextmanager
def inputs_of(options: argparse.Namespace, at_least: int = 1) -> Iterator[Inputs]:
    """Open the samples of all files, at least `at_least` each; with --cluster, on workers."""
    where = getattr(options, "cluster", None)
    clients: AbstractContextManager[Any] = nullcontext()
    if where is not None:
        from prfast.distributed.dask import client_at

        clients = client_at(where, "cluster")
    with engines_used() as engines, clients as client:
        yield Inputs(options, client, engines, at_least)


@contextmanager
def engines_used() -> Iterator[set[str]]:
    """Record the engines of a block; hide contradictions, as printed results have them."""
    with warnings.catch_warnings(), record_engines() as engines:
        warnings.simplefilter("ignore", Contradiction)
        yield engines


# Options that are arguments of functions by name, but name files and their columns.
_OF_FILES = ("real", "fake", "held_out", "groups")
_OF_CONTEXT = ("random_state", "n_jobs", "memory", "progress")


def arguments_of(function: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a function that options set; given: those of `read_options`."""
    names = inspect.signature(function).parameters
    return {name: given[name] for name in names if name in given}


def read_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options that were given, by their names in Python."""
    given = {ARGUMENTS.get(name, name): value for name, value in vars(options).items()}
    given = {k: x for k, x in given.items() if x is not None and k not in _OF_FILES}
    if "method" in given:
        given |= _read_method(options, given)
    if (words := given.get("resolutions")) in (["auto"], ["none"]):
        given["resolutions"] = None if words == ["none"] else "auto"
    context = read_context(**{name: given[name] for name in _OF_CONTEXT if name in given})
    return given | {"progress": context.progress}  # a single bar for all models


def _read_method(options: argparse.Namespace, given: dict[str, Any]) -> dict[str, Any]:
    """Return the method with its options, in place of those, and the split."""
    named: dict[str, Any] = {}
    for text in options.option:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise ValueError(f"--option: NAME=VALUE expected, got {text!r}")
        named[name] = value
        with suppress(json.JSONDecodeError, RecursionError):
            named[name] = json.loads(value)
    flags = {name: given.pop(name) for name in ("k", "ties", "backend") if name in given}
    for name in flags.keys() & named.keys():
        raise ValueError(f"--{name}: once expected, got --option {name}={named[name]} too")
    settings = named | flags
    shared = [name for name in ("memory", "progress") if name in settings]
    read: dict[str, Any] = {name: settings.pop(name) for name in shared}
    try:
        method = read_method(options.method, settings)
    except ArgumentError as error:
        name = error.argument
        raise (error.renamed(f"--option {name}") if name in named else error) from None
    read |= {"method": method, "methods": method}
    read |= {name: getattr(method, name) for name in ("ties", "backend") if hasattr(method, name)}
    split = None if options.split == "none" else number_or_text(options.split)
    return read | {"split": read_run(method, split).split}


def check_outputs(options: argparse.Namespace) -> None:
    """Raise ValueError for outputs that cannot be written or would overwrite an input."""
    given = {name: value for name, value in vars(options).items() if value is not None}
    inputs = [given[name] for name in ("real", "held_out", "images") if name in given]
    files = [place_and_key(path)[0] for path in [*inputs, *given.get("fake", ())]]
    files += [sidecar(file) for file in files if has_record(file)]
    outputs = {name: given[name] for name in ("json", "plot", "output", "report") if name in given}
    paths = [path for path in outputs.values() if path != "-"]  # "-" is the terminal
    for path in paths:
        if os.path.realpath(path) in map(os.path.realpath, files):
            raise ValueError(f"{path}: is an input; choose another name for the output")
        if os.path.exists(path) and not os.path.isfile(path):
            raise ValueError(f"{path}: a file expected, got a folder or device")
        if not os.access(os.path.dirname(os.path.abspath(path)), os.W_OK):
            raise ValueError(f"{path}: no such folder, or not writable")
    if len({*map(os.path.realpath, paths)}) < len(paths):
        raise ValueError(f"{paths[0]}: is the name of two outputs")
    if plot := outputs.get("plot"):
        from prfast.plots.drawing import new_axes

        formats = new_axes().figure.canvas.get_supported_filetypes()
        if os.path.splitext(plot)[1].lstrip(".").lower() not in formats:
            raise ValueError(
                f"{plot}: a file ending in one of {', '.join(sorted(formats))} expected"
            )


def write_record(
    options: argparse.Namespace,
    records: Sequence[Input],
    engines: Iterable[str],
    results: Mapping[str, Any],
) -> None:
    """Write the record of a command, if --json is given."""
    if options.json is None:
        return
    from prfast.records.documents import Record, checksum_of, joined_entries

    # A model is identified by its file, and by its name with --names.
    paths = dict(zip(names_of(options), options.fake, strict=True))
    who = {x: {"fake": paths[x]} | ({"name": x} if options.names else {}) for x in paths}
    entries: dict[str, Any] = joined_entries(
        (who.get(name, {"name": name}), result) for name, result in results.items()
    )
    if not options.no_hash:
        sums = {path: checksum_of(path) for path in {x.path or "" for x in records}}
        records = [replace(x, **sums[x.path or ""]._asdict()) for x in records]
    on_terminal = options.json == "-"
    # The working directory as it is seen from the file.
    start = os.curdir if on_terminal else os.path.dirname(os.path.abspath(options.json))
    record = Record(
        inputs=list(records),
        command=options.argv,
        folder=os.path.relpath(os.getcwd(), start).replace(os.sep, "/"),
        engines=sorted(engines),
        real=options.real,
        **entries,
    ).to_dict()
    text = json.dumps({"prfast": version(), **record}, indent=1, allow_nan=False)
    if on_terminal:
        options.json_text = text  # printed in place of the table
    else:
        write_text(options.json, text + "\n")
