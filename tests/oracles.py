"""Slow twins of every kernel: plain loops and fractions, written to be obviously right."""

import math
import statistics
import warnings
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

import numpy as np


def error_counts(real, fake, w_real=None, w_fake=None):
    """(#real < t, #fake >= t) for every threshold t in [−∞, ∞]; sums of weights if given."""
    w_real = [1] * len(real) if w_real is None else [Fraction(float(w)) for w in w_real]
    w_fake = [1] * len(fake) if w_fake is None else [Fraction(float(w)) for w in w_fake]
    points = []
    for t in sorted({float(s) for s in [*real, *fake]}):
        rejected = sum(w for s, w in zip(real, w_real, strict=True) if s < t)
        accepted = sum(w for s, w in zip(fake, w_fake, strict=True) if s >= t)
        points.append((rejected, accepted))
    return [*points, (sum(w_real), 0)]  # above every score: all rejected


def hull_cells(points):
    """Cells (p, q) on the edges of the lower convex hull of exact points, by falling q / p."""
    chain = []
    for x, y in sorted(set(points), key=lambda point: (point[0], -point[1])):
        while len(chain) >= 2:
            (x1, y1), (x2, y2) = chain[-2:]
            # Drop the middle point unless it lies strictly below the chord.
            if (x2 - x1) * (y - y1) - (x - x1) * (y2 - y1) > 0:
                break
            chain.pop()
        chain.append((x, y))
    return [(x2 - x1, y1 - y2) for (x1, y1), (x2, y2) in pairwise(chain)]


def sweep(real, fake, w_real=None, w_fake=None):
    """Masses of the level sets of the best ratio, exactly."""
    return hull_cells(error_counts(real, fake, w_real, w_fake))


def alpha_of_thresholds(real, fake, lam):
    """min over all thresholds of λ fpr + fnr: the double loop of the 2019 paper's Algorithm 1."""
    n, m = len(real), len(fake)
    return min(lam * x / n + y / m for x, y in error_counts(real, fake))


def alpha(p, q, lam):
    """Σ min(λ p_i, q_i); 0 × ∞ = 0."""
    terms = []
    for p_i, q_i in zip(map(float, p), map(float, q), strict=True):
        terms.append(min(lam * p_i, q_i) if p_i > 0 else 0.0)
    return math.fsum(terms)


def beta(p, q, lam):
    """Σ min(p_i, q_i / λ); q / 0 = ∞ for q > 0, 0 / 0 = 0."""
    terms = []
    for p_i, q_i in zip(map(float, p), map(float, q), strict=True):
        terms.append(min(p_i, q_i / lam if lam > 0 else math.inf) if q_i > 0 else 0.0)
    return math.fsum(terms)


def pooled(p, q):
    """Cells by falling ratio, equal ratios merged, empty cells dropped; exact for whole numbers."""
    merged: dict[object, list[Fraction]] = {}
    for p_i, q_i in zip(p, q, strict=True):
        if p_i == 0 and q_i == 0:
            continue
        ratio = Fraction(float(q_i)) / Fraction(float(p_i)) if p_i else math.inf
        cell = merged.setdefault(ratio, [Fraction(0), Fraction(0)])
        cell[0] += Fraction(float(p_i))
        cell[1] += Fraction(float(q_i))
    return [tuple(merged[ratio]) for ratio in sorted(merged, reverse=True)]


def vertices(p, q):
    """fpr and fnr of the polyline with edges (p, −q), each correctly rounded."""
    p, q = [Fraction(float(x)) for x in p], [Fraction(float(x)) for x in q]
    fpr = [float(sum(p[:i]) / sum(p)) for i in range(len(p) + 1)]
    fnr = [float(sum(q[i:]) / sum(q)) for i in range(len(q) + 1)]
    return fpr, fnr


def normalized(masses):
    masses = np.asarray(masses, float)
    return masses / masses.sum()


def pair_of(masses):
    """Return two distributions, without −0."""
    return tuple(abs(normalized(of)) for of in masses)


def squared_distances(x, y):
    """The naive double loop, one feature at a time: no matrix product, no other order."""
    x, y = np.asarray(x).astype(np.float64), np.asarray(y).astype(np.float64)
    d2 = np.zeros((len(x), len(y)))
    for j in range(x.shape[1]):
        difference = x[:, None, j] - y[None, :, j]
        d2 += difference * difference
    return d2


def head(x, columns, center):
    """Coordinates along the orthonormal axes nearest to these columns, and the length of the rest:
    the rest itself, and no difference of squares."""
    left, _, right = np.linalg.svd(columns.astype(float), full_matrices=False)
    axes, offsets = left @ right, x.astype(float) - center
    along = offsets @ axes
    return np.column_stack([along, np.linalg.norm(offsets - along @ axes.T, axis=1)])


def kth(d2, k):
    """Return the k-th smallest of each row."""
    return np.sort(d2, axis=1)[:, k - 1]


def kth_within(points, k):
    """D of the k-th nearest other point: the diagonal is left out, zeros elsewhere are not."""
    d2 = squared_distances(points, points)
    np.fill_diagonal(d2, np.inf)
    return kth(d2, k)


def half_kth(points, k, half):
    """D of the k-th nearest other point of the same half, given which half each point is in."""
    d2 = squared_distances(points, points)
    np.fill_diagonal(d2, np.inf)
    return kth(np.where(half[:, None] == half, d2, np.inf), k)


def half_counts(d2, half_x, half_y, t_x, t_y, closed):
    """Numbers of pairs of the same half within a ball, of each row and of each column; T belongs to
    the rows or to the columns."""
    t = t_y if t_x is None else t_x[:, None]
    inside = in_ball(d2, t, closed) & (half_x[:, None] == half_y)
    return inside.sum(axis=1), inside.sum(axis=0)


def in_ball(d2, t, closed):
    return d2 <= t if closed else d2 < t


def in_mean_ball(d2, squares, closed):
    """Return whether √D is within the mean of the roots of squares, in rationals.

    Roots whose ratios are all rational have a mean whose square is rational.  Of other roots no
    mean is the root of a rational (Besicovitch 1940), so that no D ties with it.
    """
    squares = [Fraction(float(x)) for x in squares]
    base = max(squares)
    ratios = [x / base if base else Fraction(0) for x in squares]
    roots = [(math.isqrt(x.numerator), math.isqrt(x.denominator)) for x in ratios]
    if all(Fraction(a * a, b * b) == x for (a, b), x in zip(roots, ratios, strict=True)):
        mean = base * (sum(Fraction(a, b) for a, b in roots) / len(roots)) ** 2
    else:
        with localcontext(prec=100):
            whole = sum((Decimal(x.numerator) / x.denominator).sqrt() for x in squares)
            mean = Fraction((whole / len(squares)) ** 2)
    inside = {
        d: in_ball(Fraction(d), mean, closed) for d in set(np.ravel(d2).tolist()) - {math.inf}
    }
    return np.vectorize(lambda d: inside.get(d, False), otypes=[bool])(d2)


def neighbor_counts(method, points, real, fake, k, closed=True, leave_out=None):
    """Numerator and denominator of a neighbor score, counts of real and of fake."""
    to_real, to_fake = squared_distances(points, real), squared_distances(points, fake)
    if leave_out is not None:  # the points are one of the sets: none is its own neighbor
        np.fill_diagonal(to_real if leave_out == "real" else to_fake, np.inf)
    if method == "knn":
        t = kth(np.hstack([to_real, to_fake]), k)[:, None]
        t_real = t_fake = t
    elif method == "coverage":
        t_real, t_fake = kth(to_fake, k)[:, None], kth(to_real, k)[:, None]
    elif method == "ipr":
        t_real, t_fake = kth_within(real, k), kth_within(fake, k)
    elif method == "parzen":
        return tuple(
            in_mean_ball(d2, kth_within(s, k), closed).sum(1)
            for d2, s in ((to_real, real), (to_fake, fake))
        )
    return in_ball(to_real, t_real, closed).sum(1), in_ball(to_fake, t_fake, closed).sum(1)


def neighbor_scores(method, points, real, fake, k, closed=True, leave_out=None):
    """(a / n) / (b / m), c/0 = ∞, 0/0 = 1, as the fraction that it is."""
    counts = neighbor_counts(method, points, real, fake, k, closed, leave_out)
    result = []
    for a, b in zip(*counts, strict=True):
        if b == 0:
            result.append(math.inf if a else 1.0)
        else:
            result.append(float(Fraction(int(a) * len(fake), int(b) * len(real))))
    return np.array(result)


def metrics(real, fake, k, closed=True, cover_k=3, reach=9, p_k=4, p_factor=1.2):
    """Every extreme-value metric by its definition, from full matrices."""
    d2 = squared_distances(fake, real)  # rows: generated
    r_real, r_fake = kth_within(real, k), kth_within(fake, k)
    in_real, in_fake = in_ball(d2, r_real, closed), in_ball(d2, r_fake[:, None], closed)
    values = {
        "precision": in_real.any(1).sum() / len(fake),
        "recall": in_fake.any(0).sum() / len(real),
        "density": in_real.sum() / (k * len(fake)),
        "coverage": in_real.any(0).sum() / len(real),
        "complementary_precision": in_fake.any(1).sum() / len(fake),
    }
    values["symmetric_precision"] = min(values["precision"], values["complementary_precision"])
    values["symmetric_recall"] = min(values["recall"], values["coverage"])
    cover = in_ball(d2, kth_within(fake, reach)[:, None], closed).sum(1) >= cover_k
    values["precision_cover"] = cover.sum() / len(fake)
    cover = in_ball(d2, kth_within(real, reach), closed).sum(0) >= cover_k
    values["recall_cover"] = cover.sum() / len(real)
    for name, radii, points, refs in (
        ("p_precision", radii_within(real, p_k), fake, real),
        ("p_recall", radii_within(fake, p_k), real, fake),
    ):
        radius = p_factor * math.fsum(radii) / len(radii)
        values[name] = math.fsum(nearness(points, refs, radius)) / len(points)
    p, r = values["precision"], values["recall"]
    values["f1"] = 2 * p * r / (p + r) if p + r else 0.0
    return values


def radii_within(points, k):
    """Distance of the k-th nearest other point by `math.dist`."""
    rows = np.asarray(points, np.float64).tolist()
    return [
        sorted(math.dist(x, y) for j, y in enumerate(rows) if j != i)[k - 1]
        for i, x in enumerate(rows)
    ]


def nearness(points, refs, radius):
    """1 − Π min(1, d/R) of each point (2024, Eq. 8 with the tent of the 2023 paper): distances by
    `math.dist`, which no square over- or underflows in, and a product; R = 0: 1 where d = 0."""
    result = []
    for point in np.asarray(points, np.float64).tolist():
        factors = []
        for ref in np.asarray(refs, np.float64).tolist():
            d = math.dist(point, ref)
            factors.append(min(1.0, d / radius) if radius else float(d > 0))
        result.append(1 - math.prod(factors))
    return result


def realism(real, fake, k, prune=True):
    """max r_k(x) / d(x, y), squared, over the real samples whose radius is not above the median."""
    t = kth_within(real, k)
    if prune:
        low, high = statistics.median_low(t), statistics.median_high(t)
        t = np.where(in_mean_ball(t, [low, high], True), t, -1)
    d2 = squared_distances(fake, real)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(d2 == 0, np.where(t == 0, 1.0, np.inf), t / d2)
    return np.where(t < 0, 0.0, ratio).max(1)


def in_nearest_ball(real, fake, closed=True):
    """Return whether each generated sample is in the ball of a real one that is nearest to it."""
    t, d2 = kth_within(real, 1), squared_distances(fake, real)
    nearest = d2 == d2.min(axis=1, keepdims=True)
    return (nearest & in_ball(d2, t, closed)).any(axis=1)


def kernel(x, y):
    """(x·y / d + 1)³ of every pair, by the double loop."""
    dim = len(x[0])
    return np.array([[(math.fsum(a * b) / dim + 1) ** 3 for b in y] for a in x])


def kernel_distance(real, fake):
    """Return the unbiased estimate over all pairs."""
    xx, yy = kernel(real, real), kernel(fake, fake)
    n, m = len(real), len(fake)
    within = (xx.sum() - np.trace(xx)) / (n * (n - 1)) + (yy.sum() - np.trace(yy)) / (m * (m - 1))
    return within - 2 * kernel(real, fake).mean()


PHI = {
    "kl": lambda u: u * math.log(u) - (u - 1),
    "reverse_kl": lambda u: -math.log(u) + (u - 1),
    "js": lambda u: -(u + 1) * math.log((1 + u) / 2) + u * math.log(u),
    "chi2": lambda u: (u - 1) ** 2,
    "hellinger": lambda u: (math.sqrt(u) - 1) ** 2,
    "tv": lambda u: abs(u - 1),
    "frontier_integral": lambda u: (u + 1) / 2 - (u * math.log(u) / (u - 1) if u != 1 else 1),
}
AT_ZERO = {"kl": 1, "reverse_kl": math.inf, "js": math.log(2), "chi2": 1, "hellinger": 1, "tv": 1}
AT_ZERO["frontier_integral"] = 0.5
DUAL_AT_ZERO = {
    "kl": math.inf,
    "reverse_kl": 1,
    "js": math.log(2),
    "chi2": math.inf,
    "hellinger": 1,
    "tv": 1,
    "frontier_integral": 0.5,
}


def _frontier_curvature(u):
    """φ'' of the frontier integral, φ' = ½ − (x − ln u) / x², x = u − 1; its series near 1."""
    x = u - 1
    if abs(x) < 0.05:
        return math.fsum((-x) ** j * (j + 1) / (j + 3) for j in range(20))
    return (2 * (x - math.log(u)) / x - x / u) / x / x


CURVATURE = {  # φ''; that of tv is an atom of 2 at u = 1
    "kl": lambda u: 1 / u,
    "reverse_kl": lambda u: u**-2,
    "js": lambda u: 1 / (u * (1 + u)),
    "chi2": lambda u: 2.0,
    "hellinger": lambda u: 0.5 * u**-1.5,
    "frontier_integral": _frontier_curvature,
}
for _a in (-1.5, 0.3, 2.5):
    PHI[f"tsallis:{_a}"] = lambda u, a=_a: (u**a - a * (u - 1) - 1) / (a * (a - 1))
    AT_ZERO[f"tsallis:{_a}"] = 1 / _a if _a > 0 else math.inf
    DUAL_AT_ZERO[f"tsallis:{_a}"] = 1 / (1 - _a) if _a < 1 else math.inf
    CURVATURE[f"tsallis:{_a}"] = lambda u, a=_a: u ** (a - 2)


def divergence(p, q, name):
    """D_φ(p‖q) of any two positive measures (Definition 15)."""
    terms = []
    for p_i, q_i in zip(map(float, p), map(float, q), strict=True):
        if p_i > 0 and q_i > 0:
            terms.append(q_i * PHI[name](p_i / q_i))
        elif q_i > 0:
            terms.append(AT_ZERO[name] * q_i)
        elif p_i > 0:
            terms.append(DUAL_AT_ZERO[name] * p_i)
    return math.fsum(terms)


def degroot(p, q, pi):
    """B_π = Σ min(π p_i, (1 − π) q_i)."""
    return math.fsum(min(pi * a, (1 - pi) * b) for a, b in zip(p, q, strict=True))


def divergence_by_integral(p, q, name):
    """½ ∫ ΔF¹_π dΓ_φ(π), dΓ_φ = (1/π) dφ'((1−π)/π) (Corollary 19), by quadrature in the logarithm
    of u = (1−π)/π, cut where the integrand has corners."""
    p, q = [float(x) for x in p], [float(x) for x in q]

    def half_gap(u):
        """½ΔF¹_π / π = min(1, u) − Σ min(p, uq), since (1 − π)/π = u."""
        return min(1, u) - math.fsum(min(a, u * b) for a, b in zip(p, q, strict=True))

    if name == "tv":
        return 2 * half_gap(1.0)

    def integrand(log_u):
        u = math.exp(log_u)
        return half_gap(u) * CURVATURE[name](u) * u

    corners = {math.log(a / b) for a, b in zip(p, q, strict=True) if a > 0 and b > 0} | {0.0}
    if any(a == 0 < b for a, b in zip(p, q, strict=True)):
        corners |= {min(corners) - step for step in (5, 30, 150)}
    if any(b == 0 < a for a, b in zip(p, q, strict=True)):
        corners |= {max(corners) + step for step in (5, 30, 150)}
    return integral(integrand, sorted(corners), epsabs=1e-13)


def best_lambda(p, q, t, name):
    """min over λ of λt + D_φ(q‖λp), a convex function of λ, by SciPy's bounded search
    in ln λ."""
    from scipy.optimize import minimize_scalar

    def value(log):
        lam = math.exp(log)
        return lam * t + divergence(q, [lam * x for x in p], name)

    result = minimize_scalar(value, bounds=(-40, 12), method="bounded", options={"xatol": 1e-10})
    return min(DUAL_AT_ZERO[name], float(result.fun))


def lorenz(p, q, t):
    """Return the least mass of q on sets, mixed ones included, with at least the mass t of p:
    cheapest cells first, the last in part."""
    p, q = [Fraction(float(x)) for x in p], [Fraction(float(x)) for x in q]
    cells = [(x / sum(p), y / sum(q)) for x, y in zip(p, q, strict=True) if x]
    cost, left = Fraction(0), Fraction(float(t))
    for x, y in sorted(cells, key=lambda cell: cell[1] / cell[0]):
        share = min(Fraction(1), left / x)
        cost += share * y
        left -= share * x
    return float(cost)


def renyi(mu, nu, order):
    """D_a(μ‖ν) of masses on common cells, in logarithms where powers would overflow."""
    terms = [(m, math.log(m) - math.log(n)) for m, n in zip(mu, nu, strict=True) if m > 0]
    if order == 1:
        return math.fsum(m * y for m, y in terms)
    if order > 1e300:  # where exponents overflow, as at ∞
        return max(y for _, y in terms)
    exponents = [math.log(m) + (order - 1) * y for m, y in terms]
    top = max(exponents)
    return (top + math.log(math.fsum(math.exp(e - top) for e in exponents))) / (order - 1)


def frontier_mu(p, q, order, theta):
    """μ_θ of Proposition 21 (2023) by its formula, for masses and orders of moderate size."""
    k = 1 - order
    if order == 1:
        mu = [x**theta * y ** (1 - theta) for x, y in zip(p, q, strict=True)]
    else:
        mu = [(theta * x**k + (1 - theta) * y**k) ** (1 / k) for x, y in zip(p, q, strict=True)]
    return [m / math.fsum(mu) for m in mu]


def mauve_curve(p, q, weights, scale):
    """exp(−c KL(Q‖R)), exp(−c KL(P‖R)) with R = λP + (1 − λ)Q, and the corners."""

    def kl(masses, mixture):
        if any(m > 0 and r == 0 for m, r in zip(masses, mixture, strict=True)):
            return math.inf
        pairs = zip(masses, mixture, strict=True)
        return math.fsum(m * math.log(m / r) for m, r in pairs if m > 0)

    points = [(1.0, 0.0)]
    for lam in sorted(weights):
        r = [lam * x + (1 - lam) * y for x, y in zip(p, q, strict=True)]
        points.append((math.exp(-scale * kl(q, r)), math.exp(-scale * kl(p, r))))
    return [*points, (0.0, 1.0)]


def integral(function, points, **options):
    """Return ∫ function from the first to the last of the points, a quadrature between any two.

    Warnings about intervals as narrow as rounding are ignored: comparisons show the accuracy.
    """
    from scipy.integrate import IntegrationWarning, quad

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IntegrationWarning)
        parts = [quad(function, a, b, limit=200, **options)[0] for a, b in pairwise(points)]
    return math.fsum(parts)


def winsorized_deviation(feature):
    """Standard deviation of a feature, winsorized at 5 reaches from its median: the reach is the
    .9 quantile of the distances from it, or, where that is 0, the median of the other ones."""
    if len(set(np.asarray(feature).tolist())) == 1:
        return 0.0  # the mean of 0.1, 0.1, 0.1 is rounded
    feature = [float(x) for x in feature]
    median = statistics.median(feature)
    distances = sorted(abs(x - median) for x in feature)
    place = 0.9 * (len(distances) - 1)
    low, share = int(place), place - int(place)
    high = min(low + 1, len(distances) - 1)
    reach = (1 - share) * distances[low] + share * distances[high]
    if reach == 0:
        distinct = [x for x in distances if x > 0]
        reach = statistics.median(distinct) if distinct else math.inf
    clipped = [min(max(x, median - 5 * reach), median + 5 * reach) for x in feature]
    mean = math.fsum(clipped) / len(clipped)
    return math.sqrt(math.fsum((x - mean) ** 2 for x in clipped) / len(clipped))


def noise_scales(real, **options):
    """Return those of all features; of a constant one, or one that is dead beside 16 others of
    one unit, the median of the others; 1 where all are constant."""
    scales = [winsorized_deviation(feature, **options) for feature in np.asarray(real).T]
    live = [s for s in scales if s > 1e-6 * max(scales)]
    if len(live) >= 16 and max(live) <= 1000 * min(live):
        scales = [s if s in live else statistics.median(live) for s in scales]
    positive = [s for s in scales if s > 0]
    return [s if s > 0 else statistics.median(positive or [1.0]) for s in scales]


def smoothed_rows(rng, points, sigma, scales):
    """x + σ s ε for one number after another, in float64."""
    return [
        [x + sigma * (rng.standard_normal() * s) for x, s in zip(row, scales, strict=True)]
        for row in np.asarray(points, np.float64).tolist()
    ]


def replaced_rows(rng, points, real, sigma, groups):
    """Return the rows with categories replaced, by two uniform numbers for each: the first
    decides whether it is, with probability 1 − exp(−(σ/4)²), the second by that of which real
    row."""
    rows = [list(row) for row in points]
    for row in rows:
        for columns in groups:
            chance, donor = rng.random(2)
            if chance < 1 - math.exp(-((sigma / 4) ** 2)):
                for column in columns:
                    row[column] = real[int(donor * len(real))][column]
    return rows


def tree_edges(values, most):
    """Up to `most` edges of bins for numbers: between all distinct ones, or near quantiles."""
    values = np.sort(values)
    n = len(values)
    ends = [i for i in range(1, n) if values[i - 1] < values[i]]
    if len(ends) > most:
        u = [k / (most + 1) for k in range(1, most + 1)]
        at = [int(n * (0.5 * x * (1 + x * (3 - 2 * x)))) for x in u]
        below = [max([0, *(end for end in ends if end <= place)]) for place in at]
        above = [min([n, *(end for end in ends if end > place)]) for place in at]
        triples = zip(at, below, above, strict=True)
        nearer = {a if place - a <= b - place else b for place, a, b in triples}
        ends = sorted(nearer & set(ends))
    edges = [values[i - 1] + 0.5 * (values[i] - values[i - 1]) for i in ends]
    edges = [e if e > values[i - 1] else values[i] for e, i in zip(edges, ends, strict=True)]
    return np.array(edges + [np.inf] * (most - len(edges)))


def sigmoid(x):
    """1 / (1 + e^−x), in the order of csrc/trees/sigmoid.h."""
    t = -np.clip(x, -700.0, 700.0)
    whole = np.rint(t * 1.4426950408889634)
    r = t - whole * 0.6931471805599453
    r2 = r * r
    r4 = r2 * r2
    low = (1.0 + r) + (1.0 / 2 + r * (1.0 / 6)) * r2
    middle = (1.0 / 24 + r * (1.0 / 120)) + (1.0 / 720 + r * (1.0 / 5040)) * r2
    high = (1.0 / 40320 + r * (1.0 / 362880)) + (1.0 / 3628800 + r * (1.0 / 39916800)) * r2
    return 1.0 / (1.0 + np.ldexp(low + (middle + high * r4) * r4, whole.astype(int)))


def _best_tree_split(bins, slope, curvature, unit, least, l2):
    """(gain, column, bin) of rows with these integers; a gain of 0 where no split has one."""
    s, c = int(slope.sum()) * unit, int(curvature.sum()) * (unit / 4)
    whole, best, where = c + 2.0 * l2, 0.0, (0, 0)
    for j in range(bins.shape[1]):
        for b in range(int(bins.max())):
            left = bins[:, j] <= b
            if min(left.sum(), (~left).sum()) < least:
                continue
            left_c = int(curvature[left].sum()) * (unit / 4) + l2
            difference = int(slope[left].sum()) * unit * whole - s * left_c
            score = difference * difference / (left_c * (whole - left_c))
            if score > best:
                best, where = score, (j, b)
    return (best + s * s) / whole - s * s / (c + l2) if best > 0 else 0.0, *where


def boosted_trees(bins, labels, trees, leaves, least, rate, l2, start, weights=None):
    """Splits and values of the nodes of boosted trees, and the log-odds of the rows after them."""
    n, nodes = len(bins), 2 * leaves - 1
    splits, values = np.zeros((trees, nodes), np.uint32), np.zeros((trees, nodes))
    weights = np.ones(n) if weights is None else weights
    unit = 1.0
    while math.fsum(weights) > unit * 2.0**30:
        unit *= 2
    while math.fsum(weights) <= unit * 2.0**29:
        unit /= 2
    odds = np.full(n, start)
    for t in range(trees):
        p = sigmoid(odds)
        slope = np.rint((p - labels) * weights / unit).astype(np.int64)
        curvature = np.rint(p * (1.0 - p) * weights / (unit / 4)).astype(np.int64)

        def leaf(rows, node, slope=slope, curvature=curvature):
            split = _best_tree_split(bins[rows], slope[rows], curvature[rows], unit, least, l2)
            return rows, node, *split

        grown = [leaf(np.arange(n), 0)]
        while len(grown) < leaves:
            i = max(range(len(grown)), key=lambda i: (grown[i][2], -i))
            rows, node, gain, column, b = grown[i]
            if not gain > 0:
                break
            child, left = 2 * len(grown) - 1, bins[rows, column] <= b
            splits[t, node] = column << 16 | b << 8 | child
            grown[i] = leaf(rows[left], child)
            grown.append(leaf(rows[~left], child + 1))
        for rows, node, *_ in grown:
            curved = int(curvature[rows].sum()) * (unit / 4) + l2
            values[t, node] = -rate * (int(slope[rows].sum()) * unit) / curved
            odds[rows] += values[t, node]
    return splits, values, odds


def clipped(real, fake, k, closed=True):
    """Clipped density and, before its calibration, clipped coverage, by double loops."""
    t = kth_within(real, k)
    middle = [statistics.median_low(t), statistics.median_high(t)]
    across, within = squared_distances(fake, real), squared_distances(real, real)

    def mean(d2, count_self):
        inside = in_ball(d2, t, closed) & in_mean_ball(d2, middle, closed)
        if not count_self:
            np.fill_diagonal(inside, False)
        return sum(min(int(row.sum()), k) for row in inside) / (k * len(d2))

    expected = mean(within, False)
    density = min(1.0, mean(across, True) / expected) if expected else 0.0
    held = in_ball(across, t, closed).sum(axis=0)
    return density, sum(min(int(count), k) for count in held) / (k * len(real))


def covered(g, k, n):
    """E min(J, k) / k, J ~ BetaBinomial(g; k, n − k), in fractions, from the order of k + g + n − k
    − 1 points around a center: the k-th of the n − 1 others is preceded by J of the g."""
    total, orders = Fraction(0), math.comb(n - 1 + g, g)
    for j in range(g + 1):
        ways = math.comb(k - 1 + j, j) * math.comb(n - 1 - k + g - j, g - j)
        total += Fraction(ways, orders) * min(j, k)
    return total / k


def supports(real, fake):
    """α-precision and β-recall (synthcity, "naive") by loops over samples and levels."""
    center, middle = (np.array([math.fsum(c) / len(x) for c in x.T.tolist()]) for x in (real, fake))
    nearest, across = np.sqrt(kth_within(real, 1)), squared_distances(real, fake)
    radii = [math.dist(x, center) for x in real.tolist()]
    fake_radii = [math.dist(y, center) for y in fake.tolist()]
    around = [
        min(math.dist(fake[j].tolist(), middle) for j in np.flatnonzero(row == row.min()))
        for row in across
    ]
    counted = np.sqrt(across.min(axis=1)) <= nearest
    errors, levels = [0.0, 0.0], [step / 29 for step in range(30)]
    for level in levels:
        limit, near = (np.quantile(x, level) * (1 + 2.0**-32) for x in (radii, around))
        inside = [radius <= limit for radius in fake_radii]
        covered_ = [ok and radius <= near for ok, radius in zip(counted, around, strict=True)]
        errors[0] += abs(level - np.mean(inside))
        errors[1] += abs(level - np.mean(covered_))
    return [1 - error / math.fsum(levels) for error in errors]


def kernel_sums(products, a, b, factor, shift, cubic, same):
    """Return the sums of a kernel over rows and columns, and of its squares, pair by pair; and
    sums of the sizes of all terms, by which rounding is measured."""
    k, size = np.zeros(products.shape), np.zeros(products.shape)
    for i, j in np.ndindex(products.shape):
        if same and i == j:
            continue
        q = factor * float(products[i, j]) + float(a[i]) + float(b[j])
        k[i, j] = (q * (q * (q + 3) + 3) if cubic else 2.0 ** min(max(q, -126), 0)) - shift
        terms = abs(factor * float(products[i, j])) + abs(float(a[i])) + abs(float(b[j]))
        size[i, j] = (
            terms * (terms * (terms + 3) + 3)
            if cubic
            else (1 + terms) * 2.0 ** min(max(q, -126), 0)
        )
        size[i, j] += abs(shift)
    return [k.sum(1), k.sum(0), (k**2).sum()], [size.sum(1), size.sum(0), (size**2).sum()]


def gaussian_distance(real, fake, sigma):
    """Return the unbiased squared MMD over all pairs, distances by `math.dist`."""

    def less_one(x, y):
        return np.array([[math.expm1(-((math.dist(a, b) / sigma) ** 2) / 2) for b in y] for a in x])

    real, fake = (np.asarray(x, np.float64).tolist() for x in (real, fake))
    n, m, xx, yy = len(real), len(fake), less_one(real, real), less_one(fake, fake)
    within = [math.fsum((k - np.diag(np.diag(k))).ravel()) for k in (xx, yy)]
    between = math.fsum(less_one(real, fake).ravel()) / (n * m)
    return within[0] / (n * (n - 1)) + within[1] / (m * (m - 1)) - 2 * between


def median_distance(points):
    """Return the median distance of different samples; of those above 0 where it is 0; 1 where
    all are."""
    rows = np.asarray(points, np.float64).tolist()
    distances = [math.dist(a, b) for i, a in enumerate(rows) for b in rows[:i]]
    median = statistics.median(distances)
    return median or statistics.median([d for d in distances if d] or [1.0])
