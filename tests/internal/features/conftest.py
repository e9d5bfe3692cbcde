"""No test waits for a network: a hub of models answers from its cache, or not at all."""

import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")
