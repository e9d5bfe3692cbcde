"""Property tests draw the same cases in every run; PRFAST_EXPLORE=1 draws new ones, and more."""

import os

from hypothesis import settings

settings.register_profile("seeded", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("explore" if os.environ.get("PRFAST_EXPLORE") else "seeded")
