"""A notebook, run by a kernel: what is shown of which cell, how often, and what it looks like."""

import base64
import io

import numpy as np
import pytest

nbformat = pytest.importorskip("nbformat", reason="notebooks are run with nbclient and ipykernel")
nbclient = pytest.importorskip("nbclient", reason="notebooks are run with nbclient and ipykernel")
pytest.importorskip("ipykernel", reason="notebooks are run with nbclient and ipykernel")
pytest.importorskip("matplotlib", reason="pictures need matplotlib")

from matplotlib.colors import to_rgb  # noqa: E402
from matplotlib.image import imread  # noqa: E402

from prfast.plots import COLORS  # noqa: E402

pytestmark = pytest.mark.nightly

CELLS = {
    "five lines": """
        import numpy as np
        import prfast
        real, fake = np.random.default_rng(0).normal(size=(2, 300, 4))
        curve = prfast.pr_curve(real, fake + 0.5, "knn")
        curve.interval("f8")
        """,
    "curve": "curve",
    "models": """
        models = prfast.Evaluator(real, "knn").compare({"a": fake, "b": 2 * fake})
        models
        """,
    "plot": "curve.plot()",
    "plot of models": "models.plot()",
    "twice on the same axes": """
        ax = curve.plot()
        prfast.plots.plot_curves(models["b"].curve, ax, colors=["black"])
        """,
    "figure": "ax.figure",
    "not last": "for _ in range(3): curve.plot()",
    "pyplot": """
        %matplotlib inline
        import matplotlib.pyplot as plt
        """,
    "on pyplot's axes": """
        figure, ax = plt.subplots(figsize=(4, 3))
        curve.plot(ax=ax);
        """,
    "after pyplot": "curve.plot()",
    "open": "print(plt.get_fignums())",
}


@pytest.fixture(scope="module")
def cell_outputs():
    """{cell: its outputs}."""
    cells = [nbformat.v4.new_code_cell(text) for text in map(_dedent, CELLS.values())]
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    return {name: cell.outputs for name, cell in zip(CELLS, notebook.cells, strict=True)}


def _dedent(text):
    from textwrap import dedent

    return dedent(text).strip()


def data_of(outputs):
    """What the one output of a cell is, by its kind; bars of slow machines are none."""
    (output,) = (one for one in outputs if one["output_type"] != "stream")
    return output["data"]


def picture_of(outputs):
    """The pixels, as floats, of the one picture of a cell."""
    png = base64.b64decode(data_of(outputs)["image/png"])
    return imread(io.BytesIO(png), format="png")[..., :3]


def holds(image, color):
    """How many pixels have this color?"""
    return int((np.abs(image - to_rgb(color)).max(axis=2) < 0.02).sum())


def test_objects_are_shown_as_html(cell_outputs):
    for name in ("curve", "models"):
        html = data_of(cell_outputs[name])["text/html"]
        assert "<svg" in html
        assert "<caption>" in html
    assert set(data_of(cell_outputs["curve"])) == {"text/plain", "text/html", "image/png"}
    assert set(data_of(cell_outputs["models"])) == {"text/plain", "text/html"}


@pytest.mark.parametrize(
    ("cell", "curves"), [("plot", 1), ("plot of models", 2), ("figure", 1), ("after pyplot", 1)]
)
def test_a_plot_at_the_end_of_a_cell_is_shown_once(cell_outputs, cell, curves):
    image = picture_of(cell_outputs[cell])
    assert image.shape[0] == image.shape[1] >= 400
    assert all(holds(image, color) > 1000 for color in COLORS[:curves])
    assert not holds(image, COLORS[2])


def test_a_plot_that_is_not_the_last_is_not_shown(cell_outputs):
    assert cell_outputs["not last"] == []


def test_no_figure_is_left_open(cell_outputs):
    assert cell_outputs["open"][0]["text"] == "[]\n"
