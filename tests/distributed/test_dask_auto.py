"""The automatic estimator on workers in other processes: the bits of this one."""

from itertools import pairwise

import numpy as np
import pytest
from shards import sharded

pytest.importorskip("distributed")

from dataclasses import replace

from prfast.distributed.dask import DaskCluster
from prfast.distributed.shards import stamped
from prfast.methods.auto import Auto

rng = np.random.default_rng(0)
SETS = [(s * rng.normal(size=(n, 70))).astype(np.float32) for n, s in ((9000, 1.0), (7000, 1.1))]


@pytest.fixture
def in_files(client, tmp_path):
    """Both sets, in pieces of files that the workers read."""
    client.wait_for_workers(2, timeout=60)
    cluster = DaskCluster(client)
    found = []
    for name, rows in zip("xy", SETS, strict=True):
        path = str(tmp_path / f"{name}.npy")
        np.save(path, rows)
        cuts = [*range(0, len(rows), 1300), len(rows)]
        pieces = [stamped(path, None, a, b) for a, b in pairwise(cuts)]
        found.append(replace(sharded(rows, cuts[1:-1], cluster), pieces=pieces))
    return found


def test_a_curve_of_files_is_that_of_arrays(in_files):
    method = Auto(fitted=300, folds=3)
    found, expected = (method.scores(*sets).curve() for sets in (in_files, SETS))
    assert found == expected
    assert dict(found.info) == dict(expected.info)


@pytest.mark.nightly
def test_handles_may_be_pieces_and_are_as_good_as_files(in_files):
    cluster = in_files[0].cluster
    handles = [
        replace(one, pieces=[cluster.submit(piece.__class__.load, piece) for piece in one.pieces])
        for one in in_files
    ]
    rows = np.array([3, 1299, 1300, 6999])
    for one, held, whole in zip(in_files, handles, SETS, strict=True):
        assert np.array_equal(one.take(rows), whole[rows])
        assert np.array_equal(held.take(rows), whole[rows])
    scorer = Auto(fitted=200, folds=2)
    found, expected = (scorer.scores(*sets) for sets in (handles, SETS))
    assert np.array_equal(found.real, expected.real)
    assert np.array_equal(found.fake, expected.fake)


def test_an_error_of_a_task_is_raised_here_and_leaves_nothing(in_files, client):
    real, fake = in_files
    with open(fake.pieces[0].place, "ab") as file:
        file.write(b"more")
    with pytest.raises(ValueError, match=r"y.npy: has changed since it was looked at"):
        Auto(fitted=200, folds=2).scores(real, fake)
    assert not client.run_on_scheduler(
        lambda dask_scheduler: [t for t in dask_scheduler.tasks.values() if t.state == "processing"]
    )
