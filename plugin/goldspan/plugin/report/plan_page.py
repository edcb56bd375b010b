"""Plan page: the plan of a study as text, JSON and a page with a chart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from html import escape
from typing import TYPE_CHECKING, Any

from goldspan.adapters.files.atomic import new_file

if TYPE_CHECKING:
    from pathlib import Path

    from goldspan.engine.planning import FigurePlan, StudyPlan

SYMBOLS = {"gamma": "γ", "gamma_cat": "γcat", "gamma_k": "γk"}
COLOURS = ("#c1121f", "#1d4e89", "#00798c", "#8d6a9f", "#b08968", "#333333")
WIDTH, HEIGHT, PAD = 560, 240, 44
ROUGH_TASKS = 10
"""Below, a plan is rough."""

STYLE = (
    "body{font:15px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "table{border-collapse:collapse}th,td{padding:.25rem .7rem;text-align:right;"
    "border-bottom:1px solid #ddd}th:first-child,td:first-child{text-align:left}"
)
HEAD = ("figure", "value", "± now", "tasks needed", "on average", "± with more", "± with another")


def name_of(figure: FigurePlan) -> str:
    """A figure as people call it."""
    key, label = figure.key
    return f"{SYMBOLS[key]} {label}" if label else SYMBOLS[key]


def _cells(figure: FigurePlan) -> tuple[str, ...]:
    another = "–" if figure.with_another is None else f"{figure.with_another:.3f}"
    return (
        name_of(figure), f"{figure.value:.3f}", f"{figure.now:.3f}",
        "too many" if figure.tasks is None else f"{figure.tasks}",
        _range(figure), f"{figure.with_more:.3f}", another,
    )  # fmt: skip


def _range(figure: FigurePlan) -> str:
    if figure.low is None:
        return "too many"
    return f"{figure.low} or more" if figure.high is None else f"{figure.low} to {figure.high}"


def remarks(plan: StudyPlan) -> Iterator[str]:
    """What a reader has to know of the figures."""
    target = plan.target
    yield (
        f"The pilot has {plan.tasks} tasks and {plan.annotators} annotators. With the tasks "
        f"needed, {target.assurance:.0%} of new rounds have an interval of "
        f"±{target.half_width:g} or less; “on average” is for the middle round, between the limits "
        "that the pilot leaves open."
    )
    yield (
        f"“With more” is the pilot with {target.more} more tasks, “with another” is extrapolated "
        "to one more annotator of the same kind as those of the pilot."
    )
    if plan.annotators == 2:
        yield "Two annotators cannot tell what a third would bring."
    if plan.tasks < ROUGH_TASKS:
        yield f"A pilot of fewer than {ROUGH_TASKS} tasks plans roughly."
    if plan.left_out:
        names = ", ".join(f"{SYMBOLS[key]} {label}".strip() for key, label in plan.left_out)
        yield f"Not planned, because too few tasks have it, or nobody differs: {names}."


def plan_text(plan: StudyPlan) -> str:
    """The plan for a terminal."""
    rows = [HEAD, *map(_cells, plan.figures)]
    widths = [max(len(row[at]) for row in rows) + 2 for at in range(len(HEAD))]
    lines = (
        "".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
    return "\n".join([*lines, "", *remarks(plan)])


def plan_json(plan: StudyPlan) -> dict[str, Any]:
    """The plan for programs."""
    return {
        "target": asdict(plan.target),
        "pilot": {"tasks": plan.tasks, "annotators": plan.annotators},
        "figures": [asdict(one) | {"key": one.key[0], "label": one.key[1]} for one in plan.figures],
        "left_out": [list(key) for key in plan.left_out],
    }


def write_plan(path: Path, plan: StudyPlan) -> None:
    """Write the page: one file, no script."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in HEAD)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in _cells(one)) + "</tr>"
        for one in plan.figures
    )
    paragraphs = "".join(f"<p>{escape(one)}</p>" for one in remarks(plan))
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>goldspan plan</title>'
        f"<style>{STYLE}</style></head><body><h1>How many tasks?</h1>{chart(plan)}"
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{paragraphs}"
        "</body></html>\n"
    )
    with new_file(path) as temporary:
        temporary.write_text(page, encoding="utf-8", errors="backslashreplace")


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
        parts.append(f'<text x="{x}" y="{HEIGHT + 26}" text-anchor="middle">{tasks} tasks</text>')
    parts += _curves(plan.figures, place)
    return "".join([*parts, "</svg>"])


def _curves(figures: Sequence[FigurePlan], place: Callable[[float, float], str]) -> Iterator[str]:
    for number, figure in enumerate(figures):
        colour = COLOURS[number % len(COLOURS)]
        line = " ".join(place(tasks, width) for tasks, width in figure.widths)
        yield f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>'
        y = HEIGHT + 50 + 18 * number
        yield f'<path d="M{PAD} {y - 4}h20" stroke="{colour}" stroke-width="2"/>'
        yield f'<text x="{PAD + 26}" y="{y}">{escape(name_of(figure))}</text>'
