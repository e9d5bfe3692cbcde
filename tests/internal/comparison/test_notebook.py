"""A notebook, run by a kernel: what is shown of which cell, and how often."""

from textwrap import dedent

import pytest

reason = "notebooks are run with nbclient and ipykernel"
nbformat = pytest.importorskip("nbformat", reason=reason)
nbclient = pytest.importorskip("nbclient", reason=reason)
pytest.importorskip("ipykernel", reason=reason)
pytest.importorskip("matplotlib", reason="pictures need matplotlib")

HTML, PNG = {"text/plain", "text/html"}, {"text/plain", "image/png"}
# Cells, and the kinds of data of what is shown of each.
CELLS = [
    (
        """
        import numpy as np
        import prfast
        real, fake = np.random.default_rng(0).normal(size=(2, 300, 4))
        curve = prfast.pr_curve(real, fake + 0.5, "knn")
        models = prfast.Evaluator(real, "knn").compare({"a": fake, "b": 2 * fake})
        """,
        None,
    ),
    ("curve", HTML),  # with the picture in it
    ("models", HTML),
    ("curve.plot()", PNG),
    ("models.plot()", PNG),
    ("curve.plot().figure", PNG),
    ("for _ in range(3): curve.plot()", None),
    ("import matplotlib.pyplot as plt\ncurve.plot()", PNG),
    ("assert plt.get_fignums() == []", None),
]


@pytest.mark.nightly
def test_each_cell_shows_its_value_once_and_leaves_no_figure_open():
    cells = [nbformat.v4.new_code_cell(dedent(text).strip()) for text, _ in CELLS]
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    for cell, (text, kinds) in zip(notebook.cells, CELLS, strict=True):
        # Bars of slow machines are streams.
        kinds_shown = [set(x["data"]) for x in cell.outputs if x["output_type"] != "stream"]
        assert kinds_shown == ([] if kinds is None else [kinds]), text
