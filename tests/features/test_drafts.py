"""Files of features as they are written: interrupted, resumed, changed meanwhile, made again."""

import json
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
    return sorted(one.name for one in out.parent.iterdir() if one.is_file())


def interrupted(folder, out, after, **options):
    """The same call, interrupted in a batch."""
    with pytest.raises(KeyboardInterrupt):
        extract(folder, Colors(after), out=out, **({"batch_size": 3} | options))


def test_an_interrupted_file_is_gone_on_with(folder, out):
    whole = out.with_name("whole.npy")
    extract(folder, Colors(), out=whole, batch_size=3)
    interrupted(folder, out, 2)
    assert files(out) == ["whole.json", "whole.npy", "x.draft.json", "x.draft.npy"]
    interrupted(folder, out, 1)  # another batch
    model = Colors()
    actual = extract(folder, model, out=out, batch_size=3)
    assert model.batches == 1  # of four
    assert files(out) == ["whole.json", "whole.npy", "x.json", "x.npy"]
    assert out.read_bytes() == whole.read_bytes()
    assert np.array_equal(actual, colors(as_arrays(folder)))


def test_a_draft_of_every_row_needs_no_model(folder, out):
    """As an interrupt leaves it that comes between the record and the move to its place."""
    interrupted(folder, out, 2)
    whole = extract(folder, Colors(), out=out, batch_size=3)
    state = {"config": {}, "done": 11, "inputs_sha256": whole.record["inputs"]["sha256"]}
    state["config"] = {k: v for k, v in whole.record.items() if k != "inputs"} | {"count": 11}
    content = out.read_bytes()
    out.rename(out.with_name("x.draft.npy"))
    out.with_name("x.draft.json").write_text(json.dumps(state))
    model = Colors()
    extract(folder, model, out=out, batch_size=3)
    assert model.batches == 0
    assert out.read_bytes() == content
    assert files(out) == ["x.json", "x.npy"]


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


def test_a_draft_of_something_else_is_refused(folder, out):
    interrupted(folder, out, 2)
    draft = out.with_name("x.draft.npy")
    message = f"{draft}: was begun with batch_size 3, now it is 4; delete it to start again"
    with refused(ValueError, message):
        extract(folder, Colors(), out=out, batch_size=4)
    message = f"{draft}: was begun with model 'pictured.Colors', now it is 'other'"
    with refused(ValueError, message):
        extract(folder, Colors(), out=out, batch_size=3, name="other")
    save(Path(folder) / "zz.png", np.zeros((16, 16, 3), np.uint8))
    with refused(ValueError, f"{draft}: was begun with count 11, now it is 12"):
        extract(folder, Colors(), out=out, batch_size=3)


def test_a_folder_that_has_changed_is_refused_where_rows_are_done(folder, out):
    interrupted(folder, out, 2)
    last, first = Path(folder) / "more" / "010.png", Path(folder) / "000.png"
    save(last, np.zeros((16, 16, 3), np.uint8))  # no row yet
    interrupted(folder, out, 1)
    save(first, np.zeros((16, 16, 3), np.uint8))
    message = f"{out.with_name('x.draft.npy')}: has 9 rows of images that have changed since"
    with refused(ValueError, message):
        extract(folder, Colors(), out=out, batch_size=3)
    out.with_name("x.draft.npy").unlink()
    actual = extract(folder, Colors(), out=out, batch_size=3)
    assert np.array_equal(actual, colors(as_arrays(folder)))


def test_a_draft_that_was_cut_is_refused_and_not_filled_up_with_zeros(folder, out):
    interrupted(folder, out, 2)
    draft = out.with_name("x.draft.npy")
    content = draft.read_bytes()[:-1]
    draft.write_bytes(content)
    with refused(ValueError, f"{draft}: is damaged ("):
        extract(folder, Colors(), out=out, batch_size=3)
    assert draft.read_bytes() == content


def test_a_picture_that_breaks_in_the_middle_is_named_and_the_rows_before_it_stay(folder, out):
    last = Path(folder) / "more" / "010.png"
    content = last.read_bytes()
    last.write_bytes(content[:200])  # begins as a picture
    with refused(ValueError, f"{last}: an image that Pillow reads expected ("):
        extract(folder, Colors(), out=out, batch_size=3)
    last.write_bytes(content)
    model = Colors()
    extract(folder, model, out=out, batch_size=3)
    assert model.batches == 1


def test_a_json_file_of_somebody_else_is_not_overwritten(folder, out):
    own, model = out.with_suffix(".json"), Colors()
    own.write_text('{"mine": 1}')
    message = f"out: a record of features or no file expected at {own}, got another file; move it"
    with refused(ValueError, message):
        extract(folder, model, out=out)
    assert (model.batches, own.read_text(), files(out)) == (0, '{"mine": 1}', ["x.json"])
