"""Pictures and models that the tests make features of."""

from pathlib import Path

import numpy as np
import pytest

Image = pytest.importorskip("PIL.Image", reason="pictures are files of Pillow")


def pictures(folder, count, size=16, seed=0):
    """Return a folder of small pictures in color; the second half in a folder inside it."""
    rng = np.random.default_rng(seed)
    for i in range(count):
        place = Path(folder) / ("" if i < count // 2 else "more")
        place.mkdir(parents=True, exist_ok=True)
        save(place / f"{i:03}.png", rng.integers(0, 256, (size, size, 3), np.uint8))
    return str(folder)


def save(path, array, **options):
    Image.fromarray(array).save(path, **options)


def as_arrays(folder):
    """Its pictures in order, shape (n, h, w, 3)."""
    root = Path(folder)
    names = sorted(path.relative_to(root).as_posix() for path in root.rglob("*.png"))
    return np.stack([np.array(Image.open(root / name)) for name in names])


class Colors:
    """A model: mean and spread of each channel; it knows how many batches it has seen."""

    def __init__(self, stop_after=None):
        self.batches, self.stop_after = 0, stop_after

    def __call__(self, images):
        if self.batches == self.stop_after:
            raise KeyboardInterrupt
        self.batches += 1
        return colors(images)


def colors(images):
    flat = images.reshape(len(images), -1, 3).astype(np.float32)
    return np.concatenate([flat.mean(axis=1), flat.std(axis=1)], axis=1)
