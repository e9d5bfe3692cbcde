"""Samples that come batch by batch: copies of one dtype and width, in order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from prfast.cluster.reading import comes_in_pieces
from prfast.inputs.arrays import Floats
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.features import check_alike, first_recorded, joined, record_of, with_record
from prfast.inputs.kinds import kind_of
from prfast.inputs.samples import check_widths, read_samples
from prfast.inputs.tables import check_order, first_labels


class Batches:
    """The batches of one set, which its caller names: "real" or "fake"."""

    def __init__(self, name: str, arrays: Iterable[Floats] = ()) -> None:
        self.name, self._arrays = name, list(arrays)
        self.known = first_recorded(self._arrays)
        """The first record of a batch, to which all are alike; others may have none."""
        self.labels: list[Any] | None = None
        """Of the columns of the first batch that was a table."""

    def __len__(self) -> int:
        """Samples, not batches."""
        return sum(map(len, self._arrays))

    @property
    def width(self) -> int | None:
        """Features of a sample; None where there is none."""
        return self._arrays[0].shape[1] if self._arrays else None

    def read(self, batch: Any) -> Floats:
        """A batch that fits to those before, perhaps of no sample; it is not added yet."""
        if comes_in_pieces(self.name, batch):
            raise WrongType(
                self.name,
                f"a batch that is an array expected, got {kind_of(batch)}; evaluate takes samples "
                "in pieces",
            )
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
        """A copy of what `read` gave; of no sample, nothing."""
        if len(read):
            self._arrays.append(with_record(np.array(read), record_of(read)))
            self.known = first_recorded([self.known, read])

    def whole(self) -> Floats:
        """All samples in one array, of which there is at least one."""
        if len(self._arrays) > 1:
            self._arrays = [joined(self._arrays)]
        return self._arrays[0]

    def copy(self) -> Batches:
        """The same arrays, in a list of its own."""
        return self.followed_by(Batches(self.name))

    def arrays(self) -> list[Floats]:
        return list(self._arrays)

    def followed_by(self, other: Batches) -> Batches:
        """These and then those of another; TypeError, ValueError where they do not fit."""
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
    """Are both sets of one width, as far as it is known?"""
    if real is not None and fake is not None:
        check_widths("fake", real, fake)
