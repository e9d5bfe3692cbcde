"""What to know of samples before their numbers are believed: notes on standard error."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from prfast.cli.samples import Inputs
from prfast.comparison.groups import Groups
from prfast.curve.notes import FEW, copied_note, few_note, notes_of, repeated_note
from prfast.estimate.check import ENOUGH
from prfast.estimate.guard import contradictions
from prfast.inputs.copies import equal_rows, row_keys
from prfast.inputs.features import plain
from prfast.results.text import shortened


def of_curves(names: Sequence[str], infos: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the notes on the curve of each model."""
    for name, info in zip(names, infos, strict=True):
        yield from (f"{name}: {text}" for text in notes_of(info))


def of_metrics(names: Sequence[str], inputs: Inputs) -> Iterator[str]:
    """Yield a note for each model whose metrics are of few samples."""
    for name, m in zip(names, inputs.sizes, strict=True):
        yield from (f"{name}: {text}" for text in few_note((len(inputs.real), m)))


def equal_samples(
    names: Sequence[str], inputs: Inputs, infos: Sequence[Mapping[str, Any]] = ()
) -> Iterator[str]:
    """Yield a note on each file that equals another one, and on equal rows; none for samples in
    pieces.

    infos: of the curves of the models, if there are any; what they record has its note already.
    """
    real: Any = plain(inputs.real)
    if not isinstance(real, np.ndarray):
        return
    seen: dict[bytes, str] = {}
    for i, (name, path) in enumerate(zip(names, inputs.paths, strict=True)):
        fake = plain(inputs.fake(path))
        same = seen.setdefault(row_keys(fake).tobytes(), name)
        if np.array_equal(fake, real):
            yield f"{name}: the samples of the real file, row by row"
            continue
        if same != name:
            yield f"{name}: the samples of {same}, row by row"
        if infos and {"copied", "distinct"} & infos[i].keys():
            continue
        size, equal = len(fake), equal_rows(real, fake)
        for text in (
            *copied_note(equal.copied, size, discrete=equal.discrete),
            *repeated_note(len(equal.counts[1]), size, "generated"),
        ):
            yield f"{name}: {text}"


def other_sizes(names: Sequence[str], inputs: Inputs) -> Iterator[str]:
    """Of models that have not as many samples as the first one."""
    first = inputs.sizes[0]
    for name, m in zip(names, inputs.sizes, strict=True):
        if m != first and min(len(inputs.real), m) >= FEW:
            yield (
                f"{name}: {m} generated samples, {names[0]}: {first}; curves of different numbers "
                "differ for that alone"
            )


def class_cautions(name: str, groups: Groups) -> Iterator[str]:
    """Where curves of classes contradict their metrics; a note a sentence, with its classes."""
    found: dict[str, list[str]] = {}
    for label, metrics in groups.metrics.items():
        if min(metrics.info["class_real"], metrics.info["class_fake"]) < ENOUGH:
            continue
        for caution in contradictions(groups.curves.get(label, {}), metrics):
            found.setdefault(caution, []).append(str(label))
    for caution, labels in found.items():
        noun = "class" if len(labels) == 1 else "classes"
        yield f"{name}, {noun} {shortened(labels)}: {caution}"
