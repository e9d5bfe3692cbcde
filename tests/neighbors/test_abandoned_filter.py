"""When the int8 filter is given up by itself, where nobody asks for it."""

import numpy as np
import oracles
import pytest
from paths import on

from prfast.kernels import distances
from prfast.neighbors import NeighborSearch

N, D, K = 1500, 512, 38

PAYS = [isa for isa, gain in distances.INT8_GAINS.items() if gain > 1]
MOST = [
    isa for isa in PAYS if distances.INT8_GAINS[isa] > 3
]  # the others need more features than 512


def work(isa, decay, ks):
    """Of k-th neighbors among Gaussians whose j-th feature has the deviation j^−decay."""
    x, y = np.random.default_rng(3).normal(size=(2, N, D)) * np.arange(1.0, D + 1) ** -decay
    x, y = x.astype(np.float32), y.astype(np.float32)
    with on(isa):
        search = NeighborSearch("exact", n_jobs=1)
        d2 = search.kth(x, y, ks)
    exact = np.sort(oracles.squared_distances(x[:20].astype(float), y.astype(float)), axis=1)
    assert np.array_equal(d2[:20], exact[:, np.array(ks) - 1])
    return search.work


@pytest.mark.parametrize("isa", MOST)
@pytest.mark.parametrize("ks", [[K], [1, K]])
def test_bytes_are_kept_where_few_keys_will_be_tightened(isa, ks):
    done = work(isa, 0.5, ks)
    assert done["abandoned_filter"] == 0
    assert done["int8"] + done["differences"] > 0.8 * N * N


@pytest.mark.parametrize("isa", PAYS)
@pytest.mark.parametrize("ks", [[K]])
def test_bytes_are_given_up_where_distances_are_nearly_equal(isa, ks):
    done = work(isa, 0.0, ks)
    assert done["abandoned_filter"] > 0
    assert done["int8"] < 0.1 * N * N
