"""`prfast plan`, `prfast block` and `prfast finalize`."""

from terminal import *  # noqa: F403
