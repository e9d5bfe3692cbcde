"""prfast.record: a result with what it was made of, and checksums of that."""

import hashlib
import shutil
import subprocess

import numpy as np
import pytest
from helpers import SCHEMA, check_record
from refusals import refusals

import prfast
from prfast.records.documents import checksum_of, checksum_of_array
from prfast.samples.features import with_record

RNG = np.random.default_rng(0)
REAL, A, B = RNG.normal(size=(3, 60, 4))


def test_a_curve_with_its_samples():
    curve = prfast.pr_curve(REAL, A, "knn", k=3)
    record = prfast.record(curve, REAL, A)
    check_record(record)
    assert record["format"] == "prfast.result/1" == SCHEMA["$id"]
    (entry,) = record["curves"]
    assert prfast.PRCurve.from_dict(entry["curve"]) == curve
    assert entry["f1_8"] == curve.f_score(1 / 8)
    interval = curve.interval("area")
    assert entry["area_interval"] == [interval.low, interval.high]
    real, fake = record["inputs"]
    assert (real["role"], fake["role"]) == ("real", "fake")
    assert (real["shape"], real["dtype"]) == ([60, 4], "float64")
    assert fake["sha256"] == hashlib.sha256(A.tobytes()).hexdigest()
    assert "metrics" not in record


def test_a_file_has_the_checksum_of_its_bytes(tmp_path):
    path = tmp_path / "a.npz"
    np.savez(path, x=A.astype(np.float32))
    record = prfast.record(prfast.metrics(REAL, A), REAL, f"{path}:x")
    check_record(record)
    fake = record["inputs"][1]
    assert fake["path"] == f"{path}:x"
    assert fake["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert fake["bytes"] == path.stat().st_size
    assert (fake["shape"], fake["dtype"]) == ([60, 4], "float32")


def test_classes_have_their_shares_curves_and_metrics():
    labels = np.array(["cat", "a dog/1"] * 30)
    groups = prfast.by_class(REAL, A, labels, labels, "knn", k=3)
    record = prfast.record({"A": groups}, REAL, {"A": A})
    check_record(record)
    (result,) = record["classes"]
    assert result["name"] == "A"
    assert [entry["class"] for entry in result["shares"]] == ["a dog/1", "cat"]
    assert result["metrics"][1]["density"] == groups.metrics["cat"]["density"]
    assert [x["area"] for x in result["overall"]["curves"]] == [groups.overall.curve.area]
    # No class is in both sets, and none is clearly missing: there is nothing to compare.
    empty = prfast.by_class(REAL[:4], A[:4], [0, 0, 1, 2], [3, 3, 4, 5], "knn", metrics_k=1)
    record = prfast.record({"A": empty}, REAL, {"A": A})
    check_record(record)
    assert record["classes"][0]["overall"]["curves"] == []


def test_keys_of_feature_records_match_the_pattern():
    versions = {"torch-fidelity": "1", "open_clip": "2"}
    features = {"kind": "image", "model": "m", "versions": versions}
    real, fake = (with_record(points, features) for points in (REAL, A))
    record = prfast.record(prfast.metrics(real, fake), real, fake)
    check_record(record)
    versions = {"torch_fidelity": "1", "open_clip": "2"}
    assert record["inputs"][0]["features"] == {"kind": "image", "model": "m", "versions": versions}
    check_record(prfast.record(prfast.pr_curve(real, fake, "knn", k=3), real, fake))


test_wrong_results_and_samples_are_refused = refusals("""
prfast.record(3)
    TypeError: result: a PRCurve, Metrics, Profile, TwoSampleTest, Groups, an Evaluation, or a
    mapping of them by
    names
prfast.record(prfast.metrics(REAL, A), REAL[0])
    ValueError: real: a 2-D array (samples × features)
prfast.record({"A": prfast.metrics(REAL, A)}, None, {"B": A})
    ValueError: fake: names of the result expected, got 'B'
prfast.record({"A": prfast.metrics(REAL, A)}, None, {"A": 3})
    ValueError: fake['A']: a 2-D array (
""")


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("a-1.npy", b"one"), ("a-2.npy", b"two"), ("z.zarr/c/0", b"three")):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def test_a_file_has_that_of_sha256sum(files):
    result = checksum_of("a-1.npy")
    assert result == (hashlib.sha256(b"one").hexdigest(), 3, 1)


@pytest.mark.parametrize("dtype", ["<f8", ">f4"])
def test_an_array_has_that_of_its_numbers(dtype):
    """They are summed up as little-endian bytes, row by row, however the array lies."""
    array = np.arange(21.0).reshape(3, 7).T.astype(dtype)
    numbers = array.astype(array.dtype.newbyteorder("<")).tobytes(order="C")
    result = checksum_of_array(array)
    assert result == (hashlib.sha256(numbers).hexdigest(), 21 * array.itemsize, 0)


def test_a_pattern_has_that_of_the_list_that_sha256sum_writes(files):
    result = checksum_of("a-*.npy")
    listed = [(b"one", "a-1.npy"), (b"two", "a-2.npy")]
    lines = [f"{hashlib.sha256(content).hexdigest()}  {name}\n" for content, name in listed]
    assert result == (hashlib.sha256("".join(lines).encode()).hexdigest(), 6, 2)
    if shutil.which("sha256sum"):
        printed = subprocess.run(
            ["sha256sum", "a-1.npy", "a-2.npy"], capture_output=True, check=True
        )
        assert result.sha256 == hashlib.sha256(printed.stdout).hexdigest()


def test_a_folder_has_that_of_the_files_in_it(files):
    line = f"{hashlib.sha256(b'three').hexdigest()}  c/0\n"
    assert checksum_of("z.zarr") == (hashlib.sha256(line.encode()).hexdigest(), 5, 1)


@pytest.mark.parametrize("path", ["b.npy", "b-*.npy", "b.npz:key"])
def test_a_missing_file_is_the_systems_own_error(files, path):
    with pytest.raises(FileNotFoundError):
        checksum_of(path)
