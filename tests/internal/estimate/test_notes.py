"""The record of a curve: how many samples its masses stand for, and notes wherever it is shown."""

import numpy as np
import pytest

from prfast import PRCurve, pr_curve
from prfast.curve.provenance import read_provenance
from prfast.estimate import notes as curve_notes

SIZES = {"n_real": 2000, "n_fake": 2000, "scored_real": 2000, "scored_fake": 2000}
REPEATED = "Only 100 of the 2000 generated samples are distinct: diversity counts what 100 samples "
COPIED = (
    "2000 of 2000 generated samples equal a real one, to the last bit: the numbers cannot tell "
)
DRAWN = "40 of 2000 generated samples equal a real one, to the last bit; as real samples repeat as "


def notes_of(info):
    return curve_notes.notes_of(read_provenance(info))


def notes_of_several(infos):
    return curve_notes.notes_of_several({key: read_provenance(info) for key, info in infos.items()})


@pytest.mark.parametrize(
    ("info", "sentence"),
    [
        ({}, []),
        ({"distinct": [2000, 100], "covered": 0.05, "copied": 2000}, [REPEATED, COPIED]),
        ({"distinct": [1990, 1980], "copied": 20}, []),  # a hundredth is no finding
        ({"distinct": [1980, 1990], "discrete": True, "copied": 2000}, [COPIED]),
        ({"distinct": [1990, 1990], "discrete": True, "copied": 40}, [DRAWN]),
        ({"distinct": [2000, 100], "copied": 2000, "side": "upper"}, []),
    ],
)
def test_equal_rows_have_a_note_each(info, sentence):
    for note, start in zip(notes_of(SIZES | info), sentence, strict=True):
        assert note.startswith(start)


def test_dependent_rows_and_codes_have_a_note_with_the_cure():
    sentence, _ = notes_of(SIZES | {"strides": [1, 16], "codes": 20, "n_features": 8})
    assert sentence.startswith("Neighboring generated rows are alike, as in sliding windows")
    assert "in Python groups=(np.arange(len(real)), -1 - np.arange(len(fake)) // 64)" in sentence
    *_, sentence, _ = notes_of(SIZES | {"strides": [1, 16], "codes": 20, "distinct": [2000, 1900]})
    assert "such as [::16]. If rows are only sorted" in sentence  # blocks would be joined
    assert notes_of(SIZES | {"strides": [1, 1]}) == []
    sentence, codes = notes_of(SIZES | {"strides": [256, 1], "codes": 20, "n_features": 8})
    assert "independent series are needed" in sentence
    assert "categories=range(8)" in codes


@pytest.mark.parametrize("size", [2, 20, 50])
def test_equal_sets_read_such_areas(size):
    areas = []
    for draw in range(20):
        real, fake = np.random.default_rng(draw).normal(size=(2, size, 6))
        curve = pr_curve(real, fake, n_jobs=1)
        areas.append(curve.area)
    (*_, note) = notes_of(curve.info)
    least = float(note.split("an area of ")[1].split()[0])
    assert sum(area >= least for area in areas) >= 18


def curve(**info):
    return PRCurve.from_masses([1, 2], [2, 1], info=info)


def test_a_mean_and_an_intersection_say_the_fewest_that_were_scored():
    curve_a = curve(split=0.5, scored_real=500, scored_fake=500)
    curve_b = curve(split="bernoulli", scored_real=510, scored_fake=490)
    for joined in (PRCurve.mean([curve_a, curve_b]), curve_a.intersection(curve_b)):
        assert joined.provenance.scored == (500, 490)
        assert "split" not in joined.info
    assert PRCurve.mean([curve_a, curve(split=0.5)]).provenance.scored is None


def test_units_are_fewer_than_samples_where_rows_repeat():
    sizes = {"scored_real": 500, "scored_fake": 400}
    many, few = curve(**sizes), curve(**sizes, effective_size=[500, 100], distinct=[500, 110])
    assert many.provenance.units == (500, 400)
    assert few.provenance.units == (500, 100) == few.swap().provenance.units[::-1]
    for joined in (PRCurve.mean([many, few]), many.intersection(few), PRCurve.mean([few, few])):
        assert joined.provenance.units == (500, 100)
    assert not {"effective_size", "distinct"} & PRCurve.mean([few, few.swap()]).info.keys()
    for wrong in (3, [3], [0, 3], [True, 3], "ab"):
        assert read_provenance({**sizes, "effective_size": wrong}).units == (500, 400)


def test_entries_of_another_type_are_those_of_the_caller():
    info = {"n_real": "many", "k": None, "split": None, "distinct": [0, 2], "epoch": 3}
    curve = PRCurve.from_masses([1], [1], info=info)
    origin = curve.provenance
    assert dict(curve.info) == info
    assert (origin.n_real, origin.k, origin.distinct, origin.has_split) == (None, None, None, True)
    typed = curve._changed({"k": 5, "n_real": 7, "split": 0.5})
    assert dict(typed.info) == info | {"k": 5, "n_real": 7, "split": 0.5}
    assert (typed.provenance.k, typed.provenance.n_real, typed.provenance.split) == (5, 7, 0.5)
    assert dict(typed._changed(info).info) == info


def test_fewer_than_200_samples_are_few():
    x = np.random.default_rng(0).normal(size=(400, 2))
    for n in (199, 200):
        notes = pr_curve(x[:200], x[200 : 200 + n], "kmeans").notes()
        assert any(note.startswith("Few samples") for note in notes) == (n < 200)
