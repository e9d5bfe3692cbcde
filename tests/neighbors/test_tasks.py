"""Tasks: the engines give the same answers, to the last bit; cached lists; the work of a call."""

from dataclasses import fields

import hostile
import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prfast.neighbors import Count
from prfast.neighbors.exact import Exact
from prfast.neighbors.indexes import Tree
from prfast.neighbors.tasks import Kth, Nearest, Resources

# Everything that can go wrong with ties; the tests of each engine see the rest.
KINDS = ("integers", "duplicates", "constant", "normal", "far clusters")
ANSWERS = ("d2", "d2_a", "d2_b", "d2_both", "of_a", "of_b", "rows", "cols", "total", "best")


@st.composite
def point_sets(draw, count):
    sets = draw(hostile.point_sets(sizes=(2, 40), dims=(1, 5), count=count, kinds=KINDS))
    return [np.array(x.astype(x.dtype.newbyteorder("=")), order="C") for x in sets]


def thresholds(queries, refs, of_query, data):
    """Distances that occur, so that each comparison is as close as it can be; some no ball."""
    d2 = oracles.squared_distances(queries, refs)
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    t = rng.choice(d2, axis=1 if of_query else 0)
    return np.where(rng.random(len(t)) < 0.1, -1.0, t)


def kth(queries, refs, data):
    most = len(refs[0])
    return Kth(np.array(data.draw(st.lists(st.integers(1, most), min_size=1, max_size=3))))


def kth_within(queries, refs, data):
    most = len(refs[0]) - 1
    ks = data.draw(st.lists(st.integers(1, most), min_size=1, max_size=3))
    return Kth(np.array(ks), within=True)


def nearest(queries, refs, data):
    a, b = map(len, refs)
    ks = (np.array([data.draw(st.integers(1, n))]) for n in (a, b, a + b))
    return Nearest(*ks, closed=data.draw(st.booleans()))


def nearest_within(queries, refs, data):
    a, b = map(len, refs)
    ks = (np.array([data.draw(st.integers(1, n))]) for n in (a - 1, b, a + b - 1))
    return Nearest(*ks, closed=data.draw(st.booleans()), within=(True, False))


def balls_of_queries(queries, refs, data):
    counts = np.zeros(len(queries), np.int64), np.zeros(len(refs[0]), np.int64)
    t = thresholds(queries, refs[0], True, data)
    return Count(t, None, data.draw(st.booleans()), *counts)


def balls_of_references(queries, refs, data):
    counts = np.zeros(len(queries), np.int64), None
    t = thresholds(queries, refs[0], False, data)
    return Count(None, t, data.draw(st.booleans()), *counts)


TASKS = [kth, kth_within, nearest, nearest_within, balls_of_queries, balls_of_references]


def twin(task):
    """The same question, not yet answered."""
    given = {one.name: getattr(task, one.name) for one in fields(task) if one.init}
    for name in ANSWERS:
        if given.get(name) is not None:
            given[name] = given[name].copy()
    return type(task)(**given)


def answers(task):
    """{name: array} of what has been found."""
    return {name: getattr(task, name) for name in ANSWERS if getattr(task, name, None) is not None}


def same(one, other):
    assert answers(one).keys() == answers(other).keys()
    assert answers(one)
    for name, values in answers(one).items():
        assert np.array_equal(values, answers(other)[name]), name


def _one_width(queries, refs, within):
    width = min(queries.shape[1], *(one.shape[1] for one in refs))
    refs = [one[:, :width].copy() for one in refs]
    return refs[0] if within else queries[:, :width].copy(), refs


@pytest.mark.parametrize("make_task", TASKS)
@given(st.data(), st.sampled_from([1, 3]))
@settings(max_examples=25)
def test_engines_give_the_same_answers(make_task, data, threads):
    refs = data.draw(point_sets(2))
    within = "within" in make_task.__name__
    queries = refs[0] if within else data.draw(point_sets(1))[0]
    queries, refs = _one_width(queries, refs, within)
    task = make_task(queries, refs, data)
    if not isinstance(task, Nearest):
        refs = refs[:1]
    exact, tree = twin(task), twin(task)
    for engine, one in ((Exact(), exact), (Tree(), tree)):
        engine.run(queries, refs, [one], Resources(threads, 1_000_000))
    same(tree, exact)
