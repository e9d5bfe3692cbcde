"""The record of a result: a copy that JSON keeps, or an error that names the entry."""

import json

import numpy as np
from refusals import refusals

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


LOOP: list = []
LOOP.append(LOOP)


test_what_json_would_not_keep_is_named = refusals("""
read_info("info", [1])
    TypeError: info: a mapping expected, got a list
read_info("info", {(1,): 2})
    TypeError: info: entries that JSON can represent expected: keys must be str
read_info("info", {"a": np.nan})
    TypeError: info: entries that JSON can represent expected: Out of range float
read_info("info", {"a": {"b": [b"c"]}})
    TypeError: info: entries that JSON can represent expected: got a bytes
read_info("info", {"a": np.zeros(2)})
    TypeError: info: entries that JSON can represent expected: got a numpy.nd
read_info("info", {"a": LOOP})
    TypeError: info: entries that JSON can represent expected: Circular reference
""")
