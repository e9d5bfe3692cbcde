"""Features that need no labels, of a block of points: centred, on axes, whitened, standardised.

    z         a point less the mean of both sets together
    axes      z Uᵀ, U the eigenvectors of the covariance Σ z zᵀ / N, by falling variance v
    whitened  axes / √v, clipped at ±CLIP
    single    (z − median) / (IQR / 1.349) column by column
    radial    |whitened|², its logarithm and that of |z|², standardised

Up to MOST features there are as many axes, beyond that AXES leading ones, on which the library of
bases works then.  All is fitted to the fitted rows of both sets together, which all weigh alike,
also where one set is larger: a weight by class would be a label, and the length of a whitened point
tells its weight where features are as many as samples.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.blocks import blocks
from prfast.inputs.lazily import made_once
from prfast.inputs.streams import stream
from prfast.scorers.auto.block import TINY, Block, Frame
from prfast.scorers.auto.folds import NUMBERS, Flags, Ints, block_rows
from prfast.scorers.auto.sample import Sample
from prfast.scorers.auto.workers import SHARES, Run

MOST = 256
AXES = 64
GRAM = 2048  # features, beyond which there is no matrix of all their products
_SPREAD = 1e-12  # of the largest variance, below which an axis is none
_FOR_AXES = 1 << 24  # numbers of the points that leading axes are found from
_FOR_QUARTILES = 4000  # rows
KEPT = 2 << 20  # numbers of the points whose coordinates are kept


@dataclass(frozen=True)
class Coordinates:
    """What is fitted of them; both sets together, without their labels."""

    sample: Sample

    @property
    def many(self) -> bool:
        """Are there too many features for as many axes?"""
        return self.sample.width > MOST

    def frame(self) -> Frame:
        """All of it in numbers, without the rows that it was fitted to."""
        return Frame(
            self.many,
            self.mean,
            self.size,
            self.basis,
            self.deviation,
            self.varies,
            self.median,
            self.scale,
            self.radii_mean,
            self.radii_deviation,
        )

    def of(self, rows: Ints, name: str) -> Floats:
        """A coordinate of some rows, whichever their folds."""
        parts = blocks(len(rows), block_rows(self.sample.width))
        return np.concatenate(
            [getattr(Block(self, self.sample, rows[part], -1), name) for part in parts]
        )

    def prepare(self, run: Run) -> None:
        """Fit everything now, before several threads ask for it."""
        self.radii_mean, self.scale  # noqa: B018
        if self._few:
            run(_complete, list(self._kept.values()), SHARES["coordinates"])

    def fitted_block(self, fold: int, part: slice) -> Block:
        """Some of the fitted rows; with the coordinates that they have already if they are few."""
        if self._few:
            return self._kept[part.start]
        return Block(self, self.sample, self.sample.fitted[part], fold)

    def again(self) -> Iterator[tuple[slice, Block]]:
        """The fitted rows in blocks, and where each stands among them."""
        for fold, part in self.sample.parts(self.sample.fitted):
            yield part, self.fitted_block(fold, part)

    @property
    def _few(self) -> bool:
        return not self.many and len(self.sample.fitted) * self.sample.width <= KEPT

    @made_once
    def _kept(self) -> dict[int, Block]:
        """The blocks of all fitted rows, by where they start."""
        rows = self.sample.fitted
        return {p.start: Block(self, self.sample, rows[p], f) for f, p in self.sample.parts(rows)}

    @made_once
    def fitted_axes(self) -> Float64s:
        """The leading axes of the fitted rows, as many as any base wants of them all."""
        return np.concatenate([block.axes[:, :AXES] for _, block in self.again()])

    @made_once
    def weight(self) -> Float64s:
        """Of the fitted rows."""
        return self.sample.weights(self.sample.fitted)

    @made_once
    def mean(self) -> Float64s:
        sample = self.sample
        total = np.zeros(sample.width)
        for _, part in sample.parts(sample.fitted):
            total += sample.points(sample.fitted[part]).sum(axis=0)
        return np.asarray(total / len(sample.fitted))

    @made_once
    def _axes(self) -> tuple[Float64s, Float64s]:
        """Basis, a column an axis, and the variance along each."""
        basis, variance = _leading(self) if self.many else _all_axes(self)
        kept = variance > _SPREAD * max(float(variance[0]), TINY)
        kept[0] = True
        return basis[:, kept], variance[kept]

    @made_once
    def basis(self) -> Float64s:
        return self._axes[0]

    @made_once
    def variance(self) -> Float64s:
        return np.maximum(self._axes[1], TINY)

    @made_once
    def deviation(self) -> Float64s:
        return np.sqrt(self.variance)

    @made_once
    def size(self) -> float:
        """The mean of |z|² over the fitted rows."""
        total = sum(float((block.centred**2).sum()) for _, block in self.again())
        return total / len(self.sample.fitted)

    @made_once
    def _quartiles(self) -> tuple[Float64s, Float64s, Float64s]:
        """The quartiles of each column, from some rows."""
        some = self.sample.fitted[self.sample.some("quartiles", _FOR_QUARTILES)]
        z = self.of(some, "axes" if self.many else "centred")
        low, median, high = np.quantile(z, [0.25, 0.5, 0.75], axis=0)
        narrow, spread = (high - low) / 1.349, z.std(axis=0)
        return median, np.where(narrow > 1e-3 * spread, narrow, spread), spread

    @made_once
    def varies(self) -> Flags:
        """Columns of `single` that are not constant."""
        flags: Flags = self._quartiles[1] > 0
        return flags

    @made_once
    def median(self) -> Float64s:
        return self._quartiles[0][self.varies]

    @made_once
    def scale(self) -> Float64s:
        return self._quartiles[1][self.varies]

    @made_once
    def _radii(self) -> tuple[Float64s, Float64s]:
        radii = np.concatenate([block.radii for _, block in self.again()])
        spread = radii.std(axis=0)
        return radii.mean(axis=0), np.where(spread > 0, spread, 1.0)

    @made_once
    def radii_mean(self) -> Float64s:
        return self._radii[0]

    @made_once
    def radii_deviation(self) -> Float64s:
        return self._radii[1]


def _complete(block: Block) -> None:
    """Make all the coordinates that bases ask for."""
    block.axes, block.whitened, block.single, block.radial  # noqa: B018


def _all_axes(made: Coordinates) -> tuple[Float64s, Float64s]:
    """Every eigenvector of the covariance."""
    from scipy import linalg

    variance, basis = linalg.eigh(_covariance(made, np.float64))
    return basis[:, ::-1], variance[::-1]


def _leading(made: Coordinates) -> tuple[Float64s, Float64s]:
    """The leading eigenvectors: by Lanczos' method, or, where the covariance is too large, by a
    randomised SVD of as many rows as are held at once."""
    from scipy.sparse import linalg
    from sklearn.utils.extmath import randomized_svd

    sample = made.sample
    count = min(AXES, sample.width - 1, len(sample.fitted))
    if sample.width <= GRAM:
        covariance = _covariance(made, np.float32)
        start = stream(sample.seed, "axes").standard_normal(sample.width).astype(np.float32)
        variance, basis = linalg.eigsh(covariance, count, v0=start, tol=1e-4)
        order = np.argsort(-variance, kind="stable")
        return basis[:, order].astype(np.float64), variance[order].astype(np.float64)
    some = sample.fitted[sample.some("axes", max(AXES, _FOR_AXES // sample.width))]
    z = np.empty((len(some), sample.width), np.float32)
    for part in blocks(len(some), NUMBERS // sample.width):
        z[part] = sample.points(some[part]) - made.mean
    _, s, rows = randomized_svd(
        z, min(count, len(some)), n_iter=8, random_state=sample.seed % 2**32
    )
    return rows.T.astype(np.float64), s.astype(np.float64) ** 2 / len(some)


def _covariance(made: Coordinates, kind: type) -> Floats:
    total: Floats = np.zeros((made.sample.width,) * 2, kind)
    for _, block in made.again():
        z: Floats = block.centred.astype(kind, copy=False)
        total += z.T @ z
    return np.asarray(total / kind(len(made.sample.fitted)))
