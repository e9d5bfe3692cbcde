"""Noise of a resolution, and profiles."""

from __future__ import annotations

from mutant import Mutant

NOISE = "prfast/inputs/noise.py"
PROFILES = "prfast/estimate/profiles.py"
OF_NOISE = "inputs/test_noise.py"
OF_PROFILES = "estimate/test_profiles.py"

RESOLUTION = [
    Mutant(
        "noise: features are not winsorized for their scale",
        NOISE,
        "SCALE_FENCE = 5.0",
        "SCALE_FENCE = 1e40",
        OF_NOISE,
    ),
    Mutant(
        "noise: dead features have a scale of their own",
        NOISE,
        "        scale[~live] = np.median(others)",
        "        pass",
        OF_NOISE,
    ),
    Mutant(
        "noise: a constant is rounded to a deviation above 0",
        NOISE,
        "np.clip(x - median, -width, width)",
        "np.clip(x, median - width, median + width)",
        OF_NOISE,
    ),
    Mutant(
        "noise: scales depend on the layout of memory",
        NOISE,
        'astype(np.float64, order="C")',
        "astype(np.float64)",
        OF_NOISE,
    ),
    Mutant(
        "noise: squares of scales leave the range of float64",
        NOISE,
        "        exponent = _exponent(scales)",
        "        exponent = 0",
        OF_NOISE,
    ),
    Mutant(
        "noise: the root of the covariance has the signs of its vectors",
        NOISE,
        "(vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T * scales",
        "np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T * scales",
        OF_NOISE,
    ),
    Mutant(
        "noise: repeated rows are neighbors",
        NOISE,
        "distinct = np.unique(real, axis=0)",
        "distinct = real",
        OF_NOISE,
    ),
    Mutant(
        "noise: both sets have the same",
        NOISE,
        'f"noise {name} {copy}"',
        'f"noise {copy}"',
        OF_NOISE,
    ),
    Mutant(
        "noise: all copies have the same",
        NOISE,
        'f"noise {name} {copy}"',
        'f"noise {name}"',
        OF_NOISE,
    ),
    Mutant(
        "noise: sets keep types that differ",
        NOISE,
        "dtype = np.result_type(*sets)",
        "dtype = self.original_real.dtype",
        OF_NOISE,
    ),
    Mutant(
        "noise: it may overflow",
        NOISE,
        "            if not np.isfinite(result[rows]).all():",
        "            if False:",
        OF_NOISE,
    ),
    Mutant(
        "noise: categories are replaced with probability 1 − exp(−σ)",
        NOISE,
        "-np.expm1(-(sigma**2))",
        "-np.expm1(-sigma)",
        OF_NOISE,
    ),
    Mutant(
        "noise: categories are replaced by those of their own set",
        NOISE,
        "self.real[np.ix_(donors[rows, i], columns)]",
        "points[np.ix_(donors[rows, i] % len(points), columns)]",
        OF_NOISE,
    ),
    Mutant(
        "noise: columns of one code are replaced by several samples",
        NOISE,
        "self.real[np.ix_(donors[rows, i], columns)]",
        "np.column_stack([self.real[np.roll(donors[rows, i], j), j] for j in columns])",
        OF_NOISE,
    ),
    Mutant(
        "profiles: curves are the estimates",
        PROFILES,
        "    return curve if lower == curve else lower",
        "    return curve",
        OF_PROFILES,
    ),
    Mutant(
        "profiles: falling areas are not pooled",
        PROFILES,
        "> _level(values, pools[-1]):",
        "> math.inf:",
        OF_PROFILES,
    ),
    Mutant(
        "profiles: ends of all intervals rise",
        PROFILES,
        "    if (steps >= -_ROUNDING).all():",
        "    if True:",
        OF_PROFILES,
    ),
    Mutant(
        "profiles: an end of a resolution lies beyond it",
        PROFILES,
        "return Interval(value, min(low, value), max(high, value), confidence)\n\n    @property",
        "return Interval(value, low, high, confidence)\n\n    @property",
        OF_PROFILES,
    ),
    Mutant(
        "profiles: crossings are at the next resolution",
        PROFILES,
        "t = float(inside[0]) if inside.size else float(axis[i])",
        "t = float(axis[i])",
        OF_PROFILES,
    ),
    Mutant(
        "profiles: the ends of a resolution are those of the same end of the area",
        PROFILES,
        "((one.value, one.high, one.low) for one in areas)",
        "((one.value, one.low, one.high) for one in areas)",
        OF_PROFILES,
    ),
    Mutant(
        "profiles: evaluators draw noise of another seed",
        "prfast/comparison/reference.py",
        "options.noise, np.asarray(self.real), options.context.seed, labels",
        "options.noise, np.asarray(self.real), options.context.seed + 1, labels",
        OF_PROFILES,
    ),
    Mutant(
        "profiles: copies of a sample are spread over folds",
        "prfast/methods/auto/sample.py",
        "np.tile(of_set, repeats)",
        "np.repeat(of_set, repeats)",
        OF_PROFILES,
    ),
    Mutant(
        "profiles: some copies of a sample are fitted to",
        "prfast/methods/auto/sample.py",
        "        for number in range(repeats):\n            is_fitted",
        "        for number in range(1):\n            is_fitted",
        OF_PROFILES,
    ),
    Mutant(
        "profiles: counts of categories are no evidence",
        "prfast/methods/auto/estimator.py",
        "smoothed = context.smoothed.everywhere",
        "smoothed = True",
        OF_PROFILES,
    ),
    Mutant(
        "profiles: codes of categories are lengths",
        "prfast/inputs/noise.py",
        "numeric = np.setdiff1d(np.arange(d), np.concatenate([*groups, np.empty(0, np.int64)]))",
        "numeric = np.arange(d)",
        "inputs/test_noise.py",
    ),
    Mutant(
        "profiles: folds have as many columns as they have different k",
        "prfast/methods/auto/counts.py",
        "for k in _KS})[: self.columns]",
        "for k in _KS})",
        OF_PROFILES,
    ),
    Mutant(
        "profiles: kernels are transposed",
        "prfast/reference/mixtures.py",
        "return Discrete(self.p @ kernel, self.q @ kernel)",
        "return Discrete(kernel @ self.p, kernel @ self.q)",
        OF_PROFILES,
    ),
    Mutant(
        "profiles: mixtures are smoothed in the units of their components",
        "prfast/reference/mixtures.py",
        "squares = np.diagonal(self.covs, axis1=1, axis2=2) + self.means**2",
        "squares = np.diagonal(self.covs, axis1=1, axis2=2) + (self.p @ self.means) ** 2",
        OF_PROFILES,
    ),
]
