"""The automatic estimator on extreme samples: no warning, no error, an area in its interval."""

import numpy as np
import pytest

from prfast import pr_curve


def normal(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).normal(size=shape)


X, Y = normal(200, 4), normal(160, 4, seed=1)


def collinear(x):
    return np.hstack([x, x, x @ normal(4, 4, seed=2)])


def outlier(at):
    x = X.copy()
    x[0] = at
    return x


def far_outlier(at):
    real, fake = normal(1000, 8), normal(1000, 8, seed=1)
    fake[:, 0] += 8
    real[0] = at
    return real, fake


# Two sets, and the interval of the area.
CASES = {
    "few in many dimensions": (normal(100, 64), normal(100, 64, seed=1) + 1, 0.0, 0.1),
    "collinear columns": (collinear(X), collinear(Y), 0.85, 1),
    "a hundred times as many real": (normal(3000, 4), normal(30, 4, seed=1), 0.6, 1),
    "10 000 dimensions": (normal(40, 10_000), normal(40, 10_000, seed=1) + 1, 0, 0.05),
    "one direction of 257": (normal(90, 1) * normal(257), normal(80, 1) * normal(257), 0.7, 1),
    "an outlier beyond squares": (outlier(1e200), Y, 0.7, 1),
    "heavy tails": (normal(200, 3) / normal(200, 3, seed=1) ** 9, normal(150, 3), 0, 0.9),
    "an offset that leaves few digits": (X + 1e15, Y + 1e15, 0.8, 1),
    "scales that differ": (X * [1e-150, 1, 1e10, 1e100], Y * [1e-150, 1, 1e10, 1e100], 0.7, 1),
    "subnormal numbers": (X * 5e-324, Y * 5e-324, 0.7, 1),
    "mostly 0": (np.where(X < 1.5, 0, X), np.where(Y < 1.5, 0, Y), 0.85, 1),
    "a far outlier of sets that differ": (*far_outlier(1e20), 0, 0.01),
}


@pytest.mark.nightly
@pytest.mark.parametrize("name", CASES)
def test_extreme_samples_have_a_curve_and_no_warning(name):
    real, fake, least, most = CASES[name]
    curve = pr_curve(real, fake, n_jobs=1)
    assert least <= curve.area <= most
    assert least <= curve.hull.area <= most
    sizes = curve.info["n_real"], curve.info["n_fake"]
    assert (sum(curve.info["hull"]["real"]), sum(curve.info["hull"]["fake"])) == sizes
    assert (curve.info["scored_real"], curve.info["scored_fake"]) == sizes
    assert np.isfinite(list(curve.info["weights"].values())).all()


DIFFERENT = Y + np.array([3, 3, 0, 0])
# Columns of both sets are multiplied by these.
UNITS = {
    "tiny beside huge": [1e-300, 1e-300, 1e299, 1e299],
    "huge beside tiny": [1e299, 1e299, 1e-300, 1e-300],
    "tiny beside large": [1e-200, 1e-200, 1e140, 1e140],
    "usual beside large": [1, 1, 1e150, 1e150],
}


@pytest.mark.parametrize("name", UNITS)
def test_a_difference_in_columns_of_any_units_is_detected(name):
    assert pr_curve(X * UNITS[name], DIFFERENT * UNITS[name]).area < 0.1


@pytest.mark.parametrize("exponent", [-965, -95, -40, 60, 600, 900])
@pytest.mark.parametrize("d", [3, 16, 300])
def test_a_common_unit_is_no_matter(d, exponent):
    x, y = (np.exp(np.cumsum(normal(200, d, seed=seed) / 20, axis=1)) for seed in range(2))
    expected = pr_curve(x, y[:, ::-1])
    curve = pr_curve(np.ldexp(x, exponent), np.ldexp(y[:, ::-1], exponent))
    assert np.array_equal(curve.masses, expected.masses)


def test_numbers_whose_differences_may_overflow_are_refused():
    with pytest.raises(
        ValueError, match=r"^fake: numbers within ±1e\+300 expected, got 1.7e\+308;"
    ):
        pr_curve(X, outlier(-1.7e308))


def test_less_memory_fits_fewer_samples_and_too_little_names_the_least():
    real, fake = normal(600, 3), normal(600, 3, seed=1)
    with pytest.raises(ValueError, match=r"^memory: at least \d+ bytes") as error:
        pr_curve(real, fake, memory=1000)
    least = int(str(error.value).split()[3])
    assert pr_curve(real, fake, memory=least).info["fitted"] == [500, 500]


@pytest.mark.parametrize("d", [256, pytest.param(3000, marks=pytest.mark.nightly)])
def test_different_sizes_of_the_sets_are_no_difference(d):
    """A weight by class would, in as many dimensions as samples, be the length of a whitened
    row."""
    assert pr_curve(normal(60, d), normal(50, d, seed=1)).area > 0.8


@pytest.mark.parametrize("sizes", [(2, 2), (3, 2), (5, 3)])
@pytest.mark.parametrize("kind", ["plain", "whole", "equal", "tiny beside huge"])
def test_a_few_samples_have_a_curve(sizes, kind):
    x, y = normal(sizes[0], 2), normal(sizes[1], 2, seed=1)
    if kind == "whole":
        x, y = np.round(x), np.round(y)
    elif kind == "equal":
        x, y = np.zeros_like(x), np.zeros_like(y)
    elif kind == "tiny beside huge":
        x, y[0] = 1e-200 * x, 1e150
    assert 0 <= pr_curve(x, y).area <= 1
    assert pr_curve([[0], [1], [2]], [[1], [2]]).area == 1
