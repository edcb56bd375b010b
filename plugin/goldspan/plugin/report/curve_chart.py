"""Curve chart: panels of curves over the magnitude of errors, as one small SVG file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from goldspan.engine.simulation.curves import Curve, curve_of

if TYPE_CHECKING:
    from goldspan.engine.simulation.experiment import CurveFigure, Panel, Series
    from goldspan.engine.simulation.point import Point

WIDTH, HEIGHT, PAD, LEGEND = 300, 190, 40, 16
LOWEST = -0.4
"""What is below is drawn at the edge."""

COLOURS = ("#c1121f", "#1d4e89", "#00798c", "#8d6a9f", "#b08968", "#333333")
DASHES = ("", "6 3", "2 2", "8 3 2 3", "1 3", "10 4")


def curves_svg(figure: CurveFigure, points: Sequence[Point]) -> str:
    """The chart as SVG text: light background, no script."""
    rows = max(len(panel.series) for panel in figure.panels)
    columns = min(3, len(figure.panels))
    lines = -(-len(figure.panels) // columns)
    high = HEIGHT + PAD + 24 + LEGEND * (-(-rows // 2))
    wide = columns * (WIDTH + PAD) + 20
    box = f'viewBox="0 0 {wide} {lines * high + 8}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} font-family="sans-serif" font-size="10">',
        f'<rect width="{wide}" height="{lines * high + 8}" fill="#fff"/>',
    ]
    for number, panel in enumerate(figure.panels):
        left = PAD + (number % columns) * (WIDTH + PAD)
        top = 26 + (number // columns) * high
        curves = {one: curve_of(points, one.experiment, one.key) for one in panel.series}
        parts += _panel(panel, curves, left, top)
    return "\n".join([*parts, "</svg>", ""])


def _panel(panel: Panel, curves: Mapping[Series, Curve], left: int, top: int) -> Iterable[str]:
    values = [mean.value for curve in curves.values() for _, mean in curve]
    low = LOWEST if min(values, default=0.0) < -0.02 else 0.0

    def place(magnitude: float, value: float) -> str:
        share = (max(low, min(1.0, value)) - low) / (1 - low)
        return f"{left + WIDTH * magnitude:.1f},{top + HEIGHT * (1 - share):.1f}"

    yield f'<text x="{left}" y="{top - 10}" font-weight="bold">{escape(panel.title)}</text>'
    for number in range(round(low * 5), 6):
        x, y = place(0, number / 5).split(",")
        colour = "#999" if number == 0 else "#e4e4e4"
        yield f'<path d="M{x} {y}h{WIDTH}" stroke="{colour}"/>'
        below = f"{float(y) + 3:.1f}"
        yield f'<text x="{left - 5}" y="{below}" text-anchor="end">{number / 5:g}</text>'
    for number in range(6):
        at = f'x="{left + WIDTH * number / 5:g}" y="{top + HEIGHT + 14}"'
        yield f'<text {at} text-anchor="middle">{number / 5:g}</text>'
    for number, (series, curve) in enumerate(curves.items()):
        colour, dash = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
        yield from _curve(curve, place, colour, dash)
        begin = left + (number % 2) * WIDTH // 2
        line = top + HEIGHT + 30 + LEGEND * (number // 2)
        stroke = f'stroke="{colour}" stroke-dasharray="{dash}" fill="none"'
        yield f'<path d="M{begin} {line - 3}h22" {stroke}/>'
        yield f'<text x="{begin + 27}" y="{line}">{escape(series.label)}</text>'


def _curve(
    curve: Curve, place: Callable[[float, float], str], colour: str, dash: str
) -> Iterable[str]:
    band = [
        (m, mean.low, mean.high)
        for m, mean in curve
        if mean.low is not None and mean.high is not None
    ]
    if band:
        upper = [place(m, high) for m, _, high in band]
        lower = [place(m, low) for m, low, _ in reversed(band)]
        yield f'<polygon points="{" ".join(upper + lower)}" fill="{colour}" opacity="0.13"/>'
    if curve:
        line = " ".join(place(m, mean.value) for m, mean in curve)
        yield (
            f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.6" '
            f'stroke-dasharray="{dash}"/>'
        )
