"""Files of a command, checked before any work: samples to read, outputs, the record of --json.

`Inputs` reads and validates the samples of all files.  Output files are written whole or not at
all.  A command returns a `Printout`.  The last functions yield notes on samples that limit what
their numbers mean.
"""

from __future__ import annotations

import argparse
import json
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from prfast.curve import PRCurve
from prfast.estimate.diagnostics import ENOUGH, Contradiction, contradictions
from prfast.estimate.notes import FEW, copied_note, few_note, notes_of, repeated_note
from prfast.files.readers import LABELED_TABLES, load_array, load_labels, place_and_key
from prfast.files.tables import Selection, read_selection
from prfast.files.write import has_record, sidecar, write_text
from prfast.inputs.errors import ArgumentError
from prfast.inputs.options import Progress
from prfast.inputs.tables import first_labels, labels_of, named, named_array
from prfast.neighbors.search import record_engines
from prfast.results.info import version
from prfast.results.values import shortened
from prfast.samples.features import (
    check_all_alike,
    first_recorded,
    plain,
    record_of,
    with_record,
)
from prfast.samples.pair import Pair
from prfast.samples.samples import Samples, read_samples

if TYPE_CHECKING:
    from prfast.comparison.classes import Groups
    from prfast.records.documents import Input

Result = TypeVar("Result")


class Printout(NamedTuple):
    """Output of the program when a command is done and its files are written."""

    text: str
    notes: Sequence[str] = ()
    """Lines for standard error."""
    status: int = 0


class InputRecords(NamedTuple):
    """Entries of the record of --json that describe the inputs."""

    records: list[Input]
    engines: set[str]


class Inputs:
    """The samples of all files, read and validated once at construction; errors name the file.

    .npy files are memory-mapped; samples of other formats stay in memory.

    names: of the models, for notes and the progress bar.  client: of Dask, for partitioned samples.
    """

    def __init__(
        self, options: argparse.Namespace, names: Sequence[str], client: Any, at_least: int
    ) -> None:
        self.names, self.paths = names, list[str](options.fake)
        self.real_path: str = options.real
        self.engines: set[str] = set()
        self._client, self._at_least = client, at_least
        self._columns = read_selection(options.columns, options.drop)
        self._beside = _columns_beside(options, client)
        self._groups: list[Any] = []
        self._w_real: Any = None
        if client is None:
            for path in (self.real_path, *self.paths):
                if not os.path.exists(place_and_key(path)[0]):
                    load_array(path)  # raises for a missing file before others are read
        with self._errors_name(self.paths[0]):
            real = self._load(self.real_path, "real")
            self._labels = labels_of(real)
            if client is not None:
                from prfast.distributed.reading import read_samples as read_partitions

                real = read_partitions("real", real, client, at_least=at_least)
            read = read_samples("real", real, at_least=at_least)
            self.real = with_record(read, record_of(real))
        if self._beside:
            self._groups = self._labels_of_groups()
            self._w_real = self._weights("w_real", self.real_path)
        self.records: list[Input] = []
        self.add_record(options, "real", self.real, self.real_path)
        self.fakes = []
        self.designs: list[dict[str, Any]] = []
        """For each file the arguments `w_real`, `w_fake` and `groups` that it has."""
        features = []
        names_of_files = options.names or [None] * len(self.paths)
        for i, (path, name) in enumerate(zip(self.paths, names_of_files, strict=True)):
            samples = self._fake(path)
            self.designs.append(self._design(i) if self._beside else {})
            features.append((path, first_recorded([samples])))
            check_all_alike(features)
            self.fakes.append(samples)
            self.add_record(options, "fake", samples, path, name)
        self.sizes = [len(samples) for samples in self.fakes]

    def add_record(self, options: argparse.Namespace, *about: Any) -> None:
        """Add an input to the record of --json; about: arguments of `described`."""
        if options.json:
            from prfast.records.documents import described

            self.records.append(described(*about))

    def _fake(self, path: str) -> Any:
        """Return the validated samples of a file of generated samples."""
        with self._errors_name(path):
            values = self._load(path, "fake")
            self._labels = first_labels(self._labels, labels_of(values))
            like = replace(Samples.read("real", self.real), names=self._labels)
            read = Samples.read("fake", values, like=like, at_least=self._at_least)
            return with_record(read.source, read.record)

    @property
    def named_real(self) -> Any:
        """The real samples, as a table where the files name their columns."""
        labels = named(self._labels)
        if labels is None or not isinstance(self.real, np.ndarray):
            return self.real
        if len(labels) != self.real.shape[1]:
            return self.real
        return named_array(self.real, labels)

    def each(
        self, call: Callable[..., Result], progress: Progress, *beside: Sequence[Any]
    ) -> list[Result]:
        """Return call(samples, …, **design) for each file, with one progress bar.

        beside: sequences of further arguments, an entry for each file.
        """
        results, number = [], len(self.paths)
        with progress.work(number):
            files = zip(self.paths, self.names, self.designs, self.fakes, *beside, strict=True)
            for i, (path, name, design, *more) in enumerate(files, start=1):
                name = f"{name} ({i} of {number})" if number > 1 else name
                with self._errors_name(path), progress.work(1, name):
                    results.append(call(*more, **design))
        return results

    def _design(self, file: int) -> dict[str, Any]:
        """Return the weights and groups of a file of generated samples and of the real one."""
        design = {"w_real": self._w_real, "w_fake": self._weights("w_fake", self.paths[file])}
        design = {name: weights for name, weights in design.items() if weights is not None}
        if self._groups:
            design["groups"] = self._groups[0], self._groups[1 + file]
        return design

    def _labels_of_groups(self) -> list[Any]:
        """Return the labels of groups of every file, None for a set without; empty without any."""
        columns = [self._beside[name] for name in ("groups_real", "groups_fake")]
        if columns == [None, None]:
            return []
        paths = (self.real_path, *self.paths)
        names = (columns[0], *[columns[1]] * len(self.paths))
        grouped = zip(paths, names, strict=True)
        loaded = iter(load_labels([f"{path}:{name}" for path, name in grouped if name is not None]))
        return [None if name is None else next(loaded) for name in names]

    def _weights(self, name: str, path: str) -> Any:
        """Return the weights of a file; None without such a column."""
        if (column := self._beside[name]) is None:
            return None
        with self._errors_name(path):
            values = read_samples(name, load_array(path, Selection((column,))))
        if values.shape[1] != 1:
            raise ValueError(f"--weights: one column expected, {column!r} matches several")
        return values[:, 0]

    def _load(self, path: str, side: str) -> Any:
        if self._client is None:
            columns = self._columns
            beside = [self._beside[key] for key in (f"w_{side}", f"groups_{side}") if self._beside]
            if names := tuple(one for one in beside if one is not None):
                columns = columns._replace(drop=(*(columns.drop or ()), *names))
            return load_array(path, columns)
        from prfast.distributed.shards import shards

        return shards(path, columns=self._columns.columns, drop=self._columns.drop)

    @contextmanager
    def _errors_name(self, path: str) -> Iterator[None]:
        """Put the file in front of the name of the argument in errors."""
        try:
            yield
        except ArgumentError as error:
            files = {"real": self.real_path, "fake": path, "real and fake": path}
            # Tables: real['width'].  Of several models, errors of options name theirs.
            file = files.get(error.argument.partition("[")[0], path if self.paths[1:] else None)
            raise (error if file is None else error.at(file)) from None


def _columns_beside(options: argparse.Namespace, client: Any) -> dict[str, str | None]:
    """Return the columns of --weights and --groups by the arguments of `pr_curve`; empty where
    there are none."""
    given = {name: getattr(options, name, None) for name in ("weights", "groups")}
    columns: dict[str, str | None] = {}
    for name, prefix in (("weights", "w"), ("groups", "groups")):
        names = [None if one == "none" else one for one in given[name] or ["none"]]
        if len(names) > 2:
            text = f"a column, or two, of real and of generated samples, expected, got {len(names)}"
            raise ValueError(f"--{name}: {text}")
        columns |= {f"{prefix}_real": names[0], f"{prefix}_fake": names[-1]}
        if given[name] is None:
            continue
        if client is not None:
            raise ValueError(f"--{name}: not with --cluster")
        for path in (options.real, *options.fake):
            if os.path.splitext(path)[1].lower() not in LABELED_TABLES:
                known = " or ".join(LABELED_TABLES)
                raise ValueError(f"--{name}: tables expected, {known}, got {path}")
    return columns if any(given.values()) else {}


@contextmanager
def inputs_of(
    options: argparse.Namespace, names: Sequence[str], at_least: int = 1
) -> Iterator[Inputs]:
    """Open the samples of all files, at least `at_least` each; with --cluster, on workers."""
    where = getattr(options, "cluster", None)
    clients: AbstractContextManager[Any] = nullcontext()
    if where is not None:
        from prfast.distributed.dask import client_at

        clients = client_at(where, "cluster")
    with warnings.catch_warnings(), record_engines() as engines, clients as client:
        warnings.simplefilter("ignore", Contradiction)  # notes say the same
        inputs = Inputs(options, names, client, at_least)
        inputs.engines = engines
        yield inputs


# ---- outputs -------------------------------------------------------------------------------------


def check_outputs(inputs: Sequence[str], **outputs: str | None) -> None:
    """Raise ValueError for outputs that cannot be written or would overwrite an input.

    outputs: {option: path}; None for an output that is not written, "-" for the terminal.
    """
    files = [place_and_key(one)[0] for one in inputs]
    files += [sidecar(one) for one in files if one.lower().endswith(".npy") and has_record(one)]
    paths = [path for path in outputs.values() if path is not None and path != "-"]
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
            known = ", ".join(sorted(formats))
            raise ValueError(f"{plot}: a file ending in one of {known} expected")


def check_page(path: str | None) -> None:
    """Raise if a report cannot be written; None for one that is not."""
    if path is not None:
        from prfast.report.write import load_libraries

        if not path.lower().endswith((".html", ".htm")):
            raise ValueError(f"{path}: a file ending in .html expected")
        load_libraries()


def write_record(
    options: argparse.Namespace, inputs: Inputs | InputRecords, results: Mapping[str, Any]
) -> None:
    """Write the record of a command, if --json is given."""
    if options.json is None:
        return
    from prfast.records.documents import Record, checksum_of

    records = inputs.records
    if not options.no_hash:
        sums = {path: checksum_of(path) for path in {one.path or "" for one in records}}
        records = [replace(one, **sums[one.path or ""]._asdict()) for one in records]
    on_terminal = options.json == "-"
    # The working directory as it is seen from the file.
    start = os.curdir if on_terminal else os.path.dirname(os.path.abspath(options.json))
    record = Record(
        inputs=records,
        command=options.argv,
        folder=os.path.relpath(os.getcwd(), start).replace(os.sep, "/"),
        engines=sorted(inputs.engines),
        real=options.real,
        **results,
    ).to_dict()
    text = json.dumps({"prfast": version(), **record}, indent=1, allow_nan=False)
    if on_terminal:
        options.json_text = text  # printed in place of the table
    else:
        write_text(options.json, text + "\n")


def each_model(
    options: argparse.Namespace,
    entry: Callable[..., Any] = lambda who: who,
    *results: Iterable[Any],
) -> list[Any]:
    """Return entry(who, result) for each model; who: its file, and its name with --names."""
    who = [{"fake": path} for path in options.fake]
    for one, name in zip(who, options.names or (), strict=False):
        one["name"] = name
    return [entry(*one) for one in zip(who, *results, strict=True)]


# ---- notes on samples ----------------------------------------------------------------------------


def curve_notes(names: Sequence[str], curves: Sequence[PRCurve]) -> Iterator[str]:
    """Yield the notes on the curve of each model."""
    for name, curve in zip(names, curves, strict=True):
        yield from (f"{name}: {text}" for text in notes_of(curve.provenance))


def few_samples(inputs: Inputs) -> Iterator[str]:
    """Yield a note for each model with few samples."""
    for name, m in zip(inputs.names, inputs.sizes, strict=True):
        yield from (f"{name}: {text}" for text in few_note((len(inputs.real), m)))


def equal_samples(inputs: Inputs, curves: Sequence[PRCurve | None] = ()) -> Iterator[str]:
    """Yield notes on rows that equal a real one and on repeated rows.

    curves: of the models that have one; what they record, `curve_notes` yields.  Partitioned
    samples are not compared.
    """
    real: Any = plain(inputs.real)
    if not isinstance(real, np.ndarray):
        return
    first = Samples(real)
    for i, (name, samples) in enumerate(zip(inputs.names, inputs.fakes, strict=True)):
        if curves and (curve := curves[i]) and curve.provenance.has_equal_rows:
            continue
        fake = plain(samples)
        size, equal = len(fake), Pair(first, Samples(fake)).repetition
        for text in (
            *copied_note(equal.copied, size, discrete=equal.discrete),
            *repeated_note(len(equal.counts[1]), size, "generated"),
        ):
            yield f"{name}: {text}"


def other_sizes(inputs: Inputs) -> Iterator[str]:
    """Yield a note for each model whose number of samples differs from the first model's."""
    first = inputs.sizes[0]
    for name, m in zip(inputs.names, inputs.sizes, strict=True):
        if m != first and min(len(inputs.real), m) >= FEW:
            yield (
                f"{name}: {m} generated samples, {inputs.names[0]}: {first}; curves of different "
                "numbers differ for that alone"
            )


def class_cautions(name: str, groups: Groups) -> Iterator[str]:
    """Yield a note for each contradiction between curves and metrics, with its classes."""
    classes: dict[str, list[str]] = {}
    for change in groups.changes:
        if min(change.sizes) < ENOUGH:  # also where the class is missing, without metrics
            continue
        curves, metrics = groups.curves.get(change.label, {}), groups.metrics[change.label]
        for caution in contradictions(curves, metrics):
            classes.setdefault(caution, []).append(str(change.label))
    for caution, labels in classes.items():
        noun = "class" if len(labels) == 1 else "classes"
        yield f"{name}, {noun} {shortened(labels)}: {caution}"
