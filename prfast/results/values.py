"""Names -> values, and how they were made: what metrics, divergences and comparisons have in
common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from prfast.results.frames import frame
from prfast.results.text import as_text, for_json

Value = TypeVar("Value", covariant=True)


class Values(Mapping[str, Value]):
    """Names and values, in the order given, which nobody changes; picklable."""

    def __init__(self, values: Mapping[str, Value], info: Mapping[str, Any] | None = None) -> None:
        self._values: Mapping[str, Value] = MappingProxyType(dict(values))
        self._info: Mapping[str, Any] = MappingProxyType(dict(info or {}))

    @property
    def info(self) -> Mapping[str, Any]:
        """How the values were made."""
        return self._info

    def __getitem__(self, name: str) -> Value:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self._values), dict(self._info))

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and strings for JSON.

        Returns
        -------
        dict
            ``values``, {name: number}, where what is infinite is "inf"; ``info``, how they were
            made; of metrics that come with one, ``errors``, {name: standard error}.
        """
        values: Mapping[str, Any] = self._values
        return {
            "values": {name: for_json(value) for name, value in values.items()},
            "info": dict(self._info),
        }

    def to_frame(self) -> Any:
        """A table of pandas.

        Returns
        -------
        pandas.DataFrame
            A row a name, in the order of the mapping, its number in the column ``value``; of
            metrics that come with one, the ``standard_error``.

        Raises
        ------
        ImportError
            pandas is missing; the message says how to install it.
        """
        return frame({"name": list(self), **self._columns()}, "name")

    def _columns(self) -> dict[str, list[Any]]:
        return {"value": list(self.values())}

    def _text(self, name: str) -> str:
        """A value as its table has it."""
        value: Any = self[name]
        return as_text(value, ".6g")

    def _below(self) -> list[str]:
        """What stands below the table."""
        return []

    def _repr_html_(self) -> str:
        return self._table("value")

    def _table(self, heading: str) -> str:
        from prfast.results import html

        lines = [[name, self._text(name)] for name in self]
        made = [f"{key}: {value}" for key, value in self._info.items()]
        return html.shown(
            html.table(["", heading], lines, type(self).__name__),
            *map(html.sentence, self._below()),
            html.folded("How they were made", made),
        )

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value:.6g}" for name, value in self.items())
        return f"{type(self).__name__}({values})"
