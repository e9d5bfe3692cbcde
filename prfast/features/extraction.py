"""Extraction of features from images, by batches, into memory or a .npy file."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.features.models import Model, load_model, load_own
from prfast.features.pictures import Images, read_images
from prfast.files.readers import load_array
from prfast.files.write import has_record, reserve, sidecar, write_record
from prfast.inputs.arrays import blocks
from prfast.inputs.concurrency import resolve_threads, thread_pool
from prfast.inputs.errors import WrongType, WrongValue, kind_of
from prfast.inputs.options import Progress, ProgressOption, read_count, read_progress
from prfast.samples.features import Features, record_of, with_record


def extract(
    images: Any,
    model: Any,
    *,
    out: str | os.PathLike[str] | None = None,
    batch_size: int = 64,
    device: str = "cpu",
    layer: str | None = None,
    weights: str | None = None,
    seed: int = 0,
    prepare: Callable[[Any], Any] | None = None,
    name: str | None = None,
    n_jobs: int | None = None,
    progress: ProgressOption = None,
) -> Features:
    """Extract features of images, with a record of how they were computed.

    Parameters
    ----------
    images : path, list of paths, or array
        A folder, searched recursively for .jpg, .jpeg, .png, .ppm, .bmp, .pgm, .tif, .tiff and
        .webp, in the order of their paths, without names that begin with a dot; a list of paths; a
        uint8 array (n, height, width, 3), or a file with one, such as .npy or samples.npz:arr_0.
        Pillow reads image files, only the first frame of several, and converts other modes to RGB:
        grey values are repeated, palettes looked up, transparency dropped.  EXIF rotation is not
        applied; images of more than 8 bits per channel are refused.
    model : str, torch.nn.Module or function
        A name of torch-fidelity ("inception-v3-compat", "vgg16", "clip-vit-b-32",
        "dinov2-vit-b-14", …) or "timm:NAME"; each library resizes and scales in its own way.  A
        module, in evaluation mode, is called with float32 in [0, 1] of shape (b, 3, height, width),
        a function with uint8 arrays of shape (b, height, width, 3), or either with what `prepare`
        returns; both return floats (b, d).
    out : path, optional
        A .npy file; the record is written next to it as .json.  An existing file is replaced once
        the new one is complete, or left unchanged if it already has these features.  None
        (default): features stay in memory.
    batch_size : int
        Number of images that go through the model together; default 64.
    device : str
        Device of torch: "cpu" (default), "cuda", …
    layer : str, optional
        Layer of a model of torch-fidelity whose output is the features.  None (default): its layer
        for precision and recall.
    weights : str, optional
        None (default): the published weights.  "random": of a model of timm, drawn from `seed`.
        Otherwise a file with a state dictionary.
    seed : int
        Seed of random weights; default 0.
    prepare : function, optional
        Only for a model of your own: maps an RGB image of Pillow to the model's input.
    name : str, optional
        Only for a model of your own: its name in the record; by default the name of the function
        or of the module's class.
    n_jobs : int or None
        Threads that read and prepare images, at most the usable cores; None (default) and -1 use
        all of these.
    progress : bool or None
        Whether to show a progress bar.  None (default): in a terminal or notebook, for work of
        more than two seconds.

    Returns
    -------
    Features
        An array of shape (n, d) with the dtype of the model's output, memory-mapped if `out` is
        given.  Its `record` becomes part of every result (`info["features"]`).

    Raises
    ------
    TypeError, ValueError
        No images, an image that Pillow cannot read, an unknown model, features that are not finite;
        the message names the argument or the file.
    OSError
        The weights cannot be loaded.
    ImportError
        A package is missing (extra: features).
    """
    batch_size = read_count("batch_size", batch_size)
    threads = resolve_threads(n_jobs)
    bar = read_progress(progress)
    path = None if out is None else _read_out(out)
    if isinstance(model, str):
        _refuse({"prepare": prepare, "name": name}, "a module or a function of your own")
    elif callable(model):
        _refuse({"weights": weights, "layer": layer}, "a model of a library")
    else:
        raise WrongType("model", f"a name, a module or a function expected, got {kind_of(model)}")
    inputs = read_images("images", images)
    if isinstance(model, str):
        loaded = load_model(model, weights, seed, layer, device)
    else:
        loaded = load_own(model, name, prepare, device)
    config = loaded.record | {"batch_size": batch_size, "device": device}

    def record(checksum: str) -> dict[str, Any]:
        return config | {"inputs": {"count": len(inputs), "sha256": checksum} | inputs.about}

    if path is not None and _is_complete(path, config, inputs, record):
        return _load(path)
    total = hashlib.sha256()  # of the images, batch by batch
    batches = _extract_batches(inputs, loaded, batch_size, threads, bar, total)
    if path is None:
        rows = _collect(batches, len(inputs), np.empty)
        features: Features = with_record(rows, record(total.hexdigest()))
        return features
    draft = f"{os.path.splitext(path)[0]}.{os.urandom(4).hex()}.npy"
    try:
        _collect(batches, len(inputs), partial(_new_file, draft, path))
        # In this order: a record is never read with other rows.
        write_record(path, record(total.hexdigest()), draft)
        os.replace(draft, os.path.realpath(path))
    finally:
        with suppress(FileNotFoundError):  # it was moved, or not created
            os.unlink(draft)
    return _load(path)


def _collect(
    batches: Iterator[tuple[int, NDArray[Any]]], count: int, new: Callable[..., Any]
) -> Any:
    """Return the features of all batches; new: creates an array of a shape and a dtype."""
    features: Any = None
    for start, rows in batches:
        if rows.shape[1] == 0:
            raise WrongValue("model", f"at least one feature expected, got shape {rows.shape}")
        if features is None:
            features = new((count, rows.shape[1]), rows.dtype)
        if (rows.shape[1], rows.dtype) != (features.shape[1], features.dtype):
            raise WrongValue(
                "model",
                f"{features.shape[1]} features of {features.dtype} as in the batches before "
                f"expected, got {rows.shape[1]} of {rows.dtype}",
            )
        features[start : start + len(rows)] = rows
    return features


def _new_file(draft: str, path: str, shape: tuple[int, int], dtype: Any) -> Any:
    """Return a new .npy file that is mapped into memory, with its space on the disk reserved; its
    final path is for errors."""
    try:
        np.lib.format.open_memmap(draft, "w+", dtype, shape)
        reserve(draft)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
    return np.lib.format.open_memmap(draft, "r+")


def _extract_batches(
    inputs: Images, model: Model, size: int, threads: int, progress: Progress, total: Any
) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield the first row of each batch, and its features; total: is updated by their images.

    One batch is loaded and prepared while the model computes the features of the batch before.
    """

    def prepare(i: int) -> tuple[Any, bytes]:
        image, digest = inputs.load(i)
        return model.prepare(image), digest

    count = len(inputs)
    batches = [range(count)[rows] for rows in blocks(count, size)]
    threads = min(threads, count)
    with thread_pool(threads) as executor, progress.work(count, "features"):
        waiting = [executor.submit(prepare, i) for batch in batches[:1] for i in batch]
        for batch, following in zip(batches, [*batches[1:], range(0)], strict=False):
            prepared = [future.result() for future in waiting]
            waiting = [executor.submit(prepare, i) for i in following]
            rows = model.features([item for item, _ in prepared])
            finite = np.isfinite(rows).all(axis=1)
            if not finite.all():
                name = inputs.names[batch[int((~finite).argmax())]]
                raise WrongValue(name, "finite features expected, got others from the model")
            for _, digest in prepared:
                total.update(digest)
            yield batch.start, rows
            progress.advance(len(batch))


def _load(path: str) -> Features:
    features: Features = load_array(path)
    return features


def _read_out(out: Any) -> str:
    if not isinstance(out, str | os.PathLike):
        raise WrongType("out", f"a path or None expected, got {kind_of(out)}")
    path = os.fspath(out)
    if not path.lower().endswith(".npy"):
        raise WrongValue("out", f"a file ending in .npy expected, got {path!r}")
    if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
        raise WrongValue("out", f"an existing folder expected, got {path!r}")
    if os.path.exists(sidecar(path)) and not has_record(path):
        raise WrongValue(
            "out",
            f"a record of features or no file expected at {sidecar(path)}, got another file; move "
            "it, or choose another name",
        )
    return path


def _refuse(options: Mapping[str, Any], kind: str) -> None:
    """Raise if an option is passed that only another kind of model has."""
    for name, value in options.items():
        if value is not None:
            raise WrongValue(name, f"only for {kind} expected")


def _is_complete(
    path: str,
    config: Mapping[str, Any],
    inputs: Images,
    new_record: Callable[[str], dict[str, Any]],
) -> bool:
    """Return whether a file has these features; reads the images unless its record differs."""
    if not os.path.exists(path):
        return False
    try:
        record = record_of(load_array(path))
    except ValueError:  # damaged; it will be replaced
        return False
    if record is None or any(record.get(key) != value for key, value in config.items()):
        return False
    same: bool = record == new_record(inputs.checksum())
    return same
