"""What `--json` writes of results: a record that `prfast rerun` repeats."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from typing import Any

from prfast.cli.outputs import write_json
from prfast.cli.samples import Inputs
from prfast.inputs.progress import Progress
from prfast.records.inputs import Checksum, checksum_of, input_record, size_of
from prfast.records.record import assembled


def write_record(
    options: argparse.Namespace,
    results: Mapping[str, Any],
    looks: Sequence[tuple[str, str, str | None, dict[str, Any]]],
) -> None:
    """The record of a command, if it was asked for; looks: (role, path, name, what was seen)."""
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
    """Whose an entry is: the file, and the name where models have names."""
    if options.names is None:
        return [{"fake": path} for path in options.fake]
    pairs = zip(options.fake, options.names, strict=True)
    return [{"fake": path, "name": name} for path, name in pairs]


def looks_of(
    inputs: Inputs, names: Sequence[str] | None = None
) -> list[tuple[str, str, str | None, dict[str, Any]]]:
    """Of the real samples and each set of generated ones."""
    told: Sequence[str | None] = [None] * len(inputs.paths) if names is None else names
    fakes = [
        ("fake", path, name, inputs.looks[path])
        for path, name in zip(inputs.paths, told, strict=True)
    ]
    return [("real", inputs.real_path, None, inputs.looks[inputs.real_path]), *fakes]


def folder_seen_from(json_path: str) -> str:
    """Where this runs, as seen from the folder of the record; "." for the terminal."""
    if json_path == "-":
        return "."
    start = os.path.dirname(os.path.abspath(json_path))
    try:
        return os.path.relpath(os.getcwd(), start).replace(os.sep, "/")
    except ValueError:  # of another drive
        return os.getcwd()
