"""Properties of all results: values that stay, records, HTML, numbers as loggers take them."""

import json
import math
import re
from importlib import metadata

import numpy as np
import pytest
from made_results import FAKE, REAL
from pages import Reader
from refusals import refusals

from prfast import Evaluator, Metrics, pr_curve
from prfast.curve.summary import ROWS
from prfast.results import values
from prfast.results.info import agreed, read_info, version
from prfast.results.values import flat, flat_names


@pytest.mark.parametrize(
    ("infos", "common"),
    [
        ([], {}),
        ([{"a": 1, "b": 2}, {"b": 2, "a": 3}], {"b": 2}),
        ([{"a": None}, {}], {}),
        ([{}, {"a": None}], {}),
        ([{"b": [1], "a": "x"}, {"a": "x", "b": [1], "c": 0}], {"b": [1], "a": "x"}),
    ],
)
def test_records_agree_on_what_all_have_with_one_value(infos, common):
    assert list(agreed(infos).items()) == list(common.items())


EVIL = "<script>alert('\"')</script> & \udcff"


class Evil(values.Result):
    def _display(self):
        return values.Display(EVIL, [[EVIL] * 2], [EVIL] * 2, [EVIL], [EVIL], details=[EVIL])


def test_names_are_text():
    text = Evil()._repr_html_()
    read = Reader(text)
    assert not read.of("script")
    assert "".join(read.text).count(EVIL.replace("\udcff", "?")) == 8
    text.encode("utf-8")


def test_a_record_is_a_copy_that_json_keeps():
    inner = [1, {"a": (2.5, None)}]
    given = {
        "whole": np.int64(3),
        "real": np.float32(0.5),
        "flag": np.bool_(True),
        "text": np.str_("x"),
        "nested": inner,
    }
    read = read_info("info", given)
    assert read == {
        "whole": 3,
        "real": 0.5,
        "flag": True,
        "text": "x",
        "nested": [1, {"a": [2.5, None]}],
    }
    assert [type(value) for value in read.values()] == [int, float, bool, str, list]
    assert json.loads(json.dumps(read, allow_nan=False)) == read
    inner.append(2)
    assert len(read["nested"]) == 2


test_what_json_would_not_keep_is_named = refusals("""
read_info("info", [1])
    TypeError: info: a mapping expected, got a list
read_info("info", {"a": np.nan})
    TypeError: info: entries that JSON can represent expected: Out of range float
read_info("info", {"a": {"b": [b"c"]}})
    TypeError: info: entries that JSON can represent expected: got a bytes
""")


OF_CURVE = [row.key for row in ROWS]


def safe(numbers):
    """Return the numbers, which every logger must take."""
    json.dumps(numbers, allow_nan=False)
    assert all(re.fullmatch("[a-z0-9_]+", name) for name in numbers)
    assert all(type(value) is float for value in numbers.values())
    return numbers


def test_of_a_curve_they_are_the_rows_of_its_numbers():
    curve = pr_curve(REAL, FAKE, "knn", 5)
    result = safe(curve.scalars())
    assert list(result) == OF_CURVE
    assert (result["f8"], result["f1_8"]) == (curve.f_score(8), curve.f_score(1 / 8))
    assert list(curve.scalars("val/")) == [f"val/{name}" for name in OF_CURVE]


def test_of_several_curves_method_and_k_stand_before_the_number():
    evaluator = Evaluator(REAL, ["knn", "kmeans", len_of], [5, "sqrt"], which="recall")
    result = evaluator.evaluate(FAKE)
    names = ["knn_k5", "knn_ksqrt", "kmeans", "len_of"]
    assert list(safe(result.scalars())) == [f"{n}_{key}" for n in names for key in OF_CURVE] + [
        "recall"
    ]
    assert result.scalars("val_")["val_knn_k5_area"] == result.curves["knn", 5].area


def len_of(points):
    return np.linalg.norm(points, axis=1)


def test_what_is_not_finite_is_left_out():
    assert flat([("a", math.nan), ("b", math.inf), ("c", 1)]) == {"c": 1.0}
    assert Metrics({"recall": math.nan}).scalars() == {}


@pytest.mark.parametrize(
    ("curves", "names"),
    [
        ([("Ω", None), ("knn", 5)], ["curve_", "knn_k5_"]),
        ([("knn", 5)], [""]),
        ([("<lambda>", None), ("Mine.score", None)], ["lambda_", "mine_score_"]),
        ([("A b", None), ("a-b", None), ("a_b", None)], ["a_b_", "a_b_2_", "a_b_3_"]),
        ([("net_2", None), ("net", None), ("Net", None)], ["net_2_", "net_", "net_3_"]),
        ([("net", None), ("Net", None), ("net_2", None)], ["net_", "net_2_", "net_2_2_"]),
    ],
)
def test_names_of_curves_are_safe_and_differ(curves, names):
    assert flat_names(curves) == names


@pytest.mark.parametrize(
    ("half", "digits", "text"),
    [
        (0.0, ".2f", "1.00 ± 0.01"),
        (0.0, "+.3f", "+1.000 ± 0.001"),
        (0.0016, None, "1.000 ± 0.002"),
        (math.inf, ".2f", "1.00 ± ∞"),
        (0.25, ".3g", "1 ± 0.25"),
    ],
)
def test_no_number_is_without_error(half, digits, text):
    assert values.value_and_error(1.0, half, digits) == text


def test_a_package_that_is_not_installed_has_no_version():
    with pytest.raises(metadata.PackageNotFoundError):
        version.__wrapped__("no-such-package")


def test_a_long_table_says_where_the_rest_is():
    lines = [[str(i), "x"] for i in range(values.MOST + 5)]
    read = Reader(values.table(["", "x"], lines, "long"))
    assert len(read.of("tr")) == 1 + values.MOST
    assert read.text[-1] == "… and 5 more lines: to_frame() has all"
    whole = Reader(values.table(["", "x"], lines[: values.MOST], "whole"))
    assert len(whole.of("tr")) == 1 + values.MOST
    assert not whole.of("p")
