"""k by cross-validation inside the training half (2024 paper, §5.2)."""

import numpy as np
import oracles
import pytest
from refusals import refusals

from prfast import PRCurve, pr_curve
from prfast.methods.base import draw_split
from prfast.methods.neighbors import NEIGHBOR_METHODS
from prfast.reference import GaussianShift
from prfast.reference.papers import _assign_folds, choose_k

SETS = GaussianShift(1.0, 3).sample(60, 80)


@pytest.mark.parametrize("method", NEIGHBOR_METHODS)
@pytest.mark.parametrize("ties", ["closed", "open"])
def test_areas_are_those_of_the_training_half_scored_fold_by_fold(method, ties):
    result = choose_k(*SETS, method, [1, 3, 9], folds=4, split=0.6, random_state=5, ties=ties)
    parts = _assign_folds(draw_split(60, 80, 0.6, 5), 4, 5)
    for k in (1, 3, 9):
        scores = [[], []]
        for fold in range(4):
            train = [x[side[fold][1]] for x, side in zip(SETS, parts, strict=True)]
            for one, x, side in zip(scores, SETS, parts, strict=True):
                points = x[side[fold][0]]
                one.append(oracles.neighbor_scores(method, points, *train, k, ties == "closed"))
        slow = PRCurve.from_scores(*map(np.concatenate, scores)).area
        assert result.areas[k] == pytest.approx(slow, rel=1e-12)
    assert result.k == min(result.areas, key=result.areas.get)


def test_the_evaluation_half_is_not_looked_at():
    part = draw_split(60, 80, 0.5, 2)
    changed = [x.copy() for x in SETS]
    changed[0][part.real_test] = -7
    changed[1][part.fake_test] = 1e6
    assert choose_k(*changed, random_state=2) == choose_k(*SETS, random_state=2)
    changed[0][part.real_train[0]] = -7
    assert choose_k(*changed, random_state=2).areas != choose_k(*SETS, random_state=2).areas


@pytest.mark.nightly
@pytest.mark.parametrize("method", NEIGHBOR_METHODS)
def test_many_dimensions_ask_for_more_neighbors_than_a_root(method):
    pair = GaussianShift(1.0, 64)
    truth = pair.curve()
    sets = pair.sample(1200)
    result = choose_k(*sets, method)
    assert result.k >= 2 * 24
    ious = [pr_curve(*sets, method, k).iou(truth) for k in (result.k, "sqrt", 4)]
    assert ious[0] > ious[1] + 0.02 > ious[2] + 0.02


test_wrong_arguments_are_named = refusals("""
choose_k(*SETS, method="auto")
    ValueError: method: one of 'knn', 'ipr', 'parzen', 'coverage' exp
choose_k(*SETS, ks=[])
    ValueError: ks: at least one expected, got none
choose_k(*SETS, ks=25, method="ipr")
    ValueError: ks: at most 23 expected for 'ipr' with 24 real training samples, got 25, beside the
    fold that is left out
choose_k(*SETS, folds=31)
    ValueError: real: at least 31 training samples for 31 folds expected, got 30
""")
