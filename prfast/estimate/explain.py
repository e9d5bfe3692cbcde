"""The public function `explain`: the columns that differ, by a test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from prfast.estimate.attribution import ColumnDifference, column_rows
from prfast.estimate.notes import MOST_NAMED
from prfast.estimate.two_sample import TwoSampleTest, test_of
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import MEMORY, ProgressOption, RandomState
from prfast.inputs.tables import named
from prfast.methods.base import read_context
from prfast.methods.table import read_run
from prfast.results.values import Display, Result, value_and_error
from prfast.samples.pair import Pair

_LISTED = 10  # columns and pairs in the table
_PARTS = "Percentages are of all rows. Total variations are held-out estimates and may differ."
_ORDER = " Columns along with others, and pairs that have a listed column, come last."


@dataclass(eq=False, repr=False)
class Explanation(Result):
    """The columns that differ, the total variation that each shows, and the test of the others."""

    test: TwoSampleTest
    """The two-sample test of all columns."""
    rest: TwoSampleTest | None
    """That of the columns which no clear difference names, if both kinds of columns exist."""

    @property
    def columns(self) -> list[ColumnDifference]:
        """The differences that are clear, those first that account for others."""
        return [column for column in self.test.attribution if column.is_clear]

    def rows(self) -> list[dict[str, Any]]:
        """Return a record for each difference of `test.attribution`, by the attributes of
        ``ColumnDifference``."""
        records = column_rows(self.test.attribution)
        return [record | {"columns": " × ".join(record["columns"])} for record in records]

    def sentences(self) -> list[str]:
        """Return the result of the test in words, and that of the columns that it does not name."""
        lines = self.test.sentences()
        if self.columns:  # the table lists them
            lines = lines[: 1 + len(self.test.differences)]
            remains = "none remains." if self.rest is None else self.rest.sentences()[0]
            return [*lines, f"Without these columns: {remains}"]
        is_explained = any(text.startswith("No single column") for text in lines)
        if self.test.rejects and not (self.test.found.row or is_explained):
            lines.append("No column or pair differs clearly by itself, with so many samples.")
        return lines

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON: ``test`` and ``rest``, or None, as
        `prfast.estimate.two_sample.TwoSampleTest.to_dict` returns them."""
        return {"test": self.test.to_dict(), "rest": self.rest and self.rest.to_dict()}

    def _display(self) -> Display:
        head = ["column or pair", "total variation", "what differs most", "along with"]
        listed = self.columns[:_LISTED]
        lines = [[x.name, value_and_error(x.value, x.half_width), x.words, x.along] for x in listed]
        values = [x.value for x in listed]
        is_divided = values != sorted(values, reverse=True)
        if not any(line[3] for line in lines):
            head, lines = head[:3], [line[:3] for line in lines]
        return Display(
            "Columns that differ",
            lines,
            head,
            notes=self.sentences() + [_PARTS + _ORDER * is_divided] * bool(listed),
            cautions=[self.test.caution] if self.test.caution else [],
            words=(2, 3),
        )

    def __repr__(self) -> str:
        names = ", ".join(column.name for column in self.columns[:_LISTED])
        return f"Explanation(p={self.test.p_value:.3g}, columns: {names or 'none'})"


def explain(
    real: Any,
    fake: Any,
    *,
    level: float = 0.05,
    groups: tuple[Any, Any] | None = None,
    repeats: str = "missing",
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: ProgressOption = None,
) -> Explanation:
    """Return which columns, and pairs of columns, tell real and generated samples apart.

    Example: ``print(prfast.explain(*prfast.reference.GaussianShift(1).sample(500)))``.
    See also `two_sample_test`.

    Parameters
    ----------
    real, fake : array or table, shapes (n, d) and (m, d)
        Independent samples, or `groups` of them, at least 10 each; d is at most 300.  Tables of
        mixed cells are for `prfast.compare_tables`.
    level, groups, repeats, random_state, n_jobs, memory, progress
        As for `prfast.two_sample_test`.

    Returns
    -------
    Explanation
        `columns`, the differences that are clear, and `rows`, all of them; ``test`` of all columns
        and ``rest``, the test of the columns that no clear difference names.

    Raises
    ------
    TypeError, ValueError
        See `prfast.two_sample_test`; more than 300 columns.

    Notes
    -----
    Nothing is named unless the test of all columns rejects.  Then any column or pair is named by
    chance with a probability of at most 0.05.  The total variation of a column is a lower bound of
    that of both sets, up to its ±.  Columns that depend on one that differs often differ as well:
    `along` names it (``prfast.estimate.attribution``).  A column that others determine, as a sum or
    product, is compared by what they leave of it.
    """
    pair = Pair.read(real, fake, groups=groups, repeats=repeats)
    context = read_context(random_state, n_jobs, memory, progress)
    run, width = read_run("auto"), pair.width
    if width > MOST_NAMED:
        text = f"at most {MOST_NAMED} columns expected, got {width}; "
        raise WrongValue("real", text + "prfast.two_sample_test takes any number")
    test = test_of(pair, run, context, level)
    names = named(pair.names) or range(width)
    differing = {name for column in test.attribution if column.is_clear for name in column.columns}
    left = [i for i, name in enumerate(names) if name not in differing]
    has_rest = bool(differing and left)
    return Explanation(test, test_of(pair.columns(left), run, context, level) if has_rest else None)
