"""The page: targets, the tables between the markers of docs/gold.md, and the chart beside it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from benchmarks.gold.cells import KINDS
from benchmarks.gold.chart import draw
from benchmarks.gold.trial import ADJUDICATED, DRAWS, ORACLE
from goldspan.engine.gold.merging import DEFAULT

Row: TypeAlias = dict[str, Any]
"""What a trial gave."""

BEGIN, END = "<!-- figures: python -m benchmarks.gold -->", "<!-- end of figures -->"
SHOWN = (DEFAULT, "vote", "medoid", "best-annotator", "intersection", "union", "exact majority",
         "token vote", ORACLE)  # fmt: skip
LOW, HIGH = 0.88, 0.99
LEAST_SPANS = 50
"""Fewer spans than this in a bin say nothing about its rate."""


@dataclass(frozen=True, slots=True)
class Target:
    """What was to be reached, and whether it was."""

    name: str
    met: bool
    found: str

    def __str__(self) -> str:
        return f"{'met' if self.met else 'MISSED'}: {self.name}: {self.found}"


def targets(rows: Sequence[Row]) -> list[Target]:
    """The targets that these rows can be held against."""
    many = [row for row in rows if row["n"] >= 3]
    found = [
        _nowhere_behind(many),
        *(_ahead(many, rival) for rival in (ORACLE, "union", "exact majority", "token vote")),
        _adjacent([row for row in many if row["kind"] == "adjacent"]),
        _bad([r for r in many if r["kind"] == "one bad annotator" and r["n"] == 5]),
        _sure(many),
        _stated(many),
    ]
    return [target for target in found if target is not None]


def _nowhere_behind(rows: Sequence[Row]) -> Target | None:
    if not rows:
        return None
    gaps = []
    for row in rows:
        rivals = {name: row["marks"][name]["relaxed"] for name in row["marks"] if name != ORACLE}
        best = max(rivals, key=lambda name: rivals[name])
        gaps.append((rivals[best] - rivals[DEFAULT], best, _name(row)))
    behind = [f"{name}: {gap:.3f} behind {best}" for gap, best, name in gaps if gap > 0.03]
    worst = max(gaps)
    said = "; ".join(behind) or f"at most {worst[0]:.3f} ({worst[2]})"
    name = "n ≥ 3: at most .03 relaxed F1 behind the best reference-free strategy in every cell"
    return Target(name, not behind, said)


def _ahead(rows: Sequence[Row], rival: str) -> Target | None:
    if not rows:
        return None
    ours, theirs = (
        _mean(row["marks"][name]["relaxed"] for row in rows) for name in (DEFAULT, rival)
    )
    return Target(
        f"n ≥ 3: ahead of {rival} on average", ours > theirs, f"{ours:.3f} to {theirs:.3f}"
    )


def _adjacent(rows: Sequence[Row]) -> Target | None:
    if not rows:
        return None
    lead = min(
        row["marks"][DEFAULT]["relaxed"] - row["marks"]["token vote"]["relaxed"] for row in rows
    )
    name = "n ≥ 3, adjacent spans of one category: at least .10 ahead of token vote"
    return Target(name, lead >= 0.1, f"{lead:.3f} or more")


def _bad(rows: Sequence[Row]) -> Target | None:
    low = [row for row in rows if row["magnitude"] == 0.1]
    if not low:
        return None
    reached = low[0]["marks"][DEFAULT]["relaxed"]
    name = "one bad annotator among 5, m = .1: relaxed F1 ≥ .93"
    return Target(name, reached >= 0.93, f"{reached:.3f}")


def _sure(rows: Sequence[Row]) -> Target | None:
    """The lower limit in every cell; and how many cells are inside the whole band."""
    if not rows:
        return None
    rates = sorted((top["right"], _name(row)) for row in rows if (top := _top(row["calibrated"])))
    low = [f"{name}: {right:.3f}" for right, name in rates if right < LOW]
    high = sum(right > HIGH for right, _ in rates)
    easy = sum(_all_right(row["calibrated"]) > HIGH for row in rows)
    samples = [one for row in rows for one in row["samples"] if one["n"] >= LEAST_SPANS]
    unlucky = sum(one["right"] < LOW * one["n"] for one in samples)
    said = f"{len(rates) - len(low) - high} cells inside, {high} above 99 %"
    said += f" ({easy} where more than 99 % of all suggestions are right)" if high else ""
    said += f", {len(low)} below ({'; '.join(low)})" if low else ", none below"
    said += f", {len(rows) - len(rates)} with fewer than {LEAST_SPANS} such spans"
    said += f"; least {rates[0][0]:.3f} ({rates[0][1]})" if rates else ""
    said += f"; of {len(samples)} single samples {unlucky} below"
    name = (
        "n ≥ 3, 100 adjudicated: spans with confidence ≥ .9 are right in 88 % or more in every cell"
    )
    return Target(name, not low, said)


def _stated(rows: Sequence[Row]) -> Target | None:
    """What those spans' confidences are on average, against how many are right."""
    tops = [(_name(row), top) for row in rows if (top := _top(row["calibrated"]))]
    if not tops:
        return None
    gaps = [(top["confidence"] - top["right"], name) for name, top in tops]
    off = [f"{name}: {top['confidence']:.3f} for {top['right']:.3f}" for name, top in tops
           if not _within(top["confidence"], interval(top["right"], ADJUDICATED))]  # fmt: skip
    said = f"{len(tops) - len(off)} of {len(tops)} cells"
    said += f" (not {'; '.join(off)})" if off else ""
    said += f"; on average {_mean(gap for gap, _ in gaps):+.3f}, at most {max(gaps)[0]:+.3f} "
    said += f"({max(gaps)[1]}), at least {min(gaps)[0]:+.3f} ({min(gaps)[1]})"
    name = "n ≥ 3, 100 adjudicated: their mean confidence is their rate, within what 100 can tell"
    return Target(name, not off, said)


def interval(rate: float, n: float) -> tuple[float, float]:
    """Wilson's 95 % interval for a rate that n trials gave."""
    square = 1.96**2 / n
    centre = (rate + square / 2) / (1 + square)
    half = 1.96 * math.sqrt(rate * (1 - rate) / n + square / 4 / n) / (1 + square)
    return max(centre - half, 0.0), min(centre + half, 1.0)


def _all_right(curve: Sequence[Row]) -> float:
    """The rate of right spans, whatever their confidence."""
    total = sum(float(one["n"]) for one in curve)
    return sum(float(one["n"] * one["right"]) for one in curve) / total


def _within(value: float, limits: tuple[float, float]) -> bool:
    return limits[0] <= value <= limits[1]


def _top(curve: Iterable[Row]) -> Row | None:
    """The bin from 0.9 on, when enough spans are in it."""
    return next((b for b in curve if b["low"] == 0.9 and b["n"] >= LEAST_SPANS), None)


def write(rows: Sequence[Row], docs: Path) -> None:
    """Put the figures into gold.md, and draw gold.svg."""
    _put(docs / "gold.svg", draw([row for row in rows if row["n"] == 3], SHOWN))
    page = docs / "gold.md"
    text = page.read_text(encoding="utf-8")
    figures = "\n\n".join(
        (BEGIN, *_targets(rows), *_averages(rows), _curve(rows), _cells(rows), END)
    )
    marked = re.compile(re.escape(BEGIN) + ".*" + re.escape(END), re.DOTALL)
    _put(page, marked.sub(lambda _: figures, text))


def _targets(rows: Sequence[Row]) -> list[str]:
    return ["\n".join(f"- {'met' if t.met else '**missed**'}: {t.name}: {t.found}"
                      for t in targets(rows))]  # fmt: skip


def _averages(rows: Sequence[Row]) -> list[str]:
    """Relaxed F1 by kind of error and strategy, over the magnitudes; one table for each n."""
    tables = []
    for n in sorted({row["n"] for row in rows}):
        head = ["relaxed F1, n = " + str(n), *SHOWN]
        lines = [head, ["---"] * len(head)]
        for kind in (*KINDS, "all"):
            own = [row for row in rows if row["n"] == n and kind in (row["kind"], "all")]
            means = [_mean(row["marks"][name]["relaxed"] for row in own) for name in SHOWN]
            lines.append([kind, *(f"{mean:.2f}" for mean in means)])
        tables.append(_table(lines))
    return tables


def _curve(rows: Sequence[Row]) -> str:
    """How often spans of each confidence are right, over all cells with n ≥ 3."""
    head = ["confidence, n ≥ 3", "raw: mean", "raw: right", "calibrated: mean", "calibrated: right"]
    lines = [head, ["---"] * len(head)]
    for low in (0.0, 0.5, 0.6, 0.7, 0.8, 0.9):
        cells = [f"from {low:g}"]
        for kind in ("raw", "calibrated"):
            bins = [b for row in rows if row["n"] >= 3 for b in row[kind] if b["low"] == low]
            total = sum(one["n"] for one in bins)
            for figure in ("confidence", "right"):
                mean = sum(one["n"] * one[figure] for one in bins) / total if total else None
                cells.append("" if mean is None else f"{mean:.3f}")
        lines.append(cells)
    return _table(lines)


def _cells(rows: Sequence[Row]) -> str:
    """The default in every cell."""
    head = ["cell", "γ", "exact F1", "relaxed F1", "boundary error", "category accuracy",
            "≥ .9, raw: right", "≥ .9, calibrated: spans", "right", "stated"]  # fmt: skip
    lines = [head, ["---"] * len(head)]
    for row in rows:
        own = row["marks"][DEFAULT]
        lines.append(
            [
                _name(row),
                f"{row['gamma']:.2f}",
                f"{own['exact']:.2f}",
                f"{own['relaxed']:.2f}",
                f"{own['boundary']:.3f}",
                f"{own['category']:.3f}",
                _rate(row["raw"]),
                *_sure_ones(row["calibrated"]),
            ]
        )
    return _table(lines)


def _rate(curve: Iterable[Row]) -> str:
    top = _top(curve)
    return f"{top['right']:.3f}" if top else "few"


def _sure_ones(curve: Iterable[Row]) -> tuple[str, str, str]:
    """How many in a sample, how many of them right with the interval, and what is stated."""
    top = _top(curve)
    if top is None:
        return "few", "", ""
    spans = top["n"] / DRAWS
    low, high = interval(top["right"], spans)
    return f"{spans:.0f}", f"{top['right']:.3f} [{low:.3f}, {high:.3f}]", f"{top['confidence']:.3f}"


def _table(lines: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _name(row: Row) -> str:
    return f"{row['kind']}, n = {row['n']}, m = {row['magnitude']:g}"


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)


def _put(path: Path, text: str) -> None:
    temporary = path.with_suffix(".tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)
