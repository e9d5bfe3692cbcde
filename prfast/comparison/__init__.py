"""One reference and many models, or one model class by class.

evaluator    Evaluator: a reference prepared once, samples in batches, pickle, checkpoints
reference    the prepared reference: cached splits, radii, neighbors; options of an evaluator
batches      samples added batch by batch; the checkpoint format of `Evaluator.state_dict`
results      Evaluation, curves and metrics of a model; Comparison, a table of several
pairs        differences of all pairs of models by a number: simultaneous intervals, p-values
differences  the same by all numbers of models
classes      by_class: curves and metrics of each class
class_results  Groups, its result: dropped and invented classes

         reference ─► Evaluator: split, radii of balls, neighbors within the reference
                          │
a model's samples ────────┴─► Evaluation: curves, metrics ─► Comparison, a row a model
"""

from prfast.comparison.class_results import Change, Groups
from prfast.comparison.classes import by_class
from prfast.comparison.differences import Differences
from prfast.comparison.evaluator import Evaluator
from prfast.comparison.pairs import Difference
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
