"""The record of a result: a copy that JSON keeps, or an error that names the entry."""

import json

import numpy as np
import pytest
from refusals import refused

from prfast.results.info import read_info


def test_a_record_is_a_copy_that_json_keeps():
    inner = [1, {"a": (2.5, None)}]
    given = {
        "whole": np.int64(3),
        "real": np.float32(0.5),
        "flag": np.bool_(True),
        "text": np.str_("x"),
        "nested": inner,
        "pair": (1, "b"),
    }
    read = read_info("info", given)
    assert read == {
        "whole": 3,
        "real": 0.5,
        "flag": True,
        "text": "x",
        "nested": [1, {"a": [2.5, None]}],
        "pair": [1, "b"],
    }
    assert [type(value) for value in read.values()] == [int, float, bool, str, list, list]
    assert json.loads(json.dumps(read, allow_nan=False)) == read
    inner.append(2)
    assert len(read["nested"]) == 2


ENTRY = "None, a bool, an int, a finite float, a str, or a list or mapping of them expected, got"
LOOP: list = []
LOOP.append(LOOP)


@pytest.mark.parametrize(
    ("info", "message"),
    [
        ([1], "info: a mapping expected, got a list"),
        ({1: 2}, "info: keys of type str expected, got 1"),
        ({"a": {1: 2}}, "info['a']: keys of type str expected, got 1"),
        ({"a": np.nan}, f"info['a']: {ENTRY} nan"),
        ({"a": np.float32(np.inf)}, f"info['a']: {ENTRY} inf"),
        ({"a": [1, {2}]}, f"info['a'][1]: {ENTRY} a set"),
        ({"a": {"b": b"c"}}, f"info['a']['b']: {ENTRY} a bytes"),
        ({"a": np.zeros(2)}, f"info['a']: {ENTRY} a numpy.ndarray"),
        ({"a": LOOP}, "info: entries that do not contain themselves expected"),
    ],
)
def test_what_json_would_not_keep_is_named(info, message):
    with refused(TypeError, message):
        read_info("info", info)
