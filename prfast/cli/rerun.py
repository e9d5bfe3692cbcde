"""`prfast rerun`: repeats the command of a record and compares the results."""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir
from typing import Any

from prfast.cli.files import Printout
from prfast.records.documents import RESULTS, Input, Record, checksum_of, load_record
from prfast.results.values import counted

_COMMANDS = ("curve", "metrics", "profile", "report", "tables", "test")  # those that write records


def run(options: argparse.Namespace) -> Printout:
    """Repeat the command and return what differs; status 1 if inputs or numbers do."""
    before = load_record(options.record)
    if before.command is None:
        text = "has no command to run again; it was made in Python, not by --json"
        raise ValueError(f"{options.record}: {text}")
    if before.command[:1] not in [[name] for name in _COMMANDS]:
        text = f"a command of {', '.join(_COMMANDS)} expected, got {before.command[:1]}"
        raise ValueError(f"{options.record}: {text}")
    root, message = options.root, f"--root: a folder expected, got {options.root!r}"
    if root is None:
        root = os.path.join(os.path.dirname(os.path.abspath(options.record)), before.folder or ".")
        message = f"{options.record}: its files were in {root}, which is missing; --root FOLDER "
        message += "says where"
    if not os.path.isdir(root):
        raise ValueError(message)
    with chdir(root):
        changed, unknown = _changed(options.record, before.inputs)
        recorded = "as recorded" if before.inputs else "none recorded, none checked"
        try:
            again = options.parse(before.command)
        except SystemExit:  # options that this version lacks, or --help
            raise ValueError(f"{options.record}: its command cannot be run again") from None
        with tempfile.TemporaryDirectory() as place:  # other outputs are not written
            again.json = os.path.join(place, "now.json")
            again.plot = again.output = again.report = None
            again.no_hash = all(x.sha256 is None for x in before.inputs)
            again.run(again)
            now = load_record(again.json)
    _, _, versions = compare(before, now, ("versions", "platform"))
    numbers, within, differences = compare(before, now, RESULTS[1:])
    parts = [counted(len(differences), "entry differs", "entries differ")] if differences else []
    if within:
        parts.append(f"{counted(within, 'differs', 'differ')} within the recorded ±")
    lines = [
        *([*changed, *unknown] or [f"inputs: {recorded}"]),
        *versions,
        *differences,
        f"{numbers} numbers compared, {', '.join(parts) or 'all the same'}",
    ]
    return Printout("\n".join(lines), status=int(bool(differences or changed)))


def _changed(record: str, inputs: Sequence[Input]) -> tuple[list[str], list[str]]:
    """Return a line for each changed input, and for each input without a recorded checksum."""
    changed, unknown, missing = [], [], []
    for path, before in {file.path or "": file.sha256 for file in inputs}.items():
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
        text = f"not in {os.getcwd()}: {', '.join(missing)}; --root FOLDER says where they are"
        raise ValueError(f"{record}: {text}")
    return changed, unknown


def compare(before: Record, now: Record, fields: Sequence[str]) -> tuple[int, int, list[str]]:
    """Return how many numbers are recorded in these fields, how many entries differ within the
    recorded ±, and a line for each other entry that differs.

    A number with an interval or a standard error agrees within its ±: another kernel of BLAS rounds
    otherwise.  Where a result has intervals, its further numbers follow from the same scores: they
    agree if all numbers with an interval do.  The versions of prfast are left out.
    """
    recorded, new = (
        {place: x for name in fields for place, x in _leaves(name, getattr(record, name))}
        for record in (before, now)
    )
    within, lines, agreeing = 0, [], _agreeing(recorded, new)
    for place in dict.fromkeys([*recorded, *new]):
        # The text of a float has all its digits, and tells 1 from 1.0.
        old, current = (repr(x[place]) if place in x else "nothing" for x in (recorded, new))
        if old == current:
            continue
        is_text = any(isinstance(x.get(place), str) for x in (recorded, new))
        follows = place.partition(".")[0] in agreeing and not is_text
        if follows or _is_within(place, recorded, new):
            within += 1
        else:
            lines.append(f"{place}: {old:.60} recorded, got {current:.60}")
    return sum(type(x) in (int, float) for x in recorded.values()), within, lines


_INTERVAL = re.compile(r"(.*)_interval\[0\]")


def _is_within(place: str, recorded: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Return whether the new number at a place is within the ± of the recorded one."""
    old, current = recorded.get(place), new.get(place)
    if not isinstance(old, float) or not isinstance(current, float):
        return False
    entry, _, name = place.rpartition(".")
    if (error := recorded.get(f"{entry}.errors.{name}")) is not None:
        return abs(current - old) <= 2 * float(error)
    ends: list[Any] = [recorded.get(f"{place}_interval[{i}]") for i in (0, 1)]
    return None not in ends and bool(ends[0] <= current <= ends[1])


def _agreeing(recorded: Mapping[str, Any], new: Mapping[str, Any]) -> set[str]:
    """Return the results, as "curves[0]", whose numbers with an interval are all within it."""
    results: dict[str, bool] = {}
    for match in filter(None, map(_INTERVAL.fullmatch, recorded)):
        result, place = match[1].partition(".")[0], match[1]
        is_same = place in new and recorded[place] == new[place]
        results[result] = results.get(result, True) and (
            is_same or _is_within(place, recorded, new)
        )
    return {result for result, agrees in results.items() if agrees}


def _leaves(place: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the places and values of all leaves of a value of JSON."""
    if isinstance(value, Mapping | list):
        for key, entry in value.items() if isinstance(value, Mapping) else enumerate(value):
            part = f"{place}[{key}]" if isinstance(value, list) else f"{place}.{key}"
            yield from _leaves(part, entry)
    elif not place.endswith(".info.version"):
        yield place, value
