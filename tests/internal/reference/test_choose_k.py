"""Experiments of the papers: k by cross-validation, the plug-in γ = λ, the cells of k-means."""

import numpy as np
import oracles
import pytest
from refusals import refusals

import prfast
from prfast import PRCurve
from prfast.methods.neighbors import NEIGHBOR_METHODS
from prfast.reference import GaussianShift
from prfast.reference.papers import choose_k, plug_in  # noqa: F401
from prfast.samples.pair import Pair

SETS = GaussianShift(1.0, 3).sample(60, 80)


@pytest.mark.parametrize("method", NEIGHBOR_METHODS)
def test_areas_are_those_of_the_training_half_scored_fold_by_fold(method):
    result = choose_k(*SETS, method, [1, 3, 9], folds=4, split=0.6, random_state=5)
    pair = Pair.read(*SETS)
    part = pair.split_rows(0.6, 5)
    training = part.real_train, part.fake_train
    folds = pair.take(*training).partition(4, 5, "choose_k", equal_apart=True)
    for k in (1, 3, 9):
        scores = [[], []]
        for fold in range(4):
            sets = [*zip(SETS, training, folds, strict=True)]
            train = [x[rows[numbers != fold]] for x, rows, numbers in sets]
            for score, (x, rows, numbers) in zip(scores, sets, strict=True):
                points = x[rows[numbers == fold]]
                score.append(oracles.neighbor_scores(method, points, *train, k, True))
        slow = PRCurve.from_scores(*map(np.concatenate, scores)).area
        assert result.areas[k] == pytest.approx(slow, rel=1e-12)
    assert result.k == min(result.areas, key=result.areas.get)


def test_the_evaluation_half_is_not_looked_at():
    part = Pair.read(*SETS).split_rows(0.5, 2)
    changed = [x.copy() for x in SETS]
    changed[0][part.real_test] = -7
    changed[1][part.fake_test] = 1e6
    assert choose_k(*changed, random_state=2) == choose_k(*SETS, random_state=2)
    changed[0][part.real_train[0]] = -7
    assert choose_k(*changed, random_state=2).areas != choose_k(*SETS, random_state=2).areas


test_wrong_arguments_are_named = refusals("""
choose_k(*SETS, method="auto")
    ValueError: method: one of 'knn', 'ipr', 'parzen', 'coverage' exp
choose_k(*SETS, ks=25, method="ipr")
    ValueError: ks: at most 23 expected for 'ipr' with 24 real training samples, got 25, beside the
    fold that is left out
choose_k(*SETS, folds=31)
    ValueError: real: at least 31 training samples for 31 folds expected, got 30
""")


test_wrong_arguments_of_plug_in = refusals("""
plug_in(*GaussianShift(1.0, 2).sample(30), 1.0, method="classifier")
    ValueError: method: one of 'auto', 'knn', 'ipr', 'parzen', 'coverage', whose score is a ratio of
    densities, expected, got 'classifier', which only ranks samples; pr_curve takes it
plug_in(*GaussianShift(1.0, 2).sample(30), lam=-1)
    ValueError: lam: numbers in [0, ∞] expected, got -1.0 at index 0
""")


NOISE = np.random.default_rng(0).normal(size=(160, 2))
WIDE = 3 * NOISE[:90], 3 * NOISE[90:] + 1


def test_the_cells_are_those_of_the_curve_of_the_method():
    options = {"clusters": 3, "runs": 1, "balance": False, "random_state": 7}
    cells = prfast.reference.papers.partition(*WIDE, **options)
    masses = (np.bincount(labels[0], minlength=3) for labels in cells)
    assert prfast.PRCurve.from_masses(*masses) == prfast.pr_curve(*WIDE, "kmeans", **options)


test_what_is_wrong_is_said = refusals("""
prfast.reference.papers.partition(*WIDE, clusters=161)
    ValueError: real and fake: at least 161 samples together
""")
