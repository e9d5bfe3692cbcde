"""A plain-language reading of curves: sentences that follow from numbers by fixed rules.

- One model is said to cover less than another if its F_8 is lower, to be less realistic if its
  F_1/8 is lower, to be farther from the real samples if its area is smaller, each by more than
  sampling explains: 3 standard deviations of the difference over other samples of the same sizes
  (`prfast.estimate.spreads`), and at least 0.01.  Otherwise the two are alike.
- Real samples are out of reach if the maximal recall is below 1 by more than that, and at least
  0.02; generated ones are unlike any real one likewise by the maximal precision.
- Where curves do not say their sizes, differences below 0.05 are called alike.

Two models of one distribution, n = 600 to 4000, d = 8, every method, 25 to 60 repetitions: area,
F_8 and F_1/8 differed by more than that in at most 2 % of the repetitions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from prfast.curve.summary import Number, area, f_1_8, f_8, max_precision, max_recall, title_of
from prfast.estimate.redraw import ROUNDS
from prfast.estimate.spreads import LEAST, SPREADS, UNKNOWN, Spreads
from prfast.report.cautions import cautions
from prfast.results.text import listed

_LEVELS = (0.9, 0.75, 0.5, 0.25, 0.1)  # at which recall or precision is told
_LOST = 0.02  # of a set that is out of reach, before it is told
_SHARES = {
    "a tenth": 0.1,
    "a fifth": 0.2,
    "a quarter": 0.25,
    "three tenths": 0.3,
    "a third": 1 / 3,
    "two fifths": 0.4,
    "half": 0.5,
    "three fifths": 0.6,
    "two thirds": 2 / 3,
    "seven tenths": 0.7,
    "three quarters": 0.75,
    "four fifths": 0.8,
    "nine tenths": 0.9,
}


class Reading(NamedTuple):
    """Sentences; names of models stand in them as they are, not escaped."""

    summary: list[str]
    models: list[tuple[str, list[str]]]
    cautions: list[str]
    rule: str


def sentences(names: Sequence[str], spreads: Spreads) -> Reading:
    """The reading of curves that have these names."""
    curves = spreads.curves
    return Reading(
        _summary(names, spreads),
        [(name, _model(names, spreads, i)) for i, name in enumerate(names)],
        cautions(names, curves),
        rule(spreads),
    )


def rule(spreads: Spreads) -> str:
    if not spreads.known:
        return (
            "Some curves do not say how many samples they stand for: differences of "
            f"{UNKNOWN} or less are called alike."
        )
    drawn = (
        "draws the real samples, which models share, once for all"
        if spreads.paired
        else "takes the models' samples as independent"
    )
    return (
        f"A difference counts if it is larger than {SPREADS:g} of its standard deviations over "
        f"{ROUNDS} redrawings of the scored samples, and than {LEAST}; otherwise models are "
        f"called alike. Redrawing keeps the scorer and {drawn}."
    )


def _summary(names: Sequence[str], spreads: Spreads) -> list[str]:
    """Who comes closest, by the area."""
    values = [curve.area for curve in spreads.curves]
    if len(names) == 1:
        return [
            f"The area under the curve is {values[0]:.3f}; it is 1 where the distributions are "
            "equal and 0 where they have nothing in common."
        ]
    order = sorted(range(len(names)), key=lambda i: -values[i])
    best, *rest = order
    behind = [i for i in rest if spreads.falls_short(area, i, best)]
    alike = [i for i in rest if i not in behind]

    def shown(numbers: Sequence[int]) -> str:
        return listed([f"{names[i]} ({values[i]:.3f})" for i in numbers])

    scale = "by the area under the curve, which is 1 where the distributions are equal"
    if not behind:
        return [f"Overall no model can be told from the best: {shown(order)}, {scale}."]
    said = [f"Overall {shown([best])} comes closest to the real samples, {scale}."]
    if alike:
        be = "is" if len(alike) == 1 else "are"
        said.append(f"{shown(alike)} {be} alike, {_explained(spreads)}.")
    said.append(f"Behind: {shown(behind)}.")
    return said


def _model(names: Sequence[str], spreads: Spreads, i: int) -> list[str]:
    """How a model compares with the best of each kind, and what is out of reach."""
    curve = spreads.curves[i]
    others = [j for j in range(len(names)) if j != i]
    said, alike = [], []
    for number, less, most, as_much, told in _SIDES:
        best = max(range(len(names)), key=lambda j: number(spreads.curves[j]))
        if spreads.falls_short(number, i, best):
            said.append(f"It {less} {names[best]}: {told(spreads, i, best)}.")
        elif others and all(spreads.falls_short(number, j, i) for j in others):
            said.append(f"It {most}.")
        elif others:
            alike.append(as_much)
    if alike:
        said.append(f"It {' and '.join(alike)} as any other here, {_explained(spreads)}.")
    best = max(range(len(names)), key=lambda j: area(spreads.curves[j]))
    if len(alike) == 2 and spreads.falls_short(area, i, best):
        said.append(f"In between it is behind {names[best]}: {_middle(spreads, i, best)}.")
    if len(names) == 1:
        recall, precision = curve.recall_at(0.9), curve.precision_at(0.9)
        said.append(f"At precision 0.9 its recall is {recall:.2f}.")
        said.append(f"At recall 0.9 its precision is {precision:.2f}.")
    said += _reach(spreads, i)
    return said


def _explained(spreads: Spreads) -> str:
    return "within what sampling explains" if spreads.known else "by the rule below"


def _recalls(spreads: Spreads, i: int, best: int) -> str:
    """Where coverage falls short: at the highest precision at which the difference counts."""
    return _told_recall(spreads, i, best) or _told(f_8, spreads, i, best)


def _precisions(spreads: Spreads, i: int, best: int) -> str:
    return _told_precision(spreads, i, best) or _told(f_1_8, spreads, i, best)


# Number; less than the best, more than all others, as much as any other; where it is less.
_SIDES: list[tuple[Number, str, str, str, Callable[[Spreads, int, int], str]]] = [
    (f_8, "covers less than", "covers most of all", "covers as much (F8)", _recalls),
    (
        f_1_8,
        "is less realistic than",
        "is the most realistic of all",
        "is as realistic (F1/8)",
        _precisions,
    ),
]


def _middle(spreads: Spreads, i: int, best: int) -> str:
    found = _told_recall(spreads, i, best) or _told_precision(spreads, i, best)
    return found or _told(area, spreads, i, best)


def _told_recall(spreads: Spreads, i: int, best: int) -> str | None:
    for level in _LEVELS:
        number = _recall_at(level)
        if spreads.falls_short(number, i, best):
            one, other = number(spreads.curves[i]), number(spreads.curves[best])
            return f"at precision {level:g} its recall is {one:.2f} against {other:.2f}"
    return None


def _told_precision(spreads: Spreads, i: int, best: int) -> str | None:
    for level in _LEVELS:
        number = _precision_at(level)
        if spreads.falls_short(number, i, best):
            one, other = number(spreads.curves[i]), number(spreads.curves[best])
            return f"at recall {level:g} its precision is {one:.2f} against {other:.2f}"
    return None


@cache  # one function a level, by which spreads are remembered
def _recall_at(precision: float) -> Number:
    return lambda curve: float(curve.recall_at(precision))


@cache
def _precision_at(recall: float) -> Number:
    return lambda curve: float(curve.precision_at(recall))


def _told(number: Number, spreads: Spreads, i: int, best: int) -> str:
    one, other = number(spreads.curves[i]), number(spreads.curves[best])
    return f"its {title_of(number)} is {one:.3f} against {other:.3f}"


def _reach(spreads: Spreads, i: int) -> list[str]:
    """What of either set the other does not reach at any trade-off."""
    curve = spreads.curves[i]
    if curve.max_recall == 0:
        return ["It has nothing in common with the real samples."]
    said = []
    for number, name, lost in (
        (max_recall, "recall", "of the real samples {} out of reach"),
        (max_precision, "precision", "of its samples {} unlike any real one"),
    ):
        most = number(curve)
        if 1 - most > max(_LOST, spreads.margin(number, i)):
            part = share(1 - most)
            verb = "are" if "%" in part else "is"
            said.append(f"Its maximal {name} is {most:.2f}: {part} {lost.format(verb)}.")
    return said


def share(value: float) -> str:
    """A share in words: "about a fifth", "3 %"."""
    name, near = min(_SHARES.items(), key=lambda item: abs(item[1] - value))
    if abs(near - value) <= 0.005:
        return name
    return f"about {name}" if abs(near - value) <= 0.02 else f"{100 * value:.0f} %"
