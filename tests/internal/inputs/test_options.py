"""Options: seeds, counts and numbers in a range; errors, whose names of arguments are data."""

import copy
import pickle

import numpy as np
import pytest
from refusals import refusals

from prfast.inputs.concurrency import read_jobs
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.options import read_count, read_flag, read_number, read_seed, read_share, stream


def test_a_seed_is_kept_and_none_draws_a_fresh_one():
    assert read_seed(0) == 0
    assert read_seed(np.int64(7)) == 7
    assert read_seed(2**32 - 1) == 2**32 - 1
    fresh = {read_seed(None) for _ in range(8)}
    assert len(fresh) > 1
    assert all(isinstance(seed, int) and 0 <= seed < 2**32 for seed in fresh)


@pytest.mark.parametrize(
    "make", [np.random.default_rng, np.random.RandomState, np.random.SeedSequence]
)
def test_a_generator_gives_a_seed_and_is_drawn_from_once(make):
    generator, same, different = make(5), make(5), make(6)
    seed = read_seed(generator)
    assert type(seed) is int
    assert 0 <= seed < 2**32
    assert read_seed(same) == seed != read_seed(different)
    if make is not np.random.SeedSequence:  # which has no state
        assert read_seed(generator) != seed


def test_options_keep_their_values_as_numbers_of_python():
    assert read_jobs(None) is None
    assert [read_jobs(n) for n in (3, -1, -2, np.int8(2))] == [3, -1, -2, 2]
    assert read_count("runs", np.uint8(3)) == 3
    assert type(read_count("runs", np.int64(3))) is int
    for value in (2, 2.0, np.float32(2), np.int8(2)):
        assert type(read_number("x", value, 0, 2)) is float
    assert [read_flag("x", value) for value in (True, np.False_)] == [True, False]
    assert read_share("split", 0.5) == 0.5


test_other_options_are_refused = refusals("""
read_jobs(0)
    ValueError: n_jobs: 1 or more, or -1 for every core, expected, got 0
read_seed(2**32)
    ValueError: random_state: an integer in [0, 2**32) expected, got 4294967296
read_count("runs", 0)
    ValueError: runs: an integer of at least 1 expected, got 0
read_count("runs", True)
    TypeError: runs: an integer expected, got a bool
read_number("x", -1, 0.0, np.inf)
    ValueError: x: a number in [0, ∞] expected, got -1
read_flag("x", 1)
    TypeError: x: True or False expected, got 1
read_share("split", 0)
    ValueError: split: a number in (0, 1) expected, got 0
""")


def test_each_purpose_of_a_seed_has_a_stream_of_its_own():
    uses = [(seed, purpose) for seed in (0, 1) for purpose in ("split", "bootstrap")]
    drawn = [stream(*use).random() for use in uses]
    assert len({*drawn, np.random.default_rng(0).random()}) == 5
    assert stream(0, "split").random() == drawn[0]


@pytest.mark.parametrize(("kind", "plain"), [(WrongType, TypeError), (WrongValue, ValueError)])
def test_it_is_an_error_of_python_and_may_be_sent_elsewhere(kind, plain):
    error = kind("k", "an integer expected, got 'x'")
    assert isinstance(error, plain)
    for twin in (error, pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(twin) is kind
        assert (twin.argument, twin.text) == ("k", "an integer expected, got 'x'")
        assert str(twin) == twin.args[0] == "k: an integer expected, got 'x'"
