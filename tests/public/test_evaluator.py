"""Evaluator: what independent calls give, from a reference that is prepared once."""

import hostile
import numpy as np
import pytest
from helpers import same, unwrapped
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refusals

import prfast
from prfast.comparison.evaluator import Evaluator

RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(260, 5)).astype(np.float32)
MODELS = {
    "a": (0.8 * RNG.normal(size=(200, 5))).astype(np.float32),
    "b": (RNG.normal(size=(310, 5)) + 0.5).astype(np.float32),
}
ALL = ("knn", "ipr", "parzen", "coverage")


@pytest.mark.filterwarnings("ignore::prfast.Contradiction")
@given(
    hostile.point_sets(sizes=(24, 60), count=3),
    st.sampled_from([0.5, 0.3, None]),
    st.sampled_from(["closed", "open"]),
    st.booleans(),
    st.sampled_from(["exact", "tree"]),
)
@settings(max_examples=12)
def test_results_are_those_of_independent_calls(sets, split, ties, count_self, backend):
    """Every method and several k are evaluated again and again, whatever is cached."""
    real, *fakes = hostile.native(sets)
    options = {"split": split, "ties": ties, "count_self": count_self, "backend": backend}
    evaluator = Evaluator(real, ALL, (1, 2), **options, metrics_k=2)
    for fake in (*fakes, fakes[0]):
        expected = prfast.pr_curves(real, fake, ALL, (1, 2), **options)
        same(evaluator.evaluate(fake).curves, expected)
        metrics = prfast.metrics(real, fake, 2, ties=ties, backend=backend)
        assert dict(evaluator.metrics(fake)) == dict(metrics)


def test_the_reference_is_not_copied_where_its_rows_are_contiguous():
    """A change in place is detected; a copy, of another order of memory, stays as it was."""
    rows, columns = REAL.copy(), np.asfortranarray(REAL)
    seen, copied = Evaluator(rows, "knn"), Evaluator(columns, "knn")
    rows *= 2
    columns *= 2
    with pytest.raises(ValueError, match="real: has changed"):
        seen.evaluate(MODELS["a"])
    assert copied.evaluate(MODELS["a"]) == Evaluator(REAL, "knn").evaluate(MODELS["a"])


@pytest.mark.filterwarnings("ignore::prfast.Contradiction")  # of ipr, of sets 1e60 apart
def test_a_set_beyond_the_range_of_squares_does_not_disturb_what_is_kept():
    """All is scaled for it: the reference is another one for that call."""
    real, a, b = (1e100 * x.astype(np.float64) for x in (REAL, MODELS["a"], MODELS["b"]))
    evaluator = Evaluator(real, ALL, 3)
    for fake in (a, 1e60 * a, b):
        same(evaluator.evaluate(fake).curves, prfast.pr_curves(real, fake, ALL, 3))
        assert dict(evaluator.metrics(fake)) == dict(prfast.metrics(real, fake))


@pytest.mark.parametrize("row", [0, -1])
def test_one_number_of_a_reference_is_enough(row):
    real = REAL.copy()
    evaluator = Evaluator(real)
    real[row, -1] += 1
    with pytest.raises(ValueError, match="real: has changed since the evaluator was constructed"):
        evaluator.metrics(MODELS["a"])


def test_a_reference_that_does_not_fit_in_memory_is_not_kept():
    real = np.random.default_rng(1).normal(size=(9000, 3)).astype(np.float32)
    evaluator = Evaluator(real, "knn", k=5, memory=1_000_000)
    expected = prfast.pr_curve(real, MODELS["a"][:, :3], "knn", k=5)
    for _ in range(2):
        assert evaluator.evaluate(MODELS["a"][:, :3]).curve == expected


def test_compare_gives_curves_and_metrics_of_each_and_prints_a_table():
    result = Evaluator(REAL, "knn", 5, which=["precision", "recall"]).compare(MODELS)
    assert list(result) == ["a", "b"]
    assert result["a"].curve == prfast.pr_curve(REAL, MODELS["a"], "knn", 5)
    assert result["b"]["recall"] == prfast.metrics(REAL, MODELS["b"], which="recall")["recall"]
    lines = unwrapped(str(result)).splitlines()
    for line, (name, evaluation) in zip(lines[5:7], result.items(), strict=True):
        assert line.split() == [name, *(f"{value:.4f}" for value in evaluation.values())]
    assert repr(result) == "Comparison of a, b"
    interval = result["a"].curve.interval("area")
    assert result.rows(0.95)[0]["knn k=5: area ±"] == interval.half_width
    axes = result.plot()
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["a", "b"]


FEW = REAL[:6, :2]

test_bad_arguments_are_named = refusals("""
Evaluator(REAL, [len, "kmeans", len])
    ValueError: methods: methods of different names expected, got two 'len'
Evaluator(w_real=np.ones(9))
    ValueError: real: samples expected, got None
Evaluator(groups=np.arange(9))
    ValueError: real: samples expected, got None
Evaluator(REAL, metrics_k=260)
    ValueError: metrics_k: from 1 to 259 expected
Evaluator(REAL, metrics_k=150, halvings=2)
    ValueError: halvings: halves of 260 and 260 samples: k: from 1 to 129 expected
Evaluator(FEW, which="all")
    ValueError: which: metrics for which there are enough samples expected; cover_k × cover_factor
Evaluator(REAL).evaluate(REAL[:1])
    ValueError: fake: at least 2 samples expected, got 1
Evaluator(REAL).compare({"a": REAL, "b": REAL[:, :2]})
    ValueError: models['b']: real and fake: the same number of features expected, got 5 and 2
""")
