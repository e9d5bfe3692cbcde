"""`prfast rerun`: repeats the command of a record and compares the results."""

from __future__ import annotations

import argparse
import io
import os
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from typing import Any

from prfast.cli.outputs import check_outputs, complain, folder_seen_from, say, write_json
from prfast.records.compare import Differs, compare, versions_differ
from prfast.records.record import checksum_of, load_record
from prfast.results.values import counted

_COMMANDS = ("curve", "metrics", "report")  # the commands that write records
_LINES = 20  # differences that are printed at most

ABOUT = {
    "usage": "prfast rerun RECORD.json [--root FOLDER] [--json FILE]",
    "help": "repeat what a file of --json records, and say what differs",
    "description": (
        "Repeats the command of a record (--json of curve, metrics or report), compares every "
        "number exactly and says what differs, inputs and versions too.  Nothing but --json is "
        "written.  Exit status: 0, the same; 1, numbers or inputs differ; 2, an error, such as a "
        "file that is not there."
    ),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD.json", help="a file of --json")
    parser.add_argument(
        "--root",
        metavar="FOLDER",
        help="where the files are (default: where they were, as seen from the record)",
    )
    parser.add_argument("--json", metavar="FILE", help="write the new record")


def run(options: argparse.Namespace) -> int:
    """Return 0 where nothing but versions differs, else 1."""
    check_outputs(options.json, None, [options.record])
    was = load_record(options.record)
    command = was.get("command")
    if command is None:
        raise ValueError(
            f"{options.record}: has no command to repeat; it was made in Python, not by --json"
        )
    if command[0] not in _COMMANDS:
        raise ValueError(
            f"{options.record}: a command of {', '.join(_COMMANDS)} expected, got {command[0]!r}"
        )
    tell = complain if options.json == "-" else say
    place = None if options.json in (None, "-") else os.path.abspath(options.json)
    folder = _folder(options.record, options.root, was)
    with chdir(folder):
        changed, unknown = _changed(options.record, was["inputs"])
        as_recorded = (
            "inputs: as recorded" if was["inputs"] else "inputs: none recorded, none checked"
        )
        tell("\n".join([*changed, *unknown] or [as_recorded]))
        now = _again(options, command, was["inputs"])
        now["folder"] = "." if place is None else folder_seen_from(place)
    if options.json is not None:
        write_json(options.json, now)
    others = _others(was["inputs"], now["inputs"])
    for line in others:
        tell(line)
    numbers, differ = compare(was, now)
    for line in _limited(versions_differ(was, now)) + _limited(differ):
        tell(line)
    same = counted(len(differ), "entry differs", "entries differ") if differ else "all the same"
    tell(f"{numbers} numbers compared, {same}")
    return int(bool(differ or changed or others))


def _folder(record: str, root: str | None, was: Mapping[str, Any]) -> str:
    """Return the folder in which the command runs."""
    if root is None:
        root = os.path.join(os.path.dirname(os.path.abspath(record)), was.get("folder") or ".")
        words = f"{record}: its files were in {root}, which is not there; --root FOLDER says where"
    else:
        words = f"--root: a folder expected, got {root!r}"
    if not os.path.isdir(root):
        raise ValueError(words)
    return root


def _changed(record: str, inputs: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[str]]:
    """Return a line for each changed input, and for each input without a recorded checksum.

    Raises
    ------
    ValueError
        Files are missing.
    """
    changed, unknown, missing = [], [], []
    for one in inputs:
        path = one["path"]
        try:
            now = checksum_of(path).sha256
        except FileNotFoundError:
            missing.append(path)
            continue
        if one["sha256"] is None:
            unknown.append(f"{path}: no checksum was recorded")
        elif now != one["sha256"]:
            changed.append(f"{path}: has changed, sha256 {one['sha256'][:16]}… was, {now[:16]}… is")
    if missing:
        raise ValueError(
            f"{record}: not in {os.getcwd()}: {', '.join(dict.fromkeys(missing))}; --root FOLDER "
            "says where they are"
        )
    return list(dict.fromkeys(changed)), list(dict.fromkeys(unknown))


def _others(was: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a line for each input that only one of the records has."""
    recorded, read = ([one["path"] for one in inputs] for inputs in (was, now))
    found = [
        f"{path}: was read, and is not among the recorded inputs"
        for path in read
        if path not in recorded
    ]
    found += [f"{path}: is recorded, and was not read" for path in recorded if path not in read]
    return list(dict.fromkeys(found))


def _again(
    options: argparse.Namespace, command: Sequence[str], inputs: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Run the command and return its record; its other outputs are not written."""
    with tempfile.TemporaryDirectory() as place:
        told = _parsed(options, command)
        told.json = os.path.join(place, "now.json")
        told.plot = told.output = None
        told.argv, told.no_hash = list(command), all(one["sha256"] is None for one in inputs)
        with redirect_stdout(io.StringIO()):
            told.run(told)
        return load_record(told.json)


def _parsed(options: argparse.Namespace, command: Sequence[str]) -> argparse.Namespace:
    """Return the options of the command; ValueError where it cannot be parsed or prints help."""
    words = io.StringIO()
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(words):
            told: argparse.Namespace = options.parse(command)
    except SystemExit:
        reason = words.getvalue().strip().removeprefix("prfast: error: ") or "it only prints help"
        raise ValueError(f"{options.record}: its command cannot be repeated: {reason}") from None
    return told


def _limited(found: Sequence[Differs]) -> list[str]:
    lines, more = list(map(str, found)), len(found) - _LINES
    return lines if more <= 0 else [*lines[:_LINES], f"… and {more} more"]
