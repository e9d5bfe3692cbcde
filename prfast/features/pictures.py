"""Inputs of feature extraction: images from folders, files and arrays, and texts.

Images are loaded one by one, as RGB images of Pillow.  `Files`, `Arrays` and `Texts` implement
`prfast.features.extract.Inputs`; their method `digest` returns the SHA-256 of an input's content.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from prfast.files.load import load_array, place_and_key
from prfast.inputs.arrays import to_array
from prfast.inputs.errors import WrongType, WrongValue, import_optional, kind_of

# Endings of image files in torchvision.
ENDINGS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")
# Modes of Pillow (by prefix) with more than 8 bits per channel, which conversion to RGB clips.
_DEEP = ("I", "F")


class Files:
    """Images in files; `names` are part of the checksum and of messages."""

    def __init__(self, paths: Sequence[str], names: Sequence[str], about: dict[str, Any]) -> None:
        self.paths, self.names, self.about = paths, names, about
        for path in paths:
            with _picture(path) as image:
                _check_mode(path, image)

    def __len__(self) -> int:
        return len(self.paths)

    def name(self, i: int) -> str:
        return self.names[i]

    def load(self, i: int) -> tuple[Any, bytes]:
        """Return an RGB image and the SHA-256 of its file."""
        content = Path(self.paths[i]).read_bytes()
        with _picture(self.paths[i], content) as image:
            return _rgb(self.paths[i], image), hashlib.sha256(content).digest()

    def digest(self, i: int) -> bytes:
        """Return the SHA-256 of a file."""
        return hashlib.sha256(Path(self.paths[i]).read_bytes()).digest()


class Arrays:
    """Images in a uint8 array, shape (n, height, width, 3)."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self.about: dict[str, Any] = {}

    def __len__(self) -> int:
        return len(self.array)

    def name(self, i: int) -> str:
        return f"images[{i}]"

    def load(self, i: int) -> tuple[Any, bytes]:
        return pillow().fromarray(np.ascontiguousarray(self.array[i])), self.digest(i)

    def digest(self, i: int) -> bytes:
        return hashlib.sha256(np.ascontiguousarray(self.array[i]).data).digest()


def read_pictures(name: str, values: Any) -> Files | Arrays:
    """Return images from a folder, a list of paths, or uint8 numbers.

    These are an array (n, height, width, 3), a file with one, or a tensor (n, 3, height, width).
    """
    pillow()
    if isinstance(values, str | os.PathLike):
        path = os.fspath(values)
        if not os.path.isfile(place_and_key(path)[0]):
            return _folder(path)
        name, values = path, load_array(path)
    if isinstance(values, list | tuple) and values:
        if not all(isinstance(one, str | os.PathLike) for one in values):
            raise WrongType(
                name, f"a folder, paths, or an array of pictures expected, got {kind_of(values)}"
            )
        paths = [os.fspath(one) for one in values]
        return Files(paths, [os.path.basename(path) for path in paths], {})
    tensor = type(values).__module__.partition(".")[0] == "torch"
    array = to_array(name, values)
    if array.ndim and not len(array):
        raise WrongValue(name, "at least one picture expected, got none")
    wanted = "(n, 3, height, width) of a tensor" if tensor else "(n, height, width, 3)"
    if array.ndim != 4 or array.shape[1 if tensor else 3] != 3 or 0 in array.shape:
        raise WrongValue(name, f"pictures of shape {wanted} expected, got shape {array.shape}")
    if array.dtype != np.uint8:
        raise WrongType(name, f"pictures of dtype uint8, 0 to 255, expected, got {array.dtype}")
    return Arrays(array.transpose(0, 2, 3, 1) if tensor else array)


def pillow() -> Any:
    """Import and return the module PIL.Image."""
    return import_optional("PIL.Image", "features of images", "features")


def _folder(folder: str) -> Files:
    if not os.path.isdir(folder):
        os.stat(folder)  # if missing, raise the system's error
        raise WrongValue(folder, "a folder of pictures expected")
    paths, others = [], 0
    for place, name in _walked(folder):
        if os.path.splitext(name)[1].lower() in ENDINGS:
            paths.append(os.path.join(place, name))
        else:
            others += 1
    if not paths:
        known = ", ".join(ENDINGS)
        raise WrongValue(folder, f"a folder with pictures expected, none ends in {known}")
    by_name = {Path(os.path.relpath(path, folder)).as_posix(): path for path in paths}
    names = sorted(by_name)
    return Files([by_name[name] for name in names], names, {"left_out": others})


def _walked(folder: str) -> Iterator[tuple[str, str]]:
    """Yield folder and name of all files below a folder, without names that begin with a dot.

    Links to folders are followed; a link to a folder that contains it is refused.
    """
    for place, folders, files in os.walk(folder, followlinks=True, onerror=_raise):
        real = os.path.realpath(place)
        for one in folders:
            target = os.path.realpath(os.path.join(place, one))
            if real == target or real.startswith(target + os.sep):
                raise WrongValue(
                    os.path.join(place, one), "a folder expected, got a link in a ring"
                )
        folders[:] = [one for one in folders if not one.startswith(".")]
        yield from ((place, one) for one in files if not one.startswith("."))


def _raise(error: OSError) -> None:
    raise error


class _picture:
    """Context manager of an open image; any exception of Pillow becomes a one-line WrongValue."""

    def __init__(self, path: str, content: bytes | None = None) -> None:
        self.path, self.content = path, content

    def __enter__(self) -> Any:
        try:
            with open(self.path, "rb"):
                pass  # if missing or forbidden, raise the system's error
            source = self.path if self.content is None else io.BytesIO(self.content)
            self.image = pillow().open(source)
        except FileNotFoundError:
            raise
        except Exception as error:
            raise unreadable(self.path, error) from None
        return self.image

    def __exit__(self, *_: object) -> None:
        self.image.close()


def unreadable(path: str, error: Exception) -> WrongValue:
    """Return the exception for a file that Pillow cannot read."""
    reason = str(error).partition("\n")[0] or type(error).__name__
    return WrongValue(path, f"a picture that Pillow reads expected ({reason})")


def _check_mode(path: str, image: Any) -> None:
    if image.mode.startswith(_DEEP):
        raise WrongValue(
            path, f"a picture of 8 bits a channel expected, got Pillow's mode {image.mode}"
        )


def _rgb(path: str, image: Any) -> Any:
    """Return an image as RGB: grey repeated, palettes looked up, transparency dropped."""
    _check_mode(path, image)
    try:
        if image.mode == "P" and "transparency" in image.info:
            image = image.convert("RGBA")
        return image.convert("RGB")
    except Exception as error:
        raise unreadable(path, error) from None


class Texts:
    """Texts, in the order given."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        self.about: dict[str, Any] = {}

    def __len__(self) -> int:
        return len(self.texts)

    def name(self, i: int) -> str:
        return f"text {i}"

    def load(self, i: int) -> tuple[str, bytes]:
        """Return a text and its SHA-256."""
        return self.texts[i], self.digest(i)

    def digest(self, i: int) -> bytes:
        return hashlib.sha256(self.texts[i].encode()).digest()


def read_texts(name: str, values: Any) -> Texts:
    """Return texts from a list of str, or from a file in UTF-8: a text, maybe empty, per line."""
    if isinstance(values, str | os.PathLike):
        return Texts(_lines(os.fspath(values)))
    if not isinstance(values, list | tuple):
        raise WrongType(name, f"texts or a file with a line a text expected, got {kind_of(values)}")
    if not values:
        raise WrongValue(name, "at least one text expected, got none")
    for i, one in enumerate(values):
        if not isinstance(one, str):
            raise WrongType(name, f"texts expected, got {kind_of(one)} at index {i}")
    return Texts(list(values))


def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            text = file.read()
    except UnicodeDecodeError as error:
        raise WrongValue(path, f"a file of text in UTF-8 expected ({error})") from None
    if not text:
        raise WrongValue(path, "a line a text expected, got an empty file")
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
