"""A page per metric, the table of all, and that of what methods miss, generated when the site is
built: text of metric_words, definitions of prfast/scalars/table.py, values of metric_cases."""

from pathlib import Path

import metric_cases as cases
from metric_words import WORDS

from prfast.methods import METHODS
from prfast.plots import new_figure
from prfast.plots.drawing import COLORS
from prfast.scalars.table import PARTS, TABLE, Derived, SampleMean

SETS = {"real": "real samples", "fake": "generated samples"}


def write_all(folder):
    """Write pages NAME.md of all metrics, and the tables that docs/methods.md includes."""
    folder = Path(folder)
    folder.mkdir(exist_ok=True)
    for name in TABLE:
        (folder / f"{name}.md").write_text(page(name), encoding="utf-8")
    (folder / "all.txt").write_text(overview(), encoding="utf-8")
    rows = [f'| `"{name}"` | {method.blind} |' for name, method in METHODS.items() if method.blind]
    table = "\n".join(["| method | misses |", "| --- | --- |", *rows])
    (folder / "misses.txt").write_text(f"{table}\n", encoding="utf-8")


def page(name):
    words = WORDS[name]
    parts = [
        f"# {name}",
        words.asks,
        definition(name),
        f"```{{image}} ../_figures/metric_{name}.png\n:alt: {name} for a shift, another spread, "
        "modes dropped and one outlier\n:width: 620px\n```",
        f"Two sets of {cases.N} samples in {cases.DIM} dimensions, k = {cases.K}; normal "
        "distributions, and ten of them far apart for the modes. Below on the left the sets are "
        f"{cases.FAR:g} standard deviations apart and have nothing in common, except a sample that "
        "moves towards the other set and beyond it: solid a real sample, dashed a generated "
        "sample. Dotted: the expected value of equal distributions, if it is one number.",
        "## What it detects",
        bullets(words.sees),
        "## What fools it",
        bullets(words.fooled),
        "## For equal distributions",
        words.expects,
        expectation(name),
        "## To compute it",
        example(name),
        f"Source: {words.paper}.",
    ]
    return "\n\n".join(parts) + "\n"


def definition(name):
    row = TABLE[name].of
    lines = [f"- **Value**: {TABLE[name].formula}"]
    if isinstance(row, Derived):
        row = PARTS.get(row.of[0], row)
    if isinstance(row, SampleMean):
        lines += [
            f"- **Mean over** {SETS[row.over]}",
            f"- **Balls around** {SETS[row.around]}, as far as their neighbor number {row.rank}",
        ]
    elif isinstance(row, Derived):
        lines.append(f"- **Made of** {', '.join(f'[{one}]({one}.md)' for one in row.of)}")
    return "\n".join(lines)


def bullets(lines):
    return "\n".join(f"- {line[0].upper()}{line[1:]}" for line in lines)


def expectation(name):
    words = WORDS[name]
    head = f"| normal, n = m = {cases.N} | " + " | ".join(f"d = {dim}" for dim in cases.DIMS) + " |"
    measured = [formatted(name, cases.equal(dim)[name]) for dim in cases.DIMS]
    rows = [head, "| --- " * (len(cases.DIMS) + 1) + "|", f"| mean of 3 | {' | '.join(measured)} |"]
    if words.expected is not None:
        value = words.expected(cases.N, cases.N, cases.K)
        rows.append("| expected |" + f" {formatted(name, value)} |" * len(cases.DIMS))
    if words.nearly is not None:
        values = [formatted(name, words.nearly(cases.N, cases.N, dim)) for dim in cases.DIMS]
        rows.append(f"| about | {' | '.join(values)} |")
    return "\n".join(rows)


def example(name):
    options = f'which="{name}"'
    return f"""```python
import numpy as np
import prfast

rng = np.random.default_rng(0)
real, fake = rng.normal(size=(500, 8)), 0.9 * rng.normal(size=(400, 8))
print(prfast.metrics(real, fake, {options}).{name})
```"""


def formatted(name, value):
    """Return shares with two decimals, distances, which have a unit, with two or three digits."""
    if TABLE[name].larger_is_better:
        return f"{value:.2f}"
    if abs(value) < 1e-9:
        return "0"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.2g}"


def overview():
    """Return the table of all metrics, bold where a change goes unnoticed."""
    columns = ["equal", *cases.CHANGES, *cases.OUTLIERS]
    lines = [f"| metric | {' | '.join(columns)} |", "| --- " * (len(columns) + 1) + "|"]
    for name in TABLE:
        blind = {one for one in cases.CHANGES if not cases.seen(name, one)}
        blind |= {one for one in cases.OUTLIERS if cases.fooled(name, one)}
        values = {one: formatted(name, cases.column(one)[name]) for one in columns}
        cells = [f"**{value}**" if one in blind else value for one, value in values.items()]
        lines.append(f"| [{name}](metrics/{name}.md) | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def picture(name):
    """Return a figure of a metric in every case, and of equal distributions by dimension."""
    titles = list(dict.fromkeys(case.panel for case in cases.CASES.values()))
    figure, axes = new_figure(2, (7.2, 7.8), heights=(1, 1, 1))
    panels = dict(zip([*titles, "dimension, equal sets"], axes, strict=True))
    style = {"color": COLORS[0], "markersize": 4}
    for key, case in cases.CASES.items():
        values = [one[name] for one in cases.result(key)]
        line = "o--" if key == "generated outlier" else "o-"
        panels[case.panel].plot(case.x, values, line, label=case.label, **style)
    panels[titles[-1]].legend(fontsize="small")
    axes[-1].plot(cases.DIMS, [cases.equal(dim)[name] for dim in cases.DIMS], "o-", **style)
    axes[-1].set_xscale("log")
    axes[-1].set_xticks(cases.DIMS, [str(dim) for dim in cases.DIMS])
    axes[-1].minorticks_off()
    for title, ax in panels.items():
        ax.set(title=title, ylabel=name)
        ax.grid(color="0.92")
        ax.set_axisbelow(True)
        low, high = min(0.0, ax.dataLim.ymin), ax.dataLim.ymax
        top = max(1.0, high) if TABLE[name].larger_is_better else high
        ax.set_ylim(low - 0.05 * (top - low), top + 0.05 * (top - low))
    if WORDS[name].expected is not None:
        value = WORDS[name].expected(cases.N, cases.N, cases.K)
        for ax in (*axes[:4], axes[-1]):
            ax.axhline(value, color="0.4", linestyle=":", linewidth=1)
    return figure
