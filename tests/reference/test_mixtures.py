"""Mixtures of Gaussians: against cells, lines and moments."""

import numpy as np
import pytest
from truths import LAM, modes

from prfast.reference import Densities, Discrete, GaussianMixtures


def test_the_mixture_of_the_2024_paper_in_64_dimensions_is_the_discrete_one():
    """Modes at distances of 16 and more: hardly any overlap, so the components are cells."""
    curve = modes(64).curve()
    assert curve.info["cells"] == 1 << 15
    assert curve.at(10.0) == pytest.approx((0.7, 0.07), abs=1e-12)
    assert curve.at(0.1) == pytest.approx((0.07, 0.7), abs=1e-12)
    assert curve.at(1.0) == pytest.approx((0.4, 0.4), abs=1e-12)
    cells = Discrete([0.3, 0.2, 0.5, 0], [0, 0.5, 0.2, 0.3]).curve()
    assert (cells.max_precision, cells.max_recall) == pytest.approx((0.7, 0.7))
    assert curve.iou(cells) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("dim", [1, 5])
def test_collinear_mixtures_are_exact_and_agree_with_the_same_densities_sampled(dim):
    mixture = modes(dim)
    n = 1 << 14
    sampled = Densities(mixture.log_p, mixture.log_q, mixture.sample_p, mixture.sample_q).curve(n)
    assert sampled.info == {"reference": "Densities", "n": n, "random_state": 0}
    lam = np.geomspace(0.1, 10, 21)
    for one, two in zip(sampled.at(lam), mixture.curve().at(lam), strict=True):
        np.testing.assert_allclose(one, two, atol=0.02)
    assert sampled.iou(mixture.curve()) > 0.97


def test_collinear_means_are_found_in_any_direction_and_shape():
    """Moved, turned and stretched, all of one shape: the curve is that of the line."""
    rng = np.random.default_rng(1)
    map_, shift = rng.normal(size=(3, 3)), rng.normal(size=3)
    line = np.array([0.0, -2.0, 1.0])
    moved = GaussianMixtures(
        line[:, None] * np.array([1.0, 0, 0]) @ map_.T + shift,
        [1, 2, 0],
        [0, 1, 1],
        map_ @ map_.T,
    ).curve()
    assert "cells" in moved.info
    straight = GaussianMixtures(line[:, None], [1, 2, 0], [0, 1, 1]).curve()
    np.testing.assert_allclose(moved.at(LAM)[0], straight.at(LAM)[0], atol=1e-6)
