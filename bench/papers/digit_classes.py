"""Class dropping and inventing on scikit-learn's digits (2018 §4.1, 2019 Fig. 2).

P: digits 0–4.  Q: digits 0 to q − 1, q = 1..10, other images, as many of each digit.
"""

from __future__ import annotations

from argparse import Namespace

from bench.papers import class_cases
from bench.results import Findings


def run(options: Namespace) -> Findings:
    from prfast.cli import demo

    features, labels = demo.digits()
    qs, per_class = ((3, 7), 20) if options.tiny else (range(1, 11), 87)
    return class_cases.compare(features, labels, qs=qs, per_class=per_class)
