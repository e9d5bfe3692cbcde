"""Files of features as they are written: interrupted, changed meanwhile, made again."""

from pathlib import Path

import numpy as np
import pytest
from pictured import Colors, as_arrays, colors, pictures, save
from refusals import refused

from prfast import load
from prfast.features import extract


@pytest.fixture
def folder(tmp_path):
    return pictures(tmp_path / "pictures", 11)


@pytest.fixture
def out(tmp_path):
    return tmp_path / "x.npy"


def files(out):
    return sorted(path.name for path in out.parent.iterdir() if path.is_file())


def test_an_interrupted_call_leaves_no_file_and_what_was_there(folder, out):
    extract(folder, Colors(), out=out, batch_size=3)
    content = out.read_bytes()
    with pytest.raises(KeyboardInterrupt):
        extract(folder, Colors(2), out=out, batch_size=2)
    assert files(out) == ["x.json", "x.npy"]
    assert out.read_bytes() == content
    second = out.with_name("y.npy")
    extract(folder, Colors(), out=second, batch_size=3)
    assert second.read_bytes() == content


def test_a_picture_that_breaks_in_the_middle_is_named(folder, out):
    last = Path(folder) / "more" / "010.png"
    last.write_bytes(last.read_bytes()[:200])  # begins as a picture
    with refused(ValueError, f"{last}: an image that Pillow reads expected ("):
        extract(folder, Colors(), out=out, batch_size=3)
    assert files(out) == []


def test_what_is_there_is_not_made_again(folder, out):
    extract(folder, Colors(), out=out)
    model = Colors()
    actual = extract(folder, model, out=out)
    assert model.batches == 0
    assert len(actual) == 11


@pytest.mark.parametrize("change", ["picture", "batch_size", "more", "shape", "no record"])
def test_something_else_takes_the_place_of_what_is_there(folder, out, change):
    extract(folder, Colors(), out=out)
    options = {}
    if change == "picture":
        save(Path(folder) / "000.png", np.zeros((16, 16, 3), np.uint8))
    elif change == "batch_size":
        options["batch_size"] = 2
    elif change == "more":
        save(Path(folder) / "zz.png", np.zeros((16, 16, 3), np.uint8))
    elif change == "shape":
        np.save(out, np.load(out)[:5])
    else:
        out.with_suffix(".json").unlink()
    model = Colors()
    actual = extract(folder, model, out=out, **options)
    assert model.batches > 0
    assert np.array_equal(actual[:5], colors(as_arrays(folder)[:5]))
    assert actual.record == load(out).record


def test_a_json_file_of_somebody_else_is_not_overwritten(folder, out):
    file, model = out.with_suffix(".json"), Colors()
    file.write_text('{"mine": 1}')
    message = f"out: a record of features or no file expected at {file}, got another file; move it"
    with refused(ValueError, message):
        extract(folder, model, out=out)
    assert (model.batches, file.read_text(), files(out)) == (0, '{"mine": 1}', ["x.json"])
