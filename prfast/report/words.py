"""Words of a report: differences between models, what to check of each model, and cautions.

- Every model is compared with the one of the largest area by fidelity, diversity and area, as by
  `Comparison.differences`.  Where the cells of a curve do not count samples, none are compared.
- A model whose samples equal real ones is not compared with others: its numbers cannot tell copying
  from skill (`Provenance.copies`).
- What all models share is said once, and a note of one model stands in its row.

Cautions are on numbers of samples, methods, splits, and metrics that order models otherwise than
the curves do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from prfast.comparison.pairs import CurveDifferences, Difference
from prfast.comparison.results import Evaluation
from prfast.curve import PRCurve
from prfast.curve.summary import area, diversity, f_1_8, f_8, fidelity, row_of
from prfast.estimate.intervals import DRAWS
from prfast.estimate.notes import uneven_notes
from prfast.results.values import shortened, value_and_error

COPIES = 0.2  # authenticity below which there is a caution; that of equal laws is 1/3 or more
OPPOSED = {"recall": f_8, "precision": f_1_8}  # metrics, and the numbers that should order alike
COMPARED = (fidelity, diversity, area)  # numbers by which models are compared
_SHORTEST, _OPENING = 10, 100  # characters of the part of a note that is not folded


class Note(NamedTuple):
    """A sentence: its opening, which is always shown, and an explanation, which is folded."""

    opening: str
    explanation: str = ""
    is_caution: bool = False


class Versus(NamedTuple):
    """The difference of a number of a model and that of the best one."""

    text: str
    verdict: str


class Differing(NamedTuple):
    """The table of differences; names of models are not escaped."""

    best: str
    numbers: list[str]
    rows: dict[str, list[Versus]]
    rule: Note


def compare(differences: CurveDifferences) -> tuple[Differing | None, str]:
    """Return the differences from the model with the largest area, None where no models are
    compared, and why models are left out, "" if none are."""
    names, curves = differences.names, differences.curves
    if len(names) == 1:
        return None, ""
    if differences.unknown is not None:
        return None, (
            f"No models are compared: the cells of the curve of {differences.unknown} do not count "
            "samples, so which differences sampling explains is not known."
        )
    copied = [i for i, curve in enumerate(curves) if curve.provenance.copies]
    which = shortened([names[i] for i in copied]) if copied else ""
    left_out = f"Not compared, as samples equal real ones: {which}." if copied else ""
    order = sorted(set(range(len(names))) - {*copied}, key=lambda i: -curves[i].area)
    if len(order) < 2:
        return None, left_out
    best, *others = (names[i] for i in order)
    rows: dict[str, list[Versus]] = {name: [] for name in others}
    for number in COMPARED:
        for one in differences.of(number):
            if best in (one.model, one.other) and {one.model, one.other} <= {best, *others}:
                sign = -1 if one.model == best else 1
                value = sign * one.value
                verdict = "not told apart"
                if one.clear:
                    verdict = "higher" if value > 0 else "lower"
                text = value_and_error(value, one.half_width, "+.3f").replace("-", "−")
                rows[one.other if sign < 0 else one.model].append(Versus(text, verdict))
    sampled = (
        "resamples the real samples, which models share, once for all"
        if differences.paired
        else "takes the models' samples as independent"
    )
    rule = (
        "A difference counts if it is larger than its ±: it holds for all pairs of models at once "
        f"at a level of {differences.confidence:g}, and comes from {DRAWS} bootstrap samples of "
        f"the scores; the bootstrap keeps the scorer and {sampled}."
    )
    titles = [row_of(one).title for one in COMPARED]
    return Differing(best, titles, rows, folded(rule)), left_out


# ---- notes on models -----------------------------------------------------------------------------


def check(
    models: Mapping[str, Evaluation], given: Sequence[str] = ()
) -> tuple[list[list[Note]], list[str]]:
    """Return the notes of each model, and the sentences that hold for all.

    given: sentences on the samples; one that begins with the name of a model and a colon belongs to
    it.
    """
    general = [text for text in given if not any(text.startswith(f"{name}: ") for name in models)]
    of_each = []
    for name, one in models.items():
        own = [text.removeprefix(f"{name}: ") for text in given if text.startswith(f"{name}: ")]
        of_each.append([*own, *one.notes()])
    shared = [
        text
        for text in dict.fromkeys(text for texts in of_each for text in texts)
        if len(models) > 1 and all(text in texts for texts in of_each)
    ]
    notes, explained = [], set[str]()
    for texts, one in zip(of_each, models.values(), strict=True):
        cautions = one.cautions()
        texts = [*cautions, *(text for text in texts if text not in shared), *_near_copies(one)]
        sentences = dict.fromkeys([*texts, *one.sentences()])
        of_model = [folded(text, text in texts) for text in sentences]
        # An explanation stands once on the page.
        notes.append([x._replace(explanation="") if x[1] in explained else x for x in of_model])
        explained |= {x.explanation for x in of_model}
    return notes, [*shared, *general]


def folded(text: str, is_caution: bool = False) -> Note:
    """Return a sentence divided at its first colon, if what is before it can stand alone."""
    opening, _, rest = text.partition(": ")
    if len(opening) < _SHORTEST:
        opening, _, rest = text.partition("; ")
    if not rest or "(" in opening or len(opening) > _OPENING:
        opening, stop, rest = text.partition(". ")
        opening += stop.strip()
    if not rest or len(text) <= _OPENING // 2:
        return Note(text, is_caution=is_caution)
    return Note(opening, rest[0].upper() + rest[1:], is_caution)


def _near_copies(one: Evaluation) -> list[str]:
    """Return a caution where the authenticity indicates copies."""
    value = one.get("authenticity", 1.0)
    if not value < COPIES:
        return []
    return [
        f"Authenticity {value:.2f}: most of its samples are copies of real ones, or nearer to one "
        "than that is to any other real one. A model that is too narrow has such samples as well."
    ]


# ---- cautions ------------------------------------------------------------------------------------


def cautions(names: Sequence[str], curves: Sequence[PRCurve]) -> list[str]:
    """Return cautions on the numbers of samples, methods and splits of curves."""
    provenances = [curve.provenance for curve in curves]
    lines = []
    reals = [origin.n_real for origin in provenances if origin.n_real is not None]
    fakes = [one.n_fake for one in provenances if one.n_fake is not None]
    lines += uneven_notes(
        {name: one.n_fake for name, one in zip(names, provenances, strict=True)}, ()
    )
    if reals and fakes and max(reals + fakes) > 2 * min(reals + fakes):
        lines.append(
            "The largest set has more than twice the samples of the smallest: the metrics of "
            "nearest neighbors depend on both sizes, and are best compared at equal ones."
        )
    if len({(one.method, one.k, one.split) for one in provenances}) > 1:
        lines.append(
            "The curves were not estimated in one way: method, k or split differ, and differences "
            "are not those of the models alone."
        )
    scored = [one for one in provenances if one.method != "kmeans"]  # by a scorer
    if len(scored) < len(provenances):
        lines.append(
            "Cells of k-means hide differences inside a cell: the curve can lie on either side "
            "of the true one."
        )
    if any(one.held_out is False for one in scored):
        lines.append(
            "Samples were scored by a scorer that was fitted to them, without a split: the curve "
            "can fall below the true one."
        )
    if any(one.split is not None for one in provenances):
        lines.append(
            "A scorer on held-out samples gives a curve above the true one, up to sampling: what "
            "it misses may be missing still."
        )
    return lines


def metric_cautions(
    differences: CurveDifferences, metric_differences: Mapping[str, Sequence[Difference]]
) -> list[str]:
    """Return cautions on metrics that order models clearly otherwise than the curves do."""
    lines = []
    for key, by_metric in metric_differences.items():
        if differences.unknown is not None:
            continue
        title = row_of(OPPOSED[key]).title
        pairs = [
            (one.model, one.other) if one.value > 0 else (one.other, one.model)
            for one, by_curve in zip(by_metric, differences.of(OPPOSED[key]), strict=True)
            if one.clear and by_curve.clear and one.value * by_curve.value < 0
        ]
        if pairs:
            higher, lower = pairs[0]
            more = "" if len(pairs) < 2 else f" So it is of {len(pairs)} pairs of models."
            lines.append(
                f"The metric {key} is higher for {higher} than for {lower}, {title} of the "
                f"curves is lower: the two order these models in opposite ways.{more}"
            )
    return lines
