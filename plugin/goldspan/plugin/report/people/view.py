"""View: annotators' profiles as lines and cells, for terminals and pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldspan.engine.annotators import wording
from goldspan.engine.annotators.matter import Basis
from goldspan.plugin.report.wording import many

if TYPE_CHECKING:
    from goldspan.engine.annotators.estimates import Rate
    from goldspan.engine.annotators.profile import AnnotatorProfiles, Comparison, Person

MOST_ADVICE = 5
"""So much advice is given to one person; the files have all of it."""

BESIDE = {
    Basis.GOLD: "beside the gold of the others",
    Basis.ADJUDICATED: "beside the adjudicated version",
}


@dataclass(frozen=True, slots=True)
class PersonView:
    """One annotator: a row of cells for each comparison, and what is said."""

    person: Person
    rows: tuple[tuple[str, ...], ...]
    habits: tuple[str, ...]
    advice: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class PeopleView:
    """Everybody, those with most to train first; what is for the guidelines; and remarks."""

    profiles: AnnotatorProfiles
    people: tuple[PersonView, ...]
    everybody: tuple[str, ...]
    remarks: tuple[str, ...]


HEAD = ("annotator", "beside", "tasks", "recall", "precision", "same boundaries", "seconds")
LABEL_HEAD = ("label", "beside", "recall", "missed", "precision", "spurious", "confused with")


def view_people(profiles: AnnotatorProfiles) -> PeopleView:
    """The profiles, laid out."""
    measure = profiles.measure
    shown = sorted(profiles.people, key=lambda one: -sum(advice.cases for advice in one.advice))
    return PeopleView(
        profiles,
        tuple(_person(one, measure) for one in shown),
        tuple(wording.advice(one, measure) for one in profiles.everybody),
        tuple(_remarks(profiles)),
    )


def _person(one: Person, measure: str) -> PersonView:
    found = [comparison for comparison in (one.gold, one.adjudicated) if comparison]
    seconds = f"{one.speed.median:.3g}" if one.speed else "–"
    rows = [
        (one.name, comparison.basis.value, str(comparison.n_tasks),
         rate_cell(comparison.overall.recall), rate_cell(comparison.overall.precision),
         rate_cell(comparison.exact), seconds)
        for comparison in found
    ]  # fmt: skip
    if not rows:
        rows = [(one.name, "–", str(one.n_tasks), "–", "–", "–", seconds)]
    return PersonView(
        one,
        tuple(rows),
        tuple(_said(one, found, measure)),
        tuple(wording.advice(advice, measure) for advice in one.advice[:MOST_ADVICE]),
        tuple(row for comparison in found for row in _labels(comparison)),
    )


def _said(one: Person, found: list[Comparison], measure: str) -> Iterator[str]:
    """Habits, speed and changes, each with what it was seen beside where there are two."""
    for comparison in found:
        beside = f", {BESIDE[comparison.basis]}" if len(found) > 1 else ""
        for habit in wording.habits(comparison, measure):
            yield f"{habit}{beside}"
        for drift in comparison.drifts:
            if drift.is_clear:
                yield f"{wording.drift(drift, measure)}{beside}"
    if one.speed is not None:
        yield wording.speed(one.speed)
        if one.speed.drift is not None and one.speed.drift.is_clear:
            yield wording.drift(one.speed.drift, measure)


def _labels(comparison: Comparison) -> Iterator[tuple[str, ...]]:
    for skill in comparison.labels:
        confused = ", ".join(f"{one.given} {one.rate.count}" for one in skill.confusions)
        yield (
            skill.label, comparison.basis.value, rate_cell(skill.recall), rate_cell(skill.missed),
            rate_cell(skill.precision), rate_cell(skill.spurious), confused or "–",
        )  # fmt: skip


def rate_cell(rate: Rate) -> str:
    """A rate with its interval and what it rests on."""
    if rate.value is None:
        return "–"
    return f"{rate.value:.2f} ({rate.low:.2f} to {rate.high:.2f}, n = {rate.n})"


def _remarks(profiles: AnnotatorProfiles) -> Iterator[str]:
    if profiles.two_or_fewer:
        yield (
            f"{many(profiles.two_or_fewer, 'task')} of {profiles.n_tasks} had one or two "
            "annotators: without the one who is compared, no gold is left, so they count only "
            "beside adjudicated work."
        )
    if profiles.other_text:
        yield (
            f"{many(profiles.other_text, 'adjudicated task')} had another text and were left out."
        )
    if not profiles.adjudicated_tasks:
        yield (
            "Nobody adjudicated a task, so what annotators do wrong together cannot be seen "
            "(goldspan adjudicate)."
        )
    else:
        yield f"Adjudicated: {many(profiles.adjudicated_tasks, 'task')}."
