"""Plan page: the plan of a study as text, JSON and a page with a chart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from goldspan.adapters.files.atomic import new_file
from goldspan.engine.simulation.experiment import label_of
from goldspan.plugin.report import wording
from goldspan.plugin.report.curve_chart import COLOURS
from goldspan.plugin.report.plan.tables import plan_tables, remarks
from goldspan.plugin.report.text_table import text_table

if TYPE_CHECKING:
    from pathlib import Path

    from goldspan.engine.planning import FigurePlan, StudyPlan

WIDTH, HEIGHT, PAD = 560, 240, 44
STYLE = (
    "body{font:15px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "table{border-collapse:collapse}th,td{padding:.25rem .7rem;text-align:right;"
    "border-bottom:1px solid #ddd}th:first-child,td:first-child{text-align:left}"
)


def plan_text(plan: StudyPlan) -> str:
    """The plan for a terminal."""
    shown = [text_table(rows) for rows in plan_tables(plan)]
    return "\n".join(["\n\n".join(shown), "", *remarks(plan)])


def write_plan(path: Path, plan: StudyPlan) -> None:
    """Write the page: one file, no script."""
    tables = [_table(rows) for rows in plan_tables(plan)]
    paragraphs = "".join(f"<p>{escape(one)}</p>" for one in remarks(plan))
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>goldspan plan</title>'
        f"<style>{STYLE}</style></head><body><h1>{wording.PLAN_TITLE}</h1>{chart(plan)}"
        f"{'<p></p>'.join(tables)}{paragraphs}</body></html>\n"
    )
    with new_file(path) as temporary:
        temporary.write_text(page, encoding="utf-8", errors="backslashreplace")


def _table(rows: Sequence[Sequence[str]]) -> str:
    head, *body = (
        "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row)
        for tag, row in zip(["th"] + ["td"] * len(rows), rows, strict=False)
    )
    lines = "".join(f"<tr>{row}</tr>" for row in body)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"


def chart(plan: StudyPlan) -> str:
    """Half of the interval's width over the number of tasks, for γ, γcat and labels."""
    most = max((one for figure in plan.figures for one, _ in figure.widths), default=10)
    top = 4 * plan.target.half_width

    def place(tasks: float, width: float) -> str:
        down = HEIGHT * (1 - min(width, top) / top)
        return f"{PAD + WIDTH * tasks / most:.1f},{down + 10:.1f}"

    box = f"0 0 {WIDTH + PAD + 20} {HEIGHT + 60 + 18 * len(plan.figures)}"
    parts = [f'<svg viewBox="{box}" font-size="12" role="img" aria-label="half width by tasks">']
    for number in range(5):
        y = place(0, number * plan.target.half_width).split(",")[1]
        colour = "#444" if number == 1 else "#ddd"
        parts.append(f'<path d="M{PAD} {y}h{WIDTH}" stroke="{colour}"/>')
        label = f"±{number * plan.target.half_width:g}"
        parts.append(f'<text x="{PAD - 5}" y="{y}" text-anchor="end">{label}</text>')
    for number in range(5):
        tasks = round(most * number / 4)
        x = place(tasks, 0).split(",")[0]
        said = wording.many(tasks, "task")
        parts.append(f'<text x="{x}" y="{HEIGHT + 26}" text-anchor="middle">{said}</text>')
    parts += _curves(plan.figures, place)
    return "".join([*parts, "</svg>"])


def _curves(figures: Sequence[FigurePlan], place: Callable[[float, float], str]) -> Iterator[str]:
    for number, figure in enumerate(figures):
        colour = COLOURS[number % len(COLOURS)]
        line = " ".join(place(tasks, width) for tasks, width in figure.widths)
        yield f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>'
        y = HEIGHT + 50 + 18 * number
        yield f'<path d="M{PAD} {y - 4}h20" stroke="{colour}" stroke-width="2"/>'
        yield f'<text x="{PAD + 26}" y="{y}">{escape(label_of(figure.key))}</text>'
