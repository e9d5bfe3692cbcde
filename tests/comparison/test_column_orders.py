"""An evaluator knows the order of its columns, wherever it goes: widths are not compared with
heights."""

import copy
import json
import pickle

import numpy as np
import pytest
from refusals import refused

import prfast
from prfast import Evaluator
from prfast.inputs.tables import labels_of

pandas = pytest.importorskip("pandas", reason="tables with names")
X = pandas.DataFrame(np.random.default_rng(0).normal(size=(40, 3)), columns=[*"abc"])
TURNED = X[["b", "a", "c"]]
TEXT = "columns in one order expected, got 'b' of {} where {} has 'a'"


def given():
    return Evaluator(X, "knn", k=2, which=["precision"])


def in_batches():
    evaluator = Evaluator(None, "knn", k=2, which=["precision"])
    evaluator.update(real=X)
    return evaluator


def saved(evaluator, tmp_path):
    evaluator.save(str(tmp_path / "e.npz"))
    return Evaluator.load(str(tmp_path / "e.npz"))


def restored(evaluator, tmp_path):
    other = Evaluator(None, "knn", k=2, which=["precision"])
    other.load_state_dict(json.loads(json.dumps(evaluator.state_dict(np.ndarray.tolist))))
    return other


WAYS = {
    "itself": lambda one, _: one,
    "pickle": lambda one, _: pickle.loads(pickle.dumps(one)),
    "copy": lambda one, _: copy.deepcopy(one),
    "file": saved,
    "merged": lambda one, _: one.merge(copy.deepcopy(one)),
}


@pytest.mark.parametrize(
    ("make", "way"),
    [(given, way) for way in WAYS.values()]
    + [(in_batches, way) for way in WAYS.values()]
    + [(in_batches, restored)],
)
def test_its_copies_know_it_too(make, way, tmp_path):
    evaluator = way(make(), tmp_path)
    with refused(ValueError, "real and fake: " + TEXT.format("fake", "real")):
        evaluator.curves(TURNED)
    with refused(ValueError, "real and fake: " + TEXT.format("fake", "real")):
        evaluator.update(TURNED)
    assert evaluator.metrics(X.to_numpy()) == evaluator.metrics(X)
    assert evaluator.metrics(X).precision == 1


def test_batches_of_a_set_have_one_order():
    evaluator = in_batches()
    for words in ("real", "fake"):
        other = Evaluator(None, "knn", k=2)
        other.update(**{words: X})
        with refused(ValueError, f"batches before and {words}: columns in one order expected"):
            other.update(**{words: TURNED})
    with refused(ValueError, "batches before and real: columns in one order expected"):
        evaluator.update(real=TURNED)
    with refused(ValueError, "real and fake: columns in one order expected"):
        Evaluator(None, "knn").update(TURNED, real=X)
    later = Evaluator(None, "knn")
    later.update(TURNED)
    with refused(ValueError, "fake and real: columns in one order expected"):
        later.update(real=X)
    evaluator.reset(real=True)
    evaluator.update(TURNED, real=TURNED)  # all is forgotten, the order with it


def test_those_of_another_are_merged_in_one_order():
    one, other = in_batches(), Evaluator(None, "knn", k=2, which=["precision"])
    other.update(real=TURNED)
    with refused(ValueError, "batches and other: columns in one order expected"):
        one.merge(other)
    whole, part = given(), Evaluator(X.to_numpy(), "knn", k=2, which=["precision"])
    part.update(TURNED)
    with refused(ValueError, "real and fake: columns in one order expected"):
        whole.merge(part)


def test_a_state_of_another_order_than_the_reference_is_refused():
    plain = Evaluator(X.to_numpy(), "knn", k=2, which=["precision"])
    plain.update(TURNED)
    with refused(ValueError, "real and fake: columns in one order expected"):
        given().load_state_dict(plain.state_dict())


def test_a_state_says_names_that_are_strings():
    state = in_batches().state_dict()
    assert state["columns of real"] == '["a", "b", "c"]'
    other = Evaluator(None, "knn", k=2, which=["precision"])
    with refused(ValueError, "state['columns of real']: a JSON list of strings expected"):
        other.load_state_dict(state | {"columns of real": "[1]"})
    numbered = Evaluator(None, "knn")
    numbered.update(real=pandas.DataFrame(X.to_numpy()))
    assert labels_of(pandas.DataFrame(X.to_numpy())) == [0, 1, 2]
    assert "columns of real" not in numbered.state_dict()


def test_an_evaluator_that_claims_too_much_is_named(tmp_path):
    import zipfile

    path = str(tmp_path / "e.npz")
    given().save(path)
    with zipfile.ZipFile(path, "a") as archive:
        header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({10**14}, 100), }}"
        text = header.ljust(117).encode() + b"\n"
        archive.writestr("more.npy", b"\x93NUMPY\x01\x00" + bytes([118, 0]) + text)
    with pytest.raises(MemoryError, match="larger than the memory that there is"):
        prfast.Evaluator.load(path)
