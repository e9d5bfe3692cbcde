"""Records of results for JSON: the public function `record`, and `load_record`."""

from __future__ import annotations

import errno
import glob
import hashlib
import json
import os
import platform
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from prfast.comparison.class_results import Groups
from prfast.comparison.results import Evaluation
from prfast.curve import PRCurve
from prfast.curve.summary import for_record, rows_of_table
from prfast.estimate.intervals import intervals_of_table
from prfast.estimate.profiles import Profile
from prfast.estimate.two_sample import TwoSampleTest
from prfast.files.readers import load, place_and_key
from prfast.inputs.errors import WrongType, WrongValue, kind_of
from prfast.neighbors.passes import settings
from prfast.results.info import version
from prfast.results.values import for_json
from prfast.samples.features import record_of, with_record
from prfast.samples.samples import read_samples
from prfast.scalars.measure import Metrics


def plain_key(name: str) -> str:
    """Replace other signs than letters and digits by _: "tsallis:0.5" is "tsallis_0_5"."""
    return re.sub(r"[^A-Za-z0-9_]", "_", name)


def plain_keys(value: Any) -> Any:
    """Apply `plain_key` to every key, at all levels."""
    if isinstance(value, Mapping):
        return {plain_key(key): plain_keys(entry) for key, entry in value.items()}
    return [plain_keys(entry) for entry in value] if isinstance(value, list | tuple) else value


_PACKAGES = ("prfast", "numpy", "scipy", "scikit-learn")


def versions() -> dict[str, str]:
    """Return the versions of prfast, its numerical dependencies and Python."""
    packages = {plain_key(name): version(name) for name in _PACKAGES}
    return {**packages, "python": platform.python_version()}


def machine() -> dict[str, Any]:
    """Return the system, processor, instructions, filter and BLAS; no user or host names.

    Results of "auto" round by the kernels of the BLAS libraries that are loaded.
    """
    from threadpoolctl import threadpool_info  # a requirement of scikit-learn

    loaded = [x for x in threadpool_info() if x["user_api"] == "blas"]
    names = {f"{x['internal_api']} {x.get('architecture') or x['version']}" for x in loaded}
    return {
        **{name: getattr(platform, name)() for name in ("system", "release", "machine")},
        "c_library": " ".join(platform.libc_ver()).strip() or None,
        "cores": os.cpu_count(),
        "instructions": settings().isa,
        "filter": settings().filter,
        "blas": ", ".join(sorted(names)) or None,
    }


class Checksum(NamedTuple):
    """Checksum, size and number of files of an input."""

    sha256: str
    bytes: int
    files: int


def checksum_of(path: str) -> Checksum:
    """Return the checksum of a file (also FILE:KEY or FILE:COLUMN), a folder or a glob pattern.

    For several files it is the sha256 of what sha256sum prints for them, sorted by name.
    """
    place, _ = place_and_key(path, or_column=True)
    if os.path.isfile(place):
        return Checksum(_sha256(place), os.path.getsize(place), 1)
    files = []
    for match in [place] if os.path.isdir(place) else sorted(glob.glob(place)):
        inside = (os.path.join(top, name) for top, _, names in os.walk(match) for name in names)
        files += sorted(inside) if os.path.isdir(match) else [match]
    if not files:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), place)
    base = place if os.path.isdir(place) else os.path.dirname(place) or "."
    names = (os.path.relpath(file, base).replace(os.sep, "/") for file in files)
    lines = (f"{_sha256(file)}  {name}\n" for file, name in zip(files, names, strict=True))
    total = hashlib.sha256("".join(lines).encode()).hexdigest()
    return Checksum(total, sum(map(os.path.getsize, files)), len(files))


def checksum_of_array(array: Any) -> Checksum:
    """Return the checksum of an array: sha256 of its rows as little-endian bytes."""
    rows = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    return Checksum(hashlib.sha256(rows.data).hexdigest(), int(array.nbytes), 0)


def _sha256(place: str) -> str:
    with open(place, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


_SHARES = ("class", "real", "fake", "difference", "standard_error", "clear")


# who: keys that identify an entry, such as the name of the model, method and k.


def curve_entry(who: Mapping[str, Any], curve: PRCurve) -> dict[str, Any]:
    """Return the entry of a curve."""
    intervals = {f"{k}_interval": [x.low, x.high] for k, x in intervals_of_table(curve).items()}
    return {**who, **for_record(curve), **intervals, "curve": curve.to_dict()}


def metrics_entry(who: Mapping[str, Any], metrics: Metrics) -> dict[str, Any]:
    """Return the entry of metrics, with standard errors where there are any; ∞ is "inf"."""
    values = {name: for_json(value) for name, value in metrics.items()}
    errors = {"errors": dict(metrics.errors)} if metrics.errors else {}
    return {**who, "k": metrics.info.get("k"), **values, **errors, "info": plain_keys(metrics.info)}


def classes_entry(who: Mapping[str, Any], result: Groups) -> dict[str, Any]:
    """Return the entry of `by_class`: shares, curves and metrics of all samples and each class."""

    def entries(keys: Mapping[str, Any], curves: Any) -> list[dict[str, Any]]:
        return [curve_entry({**keys, "method": m, "k": k}, x) for (m, k), x in curves.items()]

    values, overall = result.to_dict(), result.overall
    metrics = [metrics_entry({}, overall.metrics)]
    return {
        **who,
        "overall": {"curves": entries({}, overall.curves), "metrics": metrics},
        "labels": values["labels"],
        "shares": [{name: row[name] for name in _SHARES} for row in values["classes"]],
        "curves": [x for label, y in result.curves.items() for x in entries({"class": label}, y)],
        "metrics": [metrics_entry({"class": x}, made) for x, made in result.metrics.items()],
        "left_out": values["left_out"],
    }


def entries_of(result: Any, who: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return {kind: entries} of a result, or of a mapping of results by name, (method, k) or k."""
    if isinstance(result, PRCurve):
        return {"curves": [curve_entry(who, result)]}
    if isinstance(result, Metrics):
        return {"metrics": [metrics_entry(who, result)]}
    if isinstance(result, Profile):
        # The record is that of `Profile.to_dict`, with the intervals of curves.
        rows: list[dict[str, Any]] = [{"resolution": sigma} for sigma in result.resolutions]
        for key in (row.key for row in rows_of_table("interval")):
            for row, x in zip(rows, result.intervals(key), strict=True):
                row |= {key: x.value, f"{key}_interval": [x.low, x.high]}
        values = result.to_dict()
        entry = {**who, **values, "rows": rows, "info": plain_keys(values["info"])}
        return {"profiles": [entry]}
    if isinstance(result, TwoSampleTest):
        return {"tests": [{**who, **result.to_dict()}]}
    if isinstance(result, Groups):
        return {"classes": [classes_entry(who, result)]}
    if isinstance(result, Evaluation):
        # Here, as other results need no tables.
        from prfast.estimate.attribution import column_rows
        from prfast.tables.results import TableEvaluation

        profile = {} if result.profile is None else entries_of(result.profile, who)
        curves = entries_of(result.curves, who)
        if isinstance(result, TableEvaluation):
            entry = {**who, "columns": column_rows(result.columns)}
            entry |= {} if result.copies is None else {"copies": result.copies.to_dict()}
            return {**curves, **profile, "tables": [entry]}
        return {**curves, **entries_of(result.metrics, who), **profile}
    if not isinstance(result, Mapping) or not result:
        got = kind_of(result) if result != {} else "an empty one"
        kinds = "a PRCurve, Metrics, Profile, TwoSampleTest, Groups, an Evaluation"
        raise WrongType("result", f"{kinds}, or a mapping of them by names expected, got {got}")
    named = []
    for key, value in result.items():
        match key:
            case str():
                named.append(({**who, "name": key}, value))
            case (method, k):
                named.append(({**who, "method": method, "k": k}, value))
            case _:  # k of metrics: their entry has it
                named.append((dict(who), value))
    return joined_entries(named)


def joined_entries(
    results: Iterable[tuple[Mapping[str, Any], Any]],
) -> dict[str, list[dict[str, Any]]]:
    """Return the entries of several results, each with the keys that identify it."""
    entries: dict[str, list[dict[str, Any]]] = {}
    for who, result in results:
        for kind, made in entries_of(result, who).items():
            entries.setdefault(kind, []).extend(made)
    return entries


FORMAT: Final = "prfast.result/1"


@dataclass(frozen=True)
class Input:
    """An input of a result; the JSON Schema describes the fields."""

    role: Literal["real", "held_out", "fake", "labels"]
    name: str | None
    path: str | None
    sha256: str | None
    bytes: int | None
    files: int | None
    shape: list[int]
    dtype: str
    features: dict[str, Any] | None


@dataclass(frozen=True, kw_only=True)
class Record:
    """A record; the JSON Schema describes the fields; results that are None are left out."""

    format: Literal["prfast.result/1"] = FORMAT
    prfast: str = field(default_factory=version)
    date: str = field(default_factory=lambda: f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}")
    command: list[str] | None = None
    folder: str | None = None
    versions: dict[str, str] = field(default_factory=versions)
    platform: dict[str, Any] = field(default_factory=machine)
    engines: list[str] = field(default_factory=list)
    inputs: list[Input]
    real: str | None = None
    curves: list[dict[str, Any]] | None = None
    metrics: list[dict[str, Any]] | None = None
    profiles: list[dict[str, Any]] | None = None
    classes: list[dict[str, Any]] | None = None
    tables: list[dict[str, Any]] | None = None
    tests: list[dict[str, Any]] | None = None

    def to_dict(self) -> dict[str, Any]:
        values = {**vars(self), "inputs": [dict(vars(file)) for file in self.inputs]}
        return {k: v for k, v in values.items() if v is not None or k not in RESULTS}


RESULTS = ("real", "curves", "metrics", "profiles", "classes", "tables", "tests")


def record(result: Any, real: Any = None, fake: Any = None) -> dict[str, Any]:
    """Return a result with its provenance as plain numbers and strings for JSON.

    The format is that of ``--json`` of the command line, `prfast.result/1`; its JSON Schema is in
    the package, in the folder of ``prfast.records``.  See also `PRCurve.to_dict`.

    >>> real, fake = prfast.reference.GaussianShift(1.0, dim=8).sample(500)
    >>> print(prfast.record(prfast.metrics(real, fake), real, fake)["metrics"])

    Parameters
    ----------
    result : PRCurve, Metrics, Profile, TwoSampleTest, Evaluation, Groups, or a mapping of them
        The return value of `pr_curve`, `pr_curves`, `metrics`, `profile`, `two_sample_test`,
        `by_class` or a method of `Evaluator`; {name: result} for several models.
    real : array or path, optional
        The real samples; their shape, dtype and sha256 are recorded.  The checksum is that of the
        file for a path, and of the numbers, row by row, for an array.
    fake : array or path, or a mapping of them, optional
        The generated samples; {name: samples} where `result` has names.

    Returns
    -------
    dict
        Every key matches ``[A-Za-z0-9_]+``.

    Raises
    ------
    OSError, TypeError, ValueError
        A file that cannot be opened; another kind of result; invalid samples; unknown names.
    """
    results: dict[str, Any] = dict(entries_of(result, {}))
    inputs = [] if real is None else [_input_of("real", None, real)]
    fakes = fake if isinstance(fake, Mapping) else {None: fake}
    for name, samples in fakes.items():
        if name is not None and not (isinstance(result, Mapping) and name in result):
            raise WrongValue("fake", f"names of the result expected, got {name!r}")
        if samples is not None:
            inputs.append(_input_of("fake", name, samples))
    return Record(inputs=inputs, **results).to_dict()


def described(role: Any, values: Any, path: str | None, name: str | None = None) -> Input:
    """Return the input of validated samples or labels, without a checksum."""
    recorded = record_of(values)
    shape = [len(values), int(values.shape[1])] if len(values.shape) > 1 else [len(values)]
    features = None if recorded is None else plain_keys(recorded)
    return Input(role, name, path, None, None, None, shape, np.dtype(values.dtype).name, features)


def _input_of(role: str, name: str | None, samples: Any) -> Input:
    """Return the input of an array or a path, with its checksum."""
    if isinstance(samples, str | os.PathLike):
        path = os.fspath(samples)
        return replace(described(role, load(path), path, name), **checksum_of(path)._asdict())
    array = read_samples(role if name is None else f"{role}[{name!r}]", samples)
    entry = described(role, with_record(array, record_of(samples)), None, name)
    return replace(entry, **checksum_of_array(array)._asdict())


def load_record(path: str) -> Record:
    """Read a record of `record` or ``--json`` from a file."""
    try:
        with open(path, encoding="utf-8") as file:
            values = json.load(file)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: a file of --json expected: {error}") from None
    written = values.get("format") if isinstance(values, dict) else None
    if written != FORMAT:
        raise ValueError(f"{path}: format {FORMAT!r} expected, got {written!r}")
    try:
        return Record(**values | {"inputs": [Input(**x) for x in values["inputs"]]})
    except (KeyError, TypeError) as error:  # a field is missing or unknown
        text = f"a record with the fields of {FORMAT} expected: {error}"
        raise ValueError(f"{path}: {text}") from None
