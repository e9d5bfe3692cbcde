"""The metrics by name."""

from __future__ import annotations

NAMES = (
    "precision",
    "recall",
    "density",
    "coverage",
    "complementary_precision",
    "symmetric_precision",
    "symmetric_recall",
    "precision_cover",
    "recall_cover",
    "p_precision",
    "p_recall",
    "f1",
)


# What a name is computed from, where it is not computed itself.
_PARTS = {
    "symmetric_precision": ("precision", "complementary_precision"),
    "symmetric_recall": ("recall", "coverage"),
    "f1": ("precision", "recall"),
}
