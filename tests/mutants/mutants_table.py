"""The table of all mutants: the lists of the modules `of_….py`."""

from importlib import import_module
from pathlib import Path

from mutant import Mutant

MUTANTS: list[Mutant] = [
    row
    for path in sorted(Path(__file__).parent.glob("of_*.py"))
    for rows in vars(import_module(path.stem)).values()
    if isinstance(rows, list)
    for row in rows
]
