"""Units of columns and values far outside of them; noise in the axes of little variance."""

from itertools import pairwise

import numpy as np
import pytest
from pairs import data_of, pair

from prfast.methods.auto.coordinates import BANDS

REAL, FAKE = pair(300, 300, 5, seed=1)


def with_value(x, value, rows=1):
    x = x.copy()
    x[:rows, 1] = value
    return x


def test_columns_are_winsorized_at_fifty_reaches_from_the_median():
    data = data_of(with_value(REAL, 1e6), FAKE)
    x, fitted = data.view(slice(None)).points, data.coordinates
    median = np.median(x, axis=0)
    reach = np.quantile(np.abs(x - median), 0.9, axis=0)
    np.testing.assert_allclose(fitted.low, median - 50 * reach)
    np.testing.assert_allclose(fitted.high, median + 50 * reach)
    winsorized = (data.view(slice(None)).centered + fitted.mean) * fitted.divisor
    assert (np.abs(winsorized - x) > 1).sum() == 1
    assert winsorized.max() == pytest.approx(fitted.high[1])


def test_a_column_with_mostly_one_value_is_winsorized_far_outside_of_the_others():
    real, fake = (np.where(x > 2.0, x, 0.0) for x in (REAL, FAKE))
    data = data_of(real, fake)
    view, fitted = data.view(slice(None)), data.coordinates
    np.testing.assert_allclose((view.centered + fitted.mean) * fitted.divisor, view.points)
    fitted = data_of(with_value(real, 1e12), fake).coordinates
    inner = np.concatenate([real[1:, 1], fake[:, 1]])
    assert fitted.high[1] == pytest.approx(50 * np.median(inner[inner > 0]), rel=0.1)


def test_columns_keep_their_units_up_to_a_ratio_of_a_thousand():
    units = np.array([1.0, 1.0, 1.0, 1.0, 300.0])
    assert len({*data_of(REAL * units, FAKE * units).coordinates.divisor}) == 1
    fitted = data_of(REAL * units**2, FAKE * units**2).coordinates
    np.testing.assert_allclose(fitted.divisor, fitted.reach)
    units_of_reach = fitted.divisor / units**2
    divided = data_of(REAL / units_of_reach, FAKE / units_of_reach).coordinates
    deviation = divided.deviation * divided.divisor[0]
    np.testing.assert_allclose(fitted.deviation, deviation, rtol=1e-9)


def decaying(n, seed, power, d=300):
    """Return features whose variances along random axes are a power of their number."""
    axes = np.linalg.qr(np.random.default_rng(0).normal(size=(d, d)))[0]
    deviation = np.arange(1.0, d + 1) ** (power / 2)
    return np.random.default_rng([seed, n]).normal(size=(n, d)) * deviation @ axes


def test_energies_are_those_of_a_direct_decomposition():
    """The last band of fewer samples than features is outside of all axes."""
    n = 60
    data = data_of(decaying(n, 1, -1), decaying(n, 2, -1))
    fitted = data.coordinates
    z = data.view(slice(None)).points / fitted.divisor - fitted.mean
    variance, basis = np.linalg.eigh(z.T @ z / len(z))
    variance, basis = variance[::-1], basis[:, ::-1]
    axes = min(n, int((variance > 1e-7 * variance[0]).sum()))
    ends = [*(start for start in BANDS if start < axes), axes]
    white = z @ basis[:, :axes] / np.sqrt(variance[:axes])
    bands = [(white[:, a:b] ** 2).mean(axis=1) for a, b in pairwise(ends)]
    residual = ((z - (z @ basis[:, :axes]) @ basis[:, :axes].T) ** 2).sum(axis=1)
    bands.append(residual / residual.mean())
    mean, deviation = data.coordinates.distances
    energies = (data.view(slice(None)).distances * deviation + mean)[:, 2:]
    np.testing.assert_allclose(energies, np.log(np.transpose(bands)), atol=2e-3)
