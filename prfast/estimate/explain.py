"""The columns that differ (`explain`); the text of a curve: its method, the differences that it
shows, and the limits of the method."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from prfast.curve import PRCurve, Provenance
from prfast.curve.picture import key, picture
from prfast.curve.provenance import notes_of
from prfast.curve.summary import ALIKE, LEVEL, legend, rows_of_table
from prfast.estimate.curves import read_call
from prfast.estimate.intervals import has_intervals, several_intervals
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import MEMORY, ProgressOption, RandomState
from prfast.inputs.tables import named
from prfast.methods.base import read_context
from prfast.methods.table import METHODS
from prfast.results.values import Display, Result, curve_name, escaped, shortened, value_and_error
from prfast.samples.pair import Pair

if TYPE_CHECKING:
    from prfast.estimate.attribution import ColumnDifference
    from prfast.estimate.two_sample import TwoSampleTest

_LISTED = 10  # columns and pairs in the table
UNKNOWN = "What made this curve is not known: its info names no method."


class Explanation(Result):
    """The columns that differ, the total variation that each shows, and the test of the others.

    ``test``: the two-sample test of all columns; ``rest``: that of the columns which no clear
    difference names, None where there is none, or all are named.
    """

    def __init__(self, test: TwoSampleTest, rest: TwoSampleTest | None) -> None:
        self.test, self.rest = test, rest

    @property
    def columns(self) -> list[ColumnDifference]:
        """The differences that are clear, those first that account for others; of equal sets
        none."""
        return [one for one in self.test.attribution if one.is_clear]

    def rows(self) -> list[dict[str, Any]]:
        """Return a record for each column and pair of columns, as in `test.attribution`: `columns`,
        the total variation `value` that it shows by itself, `half_width`, `words`, `is_clear`, and
        `along`, the column that accounts for it."""
        from prfast.estimate.attribution import column_rows

        records = column_rows(self.test.attribution)
        return [one | {"columns": " × ".join(one["columns"])} for one in records]

    def sentences(self) -> list[str]:
        """Return what the test says, in words, and what the columns without a clear difference
        do."""
        lines = self.test.sentences()
        if self.columns:
            rest = "none remains." if self.rest is None else self.rest.sentences()[0]
            lines.append(f"Without these columns: {rest}")
        elif (
            self.test.rejects
            and not self.test.repeated
            and not any(one.startswith("No single column") for one in lines)
        ):
            lines.append("No column or pair differs clearly by itself, with so many samples.")
        return lines

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON: ``test`` and ``rest``, or None, as
        `TwoSampleTest.to_dict` returns them, whose ``attribution`` has the columns."""
        return {
            "test": self.test.to_dict(),
            "rest": None if self.rest is None else self.rest.to_dict(),
        }

    def _display(self) -> Display:
        lines = [
            [
                one.name,
                value_and_error(one.value, one.half_width),
                one.words,
                one.along,
            ]
            for one in self.columns[:_LISTED]
        ]
        head = ["column or pair", "total variation", "what differs most", "along with"]
        if not any(line[3] for line in lines):
            head, lines = head[:3], [line[:3] for line in lines]
        return Display(
            "Columns that differ",
            lines,
            head,
            notes=self.sentences(),
            cautions=[self.test.caution] if self.test.caution else [],
            words=(2, 3),
        )

    def __repr__(self) -> str:
        names = ", ".join(one.name for one in self.columns[:_LISTED])
        return f"Explanation(p={self.test.p_value:.3g}, columns: {names or 'none'})"


def explain(
    real: Any,
    fake: Any,
    *,
    level: float = 0.05,
    groups: tuple[Any, Any] | None = None,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: ProgressOption = None,
) -> Explanation:
    """Return which columns, and pairs of columns, tell real and generated samples apart.

    Parameters
    ----------
    real, fake : array or table, shapes (n, d) and (m, d)
        Independent samples, or `groups` of them, at least 10 each; d is at most 300.  Tables of
        mixed cells are for `prfast.compare_tables`.
    level, groups, random_state, n_jobs, memory, progress
        As for `prfast.two_sample_test`.

    Returns
    -------
    Explanation
        `columns`, the differences that are clear, and `rows`, all of them; ``test`` of all columns
        and ``rest``, the test of the columns that no clear difference names.

    Raises
    ------
    TypeError, ValueError
        As `prfast.two_sample_test`; more than 300 columns.

    Notes
    -----
    Nothing is named unless the test of all columns rejects; then any column or pair is named by
    chance with a probability of at most 0.05.  The total variation of a column is a lower bound of
    that of both sets, up to its ±; those of several columns do not add up.  Columns that depend on
    one that differs often differ as well: `along` names the one that accounts for them
    (``prfast.estimate.attribution``).  What three columns do together is in ``test`` alone.
    """
    from prfast.estimate.attribution import MOST_NAMED
    from prfast.estimate.two_sample import test_of

    pair = Pair.read(real, fake, groups=groups)
    context = read_context(random_state, n_jobs, memory, progress)
    run, width = read_call(pair, "auto", None, "auto", {}), pair.width
    if width > MOST_NAMED:
        text = f"at most {MOST_NAMED} columns expected, got {width}; "
        raise WrongValue("real", text + "prfast.two_sample_test takes any number")
    test = test_of(pair, run, context, level)
    names = list(range(width)) if (known := named(pair.names)) is None else known
    differing = {name for one in test.attribution if one.is_clear for name in one.columns}
    others = [i for i, name in enumerate(names) if name not in differing]
    if not differing or not others:
        return Explanation(test, None)
    return Explanation(test, test_of(pair.columns(others), run, context, level))


def explain_curve(curve: PRCurve) -> str:
    """Return what `PRCurve.explain` returns, a sentence a line."""
    origin = curve.provenance
    lines = [f"Caution: {origin.caution}"] if origin.caution else []
    lines += [_method(origin) if origin.method else UNKNOWN, *notes_of(origin)]
    return "\n".join([*lines, *_detected(curve)] if origin.method else lines)


def _method(origin: Provenance) -> str:
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


def column_sentences(curve: PRCurve) -> list[str]:
    """Return a sentence on each column that separates the sets by itself; none for a
    swapped curve."""
    origin = curve.provenance
    if origin.n_features is None or origin.swapped:
        return []
    from prfast.methods.columns import sentences

    return sentences(origin.columns, origin.n_features, curve.total_variation)


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
        lines += [_shrinkage(origin.shrunk, origin), *column_sentences(curve)]
    elif origin.covered is not None and curve.fidelity >= ALIKE:
        lines.append("Beside repetition, nothing separated the two.")
    elif origin.weights is not None:
        columns = column_sentences(curve)
        if curve.area < ALIKE or not columns:
            from prfast.methods.auto.model import explain_bases

            lines.append(explain_bases(origin.weights, curve.area))
        lines += [*columns, *_row_sentences(origin)]
    row = METHODS.get(origin.method or "")
    blind = row.blind if row else ""
    if blind:
        lines.append(f"It cannot see {blind}.")
    elif not lines:
        lines.append("What it cannot see is not known; compare with another method.")
    return lines


def _shrinkage(shrunk: float, origin: Provenance) -> str:
    """Return why the curve was shrunk towards that of equal distributions, and how far."""
    from prfast.methods.auto.calibration import MIN_EVIDENCE

    evidence, shift = (origin.evidence or 0.0) + 0.0, 1.0 - shrunk  # + 0.0 turns −0.0 into 0.0
    start = "T" if not any(origin.far) else "Apart from the rows that count as unlike, t"
    of = "the curve" if not any(origin.far) else "the curve of these"
    which = "the sets" if not any(origin.far) else "the others"
    return (
        f"{start}here are too few samples to tell whether {which} differ (held-out samples: a "
        f"log-likelihood ratio of {evidence:.1f}, below {MIN_EVIDENCE:g}); {of} is drawn "
        f"{shift:.0%} of the way to that of equal distributions, and the ± covers both."
    )


# ---- a curve as text and HTML: numbers with ±, notes, method -------------------------------------


_UNCOUNTED = "no ±: its cells do not count samples (weighted samples, rates, masses alone)"
FAR = 0.5  # area at full resolution, below which the note on resolutions is shown
FULL_RESOLUTION = (
    "This is at full resolution, where differences of detail count in full; prfast.profile says at "
    "which resolution they vanish, and what remains."
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


def display(curve: PRCurve) -> Display:
    """Return a curve as text and HTML show it."""
    origin = curve.provenance
    errors = half_widths(curve)
    notes = notes_of(origin)
    method = _method(origin) if origin.method else ""
    if not origin.side:
        notes = [legend() if errors else _UNCOUNTED, *notes]
        notes += full_resolution({"": curve})
    above = {*notes, f"Caution: {origin.caution}"}
    return Display(
        _name(curve),
        [
            [row.title, value_and_error(row.value(curve), errors.get(row.key))]
            for row in rows_of_table("repr")
        ],
        notes=notes,
        cautions=[origin.caution] if origin.caution else [],
        picture=picture_of({_name(curve): curve}),
        summary=method,
        details=[line for line in explain_curve(curve).splitlines() if line not in above],
        title=_title(curve),
    )


def _title(curve: PRCurve) -> str:
    """Return the first line of a curve as text: its method, and side and level of a bound."""
    origin = curve.provenance
    side = f", {origin.side} bound" if origin.side else ""
    if origin.side and origin.confidence is not None:
        side += f" at {100 * origin.confidence:g} % confidence"
    at = f" at resolution {origin.resolution:g}" if origin.resolution else ""
    return f"PR curve of {_name(curve)}{at}{side}" if origin.method else f"PR curve{side}"


def half_widths(curve: PRCurve) -> dict[str, float]:
    """Return the half widths of the intervals of the numbers, by their keys; none for a curve
    without."""
    if not has_intervals(curve):
        return {}
    rows = rows_of_table("interval")
    intervals = several_intervals(curve, [row.value for row in rows], LEVEL)
    return {row.key: x.half_width for row, x in zip(rows, intervals, strict=True)}


def picture_of(curves: Mapping[str, PRCurve]) -> str:
    """Return HTML of PR curves in one plot, by name; with a legend if there are several."""
    lines = [curve.outline() for curve in curves.values()]
    areas = ", ".join(f"{name}: area {curve.area:.3f}" for name, curve in curves.items())
    svg = picture(lines, f"Precision against recall. {areas}")
    if len(curves) == 1:
        return svg
    names = (f"<li>{key(i)} {escaped(name)}</li>" for i, name in enumerate(curves))
    return f"<div>{svg}<ul>{''.join(names)}</ul></div>"


def _name(curve: PRCurve) -> str:
    origin = curve.provenance
    return curve_name(origin.method, origin.k) if origin.method else "PRCurve"
