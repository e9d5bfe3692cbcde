"""Metrics of both sets as wholes, wherever metrics go: the same numbers, or words where there are
none."""

import numpy as np
import pytest

import prfast
from prfast.scalars.measure import Halves, half_width
from prfast.scalars.table import SET_METRICS

RNG = np.random.default_rng(0)
REAL, FAKE, OTHER = RNG.normal(size=(160, 5)), RNG.normal(size=(120, 5)), RNG.normal(size=(90, 5))
FAKE *= 1.3
NEW = ("authenticity", "clipped_density", "clipped_coverage", *SET_METRICS)


def test_an_evaluator_gives_the_same_bits_for_every_model():
    """The cache of the reference is filled by the first model, and no other reference shares it."""
    evaluator = prfast.Evaluator(REAL, "knn", which=NEW)
    for fake in (FAKE, OTHER, FAKE):
        expected = prfast.metrics(REAL, fake, which=NEW)
        for result in (evaluator.metrics(fake), evaluator.evaluate(fake).metrics):
            assert (result, result.errors) == (expected, expected.errors)
    swapped = prfast.Evaluator(FAKE, "knn", which=NEW)
    assert swapped.metrics(REAL) == prfast.metrics(FAKE, REAL, which=NEW)


def test_what_a_metric_does_not_mean_is_said_below_its_table():
    note = "beta_recall of equal sets is about m / (n + m − 1)"
    names = ("beta_recall", "recall")
    evaluator = prfast.Evaluator(REAL, "knn", which=names)
    for result in (
        prfast.metrics(REAL, FAKE, which=names),
        evaluator.evaluate(FAKE),
        evaluator.compare({"a": FAKE, "b": OTHER}),
    ):
        assert str(result).count(note) == 1
    assert note not in str(prfast.metrics(REAL, FAKE))


def test_an_interval_ends_where_its_metric_does():
    """Two halvings that differ by chance give a ± beyond what a share can be."""
    wide = Halves({"precision": np.array([0.4, 0.5]), "density": np.array([0.4, 0.5])})
    for name, value, most in (("precision", 0.75, 0.75), ("precision", 1.0, 1.0)):
        assert half_width(name, value, {}, wide) == most
    assert half_width("density", 0.75, {}, wide) == wide.half_width("density", 0.95) > 1


def test_among_classes_they_are_refused():
    labels = np.arange(160) % 2, np.arange(120) % 2
    with pytest.raises(
        ValueError,
        match="which: metrics that are means over samples expected, got clipped_density, "
        "clipped_coverage, alpha_precision, beta_recall, ",
    ):
        prfast.by_class(REAL, FAKE, *labels, "knn", which="all")
