"""The description: a summary in the project's own description, between two markers."""

from __future__ import annotations

from goldspan.engine.figure import Figure
from goldspan.engine.gold import Gold
from goldspan.engine.result import Result
from goldspan.plugin.report.wording import many

BEGIN, END = "[goldspan]", "[/goldspan]"
MOST_TASKS = 5
NEARLY = 0.995


def described(description: str, summary: str) -> str:
    """The description with this summary in place of the one before; the rest untouched."""
    before, after = _around(description)
    block = f"{BEGIN} {summary} {END}"
    return f"{before}{block}{after}" if BEGIN in description else _appended(description, block)


def undescribed(description: str) -> str:
    """The description without our summary, as it was before the first."""
    if BEGIN not in description:
        return description
    before, after = _around(description)
    return before.removesuffix("\n\n") + after


def summary(result: Result, gold: Gold, left_out: int) -> str:
    """The round in a few lines, the tasks to open first included."""
    annotators = {name for task in result.tasks.values() for name in task.annotators}
    figures = (
        f"Agreement γ {_said(result.gamma)}, labels γcat {_said(result.gamma_cat)}; "
        f"{many(len(result.tasks), 'task')}, {many(len(annotators), 'annotator')}, "
        f"{many(result.n_units, 'span')}, chance {' and '.join(result.chance)}, "
        f"seed {result.settings.seed}."
    )
    lines = [figures]
    known = [(t.gamma.value, t.id) for t in result.tasks.values() if t.gamma.value is not None]
    worst = [task for value, task in sorted(known)[:MOST_TASKS] if value < NEARLY]
    if worst:
        lines.append(f"Open first: {', '.join(worst)}.")
    made = gold.provenance.adjudicated
    sure = f"calibrated on {many(made, 'adjudicated span')}" if gold.calibrated else "uncalibrated"
    lines.append(f"{many(gold.n_spans, 'suggested span')}, confidences {sure}.")
    if left_out:
        lines.append(f"{many(left_out, 'annotation')} that began with a suggestion left out.")
    return "\n".join(lines)


def _said(figure: Figure) -> str:
    if figure.value is None:
        return f"undefined ({figure.reason})" if figure.reason else "undefined"
    ends = "" if figure.low is None else f" [{figure.low:.2f}, {figure.high:.2f}]"
    return f"{figure.value:.2f}{ends}"


def _appended(description: str, block: str) -> str:
    return f"{description}\n\n{block}" if description else block


def _around(description: str) -> tuple[str, str]:
    """What stands before and after our block. Without its end, which somebody may have cut off,
    the block is the marker alone: what follows may be somebody's text.
    """
    before, _, rest = description.partition(BEGIN)
    _, found, after = rest.partition(END)
    return before, after if found else rest
