"""Features of pictures by a function: what is read, in which order, and what is said of it."""

import os
from pathlib import Path

import numpy as np
import pytest
from pictured import Colors, Image, as_arrays, colors, pictures, save
from refusals import refusals, refused

import prfast
from prfast import load
from prfast.features import extract


def test_a_folder_is_read_with_the_folders_in_it_in_the_order_of_paths(tmp_path):
    folder = pictures(tmp_path, 7)
    actual = extract(folder, colors, batch_size=3)
    assert np.array_equal(actual, colors(as_arrays(folder)))
    assert actual.dtype == np.float32
    assert type(actual) is prfast.features.Features


def test_an_array_in_a_file_is_taken_as_it_is(tmp_path):
    arrays = as_arrays(pictures(tmp_path / "pictures", 4))
    np.savez(tmp_path / "samples.npz", arr_0=arrays, arr_1=np.arange(4))
    actual = extract(f"{tmp_path / 'samples.npz'}:arr_0", colors)
    assert np.array_equal(actual, colors(arrays))
    np.save(tmp_path / "samples.npy", arrays[0])
    message = f"{tmp_path / 'samples.npy'}: images of shape (n, height, width, 3) expected, got"
    with refused(ValueError, message):
        extract(tmp_path / "samples.npy", colors)


def test_the_record_says_what_it_can_of_a_function(tmp_path):
    record = extract(pictures(tmp_path / "a", 4), colors, batch_size=3).record
    assert record["model"] == "pictured.colors"
    assert record["library"] == "own"
    assert record["prepare"] == "uint8"
    assert record["weights_sha256"] is None
    assert set(record["versions"]) == {"prfast", "pillow"}
    assert (record["batch_size"], record["inputs"]["count"]) == (3, 4)
    assert extract(pictures(tmp_path / "b", 4), Colors()).record["model"] == "pictured.Colors"


def test_the_checksum_is_of_names_and_contents(tmp_path):
    def digest():
        return extract(str(tmp_path), colors).record["inputs"]["sha256"]

    pictures(tmp_path, 4)
    first = digest()
    assert digest() == first
    os.rename(tmp_path / "000.png", tmp_path / "0000.png")
    renamed = digest()
    assert renamed != first
    content = (tmp_path / "0000.png").read_bytes()
    (tmp_path / "0000.png").write_bytes(content + b"\0")  # the same picture
    assert digest() != renamed


def test_prepare_makes_what_the_model_is_given(tmp_path):
    def corner(picture):
        return picture.crop((0, 0, 4, 4))

    folder = pictures(tmp_path, 4)
    actual = extract(folder, colors, prepare=corner)
    assert np.array_equal(actual, colors(as_arrays(folder)[:, :4, :4]))
    assert actual.record["prepare"].endswith("corner")


def test_pictures_of_several_sizes_go_through_the_model_by_size(tmp_path):
    pictures(tmp_path, 4, size=8)
    save(tmp_path / "001.png", np.full((5, 9, 3), 7, np.uint8))
    actual = extract(str(tmp_path), colors)
    assert np.array_equal(actual[1], [7, 7, 7, 0, 0, 0])
    assert np.array_equal(actual[0], colors(np.array(Image.open(tmp_path / "000.png"))[None])[0])


def test_other_files_are_left_out_and_counted(tmp_path):
    pictures(tmp_path, 4)
    (tmp_path / "labels.txt").write_text("0 1 2 3")
    (tmp_path / "._000.png").write_text("of a Mac")
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache" / "a.png").write_text("no picture")
    inputs = extract(str(tmp_path), colors).record["inputs"]
    assert (inputs["count"], inputs["left_out"]) == (4, 1)


@pytest.mark.parametrize(
    ("mode", "color", "expected"),
    [
        ("L", 100, (100, 100, 100)),
        ("1", 1, (255, 255, 255)),
        ("RGBA", (10, 20, 30, 0), (10, 20, 30)),
    ],
)
def test_other_modes_become_rgb(tmp_path, mode, color, expected):
    Image.new(mode, (4, 4), color).save(tmp_path / "a.png")
    assert np.array_equal(extract(str(tmp_path), colors)[0], [*expected, 0, 0, 0])


def of_unseen(images, **options):
    """Return features by a model, which no picture may reach before an error."""
    model = Colors()
    try:
        return extract(images, model, **options)
    finally:
        assert model.batches == 0


def test_files_that_are_no_pictures_are_named(tmp_path):
    folder = pictures(tmp_path, 4)
    (tmp_path / "zz.png").write_text("no picture")
    message = f"{tmp_path / 'zz.png'}: an image that Pillow reads expected (cannot identify"
    with refused(ValueError, message):
        of_unseen(folder, batch_size=1)


def test_deep_pictures_are_refused(tmp_path):
    save(tmp_path / "a.png", np.full((4, 4), 40_000, np.uint16))
    message = f"{tmp_path / 'a.png'}: an image of 8 bits per channel expected, got Pillow's mode I"
    with refused(ValueError, message):
        of_unseen(str(tmp_path))


PICTURES = np.zeros((2, 4, 4, 3), np.uint8)

test_what_is_no_set_of_pictures_is_refused = refusals("""
of_unseen("none")
    FileNotFoundError: [Errno 2] No such file or directory: 'none'
of_unseen(PICTURES / 255)
    TypeError: images: images of dtype uint8, 0 to 255, expected, got float64;
    np.rint(255 * images).astype(np.uint8) makes it of values in [0, 1]
of_unseen(PICTURES, prepare=1)
    TypeError: prepare: a function of an image expected, got an int
of_unseen(PICTURES, out="x.csv")
    ValueError: out: a file ending in .npy expected, got 'x.csv'
of_unseen(PICTURES, device="cuda")
    ValueError: device: 'cpu' expected for a function, got 'cuda'
""")


def test_features_that_are_not_finite_are_named_by_their_picture(tmp_path):
    def broken(images):
        return np.where(np.arange(len(images))[:, None] == 2, np.nan, 1.0)

    message = f"{os.path.join('more', '002.png')}: finite features expected"
    with refused(ValueError, message):
        extract(pictures(tmp_path, 4), broken)
    with refused(ValueError, "images[2]: finite features expected"):
        extract(as_arrays(tmp_path), broken)


def test_batches_of_two_widths_or_of_none_are_refused():
    images = np.zeros((4, 4, 4, 3), np.uint8)
    message = "model: 3 features of float64 as before expected, got 1 of float64"
    with refused(ValueError, message):
        extract(images, lambda batch: np.ones((len(batch), len(batch))), batch_size=3)
    message = "model: floats of shape (4, d) of 4 images expected, got float64 of shape (4, 0)"
    with refused(ValueError, message):
        extract(images, lambda batch: np.ones((len(batch), 0)))


def test_a_link_to_a_folder_above_is_refused(tmp_path):
    folder = pictures(tmp_path / "pictures", 4)
    os.symlink(folder, os.path.join(folder, "more", "again"))
    message = f"{os.path.join(folder, 'more', 'again')}: a folder expected, got a link to a folder"
    with refused(ValueError, message):
        of_unseen(folder)


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


@pytest.mark.parametrize("change", ["picture", "batch_size", "shape", "no record"])
def test_something_else_takes_the_place_of_what_is_there(folder, out, change):
    extract(folder, Colors(), out=out)
    options = {}
    if change == "picture":
        save(Path(folder) / "000.png", np.zeros((16, 16, 3), np.uint8))
    elif change == "batch_size":
        options["batch_size"] = 2
    elif change == "shape":
        np.save(out, np.load(out)[:5])
    else:
        out.with_suffix(".json").unlink()
    model = Colors()
    actual = extract(folder, model, out=out, **options)
    assert model.batches > 0
    assert np.array_equal(actual[:5], colors(as_arrays(folder)[:5]))
    assert actual.record == load(out).record


def test_paths_and_arrays_give_the_same(tmp_path):
    folder = pictures(tmp_path, 4)
    arrays = as_arrays(folder)
    paths = [tmp_path / "000.png", str(tmp_path / "001.png")]
    assert np.array_equal(extract(paths, colors), colors(arrays[:2]))
    assert np.array_equal(extract(arrays, colors), colors(arrays))


def test_a_json_file_of_somebody_else_is_not_overwritten(folder, out):
    file, model = out.with_suffix(".json"), Colors()
    file.write_text('{"mine": 1}')
    message = f"out: a record of features or no file expected at {file}, got another file; move it"
    with refused(ValueError, message):
        extract(folder, model, out=out)
    assert (model.batches, file.read_text(), files(out)) == (0, '{"mine": 1}', ["x.json"])
