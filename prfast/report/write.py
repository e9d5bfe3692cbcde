"""The public function `write_report`: models to one self-contained HTML file (extra: report)."""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from importlib.resources import files
from typing import Any

import numpy as np

from prfast.comparison.pairs import CurveDifferences
from prfast.comparison.results import Evaluation
from prfast.curve import PRCurve
from prfast.curve.picture import key as line_key
from prfast.curve.summary import rows_of_table
from prfast.estimate.intervals import DRAWS
from prfast.estimate.notes import legend
from prfast.estimate.profile_notes import units_text
from prfast.files.write import write_text
from prfast.inputs.errors import WrongType, WrongValue, import_optional
from prfast.inputs.options import RandomState, read_seed, read_share
from prfast.report.content import (
    about_bands,
    differences_of_metrics,
    extreme_sections,
    facts_of,
    known_band,
    provenance_of,
    text_of_value,
    title_of,
    unshown_curves,
    without_folders,
)
from prfast.report.numbers import (
    PROFILE_TERMS,
    curves_picture,
    metric_columns,
    metric_title,
    number_columns,
    point_columns,
    profile_columns,
    profiles_picture,
)
from prfast.report.words import cautions, check, compare, folded, metric_cautions
from prfast.results.info import version
from prfast.results.values import Section, listed
from prfast.scalars.measure import Metrics
from prfast.scalars.table import TABLE

_CURVES = (
    "Further up more of what is generated looks real, further to the right more of what is real is "
    "generated; equal distributions fill the square."
)
_PROFILES = (
    "Both sets are smoothed by noise, to the right more: differences of detail vanish, differences "
    "of mass, such as missing modes or junk, remain. Unit: {}."
)


def write_report(
    models: Mapping[str, Any],
    path: str,
    *,
    title: str | None = None,
    confidence: float | None = 0.95,
    about: Mapping[str, Any] | None = None,
    notes: Sequence[str] = (),
    sections: Sequence[Section] = (),
    samples: Mapping[str, Sequence[Any]] | None = None,
    random_state: RandomState = 0,
    day: date | None = None,
) -> None:
    """Write one self-contained HTML file about models: curves, numbers, and a reading of them.

    The heading has the date, the features and the numbers of samples.  A table has a row a model,
    with what to check of it; below are the curves, the resolutions, and the differences between the
    models, which are those of `Comparison.differences`.  Tables can be sorted, a glossary explains
    each number, and all options are listed.  The same models give the same file on the same day.
    It loads nothing from elsewhere.

    Parameters
    ----------
    models : mapping of str to PRCurve or Evaluation
        Curves, or curves with metrics, by the names of their models; a `Comparison` is such a
        mapping.  Of an evaluation with several curves the first is shown, and the others are named.
    path : str
        File to write; it is written as a whole or not at all.
    title : str, optional
        Heading; by default the names of the models, or their number if the names are long.
    confidence : float or None
        Confidence of the bands in the picture of the curves, in (0, 1), 0.95 by default; None: no
        bands.  With more than two models a band is shown where the reader points at the model.  A
        curve that does not count samples, such as a mean of runs, has none, and the page says so.
    about : mapping, optional
        Further lines for "How it was computed", such as the names of files.
    notes : sequence of str
        Sentences on the samples, such as that some are copies; one that begins with the name of a
        model and a colon stands in its row.  By default none.
    random_state : int, generator of NumPy or None
        Seed of the bootstrap for ± and differences; default 0.
    sections : sequence of ``prfast.results.values.Section``
        Further sections, of sentences and tables of text; by default none.
    samples : mapping of str to sequence, optional
        Texts, or names of files, of the samples of "real" and of models, in the order of their
        rows, for the tables of extreme samples; by default these have the numbers of rows alone.
    day : datetime.date, optional
        Date in the heading; by default today.

    Raises
    ------
    ImportError
        jinja2 is missing; the message says how to install it.
    TypeError, ValueError
        `models` not such a mapping, or empty; names that are not text; `confidence` not in (0, 1).
    OSError
        The file cannot be written.
    """
    evaluations = _read_models(models)
    load_libraries()
    confidence = None if confidence is None else read_share("confidence", confidence)
    seed, day = read_seed(random_state), date.today() if day is None else day
    every = list(evaluations.values())
    curves, profiles = [one.curve for one in every], [one.profile for one in every]
    names, folders = without_folders(list(evaluations))
    scores = [evaluation.scores.get(next(iter(evaluation.curves))) for evaluation in every]
    differences = CurveDifferences(names, curves, scores, seed=seed)
    differing, left_out = compare(differences)
    bands = [None if confidence is None else known_band(curve, confidence) for curve in curves]
    units = sorted({units_text(profile.provenance) for profile in profiles if profile is not None})
    rows = [*rows_of_table("report"), *rows_of_table("ends")]
    columns, metrics = number_columns(curves, rows, seed), metric_columns(evaluations)
    of_profiles = profile_columns(profiles)
    of_models, of_all = check(evaluations, [*notes, *getattr(models, "failures", ())])
    of_all += metric_cautions(differences, differences_of_metrics(evaluations, names, seed))
    of_all += [*cautions(names, curves), *about_bands(names, bands, confidence)]
    common, by_model = provenance_of(evaluations)
    computation = {
        **({} if confidence is None else {"bands: confidence": confidence}),
        "bootstrap: samples": DRAWS,
        "bootstrap: random_state": seed,
        "prfast": version(),
        "numpy": np.__version__,
        "Python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }
    common = {**(about or {}), **unshown_curves(evaluations)} | common | computation
    content = {
        "title": title or title_of(names),
        "facts": facts_of(evaluations, folders, day),
        "names": names,
        "keys": [line_key(i) for i in range(len(names))],
        "overview": [replace(one, digits=".3f") for one in (*columns[:3], *of_profiles[2:3])],
        "checks": of_models,
        "legend": legend(),
        "pictures": [
            (curves_picture(names, curves, bands), "Curves", _CURVES),
            (
                profiles_picture(names, profiles),
                "Resolution",
                _PROFILES.format(listed(units) if units else ""),
            ),
        ],
        "notes": [folded(text) for text in of_all],
        "differing": differing,
        "left_out": left_out,
        "sections": [*extreme_sections(names, evaluations, samples or {}), *sections],
        "tables": {
            "Further numbers of the curves": [*columns[3:], *point_columns(curves)],
            "Metrics": list(metrics.values()),
            "Resolutions that are reached": of_profiles[:2],
            "Area at each resolution": of_profiles[3:],
        },
        "profile_terms": PROFILE_TERMS if of_profiles else {},
        "rows": rows,
        "metric_rows": {metric_title(key): TABLE[key] for key in metrics if key in TABLE},
        "common": [(key, text_of_value(value)) for key, value in common.items()],
        "own": by_model,
    }
    write_text(path, _render(content))


def load_libraries() -> None:
    """Check that jinja2 is installed."""
    import_optional("jinja2", "reports")


def _read_models(models: Any) -> dict[str, Evaluation]:
    """Return the models as evaluations; that of a mere curve has no metrics."""
    if not isinstance(models, Mapping):
        raise WrongType(
            "models", f"a mapping of names to curves expected, got {type(models).__name__}"
        )
    if not models:
        raise WrongValue("models", "at least one expected, got none")
    evaluations = {}
    for name, model in models.items():
        if not isinstance(name, str):
            raise WrongType("models", f"names expected as str, got {type(name).__name__}")
        if isinstance(model, PRCurve):
            model = Evaluation({("its method", None): model}, Metrics({}))
        if not isinstance(model, Evaluation):
            raise WrongType(
                f"models[{name!r}]",
                f"a PRCurve or an Evaluation expected, got {type(model).__name__}",
            )
        evaluations[name] = model
    return evaluations


def _render(content: Mapping[str, Any]) -> str:
    """Return the page; everything in it is escaped but styles, program and pictures."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup, escape

    def asset(name: str) -> Markup:
        return Markup(files("prfast.report").joinpath(name).read_text(encoding="utf-8"))

    def breakable(name: str) -> Markup:
        """Return a name that may be broken after separators."""
        return Markup("<wbr>").join(re.split(r"(?<=[/\\_.:-])(?=.)", name))

    def subscripts(formula: str) -> Markup:
        """Return a formula with the subscripts of r_k, r_{k′}, R_X and Π_x, but not of names such
        as p_k."""
        pattern = r"\b([rRΠ])_(?:\{([\w′]+)\}|(\w)\b)"
        return Markup(re.sub(pattern, r"\1<sub>\2\3</sub>", str(escape(formula))))

    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    for function in (breakable, subscripts):
        environment.filters[function.__name__] = function
    return environment.from_string(asset("page.html.jinja")).render(content, asset=asset)
