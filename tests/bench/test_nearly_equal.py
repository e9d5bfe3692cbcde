"""The bench of `choose_k` judges nearly equal pairs, where noise decides, beside the others."""

from argparse import Namespace

import numpy as np
import pytest

from bench.papers import choose_k
from bench.papers.choose_k import RULES


def test_the_pairs_are_nearly_equal():
    assert not set(choose_k.near(False)) & set(choose_k.families(False))
    areas = [make().truth(0).area for make in choose_k.near(False).values()]
    assert areas[0] == 1  # P = Q
    assert min(areas) > 0.95
    sets = choose_k.near(False)["P = Q, d = 4"]().sample(np.random.default_rng(0), 50, 60)
    assert [x.shape for x in sets] == [(50, 4), (60, 4)]
    assert not np.array_equal(sets[0][:50], sets[1][:50])


def test_figures_of_the_others_are_without_them(tmp_path):
    pytest.importorskip("matplotlib", reason="draws a picture")
    known = {"n": 60, "draws": 2, "chosen_k": [2, 3], "best_k": 2, "root_k": 5, "gain_error": 0}
    rows = [
        known | {"family": name, "method": method, "gain": iou} | dict.fromkeys(RULES, iou)
        for name, iou in (("ring, d = 2", 0.5), ("P = Q, d = 4", 0.875))
        for method in choose_k.METHODS
    ]
    options = Namespace(case="choose_k", tiny=False, results=tmp_path)
    found = {one.name: one.value for one in choose_k.findings(rows, {60: 2}, options).figures}
    assert found["n = 60: mean IoU, chosen"] == 0.5
    assert found["nearly equal, n = 60: mean IoU, chosen"] == 0.875
    assert found["n = 60: least chosen − √n of a family"] == 0.5
    assert found["nearly equal, n = 60: least chosen − √n of a family"] == 0.875
