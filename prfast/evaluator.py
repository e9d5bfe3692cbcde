"""Where pickles of 0.1 look for an Evaluator, which is refused; until 1.0."""

from __future__ import annotations


def __getattr__(name: str) -> None:
    if name == "Evaluator":
        raise ImportError(
            "prfast.evaluator: a pickled Evaluator of this version expected; make it again "
            "(the class is prfast.Evaluator)"
        )
    raise AttributeError(f"module 'prfast.evaluator' has no attribute {name!r}")
