"""The chart: a small panel for each kind of error, relaxed F1 over the magnitude."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape

WIDTH, HEIGHT, PAD = 180, 120, 34
COLUMNS = 5
COLOURS = ("#c1121f", "#1d4e89", "#00798c", "#6a994e", "#8d6a9f", "#b08968", "#7f7f7f", "#e09f3e",
           "#333333")  # fmt: skip
DASHED = 8
"""The oracle's line is dashed."""


def draw(rows: Sequence[dict[str, Any]], names: Sequence[str]) -> str:
    """The chart as SVG text, light background, no script."""
    kinds = list(dict.fromkeys(row["kind"] for row in rows))
    lines = (len(kinds) + COLUMNS - 1) // COLUMNS
    wide = COLUMNS * (WIDTH + PAD) + PAD
    high = lines * (HEIGHT + PAD + 16) + PAD + 22 * ((len(names) + 4) // 5)
    box = f'viewBox="0 0 {wide} {high}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} font-family="sans-serif" font-size="10">',
        f'<rect width="{wide}" height="{high}" fill="#fff"/>',
    ]
    for at, kind in enumerate(kinds):
        left = PAD + (at % COLUMNS) * (WIDTH + PAD)
        top = PAD + (at // COLUMNS) * (HEIGHT + PAD + 16)
        parts += _panel(kind, [row for row in rows if row["kind"] == kind], names, left, top)
    for at, name in enumerate(names):
        x, y = PAD + (at % 5) * (WIDTH + PAD), high - 18 - 20 * ((len(names) - 1) // 5 - at // 5)
        parts.append(f'<path d="M{x} {y}h24" {_stroke(at)}/>')
        parts.append(f'<text x="{x + 30}" y="{y + 3}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _panel(
    kind: str, rows: Sequence[dict[str, Any]], names: Sequence[str], left: int, top: int
) -> list[str]:
    ordered = sorted(rows, key=lambda row: row["magnitude"])
    xs = [left + 10 + (WIDTH - 20) * at / max(len(ordered) - 1, 1) for at in range(len(ordered))]
    parts = [f'<text x="{left}" y="{top - 6}" font-weight="bold">{escape(kind)}, n = 3</text>']
    for mark in (0, 0.25, 0.5, 0.75, 1):
        y = top + HEIGHT * (1 - mark)
        parts.append(f'<path d="M{left} {y:g}h{WIDTH}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 4}" y="{y + 3:g}" text-anchor="end">{mark:g}</text>')
    for x, row in zip(xs, ordered, strict=True):
        label = f"m = {row['magnitude']:g}"
        parts.append(f'<text x="{x:g}" y="{top + HEIGHT + 13}" text-anchor="middle">{label}</text>')
    for at in reversed(range(len(names))):
        points = " ".join(
            f"{x:.1f},{top + HEIGHT * (1 - row['marks'][names[at]]['relaxed']):.1f}"
            for x, row in zip(xs, ordered, strict=True)
        )
        parts.append(f'<polyline points="{points}" {_stroke(at)}/>')
    return parts


def _stroke(at: int) -> str:
    width = 2.5 if at == 0 else 1.3
    dash = ' stroke-dasharray="4 3"' if at == DASHED else ""
    return f'fill="none" stroke="{COLOURS[at]}" stroke-width="{width}"{dash}'
