"""Program that test_sanitized.py runs with failing.c: each allocation of csrc fails, alone, and the
answers are right or refused for want of memory.  It prints where allocations failed."""

import ctypes
import sys
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2]
FOLDERS = ("internal/neighbors", "system/embedding")
sys.path[:0] = [str(TESTS), *(str(TESTS / folder) for folder in FOLDERS)]

import called  # noqa: E402
import numpy as np  # noqa: E402
from hostile_sets import two_sets  # noqa: E402
from paths import on  # noqa: E402
from test_capi import test_distances_have_the_bits_of_python  # noqa: E402
from test_half_tasks import check_counts, check_radii  # noqa: E402
from test_partitioned_sets import InPieces, even  # noqa: E402
from test_partitioned_sets import check_all as check_partitions  # noqa: E402
from truth import Truth, check_all, search_with  # noqa: E402

from prfast.kernels import distances, masses, trees  # noqa: E402

hooks = ctypes.CDLL(Path(sys.argv[1]).resolve())
hooks.failing_live.restype = ctypes.c_int64
hooks.failing_realloc.restype, hooks.failing_free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
seen, target = Counter(), None  # how often each place has asked; the place and the time that fail


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_int)
def fails(file, line):
    place = f"{file.decode()}:{line}"
    seen[place] += 1
    return (place, seen[place]) == target


TRUTHS = [Truth(*two_sets(kind, 210, 40, 9)) for kind in ("normal", "few values")]
X = np.random.default_rng(0).normal(size=(400, 3))
COLUMNS = [column.copy() for column in X.T]


def searches():
    for truth in TRUTHS:
        check_all(truth, search_with(), [1, 5], closed=True, rng=np.random.default_rng(0))


def halves():
    rng = np.random.default_rng(0)
    check_radii(X, 3, 12, True, 1, 256_000_000, rng)
    check_counts(X[:50], X[50:], 3, True, search_with(), rng)


def partitions():
    check_partitions(TRUTHS[0], InPieces(even(70), 100, n_jobs=1), [1, 5])


def others():
    """Curves of scores, sums of a kernel, boosted trees, and the C functions for others."""
    x, y, w = COLUMNS
    weighted = masses.sort_weighted(x, w**2, y, w**2, 1)
    a, b = np.float32(COLUMNS[:2])
    sums = distances.kernel_sums("base", np.outer(a, b), a, b, 0.5, 0.25, False, True)
    binned = trees.binned(X, trees.edges(np.sort(COLUMNS), 15))
    boosted = trees.boost(binned, (x > 0).astype(np.uint8), 3, 7, 5, 0.1, 1.0, 0.0)
    p, q = called.sweep(x, y)
    curve = *called.vertices(p, q), called.min_sums(p, q, np.array([0.5, 2.0]))
    test_distances_have_the_bits_of_python("ties", 600, 530, 65)
    cells = np.abs(X), np.abs(X[::-1]).copy()
    swept = *masses.sweep(*masses.sort(x, y, 1)), *masses.sweep_weighted(*weighted)
    return [masses.pool_rows(*cells), *cells, *swept, *sums, *boosted, *curve]


def run(scenario, expected=None):
    """Return its answers, or None where it was refused memory."""
    seen.clear()
    try:
        answers = scenario() or []
    except MemoryError:
        assert target, "no memory, though nothing failed"
        answers = None
    assert hooks.failing_live() == 0, f"{hooks.failing_live()} allocations are left"
    for answer, its in zip(answers or [], expected or [], strict=bool(answers and expected)):
        np.testing.assert_array_equal(answer, its)
    return answers


def fail_all_of(scenario):
    """Fail each place of the source for the first time and for the last."""
    global target
    target = None
    expected, times = run(scenario), dict(seen)
    for place, most in times.items():
        for turn in {1, most}:
            target = place, turn
            try:
                run(scenario, expected)
                assert seen[place] >= turn, "was not reached again"
            except BaseException as error:
                error.add_note(f"{scenario.__name__}: {place} failed, time {turn}")
                raise
    return set(times)


def left_behind():
    """A control: of two allocations the second fails, and the first is left behind."""
    first, second = (hooks.failing_realloc(None, 8, b"control", line) for line in (1, 2))
    if second is None:
        raise MemoryError
    hooks.failing_free(first)
    hooks.failing_free(second)


hooks.failing_ask(fails)
if sys.argv[2:] == ["control"]:
    fail_all_of(left_behind)
places = set()
for levels in ("float32", "int8", "head", "off"):
    with on(f"base {levels}" if levels != "off" else levels):
        for scenario in (searches, halves):
            places |= fail_all_of(scenario)
for scenario in (partitions, others):
    places |= fail_all_of(scenario)
print(*sorted(places), sep="\n")
