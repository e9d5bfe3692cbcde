"""Class dropping and inventing on features of CIFAR-10 images (2018 §4.1, 2019 Fig. 2).

P: classes 0–4.  Q: classes 0 to q − 1, q = 1..9, other images, as many of each class.  The file
has `features` (n, d) and integer `labels` (n,), at least 280 images a class.
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from bench.papers import class_cases
from bench.report import Findings

DATA = Path(__file__).parents[3] / "shared" / "data" / "cifar10_features.npz"


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        type=Path,
        default=DATA,
        metavar="FILE",
        help=".npz of features (n, d) and whole labels (n,) of images "
        "(default: ../shared/data/cifar10_features.npz)",
    )


def run(options: Namespace) -> Findings:
    features, labels = load(options)
    qs, per_class = ((3, 7), 20) if options.tiny else (range(1, 10), 140)
    return class_cases.compare(features, labels, qs=qs, per_class=per_class)


def load(options: Namespace) -> tuple[Any, Any]:
    """Return the features and labels of --data."""
    if not options.data.is_file():
        raise SystemExit(f"{options.case}: no file {options.data}; say --data FILE.npz")
    try:
        return read(options.data)
    except (KeyError, IndexError, ValueError, OSError) as error:
        raise SystemExit(
            f"{options.case}: {options.data}: a .npz file with `features` (n, d) and `labels` (n,) "
            f"expected: {error}"
        ) from None


def read(path: Path) -> tuple[Any, Any]:
    """Features, as float32, and labels of a file."""
    import numpy as np

    with np.load(path, allow_pickle=False) as archive:
        return archive["features"].astype(np.float32), archive["labels"]
