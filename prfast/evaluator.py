"""Evaluator: one reference, prepared once, and any number of models or checkpoints against it."""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from prfast import estimate
from prfast._version import version
from prfast.balls import MEMORY, Points, Remembering, Rows
from prfast.curve import PRCurve
from prfast.files import write_whole
from prfast.metrics import Metrics, measure
from prfast.metrics import read_wanted as read_metrics
from prfast.samples import Floats, read_count, read_other, read_samples, split_share

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FORMAT = "prfast.Evaluator/1"


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
                row[f"{label}: F8"] = curve.f_score(8)
                row[f"{label}: F1/8"] = curve.f_score(1 / 8)
                row[f"{label}: area"] = curve.area
            found.append(row | dict(one.metrics))
        return found

    def plot(self, **options: Any) -> Axes:
        """Axes with the first curve of each model; options as `prfast.plots.plot_curves`."""
        from prfast.plots import plot_curves

        drawn: Axes = plot_curves(
            [one.curve for one in self.values()], labels=list(self), **options
        )
        return drawn

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


class Evaluator:
    """A reference set, prepared once, against which any number of sets is evaluated.

    What depends on the reference alone (its split, the radii of its balls, the neighbours of its
    evaluation half in its training half) is computed for the first set and kept.  Results are those
    of `prfast.pr_curves` and `prfast.metrics`, to the last bit.

    Parameters
    ----------
    real : array, shape (n, d)
        Samples of the reference distribution; kept, not copied where that is possible.
    methods, k, split, random_state, ties, count_self
        Of the curves, as for `prfast.pr_curves`; by default one curve, "knn" with ⌊√n⌋ of a half.
    metrics_k, which
        k (5) and names of the metrics, as for `prfast.metrics`; `ties` is that of the curves.
    backend, n_jobs, memory, progress
        As for `prfast.pr_curves`; as much as `memory` again is kept.

    Raises
    ------
    TypeError, ValueError
        As those functions.
    """

    def __init__(
        self,
        real: Any,
        methods: Sequence[str] | str = ("knn",),
        k: Sequence[int | str] | int | str = "sqrt",
        *,
        split: float | None = 0.5,
        random_state: int | None = 0,
        ties: str = "closed",
        count_self: bool = True,
        metrics_k: int = 5,
        which: str | Sequence[str] | None = None,
        backend: str = "auto",
        n_jobs: int | None = None,
        memory: int = MEMORY,
        progress: bool = False,
    ) -> None:
        self._real: Floats = read_samples("real", real, at_least=2)
        self._curves = estimate.read_wanted(methods, k, split, random_state, ties, count_self)
        self._metrics = read_metrics(read_count("metrics_k", metrics_k), which, ties, **_METRICS)
        self._settings = {
            "backend": backend,
            "n_jobs": n_jobs,
            "memory": memory,
            "progress": progress,
        }
        self._batches: list[Floats] = []
        self._prepare({})

    def _prepare(self, radii: Mapping[tuple[int, int], Any]) -> None:
        """The halves of the reference and a search that remembers them."""
        real, wanted = self._real, self._curves
        self._halves: tuple[Points, Points] | None = None
        fixed: list[Points] = [real]
        if wanted.split is not None:
            part = split_share(len(real), len(real), wanted.split, wanted.seed)
            self._halves = Rows(real, part.real_train), Rows(real, part.real_test)
            fixed += self._halves
        self._search = Remembering(fixed, **self._settings)
        self._search.radii.update(radii)

    # ---- one set -----------------------------------------------------------------------------

    def curves(self, fake: Any) -> dict[tuple[str, int | str], PRCurve]:
        """Every method and k, as `prfast.pr_curves(real, fake, …)`."""
        fake = read_other("fake", fake, self._real)
        return estimate.neighbor_curves(self._real, fake, self._curves, self._search, self._halves)

    def curve(self, fake: Any) -> PRCurve:
        """The curve of the one method and k that the evaluator has.

        Raises
        ------
        ValueError
            It has several: use `curves`.
        """
        if len(self._curves.methods) * len(self._curves.ks) > 1:
            raise ValueError("curve: an evaluator of one method and one k expected; use curves")
        return next(iter(self.curves(fake).values()))

    def metrics(self, fake: Any) -> Metrics:
        """The metrics, as `prfast.metrics(real, fake, …)`."""
        fake = read_other("fake", fake, self._real, at_least=2)
        found: Metrics = measure(self._real, fake, self._metrics, self._search)
        return found

    def evaluate(self, fake: Any) -> Evaluation:
        """Curves and metrics of a set."""
        fake = read_other("fake", fake, self._real, at_least=2)
        return Evaluation(self.curves(fake), self.metrics(fake))

    def compare(self, models: Mapping[str, Any]) -> Comparison:
        """Curves and metrics of several sets, {name: array}."""
        if not isinstance(models, Mapping) or not models:
            raise TypeError(
                "models: a mapping of names to arrays expected, "
                f"got {'an empty one' if isinstance(models, Mapping) else type(models).__name__}"
            )
        return Comparison({name: self.evaluate(fake) for name, fake in models.items()})

    # ---- batch by batch ----------------------------------------------------------------------

    def update(self, batch: Any) -> None:
        """Add generated samples, shape (b, d), for the next `compute`; they are copied."""
        read = read_other("batch", batch, self._real)
        if self._batches and read.dtype != self._batches[0].dtype:
            raise TypeError(
                f"batch: {self._batches[0].dtype} as in the batches before expected, "
                f"got {read.dtype}"
            )
        self._batches.append(np.array(read))

    def compute(self) -> Evaluation:
        """Curves and metrics of all batches since the last `reset`.

        Raises
        ------
        ValueError
            There is none.
        """
        if not self._batches:
            raise ValueError("compute: batches expected, got none; call update first")
        if len(self._batches) > 1:
            self._batches = [np.concatenate(self._batches)]
        return self.evaluate(self._batches[0])

    def reset(self) -> None:
        """Forget the batches; what was prepared of the reference stays."""
        self._batches = []

    # ---- kept in a file, or sent to another process --------------------------------------------

    def save(self, path: str) -> None:
        """Write the reference, the options and the radii found so far to a file (NumPy's .npz).

        It holds a version and a checksum; batches are not in it.
        """
        arrays = {"real": self._real}
        arrays |= {f"radii {i} {k}": d2 for (i, k), d2 in sorted(self._search.radii.items())}
        header = json.dumps(self._header())
        checksum = _checksum(header, arrays)
        entries: dict[str, Any] = arrays | {"header": header, "checksum": checksum}

        def write(draft: str) -> None:
            with open(draft, "wb") as file:
                np.savez(file, **entries)

        write_whole(path, write)

    @classmethod
    def load(cls, path: str) -> Evaluator:
        """The evaluator that `save` wrote.

        Raises
        ------
        ValueError
            Not such a file, one of another format, or one whose checksum does not fit.
        """
        try:
            with np.load(path, allow_pickle=False) as archive:
                arrays = {name: archive[name] for name in archive.files}
            header, total = str(arrays.pop("header")), str(arrays.pop("checksum"))
            record = json.loads(header)
        except FileNotFoundError:
            raise
        except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile, zlib.error) as error:
            raise ValueError(f"{path}: a file of Evaluator.save expected: {error}") from None
        if record.get("format") != _FORMAT:
            raise ValueError(f"{path}: format {_FORMAT!r} expected, got {record.get('format')!r}")
        if _checksum(header, arrays) != total:
            raise ValueError(f"{path}: the checksum does not fit; the file is damaged")
        evaluator = cls(arrays.pop("real"), **record["options"])
        for name, d2 in arrays.items():
            _, number, k = name.split()
            evaluator._search.radii[int(number), int(k)] = d2
        return evaluator

    def _header(self) -> dict[str, Any]:
        curves, wanted = self._curves, self._metrics
        return {
            "format": _FORMAT,
            "version": version(),
            "options": {
                "methods": curves.methods,
                "k": curves.ks,
                "split": curves.split,
                "random_state": curves.seed,
                "ties": curves.ties,
                "count_self": curves.count_self,
                "metrics_k": wanted.ks[0],
                "which": wanted.names,
                **self._settings,
            },
        }

    def __getstate__(self) -> dict[str, Any]:
        """Without the neighbours that were kept: they are found again when they are needed."""
        state = {name: getattr(self, name) for name in _STATE}
        return state | {"radii": dict(self._search.radii)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name in _STATE:
            setattr(self, name, state[name])
        self._prepare(state["radii"])

    def __repr__(self) -> str:
        options = ", ".join(
            f"{name}={value!r}" for name, value in self._header()["options"].items()
        )
        n, d = self._real.shape
        return f"Evaluator({n} samples of {d} features; {options})"


_STATE = ("_real", "_curves", "_metrics", "_settings", "_batches")
# The options of `metrics` that an evaluator does not have: their defaults there.
_METRICS = {
    "cover_k": 3,
    "cover_factor": 3,
    "cover_self": False,
    "p_k": 4,
    "p_factor": 1.2,
}


def _checksum(header: str, arrays: Mapping[str, Any]) -> str:
    total = hashlib.sha256(header.encode())
    for name, array in arrays.items():
        total.update(f"{name} {array.dtype.str} {array.shape}".encode())
        total.update(np.ascontiguousarray(array).data)
    return total.hexdigest()
