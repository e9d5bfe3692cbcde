"""What wrong arguments, curves made of curves and objects of options say of themselves."""

import numpy as np
import pandas as pd
import pytest
from refusals import refusals
from sklearn.linear_model import LogisticRegression

import prfast
from prfast import PRCurve, compare_tables, pr_curve, profile  # noqa: F401
from prfast.methods import KNN, Noise
from prfast.reference import Gaussians  # noqa: F401
from prfast.theory import margin_loss  # noqa: F401

REAL, FAKE = np.random.default_rng(0).normal(size=(2, 40, 3))
FRAME = pd.DataFrame({"a": REAL[:, 0], "b": REAL[:, 1]})

test_arguments_are_named_with_what_was_expected = refusals("""
pr_curve(REAL, FAKE, groups=np.zeros(40))
    TypeError: groups: two arrays, of the real and the generated labels, expected
pr_curve(REAL, FAKE, groups=(np.zeros(40, int), np.arange(1, 41)))
    ValueError: groups: at least 2 groups of real samples expected, got 1
pr_curve(REAL, FAKE, w_real=np.zeros(40))
    ValueError: w_real: a positive sum expected, got only zeros
pr_curve(REAL, FAKE, n_jobs=1.5)
    TypeError: n_jobs: an integer expected, got
pr_curve(REAL, FAKE, groups=([[1], [1, 2]], np.arange(40)))
    TypeError: groups: integers or strings expected, got a list
pr_curve(REAL, FAKE, groups=(REAL[:, 0], np.arange(40)))
    TypeError: groups: integers or strings expected, got a numpy.ndarray of dtype float64
profile(REAL, FAKE, noise=Noise(np.ones(2)))
    ValueError: noise: a scale of shape (3,) expected, got (2,)
Noise(categories=3)
    TypeError: categories: a sequence expected, got an int
profile(REAL, FAKE, noise=Noise(categories=["a"]))
    ValueError: categories: numbers of columns expected, got 'a'
Gaussians([0.0], [0.0, 1.0])
    ValueError: mean_p and mean_q: 1-D arrays of one length expected, got shapes (1,) and (2,)
Gaussians([0.0], [1.0], np.eye(2))
    ValueError: cov_p: shape (1, 1) expected, got (2, 2)
Gaussians([0.0, 0.0], [1.0, 1.0], [[1.0, 0.5], [0.0, 1.0]])
    ValueError: cov_p: finite symmetric matrices expected
Gaussians([0.0, 0.0], [1.0, 1.0]).log_ratio(REAL)
    ValueError: points: shape (n, 2) expected, got (40, 3)
margin_loss([[0.5, 0.5]], [2])
    ValueError: classes: 1 integers below 2, or scores of these classes, expected
compare_tables(FRAME, FRAME, drop="a")
    TypeError: drop: a sequence of column names expected, got a str
compare_tables(FRAME, FRAME, drop=["a", "b"])
    ValueError: drop: at least one column of real expected to remain, got none
compare_tables(FRAME[[]], FRAME[[]])
    ValueError: real: at least one column expected, got none
""")

VECTORS = {
    "a vector as in row 0 expected, got an int in row 1": [[1.0], 2],
    "a vector of numbers expected in row 0, got nested ones": [[[1.0], [2.0, 3.0]], [1.0]],
    "vectors of at least one number expected, got empty ones": [[], []],
}


@pytest.mark.parametrize("message", VECTORS)
def test_columns_of_vectors_are_of_one_length(message):
    frame = pd.DataFrame({"vectors": VECTORS[message]})
    with pytest.raises((TypeError, ValueError)) as found:
        prfast.metrics(frame["vectors"], REAL)
    assert message in str(found.value)


def test_objects_of_options_print_as_their_call():
    assert repr(Noise("common", categories=[1])) == "Noise('common', categories=[(1,)])"
    assert repr(KNN(k=7)).startswith("KNN(k=7")


def test_curves_of_curves_print_what_they_are_made_of():
    first, second = (pr_curve(REAL, FAKE, "knn", k=k) for k in (3, 5))
    mean = PRCurve.mean([first, second], info=first.info | {"mean_of": 2})
    assert "the mean of 2 curves" in mean.explain()
    assert "upper bound at 95 % confidence" in str(
        pr_curve(REAL, FAKE, LogisticRegression()).upper()
    )
    smoothed = pr_curve(REAL, FAKE, "knn", resolution=0.5).explain()
    assert "both sets smoothed" in smoothed
