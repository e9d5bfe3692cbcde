"""Samples of the neighbor cases, of three kinds, and the options that say which.

isotropic   Gaussians at distance 1
relu        non-negative features, seven of ten zero, as a network gives them: a spectrum that
            decays, log-normal scales, an effective dimension of 34 at d = 2048
images      features of images, from a file; one half is real, the other generated, at most as many
            as there are, and no row twice

Setups get a `Samples` and draw in their own process: only its few words travel.
"""

from __future__ import annotations

import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench.papers.cifar_classes import load, read

DIMS = {"isotropic": (64, 2048), "relu": (2048,)}

Take = Callable[[int, float | None], Any]
"""(rows, distance) -> so many rows, float32: generated at that distance; real where it is None."""


@dataclass(frozen=True)
class Samples:
    """So many real and as many generated samples of a kind."""

    kind: str
    size: int
    dim: int
    data: Path | None = None
    """The file of images."""
    most: int | None = None
    """Rows of a half of that file."""

    @property
    def name(self) -> str:
        """The name in the labels of figures."""
        return f"d={self.dim}" if self.kind == "isotropic" else f"{self.kind}, d={self.dim}"

    @property
    def besides(self) -> str:
        """The name with a comma; of what a case has always shown, nothing."""
        return "" if self.name == "d=64" else f"{self.name}, "

    @property
    def repeats(self) -> int:
        """Turns of a case that takes seconds a turn at 64 dimensions."""
        return 15 if self.dim <= 64 else 3

    def sized(self, size: int) -> Samples:
        """Return the same kind with so many rows of each set, or with as many as there are."""
        return replace(self, size=size if self.most is None else min(size, self.most))

    def draw(self) -> tuple[Any, Any]:
        """Real and generated samples, float32, shapes (size, dim)."""
        real, (fake,) = self.models(self.size, [0.0 if self.kind == "images" else 1.0])
        return real, fake

    def models(self, reference: int, distances: Sequence[float]) -> tuple[Any, list[Any]]:
        """Return a reference of so many rows, and one set of generated samples at each distance."""
        take = KINDS[self.kind](self)
        return take(reference, None), [take(self.size, distance) for distance in distances]


def quiet() -> None:
    """Ignore, in the contender's process, that curves contradict metrics: they are not the
    subject."""
    import prfast

    warnings.simplefilter("ignore", prfast.Contradiction)


def prfast_call(of: Samples, function: str, **options: Any) -> Callable[[], Any]:
    """Set up a contender: a function of prfast, of both sets of samples."""
    import prfast

    quiet()
    real, fake = of.draw()
    return lambda: getattr(prfast, function)(real, fake, **options)


def area_of(curve: Any) -> float:
    return float(curve.area)


def value_of(metrics: Any) -> float:
    """Return the value of a single metric."""
    (value,) = metrics.values()
    return float(value)


# ---- kinds -------------------------------------------------------------------------------------


def isotropic(of: Samples) -> Take:
    import numpy as np

    rng = np.random.default_rng(0)

    def take(rows: int, distance: float | None) -> Any:
        shift = np.float32((distance or 0.0) * of.dim**-0.5)
        return rng.standard_normal((rows, of.dim), np.float32) + shift

    return take


def relu(of: Samples) -> Take:
    """max(0, zW − ½) times scales: z of 256 coordinates, of which the j-th weighs j^−0.6."""
    import numpy as np

    rng, net, latent = np.random.default_rng(0), np.random.default_rng(1), 256
    weights = net.standard_normal((latent, of.dim)) * np.arange(1.0, latent + 1)[:, None] ** -0.6
    weights = (weights / np.linalg.norm(weights, axis=0)).astype(np.float32)
    scales = net.lognormal(0, 1, of.dim).astype(np.float32)

    def take(rows: int, distance: float | None) -> Any:
        shift = np.float32((distance or 0.0) * latent**-0.5)
        z = rng.standard_normal((rows, latent), np.float32) + shift
        return np.maximum(z @ weights - np.float32(0.5), 0) * scales

    return take


def images(of: Samples) -> Take:
    """Generated at a distance: with noise of so many standard deviations of each feature."""
    import numpy as np

    rng = np.random.default_rng(0)
    assert of.data is not None
    rows = read(of.data)[0]
    rows = rows[rng.permutation(len(rows))]
    real, fake = rows[: len(rows) // 2], rows[len(rows) // 2 :]
    deviations = rows.std(axis=0)

    def take(size: int, distance: float | None) -> Any:
        if distance is None:
            return real[:size].copy()
        noise = rng.standard_normal((size, of.dim), np.float32)
        return fake[:size] + np.float32(distance) * deviations * noise

    return take


KINDS = {"isotropic": isotropic, "relu": relu, "images": images}


# ---- options -----------------------------------------------------------------------------------


def add_kinds(parser: ArgumentParser) -> None:
    """--kinds, --dims, --data, which `chosen` reads."""
    parser.add_argument(
        "--kinds", nargs="+", choices=[*KINDS], metavar="KIND", help=", ".join(KINDS)
    )
    text = "of all kinds but images"
    parser.add_argument("--dims", type=int, nargs="+", metavar="D", help=text)
    text = "features of images; with it they are measured unless --kinds says otherwise"
    parser.add_argument("--data", type=Path, metavar="FILE.npz", help=text)


def chosen(
    options: Namespace, size: int, dims: Mapping[str, Sequence[int]] = DIMS
) -> list[Samples]:
    """Return the samples that the options ask for; without them the kinds of `dims`, at these
    dimensions, and images where there is a file."""
    kinds_to_run = options.kinds or [*dims, *(["images"] if options.data else [])]
    results = []
    for kind in kinds_to_run:
        if kind == "images":
            results.append(_of_images(options).sized(size))
            continue
        here = (8,) if options.tiny else options.dims or dims.get(kind) or DIMS[kind]
        results += [Samples(kind, size, dim) for dim in here]
    return results


def _of_images(options: Namespace) -> Samples:
    if options.data is None:
        raise SystemExit(f"{options.case}: images: no file; say --data FILE.npz")
    rows, dim = load(options)[0].shape
    return Samples("images", rows // 2, dim, options.data, rows // 2)
