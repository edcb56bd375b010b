"""Curve tables: every point as csv, and the desiderata of the 2015 paper as marks."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from goldspan.engine.simulation.curves import curve_of, desiderata
from goldspan.engine.simulation.experiment import label_of
from goldspan.plugin.report.text_table import text_table

if TYPE_CHECKING:
    from goldspan.engine.simulation.curves import Desiderata
    from goldspan.engine.simulation.experiment import CurveFigure
    from goldspan.engine.simulation.point import Point

COLUMNS = ("experiment", "magnitude", "measure", "label", "mean", "low", "high", "sets")
HEAD = ("figure", "measure", "first", "last", "1 at 0", "reaches 0", "never below", "decreasing")


def curves_csv(figure: CurveFigure, points: Iterable[Point]) -> str:
    """A row for each magnitude and coefficient of the figure's experiments."""
    names = {one.name for one in figure.experiments}
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for point in points:
        if point.experiment in names:
            for (measure, label), mean in point.means.items():
                ends = ["" if end is None else f"{end:.4f}" for end in (mean.low, mean.high)]
                writer.writerow(
                    [point.experiment, f"{point.magnitude:g}", measure, label,
                     f"{mean.value:.4f}", *ends, mean.sets]
                )  # fmt: skip
    return text.getvalue()


def marks_rows(figures: Iterable[CurveFigure], points: Sequence[Point]) -> list[tuple[str, ...]]:
    """A row of `HEAD` for each curve of the experiments, whichever of them are drawn."""
    rows = []
    for experiment in {one.name: one for figure in figures for one in figure.experiments}.values():
        own = [point for point in points if point.experiment == experiment.name]
        for key in dict.fromkeys(key for point in own for key in point.means if not key[1]):
            curve = curve_of(own, experiment.name, key)
            found = desiderata(curve)
            if found is not None:
                ends = (f"{curve[0][1].value:.2f}", f"{curve[-1][1].value:.2f}")
                rows.append((experiment.name, label_of(key), *ends, *_marks(found)))
    return rows


def _marks(found: Desiderata) -> tuple[str, ...]:
    marks = (found.starts_at_1, found.reaches_0, found.never_below_0, found.decreasing)
    return tuple("–" if mark is None else "yes" if mark else "no" for mark in marks)


def marks_text(figures: Iterable[CurveFigure], points: Sequence[Point]) -> str:
    """The marks as a table for the terminal."""
    return text_table([HEAD, *marks_rows(figures, points)])
