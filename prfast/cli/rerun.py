"""`prfast rerun`: repeats the command of a record and compares the results."""

from __future__ import annotations

import argparse
import io
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import replace
from typing import Any, NamedTuple

from prfast.cli.files import check_outputs, folder_seen_from, write_json
from prfast.cli.terminal import complain, say
from prfast.records.record import Input, Record, checksum_of, load_record
from prfast.results.values import counted

_COMMANDS = ("curve", "metrics", "report")  # the commands that write records
_LINES = 20  # differences that are printed at most


def run(options: argparse.Namespace) -> int:
    """Repeat the command, print what differs, and return 1 if inputs or numbers do, else 0."""
    check_outputs([options.record], json=options.json)
    before = load_record(options.record)
    if before.command is None:
        raise ValueError(
            f"{options.record}: has no command to repeat; it was made in Python, not by --json"
        )
    if before.command[:1] not in [[name] for name in _COMMANDS]:
        raise ValueError(
            f"{options.record}: a command of {', '.join(_COMMANDS)} expected, "
            f"got {before.command[:1]}"
        )
    # Standard output has nothing but JSON.
    show = complain if options.json == "-" else say
    place = None if options.json in (None, "-") else os.path.abspath(options.json)
    with chdir(_folder(options.record, options.root, before)):
        changed, unknown = _changed(options.record, before.inputs)
        recorded = "as recorded" if before.inputs else "none recorded, none checked"
        show("\n".join([*changed, *unknown] or [f"inputs: {recorded}"]))
        now = _again(options, before)
        now = replace(now, folder="." if place is None else folder_seen_from(place))
    write_json(options.json, now.to_dict())
    numbers, differences = compare(before, now)
    versions = _pairs(before, now, ("versions", "platform"))
    lines = [str(one).partition(".")[2] for one in versions if one.differs]
    for line in [*_limited(lines), *_limited([str(one) for one in differences])]:
        show(line)
    count = len(differences)
    same = counted(count, "entry differs", "entries differ") if count else "all the same"
    show(f"{numbers} numbers compared, {same}")
    return int(bool(differences or changed))


def _folder(record: str, root: str | None, before: Record) -> str:
    """Return the folder in which the command runs."""
    if root is None:
        root = os.path.join(os.path.dirname(os.path.abspath(record)), before.folder or ".")
        message = f"{record}: its files were in {root}, which is missing; --root FOLDER says where"
    else:
        message = f"--root: a folder expected, got {root!r}"
    if not os.path.isdir(root):
        raise ValueError(message)
    return root


def _changed(record: str, inputs: Sequence[Input]) -> tuple[list[str], list[str]]:
    """Return a line for each changed input, and for each input without a recorded checksum.

    Raises
    ------
    ValueError
        Files are missing.
    """
    changed, unknown, missing = [], [], []
    for path, before in {one.path or "": one.sha256 for one in inputs}.items():
        try:
            now = checksum_of(path).sha256
        except FileNotFoundError:
            missing.append(path)
            continue
        if before is None:
            unknown.append(f"{path}: no checksum was recorded")
        elif now != before:
            changed.append(f"{path}: has changed, sha256 {before[:16]}… expected, got {now[:16]}…")
    if missing:
        raise ValueError(
            f"{record}: not in {os.getcwd()}: {', '.join(missing)}; --root FOLDER "
            "says where they are"
        )
    return changed, unknown


def _again(options: argparse.Namespace, before: Record) -> Record:
    """Run the command and return its record; its other outputs are not written."""
    command = before.command or []
    messages = io.StringIO()
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(messages):
            again = options.parse(command)
    except SystemExit:  # of argparse, after it has printed help or an error
        reason = messages.getvalue().strip().removeprefix("prfast: error: ")
        reason = reason or "it only prints help"
        raise ValueError(f"{options.record}: its command cannot be repeated: {reason}") from None
    with tempfile.TemporaryDirectory() as place:
        again.json = os.path.join(place, "now.json")
        again.plot = again.output = None
        again.no_hash = all(one.sha256 is None for one in before.inputs)
        with redirect_stdout(io.StringIO()):
            again.run(again)
        return load_record(again.json)


def _limited(lines: Sequence[str]) -> list[str]:
    more = len(lines) - _LINES
    return list(lines) if more <= 0 else [*lines[:_LINES], f"… and {more} more"]


# ---- differences between two records -------------------------------------------------------------

_ABOUT = ("fake", "name", "class", "method", "k")  # keys that identify an entry
_MISSING = "nothing"


class Pair(NamedTuple):
    """A value in both records, and its place."""

    place: str
    before: Any
    now: Any

    @property
    def differs(self) -> bool:
        return type(self.before) is not type(self.now) or bool(self.before != self.now)

    def __str__(self) -> str:
        return f"{self.place}: {_short(self.before)} recorded, got {_short(self.now)}"


def compare(before: Record, now: Record) -> tuple[int, list[Pair]]:
    """Return the number of numbers in the results, and the values that differ.

    The versions in `info` of results are left out.
    """
    pairs = [
        pair
        for pair in _pairs(before, now, ("curves", "metrics", "classes"))
        if not pair.place.endswith(".info.version")
    ]
    numbers = sum(
        isinstance(pair.before, int | float) and not isinstance(pair.before, bool) for pair in pairs
    )
    return numbers, [pair for pair in pairs if pair.differs]


def _pairs(before: Record, now: Record, fields: Sequence[str]) -> Iterator[Pair]:
    for name in fields:
        yield from _walk(name, getattr(before, name), getattr(now, name))


def _walk(place: str, before: Any, now: Any) -> Iterator[Pair]:
    """Yield all leaves of two values of JSON."""
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for key in dict.fromkeys([*before, *now]):
            yield from _walk(f"{place}.{key}", before.get(key, _MISSING), now.get(key, _MISSING))
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for i, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from _walk(f"{place}[{_label(i, one)}]", one, other)
    else:
        yield Pair(place, before, now)


def _label(number: int, entry: Any) -> str:
    """Return the keys that identify an entry, else its number."""
    if not isinstance(entry, Mapping):
        return str(number)
    about = [str(entry[key]) for key in _ABOUT if entry.get(key) is not None]
    return ", ".join(about) or str(number)


def _short(value: Any) -> str:
    text = value if value is _MISSING else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
