"""Batches of an evaluator, and the format of its checkpoints: a flat dictionary.

format              name and version number of the format
options             options of the evaluator that affect results, as JSON
reference           shape, dtype and checksum of a reference given at once; else "batches"
real, fake          samples added in batches; left out where there are none
features of real …  provenance of their features, as JSON, where all batches have it
some of real …      the same, where only some of the batches have it
columns of real …   column names, as JSON, where a batch was a table that names them
radii I K           squared distances to the K-th neighbours within the I-th set of the search
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from prfast.comparison.prepared import OF_ONE_PROCESS, Prepared, Wanted
from prfast.inputs.arrays import Floats, check_widths, read_samples, read_vector
from prfast.inputs.errors import ArgumentError, WrongType, WrongValue, kind_of
from prfast.inputs.features import (
    Recorded,
    check_alike,
    first_recorded,
    has_versions,
    joined,
    record_of,
    with_record,
)
from prfast.inputs.tables import check_order, first_labels, labels_for_file, named


class Batches:
    """Copies of batches of one dtype and width, in order; name: "real" or "fake", for errors."""

    def __init__(self, name: str, arrays: Iterable[Floats] = ()) -> None:
        self.name, self._arrays = name, list(arrays)
        self.known = first_recorded(self._arrays)
        """The first provenance record; other batches have an equal one or none."""
        self.labels: list[Any] | None = None
        """Column names of the first batch that was a table."""

    def __len__(self) -> int:
        """Return the number of samples."""
        return sum(map(len, self._arrays))

    @property
    def width(self) -> int | None:
        """Number of features; None where there are no batches."""
        return self._arrays[0].shape[1] if self._arrays else None

    def read(self, batch: Any) -> Floats:
        """Return a validated batch that matches those before; it may be empty and is not added."""
        read = read_samples(self.name, batch, at_least=0)
        check_alike("batches before", self.known, self.name, batch)
        if self._arrays:
            first = self._arrays[0]
            if read.shape[1] != first.shape[1]:
                raise WrongValue(
                    self.name,
                    f"{first.shape[1]} features as in the batches before expected, "
                    f"got {read.shape[1]}",
                )
            if len(read) and read.dtype != first.dtype:
                raise WrongType(
                    self.name,
                    f"{first.dtype} as in the batches before expected, got {read.dtype}",
                )
        found: Floats = with_record(read, record_of(batch))
        return found

    def add(self, read: Floats) -> None:
        """Append a copy of a batch that `read` returned; an empty one is ignored."""
        if len(read):
            self._arrays.append(with_record(np.array(read), record_of(read)))
            self.known = first_recorded([self.known, read])

    def whole(self) -> Floats:
        """Return all samples, of which there is at least one, in one array."""
        if len(self._arrays) > 1:
            self._arrays = [joined(self._arrays)]
        return self._arrays[0]

    def copy(self) -> Batches:
        """Return a copy that shares the arrays."""
        return self.followed_by(Batches(self.name))

    def arrays(self) -> list[Floats]:
        return list(self._arrays)

    def followed_by(self, other: Batches) -> Batches:
        """Return these batches, then those of another; TypeError, ValueError if they differ."""
        check_alike("batches", self.known, "other", other.known)
        arrays = [*self._arrays, *other._arrays]
        for name in ("dtype", "width"):
            found = [one.dtype if name == "dtype" else one.shape[1] for one in arrays]
            for one in found:
                if one != found[0]:
                    words = "" if name == "dtype" else " features"
                    kind = WrongType if name == "dtype" else WrongValue
                    raise kind("other", f"batches of {found[0]}{words} expected, got {one}")
        both = Batches(self.name, arrays)
        both.known = first_recorded([self.known, other.known])
        check_order("other", other.labels, self.labels, "batches")
        both.labels = first_labels(self.labels, other.labels)
        return both


def check_as_wide(real: int | None, fake: int | None) -> None:
    """Check that both widths are equal, where they are known."""
    if real is not None and fake is not None:
        check_widths("fake", real, fake)


_FORMAT = "prfast.Evaluator.state/1"
_TEXTS = ("format", "options", "reference")
_BATCHES = "batches"
_FEATURES = "features of "
_SOME = "some of "
_COLUMNS = "columns of "


class Seen(NamedTuple):
    """The state of an evaluator: its batches and cached radii."""

    real: Batches
    fake: Batches
    radii: dict[str, Floats]


def write_state(
    wanted: Wanted, given: Prepared | None, seen: Seen, array: Callable[[Any], Any] | None
) -> dict[str, Any]:
    """Return the checkpoint; given: the reference, or None where it came in batches."""
    options = {k: v for k, v in wanted.named().items() if k not in OF_ONE_PROCESS}
    batches = {"real": seen.real, "fake": seen.fake}
    wholes = {name: one.whole() for name, one in batches.items() if len(one)}
    records = {f"{_FEATURES}{name}": record_of(one) for name, one in wholes.items()}
    records |= {
        f"{_SOME}{name}": batches[name].known.record
        for name, one in wholes.items()
        if record_of(one) is None
    }
    columns = {f"{_COLUMNS}{name}": labels_for_file(batches[name].labels) for name in wholes}
    copies = {name: np.array(one) for name, one in wholes.items()}
    copies |= {name: d2.copy() for name, d2 in seen.radii.items()}
    return {
        "format": _FORMAT,
        "options": json.dumps(options),
        "reference": _reference(given),
        **{name: json.dumps(dict(one)) for name, one in records.items() if one is not None},
        **{name: json.dumps(one) for name, one in columns.items() if one is not None},
        **{name: one if array is None else array(one) for name, one in copies.items()},
    }


def read_state(state: Any, wanted: Wanted, given: Prepared | None) -> Seen:
    """Validate a checkpoint of an evaluator of the same options and reference."""
    if not isinstance(state, Mapping):
        raise WrongType(
            "state", f"a mapping that Evaluator.state_dict gave expected, got {kind_of(state)}"
        )
    texts = {name: _text(state.get(name)) for name in _TEXTS}
    if texts["format"] != _FORMAT:
        raise WrongValue("state", f"format {_FORMAT!r} expected, got {texts['format']!r}")
    try:
        options = json.loads(texts["options"] or "")
        wanted.check_same("state", dict(options))
    except (json.JSONDecodeError, TypeError, KeyError):
        raise WrongValue("state['options']", "a JSON object expected") from None
    if texts["reference"] != _reference(given):
        raise WrongValue(
            "state", f"reference {_reference(given)!r} expected, got {texts['reference']!r}"
        )
    of_batches = ("real", "fake") if given is None else ("fake",)
    kinds = (_FEATURES, _SOME, _COLUMNS)
    found: dict[str, list[Floats]] = {"real": [], "fake": []}
    radii: dict[str, Floats] = {}
    for key, value in state.items():
        name = f"state[{key!r}]"
        if key in _TEXTS or key in [f"{kind}{one}" for kind in kinds for one in of_batches]:
            continue
        if key in of_batches:
            record = _record(f"{_FEATURES}{key}", state)
            found[key].append(with_record(np.array(read_samples(name, value)), record))
        elif isinstance(key, str) and key.startswith("radii "):
            radii[key] = np.array(read_vector(name, value))
        else:
            raise WrongValue("state", f"no entry {key!r} expected")
    real, fake = (Batches(name, arrays) for name, arrays in found.items())
    for one in (real, fake):
        one.known = first_recorded([one.known, Recorded(_record(f"{_SOME}{one.name}", state))])
        one.labels = _columns(f"{_COLUMNS}{one.name}", state)
    return Seen(real, fake, radii)


def take_radii(prepared: Prepared | None, radii: Mapping[str, Floats]) -> None:
    """Add the radii of a checkpoint to the cache; raise where they do not fit the reference."""
    try:
        if prepared is not None:
            prepared.take(radii)
        elif radii:
            raise ValueError
    except ArgumentError as error:
        raise error.renamed(f"state[{error.argument!r}]") from None
    except (ValueError, IndexError):
        names = ", ".join(map(repr, radii))
        raise WrongValue("state", f"radii by 'radii I K' expected, got {names}") from None


def _reference(given: Prepared | None) -> str:
    if given is None:
        return _BATCHES
    n, d = given.real.shape
    return f"{n} × {d} {given.real.dtype}, crc {given.mark:08x}"


def _columns(name: str, state: Mapping[str, Any]) -> list[Any] | None:
    if name not in state:
        return None
    try:
        found: list[Any] | None = named(json.loads(_text(state[name]) or ""))
    except json.JSONDecodeError:
        found = None
    if found is None:
        raise WrongValue(f"state[{name!r}]", "a JSON list of strings expected")
    return found


def _record(key: str, state: Mapping[str, Any]) -> Any:
    """Return the provenance record under a key; None where there is none."""
    if key not in state:
        return None
    try:
        found = dict(json.loads(_text(state[key]) or ""))
    except (ValueError, TypeError):
        raise WrongValue(f"state[{key!r}]", "a JSON object expected") from None
    if not has_versions(found):
        raise WrongValue(
            f"state[{key!r}]['versions']",
            f"strings or null by their packages expected, got {found['versions']!r}",
        )
    return found


def _text(value: Any) -> str | None:
    """Return a str, also from a 0-d array as .npz files hold it; None for other values."""
    if isinstance(value, np.ndarray) and value.shape == () and value.dtype.kind == "U":
        return str(value)
    return value if isinstance(value, str) else None
