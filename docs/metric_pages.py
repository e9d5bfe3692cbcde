"""A page a metric, and the table of all, written when the site is built: metric_words.py says what
stands there, prfast/metrics/table.py how it is defined, metric_cases.py what it gives."""

from pathlib import Path

import metric_cases as cases
from metric_words import WORDS

from prfast.metrics.table import TABLE, Row
from prfast.plots import new_figure
from prfast.plots.drawing import COLOURS

SETS = {"real": "real samples", "fake": "generated samples"}


def write_all(folder):
    """Pages NAME.md of all metrics, and all.txt, which docs/metrics.md includes."""
    folder = Path(folder)
    folder.mkdir(exist_ok=True)
    for name in TABLE:
        (folder / f"{name}.md").write_text(page(name), encoding="utf-8")
    (folder / "all.txt").write_text(overview(), encoding="utf-8")


def page(name):
    words = WORDS[name]
    parts = [
        f"# {name}",
        words.asks,
        definition(name),
        f"```{{image}} ../_figures/metric_{name}.png\n:alt: {name} for a shift, another spread, "
        f"modes "
        "dropped and one outlier\n:width: 620px\n```",
        f"Two sets of {cases.N} samples in {cases.DIM} dimensions, k = {cases.K}; normal "
        f"distributions, "
        f"and ten of them far apart for the modes. Below on the right the sets are {cases.FAR:g} "
        f"standard deviations "
        "apart and have nothing in common, but for one sample that is moved towards the other "
        "set and "
        "beyond it: solid a real one, dashed a generated one.",
        "## What it sees",
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
    row = TABLE[name]
    lines = [f"- **Value**: {row.formula}"]
    if isinstance(row, Row):
        lines += [
            f"- **Mean over** {SETS[row.over]}",
            f"- **Balls around** {SETS[row.around]}, as far as their neighbour number "
            f"{row.reach.option}",
        ]
    elif hasattr(row, "of"):
        lines.append(f"- **Made of** {', '.join(f'[{one}]({one}.md)' for one in row.of)}")
    return "\n".join(lines)


def bullets(lines):
    return "\n".join(f"- {line[0].upper()}{line[1:]}" for line in lines)


def expectation(name):
    words = WORDS[name]
    head = f"| normal, n = m = {cases.N} | " + " | ".join(f"d = {dim}" for dim in cases.DIMS) + " |"
    measured = [f"{cases.equal(dim)[name]:.3f}" for dim in cases.DIMS]
    rows = [head, "| --- " * (len(cases.DIMS) + 1) + "|", f"| mean of 5 | {' | '.join(measured)} |"]
    if words.expected is not None:
        value = words.expected(cases.N, cases.N, cases.K)
        rows.append("| expected |" + f" {value:.3f} |" * len(cases.DIMS))
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


def overview():
    """All metrics beside each other: a line each, bold where a case is not seen."""
    columns = list(cases.COLUMNS)
    lines = [f"| metric | {' | '.join(columns)} |", "| --- " * (len(columns) + 1) + "|"]
    for name in TABLE:
        equal = cases.column("equal")[name]
        cells = []
        for column in columns:
            value = cases.column(column)[name]
            far = column.startswith(("far", "…"))
            blind = column != "equal" and (value >= 0.1 if far else value > 0.9 * equal)
            cells.append(f"**{value:.2f}**" if blind else f"{value:.2f}")
        lines.append(f"| [{name}](metrics/{name}.md) | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def picture(name):
    """What a metric gives in every case."""
    panels = list(dict.fromkeys(case.panel for case in cases.CASES.values()))
    figure, axes = new_figure(2, (7.2, 5.4), heights=(1, 1))
    expected = WORDS[name].expected
    for key, case in cases.CASES.items():
        ax = axes[panels.index(case.panel)]
        style = "o--" if key == "generated outlier" else "o-"
        values = [one[name] for one in cases.found(key)]
        ax.plot(case.x, values, style, color=COLOURS[0], markersize=4, label=case.label or None)
        ax.set(
            title=case.panel,
            ylabel=name,
            ylim=(-0.03 * max(1, *values), max(1.05, *ax.get_ylim(), *values)),
        )
        ax.grid(color="0.92")
        ax.set_axisbelow(True)
    if expected is not None:
        for ax in axes[:3]:
            ax.axhline(expected(cases.N, cases.N, cases.K), color="0.4", linestyle=":", linewidth=1)
    axes[panels.index("one outlier, its distance")].legend(fontsize="small")
    return figure
