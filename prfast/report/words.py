"""A plain-language reading of curves: sentences that follow from numbers by fixed rules.

- One model is said to miss more than another if its F_8 is lower and its diversity is too, while
  its fidelity is at least 0.1; to invent more if its F_1/8 is lower and its fidelity is too, while
  its diversity is at least 0.1; not to be as close to the real samples if its area is smaller.
  Lower is by more than sampling explains: 3 standard deviations of the difference over other
  samples of the same sizes (`prfast.estimate.spreads`), and at least 0.01.  Otherwise the two are
  alike.  Where only F_8 or F_1/8 is lower, the number is told and no word: F_1/8 weighs a little
  recall, and is low of a model that reaches next to nothing, whatever it invents.  The words are
  those of the rows of `prfast.curve.summary`, each of one number, which stands behind it.
- Real samples are out of reach if the maximal recall is below 1 by more than that, and at least
  0.02; generated ones are unlike any real one likewise by the maximal precision.
- Where curves do not say their sizes, differences below 0.05 are called alike.

Two models of one distribution, n = 600 to 4000, d = 8, every method, 25 to 60 repetitions: area,
F_8 and F_1/8 differed by more than that in at most 2 % of the repetitions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from prfast.curve.summary import Number, Row, area, f_1_8, f_8, max_precision, max_recall, row_of
from prfast.estimate.redraw import ROUNDS
from prfast.estimate.spreads import LEAST, SPREADS, UNKNOWN, Spreads
from prfast.report.cautions import cautions, of_metrics
from prfast.report.tables import Column
from prfast.results.text import shortened

_LEVELS = (0.9, 0.75, 0.5, 0.25, 0.1)  # at which recall or precision is told,
_FORGIVING = (0.5, 0.25, 0.1)  # and of F_8 and F_1/8, that what one of them weighs is not the other
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


def sentences(
    names: Sequence[str],
    spreads: Spreads,
    metrics: Mapping[str, Column] | None = None,
    notes: Sequence[str] = (),
) -> Reading:
    """The reading of curves that have these names; notes: what is known of their samples."""
    curves = spreads.curves
    return Reading(
        _summary(names, spreads),
        [(name, _model(names, spreads, i)) for i, name in enumerate(names)],
        [*notes, *of_metrics(names, spreads, metrics or {}), *cautions(names, curves)],
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
        return shortened([f"{names[i]} ({values[i]:.3f})" for i in numbers])

    scale = "by the area under the curve, which is 1 where the distributions are equal"
    if not behind:
        return [f"Overall no model can be told from the best: {shown(order)}, {scale}."]
    said = [f"Overall {shown([best])} {row_of(area).words.most}, {scale}."]
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
    for number, seen in _SIDES:
        row = row_of(number)
        best = max(range(len(names)), key=lambda j: number(spreads.curves[j]))
        if spreads.falls_short(number, i, best):
            where = seen(spreads, i, best, _FORGIVING)
            said.append(_behind(number, names, spreads, i, best, where))
        elif others and all(spreads.falls_short(number, j, i) for j in others):
            of_all = all(_says_so(row, spreads, j, i) for j in others)
            said.append(
                f"It {row.words.most} ({row.title})."
                if of_all
                else f"Its {row.title} is the highest of all."
            )
        elif others:
            alike.append(f"{row.words.alike} ({row.title})")
    if alike:
        said.append(f"It {' and '.join(alike)} as any other here, {_explained(spreads)}.")
    best = max(range(len(names)), key=lambda j: area(spreads.curves[j]))
    if len(alike) == 2 and spreads.falls_short(area, i, best):
        where = _recalls(spreads, i, best, _LEVELS) or _precisions(spreads, i, best, _LEVELS)
        said.append(_behind(area, names, spreads, i, best, where))
    if len(names) == 1:
        recall, precision = curve.recall_at(0.9), curve.precision_at(0.9)
        said.append(f"At precision 0.9 its recall is {recall:.2f}.")
        said.append(f"At recall 0.9 its precision is {precision:.2f}.")
    said += _reach(spreads, i)
    return said


def _behind(
    number: Number, names: Sequence[str], spreads: Spreads, i: int, best: int, where: str
) -> str:
    """That a number is less than that of the best, by how much, and where that shows."""
    row = row_of(number)
    one, other = number(spreads.curves[i]), number(spreads.curves[best])
    shown = f": {where}" if where else ""
    against = f"{one:.3f} against {other:.3f}"
    if not _says_so(row, spreads, i, best):
        return f"Its {row.title} is lower than that of {names[best]} ({against}){shown}."
    return f"It {row.words.less} {names[best]} ({row.title} {against}){shown}."


def _says_so(row: Row, spreads: Spreads, i: int, best: int) -> bool:
    """May the words of a number that is less than that of the best be said?"""
    if row.beside is None:
        return True
    return spreads.falls_short(row.beside, i, best) and row.says_of(spreads.curves[i])


def _explained(spreads: Spreads) -> str:
    return "within what sampling explains" if spreads.known else "by the rule below"


def _recalls(spreads: Spreads, i: int, best: int, levels: Sequence[float]) -> str:
    """The recalls of both at the highest of these precisions at which they differ."""
    for level in levels:
        number = _recall_at(level)
        if spreads.falls_short(number, i, best):
            one, other = number(spreads.curves[i]), number(spreads.curves[best])
            return f"at precision {level:g} its recall is {one:.2f} against {other:.2f}"
    return ""


def _precisions(spreads: Spreads, i: int, best: int, levels: Sequence[float]) -> str:
    """The precisions of both at the highest of these recalls at which they differ."""
    for level in levels:
        number = _precision_at(level)
        if spreads.falls_short(number, i, best):
            one, other = number(spreads.curves[i]), number(spreads.curves[best])
            return f"at recall {level:g} its precision is {one:.2f} against {other:.2f}"
    return ""


# What is judged, and what shows where it is less than that of the best.
_SIDES = ((f_8, _recalls), (f_1_8, _precisions))


@cache  # one function a level, by which spreads are remembered
def _recall_at(precision: float) -> Number:
    return lambda curve: float(curve.recall_at(precision))


@cache
def _precision_at(recall: float) -> Number:
    return lambda curve: float(curve.precision_at(recall))


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
            verb = "are" if part.endswith(("s", "%")) else "is"
            said.append(f"Its maximal {name} is {most:.2f}: {part} {lost.format(verb)}.")
    return said


def share(value: float) -> str:
    """A share in words: "about a fifth", "3 %"."""
    name, near = min(_SHARES.items(), key=lambda item: abs(item[1] - value))
    if abs(near - value) <= 0.005:
        return name
    return f"about {name}" if abs(near - value) <= 0.02 else f"{100 * value:.0f} %"
