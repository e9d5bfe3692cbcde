"""Models of texts of sentence-transformers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from prfast.features.model import (
    Model,
    Wanted,
    checksum,
    fetching,
    precision,
    ready,
    refuse_layer,
    vectors,
    versions,
)
from prfast.inputs.errors import WrongValue
from prfast.inputs.extra import load_extra


def load(wanted: Wanted) -> Model:
    """A name of the hub, or a folder; features are those of `encode`."""
    library = load_extra("sentence_transformers", "this model", "features")
    refuse_layer(wanted, "sentence-transformers")
    if wanted.weights is not None:
        raise WrongValue(
            "weights", f"None expected, a model has one folder of them; got {wanted.weights!r}"
        )
    here = os.path.isdir(wanted.name)
    with fetching(f"sentence-transformers:{wanted.name}"):
        made = library.SentenceTransformer(wanted.name, device=wanted.device)
    module = ready(made, wanted.device)

    def features(texts: Sequence[str]) -> Any:
        found = module.encode(
            list(texts), batch_size=len(texts), show_progress_bar=False, convert_to_numpy=True
        )
        return vectors(found, len(texts))

    name = os.path.basename(os.path.abspath(wanted.name)) if here else wanted.name
    record = {
        "kind": "texts",
        "model": f"sentence-transformers:{name}",
        "library": "sentence-transformers",
        "weights": "of a folder" if here else "published",
        "weights_sha256": checksum(module),
        "layer": "encode",
        "prepare": f"at most {module.max_seq_length} tokens",
        "dtype": precision(module),
        "versions": versions("sentence-transformers", "transformers"),
    }
    return Model(str, features, record)
