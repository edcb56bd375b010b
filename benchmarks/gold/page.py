"""The page: targets, the tables between the markers of docs/gold.md, and the chart beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from benchmarks.gold.cells import KINDS
from benchmarks.gold.chart import draw
from benchmarks.gold.trial import ORACLE
from goldspan.engine.merging import DEFAULT

Row: TypeAlias = dict[str, Any]
"""What a trial gave."""

BEGIN, END = "<!-- figures: python -m benchmarks.gold -->", "<!-- end of figures -->"
SHOWN = (DEFAULT, "vote", "medoid", "best-annotator", "intersection", "union", "exact majority",
         "token vote", ORACLE)  # fmt: skip
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
    if not rows:
        return None
    rates = [(_name(row), last) for row in rows if (last := _top(row["calibrated"])) is not None]
    low = [f"{name}: {top['right']:.3f}" for name, top in rates if top["right"] < 0.88]
    high = [top["right"] for _, top in rates if top["right"] > 0.99]
    few = len(rows) - len(rates)
    said = f"{len(rates) - len(low) - len(high)} cells inside"
    said += f", {len(high)} above (up to {max(high):.4f})" if high else ""
    said += f", {len(low)} below ({'; '.join(low)})" if low else ""
    said += f", {few} with fewer than {LEAST_SPANS} such spans" if few else ""
    name = "n ≥ 3, 100 adjudicated: of spans with confidence ≥ .9, 88–99 % are right in every cell"
    return Target(name, not low and not high, said)


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
            "≥ .9, raw", "≥ .9, calibrated"]  # fmt: skip
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
                _rate(row["calibrated"]),
            ]
        )
    return _table(lines)


def _rate(curve: Iterable[Row]) -> str:
    top = _top(curve)
    return f"{top['right']:.3f}" if top else "few"


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
