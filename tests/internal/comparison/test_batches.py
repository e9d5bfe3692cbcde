"""Samples that come batch by batch, of both sets."""

import numpy as np
import pytest
from refusals import refusals, refused

import prfast
from prfast import Evaluator

RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(90, 3))
FAKE = RNG.normal(0.4, 1.1, size=(70, 3))


def in_batches(evaluator, real=REAL, fake=FAKE, parts=4):
    for x, y in zip(np.array_split(real, parts), np.array_split(fake, parts), strict=True):
        evaluator.update(real=x, fake=y)
    return evaluator


def of(fake):
    evaluator = Evaluator()
    evaluator.update(fake)
    return evaluator


def test_reset_keeps_the_reference_unless_that_is_meant_too():
    evaluator = in_batches(Evaluator(methods="ipr", k=4))
    evaluator.reset()
    evaluator.update(FAKE[:40])
    assert evaluator.compute().curve == prfast.pr_curve(REAL, FAKE[:40], "ipr", 4)
    evaluator.reset(real=True)
    evaluator.update(FAKE)
    with refused(ValueError, "real: at least 2 samples expected, got 0; update(real=…) adds them"):
        evaluator.compute()
    given = Evaluator(REAL, "ipr", 4)
    text = "real: False expected where the constructor received the reference, got True"
    with refused(ValueError, text):
        given.reset(real=True)
    with refused(TypeError, "real: True or False expected, got 1"):
        given.reset(real=1)


def test_batches_of_no_sample_add_nothing():
    evaluator = Evaluator(methods="ipr", k=4)
    for empty in (np.empty((0, 3)), np.empty((0, 3), np.float32)):
        evaluator.update(empty, real=empty)
        in_batches(evaluator)
        evaluator.update(empty, real=empty)
        assert evaluator.compute().curve == prfast.pr_curve(REAL, FAKE, "ipr", 4)
        evaluator.reset(real=True)
    evaluator = Evaluator(REAL)
    evaluator.update(np.empty((0, 3)))
    with refused(ValueError, "compute: batches expected, got none; call update first"):
        evaluator.compute()
    with refused(ValueError, "real and fake: the same number of features expected, got 3 and 2"):
        evaluator.update(np.empty((0, 2)))


test_batches_that_do_not_fit_are_named = refusals("""
Evaluator().update()
    TypeError: update: a batch expected, fake or real=…, got neither
(e := Evaluator()).update(FAKE), e.update(FAKE[:, :2])
    ValueError: fake: 3 features as in the batches before expected, got 2
(e := Evaluator()).update(real=REAL), e.update(real=REAL.astype(np.float32))
    TypeError: real: float64 as in the batches before expected, got float32
Evaluator(REAL).update(real=REAL)
    ValueError: real: None expected, the constructor received the reference; Evaluator() takes it in
    batches
Evaluator(REAL).merge(3)
    TypeError: other: an Evaluator expected, got int
of(FAKE).merge(of(FAKE[:, :2]))
    ValueError: other: 3 features as in the batches before expected, got 2
""")


pandas = pytest.importorskip("pandas", reason="tables with names")
X = pandas.DataFrame(np.random.default_rng(0).normal(size=(40, 3)), columns=[*"abc"])
TURNED = X[["b", "a", "c"]]
OTHER = X.rename(columns={"c": "d"})


def of_real(batch):
    evaluator = Evaluator(None, "knn", k=2, which=["precision"])
    evaluator.update(real=batch)
    return evaluator


def test_those_of_another_are_merged_in_one_order():
    first, turned, another = map(of_real, (X, TURNED, OTHER))
    with refused(ValueError, "batches and other: columns in one order expected"):
        first.merge(turned)
    with refused(ValueError, "batches and other: the same columns expected"):
        first.merge(another)
    whole, part = (
        Evaluator(points, "knn", k=2, which=["precision"]) for points in (X, X.to_numpy())
    )
    part.update(TURNED)
    with refused(ValueError, "real and fake: columns in one order expected"):
        whole.merge(part)
