"""What models got: curves and metrics of one, and a table of several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from prfast.curve import PRCurve
from prfast.curve.summary import shown
from prfast.metrics.result import Metrics

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Evaluation(Mapping[str, float]):
    """What one model got: `curves`, {(method, k): PRCurve}, and, as a mapping, its metrics."""

    def __init__(self, curves: Mapping[Any, PRCurve], metrics: Metrics) -> None:
        self.curves, self.metrics = dict(curves), metrics

    @property
    def curve(self) -> PRCurve:
        """The curve of the first method and k."""
        first: PRCurve = next(iter(self.curves.values()))
        return first

    def __getitem__(self, name: str) -> float:
        return self.metrics[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)

    def __repr__(self) -> str:
        return f"Evaluation({', '.join(map(str, self.curves))}; {self.metrics!r})"


class Comparison(Mapping[str, Evaluation]):
    """Models by name, in the order given; prints as a table."""

    def __init__(self, models: Mapping[str, Evaluation]) -> None:
        self._models = dict(models)

    def __getitem__(self, name: str) -> Evaluation:
        return self._models[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._models)

    def __len__(self) -> int:
        return len(self._models)

    def rows(self) -> list[dict[str, Any]]:
        """A row a model: its name, F_8, F_1/8 and area of each curve, its metrics."""
        found = []
        for name, one in self._models.items():
            row: dict[str, Any] = {"model": name}
            for (method, k), curve in one.curves.items():
                label = f"{method} k={k}"
                for number in shown("comparison"):
                    row[f"{label}: {number.title}"] = number.value(curve)
            found.append(row | dict(one.metrics))
        return found

    def plot(self, **options: Any) -> Axes:
        """Axes with the first curve of each model; options as `prfast.plots.plot_curves`."""
        from prfast.plots import plot_curves

        drawn: Axes = plot_curves(
            [one.curve for one in self.values()], labels=list(self), **options
        )
        return drawn

    def report(self, path: str, **options: Any) -> None:
        """Write one HTML file about the models; options as `prfast.report.write_report`."""
        import_module("prfast.report").write_report(self, path, **options)

    def __str__(self) -> str:
        """A line a number, a column a model."""
        rows = self.rows()
        names = [name for name in rows[0] if name != "model"]
        cells = [["", *(row["model"] for row in rows)]]
        cells += [[name, *(f"{row[name]:.4f}" for row in rows)] for name in names]
        widths = [max(len(line[i]) for line in cells) for i in range(len(cells[0]))]
        return "\n".join(
            "  ".join(
                [line[0].ljust(widths[0])]
                + [cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)]
            ).rstrip()
            for line in cells
        )

    def __repr__(self) -> str:
        return f"Comparison of {', '.join(self._models)}"
