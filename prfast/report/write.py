"""The public function `write_report`: models to one self-contained HTML file (extra: report)."""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from prfast.comparison.results import Comparison, Evaluation
from prfast.curve import PRCurve
from prfast.curve.picture import key as line_key
from prfast.curve.summary import rows_of_table
from prfast.estimate.intervals import DRAWS
from prfast.files.write import write_text
from prfast.inputs.errors import ArgumentError, WrongType, import_optional
from prfast.inputs.options import RandomState, check_named, read_seed, read_share
from prfast.plots.views import band_of
from prfast.report.pictures import curves_picture, profiles_picture
from prfast.results.info import agreed, scalars, version
from prfast.results.values import Display, Section, listed, shortened
from prfast.scalars.measure import Metrics
from prfast.scalars.table import TABLE

EXTREMES = 5  # samples of either set that are named
_FAR = 2.0  # least log-ratio of an extreme sample: seven times likelier in a set than in the other
_LONGEST = 60  # characters of names in a title
_UNKNOWN = "not recorded"
_CURVES = (
    "Further up more of what is generated looks real, further to the right more of what is real is "
    "generated; equal distributions fill the square."
)
_PROFILES = (
    "Both sets are smoothed by noise, to the right more: differences of detail vanish, differences "
    "of mass, such as missing modes or junk, remain."
)

Models = Mapping[str, Evaluation]


def write_report(
    models: Mapping[str, Any],
    path: str,
    *,
    title: str | None = None,
    confidence: float | None = 0.95,
    about: Mapping[str, Any] | None = None,
    sections: Sequence[Section] = (),
    samples: Mapping[str, Sequence[Any]] | None = None,
    random_state: RandomState = 0,
) -> None:
    """Write one self-contained HTML file about models: curves, numbers, and a reading of them.

    The heading has the date, the features and the numbers of samples.  Below are what the models
    print, a table with a row a model and its notes, the curves, the resolutions, and the
    differences of all pairs, which are those of `Comparison.differences`.
    Tables can be sorted, a glossary explains each number, and all options are listed.  The same
    models give the same file on the same day.  It loads nothing from elsewhere.
    Example: ``prfast.report.write_report({"a": prfast.reference.TOYS["a"].curve()}, "a.html")``.
    See also `prfast.Evaluator`.

    Parameters
    ----------
    models : mapping of str to PRCurve or Evaluation
        Curves, or curves with metrics, by the names of their models; a `Comparison` is such a
        mapping.  If an evaluation has several curves, the picture shows the first.
    path : str
        File to write, ending in .html; it is written as a whole or not at all.
    title : str, optional
        Heading; by default the names of the models, or their number if the names are long.
    confidence : float or None
        Confidence of the bands in the picture of the curves, in (0, 1), 0.95 by default; None: no
        bands.  If there are more than two models, a band is shown when the reader points at the
        model.  A curve that does not count samples, such as a mean of runs, has none.
    about : mapping, optional
        Further lines for "How it was computed", such as the names of files.
    random_state : int, generator of NumPy or None
        Seed of the bootstrap for differences; default 0.
    sections : sequence of ``prfast.results.values.Section``
        Further sections, of sentences and tables of text; by default none.
    samples : mapping of str to sequence, optional
        Texts, or names of files, of the samples of "real" and of models, in the order of their
        rows, for the tables of extreme samples.  The default is the numbers of rows alone.

    Raises
    ------
    ImportError, TypeError, ValueError, OSError
        jinja2 is missing; `models` not such a mapping, or empty; names that are not text;
        `confidence` not in (0, 1); the file cannot be written.
    """
    compared = models if isinstance(models, Comparison) else Comparison(_read_models(models))
    check_page(path)
    confidence = None if confidence is None else read_share("confidence", confidence)
    seed = read_seed(random_state)
    display = compared._display()
    differences = _differences(compared, seed)
    heading = listed(list(compared))
    if len(heading) > _LONGEST:
        heading = f"{len(compared)} models"
    common, separate = _provenance(compared)
    common = {**(about or {}), **common}
    common |= {} if confidence is None else {"bands: confidence": confidence}
    common |= {"bootstrap: samples": DRAWS, "bootstrap: random_state": seed}
    common |= {"prfast": version(), "numpy": np.__version__, "Python": platform.python_version()}
    common["system"] = f"{platform.system()} {platform.machine()}"
    metrics = dict.fromkeys(name for model in compared.values() for name in model)
    profiles = {name: x.profile for name, x in compared.items() if x.profile is not None}
    content = {
        "title": title or f"{heading} against real samples",
        "facts": _facts_of(compared),
        "conclusion": differences.conclusion,
        "names": list(compared),
        "keys": [line_key(i) for i in range(len(compared))],
        "caption": display.caption,
        "head": display.head,
        "lines": display.lines,
        "cautions": display.cautions,
        "notes": [*differences.surest, *_remarks(compared, display)],
        "pictures": _pictures(compared, confidence),
        "sections": [
            *differences.sections,
            *_extremes(compared, samples or {}),
            *sections,
            *(_section(f"Resolutions of {name}", x._display()) for name, x in profiles.items()),
        ],
        "has_profiles": bool(profiles),
        "rows": rows_of_table("report"),
        "metric_rows": {name.replace("_", " "): TABLE[name] for name in metrics if name in TABLE},
        "common": [(key, _text_of(value)) for key, value in common.items()],
        "separate": separate,
    }
    write_text(path, _render(content))


def check_page(path: str) -> None:
    """Raise if a report cannot be written to a file of this name."""
    if not str(path).lower().endswith((".html", ".htm")):
        raise ValueError(f"{path}: a file ending in .html expected")
    import_optional("jinja2", "reports")


def _read_models(models: Any) -> dict[str, Evaluation]:
    """Return the models as evaluations; that of a mere curve has no metrics."""
    check_named("models", models, "curves")
    evaluations = {}
    for name, model in models.items():
        if isinstance(model, PRCurve):
            model = Evaluation({("its method", None): model}, Metrics({}))
        if not isinstance(model, Evaluation):
            text = f"a PRCurve or an Evaluation expected, got {type(model).__name__}"
            raise WrongType(f"models[{name!r}]", text)
        evaluations[name] = model
    return evaluations


def _facts_of(models: Models) -> list[tuple[str, str]]:
    """Return the lines below the title: date, features, numbers of samples."""
    infos = [info for model in models.values() for info in (model.curve.info, model.info)]

    def span(key: str) -> str:
        values = sorted({info[key] for info in infos if isinstance(info.get(key), int)})
        return " to ".join(map(str, dict.fromkeys((values[0], values[-1])))) if values else _UNKNOWN

    record = _features_of(infos)
    made = [str(record[key]) for key in ("model", "weights", "layer") if record.get(key)]
    width = f"{span('n_features')} numbers a sample"
    return [
        ("Written", date.today().isoformat()),
        ("Features", ", ".join([*(made or [f"model {_UNKNOWN}"]), width])),
        ("Real samples", span("n_real")),
        ("Generated samples", span("n_fake")),
    ]


def _pictures(models: Models, confidence: float | None) -> list[tuple[str, str, str]]:
    """Return the pictures, each with its title and its explanation."""
    curves = {name: model.curve for name, model in models.items()}
    bands: list[Any] = [None] * len(curves)
    for i, curve in enumerate(curves.values()):
        with suppress(ArgumentError):  # a curve without counts
            bands[i] = None if confidence is None else band_of(curve, confidence)
    dotted = [f"Dotted, {label}." for label in dict.fromkeys(x.label for x in bands if x)]
    profiles = {name: model.profile for name, model in models.items()}
    return [
        (curves_picture(curves, bands), "Curves", " ".join([_CURVES, *dotted])),
        (profiles_picture(profiles), "Resolution", _PROFILES),
    ]


def _remarks(models: Models, display: Display) -> list[str]:
    """Return the notes of the printed table, and what the explanations of all curves share."""
    # The page has the differences, to which this note points.
    remarks = [text for text in display.notes if "prfast report" not in text]
    explained = [model.curve.explain().splitlines() for model in models.values()]
    shared = [line for line in explained[0] if all(line in lines for lines in explained)]
    return remarks + [line for line in shared if line not in " ".join(remarks)]


def _features_of(infos: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the first record of features; empty if there is none."""
    records = (info.get("features") for info in infos)
    return next((record for record in records if isinstance(record, Mapping)), {})


def _section(title: str, display: Display) -> Section:
    """Return what a result prints as a section."""
    return Section(title, [*display.cautions, *display.notes], display.head, display.lines)


class _Differences(NamedTuple):
    """What the page has on differences between models."""

    sections: Sequence[Section] = ()
    conclusion: str = ""  # first sentence of the page
    surest: Sequence[str] = ()  # a sentence for each model


def _differences(models: Comparison, seed: int) -> _Differences:
    """Return the differences of all pairs, and sentences on the model of the largest area.  These
    leave out models whose samples equal real ones: copying cannot be told from skill."""
    title = "Which differences count"
    if len(models) < 2:
        return _Differences()
    try:
        numbers = ("fidelity", "diversity", "area")
        differences = models.differences(numbers=numbers, random_state=seed)
    except ArgumentError as error:  # curves without counts, or of several methods
        return _Differences([Section(title, [f"No models are compared: {error}."])])
    section = _section(title, differences._display())
    compared = [name for name in models if name not in differences.copied]
    if len(compared) < 2:
        return _Differences([section])
    best = max(compared, key=lambda name: models[name].curve.area)
    beside = {
        name: [x for x in differences if {x.model, x.other} == {name, best}]
        for name in compared
        if name != best
    }
    below, alike = list[str](), list[str]()
    for name, found in beside.items():
        is_clear = next(x.clear for x in found if x.number == "area")  # of the first curve
        (below if is_clear else alike).append(name)
    conclusion = f"{best} has the largest area."
    if below:
        conclusion = f"{best} has a clearly larger area than {shortened(below)}."
    if alike:
        conclusion += f" By the area {best} cannot be told apart from {shortened(alike)}."
    # The conclusion has the area.
    parts = [[x for x in found if x.clear and x.number != "area"] for found in beside.values()]
    surest = [
        max(clear, key=lambda x: abs(x.value) / max(x.half_width, 1e-9)).sentence()
        for clear in parts
        if clear
    ]
    return _Differences([section], conclusion, [f"{text}." for text in surest])


def _extremes(models: Models, samples: Mapping[str, Sequence[Any]]) -> list[Section]:
    """Return the section on the samples by which "auto" tells models from the real samples.

    Tables have sections of their own, with the cells of such rows.
    """
    lines = []
    for name, model in models.items():
        curve, is_table = model.curve, hasattr(model, "generated_rows")
        is_auto = curve.scores is not None and curve.provenance.method == "auto"
        if is_table or not is_auto:
            continue
        for x in curve.scores.extremes(EXTREMES):
            if abs(x["score"]) >= _FAR:
                texts = samples.get("real" if x["set"] == "real" else name)
                text = "" if texts is None else str(texts[x["row"]])
                lines.append([name, x["set"], str(x["row"]), f"{x['score']:.2f}", text])
    if not lines:
        return []
    width = 5 if any(line[4] for line in lines) else 4
    sentence = (
        "The generated samples that are least like real ones, and the real samples that a model "
        "misses most, by held-out scores: the logarithm of the ratio of real and generated samples."
    )
    head = ["model", "set", "row", "log-ratio", "sample"]
    return [Section("Extreme samples", [sentence], head[:width], [x[:width] for x in lines])]


def _provenance(models: Models) -> tuple[dict[str, Any], Section]:
    """Return the entries on which the records of all models agree, and a table of the others."""
    infos = []
    for model in models.values():
        info = model.curve.info
        parts = {
            "features": _features_of([info, model.info]),
            "curve": scalars({key: value for key, value in info.items() if key != "features"}),
            "metrics": scalars({k: value for k, value in model.info.items() if k != "features"}),
        }
        infos.append({f"{part}: {key}": x for part, of in parts.items() for key, x in of.items()})
    common = agreed(infos)
    keys = list(dict.fromkeys(key for info in infos for key in info if key not in common))
    lines = [
        [name, *(_text_of(info.get(key, "–")) for key in keys)]
        for name, info in zip(models, infos, strict=True)
    ]
    return common, Section("Each model", [], ["model", *keys], lines if keys else [])


def _text_of(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_text_of(entry)}" for key, entry in value.items())
    if isinstance(value, list):
        return ", ".join(map(_text_of, value))
    return "none" if value is None else str(value)


def _render(content: Mapping[str, Any]) -> str:
    """Return the page; everything in it is escaped but styles, program and pictures."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup, escape

    def asset(name: str) -> Markup:
        return Markup(files("prfast.report").joinpath(name).read_text(encoding="utf-8"))

    def subscripts(formula: str) -> Markup:
        """Return a formula with the subscripts of r_k, r_{k′}, R_X and Π_x, but not of names such
        as p_k."""
        pattern = r"\b([rRΠ])_(?:\{([\w′]+)\}|(\w)\b)"
        return Markup(re.sub(pattern, r"\1<sub>\2\3</sub>", str(escape(formula))))

    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    # Numbers such as 0.812 ± 0.014 and < 0.001 stay on a line.
    unbroken = partial(re.sub, r"(?<=\d) (?=±)|(?<=[±<]) (?=\d)", "\N{NO-BREAK SPACE}")
    environment.filters |= {"subscripts": subscripts, "unbroken": unbroken}
    return environment.from_string(asset("page.html.jinja")).render(content, asset=asset)
