"""Sentences about curves, metrics and samples, and a curve as text and HTML.

Sentences name the sets as they were passed, also after an exchange.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from prfast.curve import PRCurve, Provenance
from prfast.curve.picture import key, picture
from prfast.curve.summary import ALIKE, LEVEL, rows_of_table
from prfast.estimate.intervals import intervals_of_table
from prfast.methods.table import METHODS
from prfast.results.values import Display, curve_name, escaped, listed, shortened, value_and_error
from prfast.samples.notes import FEW, large_notes, number_notes, row_notes


def legend(*, of_scorer: bool = True) -> str:
    """Return the line below a table that has a ±; of_scorer: whether it has numbers of curves."""
    sampling = f"± is the half width of a {100 * LEVEL:g} % interval for other samples"
    missed = "differences that the method does not detect lower the true values"
    return f"{sampling}. Numbers of curves are upper limits: {missed}." if of_scorer else sampling


UNEVEN = 1.05  # ratio of numbers of generated samples, above which models have a note
# For numbers of samples of the smaller set: the area that 95 % of equal sets exceed, the least of
# 56 kinds of sets in 1 to 512 dimensions, each drawn 40 times.
_SIZES = (5, 10, 14, 20, 30, 50, 100, 200)
_EQUAL_AREAS = (0.0, 0.12, 0.24, 0.35, 0.52, 0.66, 0.78, 0.91)


def notes_of(origin: Provenance) -> list[str]:
    """Return the notes on the samples of a curve, a sentence each."""
    return notes_of_several({"": origin})


def notes_of_several(curves: Mapping[str, Provenance]) -> list[str]:
    """Return the notes on the number of samples of the curve with the fewest, and on all rows.

    Notes name their curves, except those that all curves share.
    """
    # A bound accounts for the number of samples.
    curves = {name: x for name, x in curves.items() if not x.side}
    fewest = {min(x.units): name for name, x in reversed(curves.items()) if x.units}
    texts, notes = {name: notes_on_rows(x) for name, x in curves.items()}, []
    for text in dict.fromkeys(chain(*texts.values())):
        names = [name for name in curves if text in texts[name]]
        notes += [text] if len(names) == len(curves) else [f"{name}: {text}" for name in names]
    if fewest:
        name = fewest[min(fewest)]
        start = f"{name}: " if len(curves) > 1 else ""
        notes += [start + text for text in _of_number(replace(curves[name], swapped=False))]
    return notes


def notes_on_rows(origin: Provenance) -> list[str]:
    """Return the notes on rows that repeat, on copies, dependence, codes and large samples."""
    takes_weights = getattr(METHODS.get(origin.method or "auto"), "takes_weights", False)
    return [*row_notes(origin, takes_weights=takes_weights), *large_notes(origin)]


def _of_number(origin: Provenance) -> list[str]:
    """Return the notes on the number of independent samples, and of "auto" on equal sets."""
    sizes, notes = origin.units, number_notes(origin)
    if sizes is None:
        return notes
    # If rows count as unlike the other set, the sets are not equal.
    is_comparable = origin.method == "auto" and not (origin.smoothing or any(origin.far))
    if min(sizes) < FEW and is_comparable:
        least = np.interp(np.log(min(sizes)), np.log(_SIZES), _EQUAL_AREAS)
        notes.append(
            f"Equal sets of these sizes have an area of {least:.2f} to 1 in 19 of 20 draws; "
            "prfast.two_sample_test, or prfast test, decides whether a difference could be chance."
        )
    return notes


def uneven_notes(
    sizes: Mapping[str, int | None], metrics: Iterable[str], *, has_curves: bool = True
) -> list[str]:
    """Return the note on models whose numbers of generated samples differ, beside these metrics and
    curves, if any depends on the number."""
    numbers = {name: size for name, size in sizes.items() if size}
    if len(numbers) < 2 or max(numbers.values()) <= UNEVEN * min(numbers.values()):
        return []
    from prfast.scalars.table import TABLE, depends_on_number  # not for a single curve

    also = [name for name in metrics if name in TABLE and depends_on_number(name)]
    effects = ["curves of fewer samples are higher"] * has_curves
    if also:
        effects.append(f"{listed(also)} depend{'s' * (len(also) == 1)} on that number")
    if not effects:
        return []
    models = shortened([f"{name} ({size})" for name, size in numbers.items()])
    return [
        f"Numbers of generated samples differ, {models}: {', and '.join(effects)}. "
        "Compare as many samples of each model."
    ]


def notes_of_metrics(metrics: Any, table_notes: list[str]) -> list[str]:
    """Return the notes below a table of metrics: on ±, those of the metrics, on few samples."""
    notes = [legend(of_scorer=False)] * bool(metrics.errors) + table_notes
    if metrics.sizes is None:
        return notes
    n, m = metrics.sizes
    origin = Provenance().added(**metrics.info, scored_real=n, scored_fake=m)
    return notes + number_notes(origin)


MOST_NAMED = 300  # columns of arrays, beyond which none is named
UNKNOWN = "The info of this curve names no method."
UNCOUNTED = "no ±: its cells do not count samples (weighted samples, rates, masses alone)"
_MIN_SHARE, _MAX_BASES = 0.1, 3  # share of the score of a base that is named, and bases that are


def method_line(origin: Provenance) -> str:
    """Return a sentence on the method, the samples, the split, and later operations."""
    row = METHODS.get(origin.method or "")
    parts = [f"Method {origin.method}{f', {row.summary}' if row else ''}"]
    if origin.k is not None:
        parts.append(f"k = {origin.k}")
    if origin.n_real is not None and origin.n_fake is not None:
        parts.append(f"{origin.n_real} real and {origin.n_fake} generated samples")
    if origin.has_split and origin.folds is not None:
        parts.append(f"each scored by a fit without it, {origin.folds} folds")
    elif origin.has_split and origin.split is None:
        parts.append("all of them scored")
    elif isinstance(origin.split, float):
        parts.append(f"{1 - origin.split:.3g} of them scored, the rest fitted on")
    elif origin.has_split:
        parts.append("a coin for each pair decides which of the two is scored")
    if origin.smoothing:
        parts.append(f"both sets smoothed{origin.smoothing}")
    if origin.mean_of is not None:
        parts.append(f"the mean of {origin.mean_of} curves")
    if origin.intersection_of is not None:
        parts.append(f"the minimum of {origin.intersection_of} curves")
    if origin.swapped:
        parts.append("real and generated exchanged since")
    return "; ".join(parts) + "."


def explain_curve(curve: PRCurve) -> str:
    origin = curve.provenance
    lines = [f"Caution: {origin.caution}"] if origin.caution else []
    lines += [method_line(origin) if origin.method else UNKNOWN, *notes_of(origin)]
    detected = _detected(curve) if origin.method == "auto" else []  # only "auto" records it
    row = METHODS.get(origin.method or "")
    if row and row.blind:
        detected.append(f"It cannot detect {row.blind}.")
    elif origin.method and not detected:
        detected.append("No record of what it cannot detect; compare with another method.")
    return "\n".join([*lines, *detected])


def explain_bases(weights: Mapping[str, float]) -> str:
    """Return a sentence on the bases that separate the two sets and the differences that they
    detect, the largest share first.  weights: the share of each base in the score, with any sum."""
    from prfast.methods.auto.bases import LIBRARY

    if not (total := sum(weights.values())) > 0:
        return "No base separates the two sets."
    parts: list[str] = []
    for name, weight in sorted(weights.items(), key=lambda item: -item[1])[:_MAX_BASES]:
        if weight / total >= _MIN_SHARE or not parts:
            words = getattr(LIBRARY.get(name), "difference", "another base")
            parts.append(f"{name} ({weight / total:.0%}): {words}")
    is_most = max(weights.values()) / total >= 0.5
    return f"{'Mostly' if is_most else 'By several bases:'} {'; '.join(parts)}."


def _detected(curve: PRCurve) -> list[str]:
    """Return sentences on what separates the sets, if that is recorded."""
    from prfast.methods.auto.readout import MIN_EVIDENCE

    origin = curve.provenance
    if origin.shrunk is not None:
        evidence = (origin.evidence or 0.0) + 0.0  # + 0.0 turns −0.0 into 0.0
        few = "there are too few samples to tell whether the sets differ"
        found = few if min(origin.units or (FEW,)) < FEW else "no difference was found"
        start = "apart from the rows that count as unlike, " * any(origin.far)
        return [
            f"{(start + found).capitalize()} (held-out samples: a log-likelihood ratio of "
            f"{evidence:.1f}, below {MIN_EVIDENCE:g}); the curve is drawn {1.0 - origin.shrunk:.0%}"
            " of the way to that of equal distributions, and the ± covers both."
        ]
    if origin.covered is not None and not origin.swapped and curve.fidelity >= ALIKE:
        return ["Beside repetition, nothing separated the two."]
    if origin.weights is None:
        return []
    lines = [explain_bases(origin.weights)] if curve.area < ALIKE else []
    missed, least = "Real samples that are missed most", "Generated samples least like real ones"
    for text, rows in ((missed, origin.missed), (least, origin.least_real)):
        if rows:
            lines.append(f"{text}: row{'s' * (len(rows) > 1)} {', '.join(map(str, rows))}.")
    # `prfast.explain` takes arrays whose columns are no features.
    is_refused = origin.swapped or origin.smoothing or origin.weighted or origin.features
    if curve.area < ALIKE and not is_refused and 0 < (origin.n_features or 0) <= MOST_NAMED:
        lines.append("prfast.explain, or prfast test, names the columns that differ.")
    return lines


def display_curve(curve: PRCurve) -> Display:
    origin = curve.provenance
    name, title = "PRCurve", "PR curve"
    if origin.method:
        name = curve_name(origin.method, origin.k)
        title += f" of {name}{origin.smoothing}"
    if origin.side:
        title += f", {origin.side} bound"
        if origin.confidence is not None:
            title += f" at {100 * origin.confidence:g} % confidence"
    errors, rows = half_widths(curve), rows_of_table("repr")
    meaning = legend() if errors else UNCOUNTED
    notes = [] if origin.side else [*notes_of(origin), meaning]
    above = {*notes, f"Caution: {origin.caution}"}
    return Display(
        name,
        [[row.title, value_and_error(row.value(curve), errors.get(row.key))] for row in rows],
        notes=notes,
        cautions=[origin.caution] if origin.caution else [],
        picture=partial(picture_of, {name: curve}),
        summary=method_line(origin) if origin.method and not origin.side else "",
        details=[line for line in explain_curve(curve).splitlines() if line not in above],
        title=title,
    )


def half_widths(curve: PRCurve) -> dict[str, float]:
    """Return the half widths of the intervals of a curve by the keys of their numbers."""
    return {key: interval.half_width for key, interval in intervals_of_table(curve).items()}


def picture_of(curves: Mapping[str, PRCurve]) -> str:
    """Return HTML of PR curves in a plot, with a legend if there are several."""
    lines = [curve.outline() for curve in curves.values()]
    areas = ", ".join(f"{name}: area {curve.area:.3f}" for name, curve in curves.items())
    svg = picture(lines, f"Precision against recall. {areas}")
    if len(curves) == 1:
        return svg
    names = (f"<li>{key(i)} {escaped(name)}</li>" for i, name in enumerate(curves))
    return f"<div>{svg}<ul>{''.join(names)}</ul></div>"
