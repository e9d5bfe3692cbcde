"""The automatic estimator where several sets are compared."""

from html import escape

import numpy as np

from prfast import Evaluator

RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(100, 4))


def test_a_comparison_names_the_column_that_differs_most_in_a_model():
    models = {"shifted": RNG.normal(size=(100, 4))}
    models["shifted"][:, 2] += 2
    result = Evaluator(REAL, which="precision").compare(models)
    (sentence,) = (
        line for line in result["shifted"].curve.explain().splitlines() if "Column" in line
    )
    assert sentence.startswith("Column 2 alone shows a total variation of about 0.")
    assert [x for x in str(result).splitlines() if "Column" in x] == [f"shifted: {sentence}"]
    assert escape(f"shifted: {sentence}") in result._repr_html_()
