"""One reference and many models, or one model class by class.

    evaluator   Evaluator: the reference prepared once, any number of sets against it
    evaluating  ... what it says of sets
    batched     ... samples as they are made;  batches: copies of them
    prepared    a reference with what depends on it alone
    wanted      the options of an evaluator
    state       what an evaluator has seen, for a checkpoint
    evaluation  what one model got: curves and metrics;  models: a table of several
    numbers     ... in one list, with what the ± are made of
    differences is one better than another: every pair, ± what sampling explains
    difference  ... as values, in a table and in words
    classes     curves and metrics of each class
    groups      ... as values; dropped and invented classes
    cards       all of these as notebooks show them

             reference ─► Evaluator: its split, radii of its balls, its neighbours in itself
                              │
    a model's samples ────────┴─► Evaluation: curves, metrics ─► Comparison, a column a model

What is said of a class is said of its samples alone, or, of neighbours among all, of the scores and
counts that its samples got; a class that only one of the two sets has is dropped or invented.
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
