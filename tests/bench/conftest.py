"""The bench is imported from the folder, prfast from where it is installed."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))
