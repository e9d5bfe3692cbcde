"""Recipes of docs/workflows.md with other packages, run as they stand where these are installed.

Blocks of Python that need nothing else are run by tests/test_docs.py; these are marked ``py``.
"""

import re
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

import prfast

PAGE = Path(__file__).resolve().parents[3] / "docs" / "workflows.md"
SECTIONS = dict(
    re.findall(r"^### (.+?)\n(.*?)(?=^##|\Z)", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
)


def needs(*packages):
    for package in packages:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of other packages, while they are imported
            pytest.importorskip(package, reason="a recipe for it")


@pytest.fixture
def run(tmp_path, monkeypatch, recwarn):
    """Runs the recipe of a section, with `real` and `generate`; its names."""
    plt = pytest.importorskip("matplotlib.pyplot", reason="recipes draw curves")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WANDB_SILENT", "true")
    rng = np.random.default_rng(0)
    names = {"np": np, "prfast": prfast, "__name__": "recipe"}
    names |= {"real": rng.normal(size=(200, 4)), "generate": lambda n: rng.normal(size=(n, 4))}

    def run_section(title):
        (block,) = re.findall(r"^```py\n(.*?)^```", SECTIONS[title], re.MULTILINE | re.DOTALL)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of other packages
            warnings.filterwarnings("error", module="prfast")
            exec(compile(block, f"workflows.md, {title}", "exec"), names)
        return names

    yield run_section
    plt.close("all")


def test_every_recipe_has_a_test():
    titles = {title for title, text in SECTIONS.items() if "```py\n" in text}
    tested = "torchmetrics, Lightning, Weights & Biases, TensorBoard, Hugging Face, "
    assert titles == {*f"{tested}Keras".split(", ")}


def test_torchmetrics(run, capsys):
    needs("torchmetrics")
    result = run("torchmetrics")
    assert result["curve"].info["n_fake"] == 150
    assert capsys.readouterr().out.count("'recall': tensor(") == 2


def test_lightning(run):
    needs("lightning", "torchmetrics")
    result = run("Lightning")["trainer"].callback_metrics
    assert {"val_area", "val_f8", "val_f1_8", "val_recall"} <= result.keys()
    assert 0 < result["val_area"] < 1


def records_of(log, block=2**15, header=7):
    """Return the records of a file of LevelDB's log format, which cuts them at the ends of its
    blocks."""
    data, at, result = log.read_bytes(), header, b""
    while at + header < len(data):
        if block - at % block < header:  # filled up
            at += block - at % block
            continue
        length = int.from_bytes(data[at + 4 : at + 6], "little")
        result += data[at + header : at + header + length]
        at += header + length
    return result


def test_weights_and_biases(run, tmp_path):
    needs("wandb")
    numbers = run("Weights & Biases")["found"].scalars("val/")
    (log,) = tmp_path.glob("wandb/offline-run-*/*.wandb")
    for _ in range(200):  # another process writes it, and may not be done when the run is
        logged = records_of(log)  # names and numbers as JSON
        if all(name.encode() in logged for name in numbers):
            break
        time.sleep(0.1)
    for name, value in numbers.items():
        assert name.encode() in logged
        assert repr(value).encode() in logged
    assert list(tmp_path.glob("wandb/offline-run-*/files/media/images/val/curve_*.png"))


def test_tensorboard(run, tmp_path):
    needs("torch", "tensorboard")
    result = run("TensorBoard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(tmp_path / "runs")).Reload()
    numbers = result["found"].scalars("val/")
    assert set(events.Tags()["scalars"]) == set(numbers)
    assert [event.step for event in events.Scalars("val/f1_8")] == [1000, 2000]
    assert events.Scalars("val/f1_8")[-1].value == pytest.approx(numbers["val/f1_8"], rel=1e-6)
    assert events.Tags()["images"] == ["val/curve"]


def test_hugging_face(run):
    needs("transformers", "accelerate", "torch")
    state = run("Hugging Face")["trainer"].state
    logged = [entry["eval_f8"] for entry in state.log_history if "eval_f8" in entry]
    assert len(logged) == 2
    assert state.best_metric == max(logged)


def test_keras(run, tmp_path, monkeypatch):
    needs("torch")
    monkeypatch.setenv("KERAS_BACKEND", "torch")
    needs("keras")
    logged = run("Keras")["history"].history
    assert len(logged["val_f8"]) == len(logged["loss"]) == 2
    assert (tmp_path / "best.keras").is_file()
