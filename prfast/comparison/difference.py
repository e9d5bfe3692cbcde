"""Difference and Differences: results of a comparison, printed as sentences or a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

from prfast.comparison import groups
from prfast.results.values import Result, aligned


@dataclass(frozen=True)
class Difference:
    """A number of `model` minus that of `other`, with its error; prints as a sentence."""

    model: str
    other: str
    curve: str
    """Name of the curve, from its method and k; "" for a metric."""
    number: str
    value: float
    half_width: float
    """Half the width of the interval: the number behind ±."""
    p: float
    """p-value: probability that of equal models any pair differs by at least this much."""
    words: str = ""
    """Phrase for the model with the larger value, such as "misses less than"."""

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.value - self.half_width

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.value + self.half_width

    @property
    def clear(self) -> bool:
        """Whether the interval excludes 0."""
        return abs(self.value) > self.half_width

    def sentence(self, *, curve: bool = False) -> str:
        """Return the difference in words; curve: with the name of the curve (default False)."""
        number = f"{self.number} of {self.curve}" if curve and self.curve else self.number
        if not self.clear:
            told = f"{self.value:+.3f} ± {self.half_width:.3f}"
            return f"{self.model} and {self.other} cannot be told apart by {number}: {told}"
        one, other = (self.model, self.other) if self.value > 0 else (self.other, self.model)
        told = f"{abs(self.value):+.3f} ± {self.half_width:.3f}"
        if self.words:
            return f"{one} {self.words} {other} ({number}): {told}"
        return f"{one} has a higher {number} than {other}: {told}"

    def __str__(self) -> str:
        return self.sentence()


class Differences(Result, Sequence[Difference]):
    """The differences of all pairs by all numbers, as a sequence; prints as a table."""

    def __init__(self, found: Sequence[Difference], confidence: float, pairs: int) -> None:
        self._found, self.confidence, self.pairs = tuple(found), confidence, pairs

    @overload
    def __getitem__(self, index: int) -> Difference: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Difference]: ...
    def __getitem__(self, index: int | slice) -> Difference | Sequence[Difference]:
        return self._found[index]

    def __len__(self) -> int:
        return len(self._found)

    @property
    def clear(self) -> list[Difference]:
        """The differences whose intervals exclude 0."""
        return [one for one in self._found if one.clear]

    @property
    def family(self) -> str:
        """Description of the pairs for which the level holds simultaneously."""
        which = "the pair" if self.pairs == 1 else f"all {self.pairs} pairs at once"
        return f"± and p for {which} of a number, level {self.confidence:g}"

    def sentences(self) -> list[str]:
        """Return a sentence each: "A is more diverse than B (diversity): +0.060 ± 0.020"."""
        several = len({one.curve for one in self._found if one.curve}) > 1
        return [one.sentence(curve=several) for one in self._found]

    def rows(self) -> list[dict[str, Any]]:
        """Return a dictionary each, for JSON or a table."""
        return [
            {
                "model": one.model,
                "other": one.other,
                "curve": one.curve,
                "number": one.number,
                "difference": one.value,
                "half_width": one.half_width,
                "p": one.p,
                "clear": one.clear,
            }
            for one in self._found
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON.

        Returns
        -------
        dict
            ``confidence``; ``pairs``, the number of pairs for which it holds simultaneously;
            ``differences``, as `rows`.
        """
        return {"confidence": self.confidence, "pairs": self.pairs, "differences": self.rows()}

    def _repr_html_(self) -> str:
        return groups.of_differences(self)

    def __str__(self) -> str:
        lines = [["", "difference", "±", "p", ""]]
        for one in self._found:
            name = f"{one.curve}: {one.number}" if one.curve else one.number
            lines.append(
                [
                    f"{one.model} − {one.other}, {name}",
                    f"{one.value:+.4f}",
                    f"{one.half_width:.4f}",
                    f"{one.p:.3f}",
                    "clear" if one.clear else "",
                ]
            )
        return "\n".join([*aligned(lines), self.family])

    def __repr__(self) -> str:
        return f"Differences({len(self)}, {len(self.clear)} of them clear; {self.family})"
