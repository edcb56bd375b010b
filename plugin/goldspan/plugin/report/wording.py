"""Wording: what figures mean, in sentences."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goldspan.engine.coefficient.figure import Figure
    from goldspan.engine.facts import Reason
    from goldspan.engine.planning import StudyPlan
    from goldspan.engine.reference.against import Against
    from goldspan.engine.result import Result
    from goldspan.plugin.report.outlook_chart import OutlookChart

KIND_MEANINGS = {
    "missed": "one marked it, another did not",
    "boundary": "same unit, other start or end",
    "label": "same unit, other label",
    "split": "one unit against several",
}
SIDES = {
    "missed": "others marked it, this annotator did not",
    "alone": "this annotator marked it, others did not",
} | {kind: said for kind, said in KIND_MEANINGS.items() if kind != "missed"}

LAYERS = "Labels of whole tasks"
"""The heading of agreement on labels that have no place."""

MINUS = "\N{MINUS SIGN}"

PLAN_TITLE = "How many tasks and annotators?"
TASKS_NEEDED = "tasks needed with"
ADDED = "more annotators, same tasks"
TOO_MANY = "too many"
ROUGH_TASKS = 10
"""A plan from fewer is rough."""

LANDIS_KOCH = (
    (0.81, "almost perfect"),
    (0.61, "substantial"),
    (0.41, "moderate"),
    (0.21, "fair"),
    (0.0, "slight"),
)
"""Landis and Koch 1977, table in §4; made for κ."""

MOST_NAMES = 6
"""How many figures one remark names."""

BORROWED = (
    "The words are borrowed: Landis and Koch (1977) proposed them for κ, and nobody has "
    "calibrated them for γ. Compare rounds with each other rather than with a scale."
)


GOOD, FAIR = 0.8, 0.6
"""From here on agreement is called good, or fair. A convention of goldspan's, as is the limit of
the tab “Low agreement”; no study has calibrated it.
"""


class Level(Enum):
    """What a value calls for."""

    GOOD = "Good"
    FAIR = "Fair"
    LOW = "Talk about this"


ADVICE = {
    Level.GOOD: "The annotators largely mark the same; decide the places that are left.",
    Level.FAIR: "Look at the weakest label, and at the tasks with the lowest agreement.",
    Level.LOW: (
        "The annotators often differ: go through the worst tasks with them, and make the "
        "guidelines clearer."
    ),
}


def verdict(figure: Figure) -> str:
    """What a value of γ calls for, in a word or three; nothing where there is too little data."""
    level = _level(figure)
    return "" if level is None else level.value


def advice(figure: Figure) -> str:
    """What to do about a value of γ."""
    level = _level(figure)
    return "" if level is None else ADVICE[level]


def _level(figure: Figure) -> Level | None:
    # Without an interval only unanimity says something. The dashboard's figures have no reason, but
    # γ is 1 only where nobody differed.
    if figure.value is None or (figure.low is None and figure.value < 1):
        return None
    value = round(figure.value, 2)
    return Level.GOOD if value >= GOOD else Level.FAIR if value >= FAIR else Level.LOW


def is_too_little(figure: Figure) -> bool:
    """Whether a figure rests on so little that it should not stand as a headline."""
    if figure.value is None:
        return True
    return figure.low is None and not figure.is_unanimous


def meaning(figure: Figure) -> str:
    """What a value says, on its own and against chance."""
    value = figure.value
    if value is None:
        return "There is no value."
    if figure.is_unanimous:
        return "No disagreement at all was observed."
    if value <= 0:
        return "The annotators agree no better than chance would."
    start = f"Of the disagreement expected by chance, {max(0, 1 - value):.0%} is left"
    if figure.low is None or figure.high is None:
        return f"{start}."
    if figure.low <= 0:
        return f"{start}; the interval does not exclude chance."
    return f"{start}; the interval runs from {1 - figure.high:.0%} to {1 - figure.low:.0%}."


def sampled(figure: Figure) -> str:
    """How far sampling chance leaves a figure open; for figures that have no interval."""
    bounds = figure.sampling_bounds
    if bounds is None or figure.low is not None or bounds[0] == bounds[1]:
        return ""
    return f"between {bounds[0]:.3f} and {bounds[1]:.3f}, as far as chance was sampled"


def imprecise(figure: Figure, precision: float) -> str:
    """A remark where chance is not known as precisely as was asked for."""
    if figure.value is None or figure.error is None or figure.error <= precision:
        return ""
    return (
        f"what chance expects is known to ±{figure.error:.1%} after {figure.samples:,} samples, "
        f"not to ±{precision:.1%}"
    )


def approximate(result: Result) -> str:
    """By how much unproved alignments may have moved the figures; empty where all are proved, or
    where nobody disagrees: γ is 1 then, whatever chance expects.
    """
    if result.optimal or result.gamma.observed == 0:
        return ""
    return (
        "Some alignments are not proved to be the best ones: the observed disorder may be up to "
        f"{result.observed_gap:.1%} too high, the expected one up to {result.expected_gap:.1%}."
    )


def borrowed(figure: Figure) -> str:
    """The words of the borrowed scale for both ends of an interval; nothing for too little data."""
    if figure.value is None or is_too_little(figure):
        return ""
    if figure.low is None or figure.high is None:
        return _word(figure.value)
    return " to ".join(dict.fromkeys((_word(figure.low), _word(figure.high))))


def _word(value: float) -> str:
    return next((word for least, word in LANDIS_KOCH if round(value, 2) >= least), "poor")


def many(count: int, noun: str) -> str:
    """A count with its noun."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def number(value: float | None, digits: int = 2) -> str:
    """A value with a true minus sign; a dash where there is none."""
    if value is None:
        return "–"
    text = f"{value:.{digits}f}"
    return text.replace("-", MINUS) if float(text) else text.lstrip("-")


def share(value: float) -> str:
    """A share in per cent; one that is small but not nothing says so."""
    return "<1%" if 0 < value < 0.005 else f"{value:.0%}"


def interval(figure: Figure, digits: int = 2) -> str:
    """Both ends of an interval, or nothing."""
    if figure.low is None or figure.high is None:
        return ""
    return f"{number(figure.low, digits)} to {number(figure.high, digits)}"


def against_title(against: Against) -> str:
    """What a comparison is called."""
    if against.is_stability:
        return "Stability (the same annotator twice)"
    return f"Against the reference “{against.reference}”"


def against_about(against: Against) -> str:
    """What a comparison compares, and what its figures are."""
    on = f"On {many(against.n_tasks, 'task')}."
    if against.is_stability:
        return (
            "Each annotator is compared with their own work on the same tasks at another time. "
            f"This is not agreement between annotators. {on}"
        )
    return (
        "The reference is not part of the agreement between annotators. Precision is the part of "
        "an annotator's units that the reference has too. Recall is the part of the reference's "
        "units that the annotator has too. F1 joins both. A unit matches if it has the same place "
        f"and label. {on}"
    )


def nobody_differs(against: Against) -> str:
    """What is said of perfect matches."""
    if against.is_stability:
        return "Everybody marked exactly the same both times."
    return "Everybody marked exactly what the reference has."


def differs_most(against: Against, name: str, f1: float) -> str:
    """The annotator who is furthest from the reference, or from their own work."""
    is_stability = against.is_stability
    if len(against.annotators) == 1:
        whom = "between the two times" if is_stability else "against the reference"
        return f"“{name}” has F1 = {f1:.2f} {whom}."
    if is_stability:
        return f"“{name}” is the least stable: F1 = {f1:.2f} between the two times."
    return f"“{name}” differs most from the reference: F1 = {f1:.2f}."


def weakest_label(label: str, f1: float, precision: float | None, recall: float | None) -> str:
    """The label on which somebody differs most."""
    rates = [
        f"{name} {value:.2f}"
        for name, value in (("precision", precision), ("recall", recall))
        if value is not None
    ]
    more = f" ({', '.join(rates)})" if rates else ""
    return f"The weakest label there is “{label}”: F1 = {f1:.2f}{more}."


def undefined(names: Sequence[str], reason: Reason) -> str:
    """The figures that have no value, and why."""
    shown = ", ".join(names[:MOST_NAMES])
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"Undefined: {shown}{more}: {reason}."


def no_interval(reason: Reason) -> str:
    """Why values have no interval."""
    return f"Values without an interval: {reason}."


def task_left_out(task: str, reason: Reason) -> str:
    """A task that was left out, and why."""
    return f"Left out: task '{task}': {reason}."


def annotators_more(more: int) -> str:
    """By how many annotators a task has more than now."""
    if more == 0:
        return "as now"
    return f"{abs(more)} {'more' if more > 0 else 'fewer'}"


def plan_remarks(plan: StudyPlan, left_out: Sequence[str]) -> Iterator[str]:
    """What a reader of a plan has to know of its figures; those left out are given by name."""
    target, known = plan.target, any(one.by_annotators for one in plan.figures)
    yield (
        f"The pilot has {many(plan.tasks, 'task')} and {many(plan.annotators, 'annotator')}, "
        f"{plan.per_task:.3g} for each task. With the tasks needed, {target.assurance:.0%} of new "
        f"rounds have an interval of ±{target.half_width:g} or less; “on average” is for the "
        "middle round, between the limits that the pilot leaves open."
    )
    yield (
        f"“With more” is the pilot with {many(target.more, 'more task')}, “with another” is "
        "extrapolated to one more annotator for each task, of the same kind as those of the pilot."
    )
    if known:
        yield (
            "The second table has the tasks needed with more annotators or one fewer for each "
            f"task, and how many more annotators reach ±{target.half_width:g} with the pilot's "
            "number of tasks. “Too many”: it is out of reach this way."
        )
    elif plan.figures:
        yield "Two annotators for each task cannot tell what a third would bring."
    if plan.tasks < ROUGH_TASKS:
        yield f"A pilot of fewer than {ROUGH_TASKS} tasks plans roughly."
    if left_out:
        yield (
            f"Not planned, because too few tasks have it, or nobody differs: {', '.join(left_out)}."
        )


def outlook(chart: OutlookChart) -> str:
    """What more tasks of the same kind would bring."""
    now, then = int(chart.tasks.low), int(chart.tasks.high)
    widths = ", ".join(
        f"{name} from ±{line.points[0].value:.3f} to ±{line.points[-1].value:.3f}"
        for name, line, _ in chart.lines
    )
    return (
        f"Half of the interval's width by the number of tasks, from the {many(now, 'task')} there "
        f"are to {then:,} of the same kind: {widths}. Bands are the limits that these tasks leave "
        "open (90 %). “goldspan plan” says how many tasks and annotators a given width takes."
    )
