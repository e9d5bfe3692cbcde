"""One reference and many models, or one model class by class.

    evaluator    Evaluator: options, merging, checkpoints, pickling
    evaluating   its base classes: curves and metrics of a set; samples added batch by batch
    prepared     the options of an evaluator; a reference with cached splits, radii, neighbours
    state        Batches, copies of batches; the checkpoint format of `Evaluator.state_dict`
    models       Evaluation, curves and metrics of a model; Comparison, a table of several
    differences  differences of all pairs of models: errors, simultaneous intervals, p-values
    difference   Difference and Differences, their values as sentences and a table
    classes      by_class: curves and metrics of each class
    groups       Groups and Change, its values; tables of numbers with ±; HTML for notebooks

             reference ─► Evaluator: split, radii of balls, neighbours within the reference
                              │
    a model's samples ────────┴─► Evaluation: curves, metrics ─► Comparison, a column a model

Results of a class come either from its samples alone (neighbors="class") or from the scores and
counts of its samples among all (neighbors="all").  A class with clearly less generated than real
mass is dropped, one with clearly more is invented.
"""

from prfast.comparison.classes import by_class
from prfast.comparison.difference import Difference, Differences
from prfast.comparison.evaluator import Evaluator
from prfast.comparison.groups import Change, Groups
from prfast.comparison.models import Comparison, Evaluation

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
