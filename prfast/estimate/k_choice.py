"""What `choose_k` found: k, and the area of every k that was tried."""

from __future__ import annotations

from typing import Any, NamedTuple

from prfast.results import html
from prfast.results.frames import frame


class KChoice(NamedTuple):
    """The number of neighbours that was chosen, and what for."""

    k: int
    """The one of the smallest area; the smallest of several."""
    areas: dict[int, float]
    """{k: area of the curve of the training half, scored fold by fold}, k rising."""
    info: dict[str, Any]
    """How it was chosen: method, folds, split, seed, sizes."""

    @property
    def at_end(self) -> bool:
        """Is it the largest of those tried?  Then a larger one may be better still."""
        return self.k == max(self.areas)

    def rows(self) -> list[dict[str, Any]]:
        """A record a k that was tried, rising: ``k`` and its ``area``."""
        return [{"k": k, "area": area} for k, area in self.areas.items()]

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and strings for JSON.

        Returns
        -------
        dict
            ``k``; ``at_end``; ``areas``, as `rows` has them; ``info``.
        """
        return {"k": self.k, "at_end": self.at_end, "areas": self.rows(), "info": dict(self.info)}

    def to_frame(self) -> Any:
        """A table of pandas.

        Returns
        -------
        pandas.DataFrame
            A row a k, its ``area``.

        Raises
        ------
        ImportError
            pandas is missing; the message says how to install it.
        """
        return frame(self.rows(), "k")

    def _repr_html_(self) -> str:
        lines = [[str(k), f"{area:.4f}"] for k, area in self.areas.items()]
        return html.shown(
            html.table(["k", "area"], lines, "Areas of the training half"),
            html.sentence(f"Chosen: k = {self.k}{self._end()}"),
            html.folded("How it was chosen", (f"{name}: {x}" for name, x in self.info.items())),
        )

    def __str__(self) -> str:
        tried = ", ".join(f"{k}: {area:.4f}" for k, area in self.areas.items())
        return f"k = {self.k}, of areas {tried}{self._end()}"

    def _end(self) -> str:
        return "; the largest of them, larger ones may be better" if self.at_end else ""
