"""The public function `write_report`: models to one self-contained HTML file (extra: report)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from importlib.resources import files
from typing import Any

from prfast.comparison.results import Evaluation
from prfast.curve import PRCurve
from prfast.files.write import write_text
from prfast.inputs.errors import WrongType, WrongValue, import_optional
from prfast.inputs.options import RandomState, read_seed, read_share
from prfast.report.content import content_of
from prfast.results.values import Section
from prfast.scalars.measure import Metrics


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
    content = content_of(
        evaluations,
        title=title,
        confidence=None if confidence is None else read_share("confidence", confidence),
        about=about or {},
        notes=[*notes, *getattr(models, "failures", ())],
        sections=list(sections),
        samples=samples or {},
        seed=read_seed(random_state),
        day=date.today() if day is None else day,
    )
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
