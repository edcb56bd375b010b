"""Findings: what to act on first, each a sentence with the place where the page shows more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldspan.plugin.report.wording import KIND_MEANINGS, many

if TYPE_CHECKING:
    from goldspan.engine.result import Result, TaskResult
    from goldspan.plugin.report.counts import Counts

GAMMA = ("gamma", "")
"""The key of γ."""

CLEAR_GAIN = 0.05
"""An annotator is named if leaving them out changes γ by this much."""

NEARLY = 0.995
"""What would be printed as 1.00 is nothing to look at."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to look at: what it is about, the sentence, and the section that shows it."""

    about: str
    said: str
    section: str


def rank_task(task: TaskResult) -> tuple[bool, float]:
    """Sorts the task with the lowest γ first, and those without γ last."""
    value = task.value(GAMMA)
    return value is None, value or 0.0


def find(result: Result, counts: Counts, worst: Sequence[TaskResult]) -> tuple[Finding, ...]:
    """The weakest label, the annotator who differs, the commonest kind, the tasks to open."""
    return (*_label(result, counts), *_annotator(result), *_kind(result), *_tasks(result, worst))


def _label(result: Result, counts: Counts) -> Iterator[Finding]:
    known = [(f.value, label) for label, f in result.gamma_k.items() if f.value is not None]
    if len(known) < 2:
        return
    value, label = min(known)
    if value >= 1:
        yield Finding("Labels", "Aligned units never differ in their label.", "labels")
        return
    partners = {
        (one if other == label else other): number
        for (one, other), number in counts.pairs.items()
        if label in (one, other) and one != other
    }
    said = f"“{label}” is the weakest label: γk = {value:.2f}."
    if partners:
        partner = max(sorted(partners), key=lambda name: partners[name])
        said += (
            f" It is most often confused with “{partner}”: {partners[partner]:,} of "
            f"{many(counts.of(label), 'aligned pair')}."
        )
    yield Finding("Labels", said, "labels")


def _annotator(result: Result) -> Iterator[Finding]:
    if len(result.annotators) < 3 or not result.pairs or result.gamma.value is None:
        return
    gains = [
        (one.gamma_without.value - result.gamma.value, one)
        for one in result.annotators
        if one.gamma_without.value is not None
    ]
    if not gains:
        return
    gain, one = max(gains, key=lambda pair: pair[0])
    low = one.gamma_without.low
    if gain >= CLEAR_GAIN and low is not None and low > result.gamma.value:
        said = (
            f"{one.name} differs from the others: without this annotator, γ is "
            f"{one.gamma_without.value:.2f} instead of {result.gamma.value:.2f}."
        )
    else:
        said = "No single annotator stands out: leaving one out changes γ little or unclearly."
    yield Finding("Annotators", said, "annotators")


def _kind(result: Result) -> Iterator[Finding]:
    kind, part = max(result.disagreements.items(), key=lambda item: item[1].disorder)
    if part.count:
        said = f"{part.share:.0%} of the disagreement is “{kind}”: {KIND_MEANINGS[kind]}."
        yield Finding("Kind", said, "kinds")


def _tasks(result: Result, worst: Sequence[TaskResult]) -> Iterator[Finding]:
    names = [task.id for task in worst[:3] if (task.gamma.value or 0) < NEARLY]
    if len(result.tasks) > 1 and names:
        said = f"Open first: {', '.join(names)}."
        if result.median_gamma is not None and result.median_gamma < NEARLY:
            said += f" Half of all tasks have a γ below {result.median_gamma:.2f}."
        yield Finding("Tasks", said, "tasks")
