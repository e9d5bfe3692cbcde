"""Differences between models by all their numbers: curves, metrics and coarse areas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from prfast.comparison.pairs import CurveDifferences, Difference, metric_differences, pairs_of
from prfast.curve import PRCurve
from prfast.curve.summary import ROWS, Number, read_row, rows_of_table
from prfast.estimate.notes import FEW_WEIGHTED, UNEVEN
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_list, read_seed, read_share
from prfast.results.values import Display, Result, curve_name, shortened, value_and_error
from prfast.scalars.table import NAMES, depends_on_number

Models = Mapping[str, Any]

_COARSE = "coarse_area"
_SEPARATE = 0.05  # area, below which a model has hardly anything in common with the real samples


@dataclass(frozen=True, eq=False, repr=False)
class Differences(Result, Sequence[Difference]):
    """The differences of all pairs by all numbers, as a sequence; prints as a table."""

    items: Sequence[Difference]
    confidence: float
    pairs: int
    """The number of pairs for which the level holds simultaneously."""
    copied: list[str]
    """The models whose samples equal real ones: their differences cannot tell copying from skill,
    and no report compares them."""
    separate: list[str]
    """The models that have hardly anything in common with the real samples at full resolution,
    where there are two or more and no coarse areas are compared: that their areas do not differ
    says nothing."""
    weighted: list[str]
    """The models whose weights leave few effective samples, where the level does not hold."""
    left_out: list[str]
    """The metrics that depend on the number of generated samples, where models differ in it."""

    @overload
    def __getitem__(self, index: int) -> Difference: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Difference]: ...
    def __getitem__(self, index: int | slice) -> Difference | Sequence[Difference]:
        return self.items[index]

    def __len__(self) -> int:
        return len(self.items)

    @property
    def clear(self) -> list[Difference]:
        """The differences whose intervals exclude 0."""
        return [difference for difference in self.items if difference.clear]

    @property
    def family(self) -> str:
        """Description of the pairs for which the level holds simultaneously."""
        which = "the pair" if self.pairs == 1 else f"all {self.pairs} pairs at once"
        return f"± and p for {which} of a number, confidence {self.confidence:g}"

    def sentences(self) -> list[str]:
        """Return a sentence each: "A is more diverse than B (diversity): +0.060 ± 0.020"."""
        several = len({x.curve for x in self.items if x.curve}) > 1
        return [difference.sentence(curve=several) for difference in self.items]

    def rows(self) -> list[dict[str, Any]]:
        """Return a dictionary each, for JSON or a table."""
        return [
            {"model": x.model, "other": x.other, "curve": x.curve, "number": x.number}
            | {"difference": x.value, "half_width": x.half_width, "p": x.p, "clear": x.clear}
            for x in self.items
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

    def _display(self) -> Display:
        lines = [
            [
                f"{x.model} − {x.other}",
                x.heading,
                value_and_error(x.value, x.half_width, "+.3f"),
                "< 0.001" if x.p < 0.0005 else f"{x.p:.3f}",
                "clear" if x.clear else "",
            ]
            for x in self
        ]
        notes, cautions = [f"{self.family}."], []
        if any(x.curve and x.clear for x in self.items):
            notes.append(
                "Clear: beyond the choice of samples. Numbers of curves are upper limits: where "
                "the method misses more of one model's faults, the true order may be reversed."
            )
        if self.left_out:
            notes.append(
                f"{shortened(self.left_out)}: left out, as numbers of generated samples differ. "
                "Compare as many of each model."
            )
        if self.separate:
            notes.append(
                f"{shortened(self.separate)} have areas below {_SEPARATE} at full resolution, "
                "where models far from the real samples are alike however far they are; "
                'Evaluator(…, resolutions="auto") compares their coarse areas.'
            )
        if self.weighted:
            notes.append(
                f"The weights of {shortened(self.weighted)} leave an effective size below "
                f"{FEW_WEIGHTED}: the level does not hold there, and equal models were called "
                "different in up to 1 of 7 draws."
            )
        if self.copied:
            cautions.append(
                f"Samples of {shortened(self.copied)} equal real ones: their differences cannot "
                "tell copying from skill, and do not count, also where they are clear."
            )
        head = ["models", "number", "difference", "p", "clear?"]
        return Display("Differences", lines, head, notes, cautions, words=[4])

    def __repr__(self) -> str:
        return f"Differences({len(self)}, {len(self.clear)} of them clear; {self.family})"


def differences(
    models: Models, confidence: Any, numbers: Any, baseline: Any, random_state: Any
) -> Differences:
    """Return the differences between models; `Comparison.differences` documents the arguments."""
    confidence, seed = read_share("confidence", confidence), read_seed(random_state)
    names, every = list(models), list(models.values())
    if len(names) < 2:
        raise WrongValue("differences", f"at least two models expected, got {len(names)}")
    pairs = pairs_of(names, baseline)
    profiles = [model.profile for model in every if model.profile is not None]
    sigmas = {profile.coarse_resolution for profile in profiles}
    has_coarse = len(profiles) == len(every) and len(sigmas) == 1
    of_curves, of_metrics, is_coarse = _read_numbers(models, numbers, has_coarse)
    # For each kind of curve its name, what a model needs, curves and scores of models, and numbers.
    kinds: list[tuple[str, str, list[PRCurve], list[Any], Mapping[str, Number]]] = []
    if of_curves:
        keys = [key for key in every[0].curves if all(key in model.curves for model in every)]
        if not keys:
            text = "models with a method and k in common expected, got none"
            raise WrongValue("differences", text)
        for key in keys:
            curves, scores = [x.curves[key] for x in every], [x.scores.get(key) for x in every]
            needed = f"a curve {key} whose cells"
            kinds.append((curve_name(*key), needed, curves, scores, of_curves))
    if is_coarse:
        # Profiles keep no scores: each is resampled by itself, and what shared real samples move in
        # both does not drop out, so the ± is rather wide.
        (sigma,), coarse = sigmas, {_COARSE.replace("_", " "): read_row("numbers", "area")}
        curves, estimates = (
            [getattr(x, which)[sigma] for x in profiles] for which in ("curves", "estimates")
        )
        kinds.append(("", "a profile whose curves", curves, estimates, coarse))
    items: list[Difference] = []
    how: dict[str, Any] = {"pairs": pairs, "confidence": confidence, "seed": seed}
    for title, needed, curves, scores, by_title in kinds:
        by_number = CurveDifferences(names, curves, scores, title=title, **how)
        if by_number.unknown is not None:
            text = f"{needed} count samples expected"
            raise WrongValue(f"models[{by_number.unknown!r}]", text)
        for heading, number in by_title.items():
            items += by_number.of(number, heading)
    origins = {name: model.curve.provenance for name, model in models.items()}
    sizes = [origin.n_fake for origin in origins.values() if origin.n_fake]
    is_uneven = len(sizes) > 1 and max(sizes) > UNEVEN * min(sizes)
    left_out = [metric for metric in of_metrics if is_uneven and depends_on_number(metric)]
    halves = [model.halves for model in every]
    for metric in (metric for metric in of_metrics if metric not in left_out):
        values = [model[metric] for model in every]
        items += metric_differences(names, metric, values, halves, **how)
    copied = [name for name, origin in origins.items() if origin.copies]
    weighted = [
        name
        for name, origin in origins.items()
        if "fake" in origin.weighted and origin.units and origin.units[1] < FEW_WEIGHTED
    ]
    separate = [
        name
        for name, model in models.items()
        if model.curve.area < _SEPARATE and not origins[name].resolution
    ]
    if is_coarse or len(separate) < 2 or not of_curves:
        separate = []
    return Differences(items, confidence, len(pairs), copied, separate, weighted, left_out)


def _read_numbers(
    models: Models, numbers: Any, has_coarse: bool
) -> tuple[dict[str, Number], list[str], bool]:
    """Return {title: function} of numbers of curves, names of metrics, and whether the coarse area
    is one of the numbers; by default those in the table of a comparison that have errors."""
    halved = [set(model.halves.values) if model.halves else set() for model in models.values()]
    with_errors = [name for name in NAMES if all(name in metrics for metrics in halved)]
    if numbers is None:
        default = {row.title: row.value for row in rows_of_table("comparison")}
        return default, with_errors, has_coarse
    of_curves: dict[str, Number] = {}
    of_metrics: list[str] = []
    is_coarse = False
    for number in read_list("numbers", numbers, (str,)):
        if isinstance(number, str) and number == _COARSE:
            if not has_coarse:
                expected = "models of Evaluator(…, resolutions=…)"
                raise WrongValue("numbers", f"{_COARSE} is known of {expected}, and not of these")
            is_coarse = True
        elif isinstance(number, str) and number in NAMES:
            if number not in with_errors:
                text = f"errors of {number} are known of models of Evaluator(…, halvings=12), which"
                raise WrongValue("numbers", f"{text} measures it, and not of these")
            of_metrics.append(number)
        else:
            value = read_row("numbers", number)
            titles = (row.title for row in ROWS if row.value is value)
            of_curves[next(titles, str(getattr(value, "__name__", value)))] = value
    return of_curves, of_metrics, is_coarse
