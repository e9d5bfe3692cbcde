"""What the two class experiments share: `prfast.demo` as a table, a picture and JSON numbers."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from bench.results import Findings

if TYPE_CHECKING:
    from prfast.demo import Case


def run(
    features: Any, labels: Any, *, qs: Iterable[int], per_class: int, of: str, options: Namespace
) -> Findings:
    """Print the table case by case, draw the curves into the folder of results."""
    from prfast import demo

    cases: list[Case] = []

    def kept(found: Iterable[Case]) -> Iterator[Case]:
        for case in found:
            cases.append(case)
            yield case

    found = demo.class_cases(features, labels, qs=qs, per_class=per_class, random_state=0)
    for line in demo.table(kept(found)):
        print(line, flush=True)
    print()
    picture = options.results / f"{options.case}.png"
    title = f"{of}, {per_class} a class.  Real: 0–4.  Generated: 0 to q − 1.  Dashed: theory"
    demo.draw(cases, str(picture), title)
    return Findings(
        notes=[f"Curves drawn to {picture}"],
        numbers=[
            {"q": case.q, "method": method, **_numbers(curve, case.truth)}
            for case in cases
            for method, curve in case.curves.items()
        ],
    )


def _numbers(curve: Any, truth: Any) -> dict[str, Any]:
    return {
        "rectangle": {"precision": truth.max_precision, "recall": truth.max_recall},
        "max_precision": curve.max_precision,
        "max_recall": curve.max_recall,
        "f_1/8": curve.f_score(1 / 8),
        "f_8": curve.f_score(8),
        "area": curve.area,
        "iou_with_rectangle": curve.iou(truth),
        "info": dict(curve.info),
    }
