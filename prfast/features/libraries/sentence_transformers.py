"""Text encoders of sentence-transformers."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from prfast.features.model import (
    Model,
    Wanted,
    fetching,
    made,
    ready,
    refuse_layer,
    vectors,
)
from prfast.inputs.errors import WrongValue, load_extra


def load(wanted: Wanted) -> Model:
    """Load a model by its name on the hub or from a folder; features: `encode`."""
    library = load_extra("sentence_transformers", "this model", "features")
    refuse_layer(wanted, "sentence-transformers")
    if wanted.weights is not None:
        raise WrongValue(
            "weights", f"None expected, a model has one folder of them; got {wanted.weights!r}"
        )
    here = os.path.isdir(wanted.name)
    with fetching(f"sentence-transformers:{wanted.name}"), _bars_where_somebody_watches():
        found = library.SentenceTransformer(wanted.name, device=wanted.device)
    module = ready(found, wanted.device)

    def features(texts: Sequence[str]) -> Any:
        rows = module.encode(
            list(texts), batch_size=len(texts), show_progress_bar=False, convert_to_numpy=True
        )
        return vectors(rows, len(texts))

    name = os.path.basename(os.path.abspath(wanted.name)) if here else wanted.name
    record = made(
        "sentence-transformers",
        name,
        module,
        weights="of a folder" if here else "published",
        layer="encode",
        prepare=f"at most {module.max_seq_length} tokens",
        packages=("sentence-transformers", "transformers"),
        kind="texts",
    )
    return Model(str, features, record)


@contextmanager
def _bars_where_somebody_watches() -> Iterator[None]:
    """Hide the bar of transformers for loading weights, which would also be drawn into logs."""
    bars = load_extra("transformers.utils.logging", "this model", "features")
    quiet = bars.is_progress_bar_enabled() and not (sys.stderr and sys.stderr.isatty())
    if quiet:
        bars.disable_progress_bar()
    try:
        yield
    finally:
        if quiet:
            bars.enable_progress_bar()
