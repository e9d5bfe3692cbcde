"""Results as tables of pandas, which is imported where one is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from prfast.inputs.extra import load_extra


def frame(rows: Sequence[Mapping[str, Any]] | Mapping[str, Any], index: str | None = None) -> Any:
    """A pandas.DataFrame of records, or of columns by their names.

    index: the column whose entries name the rows; by default they have numbers.
    """
    found = load_extra("pandas", "to_frame", None).DataFrame(rows)
    return found if index is None else found.set_index(index)
