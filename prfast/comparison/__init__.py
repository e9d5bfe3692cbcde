"""One reference and many models, or one model class by class.

evaluator   Evaluator: the reference prepared once, any number of sets against it
models      what models got: curves and metrics of one, and a table of several
classes     curves and metrics of each class; dropped and invented classes
"""

from prfast.comparison.classes import Change, Groups, by_class
from prfast.comparison.evaluator import Evaluator
from prfast.comparison.models import Comparison, Evaluation

__all__ = ["Change", "Comparison", "Evaluation", "Evaluator", "Groups", "by_class"]
