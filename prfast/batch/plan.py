"""What is asked, and of which files: their rows in chunks, with checksums."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from prfast.batch.digest import digest
from prfast.batch.folder import Folder
from prfast.cluster.sharded import Sharded
from prfast.cluster.versions import versions
from prfast.files.load import load_array
from prfast.files.write import write_whole
from prfast.inputs.arrays import Floats, read_numbers
from prfast.inputs.blocks import blocks
from prfast.inputs.errors import ArgumentError
from prfast.inputs.features import record_of
from prfast.inputs.samples import read_pair
from prfast.inputs.tables import check_order, labels_of
from prfast.scalars.options import check_asked, check_pieces, check_sizes
from prfast.scalars.table import wholes
from prfast.scalars.wanted import MetricOptions

FORMAT = "prfast.plan/1"
FILE, BLOCKS = "plan.json", "blocks"
ROWS = 20_000  # of a chunk


class Chunk(NamedTuple):
    """Rows [start, stop) of a file, as they were when the plan was made."""

    path: str
    start: int
    stop: int
    checksum: int
    length: int
    """Of the file."""

    def load(self) -> Floats:
        """ValueError where they have changed."""
        whole = read_numbers(self.path, load_array(self.path))
        rows = whole[self.start : self.stop]
        if len(whole) != self.length or _checksum(rows) != self.checksum:
            raise ValueError(
                f"{self.path}: rows {self.start} to {self.stop} have changed since the plan was "
                "made; make a new one in another folder"
            )
        return rows


class Plan(NamedTuple):
    """Both files and the question, as JSON has them."""

    real: Mapping[str, Any]
    fake: Mapping[str, Any]
    question: Mapping[str, Any]
    rows: int
    versions: Mapping[str, str]

    @property
    def mark(self) -> str:
        """By which the blocks of this plan are known."""
        return digest(json.dumps(self._asdict(), sort_keys=True))

    def sets(self, folder: Folder) -> tuple[Any, Any]:
        """Both sets, in pieces, as they stand for arrays."""
        return _sharded(self.real, folder), _sharded(self.fake, folder)


def make_plan(place: str, real: str, fake: str, question: Mapping[str, Any], rows: int) -> Plan:
    """Look at both files and write the plan into a new folder.

    Raises
    ------
    ValueError
        A folder that has a plan already; whatever is wrong with the samples, by the name of the
        file; too few of them for k.
    """
    if os.path.exists(os.path.join(place, FILE)):
        raise ValueError(f"{place}: has a plan already; choose another folder")
    try:
        sets = load_array(real), load_array(fake)
        # Jobs read the files again, each with its columns in its own order.
        check_order("fake", labels_of(sets[1]), labels_of(sets[0]))
        arrays = read_pair(*sets, at_least=2)
    except ArgumentError as error:
        files = {"real": real, "fake": fake, "real and fake": f"{real} and {fake}"}
        raise error.renamed(files[error.argument.partition("[")[0]]) from None
    if question["metrics"] is not None:
        wanted = MetricOptions(**question["metrics"])
        check_sizes(len(arrays[0]), len(arrays[1]), wanted)
        check_asked(question["backend"], True, wanted)
        check_pieces(list(wholes(wanted.names)))  # they are no tasks with a file of their own
    of_real, of_fake = (
        _record(path, one, rows) | {"features": record_of(of)}
        for path, one, of in zip((real, fake), arrays, sets, strict=True)
    )
    plan = Plan(of_real, of_fake, question, rows, versions())
    text = json.dumps({"format": FORMAT, **plan._asdict()}, indent=1) + "\n"

    def write(draft: str) -> None:
        with open(draft, "w", encoding="utf-8") as file:
            file.write(text)

    os.makedirs(place, exist_ok=True)
    try:
        os.mkdir(os.path.join(place, BLOCKS))  # of two who plan at once, one comes first
    except FileExistsError:
        raise ValueError(f"{place}: has a plan already; choose another folder") from None
    write_whole(os.path.join(place, FILE), write)
    return plan


def load_plan(place: str) -> Plan:
    """ValueError where there is none, or one of other versions, on which results depend."""
    path = os.path.join(place, FILE)
    if not os.path.exists(path):
        raise ValueError(f"{path}: is not there; prfast plan makes it")
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
        if found.pop("format") != FORMAT:
            raise ValueError("another format")
        plan = Plan(**found)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"{path}: a file of prfast plan expected: {error}") from None
    for name, here in versions().items():
        made = plan.versions.get(name)
        if made != here:
            raise ValueError(f"{path}: made with {name} {made}, and here it is {here}")
    return plan


def _record(path: str, array: Floats, rows: int) -> dict[str, Any]:
    """Of samples that have been read."""
    largest, smallest, chunks = 0.0, float("inf"), []
    for part in blocks(len(array), rows):
        one = array[part]
        size = np.abs(one)
        largest = max(largest, float(size.max()))
        smallest = min(smallest, float(size[size > 0].min(initial=np.inf)))
        chunks.append([part.start, part.stop, _checksum(one)])
    return {
        "path": os.path.abspath(path),
        "given": path,
        "width": array.shape[1],
        "dtype": array.dtype.str,
        "largest": largest,
        "smallest": None if smallest == float("inf") else smallest,
        "chunks": chunks,
    }


def _sharded(record: Mapping[str, Any], folder: Folder) -> Sharded:
    length = record["chunks"][-1][1]
    chunks = [
        Chunk(record["path"], start, stop, checksum, length)
        for start, stop, checksum in record["chunks"]
    ]
    lengths = np.array([one.stop - one.start for one in chunks], np.int64)
    smallest = float("inf") if record["smallest"] is None else record["smallest"]
    checksum = int(digest([one.checksum for one in chunks])[:8], 16)
    return Sharded(
        chunks,
        lengths,
        record["width"],
        np.dtype(record["dtype"]),
        folder,
        record["largest"],
        smallest,
        checksum,
        record=record["features"],
    )


def _checksum(rows: Floats) -> int:
    return zlib.crc32(np.ascontiguousarray(rows).data.cast("B"))
