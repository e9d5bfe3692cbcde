"""The record of a result: a copy that JSON keeps, or an error that names the entry."""

import json
from importlib import metadata

import numpy as np
import pytest
from refusals import refused

from prfast.results.info import read_info, version


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


@pytest.mark.parametrize(
    ("info", "message"),
    [
        ([1], "info: a mapping expected, got a list"),
        ({(1,): 2}, "info: entries that JSON can represent expected: keys must be str"),
        ({"a": np.nan}, "info: entries that JSON can represent expected: Out of range float"),
        ({"a": {"b": [b"c"]}}, "info: entries that JSON can represent expected: got a bytes"),
        ({"a": np.zeros(2)}, "info: entries that JSON can represent expected: got a numpy.nd"),
        ({"a": LOOP}, "info: entries that JSON can represent expected: Circular reference"),
    ],
)
def test_what_json_would_not_keep_is_named(info, message):
    with refused(TypeError, message):
        read_info("info", info)


@pytest.mark.parametrize("package", ["prfast", "numpy", "scikit-learn", "hypothesis"])
def test_versions_are_those_of_the_installed_metadata(package):
    assert version.__wrapped__(package) == metadata.version(package)


def test_a_package_that_is_not_installed_has_no_version():
    with pytest.raises(metadata.PackageNotFoundError):
        version.__wrapped__("no-such-package")
