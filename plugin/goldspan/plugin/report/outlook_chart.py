"""Outlook chart: the width of intervals by the number of tasks, as places in a report's chart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldspan.plugin.report.charts import Axis, Line, Point

if TYPE_CHECKING:
    from goldspan.engine.planning.outlook import Outlook, Width

NAMES = {"gamma": "γ", "gamma_cat": "γcat"}
ROOM = 1.1
"""The chart ends so far above the widest interval of those to expect."""


@dataclass(frozen=True, slots=True)
class OutlookChart:
    """A line for each figure, with the limits that its tasks leave open."""

    axis: Axis
    tasks: Axis
    lines: tuple[tuple[str, Line, Outlook], ...]


def outlook_chart(outlooks: Sequence[Outlook]) -> OutlookChart | None:
    """The chart; None if there is nothing to draw."""
    if not outlooks:
        return None
    axis = Axis(0.0, ROOM * max(one.half for outlook in outlooks for one in outlook.widths))
    tasks = Axis(*(outlooks[0].widths[at].tasks for at in (0, -1)))
    lines = tuple((NAMES[one.key[0]], _line(one.widths, axis, tasks), one) for one in outlooks)
    return OutlookChart(axis, tasks, lines)


def _line(widths: Sequence[Width], axis: Axis, tasks: Axis) -> Line:
    points = tuple(
        Point(
            place=place,
            x=tasks.at(one.tasks),
            y=100 - axis.at(one.half),
            value=one.half,
            low=100 - axis.at(one.low),
            high=100 - axis.at(one.high),
        )
        for place, one in enumerate(widths)
    )
    upper = [(p.x, p.high) for p in points if p.high is not None]
    lower = [(p.x, p.low) for p in reversed(points) if p.low is not None]
    return Line(points, (*upper, *lower))
