"""Sentences of five topics: what they are, and that recall falls where topics are dropped."""

from types import SimpleNamespace

import pytest

from bench.papers import text_topics, topics

pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module")
def sentences():
    return topics.sentences()


@pytest.fixture
def options(tmp_path):
    return SimpleNamespace(case="text_topics", results=tmp_path, tiny=True, draws=2, per_topic=300)


@pytest.fixture(scope="module")
def embedded(sentences):
    texts, labels = text_topics.some_sentences(sentences, 200)
    return topics.tf_idf(texts), labels


def test_recall_grows_with_every_topic(embedded, monkeypatch, options):
    monkeypatch.setattr(text_topics, "METHODS", ("kmeans", "knn", "classifier"))
    rows, _ = text_topics.compare("TF-IDF", *embedded, 100, options)
    for method in text_topics.METHODS:
        own = text_topics.rows_of(rows, "TF-IDF", method)
        assert [row["topics"] for row in own] == [1, 3, 5]
        assert own[0]["area"] < own[-1]["area"], method
        assert own[0]["f_8"] < own[-1]["f_8"], method
        assert own[-1]["iou"] > 0.9, method  # all topics on both sides: the square
    result = {figure.name: figure.met for figure in text_topics.figures_of("TF-IDF", rows)}
    assert result["TF-IDF, kmeans: area, least step"]
    assert result["TF-IDF, kmeans: F_8, least step"]
