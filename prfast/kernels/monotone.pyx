# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Monotone functions: the most likely log-ratio of two classes, a polyline.

A polyline has heights θ_0 ≤ … ≤ θ_{k−1} at k knots, evenly spaced from `low` to `high`.  `fit`
minimizes

    Σ p log(1 + e^{−g}) + q log(1 + e^{g}) + ½ s Σ (Δ²θ)² + ½ RIDGE (θ_0² + Σ (Δθ)²)

over them, g the polyline at x, with masses p and q of both classes.  A Newton step is a quadratic
program, whose Hessian has two diagonals beside its own.  It is solved with an active set: knots
that are tied, θ_j = θ_{j−1}, are one variable, which leaves the matrix as narrow, so that a
solution takes O(k).

Nothing is checked here beyond what keeps memory safe: callers validate.
"""

import numpy as np

from libc.stdint cimport int64_t
from libc.math cimport exp, fabs, floor, log

cdef enum:
    MOST = 128  # knots, at most
    NEWTON_STEPS = 30
    HALVINGS = 20

ctypedef fused real:
    float
    double

cdef double RIDGE = 1e-8
cdef double LOG_2 = 0.6931471805599453
cdef double CONVERGED = 1e-7  # decrease of the loss, relative


cdef struct Problem:
    int k
    double smooth
    # The lower diagonals of the Hessian, and its product with the solution, Hθ − ∇.
    double[MOST] main
    double[MOST] first
    double[MOST] second
    double[MOST] right


def fit(const double[::1] x, const double[::1] p, const double[::1] q, double low, double high,
        double smooth, double[::1] heights):
    """Write the heights at the knots; their number is the length of `heights`.

    x within [low, high], low < high.  A cell without mass has no effect.
    """
    cdef int k = <int>heights.shape[0], cells = <int>x.shape[0], i, step
    cdef double best = 0.0, reached = 0.0, decrease, at
    cdef bint is_last
    cdef double[MOST] theta, goal, trial
    cdef Problem problem
    if not 3 <= k <= MOST or p.shape[0] != cells or q.shape[0] != cells or cells < 1:
        raise ValueError(f"3 to {MOST} heights and cells of one number expected")
    left_array, numbers_array = np.empty(cells, np.int32), np.empty((3, cells))
    cdef int[::1] left = left_array
    cdef double[:, ::1] numbers = numbers_array
    cdef double[::1] share = numbers[0], ratio = numbers[1], decay = numbers[2]
    with nogil:
        for i in range(cells):
            at = (x[i] - low) / (high - low) * (k - 1)
            left[i] = max(0, min(<int>floor(at), k - 2))
            share[i] = at - left[i]
            ratio[i], decay[i] = 0.0, 1.0
            best += (p[i] + q[i]) * LOG_2
        for i in range(k):
            theta[i] = 0.0
        problem.k, problem.smooth = k, smooth
        for step in range(NEWTON_STEPS):
            expand(left, share, p, q, ratio, decay, &problem)
            minimize(&problem, theta, goal)
            decrease = 0.0  # twice that of the expansion
            for i in range(k):
                goal[i] -= theta[i]  # the step
                decrease += (problem.right[i] - row(&problem, theta, i)) * goal[i]
            is_last = decrease < CONVERGED * max(1.0, best)
            for halving in range(HALVINGS):
                for i in range(k):
                    trial[i] = theta[i] + goal[i]
                    if i and trial[i] < trial[i - 1]:
                        trial[i] = trial[i - 1]  # by rounding
                if is_last:
                    break
                reached = loss(left, share, p, q, trial, k, smooth, ratio, decay)
                if reached <= best:
                    break
                for i in range(k):
                    goal[i] *= 0.5
            if not is_last and not reached <= best:
                break
            for i in range(k):
                theta[i] = trial[i]
            if is_last or best - reached < CONVERGED * max(1.0, best):
                break
            best = reached
        for i in range(k):
            heights[i] = theta[i]


def interpolate(const double[::1] x, double low, double high, const double[::1] heights,
                double bound, double[::1] values):
    """Write the polyline at x, within ±bound: non-decreasing in x, whatever the rounding."""
    cdef Py_ssize_t i, n = x.shape[0]
    cdef int j, last = <int>heights.shape[0] - 1
    cdef double at, value, scale
    if values.shape[0] != n or last < 1:
        raise ValueError("as many values as points and two heights expected")
    with nogil:
        scale = last / (high - low)
        for i in range(n):
            at = min(max((x[i] - low) * scale, 0.0), <double>last)
            j = max(0, min(<int>at, last - 1))  # of a NaN, too
            value = heights[j] + (at - j) * (heights[j + 1] - heights[j])
            value = min(value, heights[j + 1])  # where the next piece begins
            values[i] = min(max(value, -bound), bound)


cdef double loss(const int[::1] left, const double[::1] share, const double[::1] p,
                 const double[::1] q, const double *theta, int k, double smooth,
                 double[::1] ratio, double[::1] decay) noexcept nogil:
    """Return the loss at θ; write g and e^{−|g|} of each cell."""
    cdef Py_ssize_t i
    cdef int j
    cdef double g, e, sum = 0.0, bends = 0.0, steps = theta[0] * theta[0]
    for i in range(left.shape[0]):
        j = left[i]
        g = theta[j] + share[i] * (theta[j + 1] - theta[j])
        e = exp(-fabs(g))
        ratio[i], decay[i] = g, e
        # log(1 + e^{∓g}) of the likely class is the second term alone.
        sum += (p[i] + q[i]) * log(1.0 + e)
        sum += (q[i] if g > 0 else p[i]) * fabs(g)
    for j in range(1, k):
        steps += (theta[j] - theta[j - 1]) ** 2
        if j > 1:
            bends += (theta[j] - 2 * theta[j - 1] + theta[j - 2]) ** 2
    return sum + 0.5 * smooth * bends + 0.5 * RIDGE * steps


cdef void expand(const int[::1] left, const double[::1] share, const double[::1] p,
                 const double[::1] q, const double[::1] ratio, const double[::1] decay,
                 Problem *to) noexcept nogil:
    """Set the second-order expansion of the loss where its cells have g and e^{−|g|}."""
    cdef Py_ssize_t i
    cdef int j, k = to.k
    cdef double g, f, eta, mass, weight, slope, e, likely
    for j in range(k):
        to.main[j] = to.first[j] = to.second[j] = to.right[j] = 0.0
    for i in range(left.shape[0]):
        j, f, mass, g, e = left[i], share[i], p[i] + q[i], ratio[i], decay[i]
        likely = 1.0 / (1.0 + e)
        eta = likely if g >= 0 else e * likely
        weight = mass * max(e * likely * likely, 1e-9)
        slope = weight * g - (mass * eta - p[i])
        to.main[j] += weight * (1.0 - f) * (1.0 - f)
        to.first[j] += weight * f * (1.0 - f)  # with the next
        to.main[j + 1] += weight * f * f
        to.right[j] += slope * (1.0 - f)
        to.right[j + 1] += slope * f
    to.main[0] += RIDGE
    for j in range(1, k):
        to.main[j] += RIDGE
        to.main[j - 1] += RIDGE
        to.first[j - 1] -= RIDGE
        if j > 1:  # the square of θ_j − 2 θ_{j−1} + θ_{j−2}
            to.main[j] += to.smooth
            to.main[j - 1] += 4 * to.smooth
            to.main[j - 2] += to.smooth
            to.first[j - 1] -= 2 * to.smooth
            to.first[j - 2] -= 2 * to.smooth
            to.second[j - 2] += to.smooth


cdef void minimize(const Problem *problem, const double *start, double *x) noexcept nogil:
    """Minimize ½ xᵀHx − rᵀx over non-decreasing x, from a feasible start."""
    cdef int k = problem.k, j, worst, blocking, change
    cdef bint[MOST] tied
    cdef double[MOST] goal
    cdef double part, smallest, gap, gradient, scale = 0.0
    for j in range(k):
        x[j] = start[j]
        tied[j] = j > 0 and start[j] <= start[j - 1]
        scale = max(scale, fabs(problem.right[j]))
    for change in range(8 * k):
        solve(problem, tied, goal)
        # The longest part of the way on which nothing decreases.
        part, blocking = 1.0, 0
        for j in range(1, k):
            if not tied[j] and goal[j] < goal[j - 1]:
                gap = (x[j] - x[j - 1]) / ((x[j] - x[j - 1]) - (goal[j] - goal[j - 1]))
                if gap < part:
                    part, blocking = gap, j
        for j in range(k):
            x[j] += part * (goal[j] - x[j])
        if blocking:
            tied[blocking] = True
            x[blocking] = x[blocking - 1]
            for j in range(blocking + 1, k):
                if x[j] < x[j - 1]:
                    x[j] = x[j - 1]  # by rounding
            continue
        # The tie whose release lowers the value most.
        gradient, smallest, worst = 0.0, -1e-12 * scale, 0
        for j in range(k - 1, 0, -1):
            gradient += row(problem, x, j) - problem.right[j]
            if tied[j] and gradient < smallest:
                smallest, worst = gradient, j
        if not worst:
            return
        tied[worst] = False


cdef double row(const Problem *problem, const double *x, int j) noexcept nogil:
    """Return the product of a row of the Hessian with x."""
    cdef double sum = problem.main[j] * x[j]
    if j > 0:
        sum += problem.first[j - 1] * x[j - 1]
    if j > 1:
        sum += problem.second[j - 2] * x[j - 2]
    if j + 1 < problem.k:
        sum += problem.first[j] * x[j + 1]
    if j + 2 < problem.k:
        sum += problem.second[j] * x[j + 2]
    return sum


cdef void solve(const Problem *problem, const bint *tied, double *x) noexcept nogil:
    """Solve Hx = r where tied entries are equal: by LDLᵀ, with a variable for each block of ties."""
    cdef int k = problem.k, j, b, c, blocks = 0
    cdef int[MOST] block
    cdef double[MOST] main, first, second, z
    for j in range(k):
        if not tied[j]:
            main[blocks] = first[blocks] = second[blocks] = z[blocks] = 0.0
            blocks += 1
        block[j] = blocks - 1
    for j in range(k):
        b = block[j]
        main[b] += problem.main[j]
        z[b] += problem.right[j]
        if j + 1 < k:
            if block[j + 1] == b:
                main[b] += 2 * problem.first[j]
            else:
                first[b] += problem.first[j]
        if j + 2 < k:
            c = block[j + 2]
            if c == b:
                main[b] += 2 * problem.second[j]
            elif c == b + 1:
                first[b] += problem.second[j]
            else:
                second[b] += problem.second[j]
    for b in range(blocks):
        # main becomes D, first and second the rows of L below it.
        main[b] = max(main[b], 1e-300)
        if b + 1 < blocks:
            main[b + 1] -= first[b] * first[b] / main[b]
            z[b + 1] -= first[b] / main[b] * z[b]
        if b + 2 < blocks:
            first[b + 1] -= first[b] * second[b] / main[b]
            main[b + 2] -= second[b] * second[b] / main[b]
            z[b + 2] -= second[b] / main[b] * z[b]
    for b in range(blocks - 1, -1, -1):
        if b + 1 < blocks:
            z[b] -= first[b] * z[b + 1]
        if b + 2 < blocks:
            z[b] -= second[b] * z[b + 2]
        z[b] /= main[b]
    for j in range(k):
        x[j] = z[block[j]]
