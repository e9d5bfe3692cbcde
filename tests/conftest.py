"""Property tests draw the same cases in every run; PRFAST_EXPLORE=1 draws new ones, and more, and
`python -m tests.fuzz` new ones, as many."""

import os

from hypothesis import settings

settings.register_profile("seeded", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None, max_examples=2000)
if os.environ.get("PRFAST_EXPLORE") != "fuzz":  # which has a profile of its own
    settings.load_profile("explore" if os.environ.get("PRFAST_EXPLORE") else "seeded")
