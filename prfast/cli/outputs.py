"""Inputs and outputs of commands, both checked before any work.

`Inputs` reads and validates the samples of all files.  Results go to the terminal (`say`, `note`),
to JSON (`write_record`) and to pictures; files are written whole or not at all.  The last functions
yield notes on samples that limit what their numbers mean.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, TypeVar

import numpy as np

from prfast.comparison.classes import Groups
from prfast.curve import Provenance
from prfast.curve.notes import FEW, copied_note, few_note, notes_of, repeated_note
from prfast.distributed.dask import client_at
from prfast.distributed.reading import read_other, read_samples
from prfast.distributed.shards import shards
from prfast.estimate.check import ENOUGH
from prfast.estimate.guard import contradictions
from prfast.files.load import load_array, place_and_key
from prfast.files.tables import read_selection
from prfast.files.write import has_record, sidecar, write_whole
from prfast.inputs.copies import equal_rows, row_keys
from prfast.inputs.errors import ArgumentError
from prfast.inputs.features import (
    check_alike,
    check_all_alike,
    first_recorded,
    plain,
    record_of,
    with_record,
)
from prfast.inputs.options import MEMORY, Progress
from prfast.inputs.tables import first_labels, labels_of, named, named_array
from prfast.records.record import Checksum, assembled, checksum_of, input_record, looked_at, size_of
from prfast.results.info import version
from prfast.results.values import shortened

# Control characters, which names of files and models may contain.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def harmless(text: str, form: str = r"\x{:02x}") -> str:
    r"""Escape control characters except newlines and tabs, as \x1b."""
    return _CONTROLS.sub(lambda found: form.format(ord(found[0])), text)


def json_text(data: Any, **how: Any) -> str:
    r"""Return JSON for files and the terminal, with control characters escaped as \u009b."""
    return harmless(json.dumps(data, indent=1, **how), r"\u{:04x}")


def say(text: str, end: str = "\n", coloured: bool = False) -> None:
    """Print to standard output; a closed pipe ends the output but not the work.

    coloured: print colour codes unescaped, for text of argparse, which has no names of files.
    """
    if sys.stdout is None:  # closed before the start
        return
    if not coloured:
        text = harmless(text)
    try:
        try:
            print(text, end=end, flush=True)
        except UnicodeEncodeError:  # a terminal without ∞: a question mark
            code = sys.stdout.encoding
            print(text.encode(code, "replace").decode(code), end=end, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(text: str) -> None:
    """Print to standard error, if it is open."""
    if sys.stderr is not None:
        print(harmless(text), file=sys.stderr)


def note(text: str) -> None:
    """Print a note on the results to standard error."""
    complain(f"prfast: note: {text}")


def check_outputs(json_path: str | None, plot: str | None, inputs: Sequence[str]) -> None:
    """Raise ValueError for outputs that cannot be written or would overwrite an input."""
    outputs = [path for path in (json_path, plot) if path not in (None, "-")]
    for path in outputs:
        check_place(path, inputs)
    if len(outputs) == 2 and os.path.realpath(outputs[0]) == os.path.realpath(outputs[1]):
        raise ValueError(f"{outputs[0]}: two different files expected for --json and --plot")
    if plot:
        from prfast.plots.drawing import new_axes

        formats = new_axes().figure.canvas.get_supported_filetypes()
        ending = os.path.splitext(plot)[1].lstrip(".").lower()
        if ending not in formats:
            known = ", ".join(sorted(formats))
            raise ValueError(f"{plot}: a file ending in one of {known} expected")


def check_place(path: str, inputs: Sequence[str]) -> None:
    """Raise ValueError where no file can be written, or where the path is an input."""
    files = [place_and_key(one)[0] for one in inputs]
    files += [sidecar(one) for one in files if one.lower().endswith(".npy") and has_record(one)]
    if os.path.realpath(path) in map(os.path.realpath, files):
        raise ValueError(f"{path}: is an input; choose another name for the output")
    if os.path.exists(path) and not os.path.isfile(path):
        what = "folder" if os.path.isdir(path) else "device or pipe"
        raise ValueError(f"{path}: a file expected, got a {what}")
    if not os.path.basename(path):
        raise ValueError(f"{path!r}: the name of a file expected")
    folder = os.path.dirname(os.path.abspath(path))
    if not os.access(folder, os.W_OK):
        raise ValueError(f"{path}: no such folder, or not writable")


def write_json(path: str | None, record: dict[str, Any]) -> None:
    if path is None:
        return
    text = json_text({"prfast": version(), **record}, allow_nan=False) + "\n"
    if path == "-":
        if sys.stdout is None:
            raise ValueError("--json -: standard output is closed")
        say(text, end="")
        return

    def write(draft: str) -> None:
        with open(draft, "w", encoding="utf-8") as file:
            file.write(text)

    write_whole(path, write)


# ---- samples of files ----------------------------------------------------------------------------


Found = TypeVar("Found")


class Inputs:
    """The samples of all files, read and validated once at construction; errors name the file.

    Memory-mapped arrays, and up to MEMORY bytes of others, stay loaded; other files are loaded
    again when needed, so that memory does not grow with the number of models.
    """

    def __init__(self, options: argparse.Namespace, client: Any, at_least: int) -> None:
        self.paths: list[str] = options.fake
        self.real_path: str = options.real
        self._client, self._at_least = client, at_least
        self._wanted = read_selection(
            getattr(options, "columns", None), getattr(options, "drop", None)
        )
        self._kept: dict[str, Any] = {}
        if client is None:
            for path in (self.real_path, *self.paths):
                if not os.path.exists(place_and_key(path)[0]):
                    load_array(path)  # raises for a missing file before others are read
        with self._names(self.paths[0]):
            real = self._load(self.real_path)
            self._labels = labels_of(real)
            read = read_samples("real", real, client, at_least=at_least)
            self.real = with_record(read, record_of(real))
        self.sizes = []
        self.looks = {self.real_path: looked_at(self.real)}
        free, records = MEMORY, list[tuple[str, Any]]()
        for path in self.paths:
            samples = self.fake(path)
            records.append((path, first_recorded([samples])))
            check_all_alike(records)
            self.sizes.append(len(samples))
            self.looks[path] = looked_at(samples)
            held = _bytes_held(samples)
            if held <= free:
                self._kept[path] = samples
                free -= held

    def fake(self, path: str) -> Any:
        """Return the validated samples of a file of generated samples."""
        if path in self._kept:
            return self._kept[path]
        with self._names(path):
            found = self._load(path)
            self._labels = first_labels(self._labels, labels_of(found))
            check_alike("real", self.real, "fake", found)
            real, at_least = plain(self.real), self._at_least
            read = read_other("fake", found, real, self._labels, at_least=at_least)
            return with_record(read, record_of(found))

    @property
    def named_real(self) -> Any:
        """The real samples, as a table where the files name their columns."""
        labels = named(self._labels)
        if labels is None or not isinstance(self.real, np.ndarray):
            return self.real
        if len(labels) != self.real.shape[1]:
            return self.real
        return named_array(self.real, labels)

    def check(self, call: Callable[[int, int], None]) -> None:
        """Call `call` with both numbers of samples of each file; its errors name the file."""
        for path, size in zip(self.paths, self.sizes, strict=True):
            try:
                call(len(self.real), size)
            except ArgumentError as error:
                raise (error if len(self.paths) == 1 else error.at(path)) from None

    def each(
        self,
        call: Callable[..., Found],
        progress: Progress,
        names: Sequence[str],
        *beside: Sequence[Any],
    ) -> list[Found]:
        """Return call(samples, …) for each file, with one progress bar.

        names: of the files, for the progress bar.  beside: sequences of further arguments, an
        entry for each file.
        """
        found, number = [], len(self.paths)
        with progress.work(number):
            for i, (path, name, *more) in enumerate(
                zip(self.paths, names, *beside, strict=True), start=1
            ):
                name = f"{name} ({i} of {number})" if number > 1 else name
                with self._names(path), progress.work(1, harmless(name)):
                    found.append(call(self.fake(path), *more))
        return found

    def _load(self, path: str) -> Any:
        if self._client is None:
            return load_array(path, self._wanted)
        return shards(path, columns=self._wanted.columns, drop=self._wanted.drop)

    @contextmanager
    def _names(self, path: str) -> Iterator[None]:
        """Replace the name of the argument by that of its file in errors."""
        try:
            yield
        except ArgumentError as error:
            files = {"real": self.real_path, "fake": path, "real and fake": path}
            file = files.get(error.argument.partition("[")[0])  # errors of tables: real['width']
            if file is None:
                raise
            raise error.at(file) from None


def _bytes_held(samples: Any) -> int:
    """Return the bytes of memory of samples: 0 for memory-mapped arrays and samples in pieces."""
    samples = plain(samples)
    if not isinstance(samples, np.ndarray):
        return 0
    base: Any = samples
    while base is not None and not isinstance(base, np.memmap):
        base = getattr(base, "base", None)
    return samples.nbytes if base is None else 0


@contextmanager
def inputs_of(options: argparse.Namespace, at_least: int = 1) -> Iterator[Inputs]:
    """Open the samples of all files, at least `at_least` each; with --cluster, on workers."""
    where = getattr(options, "cluster", None)
    with nullcontext() if where is None else client_at(where, "--cluster") as client:
        yield Inputs(options, client, at_least)


# ---- the record of --json ------------------------------------------------------------------------


def write_record(
    options: argparse.Namespace,
    results: Mapping[str, Any],
    looks: Sequence[tuple[str, str, str | None, dict[str, Any]]],
) -> None:
    """Write the record of a command, if --json is given; looks: as `looks_of` returns them."""
    if options.json is None:
        return
    sums: dict[str, Checksum] = {}
    if not options.no_hash:
        progress = Progress()
        paths = dict.fromkeys(path for _, path, _, _ in looks)
        with progress.work(sum(map(size_of, paths)), "checksums"):
            sums = {path: checksum_of(path, progress.advance) for path in paths}
    inputs = [
        input_record(role, path, name, look, sums.get(path)) for role, path, name, look in looks
    ]
    folder = folder_seen_from(options.json)
    write_json(
        options.json,
        assembled(
            {"real": options.real, **results}, inputs, options.argv, folder, sorted(options.engines)
        ),
    )


def each_model(options: argparse.Namespace) -> list[dict[str, str]]:
    """Return the keys that identify a model: its file, and its name with --names."""
    if options.names is None:
        return [{"fake": path} for path in options.fake]
    pairs = zip(options.fake, options.names, strict=True)
    return [{"fake": path, "name": name} for path, name in pairs]


def looks_of(
    inputs: Inputs, names: Sequence[str] | None = None
) -> list[tuple[str, str, str | None, dict[str, Any]]]:
    """Return (role, path, name, summary) of the real samples and of each generated set."""
    told: Sequence[str | None] = [None] * len(inputs.paths) if names is None else names
    fakes = [
        ("fake", path, name, inputs.looks[path])
        for path, name in zip(inputs.paths, told, strict=True)
    ]
    return [("real", inputs.real_path, None, inputs.looks[inputs.real_path]), *fakes]


def folder_seen_from(json_path: str) -> str:
    """Return the working directory relative to the folder of the record; "." for the terminal."""
    if json_path == "-":
        return "."
    start = os.path.dirname(os.path.abspath(json_path))
    try:
        return os.path.relpath(os.getcwd(), start).replace(os.sep, "/")
    except ValueError:  # on another drive (Windows)
        return os.getcwd()


# ---- notes on samples ----------------------------------------------------------------------------


def of_curves(names: Sequence[str], provenances: Sequence[Provenance]) -> Iterator[str]:
    """Yield the notes on the curve of each model."""
    for name, made in zip(names, provenances, strict=True):
        yield from (f"{name}: {text}" for text in notes_of(made))


def of_metrics(names: Sequence[str], inputs: Inputs) -> Iterator[str]:
    """Yield a note for each model with few samples."""
    for name, m in zip(names, inputs.sizes, strict=True):
        yield from (f"{name}: {text}" for text in few_note((len(inputs.real), m)))


def equal_samples(
    names: Sequence[str], inputs: Inputs, provenances: Sequence[Provenance] = ()
) -> Iterator[str]:
    """Yield notes on files that equal another one, and on copied and repeated rows.

    provenances: of the curves of the models, if there are any; no note on rows repeats what they
    record, which `of_curves` yields.  Samples in pieces are not compared.
    """
    real: Any = plain(inputs.real)
    if not isinstance(real, np.ndarray):
        return
    seen: dict[bytes, str] = {}
    for i, (name, path) in enumerate(zip(names, inputs.paths, strict=True)):
        fake = plain(inputs.fake(path))
        same = seen.setdefault(row_keys(fake).tobytes(), name)
        if np.array_equal(fake, real):
            yield f"{name}: the samples of the real file, row by row"
            continue
        if same != name:
            yield f"{name}: the samples of {same}, row by row"
        if provenances and provenances[i].has_equal_rows:
            continue
        size, equal = len(fake), equal_rows(real, fake)
        for text in (
            *copied_note(equal.copied, size, discrete=equal.discrete),
            *repeated_note(len(equal.counts[1]), size, "generated"),
        ):
            yield f"{name}: {text}"


def other_sizes(names: Sequence[str], inputs: Inputs) -> Iterator[str]:
    """Yield a note for each model whose number of samples differs from the first model's."""
    first = inputs.sizes[0]
    for name, m in zip(names, inputs.sizes, strict=True):
        if m != first and min(len(inputs.real), m) >= FEW:
            yield (
                f"{name}: {m} generated samples, {names[0]}: {first}; curves of different numbers "
                "differ for that alone"
            )


def class_cautions(name: str, groups: Groups) -> Iterator[str]:
    """Yield a note for each contradiction between curves and metrics, with its classes."""
    found: dict[str, list[str]] = {}
    for label, metrics in groups.metrics.items():
        if min(metrics.info["class_real"], metrics.info["class_fake"]) < ENOUGH:
            continue
        for caution in contradictions(groups.curves.get(label, {}), metrics):
            found.setdefault(caution, []).append(str(label))
    for caution, labels in found.items():
        noun = "class" if len(labels) == 1 else "classes"
        yield f"{name}, {noun} {shortened(labels)}: {caution}"
