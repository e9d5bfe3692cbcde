"""Results as tables of pandas, which is imported where one is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from prfast.inputs.extra import load_extra


def frame(rows: Sequence[Mapping[str, Any]] | Mapping[str, Any], index: str | None = None) -> Any:
    """A pandas.DataFrame of records, or of columns by their names.

    index: the column whose entries name the rows; by default they have numbers.
    """
    found = load_extra("pandas", "to_frame", None).DataFrame(rows)
    return found if index is None else found.set_index(index)


class _Columns(Protocol):
    def _asdict(self) -> dict[str, Any]: ...


class Framed:
    """Points with names, `_asdict`, that have a table."""

    __slots__ = ()

    def to_frame(self: _Columns) -> Any:
        """A table of pandas.

        Returns
        -------
        pandas.DataFrame
            A row a point, a column a name: ``t`` and ``F`` of `Lorenz`; of the others their fields.

        Raises
        ------
        ImportError
            pandas is missing; the message says how to install it.
        """
        return frame(self._asdict())
