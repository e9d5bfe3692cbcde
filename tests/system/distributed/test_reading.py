"""Validation of partitioned samples: their properties, and the errors of arrays."""

import re

import numpy as np
import pytest
from refusals import refused
from sample_files import write, write_parquet
from shards import InProcess

import prfast
from prfast import Evaluator, metrics, pr_curve
from prfast.distributed import shards
from prfast.files.write import write_record
from prfast.samples.pair import Pair
from prfast.samples.samples import Samples

ROWS = np.random.default_rng(0).normal(size=(50, 3)).astype(np.float32)
HERE = InProcess()


def in_files(folder, rows, name="real"):
    return shards(write(folder, name, rows, "npy", (20, 21)), rows=8, client=HERE)


def with_values(**values):
    """Return ROWS with other numbers: r45c2=np.nan."""
    rows = ROWS.copy()
    for where, value in values.items():
        row, column = re.fullmatch(r"r(\d+)c(\d+)", where).groups()
        rows[int(row), int(column)] = value
    return rows


def test_properties_of_a_set(tmp_path):
    rows = with_values(r3c0=0, r40c1=-100, r30c2=1e-6)
    samples = Samples.read("real", in_files(tmp_path, rows)).source
    assert (samples.shape, samples.dtype) == ((50, 3), np.float32)
    assert samples.largest == 100
    assert samples.lengths.tolist() == [8, 8, 4, 1, 8, 8, 8, 5]
    assert np.array_equal(samples.block(slice(0, 50)).load(), rows)


@pytest.mark.parametrize(
    "rows",
    [
        with_values(r45c2=np.nan),
        with_values(r45c2=-np.inf, r22c1=np.inf),
        with_values(r20c0=np.nan, r20c1=np.inf),
        ROWS[:0],
    ],
    ids=lambda rows: str(rows.shape),
)
def test_errors_are_those_of_an_array_of_all_rows(rows, tmp_path):
    with pytest.raises(ValueError, match="expected, got") as error:
        Samples.read("real", rows)
    np.save(tmp_path / "a.npy", rows)
    with refused(ValueError, str(error.value)):
        Samples.read("real", shards(tmp_path / "a.npy", rows=8, client=HERE))


def test_a_missing_value_of_a_table(tmp_path):
    counts = [*range(44), None, *range(5)]
    write_parquet(tmp_path / "a.parquet", {"c0": ROWS[:, 0], "c1": counts})
    with refused(ValueError, "real['c1']: no missing value expected, got one in row 44"):
        Samples.read("real", shards(tmp_path / "a.parquet", rows=7, client=HERE))


def test_dtypes_are_refused(tmp_path):
    np.save(tmp_path / "a.npy", np.full((50, 2), 2**53 + 1))
    with refused(TypeError, "real: integers beyond 2**53 are not exact in float64"):
        Samples.read("real", shards(tmp_path / "a.npy", client=HERE))


@pytest.mark.parametrize("size", [1e140, 1e-140])
def test_partitions_keep_their_unit(tmp_path, size):
    np.save(tmp_path / "a.npy", np.where(np.eye(50, 2), size, 0))
    text = "real: a largest value from 3e-136 to 3e+135 expected of partitioned samples, got 1e"
    with refused(ValueError, text):
        Samples.read("real", shards(tmp_path / "a.npy", rows=8, client=HERE))


def test_tables_of_several_dtypes(tmp_path):
    for name, rows in (("a", ROWS), ("b", ROWS.astype(np.float64))):
        write_parquet(tmp_path / f"{name}.parquet", {"c": rows[:, 0]})
    with refused(ValueError, "real: partitions of one dtype expected, got float32 and float64"):
        Samples.read("real", shards(tmp_path / "*.parquet", client=HERE))


def test_arrays_are_refused(tmp_path):
    samples = in_files(tmp_path, ROWS)
    with refused(
        TypeError, "fake: partitioned samples expected, as the real ones are, got a numpy"
    ):
        Pair.read(samples, ROWS)
    with refused(TypeError, "fake: an array expected, as prfast.load reads it from files, got"):
        Pair.read(ROWS, samples)


def test_what_needs_rows_refuses_partitions(tmp_path):
    samples = in_files(tmp_path, ROWS)
    calls = [
        *(lambda x, f=f: f(x, x) for f in (prfast.two_sample_test, prfast.profile, prfast.explain)),
        lambda x: Evaluator(x).update(ROWS),
    ]
    for call in calls:
        with refused(TypeError, "real: an array expected, as prfast.load reads it from files, got"):
            call(samples)
    scorer = prfast.methods.KNN(k=3)
    with refused(TypeError, "real: an array expected, as prfast.load reads it from files, got"):
        scorer.fit(samples, samples)
    with refused(TypeError, "points: an array expected, as prfast.load reads it from files, got"):
        scorer.fit(ROWS, ROWS).score(samples)
    with refused(TypeError, "train: an array expected, as prfast.load reads it from files, got"):
        prfast.copies(samples, samples, samples)


METHODS = "one of 'auto', 'knn', 'ipr', 'parzen', 'coverage' expected for partitioned samples, got"
REFUSED = {
    f"method: {METHODS} 'kmeans'": lambda x: pr_curve(x, x, "kmeans"),
    "backend: 'auto', 'exact', 'tree' expected for partitioned samples, got 'approximate'": (
        lambda x: metrics(x, x, backend="approximate")
    ),
    "which: other metrics expected for partitioned samples, got authenticity": (
        lambda x: metrics(x, x, which=("recall", "authenticity"))
    ),
}


@pytest.mark.parametrize("message", REFUSED)
def test_options_that_need_arrays(message, tmp_path):
    with refused(ValueError, message):
        REFUSED[message](in_files(tmp_path, ROWS))


class Small(InProcess):
    """A worker with little memory."""

    task_memory = 16_000


def test_partitions_too_large_for_a_task(tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((1000, 4), np.float32))
    message = (
        "client: workers with 0.000128 GB a thread expected for partitions of 1000 samples × 4"
    )
    with refused(ValueError, f"{message} features, got 1.6e-05 GB: more memory, fewer threads, or"):
        Samples.read("real", shards(tmp_path / "a.npy", client=Small()))
    assert len(Samples.read("real", shards(tmp_path / "a.npy", rows=125, client=Small()))) == 1000


def test_evaluations_are_paired_if_their_references_have_equal_partitions(tmp_path):
    def scores(rows, name):
        evaluator = Evaluator(in_files(tmp_path, rows, name), "knn", 3)
        return evaluator.evaluate(in_files(tmp_path, ROWS + 1, "fake")).scores["knn", 3]

    first = scores(ROWS, "one")
    assert scores(ROWS, "two").shares_real(first)
    assert not scores(with_values(r45c2=9), "three").shares_real(first)
    assert not scores(ROWS[::-1], "four").shares_real(first)


def test_columns_are_matched_by_name(tmp_path):
    def table(names, rows=ROWS):
        columns = {name: rows[:, "abcd".index(name) % 3] for name in names}
        write_parquet(tmp_path / f"{names}.parquet", columns, 20)
        return shards(tmp_path / f"{names}.parquet", rows=20, client=HERE)

    real, fake, renamed = table("abc"), table("cab", ROWS[:30] + 1), table("abd")
    expected = prfast.metrics(ROWS, ROWS[:30] + 1)
    assert metrics(real, fake) == expected
    text = "real and fake: the same columns expected, got 'd' only in fake and 'c' only in real"
    with refused(ValueError, text):
        metrics(real, renamed)


def recorded(folder, model, name="real"):
    """Write ROWS to files, every one with the record of a model."""
    paths = shards(write(folder, name, ROWS, "npy", (20, 21))).files
    for path in paths:
        write_record(path, {"model": model, "weights": None})
    return paths


def test_records_of_features_are_compared(tmp_path):
    paths = recorded(tmp_path, "one")
    write_record(paths[2], {"model": "two", "weights": None})
    with refused(ValueError, f"{paths[0]} and {paths[2]}: features made in one way expected"):
        shards(paths)
