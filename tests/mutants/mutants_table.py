"""The table of all mutants."""

from __future__ import annotations

from mutant import Mutant
from of_auto import AUTO
from of_c import C
from of_cli import CLI
from of_curves import CURVES
from of_distributed import DISTRIBUTED
from of_files import FEATURES, FILES
from of_inputs import INPUTS
from of_report import PLOTS, REPORT, RESULTS
from of_samples import NEIGHBORS, SCORERS, SPLITS
from of_scalars import ERRORS, METRICS
from of_stored import STORED
from of_views import DUALS, VIEWS

MUTANTS: list[Mutant] = [
    *NEIGHBORS,
    *SPLITS,
    *CURVES,
    *DUALS,
    *VIEWS,
    *SCORERS,
    *AUTO,
    *METRICS,
    *ERRORS,
    *INPUTS,
    *FILES,
    *FEATURES,
    *REPORT,
    *RESULTS,
    *PLOTS,
    *STORED,
    *DISTRIBUTED,
    *CLI,
    *C,
]
