"""Cases for estimators: a name, sizes, and draws of both samples with their truth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from bench.auto.families.family import Family
    from prfast import PRCurve

GROUPS = ("developing", "later", "independent", "images")
TINY = ("shift-1", "ring", "unequal-sizes")
FULL = 10_000


class Draw(NamedTuple):
    """Both samples, the true curve, the exact log-ratio at both or None where it is not known."""

    real: Any
    fake: Any
    truth: PRCurve
    log_ratios: tuple[Any, Any] | None


@dataclass(frozen=True)
class Case:
    """n real and m generated samples, drawn with a random generator: that of the stream, so that
    cases of one stream have the same samples."""

    name: str
    n: int
    m: int
    draw: Callable[[Any], Draw]
    stream: str
    group: str = "images"


def find(names: Sequence[str], size: int, data: Path | None, *, tiny: bool) -> list[Case]:
    """Cases by the names of families, of images or of groups of them.

    size: real samples of families that have 10 000; others in proportion.  data: the file that
    images need; without it their group is empty.

    Raises
    ------
    KeyError
        A name that there is not, with those that there are.
    """
    from bench.auto.families import developing, images, independent, later

    rows = {
        "developing": developing.FAMILIES,
        "later": later.FAMILIES,
        "independent": independent.FAMILIES,
    }
    groups = {
        name: [replace(of_family(family, size, tiny=tiny), group=name) for family in of]
        for name, of in rows.items()
    }
    groups["images"] = [] if data is None else images.cases(data, tiny=tiny)
    by_name = {case.name: case for of in groups.values() for case in of}
    results: dict[str, Case] = {}
    for name in names:
        if name not in by_name and name not in groups:
            raise KeyError(f"one of {', '.join([*groups, *by_name])} expected, got {name!r}")
        of = groups.get(name) or ([by_name[name]] if name in by_name else [])
        results |= {case.name: case for case in of}
    return list(results.values())


def of_family(family: Family, size: int, *, tiny: bool) -> Case:
    """Return the family at sizes in proportion to `size`, its pair and truth made at the first
    draw."""
    from bench.auto.families.family import TRUTH_SAMPLES

    @cache
    def pair_and_truth() -> Any:
        pair = family.make()
        return pair, pair.truth(1 << 12 if tiny else TRUTH_SAMPLES)

    n, m = (max(60, full_size * size // FULL) for full_size in (family.n, family.m or family.n))

    def draw(rng: Any) -> Draw:
        pair, truth = pair_and_truth()
        real, fake = pair.sample(rng, n, m)
        ratios = pair.log_ratio(real), pair.log_ratio(fake)
        return Draw(pair.show(real), pair.show(fake), truth, ratios)

    return Case(family.name, n, m, draw, family.name)
