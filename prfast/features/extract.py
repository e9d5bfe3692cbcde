"""Extraction of features from images or texts, by batches, into memory or a .npy file.

`Batches` loads and prepares one batch while the model computes the features of the batch before.

`Draft` writes the rows of `x.npy` so that an interrupted extraction can be continued.  Until
`x.npy` is complete two files lie beside it:

    x.draft.npy     the rows
    x.draft.json    what is being extracted, the number of finished rows, and the checksum of the
                    inputs that they were made of

The state is written before the rows: `x.draft.npy` without a state is not prfast's, and is left
unchanged.  Rows are flushed to disk before the state counts them.  The same call continues the
draft; a call for anything else raises an error that names the difference.  If two processes write
one draft, the one that finds the other's state stops.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from prfast.features.libraries import LIBRARIES, load_model, load_own, read_name
from prfast.features.model import Model
from prfast.features.pictures import read_pictures, read_texts
from prfast.files.load import load_array
from prfast.files.write import has_record, reserve, sidecar, write_record, write_whole
from prfast.inputs.arrays import blocks
from prfast.inputs.concurrency import thread_pool
from prfast.inputs.errors import WrongType, WrongValue, kind_of
from prfast.inputs.options import Progress, Shown, read_count, read_progress
from prfast.inputs.samples import Features, record_of, with_record
from prfast.kernels.threads import resolve_threads


class Inputs(Protocol):
    """Images or texts, in order: see `prfast.features.pictures`."""

    about: dict[str, Any]
    """Further entries under `inputs` of the record."""

    def __len__(self) -> int: ...
    def name(self, i: int) -> str: ...
    def load(self, i: int) -> tuple[Any, bytes]: ...
    def digest(self, i: int) -> bytes: ...


class Batches:
    """Features of inputs by batches, and the checksum of the inputs' names and contents so far."""

    def __init__(
        self, inputs: Inputs, model: Model, size: int, threads: int, progress: Progress
    ) -> None:
        self.inputs, self.model, self.size = inputs, model, size
        self.threads, self.progress = threads, progress
        self._total = hashlib.sha256()

    def about(self) -> dict[str, Any]:
        """Return the record's entry on the inputs; all must have been read."""
        return self._about(self._total)

    def about_all(self) -> dict[str, Any]:
        """Return the same entry by reading all inputs again, with no effect on `run`."""
        return self._about(self._of_first(len(self.inputs)))

    def _about(self, total: Any) -> dict[str, Any]:
        found = {"count": len(self.inputs), "sha256": total.hexdigest()}
        return {"inputs": found | self.inputs.about}

    def skip(self, count: int) -> str:
        """Skip the first `count` inputs, whose features are known, and return their checksum."""
        self._total = self._of_first(count)
        return self._total.hexdigest()

    def _of_first(self, count: int) -> Any:
        total = hashlib.sha256()
        for i in range(count):
            total.update(self._noted(i, self.inputs.digest(i)))
        return total

    def _noted(self, i: int, digest: bytes) -> bytes:
        return self.inputs.name(i).encode() + b"\0" + digest

    def run(
        self, done: int, before: NDArray[Any] | None = None, place: str = "the batches before"
    ) -> Iterator[tuple[int, NDArray[Any], str]]:
        """Yield for each batch its first row, its features and the checksum up to its last input.

        Parameters
        ----------
        done : int
            Number of finished rows, at which to start.
        before, place : array, str
            Earlier rows, whose width and dtype the features must have, and their name in a message.
        """
        count = len(self.inputs)
        rest = [range(count)[one] for one in blocks(count, self.size) if one.start >= done]
        threads = max(1, min(self.threads, count - done))
        with thread_pool(threads) as executor, self.progress.work(count, "features"):
            self.progress.advance(done)
            waiting = [executor.submit(self._prepared, i) for batch in rest[:1] for i in batch]
            for batch, following in zip(rest, [*rest, range(0)][1:], strict=True):
                found = [one.result() for one in waiting]
                waiting = [executor.submit(self._prepared, i) for i in following]
                rows = self.model.features([one for one, _ in found])
                self._check(batch, rows, before, place)
                before = rows
                for i, (_, digest) in zip(batch, found, strict=True):
                    self._total.update(self._noted(i, digest))
                yield batch.start, rows, self._total.hexdigest()
                self.progress.advance(len(batch))

    def _prepared(self, i: int) -> tuple[Any, bytes]:
        one, digest = self.inputs.load(i)
        return self.model.prepare(one), digest

    def _check(
        self, batch: range, rows: NDArray[Any], before: NDArray[Any] | None, place: str
    ) -> None:
        if rows.shape[1] == 0:
            raise WrongValue("model", f"at least one feature expected, got shape {rows.shape}")
        if before is not None and (rows.shape[1], rows.dtype) != (before.shape[1], before.dtype):
            raise WrongValue(
                "model",
                f"{before.shape[1]} features of {before.dtype} as in {place} expected, "
                f"got {rows.shape[1]} of {rows.dtype}",
            )
        finite = np.isfinite(rows).all(axis=1)
        if not finite.all():
            name = self.inputs.name(batch[int((~finite).argmax())])
            raise WrongValue(name, "finite features expected, got others from the model")


class Draft:
    """Rows of a .npy file, written in order; see the module's docstring."""

    def __init__(self, path: str, making: Mapping[str, Any], count: int) -> None:
        self.path, self.making, self.count = path, dict(making) | {"count": count}, count
        stem = os.path.splitext(path)[0]
        self.numbers, self.state = f"{stem}.draft.npy", f"{stem}.draft.json"
        self.rows: Any = None
        self._said: str | None = None  # content of the state file, as this process wrote it

    def resume(self, digest: Callable[[int], str]) -> int:
        """Open an existing draft and return the number of finished rows, 0 if there is none.

        digest: returns the checksum of the first inputs, as they are now, from their number.

        Raises
        ------
        ValueError
            The draft is damaged or of another extraction, inputs have changed, or a file that is
            not a draft has its name.
        """
        if not os.path.exists(self.state):
            if os.path.exists(self.numbers):
                raise WrongValue(
                    self.numbers,
                    f"is where the draft is to be, and is none, as {self.state} is missing; move "
                    "it, or delete it",
                )
            return 0
        try:
            self._said = self._state_now()
            found = json.loads(self._said or "")
            making, done, of_done = found["making"], found["done"], found["inputs_sha256"]
            if type(done) is not int:
                raise ValueError(f"done: a whole number expected, got {done!r}")
            if done == 0 or not os.path.exists(self.numbers):
                return 0
            # Fails for a truncated file, which "r+" would extend to its full length with zeros.
            np.lib.format.open_memmap(self.numbers, mode="r")
            rows = np.lib.format.open_memmap(self.numbers, mode="r+")
            if rows.ndim != 2 or len(rows) != making["count"] or not 0 < done <= len(rows):
                raise ValueError("of another length")
        except (ValueError, KeyError, TypeError, EOFError) as error:
            whole = os.path.exists(self.numbers)
            raise self._refused(
                f"is damaged ({error})", self.numbers if whole else self.state
            ) from None
        for key in dict.fromkeys([*self.making, *making]):
            if making.get(key) != self.making.get(key):
                raise self._refused(
                    f"was begun with {key} {making.get(key)!r}, now it is {self.making.get(key)!r}"
                )
        if digest(done) != of_done:
            raise self._refused(f"has {done} rows of inputs that have changed since")
        self.rows = rows
        return done

    def _refused(self, why: str, place: str | None = None) -> WrongValue:
        return WrongValue(place or self.numbers, f"{why}; delete it to begin anew")

    def write(self, start: int, rows: NDArray[Any], digest: str) -> None:
        """Write some rows; digest: the checksum of the inputs up to the last of them."""
        if self.rows is None:
            self._say(0, "")
            shape = (self.count, rows.shape[1])
            try:
                np.lib.format.open_memmap(self.numbers, "w+", rows.dtype, shape)
            except OSError as error:  # such as a file size limit
                with suppress(FileNotFoundError):  # it was not created
                    os.unlink(self.numbers)
                raise OSError(error.errno, error.strerror, self.numbers) from None
            reserve(self.numbers)
            self.rows = np.lib.format.open_memmap(self.numbers, "r+")
        self.rows[start : start + len(rows)] = rows
        self.rows.flush()
        self._say(start + len(rows), digest)

    def _say(self, done: int, digest: str) -> None:
        state = {"making": self.making, "done": done, "inputs_sha256": digest}
        text = json.dumps(state, indent=1)

        def write(draft: str) -> None:
            with open(draft, "w", encoding="utf-8") as file:
                file.write(text)

        self._check_alone()
        write_whole(self.state, write)
        self._said = text

    def _state_now(self) -> str | None:
        if not os.path.exists(self.state):
            return None
        with open(self.state, encoding="utf-8") as file:
            return file.read()

    def _check_alone(self) -> None:
        if self._state_now() != self._said:
            raise WrongValue(
                self.numbers, "another process writes it; wait for it, and run this again"
            )

    def finish(self, record: Mapping[str, Any]) -> None:
        """Write the record and move the draft to its place.

        In this order: where the disk is full the draft stays, and next to other numbers a record is
        refused.
        """
        self._check_alone()
        self.rows = None
        write_record(self.path, record, self.numbers)
        os.replace(self.numbers, os.path.realpath(self.path))
        os.unlink(self.state)


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
    progress: Shown = None,
) -> Features:
    """Extract features of images or texts, with a record of how they were made.

    Parameters
    ----------
    images : path, list of paths, array or tensor; for models of texts path or list of str
        Images: a folder, searched recursively for .jpg, .jpeg, .png, .ppm, .bmp, .pgm, .tif, .tiff
        and .webp, in the order of their paths, without names that begin with a dot; a list of
        paths; a uint8 array (n, height, width, 3), or a file with one, such as .npy or
        samples.npz:arr_0; a uint8 tensor of torch (n, 3, height, width).  Pillow reads image
        files, only the first frame of several, and converts other modes to RGB: grey values are
        repeated, palettes looked up, transparency dropped.  EXIF rotation is not applied; images
        of more than 8 bits per channel are refused.
        Texts: a list, or a file in UTF-8 with a text per line.
    model : str, torch.nn.Module or function
        A name of torch-fidelity ("inception-v3-compat", "vgg16", "clip-vit-b-32",
        "dinov2-vit-b-14", …), "timm:NAME", "torchvision:NAME", "open_clip:NAME/WEIGHTS", for texts
        "sentence-transformers:NAME"; each library resizes and scales in its own way.  A module, in
        evaluation mode, is called with float32 in [0, 1] of shape (b, 3, height, width), a
        function with uint8 arrays of shape (b, height, width, 3); both return floats (b, d).
    out : path, optional
        A .npy file; the record is written next to it as .json.  Rows are written batch by batch,
        and the same call continues an interrupted one.  An existing file is replaced once the new
        one is complete, or left unchanged if it already has these features.  None (default):
        features are kept in memory.
    batch_size : int
        Number of images that go through the model together; default 64.
    device : str
        Device of torch: "cpu" (default), "cuda", …
    layer : str, optional
        Layer of a model of torch-fidelity or torchvision whose output is the features.  None
        (default): torch-fidelity's layer for precision and recall, the input of torchvision's
        classifier.
    weights : str, optional
        None (default): the published weights.  "random": drawn from `seed`.  Otherwise a file with
        a state dictionary, or for torchvision a name such as "IMAGENET1K_V1".
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
        No images, an image that Pillow cannot read, an unknown model, features that are not finite,
        a draft of another extraction; the message names the argument or the file.
    OSError
        The weights cannot be loaded.
    ImportError
        A package is missing (extra: features).
    """
    batch_size = read_count("batch_size", batch_size)
    threads = resolve_threads(n_jobs)
    shown = read_progress(progress)
    path = None if out is None else _read_out(out)
    if isinstance(model, str):
        _refuse_own(prepare, name)
        texts = LIBRARIES[read_name(model)[0]].kind == "texts"
        inputs: Any = (read_texts if texts else read_pictures)("images", images)
        found = load_model(model, weights, seed, layer, device)
    elif callable(model):
        _refuse_library(weights, layer)
        inputs = read_pictures("images", images)
        found = load_own(model, name, prepare, device)
    else:
        raise WrongType("model", f"a name, a module or a function expected, got {kind_of(model)}")
    making = found.record | {"batch_size": batch_size, "device": device}
    batches = Batches(inputs, found, batch_size, threads, shown)
    if path is not None:
        return _to_file(path, making, batches)
    rows = [rows for _, rows, _ in batches.run(0)]
    return _features(with_record(np.concatenate(rows), making | batches.about()))


def _features(array: Any) -> Features:
    found: Features = array
    return found


def _read_out(out: Any) -> str:
    if not isinstance(out, str | os.PathLike):
        raise WrongType("out", f"a path or None expected, got {kind_of(out)}")
    path = os.fspath(out)
    if not path.lower().endswith(".npy"):
        raise WrongValue("out", f"a file ending in .npy expected, got {path!r}")
    if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
        raise WrongValue("out", f"a folder that is there expected, got {path!r}")
    if os.path.exists(sidecar(path)) and not has_record(path):
        raise WrongValue(
            "out",
            f"a record of features or no file expected at {sidecar(path)}, got another file; move "
            "it, or choose another name",
        )
    return path


def _refuse_own(prepare: Any, name: Any) -> None:
    for argument, value in (("prepare", prepare), ("name", name)):
        if value is not None:
            raise WrongValue(argument, "only for a module or a function of your own expected")


def _refuse_library(weights: Any, layer: Any) -> None:
    for argument, value in (("weights", weights), ("layer", layer)):
        if value is not None:
            raise WrongValue(argument, "only for a model of a library expected")


def _to_file(path: str, making: dict[str, Any], batches: Batches) -> Features:
    draft = Draft(path, making, len(batches.inputs))
    if _is_there(path, making, batches):
        return _features(load_array(path))
    done = draft.resume(batches.skip)
    for start, rows, digest in batches.run(done, draft.rows, draft.numbers):
        draft.write(start, rows, digest)
    draft.finish(making | batches.about())
    return _features(load_array(path))


def _is_there(path: str, making: dict[str, Any], batches: Batches) -> bool:
    """Return whether a file has these features; reads the inputs unless its record differs."""
    if not os.path.exists(path):
        return False
    try:
        record = record_of(load_array(path))
    except ValueError:  # it will be replaced
        return False
    if record is None or any(record.get(key) != value for key, value in making.items()):
        return False
    inputs = record.get("inputs")
    if not isinstance(inputs, Mapping) or inputs.get("count") != len(batches.inputs):
        return False
    same: bool = record == making | batches.about_all()
    return same
