"""Extraction of features from images, by batches, into memory or a .npy file."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import groupby, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.features.pictures import read_images
from prfast.files.readers import load_array
from prfast.files.write import has_record, new_npy, sidecar, write_record, write_whole
from prfast.inputs.concurrency import bounded_results, resolve_threads, thread_pool
from prfast.inputs.errors import WrongType, WrongValue, import_optional, kind_of
from prfast.inputs.options import ProgressOption, read_count, read_progress
from prfast.results.info import version
from prfast.samples.features import RECORD_KEYS, Features, record_of


def extract(
    images: Any,
    model: Any,
    *,
    out: str | os.PathLike[str] | None = None,
    batch_size: int = 64,
    device: str = "cpu",
    prepare: Callable[[Any], Any] | None = None,
    name: str | None = None,
    n_jobs: int | None = None,
    progress: ProgressOption = None,
) -> Features:
    """Extract features of images, with a record of how they were computed.

    See also `prfast.load`.

    >>> import numpy
    >>> from prfast.features import extract
    >>> images = numpy.zeros((20, 8, 8, 3), "uint8")
    >>> print(extract(images, lambda batch: batch.reshape(len(batch), -1) / 255))

    Parameters
    ----------
    images : path, list of paths, or array
        A folder, searched recursively for .jpg, .jpeg, .png, .ppm, .bmp, .pgm, .tif, .tiff and
        .webp.  They are in the order of their paths, without names that begin with a dot.  Or a
        list of paths, a uint8 array (n, height, width, 3), or a file with an array, such as
        samples.npz:arr_0.  Pillow makes RGB of other modes, of the first frame only, without EXIF
        rotation.  Images of more than 8 bits per channel are refused.
    model : str, torch.nn.Module or function
        "inception-v3-compat", that of FID, or another extractor of torch-fidelity; its layer for
        precision and recall.  A module, in evaluation mode, is called with float32 in [0, 1] of
        shape (b, 3, height, width).  A function is called with uint8 arrays (b, height, width, 3).
        Either is called with the result of `prepare` if that is given; both return floats (b, d).
    out : path, optional
        A .npy file; the record is written next to it as .json.  An existing file is replaced once
        the new one is complete, or left unchanged if it already has these features.
    batch_size, device : int and str
        Images that go through the model together, default 64; a device of torch, default "cpu".
    prepare, name : function and str, optional
        For a module or function only.  `prepare` maps an RGB image of Pillow to the input of the
        model.  `name` is the name of the model in the record, by default that of its code.
    n_jobs, progress : int and bool, optional
        Threads that read and prepare images, by default all usable cores; whether to show a
        progress bar, by default on a terminal after two seconds.

    Returns
    -------
    Features
        An array of shape (n, d) with the dtype of the model's output, memory-mapped if `out` is
        given.  Its `record` becomes part of every result (`info["features"]`).

    Raises
    ------
    TypeError, ValueError, OSError, ImportError
        No or unreadable images; an unknown model; features that are not finite; weights that
        cannot be loaded; a missing package (extra: features).
    """
    path = None if out is None else _read_out(out)
    size, threads = read_count("batch_size", batch_size), resolve_threads(n_jobs)
    bar = read_progress(progress)
    names, image_at, about = read_images("images", images)
    made, call, record = _read_model(model, prepare, name, device)
    record |= {"batch_size": size, "device": device, "inputs": about}

    def compute(new: Callable[..., Any]) -> Any:
        features, start, count = None, 0, len(names)
        with thread_pool(min(threads, count)) as executor, bar.work(count, "features"):
            # Threads prepare the images of the next batch while the model works.
            tasks = (executor.submit(lambda i: made(image_at(i)), i) for i in range(count))
            items: Iterator[Any] = bounded_results(tasks, 2 * size)
            while batch := list(islice(items, size)):
                for _, same in groupby(batch, key=lambda item: tuple(item.shape)):
                    rows = _rows(call, list(same), names[start : start + size])
                    if features is None:
                        features = new((count, rows.shape[1]), rows.dtype)
                    if (rows.shape[1], rows.dtype) != (features.shape[1], features.dtype):
                        text = (
                            f"{features.shape[1]} features of {features.dtype} as before expected"
                        )
                        raise WrongValue("model", f"{text}, got {rows.shape[1]} of {rows.dtype}")
                    features[start : start + len(rows)] = rows
                    start += len(rows)
                bar.advance(len(batch))
        return features

    def write(draft: str) -> None:
        compute(partial(new_npy, draft))
        write_record(str(path), record, draft)  # first: a record is never read with other rows

    if path is None:
        return Features(compute(np.empty), record)
    found: Any = None
    with suppress(FileNotFoundError, ValueError):  # a damaged file is replaced
        found = load_array(path)
    if record_of(found) != record:
        write_whole(path, write)
    return load_array(path)


def _read_out(out: Any) -> str:
    if not isinstance(out, str | os.PathLike):
        raise WrongType("out", f"a path or None expected, got {kind_of(out)}")
    path = os.fspath(out)
    if not path.lower().endswith(".npy"):
        raise WrongValue("out", f"a file ending in .npy expected, got {path!r}")
    if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
        raise WrongValue("out", f"an existing folder expected, got {path!r}")
    if os.path.exists(sidecar(path)) and not has_record(path):
        text = f"a record of features or no file expected at {sidecar(path)}, got another file"
        raise WrongValue("out", f"{text}; move it, or choose another name")
    return path


def _rows(call: Callable[[Any], Any], items: list[Any], names: Any) -> NDArray[Any]:
    """Return the features of items of one shape, (len(items), d); names: of their images."""
    output = call(items)
    if hasattr(output, "detach"):
        output = output.detach().cpu()
        # NumPy has no bfloat16.
        output = (output.float() if str(output.dtype) == "torch.bfloat16" else output).numpy()
    rows = np.asarray(output)
    if rows.ndim != 2 or len(rows) != len(items) or not rows.size or rows.dtype.kind != "f":
        expected = f"floats of shape ({len(items)}, d) of {len(items)} images expected"
        raise WrongValue("model", f"{expected}, got {rows.dtype} of shape {rows.shape}")
    finite = np.isfinite(rows).all(axis=1)
    if not finite.all():
        text = "finite features expected, got others from the model"
        raise WrongValue(names[int((~finite).argmax())], text)
    return rows


def _read_model(model: Any, prepare: Any, name: Any, device: str) -> tuple[Any, Any, Any]:
    """Return a function that prepares an image, the model of a list of these, and its record."""
    about: dict[str, Any] = {}
    if isinstance(model, str):
        for argument, value in (("prepare", prepare), ("name", name)):
            if value is not None:
                raise WrongValue(argument, f"None expected for torch-fidelity, got {value!r}")
        model, about = _torch_fidelity(model, device)
        prepare = _as_tensor
    if not callable(model):
        raise WrongType("model", f"a name, a module or a function expected, got {kind_of(model)}")
    if prepare is not None and not callable(prepare):
        raise WrongType("prepare", f"a function of an image expected, got {kind_of(prepare)}")
    name = name or _name_of(model if hasattr(model, "__qualname__") else type(model))
    record: dict[str, Any] = dict.fromkeys(RECORD_KEYS)
    record |= {"kind": "images", "model": name, "library": "own"}
    record["prepare"] = None if prepare is None else _name_of(prepare)
    record["versions"] = {package: version(package) for package in ("prfast", "pillow")}
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(model, torch.nn.Module):
        if device != "cpu":
            raise WrongValue("device", f"'cpu' expected for a function, got {device!r}")
        record["prepare"] = record["prepare"] or "uint8"
        ready = prepare or np.array
        return lambda image: np.asarray(ready(image)), lambda items: model(np.stack(items)), record
    if model.training:
        raise WrongValue("model", "a module in evaluation mode expected; call model.eval()")
    module = model.to(device)

    def call(items: list[Any]) -> Any:
        with torch.inference_mode():
            output = module(torch.stack(items).to(device))
        return output[0] if about else output  # torch-fidelity: of each layer

    if prepare is None:  # as torchvision's ToTensor does
        record["prepare"] = "float32 in [0, 1]"
        prepare = lambda image: _as_tensor(image).float() / 255  # noqa: E731
    packages = ("torch", "torch-fidelity") if about else ("torch",)
    record["versions"] |= {package: version(package) for package in packages}
    return prepare, call, record | {"weights": "own"} | _weights(module) | about


def _torch_fidelity(name: str, device: str) -> tuple[Any, dict[str, Any]]:
    """Return an extractor by its name, and the keys of its record."""
    library = import_optional("torch_fidelity.registry", "this model", extra="features")
    extractors = library.FEATURE_EXTRACTORS_REGISTRY
    if name not in extractors:
        raise WrongValue("model", f"one of {', '.join(extractors)} expected, got {name!r}")
    layer = extractors[name].get_default_feature_layer_for_metric("prc")
    try:
        module = extractors[name](name, [layer]).requires_grad_(False).eval().to(device)
    except Exception as error:
        reason = " ".join(str(error).split())[:300]
        text = f"{name}: could not be loaded on {device!r} ({reason})"
        raise OSError(f"{text}; load it once with a network, or copy ~/.cache/torch") from None
    size = getattr(module, "resolution", getattr(module, "INPUT_IMAGE_SIZE", ""))
    about = {"model": f"torch-fidelity:{name}", "library": "torch-fidelity", "layer": layer}
    about["prepare"] = f"torch-fidelity, bilinear as in TensorFlow 1, {size} × {size}"
    return module, about | {"weights": "published"}


def _name_of(value: Any) -> str:
    """Return the name of a function or class, or the text of an object, on one line."""
    if hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    return " ".join(str(value).split())


def _as_tensor(image: Any) -> Any:
    return sys.modules["torch"].from_numpy(np.array(image)).permute(2, 0, 1).contiguous()


def _weights(module: Any) -> dict[str, Any]:
    """Return the dtypes of the parameters of a module, and a checksum of its state by names."""
    dtypes = {str(values.dtype).removeprefix("torch.") for values in module.parameters()}
    total = hashlib.sha256()
    for name, tensor in sorted(module.state_dict().items()):
        if hasattr(tensor, "detach"):  # others are extra state, not always a tensor
            plain = tensor.detach().cpu().contiguous()
            total.update(f"{name} {plain.dtype} {tuple(plain.shape)}\0".encode())
            total.update(plain.reshape(-1).view(sys.modules["torch"].uint8).numpy().data)
    return {"weights_sha256": total.hexdigest(), "dtype": " and ".join(sorted(dtypes)) or None}
