"""Sentences about curves and metrics: what ± means, how a curve was made, what its method detected
and cannot detect, and notes on few, weighted, repeated and copied samples.

`profile_notes` has those on profiles.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from prfast.curve import PRCurve, Provenance
from prfast.curve.provenance import COPIED, Sizes
from prfast.curve.summary import ALIKE, LEVEL
from prfast.methods.table import METHODS
from prfast.results.values import shortened
from prfast.samples.pair import Pair
from prfast.samples.repetition import DISTINCT


def legend(*, of_scorer: bool = True) -> str:
    """Return the line below every table that has a ±.

    of_scorer: whether the table has numbers of curves, whose ± is conditional on the scorer.
    """
    sampling = f"± is the half width of a {100 * LEVEL:g} % interval for other samples"
    missed = "the curve is an upper limit as far as the scorer misses differences"
    return f"{sampling}, given the scorer; {missed}" if of_scorer else sampling


# ---- few, weighted, repeated and copied samples --------------------------------------------------

FEW = 200  # samples of either set, below which every number has a note
FEW_WEIGHTED = 100  # effective size of weighted generated samples, below which F8 has a note
ROUGH = "numbers are rough, and small modes cannot be seen"
# By samples of the smaller set, the area that 95 % of equal sets exceed, the least of eight kinds
# in 1 to 512 dimensions, 300 draws or fewer: up to 5 samples any area occurs.
EQUAL_AREAS = ((5, 0.0), (6, 0.49), (20, 0.53), (30, 0.61), (50, 0.78), (100, 0.85), (200, 0.95))


def notes_of(origin: Provenance) -> list[str]:
    """Return the notes on a curve, a sentence each; a bound has none, as it accounts for the number
    of samples itself."""
    if origin.side:
        return _equal_rows(origin)
    return [*_heavy(origin), *_design_note(origin), *_few(origin), *_equal_rows(origin)]


def notes_of_several(curves: Mapping[str, Provenance]) -> list[str]:
    """Return the notes on the curve with the fewest samples, and those on equal rows of all curves.

    Notes name their curves; one on equal rows that all curves share appears once, without names.
    """
    notes = _fewest_samples(curves)
    of_each = {name: [*_heavy(origin), *_equal_rows(origin)] for name, origin in curves.items()}
    for text in dict.fromkeys(text for notes in of_each.values() for text in notes):
        names = [name for name, notes in of_each.items() if text in notes]
        notes += [text] if len(names) == len(curves) else [f"{name}: {text}" for name in names]
    return notes


def _design_note(origin: Provenance) -> list[str]:
    """Return the notes on weights and groups: the effective sizes, and a set without groups."""
    is_equal = not (origin.weighted or origin.groups)
    if is_equal or origin.scored is None or origin.units is None:
        return []
    sides = ("generated", "real") if origin.swapped else ("real", "generated")
    sizes = zip(origin.units, origin.scored, sides, strict=True)
    groups = origin.groups[::-1] if origin.groups and origin.swapped else origin.groups
    text = " and ".join(f"{units} of {size} {side}" for units, size, side in sizes)
    of_groups = f"; {groups[0]} {sides[0]} and {groups[1]} {sides[1]} groups" if groups else ""
    notes = [f"Effective sample size {text}{of_groups}."]
    if "fake" in origin.weighted and origin.units[1] < FEW_WEIGHTED and not origin.swapped:
        notes.append(
            f"With an effective size of generated samples below {FEW_WEIGHTED} the ± of F8 is too "
            "small: it held in 4 of 5 draws."
        )
    alone = [few == size for few, size in zip(groups or (), origin.scored, strict=False)]
    if any(alone) and not all(alone):
        notes.append(
            f"Each {sides[alone.index(True)]} sample is a group by itself: give the groups of both "
            "sets where samples depend on each other."
        )
    return notes


def _heavy(origin: Provenance) -> list[str]:
    """Return the notes on samples that one fold has alone, a sentence for each set."""
    if origin.side:
        return []
    sides = ("generated", "real") if origin.swapped else ("real", "generated")
    what = ["of large weight"] * bool(origin.weighted) + ["of large groups"] * bool(origin.groups)
    kind = f"single samples {' or '.join(what)}" if what else "rows that repeat"
    notes = []
    for own, other, far, single in zip(sides, sides[::-1], origin.far, origin.single, strict=True):
        if far > 0:
            notes.append(
                f"{far:.1%} of the {own} set are {kind}, farther out than the {other} samples are "
                "from each other, and count as unlike them."
            )
        if single > 0:
            doubt = "look real" if own == "generated" else "are among the generated"
            notes.append(
                f"{single:.1%} of the {own} set are {kind}: whether they {doubt} is judged by "
                "single observations, and ± includes that they do not."
            )
    return notes


def cause_of_few(weighted: Any, groups: Any) -> str:
    """Return why the independent units are fewer than the samples."""
    causes = ["of their weights"] * bool(weighted) + ["of groups"] * bool(groups)
    return f"because {' and '.join(causes)}" if causes else "as rows repeat"


def few_note(
    sizes: Sizes | None, units: Sizes | None = None, cause: str = "as rows repeat"
) -> list[str]:
    """Return the note on few samples: one sentence, or none from FEW samples of each set on.

    This is the common rule for curves, with the numbers of scored samples, and for metrics, with
    those of all samples.  Where rows repeat, the independent units count.
    """
    if sizes is None or min(units or sizes) >= FEW:
        return []
    if units in (None, sizes):
        sentence = f"Few samples, {sizes[0]} real and {sizes[1]} generated"
    else:
        sentence = (
            f"Few independent samples, {units[0]} of {sizes[0]} real and {units[1]} of {sizes[1]} "
            f"generated, {cause}"
        )
    return [f"{sentence}: with fewer than {FEW} of either {ROUGH}."]


def _few(origin: Provenance) -> list[str]:
    """Return the notes on few samples; of "auto" also what equal sets of these sizes would read."""
    sizes = origin.units
    notes = few_note(origin.scored, origin.units, cause_of_few(origin.weighted, origin.groups))
    # Where rows count as unlike the other set, the sets are not equal.
    if notes and sizes and origin.method == "auto" and not (origin.resolution or any(origin.far)):
        sizes_of_table, areas = zip(*EQUAL_AREAS, strict=True)
        least = np.interp(np.log(min(sizes)), np.log(sizes_of_table), areas)
        notes.append(
            f"Equal sets of these sizes read an area of {least:.2f} to 1 in 19 of 20 draws; "
            "prfast.two_sample_test says whether a difference could be chance."
        )
    return notes


def repeated_note(distinct: int, size: int, name: str, *, covers: bool = False) -> list[str]:
    """Return the note on repeated rows: one sentence, or none up to a share COPIED of them.

    name: "real" or "generated"; covers: whether the recall is that of the distinct samples alone,
    as with "auto".
    """
    if size - distinct <= COPIED * size:
        return []
    be, cover = ("is", "sample covers") if distinct == 1 else ("are", "samples cover")
    counts = f": recall counts what {distinct} {cover}" if covers else ""
    return [f"Only {distinct} of the {size} {name} samples {be} distinct{counts}."]


def copied_note(copied: int, size: int, name: str = "generated", *, discrete: bool) -> list[str]:
    """Return the note on generated samples that equal a real one: one sentence, or none up to a
    share COPIED of them.

    name: the set of the copies; discrete: whether many real samples equal each other.
    """
    if copied <= COPIED * size:
        return []
    other = "real" if name == "generated" else "generated"
    sentence = f"{copied} of {size} {name} samples equal a {other} one, to the last bit"
    if discrete:
        return [
            f"{sentence}; as real samples repeat as well, these need not be copies, unless values "
            "are continuous."
        ]
    return [
        f"{sentence}: the numbers cannot tell copying from skill; compare with real samples that "
        "were not used for training."
    ]


def _fewest_samples(curves: Mapping[str, Provenance]) -> list[str]:
    """Return the note on the curve with the fewest samples, named where there are several."""
    known = {name: one.units for name, one in curves.items() if one.units and not one.side}
    if not known:
        return []
    name = min(known, key=lambda one: min(known[one]))
    return [
        f"{name}: {text}" if len(curves) > 1 else text
        for text in (*_design_note(curves[name]), *_few(curves[name]))
    ]


def _equal_rows(origin: Provenance) -> list[str]:
    if origin.side:
        return []
    names = ("generated", "real") if origin.swapped else ("real", "generated")
    notes = []
    for name, few, size in zip(names, origin.distinct or (), origin.sizes, strict=False):
        if size is not None:
            notes += repeated_note(
                few, size, name, covers=origin.covered is not None and name == "generated"
            )
    if origin.copied is not None and origin.sizes[1] is not None:
        notes += copied_note(origin.copied, origin.sizes[1], names[1], discrete=origin.discrete)
    return notes


def one_grouped(pair: Pair) -> str:
    """Return a caution where one set alone has labels of groups, or ""."""
    alone = [samples.labels is None for samples in pair.sets]
    if all(alone) or not any(alone):
        return ""
    single, grouped = ("real", "generated") if alone[0] else ("generated", "real")
    return (
        f"The {grouped} samples are in groups and each {single} one is by itself: if {single} "
        "samples depend on each other as well, give their groups."
    )


def repeats(pair: Pair) -> str:
    """Return a sentence on rows that repeat where those of a continuous distribution do not."""
    equal, sizes = pair.repetition, pair.sizes
    distinct = [len(one) for one in equal.counts]
    if equal.copied and not equal.discrete:
        return (
            f"{equal.copied} of {sizes[1]} generated samples equal a real one. If they are copies, "
            "the sets are not independent: test against real samples that they were not made from. "
            "Values that are equal by chance are no problem; do not leave them out."
        )
    if equal.discrete or all(x >= DISTINCT * n for x, n in zip(distinct, sizes, strict=True)):
        return ""
    return (
        f"Rows repeat: {distinct[0]} of {sizes[0]} real and {distinct[1]} of {sizes[1]} generated "
        "ones are distinct. If they are copies and no independent samples, the p-value is too "
        "small: pass groups=, or one of each."
    )


def notes_of_metrics(metrics: Any, of_rows: list[str]) -> list[str]:
    """Return the notes below a table of metrics: the meaning of ±, of metrics, and on few samples.

    of_rows: the notes of the metrics.
    """
    of_errors = [legend(of_scorer=False)] if metrics.errors else []
    of_weights: list[str] = []
    units = metrics.info.get("effective_size")
    if units is not None and metrics.sizes is not None:
        (a, b), (n, m) = units, metrics.sizes
        of_weights = [f"Effective sample size {a} of {n} real and {b} of {m} generated."]
    cause = cause_of_few(metrics.info.get("weighted"), metrics.info.get("groups"))
    return [*of_errors, *of_rows, *of_weights, *few_note(metrics.sizes, units, cause)]


# ---- method, detected differences, limits --------------------------------------------------------

MOST_NAMED = 300  # columns of arrays, beyond which none is named
UNKNOWN = "What made this curve is not known: its info names no method."
UNCOUNTED = "no ±: its cells do not count samples (weighted samples, rates, masses alone)"
FAR = 0.5  # area at full resolution, below which the note on resolutions is shown
FULL_RESOLUTION = (
    "This is at full resolution, where differences of detail count in full; prfast.profile says at "
    "which resolution they vanish, and what remains."
)


def explain_curve(curve: PRCurve) -> str:
    """Return what `PRCurve.explain` returns, a sentence a line."""
    origin = curve.provenance
    lines = [f"Caution: {origin.caution}"] if origin.caution else []
    lines += [method_line(origin) if origin.method else UNKNOWN, *notes_of(origin)]
    return "\n".join([*lines, *_detected(curve)] if origin.method else lines)


def method_line(origin: Provenance) -> str:
    """Return a sentence on the method, the numbers of samples, the split, and later operations."""
    row = METHODS.get(origin.method or "")
    parts = [f"Method {origin.method}{f', {row.summary}' if row else ''}"]
    if origin.k is not None:
        parts.append(f"k = {origin.k}")
    if origin.n_real is not None and origin.n_fake is not None:
        parts.append(f"{origin.n_real} real and {origin.n_fake} generated samples")
    if origin.has_split:
        parts.append(_split(origin))
    if origin.resolution:
        parts.append(f"both sets smoothed at resolution {origin.resolution:g}")
    if origin.mean_of is not None:
        parts.append(f"the mean of {origin.mean_of} curves")
    if origin.intersection_of is not None:
        parts.append(f"the minimum of {origin.intersection_of} curves")
    if origin.swapped:
        parts.append("real and generated exchanged since")
    return "; ".join(parts) + "."


def _split(origin: Provenance) -> str:
    """Return which samples were scored, in words."""
    if origin.folds is not None:
        return f"each scored by a fit that has not seen it, {origin.folds} folds"
    if origin.split is None:
        return "all of them scored"
    if isinstance(origin.split, float):
        return f"{1 - origin.split:.3g} of them scored, the rest fitted on"
    return "a coin for each pair says which of the two is scored"


def _row_sentences(origin: Provenance) -> list[str]:
    """Return sentences on the rows of samples with the most extreme log-ratios."""
    if origin.swapped:
        return []
    words = {
        "Real samples that are missed most": origin.missed,
        "Generated samples least like real ones": origin.least_real,
    }
    return [
        f"{what}: row{'s' if len(rows) > 1 else ''} {', '.join(map(str, rows))}."
        for what, rows in words.items()
        if rows
    ]


def _detected(curve: PRCurve) -> list[str]:
    """Return sentences on what separates the sets, if that is recorded, and on what the method
    cannot detect."""
    origin = curve.provenance
    lines = []
    if origin.method != "auto":
        pass  # only "auto" records it
    elif origin.shrunk is not None:
        lines.append(_shrinkage(origin.shrunk, origin))
    elif origin.covered is not None and curve.fidelity >= ALIKE:
        lines.append("Beside repetition, nothing separated the two.")
    elif origin.weights is not None:
        from prfast.methods.auto.bases import explain_bases

        lines += [explain_bases(origin.weights, curve.area), *_row_sentences(origin)]
        if curve.area < ALIKE and _has_named_columns(origin):
            lines.append("prfast.explain(real, fake) names the columns that differ.")
    row = METHODS.get(origin.method or "")
    blind = row.blind if row else ""
    if blind:
        lines.append(f"It cannot see {blind}.")
    elif not lines:
        lines.append("What it cannot see is not known; compare with another method.")
    return lines


def _has_named_columns(origin: Provenance) -> bool:
    """Return whether `prfast.explain` takes the samples and their columns are no features."""
    is_other = origin.swapped or origin.resolution or origin.weighted or origin.features
    return not is_other and 0 < (origin.n_features or 0) <= MOST_NAMED


def _shrinkage(shrunk: float, origin: Provenance) -> str:
    """Return why the curve was shrunk towards that of equal distributions, and how far."""
    from prfast.methods.auto.readout import MIN_EVIDENCE

    evidence, shift = (origin.evidence or 0.0) + 0.0, 1.0 - shrunk  # + 0.0 turns −0.0 into 0.0
    start = "T" if not any(origin.far) else "Apart from the rows that count as unlike, t"
    of = "the curve" if not any(origin.far) else "the curve of these"
    which = "the sets" if not any(origin.far) else "the others"
    return (
        f"{start}here are too few samples to tell whether {which} differ (held-out samples: a "
        f"log-likelihood ratio of {evidence:.1f}, below {MIN_EVIDENCE:g}); {of} is drawn "
        f"{shift:.0%} of the way to that of equal distributions, and the ± covers both."
    )


def full_resolution(curves: Mapping[str, PRCurve]) -> list[str]:
    """Return the note on curves of "auto" that are low at full resolution, a sentence with their
    names where it is not of all; [] if there are none.  It is for output that shows no profile."""
    names = [name for name, curve in curves.items() if _is_low(curve)]
    if not names:
        return []
    return [("" if len(names) == len(curves) else f"{shortened(names)}: ") + FULL_RESOLUTION]


def _is_low(curve: PRCurve) -> bool:
    origin = curve.provenance
    return origin.method == "auto" and not (origin.resolution or origin.side) and curve.area < FAR
