"""The description: a summary in the project's own description, between two markers."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from goldspan.engine.result import OWN_NAMES, Result
from goldspan.plugin.report.wording import advice, many, verdict

if TYPE_CHECKING:
    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.gold.gold import Gold

BEGIN, END = "[goldspan]", "[/goldspan]"
BLOCK = re.compile(r"\[goldspan\]\s(?:(?!\[goldspan\]).)*?\s\[/goldspan\]", re.DOTALL)
"""A block between both marks: one alone is a person's word, or what a person left of ours."""

MOST_TASKS = 5
NEARLY = 0.995


def described(description: str, summary: str) -> str:
    """The description with this summary in place of the one before; the rest untouched."""
    block = f"{BEGIN} {summary} {END}"
    found = _block(description)
    if found is None:
        return f"{description}\n\n{block}" if description else block
    return description[: found.start()] + block + description[found.end() :]


def undescribed(description: str) -> str:
    """The description without our summary, as it was before the first."""
    found = _block(description)
    if found is None:
        return description
    return description[: found.start()].removesuffix("\n\n") + description[found.end() :]


def summary(
    result: Result,
    gold: Gold,
    left_out: int,
    layers: Sequence[str] = (),
    settled: Collection[str] = (),
) -> str:
    """The round in a few lines, the tasks to open first included; `layers` where not all that is
    marked was measured. Nobody needs to open tasks that are `settled`.
    """
    annotators = {name for task in result.tasks.values() for name in task.annotators}
    figures = (
        f"{_in_words(result.gamma)}"
        f"Agreement γ {_said(result.gamma)}, labels γcat {_said(result.gamma_cat)}"
        f"{_others(result)}; "
        f"{many(len(result.tasks), 'task')}, {many(len(annotators), 'annotator')}, "
        f"{many(result.n_units, 'span')}, chance {' and '.join(result.chance)}, "
        f"seed {result.settings.seed}."
    )
    lines = [figures] if result.tasks or not result.layers else []
    lines += [
        f"Labels of '{name}': {layer.symbol} {_said(layer.alpha)}; "
        f"{many(layer.n_tasks, 'task')}, {many(len(layer.annotators), 'annotator')}."
        for name, layer in result.layers.items()
    ]
    if layers:
        lines.append(f"Measured only on spans marked with {' or '.join(layers)}.")
    known = [(t.gamma.value, t.id) for t in result.tasks.values() if t.gamma.value is not None]
    unsettled = [(value, task) for value, task in sorted(known) if task not in settled]
    worst = [task for value, task in unsettled[:MOST_TASKS] if value < NEARLY]
    if settled:
        lines.append(
            f"{many(len(settled), 'task')} settled by a person; the ground truth there is left out "
            "of agreement."
        )
    if worst:
        lines.append(f"Open first: {', '.join(worst)}.")
    if not result.tasks and result.layers:
        apart = [t for layer in result.layers.values() for t in layer.disputed()[:MOST_TASKS]]
        if apart:
            lines.append(f"Open first: {', '.join(dict.fromkeys(apart))}.")
        return "\n".join([*lines, *_left_out(left_out)])
    made = gold.provenance.adjudicated
    sure = f"calibrated on {many(made, 'adjudicated span')}" if gold.calibrated else "uncalibrated"
    lines.append(f"{many(gold.n_spans, 'suggested span')}, confidences {sure}.")
    return "\n".join([*lines, *_left_out(left_out)])


def _left_out(count: int) -> list[str]:
    return [f"{many(count, 'annotation')} that began with a suggestion left out."] if count else []


def _others(result: Result) -> str:
    return "".join(
        f", {one.symbol} {_said(figure)}"
        for one in result.coefficients
        if one.key not in OWN_NAMES and (figure := result.figures.get((one.key, "")))
    )


def _in_words(figure: Figure) -> str:
    said = verdict(figure)
    return f"{said}: {advice(figure)}\n" if said else ""


def _said(figure: Figure) -> str:
    if figure.value is None:
        return f"undefined ({figure.reason})" if figure.reason else "undefined"
    ends = "" if figure.low is None else f" [{figure.low:.2f}, {figure.high:.2f}]"
    return f"{figure.value:.2f}{ends}"


def _block(description: str) -> re.Match[str] | None:
    """Our summary in it, the last one should there be several."""
    return next(reversed([*BLOCK.finditer(description)]), None)
