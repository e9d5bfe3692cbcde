"""What an engine is: one method that answers tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from prfast.balls.resources import Resources
from prfast.balls.rows import Points
from prfast.balls.tasks import Task


class Engine(Protocol):
    """Answers are those of the exact engine to the last bit, unless its name says otherwise."""

    def run(
        self,
        queries: Points,
        refs: Sequence[Points],
        tasks: Sequence[Task],
        resources: Resources,
    ) -> None:
        """Answer the tasks about the queries and the references: one set, or a and b of a Nearest.

        Rows are contiguous; `refs` holds `queries` itself where a task is within a set.
        """
        ...
