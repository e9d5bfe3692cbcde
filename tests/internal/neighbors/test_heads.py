"""Heads of principal axes: no bound is exceeded; answers are the same with and without them; when
they are taken, and when given up."""

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import ISAS, check_bounds, on

import prfast
from prfast.kernels import distances
from prfast.neighbors import Count, NeighborSearch, heads, passes
from prfast.neighbors.tasks import Resources
from prfast.samples.partitioned import Rows

TAU = 2.0**-11


def low_rank(rng, n, d):
    return rng.normal(size=(n, 3)) @ rng.normal(size=(3, d))


def falling(rng, n, d):
    return rng.normal(size=(n, d)) * np.arange(1.0, d + 1) ** -1.5


KINDS = {
    "isotropic": lambda rng, n, d: rng.normal(size=(n, d)),
    "falling": falling,
    "low rank": low_rank,
    "nearly low rank": lambda rng, n, d: low_rank(rng, n, d) + 1e-6 * rng.normal(size=(n, d)),
    "one huge column": lambda rng, n, d: rng.normal(size=(n, d)) * 1e7 ** (np.arange(d) == d // 2),
    "duplicates": lambda rng, n, d: falling(rng, n, d)[rng.integers(0, min(n, 3), n)],
    "offset": lambda rng, n, d: falling(rng, n, d) + 1e5,
    "far rows": lambda rng, n, d: falling(rng, n, d) * np.exp(4 * rng.normal(size=(n, 1))),
    "denormal": lambda rng, n, d: 1e-41 * rng.normal(size=(n, d)),
    "nearly denormal": lambda rng, n, d: 3e-10 * falling(rng, n, d) * 1e-30 ** (np.arange(d) % 2),
    "overflow": lambda rng, n, d: 1e38 * rng.uniform(-1, 1, size=(n, d)),
    "large": lambda rng, n, d: 3e8 * falling(rng, n, d),
    "constant": lambda rng, n, d: np.full((n, d), 0.3),
}


BEYOND = ("nearly denormal", "denormal", "overflow", "large", "far rows")  # float32 squares


def two_sets(kind, n, m, d, seed):
    """Draw two sets of which some rows are equal and some nearly equal."""
    rng = np.random.default_rng(seed)
    x, y = (KINDS[kind](rng, size, d).astype(np.float32) for size in (n, m))
    shared = min(n, m) // 2
    y[:shared] = x[:shared] * (1 + 1e-6 * rng.normal(size=(shared, d)))
    y[: shared // 2] = x[: shared // 2]
    return x, y


SHAPES = st.integers(1, 60), st.integers(1, 90), st.integers(1, 150)


@given(st.sampled_from([*KINDS]), *SHAPES, st.integers(0, 10**6))
@settings(max_examples=60)
def test_no_pair_within_a_radius_is_missed(kind, n, m, d, seed):
    x, y = two_sets(kind, n, m, d, seed)
    for isa in ISAS:
        check_bounds(x, y, f"{isa} head")


def certain(x, y, axes):
    """Return the heads' distances less their slack, and the largest that they may be."""
    head_x, head_y = heads.heads(x, axes), heads.heads(y, axes)
    d2 = oracles.squared_distances(head_x[:, :-1].astype(float), head_y[:, :-1].astype(float))
    d2 -= head_x[:, -1:].astype(float) + head_y[:, -1].astype(float)
    return d2, (1 + TAU) * oracles.squared_distances(x.astype(float), y.astype(float))


def check_error(x, axes):
    head = heads.heads(x, axes)
    off = head[:, :-1] - oracles.head(x, axes.columns, axes.center)
    if axes.captured >= heads._WHOLE:
        off[:, -1] = head[:, -2]
    assert np.all(np.square(off).sum(axis=1) <= head[:, -1] / (2 * (1 + 1 / TAU)))


def test_what_is_left_of_rows_along_the_axes_is_rounding():
    rng = np.random.default_rng(0)
    axes = heads.axes_of(rng.normal(size=(300, 600)).astype(np.float32))
    along = rng.normal(size=(200, axes.columns.shape[1])) @ axes.columns.T
    check_error((axes.center + along).astype(np.float32), axes)


@given(st.sampled_from([*KINDS]), *SHAPES, st.integers(0, 10**6))
@settings(max_examples=60)
def test_heads_are_within_their_error(kind, n, m, d, seed):
    x, y = two_sets(kind, n, m, d, seed)
    axes = heads.axes_of(x)
    head_x = None if axes is None else heads.heads(x, axes)
    if head_x is None or heads.heads(y, axes) is None:
        assert kind in BEYOND or n < 4
        return
    check_error(x, axes)
    least, most = certain(x, y, axes)
    assert np.all(least <= most)


@pytest.mark.parametrize("error", [0.03, -0.03])
def test_axes_need_not_be_orthonormal(error):
    """Their error is part of the slack, and needed there: rows differ along one."""
    rng = np.random.default_rng(0)
    x = falling(rng, 50, 80).astype(np.float32)
    axes = heads.axes_of(x)
    longer = np.float32(1 + error) * axes.columns
    beside = rng.normal(size=80)
    beside -= axes.columns @ (axes.columns.T @ beside)
    x = axes.center + rng.normal(size=(50, 1)) * axes.columns[:, 0] + beside
    x = x.astype(np.float32)
    gram = longer.T.astype(float) @ longer.astype(float) - np.eye(longer.shape[1])
    told = axes._replace(columns=longer, error=float(np.linalg.norm(gram)))
    least, most = certain(x, x[::-1], told)
    assert np.all(least <= most)
    if error > 0:
        least, most = certain(x, x[::-1], axes._replace(columns=longer))
        assert np.any(least > most)


N, D = 1000, 512


@pytest.fixture
def pays(monkeypatch):
    """Sets of this size are large, on an instruction set for which heads may pay."""
    isa = next(isa for isa in reversed([*ISAS]) if distances.INT8_GAINS[isa] < 4)
    monkeypatch.setenv("PRFAST_ISA", isa)
    monkeypatch.setattr(passes, "_HEAD_LONG", D)
    monkeypatch.setattr(passes, "_HEAD_FEWEST", N / 2 / D**0.5)


@pytest.mark.parametrize(
    ("kind", "dtype", "least", "most"),
    [
        ("falling", np.float32, 0.5, 2),
        ("isotropic", np.float32, 0, 0),
        ("falling", np.float64, 0, 0),
    ],
)
def test_they_are_taken_where_few_axes_have_the_variance(
    pays, kind, dtype, least, most, monkeypatch
):
    monkeypatch.setenv("PRFAST_FILTER", "auto")
    x, y = (z.astype(dtype) for z in two_sets(kind, N, N - 100, D, 1))
    search = NeighborSearch("exact", n_jobs=1)
    search.kth_within(x, [5])
    t = search.kth(x, x, [3])[:, 0].copy()
    search.run(y, [x], [Count(None, t, True, np.zeros(len(y), np.int64))])
    assert least * N * N <= search.work["head"] <= most * N * N
    assert search.work["abandoned_filter"] == 0


def test_they_are_not_taken_where_noise_is_in_every_ball(pays):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(N, 64)) @ rng.normal(size=(64, D)) + 4 * rng.normal(size=(N, D))
    assert heads.axes_of(x.astype(np.float32)).captured > heads._CAPTURED
    search = NeighborSearch("exact", n_jobs=1)
    search.kth_within(x.astype(np.float32), [5])
    assert search.work["head"] == search.work["abandoned_filter"] == 0


def test_they_are_not_taken_where_balls_are_large(pays, monkeypatch):
    """The radii of the task decide, of queries and of references, not those of a few neighbors."""
    monkeypatch.setenv("PRFAST_FILTER", "auto")
    x, y = two_sets("falling", N, N, D, 1)
    d2 = oracles.squared_distances(y.astype(float), x.astype(float))
    for closest, least, most in ((0.004, 0.5, 1), (0.3, 0, 0)):
        t = np.full(N, np.quantile(d2, closest))
        for sides in ((t, None), (None, t)):
            search, rows = NeighborSearch("exact", n_jobs=1), np.zeros(N, np.int64)
            search.run(y, [x], [Count(*sides, True, rows)])
            assert least * N * N <= search.work["head"] <= most * N * N
            assert np.array_equal(rows, (d2 <= t[0]).sum(axis=1))


@given(st.integers(0, 10**6))
@settings(max_examples=10)
def test_the_share_of_open_pairs_is_that_of_all_pairs(seed):
    x, y = two_sets("falling", 400, 300, 80, seed)
    axes = heads.axes_of(x)
    head_x, head_y = (heads.heads(z, axes)[:, :-1].astype(float) for z in (x, y))
    t = np.random.default_rng(seed).uniform(0, 1, size=400) * np.square(head_x).sum(axis=1).mean()
    is_open = oracles.squared_distances(head_y, head_x) <= t
    share = heads.open_share(axes, y, x, np.full(1, -1.0), t)
    assert share == pytest.approx(is_open.mean(), abs=1e-3)


def test_the_share_within_a_set_is_estimated():
    rng = np.random.default_rng(0)
    x = (rng.normal(size=(1500, 256)) * np.arange(1.0, 257) ** -0.7).astype(np.float32)
    axes = heads.axes_of(x)
    d2 = heads.squares(x, x)
    head = heads.heads(x, axes)[:, :-1]
    for k in (1, 5, 40):
        radii = np.sort(d2, axis=1)[:, k]
        is_open = heads.squares(head, head) <= np.maximum(radii, radii[:, None])
        share = is_open.mean() - 1 / len(x)
        assert 0.6 * share <= heads.open_within(axes, x, k) <= 1.6 * share


@pytest.fixture
def misjudged(pays, monkeypatch):
    """Heads are taken whatever they leave open."""
    monkeypatch.setenv("PRFAST_FILTER", "auto")
    monkeypatch.setattr(heads, "_CAPTURED", 0.0)
    monkeypatch.setattr(passes, "_SPARE_OF_BYTES", np.inf)
    monkeypatch.setattr(passes, "_SPARE_WITHIN", np.inf)


def test_lists_that_near_points_began_do_not_fail_without_heads(misjudged):
    rng = np.random.default_rng(0)
    groups = rng.normal(size=(4, 64))[rng.integers(4, size=2 * N)]
    x = (groups + rng.normal(size=(2 * N, 64))) @ rng.normal(size=(64, D))
    x += 4 * rng.normal(size=(2 * N, D))
    search = NeighborSearch("exact", n_jobs=1)
    search.kth_within(x.astype(np.float32), [31])
    assert search.work["abandoned_filter"] == 1
    assert search.work["fallback"] == 0


def test_they_are_given_up_where_they_leave_too_much(misjudged):
    """The axes of the first set have nothing of what the other differs in."""
    x = two_sets("falling", N, N, D, 0)[0]
    off = np.random.default_rng(2).normal(size=(N, D)) * (np.arange(D) > D // 2)
    y = (x + 3 * off).astype(np.float32)
    rows = np.zeros(N, np.int64)
    search = NeighborSearch("exact", n_jobs=1)
    search.run(y, [x], [Count(np.full(N, 1e6), None, True, rows)])
    assert search.work["abandoned_filter"] > 0
    assert search.work["int8"] == 0
    assert np.all(rows == N)


def test_arrays_may_change_between_searches(pays):
    x = two_sets("falling", N, N, D, 0)[0]
    search = NeighborSearch("exact", n_jobs=1)
    with on(f"{next(iter(ISAS))} head"):
        search.kth_within(x, [5])
        x[:] = x[::-1] + 1
        d2 = search.kth_within(x, [5])
    assert np.array_equal(d2, NeighborSearch("exact").kth_within(x, [5]))


def test_they_fit_in_the_memory():
    x = two_sets("falling", N, N, D, 0)[0]
    rows = Rows(x, np.arange(N)[::2])
    assert heads.heads_of(rows, x, Resources(1, 100_000)) is None
    head_of_rows, head, scale = heads.heads_of(rows, x, Resources(1))
    assert head_of_rows.base is head
    assert np.array_equal(head_of_rows.index, rows.index)
    assert scale == 2.0 ** -np.frexp(np.abs(x - x.mean(axis=0)).max())[1]


@pytest.mark.parametrize("n", [1, 191, 192, 193, 1000])
def test_near_points_follow_each_other(n):
    points = np.random.default_rng(0).normal(size=(n, 3)).round(1)
    order = heads.near_together(points, 192)
    assert np.array_equal(np.sort(order), np.arange(n))
    within = [points[order[at : at + 192]].var(axis=0).sum() for at in range(0, n, 192)]
    assert n < 1000 or np.mean(within) < 0.7 * points.var(axis=0).sum()


def test_axes_and_heads_are_computed_once_a_call(pays, monkeypatch):
    made = []
    for name in ("axes_of", "heads"):
        function = getattr(heads, name)

        def counted(*arguments, function=function, name=name):
            made.append(name)
            return function(*arguments)

        monkeypatch.setattr(heads, name, counted)
    x, y = two_sets("falling", N, N, D, 0)
    prfast.metrics(x, y, n_jobs=1, progress=False)
    assert sorted(made) == ["axes_of", "heads", "heads"]


def test_kept_heads_share_the_memory():
    """Those of further sets are dropped, the oldest first."""
    sets = [two_sets("falling", N, N, D, seed)[0] for seed in range(4)]
    nbytes = heads.heads_of(sets[0], sets[0], Resources(1))[1].nbytes
    resources = Resources(1, 8 * 3 * nbytes)
    for points in sets[1:]:
        heads.heads_of(points, sets[0], resources)
        held = [value[1].nbytes for key, value in resources.heads.items() if isinstance(key, int)]
        assert 2 * nbytes <= sum(held) <= 3 * nbytes
    assert id(sets[1]) not in resources.heads


def test_a_far_row_gives_no_warning(pays):
    x, y = two_sets("falling", N, N, D, 0)
    x[0] *= np.float32(1e20)
    assert 0 < prfast.metrics(x, y, n_jobs=1, progress=False).precision <= 1
