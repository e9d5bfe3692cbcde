"""A result with all that it takes to find it again: the public function `record`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from prfast.files.load import load
from prfast.inputs.errors import WrongValue
from prfast.inputs.features import record_of, with_record
from prfast.inputs.samples import read_samples
from prfast.records.entries import entries_of
from prfast.records.environment import machine, now, versions
from prfast.records.inputs import checksum_of, checksum_of_array, input_record, looked_at

FORMAT = "prfast.result/1"


def record(result: Any, real: Any = None, fake: Any = None) -> dict[str, Any]:
    """A result with what it was made of, as plain numbers and strings for JSON.

    It has the keys that ``--json`` of the command line writes, `prfast.result/1`; the schema is in
    the package, beside ``prfast.records``.

    Parameters
    ----------
    result : PRCurve, Metrics, Evaluation, Groups, or a mapping of them
        What `pr_curve`, `pr_curves`, `metrics`, `Evaluator` and `by_class` return; {name: result}
        of several models.
    real : array or path, optional
        The real samples, of which shape, dtype and sha256 are recorded: of a path those of its
        file, of an array those of its numbers, row by row.
    fake : array or path, or a mapping of them, optional
        The generated samples; where `result` is by names, {name: samples} with the same names.

    Returns
    -------
    dict
        Every key matches ``[A-Za-z0-9_]+``.

    Raises
    ------
    OSError
        A file that cannot be opened.
    TypeError, ValueError
        Another kind of result; samples that are none; names that `result` does not have.
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
    """The whole record.

    command, folder: the arguments of `prfast`, and where it ran, as seen from the record's folder.
    engines: those that answered questions about distances.
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
    if isinstance(samples, str | os.PathLike):
        path = os.fspath(samples)
        return input_record(role, path, name, looked_at(load(path)), checksum_of(path))
    array = read_samples(role if name is None else f"{role}[{name!r}]", samples)
    look = looked_at(with_record(array, record_of(samples)))
    return input_record(role, None, name, look, checksum_of_array(array))
