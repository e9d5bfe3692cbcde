"""Every number of a curve is a row, and stands in the tables that the row names."""

from refusals import refused

from prfast import PRCurve
from prfast.curve import summary

CURVE = PRCurve.from_masses([3, 2, 1, 0], [0, 2, 3, 1], info={"n_real": 60, "n_fake": 60})


def test_numbers_in_which_less_is_better_are_0_for_equal_distributions():
    equal = PRCurve.from_masses([1, 2], [1, 2])
    for row in summary.ROWS:
        if row.key != "median_lambda":
            assert row.value(equal) == row.larger_is_better
            assert (row.value(CURVE) < row.value(equal)) == row.larger_is_better


def test_a_number_goes_by_its_key_or_title_or_is_a_function():
    assert summary.read_row("number", "f1_8") is summary.f_1_8
    assert summary.read_row("number", len) is len
    keys = ", ".join(row.key for row in summary.ROWS)
    for row in summary.ROWS:
        assert summary.read_row("number", row.title) is row.value
    with refused(ValueError, "number: one of fidelity, diversity, area, overlap, f8, "):
        summary.read_row("number", "F9")
    with refused(
        ValueError,
        f"number: one of {keys}, or a function of a curve expected, "
        "got 'fidelty'; did you mean 'fidelity'?",
    ):
        summary.read_row("number", "fidelty")
    with refused(TypeError, "number: a name or a function of a curve expected, got float"):
        summary.read_row("number", 8.0)
