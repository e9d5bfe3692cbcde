"""Profiles: the curves of two sets at several resolutions, from the finest to the coarsest.

At resolution σ both distributions are smoothed by noise (`prfast.samples.noise`): differences of
detail vanish at coarse resolutions, differences of mass remain.  The true curves rise with σ.  So
estimates whose areas fall are pooled, as in isotonic regression: each becomes the mean of its
neighbors.  A profile has at σ the minimum of these curves at σ and coarser, for every λ.  The curve
at resolution 0 is that of `pr_curve`, beside which it is printed, and stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.provenance import common
from prfast.curve.summary import LEVEL, Interval, read_row, rows_of_table
from prfast.estimate.diagnostics import curves_of_scores
from prfast.estimate.intervals import several_intervals
from prfast.inputs.options import MEMORY, ProgressOption, RandomState, read_share
from prfast.methods.base import ExecutionContext, read_context
from prfast.methods.table import Run, all_scores, check_runs, read_run
from prfast.results.registry import renderer
from prfast.results.values import Result, flat, for_json
from prfast.samples.ladder import REACHED, Ladder, Resolutions
from prfast.samples.pair import Pair

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROUNDING = 1e-9  # by which a number that rises may fall


def profile(
    real: Any,
    fake: Any,
    resolutions: Sequence[float] | str = "auto",
    method: Any = "auto",
    k: int | str | None = None,
    *,
    split: float | str | None = "auto",
    noise: Any = "std",
    w_real: Any = None,
    w_fake: Any = None,
    groups: tuple[Any, Any] | None = None,
    repeats: str = "missing",
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: ProgressOption = None,
    **options: Any,
) -> Profile:
    """Return the curves of generated against real samples at several resolutions.

    Several models, on common noise: ``Evaluator(real, resolutions="auto").compare(models)``.
    See also `pr_curve`.

    >>> real, fake = prfast.reference.GaussianShift(1.0, dim=8).sample(500)
    >>> print(prfast.profile(real, fake, [0, 0.5, 1], "knn"))

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
        Samples, as for `pr_curve`.
    resolutions : sequence of float or "auto"
        Standard deviations σ of the noise, in units of `noise`, at least two; "auto" (default) is
        0, 0.05, 0.1, 0.2, 0.4, 0.8 and 1.6.  0 is full resolution, without noise.
    method, k, split, w_real, w_fake, groups, repeats, **options
        See `pr_curve`.
    noise : "std", "common", array or `prfast.methods.Noise`
        Noise of resolution 1: by default ("std") with the standard deviation of each feature in the
        real set.
    random_state : int, generator of NumPy or None
        Seed of the noise and of all else that is random; default 0.
    n_jobs, memory, progress
        See `pr_curve`.  Beside `memory`, a profile needs up to 4 copies of small sets, and one
        of large ones.

    Returns
    -------
    Profile

    Raises
    ------
    TypeError, ValueError
        See `pr_curve`, also for warnings; resolutions that are negative, or fewer than two.

    References
    ----------
    Goldfeld, Greenewald, Niles-Weed, Polyanskiy 2020: Convergence of smoothed empirical measures
    with applications to entropy estimation.  Goldfeld, Kato 2020: Limit distribution for smooth
    total variation and χ²-divergence in high dimensions.
    """
    ladder = Ladder.read(resolutions, noise)
    pair = Pair.read(real, fake, w_real=w_real, w_fake=w_fake, groups=groups, repeats=repeats)
    context = read_context(random_state, n_jobs, memory, progress)
    run = read_run(method, split, k, options)
    check_runs([run], pair, "method")
    return Profile(estimates_at(run, pair, ladder, context))


def estimates_at(
    run: Run, pair: Pair, ladder: Ladder, context: ExecutionContext, full: PRCurve | None = None
) -> dict[float, PRCurve]:
    """Return the curve of samples at each resolution; full: that at resolution 0, if computed."""
    estimates, ladder = {}, ladder.fitted(pair, context.seed)
    with context.progress.work(len(ladder.sigmas), "profile"):
        for sigma in ladder.sigmas:
            with context.progress.work(1, f"resolution {sigma:g}"):
                if sigma == 0 and full is not None:
                    estimates[sigma] = full
                    continue
                at_sigma = pair.smoothed(ladder.smoother, sigma)
                scores = all_scores([run], at_sigma, context)
                (estimates[sigma],) = curves_of_scores(scores, at_sigma, context).values()
    return estimates


class Profile(Result):
    """The curves of two sets at several resolutions, by resolution, ascending.

    ``profile.estimates[0.2]`` is the curve of ``pr_curve(…, resolution=0.2)``, and
    ``profile.curves[0.2]`` the same after isotonic regression over the resolutions.
    Example: ``prfast.profile(*prfast.reference.TOYS["a"].sample(500), [0, 1], "knn").curves[0]``.
    See also `profile`.
    """

    _index = "resolution"

    estimates: Mapping[float, PRCurve]
    """The curve of `pr_curve` at each resolution."""
    curves: Mapping[float, PRCurve]
    """The curve at each resolution; above 0 not above those at coarser ones."""
    resolutions: Resolutions
    """The resolutions, ascending."""

    def __init__(self, estimates: Mapping[float, PRCurve]) -> None:
        self.estimates = dict(sorted(estimates.items()))
        self.resolutions = Resolutions(self.estimates)
        unpooled = [*self.estimates.values()]
        areas = np.array([curve.area for curve in unpooled])
        self._first = int(0 in self.estimates)  # the first estimate that may change
        least = self._first + 1  # pools that stay
        pools: list[list[int]] = []  # isotonic regression of the areas
        for i in range(len(areas)):
            pools.append([i])
            while len(pools) > least and areas[pools[-2]].mean() > areas[pools[-1]].mean():
                pools[-2:] = [pools[-2] + pools[-1]]
        self._pools = pools
        curves: list[PRCurve] = []
        for pool in pools[::-1]:
            curve = unpooled[pool[0]]
            if len(pool) > 1:
                curve = PRCurve.mean([unpooled[i] for i in pool])
            is_free = curves and pool[0] >= self._first
            if is_free and (lower := curve.intersection(curves[-1])) != curve:
                curve = lower
            curves += [curve] * len(pool)
        self.curves = dict(zip(self.estimates, curves[::-1], strict=True))
        self._intervals: dict[Any, list[Interval]] = {}
        self.provenance = common([x.provenance for sigma, x in self.estimates.items() if sigma])
        """What the estimates above resolution 0 have in common."""

    @property
    def info(self) -> dict[str, Any]:
        """Record of how the curves were made: the entries that all estimates above resolution 0
        have in common."""
        return self.provenance.record()

    # ---- numbers ---------------------------------------------------------------------------------

    def intervals(self, number: Any = "area", confidence: float = LEVEL) -> list[Interval]:
        """Return a number of the curve at each resolution with its confidence interval.

        The ends are those of the estimates, pooled and reduced as the curves are.

        Parameters
        ----------
        number, confidence
            See `PRCurve.interval`, whose errors are raised.
        """
        row = read_row("number", number)
        confidence = read_share("confidence", confidence)
        key = row.value, confidence
        if key not in self._intervals:
            unpooled = (
                several_intervals(curve, [row], confidence)[0] for curve in self.estimates.values()
            )
            pairs = np.array([(interval.low, interval.high) for interval in unpooled])
            ends = np.array([pairs[pool].mean(axis=0) for pool in self._pools for _ in pool])
            values = [row.value(curve) for curve in self.curves.values()]
            # Ends rise or fall where the values do.
            steps, free = np.diff(values[self._first :]), ends[self._first :]
            if (steps >= -_ROUNDING).all():
                free[:] = np.minimum.accumulate(free[::-1])[::-1]
            elif (steps <= _ROUNDING).all():
                free[:] = np.maximum.accumulate(free[::-1])[::-1]
            self._intervals[key] = [
                Interval(value, min(low, value), max(high, value), confidence)
                for value, (low, high) in zip(values, ends.tolist(), strict=True)
            ]
        return self._intervals[key]

    def resolution_at(self, area: float, confidence: float = LEVEL) -> Interval:
        """Return the finest resolution at which the area under the curve is at least `area`.

        It is the finest resolution of the profile if the area is reached there, and ∞ if it is not
        reached at the coarsest one.  So are the ends of its interval.  Interpolation proves little
        between 0 and the next resolution, and between resolutions that differ by more than a factor
        of 4.  The interval contains at least these two there.

        Parameters
        ----------
        area, confidence : float
            In (0, 1); other numbers raise TypeError or ValueError.  `confidence`, the nominal
            coverage probability, is 0.95 by default.
        """
        area = read_share("area", area)
        areas = self.intervals("area", confidence)
        values, lows, highs = zip(*((x.value, x.low, x.high) for x in areas), strict=True)
        at = self.resolutions.reached_within(values, lows, highs, area)
        return Interval(*at, confidence)

    def rows(self, confidence: float = LEVEL) -> list[dict[str, float]]:
        """Return a record for each resolution: ``resolution``, then the numbers of its curve by
        their keys, each followed by its half width at level `confidence`, 0.95 by default, as
        ``area ±``."""
        rows = rows_of_table("interval")
        columns = {row.key: self.intervals(row.key, confidence) for row in rows}
        records = []
        for i, sigma in enumerate(self.curves):
            record = {self._index: sigma}
            for key, column in columns.items():
                record |= {key: column[i].value, f"{key} ±": column[i].half_width}
            records.append(record)
        return records

    def summary(self, confidence: float = LEVEL) -> dict[str, Interval]:
        """Return the summary numbers, with intervals of level `confidence`, 0.95 by default.

        The area reaches ½ at ``half_resolution`` and 0.95 at ``matching_resolution``, as defined by
        `resolution_at`.  Differences of mass remain in ``coarse_area``, the area at the resolution
        nearest to 0.8 by its logarithm.
        """
        coarse = [*self.curves].index(self.resolutions.coarse)
        reached = {name: self.resolution_at(area, confidence) for name, area in REACHED.items()}
        return reached | {"coarse_area": self.intervals("area", confidence)[coarse]}

    def scalars(self, prefix: str = "") -> dict[str, float]:
        """Return the finite summary numbers for a logger, and the area at each resolution, such as
        ``area_at_0_2``; `prefix` as for `PRCurve.scalars`."""
        areas = zip(self.curves, self.intervals("area"), strict=True)
        numbers = {f"area_at_{sigma:g}".replace(".", "_"): area.value for sigma, area in areas}
        values = {name: interval.value for name, interval in self.summary().items()}
        return flat((values | numbers).items(), prefix)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON: ``resolutions``; ``rows``, as `rows`;
        ``summary``, {name: {value, low, high, confidence}}, ∞ as "inf"; ``estimates``, the
        arguments of `PRCurve.from_dict`; ``info``."""
        summary = {
            name: {key: for_json(value) for key, value in interval.to_dict().items()}
            for name, interval in self.summary().items()
        }
        return {
            "resolutions": [*self.curves],
            "rows": self.rows(),
            "summary": summary,
            "estimates": [estimate.to_dict() for estimate in self.estimates.values()],
            "info": self.info,
        }

    # ---- words and pictures ----------------------------------------------------------------------

    def sentences(self) -> list[str]:
        """Return the profile in words: differences of detail, and of mass."""
        return renderer(self, "sentences")(self)

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Plot numbers against the resolution on `ax`, by default new axes, with the options of
        `prfast.plots.plot_profiles`."""
        return renderer(self, "plot")(self, ax, **options)

    def __repr__(self) -> str:
        areas = ", ".join(f"{sigma:g}: {curve.area:.3f}" for sigma, curve in self.curves.items())
        return f"Profile(area by resolution: {areas})"
