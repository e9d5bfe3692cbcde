"""Records of results for JSON: the public function `record`, and `load_record`.

A record has the results as entries (numbers, intervals, masses of curves), the versions and the
machine, and of each input its checksum, size, shape, dtype and the provenance of its features.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
import platform
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import numpy as np

from prfast.comparison.classes import Groups
from prfast.comparison.results import Evaluation
from prfast.curve import PRCurve
from prfast.curve.curve import LEVEL
from prfast.curve.summary import for_record, shown
from prfast.estimate.intervals import has_intervals, several_intervals
from prfast.files.load import load, place_and_key
from prfast.inputs.arrays import blocks, read_samples
from prfast.inputs.errors import WrongType, WrongValue, kind_of
from prfast.inputs.features import record_of, with_record
from prfast.kernels.choice import isa, wanted_filter
from prfast.results.info import version
from prfast.results.values import for_json, listed
from prfast.scalars.result import Metrics

_OTHERS = re.compile(r"[^A-Za-z0-9_]")


def plain_key(name: str) -> str:
    """Replace other signs than letters and digits by _: "tsallis:0.5" is "tsallis_0_5"."""
    return _OTHERS.sub("_", name)


def plain_keys(value: Any) -> Any:
    """Apply `plain_key` to every key, at all levels."""
    if isinstance(value, Mapping):
        return {plain_key(key): plain_keys(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain_keys(one) for one in value]
    return value


# ---- environment ---------------------------------------------------------------------------------

_PACKAGES = ("prfast", "numpy", "scipy", "scikit-learn")


def versions() -> dict[str, str]:
    """Return the versions of prfast, its numerical dependencies and Python."""
    found = {name.replace("-", "_"): version(name) for name in _PACKAGES}
    return {**found, "python": platform.python_version()}


def machine() -> dict[str, Any]:
    """Return the system, processor, instruction set and filter; no user or host names."""
    return {
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "c_library": " ".join(platform.libc_ver()).strip() or None,
        "cores": os.cpu_count(),
        "instructions": isa(),
        "filter": wanted_filter(),
    }


def now() -> str:
    """Return the time in UTC, as "2026-11-22T09:30:00Z"."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


# ---- inputs --------------------------------------------------------------------------------------

ROLES = ("real", "fake", "labels")
_AT_ONCE = 1 << 22  # bytes that are read and hashed at once


class Checksum(NamedTuple):
    """sha256, size and number of files of an input; see `checksum_of` for several files."""

    sha256: str
    bytes: int
    files: int


def _untold(bytes: int) -> None:
    pass


def looked_at(samples: Any) -> dict[str, Any]:
    """Return shape, dtype and provenance of validated samples."""
    made = record_of(samples)
    return {
        "shape": [len(samples), int(samples.shape[1])],
        "dtype": np.dtype(samples.dtype).name,
        "features": None if made is None else plain_keys(made),
    }


def look_of_labels(labels: Any) -> dict[str, Any]:
    """Return shape and dtype of labels, in the format of `looked_at`."""
    return {"shape": [len(labels)], "dtype": labels.dtype.name, "features": None}


def input_record(
    role: str, path: str | None, name: str | None, look: dict[str, Any], checksum: Checksum | None
) -> dict[str, Any]:
    """Return an entry of `inputs`; role: one of ROLES; look: from `looked_at`."""
    known = checksum or Checksum("", 0, 0)
    return {
        "role": role,
        "name": name,
        "path": path,
        "sha256": known.sha256 or None,
        "bytes": known.bytes if checksum else None,
        "files": known.files if checksum else None,
        **look,
    }


def size_of(path: str) -> int:
    """Return the number of bytes that `checksum_of` reads."""
    return sum(os.path.getsize(one) for one in _files(path))


def checksum_of(path: str, tell: Callable[[int], Any] = _untold) -> Checksum:
    """Return the checksum of a file, a folder or a glob pattern.

    For a file (also FILE:KEY) it is the sha256 of its bytes, as sha256sum prints it; for a folder
    or a pattern the sha256 of the lines "sum  name" that sha256sum prints for the files, sorted by
    name.

    tell: is called with the number of bytes that each step has read.

    Raises
    ------
    FileNotFoundError
        No such file, or no match.
    """
    files = _files(path)
    place, _ = place_and_key(path)
    if files == [place]:
        return Checksum(_of_file(place, tell), os.path.getsize(place), 1)
    base = place if os.path.isdir(place) else os.path.dirname(place)
    lines = [
        f"{_of_file(one, tell)}  {os.path.relpath(one, base or '.').replace(os.sep, '/')}\n"
        for one in files
    ]
    total = hashlib.sha256("".join(lines).encode()).hexdigest()
    return Checksum(total, sum(map(os.path.getsize, files)), len(files))


def checksum_of_array(array: Any) -> Checksum:
    """Return the checksum of an array: sha256 of its rows as little-endian bytes."""
    total = hashlib.sha256()
    for rows in blocks(len(array), max(1, _AT_ONCE // max(1, array.shape[1] * array.itemsize))):
        some = np.ascontiguousarray(array[rows])
        total.update(some.astype(some.dtype.newbyteorder("<"), copy=False).data.cast("B"))
    return Checksum(total.hexdigest(), int(array.nbytes), 0)


def _of_file(place: str, tell: Callable[[int], Any]) -> str:
    total = hashlib.sha256()
    with open(place, "rb") as file:
        while some := file.read(_AT_ONCE):
            total.update(some)
            tell(len(some))
    return total.hexdigest()


def _files(path: str) -> list[str]:
    """Return the file, the files in a folder, or those that match a pattern."""
    place, _ = place_and_key(path)
    if os.path.isdir(place):
        return sorted(
            os.path.join(folder, name) for folder, _, names in os.walk(place) for name in names
        )
    if os.path.exists(place) or not glob.has_magic(place):
        if not os.path.exists(place):
            raise FileNotFoundError(2, os.strerror(2), place)
        return [place]
    found = sorted(glob.glob(place))
    if not found:
        raise FileNotFoundError(2, "no file has a name of this pattern", place)
    return [one for each in found for one in (_files(each) if os.path.isdir(each) else [each])]


# ---- entries of results --------------------------------------------------------------------------

_SHARES = ("class", "real", "fake", "difference", "standard_error", "clear")


class Entries(NamedTuple):
    """Entries of a record by their kinds: curves, metrics, classes."""

    curves: list[dict[str, Any]]
    metrics: list[dict[str, Any]]
    classes: list[dict[str, Any]]


def intervals(curve: PRCurve) -> dict[str, list[float]]:
    """Return the confidence intervals of the recorded numbers of a curve, level 0.95."""
    rows = shown("interval")
    found = several_intervals(curve, [row.value for row in rows], LEVEL)
    return {f"{row.key}_interval": [x.low, x.high] for row, x in zip(rows, found, strict=True)}


def curve_entry(who: Mapping[str, Any], curve: PRCurve) -> dict[str, Any]:
    """Return the entry of a curve, with intervals where the curve has sample counts.

    who: keys that identify the entry, such as the name of the model, method and k.
    """
    return {
        **who,
        **for_record(curve),
        **(intervals(curve) if has_intervals(curve) else {}),
        "curve": curve.to_dict(),
    }


def metrics_entry(who: Mapping[str, Any], found: Metrics) -> dict[str, Any]:
    """Return the entry of metrics, with standard errors where there are any; ∞ is "inf".

    who: keys that identify the entry.
    """
    values = {name: for_json(value) for name, value in found.items()}
    errors = {"errors": dict(found.errors)} if found.errors else {}
    return {**who, "k": found.info.get("k"), **values, **errors, "info": plain_keys(found.info)}


def classes_entry(who: Mapping[str, Any], groups: Groups) -> dict[str, Any]:
    """Return the entry of `by_class`: shares, curves and metrics of each class.

    who: keys that identify the entry.
    """
    told = groups.to_dict()
    return {
        **who,
        "labels": told["labels"],
        "shares": [{name: row[name] for name in _SHARES} for row in told["classes"]],
        "curves": [
            curve_entry({"class": label, "method": method, "k": k}, curve)
            for label, curves in groups.curves.items()
            for (method, k), curve in curves.items()
        ],
        "metrics": [metrics_entry({"class": x}, found) for x, found in groups.metrics.items()],
        "left_out": told["left_out"],
    }


def entries_of(result: Any, who: Mapping[str, Any]) -> Entries:
    """Return the entries of a curve, metrics, an evaluation, groups, or a mapping of them.

    result: keys of a mapping are names of models, (method, k) as of `pr_curves`, or k as of
    `metrics`.  who: keys that identify the entries.
    """
    if isinstance(result, PRCurve):
        return Entries([curve_entry(who, result)], [], [])
    if isinstance(result, Metrics):
        return Entries([], [metrics_entry(who, result)], [])
    if isinstance(result, Groups):
        return Entries([], [], [classes_entry(who, result)])
    if isinstance(result, Evaluation):
        found = Entries([], [metrics_entry(who, result.metrics)], [])
        for (method, k), curve in result.curves.items():
            found.curves.append(curve_entry({**who, "method": method, "k": k}, curve))
        return found
    if not isinstance(result, Mapping) or not result:
        raise WrongType(
            "result",
            "a PRCurve, Metrics, Groups, an Evaluation, or a mapping of them by names expected, "
            "got " + ("an empty one" if isinstance(result, Mapping) else kind_of(result)),
        )
    whole = Entries([], [], [])
    for key, one in result.items():
        match key:
            case str():
                named = {**who, "name": key}
            case (method, k):
                named = {**who, "method": method, "k": k}
            case _:
                named = dict(who)
        part = entries_of(one, named)
        for all_of, some in zip(whole, part, strict=True):
            all_of.extend(some)
    return whole


# ---- records -------------------------------------------------------------------------------------

FORMAT = "prfast.result/1"


def record(result: Any, real: Any = None, fake: Any = None) -> dict[str, Any]:
    """Return a result with its provenance as plain numbers and strings for JSON.

    The format is that of ``--json`` of the command line, `prfast.result/1`; its JSON Schema is in
    the package, in the folder of ``prfast.records``.

    Parameters
    ----------
    result : PRCurve, Metrics, Evaluation, Groups, or a mapping of them
        The return value of `pr_curve`, `pr_curves`, `metrics`, `by_class` or a method of
        `Evaluator`; {name: result} for several models.
    real : array or path, optional
        The real samples, whose shape, dtype and sha256 are recorded; the checksum is that of the
        file for a path, and of the numbers, row by row, for an array.
    fake : array or path, or a mapping of them, optional
        The generated samples; {name: samples} where `result` has names.

    Returns
    -------
    dict
        Every key matches ``[A-Za-z0-9_]+``.

    Raises
    ------
    OSError
        A file that cannot be opened.
    TypeError, ValueError
        Another kind of result; invalid samples; names that `result` does not have.
    """
    found = entries_of(result, {})
    inputs = [] if real is None else [_described("real", None, real)]
    if isinstance(fake, Mapping):
        unknown = [name for name in fake if not isinstance(result, Mapping) or name not in result]
        if unknown:
            raise WrongValue("fake", f"names of the result expected, got {unknown[0]!r}")
        inputs += [_described("fake", name, one) for name, one in fake.items()]
    elif fake is not None:
        inputs.append(_described("fake", None, fake))
    results = {name: entries for name, entries in found._asdict().items() if entries}
    return assembled(results, inputs)


def assembled(
    results: Mapping[str, Any],
    inputs: Sequence[Mapping[str, Any]],
    command: Sequence[str] | None = None,
    folder: str | None = None,
    engines: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the whole record.

    command: the arguments of `prfast`; folder: its working directory, relative to the folder of the
    record; both None for records from Python.  engines: the engines that computed distances.
    """
    return {
        "format": FORMAT,
        "prfast": versions()["prfast"],
        "date": now(),
        "command": None if command is None else list(command),
        "folder": folder,
        "versions": versions(),
        "platform": machine(),
        "engines": sorted(engines),
        "inputs": list(inputs),
        **results,
    }


def _described(role: str, name: str | None, samples: Any) -> dict[str, Any]:
    """Return the entry of `inputs` for an array or a path."""
    if isinstance(samples, str | os.PathLike):
        path = os.fspath(samples)
        return input_record(role, path, name, looked_at(load(path)), checksum_of(path))
    array = read_samples(role if name is None else f"{role}[{name!r}]", samples)
    look = looked_at(with_record(array, record_of(samples)))
    return input_record(role, None, name, look, checksum_of_array(array))


# ---- validation of files -------------------------------------------------------------------------

_LISTS = ("curves", "metrics", "classes", "inputs", "engines")
_WORDS = ("name", "path", "sha256")


def load_record(path: str) -> dict[str, Any]:
    """Read and validate a file that has a record of `record` or ``--json``.

    Raises
    ------
    OSError
        The file cannot be opened.
    ValueError
        The file has no record, or one of another format.
    """
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: a file of --json expected: {error}") from None
    written = found.get("format") if isinstance(found, Mapping) else None
    if written != FORMAT:
        raise ValueError(f"{path}: format {FORMAT!r} expected, got {written!r}")
    for name in _LISTS:
        if not isinstance(found.get(name, None if name == "inputs" else []), list):
            raise ValueError(f"{path}: {name!r}: a list expected")
    for one in found["inputs"]:
        if not isinstance(one, dict) or one.get("role") not in ROLES:
            raise ValueError(f"{path}: 'inputs': entries with a role, {listed(ROLES)}, expected")
        for name in _WORDS:
            if name not in one or not _is_word(one[name]):
                raise ValueError(
                    f"{path}: 'inputs': entries with {name!r}, a string or null, expected"
                )
    if not _is_word(found.get("folder")):
        raise ValueError(f"{path}: 'folder': a string or null expected")
    command = found.get("command")
    strings = isinstance(command, list) and all(isinstance(one, str) for one in command)
    if command is not None and not (strings and command):
        raise ValueError(f"{path}: 'command': a list of strings expected")
    if command is not None and any(one["path"] is None for one in found["inputs"]):
        raise ValueError(f"{path}: 'inputs': a path of each expected where there is a command")
    return dict(found)


def _is_word(value: Any) -> bool:
    return value is None or isinstance(value, str)
