"""One reference and many models, or one model class by class.

reference ──► Evaluator (evaluator, reference): split, radii, neighbors within it
                  │
a model's samples ┴─► Evaluation: curves, metrics ─► Comparison (results) ─► differences
labels of classes ──► by_class (classes) ─► Groups (class_results)
"""

from prfast.comparison.class_results import Change, Groups
from prfast.comparison.classes import by_class
from prfast.comparison.differences import Difference, Differences
from prfast.comparison.evaluator import Evaluator
from prfast.comparison.results import Comparison, Evaluation

__all__ = [
    "Change",
    "Comparison",
    "Difference",
    "Differences",
    "Evaluation",
    "Evaluator",
    "Groups",
    "by_class",
]
