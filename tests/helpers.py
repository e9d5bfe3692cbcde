"""Calls in threads, progress bars, records and samples that tests of several folders share."""

import json
import re
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import prfast
from prfast.comparison import differences
from prfast.estimate import intervals
from prfast.inputs.options import Progress

SCHEMA = json.loads(
    (Path(prfast.__file__).parent / "records/result-1.schema.json").read_text("utf-8")
)


def unwrapped(text):
    """Return printed text with each sentence in one line."""
    return re.sub(r"\n  (?=\S)", " ", text)


def at_once(calls):
    """Return the results of calls in a thread each, or raise the error of one.

    All begin together, and threads switch very often.
    """
    results, errors = [None] * len(calls), []
    ready = threading.Barrier(len(calls))

    def run(number, call):
        try:
            ready.wait(60)
            results[number] = call()
        except BaseException as error:
            errors.append(error)

    threads = [
        threading.Thread(target=run, args=(number, call)) for number, call in enumerate(calls)
    ]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    if errors:
        raise errors[0]
    return results


@pytest.fixture(autouse=True, scope="module")
def few_draws():
    """A tenth of the bootstrap samples, in a folder whose conftest imports this."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(differences, "DRAWS", 40)
        patch.setattr(intervals, "DRAWS", 40)
        yield


class Listening(Progress):
    """A progress bar that records its steps."""

    def __init__(self):
        super().__init__(False)
        self.steps = []

    def advance(self, units=1):
        self.steps.append(units)


def check_record(record):
    """Assert that a record is JSON of the schema, with keys that jq takes without quotes."""
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    again = json.loads(json.dumps(record, allow_nan=False))
    assert again == record
    jsonschema.validate(again, SCHEMA, cls=jsonschema.Draft202012Validator)
    assert all(re.fullmatch("[A-Za-z0-9_]+", key) for key in _keys(again))


def _keys(value):
    """Yield the keys of all objects in a value of JSON."""
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for entry in value:
            yield from _keys(entry)


def structured(n, seed):
    """Return samples of 512 features that depend on ten hidden numbers, as those of a network."""
    rng = np.random.default_rng([seed, 0])
    mixing = np.random.default_rng(7).normal(size=(10, 512))
    return np.abs(rng.normal(size=(n, 10)) @ mixing / 3).astype(np.float32)


def noise(n, seed):
    """Return samples of 512 independent features, in which "knn" sees no difference."""
    return np.random.default_rng([seed, 1]).normal(size=(n, 512)).astype(np.float32)


def normals(n, m, d=4, seed=0, shift=0.0):
    """Return two normal samples, the second one shifted in every feature."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.normal(size=(m, d)) + shift


def same(curves, expected):
    """Assert that curves and their records are equal, by name."""
    assert curves.keys() == expected.keys()
    for key in curves:
        assert curves[key] == expected[key]
        assert curves[key].info == expected[key].info


def random_inception(folder, monkeypatch):
    """Return a file with random weights of Inception, where torch-fidelity looks for its own."""
    torch = pytest.importorskip("torch", reason="computes the features")
    library = pytest.importorskip(
        "torch_fidelity.feature_extractor_inceptionv3", reason="the model"
    )
    models = pytest.importorskip("torchvision.models", reason="draws the weights")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        drawn = models.inception_v3(
            weights=None, num_classes=1008, aux_logits=False, init_weights=True
        )
    monkeypatch.setenv("TORCH_HOME", str(folder / "torch"))
    path = folder / "torch" / "hub" / "checkpoints" / Path(library.URL_INCEPTION_V3).name
    path.parent.mkdir(parents=True)
    torch.save(drawn.state_dict(), path)
    return path
