"""The public function `write_report`: models to one self-contained HTML file (extra: report)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import numpy as np

from prfast.curve import PRCurve
from prfast.files.write import write_whole
from prfast.inputs.columns import load_extra
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.options import RandomState, read_list, read_positive, read_seed, read_share
from prfast.methods.base import Scores
from prfast.report.cautions import alerts
from prfast.report.content import ReportData, content_of
from prfast.report.page import page
from prfast.results.values import curve_name
from prfast.scalars.measure import Halves


def write_report(
    models: Mapping[str, Any],
    path: str,
    *,
    title: str | None = None,
    order: float = np.inf,
    confidence: float | None = 0.95,
    about: Mapping[str, Any] | None = None,
    notes: Sequence[str] = (),
    random_state: RandomState = 0,
    day: date | None = None,
) -> None:
    """Write one self-contained HTML file about models: curves, numbers, and a reading of them.

    The heading has the date, the features and the numbers of samples.  Curves are interactive (λ,
    precision and recall at every point; models and views can be selected), tables can be sorted,
    sentences that compare the models follow from the numbers by the rules of
    ``prfast.report.words``, a glossary explains each number, and all options are listed.  The same
    models give the same file on the same day.  The file loads nothing from elsewhere; most of its
    5 MB are the plotting library.

    Parameters
    ----------
    models : mapping of str to PRCurve or Evaluation
        Curves, or curves with metrics, by the names of their models; a `Comparison` is such a
        mapping.  Of an evaluation with several curves the first is shown, and the others are named.
    path : str
        File to write; it is written as a whole or not at all.
    title : str, optional
        Heading; by default the names of the models, or their number if the names are long.
    order : float
        Order of the Rényi frontier, in (0, ∞]; ∞ (default) is the PR curve on logarithmic scales.
    confidence : float or None
        Confidence of the bands in the plot of PR curves, in (0, 1), 0.95 by default; None: no
        bands.  A curve that does not count samples, such as a mean of runs, has none, and the page
        says so.
    about : mapping, optional
        Further lines for "How it was computed", such as the names of files.
    notes : sequence of str
        Sentences on the samples, such as that some are copies, for "To bear in mind"; by default
        none.
    random_state : int, generator of NumPy or None
        Seed of the bootstrap for ± and differences; default 0.
    day : datetime.date, optional
        Date in the heading; by default today.

    Raises
    ------
    ImportError
        plotly is missing; the message names the extra to install.
    TypeError, ValueError
        `models` not such a mapping, or empty; names or notes that are not text; `order` not in
        (0, ∞], `confidence` not in (0, 1), `day` not a date.
    OSError
        The file cannot be written.
    """
    curves, metrics = _read_models(models)
    order = read_positive("order", order)
    confidence = None if confidence is None else read_share("confidence", confidence)
    seed = read_seed(random_state)
    written = _read_day(day)
    plotly, library = load_plotly()
    about = dict(about or {}) | _unshown(models)
    scores, halves = _read_errors(models)
    data = ReportData(
        curves=curves,
        metrics=metrics,
        alerts=alerts(models),
        scores=scores,
        halves=halves,
        title=title,
        order=order,
        confidence=confidence,
        about=about,
        notes=_read_notes(notes),
        seed=seed,
        library=library,
        day=written,
    )
    _write_text(path, page(content_of(data), plotly))


def load_plotly() -> tuple[str, str]:
    """Return the source of plotly.js, and the version of the package plotly."""
    plotly, offline = (
        load_extra(module, "reports", "report") for module in ("plotly", "plotly.offline")
    )
    return str(offline.get_plotlyjs()), str(plotly.__version__)


def _read_day(day: Any) -> date:
    if day is None:
        return date.today()
    if not isinstance(day, date):
        raise WrongType("day", f"a datetime.date or None expected, got {type(day).__name__}")
    return date(day.year, day.month, day.day)  # drops the time of a datetime


def _read_notes(notes: Any) -> list[str]:
    sentences = (
        [] if isinstance(notes, list | tuple) and not notes else read_list("notes", notes, (str,))
    )
    for item in sentences:
        if not isinstance(item, str):
            raise WrongType("notes", f"sentences of type str expected, got {type(item).__name__}")
    return sentences


def _read_models(models: Any) -> tuple[dict[str, PRCurve], dict[str, Mapping[str, float]]]:
    """Return the curves, and the metrics of models that have them."""
    if not isinstance(models, Mapping):
        raise WrongType(
            "models", f"a mapping of names to curves expected, got {type(models).__name__}"
        )
    if not models:
        raise WrongValue("models", "at least one expected, got none")
    curves, metrics = {}, {}
    for name, model in models.items():
        if not isinstance(name, str):
            raise WrongType("models", f"names expected as str, got {type(name).__name__}")
        curve = model if isinstance(model, PRCurve) else getattr(model, "curve", None)
        if not isinstance(curve, PRCurve):
            raise WrongType(
                f"models[{name!r}]",
                f"a PRCurve or an Evaluation expected, got {type(model).__name__}",
            )
        curves[name] = curve
        if not isinstance(model, PRCurve):
            metrics[name] = model.metrics
    return curves, metrics


def _read_errors(models: Mapping[str, Any]) -> tuple[dict[str, Scores], dict[str, Halves]]:
    """Return the scores of the curves and the split-half metrics, of models that have them."""
    scores, halves = {}, {}
    for name, model in models.items():
        of_model = getattr(model, "scores", {})
        first = next(iter(getattr(model, "curves", ())), None)
        if first in of_model:
            scores[name] = of_model[first]
        if getattr(model, "halves", None) is not None:
            halves[name] = model.halves
    return scores, halves


def _unshown(models: Mapping[str, Any]) -> dict[str, str]:
    """Return a line with the names of curves that are not the first of their evaluation."""
    names = dict.fromkeys(
        curve_name(method, k)
        for model in models.values()
        for method, k in list(getattr(model, "curves", ()))[1:]
    )
    return {"curves not shown": ", ".join(names)} if names else {}


def _write_text(path: str, text: str) -> None:
    def write(draft: str) -> None:
        with open(draft, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)

    write_whole(path, write)
