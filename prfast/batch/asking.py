"""Questions of which those wait that need what is not known yet.

What is not known is NaN, and no question is asked about a NaN; so one look at the computation finds
everything that can be asked now.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from prfast.balls import Search
from prfast.balls.engines.blocks.engine import Blocks
from prfast.balls.resources import Points, Resources
from prfast.balls.tasks import Count, Kth, LogSum, Nearest, Task
from prfast.batch.folder import Waiting


class Patient(Blocks):
    """Leaves out what cannot be answered yet; then `waits` is True, and answers are not to be
    used."""

    waits = False

    def run(
        self,
        queries: Points,
        refs: Sequence[Points],
        tasks: Sequence[Task],
        resources: Resources,
    ) -> None:
        known = [task for task in tasks if _is_known(task)]
        counts = [task for task in known if isinstance(task, Count)]
        asked: list[list[Task]] = [[task] for task in known if not isinstance(task, Count)]
        asked += [[task for task in counts if task.side == side] for side in range(len(refs))]
        done: list[Task] = []
        for some in asked:
            try:
                super().run(queries, refs, some, resources)
                done += some
            except Waiting:
                pass
        for task in tasks:
            if not any(task is one for one in done):
                self.waits = True
                _leave(task, len(queries))


class PatientSearch(Search):
    def __init__(self, rows: int, backend: str) -> None:
        super().__init__(backend, 1, progress=False)
        self._blocks = self._patient = Patient(rows, listed=False)

    @property
    def waits(self) -> bool:
        return self._patient.waits


def _is_known(task: Task) -> bool:
    """Are its thresholds numbers?"""
    match task:
        case Count():
            given: Any = task.ref_t if task.query_t is None else task.query_t
        case LogSum():
            given = task.t
        case _:
            return True
    return not np.isnan(given).any()


def _leave(task: Task, queries: int) -> None:
    """The answer that is not known; counts and sums stay as they are, and nothing is asked of
    them."""
    match task:
        case Kth():
            task.d2 = np.full((queries, len(task.ks)), np.nan)
        case Nearest():
            task.open(queries)
            for array in (task.d2_a, task.d2_b, task.d2_both):
                array[:] = np.nan
            for counts in (task.of_a, task.of_b, task.across_a, task.across_b):
                counts[:] = 0
