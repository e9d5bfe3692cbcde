"""The figures of the documentation, drawn by the library when the pages are built.

python docs/figures.py FOLDER [NAME ...] draws them, or those of these names, alone.
"""

import re
import sys
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.patches import FancyBboxPatch

matplotlib.use("Agg")

import metric_pages
from shades import save

import prfast
from prfast.plots import new_figure
from prfast.plots.drawing import COLORS
from prfast.scalars.table import TABLE


def first():
    """Real samples in four clusters, and a good, an incomplete and a noisy model; README.md has
    copies of both shades: `python docs/figures.py FOLDER first`.  Legible on a phone."""
    rng = np.random.default_rng(0)

    def clusters(n):
        return rng.normal(size=(n, 2)) + 6 * rng.integers(0, 2, (n, 2))

    real, good, dropping, noisy = (clusters(2000) for _ in range(4))
    noise = rng.uniform(-7, 13, (4000, 2))
    near = np.hypot(*(np.minimum(abs(noise), abs(noise - 6))).T) < 3.5
    noisy[:600] = noise[~near][:600]
    models = {
        "a good model": good,
        "a cluster is missing": dropping[(dropping < 3).any(axis=1)],
        "30 % is noise": noisy,
    }
    with matplotlib.rc_context({"font.size": 15, "lines.linewidth": 3}):
        figure, axes = new_figure(2, (7.2, 7.8), heights=(1, 1))
        figure.get_layout_engine().set(h_pad=0.1)
        curves = [prfast.pr_curve(real, fake) for fake in models.values()]
        panels = zip(axes, models.items(), curves, COLORS, strict=False)
        for ax, (name, fake), curve, color in panels:
            ax.plot(*real.T, ".", color="0.75", markersize=2)
            ax.plot(*fake[::4].T, ".", color=color, markersize=4)
            ax.set(xlim=(-7, 13), ylim=(-7, 13), xticks=[], yticks=[], aspect="equal", title=name)
            ax.title.set_color(color)
            ax.set_xlabel(f"fidelity {curve.fidelity:.2f}\ndiversity {curve.diversity:.2f}")
        prfast.plots.plot_curves(curves, axes[3], legend=False, title="their curves")
        axes[3].set(xlabel="diversity", ylabel="fidelity", xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
    return figure


def start():
    """Return two models: one that drops a mode, one that is spread too far."""
    real, dropping, spread = two_models()
    curves = [prfast.pr_curve(real, fake) for fake in (dropping, spread)]
    figure, (ax,) = new_figure(1, (4.6, 4.6))
    prfast.plots.plot_curves(curves, ax, labels=["A: drops a mode", "B: spread too far"])
    return figure


def two_models():
    """Real samples and those of two models, as on the first page."""
    rng = np.random.default_rng(0)
    modes = np.array([[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]])
    real = modes[rng.integers(0, 3, 3000)] + rng.normal(size=(3000, 2))
    dropping = modes[rng.integers(0, 2, 2000)] + rng.normal(size=(2000, 2))
    spread = modes[rng.integers(0, 3, 2000)] + 2 * rng.normal(size=(2000, 2))
    return real, dropping, spread


def resolution():
    """Profiles of noise, of a dropped mode, and of both."""
    rng = np.random.default_rng(0)
    means = rng.normal(size=(4, 64)) * 2

    def samples(n, modes=4, noise=0.0):
        points = means[rng.integers(0, modes, n)] + rng.normal(size=(n, 64))
        return points + noise * rng.normal(size=(n, 64))

    models = {
        "noise": samples(1000, noise=0.8),
        "a mode dropped": samples(1000, modes=3),
        "both": samples(1000, modes=3, noise=0.8),
    }
    evaluator = prfast.Evaluator(samples(1000), which="precision", resolutions="auto")
    figure, (ax,) = new_figure(1, (6.4, 4.2))
    prfast.plots.plot_profiles(evaluator.compare(models).profiles, ax)
    return figure


def tables():
    """Return the columns of two generated tables that differ: shuffled ones, and cents."""
    import pandas as pd

    rng = np.random.default_rng(0)

    def people(n):
        age = rng.integers(18, 80, n)
        job = np.where(age < 25, "student", np.where(age < 65, "employed", "retired"))
        income = np.exp(rng.normal(7.5 + 0.5 * (job == "employed"), 0.4)).round()
        since = 2024 - (rng.random(n) * (age - 16)).round()
        return pd.DataFrame({"age": age, "job": job, "income": income, "since": since})

    real, cents = people(1500), people(1500)
    models = {
        "independent columns": real.apply(lambda column: rng.permutation(column.to_numpy())),
        "incomes with cents, fewer students": cents[
            (cents["job"] != "student") | (rng.random(1500) < 0.4)
        ].assign(income=lambda x: x["income"] + rng.random(len(x)).round(2)),
    }
    comparison = prfast.compare_tables(real, models, people(700), method="knn", resolutions=None)
    figure, (ax,) = new_figure(1, (7.2, 4.2))
    rows = pd.DataFrame(comparison.column_rows())
    names = rows.groupby("columns")["value"].max().nlargest(8).index[::-1]
    for model, color in zip(comparison, COLORS, strict=False):
        of_model = rows[rows["model"] == model].set_index("columns").reindex(names)
        x, error = of_model["value"], of_model["half_width"]
        ax.errorbar(x, np.arange(8), xerr=error, fmt="o", color=color, label=model)
    ax.set_yticks(range(8), names)
    ax.set(xlabel="total variation by itself")
    ax.legend(fontsize="small", loc="center left", bbox_to_anchor=(1.01, 0.5))
    return figure


def reading():
    """One curve with what is read off it."""
    curve = prfast.PRCurve.from_masses([0.12, 0.3, 0.36, 0.22, 0], [0, 0.18, 0.34, 0.36, 0.12])
    figure, (ax,) = new_figure(1, (5.4, 5.4))
    prfast.plots.plot_curves(curve, ax, shade=True, legend=False)
    ax.plot([0, 1], [0, 1], color="0.6", linewidth=1, zorder=1)
    ax.text(0.36, 0.39, "λ = 1", rotation=45, color="0.4", fontsize="small")
    ax.text(0.08, 0.05, "area: 1 for equal distributions", fontsize="small")
    knots = curve.vertices.ratio
    precision, recall = curve.at(knots[np.isfinite(knots) & (knots > 0)])
    betas = np.array([[8.0], [1 / 8]]) ** 2
    high = ((1 + betas) * precision * recall / (betas * precision + recall)).argmax(axis=1)
    alpha, beta = curve.at(1.0)
    for point, text, offset in (
        ((beta, alpha), "precision = recall\n= 1 − total variation", (-14, 42)),
        ((recall[high[0]], precision[high[0]]), "largest $F_8$", (-110, -30)),
        ((recall[high[1]], precision[high[1]]), "largest $F_{1/8}$", (-60, -60)),
        ((0.2, curve.max_precision), "maximum precision", (-10, 20)),
        ((curve.max_recall, 0.2), "maximum\nrecall", (-90, -8)),
    ):
        ax.plot(*point, "o", color="black", markersize=4)
        ax.annotate(
            text,
            point,
            offset,
            textcoords="offset points",
            arrowprops={"arrowstyle": "-", "color": "0.6"},
            fontsize="small",
        )
    return figure


def toys():
    """Return the six pairs of the 2018 paper: histograms, and precision-recall sets below them."""
    toys = prfast.reference.TOYS
    names = (
        "a mode dropped",
        "a mode invented",
        "equal",
        "disjoint",
        "nearly dropped",
        "nearly invented",
    )
    figure, axes = new_figure(6, (14.5, 4.6), heights=(1, 2))
    panels = zip(toys.items(), names, axes[:6], axes[6:], strict=True)
    for (key, pair), name, bars, ax in panels:
        bars.bar(range(11), pair.p, 1, label="real, P")
        bars.bar(range(11), -pair.q, 1, label="generated, Q")
        bars.axhline(0, color="0.5", linewidth=0.8)
        bars.set(title=f"({key}) {name}", xticks=[], yticks=[], ylim=(-0.42, 0.42))
        prfast.plots.plot_curves(pair.curve(), ax, shade=True, legend=False)
    axes[9].plot(0, 0, "o", clip_on=False)  # the only point of disjoint supports
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


def views():
    """Return the same masses as a PR curve, a Lorenz curve, a ROC curve and a frontier."""
    pairs = {
        "a mode too rare": prfast.PRCurve.from_masses([5, 5, 5], [7, 7, 1]),
        "a mode too frequent": prfast.PRCurve.from_masses([7, 7, 1], [5, 5, 5]),
        "shifted": prfast.reference.GaussianShift(1.0).curve(cells=2000),
        "two mixtures": two_mixtures().curve(cells=2000),
    }
    figure, axes = new_figure(4, (15.5, 4.2))
    titles = {
        "pr": "PR",
        "lorenz": "Lorenz",
        "roc": "ROC",
        "frontier": "Rényi frontier, order 2",
    }
    for ax, (view, title) in zip(axes, titles.items(), strict=True):
        options = {"order": 2, "limit": 2.0} if view == "frontier" else {}
        draw = prfast.plots.VIEWS[view]
        draw(list(pairs.values()), ax, labels=list(pairs), title=title, **options)
    return figure


def frontiers():
    """Return exclusive and inclusive frontiers of the models of the first page."""
    real, *models = two_models()
    curves = [prfast.pr_curve(real, fake) for fake in models]
    figure, axes = new_figure(3, (13.5, 4.5))
    options = {"labels": ["drops a mode", "too wide"], "limit": 1.2, "order": 2}
    plot = prfast.plots.plot_frontiers
    plot(curves, axes[0], title="exclusive, order 2", **options)
    plot(curves, axes[1], title="inclusive, order 2", inclusive=True, **options)
    plot(curves, axes[2], title="MAUVE", kind="mauve", legend=False)
    return figure


def two_mixtures():
    """Return a mode too rare, one more spread, one invented: α_1 = 0.38, as in Fig. 2 of 2023."""
    means = [[0], [6], [6], [14]]
    spreads = np.array([1.0, 1.0, 2.0, 1.0])
    return prfast.reference.GaussianMixtures(
        means, p=[0.6, 0.4, 0, 0], q=[0.09, 0, 0.4, 0.51], covs=spreads[:, None, None] ** 2
    )


def methods():
    """Estimates beside the truth: a shift in many dimensions, and modes in two."""
    shift = prfast.reference.GaussianShift(1.0, dim=64)
    modes = prfast.reference.GaussianMixtures(
        [[0, 0], [8, 0], [0, 8], [8, 8]], p=[1, 1, 1, 0], q=[1, 1, 0, 1]
    )
    figure, axes = new_figure(2, (9.6, 4.8))
    names = ("knn", "ipr", "parzen", "coverage", "kmeans", "classifier")
    for ax, case, title in (
        (axes[0], shift, "a shift by Δ = 1 in 64 dimensions"),
        (axes[1], modes, "one mode of three dropped, one invented"),
    ):
        curves = [prfast.pr_curve(*case.sample(2000), method=name) for name in names]
        prfast.plots.plot_curves(
            curves, ax, labels=names, truth=case.curve(), title=title, legend=False
        )
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right center")
    return figure


def blindness():
    """What each method sees: a known difference of spread, and digits that are none."""
    from scipy import stats
    from sklearn.datasets import load_digits

    scale = 1.1
    rng = np.random.default_rng(0)
    wider = rng.normal(size=(5000, 64)), scale * rng.normal(size=(5000, 64))
    digits = rng.permutation(load_digits().data)
    real, other = digits[:900], digits[900:]
    normal = rng.multivariate_normal(other.mean(axis=0), np.cov(other.T), len(other))
    lengths = np.linspace(0, 300, 3001)  # |z|², by which the ratio falls
    truth = prfast.PRCurve.from_rates(
        stats.chi2.sf(lengths, 64), stats.chi2.cdf(lengths / scale**2, 64)
    )
    nothing = prfast.PRCurve.from_masses([1, 0], [0, 1])
    figure, axes = new_figure(2, (9.6, 4.8))
    names = ("auto", "knn", "coverage", "kmeans", "classifier")
    for ax, pair, known, title in (
        (axes[0], wider, truth, "N(0, 1) against N(0, 1.1²), d = 64"),
        (
            axes[1],
            (real, normal),
            nothing,
            "digits against normal draws\nof their mean and covariance",
        ),
    ):
        curves = [prfast.pr_curve(*pair, method=name) for name in names]
        prfast.plots.plot_curves(curves, ax, labels=names, truth=known, title=title, legend=False)
    axes[1].plot(0, 0, "o", clip_on=False, zorder=5)
    axes[1].annotate("auto: the single point (0, 0),\nand right", (0.02, 0.02), (0.06, 0.08))
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right center")
    return figure


def neighbors():
    """What k and the split do to a kNN curve."""
    case = prfast.reference.GaussianShift(1.0, dim=8)
    real, fake = case.sample(4000)
    figure, axes = new_figure(2, (9.6, 4.8))
    ks = (4, 16, "sqrt", 256)
    for ax, split, title in (
        (axes[0], 0.5, "split in half"),
        (axes[1], None, "no split: scored where fitted"),
    ):
        curves = [prfast.pr_curve(real, fake, "knn", k=k, split=split) for k in ks]
        labels = [f"k = {curve.info['k']}" for curve in curves]
        prfast.plots.plot_curves(curves, ax, labels=labels, truth=case.curve(), title=title)
    return figure


def sizes():
    """How the area settles with the number of samples: mean and spread over fresh samples."""
    case = prfast.reference.GaussianShift(1.0, dim=8)
    ns = [250, 500, 1000, 2000, 4000]
    figure, (ax,) = new_figure(1, (6.0, 3.8))
    for color, method in zip(COLORS, ("knn", "coverage"), strict=False):
        areas = np.array(
            [
                [prfast.pr_curve(*case.sample(n, random_state=s), method).area for s in range(8)]
                for n in ns
            ]
        )
        mean, sd = areas.mean(axis=1), areas.std(axis=1, ddof=1)
        ax.errorbar(ns, mean, sd, color=color, capsize=3, label=method)
    ax.axhline(case.curve().area, color="black", linestyle="--", linewidth=1, label="truth")
    ax.set(xscale="log", xlabel="samples of each set", ylabel="area under the curve")
    ax.set_xticks(ns, [str(n) for n in ns])
    ax.minorticks_off()
    ax.legend()
    return figure


def proof():
    """What a thousand samples of each set prove, by a scorer fitted on the other thousand."""
    figure, axes = new_figure(2, (9.2, 4.6))
    for ax, delta in zip(axes, (1.0, 3.0), strict=True):
        case = prfast.reference.GaussianShift(delta, dim=8)
        curve = prfast.pr_curve(*case.sample(2000))
        title = f"shift of {delta:g}"
        prfast.plots.plot_curves(
            curve, ax, band=0.95, labels=["knn"], truth=case.curve(), title=title
        )
    axes[0].get_legend().remove()
    axes[1].get_legend().set_loc("upper right")
    return figure


def levels():
    """What decides the pairs: a share for each level of the filter, five kinds of samples."""
    from prfast.neighbors import Count, NeighborSearch

    n, k = 3000, 5
    named = ("heads", "int8", "float32 products", "float32 differences", "float64")
    shares = {"who is the 5th nearest": [], "how many are as near as that": []}
    kinds = five_kinds(2 * n, 512)
    for points in kinds.values():
        queries, refs = points[:n], points[n:]
        nearest, counts = NeighborSearch(n_jobs=1), NeighborSearch(n_jobs=1)
        t = nearest.kth(queries, refs, [k])[:, 0].copy()
        counts.run(queries, [refs], [Count(t, None, True, np.zeros(n, np.int64))])
        for share, search in zip(shares.values(), (nearest, counts), strict=True):
            work = search.work
            result = [work[level] for level in ("head", "int8", "float32", "differences")]
            result.append(work["refined"] + work["unfiltered"])
            share.append(np.array(result) / sum(result))
    figure, axes = new_figure(2, (10.4, 3.4))
    for ax, (title, share) in zip(axes, shares.items(), strict=True):
        ends = np.cumsum(share, axis=1)
        for level, (name, color) in enumerate(zip(named, COLORS, strict=False)):
            width = np.array(share)[:, level]
            ax.barh(list(kinds), width, left=ends[:, level] - width, color=color, label=name)
        for row, one in enumerate(share):
            ax.text(1.02, row, f"{100 * one[-1]:.2f} %", va="center", fontsize="small")
        ax.set(title=title, xlim=(0, 1), xticks=[0, 0.5, 1], xticklabels=["0", "50 %", "100 %"])
        ax.invert_yaxis()
        ax.spines[["top", "right"]].set_visible(False)
    axes[1].set_yticks([])
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=5)
    return figure


def five_kinds(n, dim):
    """Return rows that a filter sees well, and rows that it does not."""
    rng = np.random.default_rng(0)
    normal = rng.normal(size=(n, dim))
    weights = rng.normal(size=(64, dim)) * np.arange(1, 65)[:, None] ** -0.6
    weights /= np.linalg.norm(weights, axis=0)
    scales = rng.lognormal(size=dim)
    centers = 1000 * rng.normal(size=(40, dim))
    kinds = {
        "normal": normal,
        "features of a network": np.maximum(rng.normal(size=(n, 64)) @ weights - 0.5, 0) * scales,
        "heavy tails": rng.standard_t(2, (n, dim)),
        "tight clusters": centers[rng.integers(0, 40, n)] + normal,
        "20 rows, repeated": np.resize(normal[:20], (n, dim)),
    }
    return {name: rows.astype(np.float32) for name, rows in kinds.items()}


def steps():
    """Return the five steps of the method "auto", from the top to the bottom."""
    texts = {
        "Folds": "ten, of both sets; equal rows share a fold",
        "Coordinates": "columns, axes, ranks, distances; no labels",
        "Bases": "14 simple scorers, each fitted without a fold",
        "Meta-learner": "sum of monotone maps, weights at least 0",
        "Curve": "hull of the scores, shrunk if evidence is weak",
    }
    figure, (ax,) = new_figure(1, (6.4, 5.4))
    ax.set(xlim=(0, 10), ylim=(-5, 0))
    ax.axis("off")
    for row, ((name, text), color) in enumerate(zip(texts.items(), COLORS, strict=False)):
        box = FancyBboxPatch((0.2, -row - 0.72), 9.6, 0.54, "round,pad=0.08", fc="none", ec=color)
        ax.add_patch(box)
        ax.text(5, -row - 0.32, name, ha="center", va="center", fontsize=15, weight="bold")
        ax.text(5, -row - 0.6, text, ha="center", va="center", fontsize=13)
        if row < 4:
            ax.annotate(
                "",
                (5, -row - 1.1),
                (5, -row - 0.8),
                arrowprops={"arrowstyle": "->", "color": "0.5"},
            )
    return figure


def families():
    """Return the means of the table of families in results.md, a line for each method."""
    page = (Path(__file__).parent / "results.md").read_text(encoding="utf-8")
    table = page.partition("<!-- bench: families -->")[2].partition("<!-- /bench -->")[0]
    rows = re.findall(r"^\| (.+?)(?::.*?)? \|" + r" (0\.\d+) \|" * 4, table, re.MULTILINE)
    names = [re.sub(r"[*`]|, cross-fitted", "", name) for name, *_ in rows]
    values = np.array([numbers for _, *numbers in rows], float)
    figure, (ax,) = new_figure(1, (6.8, 5))
    labels = ("developed on", "later", "independent", "worst family")
    for label, mark, color, column in zip(labels, "os^x", COLORS, values.T, strict=False):
        ax.plot(column, names, mark, color=color, markersize=9, label=label)
    ax.set(xlim=(0, 1.02), xlabel="mean IoU with the exact curve; 1 is best")
    ax.tick_params(labelsize=13)
    ax.xaxis.label.set_size(13)
    ax.invert_yaxis()
    ax.grid(axis="y", alpha=0.3)
    figure.legend(loc="outside upper center", ncols=2, fontsize=13)
    return figure


FIGURES = (
    first,
    start,
    resolution,
    tables,
    reading,
    toys,
    views,
    frontiers,
    methods,
    blindness,
    neighbors,
    sizes,
    proof,
    levels,
    steps,
    families,
)


def draw_some(folder, names):
    """Those above of these names."""
    folder = Path(folder)
    folder.mkdir(exist_ok=True)
    for draw in FIGURES:
        if draw.__name__ in names:
            save(draw(), folder / f"{draw.__name__}.png")


def draw_all(folder):
    """Those above, and one a metric."""
    folder = Path(folder)
    draw_some(folder, [draw.__name__ for draw in FIGURES])
    for name in TABLE:
        save(metric_pages.picture(name), folder / f"metric_{name}.png")


if __name__ == "__main__":
    if len(sys.argv) > 2:
        draw_some(sys.argv[1], sys.argv[2:])
    else:
        draw_all(sys.argv[1])
