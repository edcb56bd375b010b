"""Tables: annotators' profiles as csv files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from goldspan.adapters.files.atomic import new_file
from goldspan.adapters.files.table import write_rows
from goldspan.engine.annotators import wording

if TYPE_CHECKING:
    from pathlib import Path

    from goldspan.engine.annotators.estimates import Mean, Rate
    from goldspan.engine.annotators.profile import AnnotatorProfiles, Comparison, Person

Row = Sequence[object]

PEOPLE_TABLES = ("people", "skills", "confusions", "habits", "drift", "advice")
"""The files, without their suffix."""


def write_people_tables(folder: Path, profiles: AnnotatorProfiles) -> None:
    """Write all tables into a folder; they appear together."""
    rows = {
        "people": _people(profiles),
        "skills": _skills(profiles),
        "confusions": _confusions(profiles),
        "habits": _habits(profiles),
        "drift": _drifts(profiles),
        "advice": _advice(profiles),
    }
    with ExitStack() as parts:
        for name in PEOPLE_TABLES:
            part = parts.enter_context(new_file(folder / f"{name}.csv"))
            with part.open("w", encoding="utf-8", newline="", errors="backslashreplace") as file:
                write_rows(file, rows[name])


def _comparisons(profiles: AnnotatorProfiles) -> Iterator[tuple[Person, Comparison]]:
    for person in profiles.people:
        for one in (person.gold, person.adjudicated):
            if one is not None:
                yield person, one


def _rate(name: str) -> tuple[str, ...]:
    return name, f"{name}_low", f"{name}_high", f"{name}_n"


def _cells(one: Rate | Mean | None) -> Row:
    return (None,) * 4 if one is None else (one.value, one.low, one.high, one.n)


def _people(profiles: AnnotatorProfiles) -> Iterator[Row]:
    yield (
        "annotator", "tasks", "units", "median_seconds", "timed_tasks", *_rate("seconds_ratio")
    )  # fmt: skip
    for one in profiles.people:
        speed = one.speed
        took = (speed.median, speed.n_tasks) if speed else (None, None)
        yield one.name, one.n_tasks, one.n_units, *took, *_cells(speed.ratio if speed else None)


def _skills(profiles: AnnotatorProfiles) -> Iterator[Row]:
    """An empty label stands for all."""
    names = (name for key in ("recall", "missed", "precision", "spurious") for name in _rate(key))
    yield ("annotator", "basis", "label", *names)
    for person, comparison in _comparisons(profiles):
        for one in (comparison.overall, *comparison.labels):
            rates = (one.recall, one.missed, one.precision, one.spurious)
            cells = (cell for rate in rates for cell in _cells(rate))
            yield (person.name, comparison.basis.value, one.label, *cells)


def _confusions(profiles: AnnotatorProfiles) -> Iterator[Row]:
    yield ("annotator", "basis", "label", "given", "count", *_rate("rate"))
    for person, comparison in _comparisons(profiles):
        for skill in comparison.labels:
            for one in skill.confusions:
                own = (person.name, comparison.basis.value, skill.label, one.given)
                yield (*own, one.rate.count, *_cells(one.rate))


def _habits(profiles: AnnotatorProfiles) -> Iterator[Row]:
    yield (
        "annotator", "basis", "side", *_rate("offset"), "early", "late", "usual", "is_clear"
    )  # fmt: skip
    for person, comparison in _comparisons(profiles):
        for side, one in (("start", comparison.start), ("end", comparison.end)):
            if one is not None:
                own = (person.name, comparison.basis.value, side, *_cells(one.offset))
                yield (*own, one.early, one.late, one.usual.value, one.is_clear)


def _drifts(profiles: AnnotatorProfiles) -> Iterator[Row]:
    yield (
        "annotator", "basis", "matter", "first", "second", "difference", "low", "high", "usual",
        "tasks", "since", "is_clear",
    )  # fmt: skip
    for person in profiles.people:
        found = [
            (one.basis.value, drift)
            for one in (person.gold, person.adjudicated)
            if one is not None
            for drift in one.drifts
        ]
        if person.speed is not None and person.speed.drift is not None:
            found.append(("", person.speed.drift))
        for basis, one in found:
            change = one.change
            values = (change.first, change.second, change.value, change.low, change.high)
            yield (
                person.name, basis, one.matter.value, *values, one.usual.value,
                one.tasks, one.since, one.is_clear,
            )  # fmt: skip


def _advice(profiles: AnnotatorProfiles) -> Iterator[Row]:
    """An empty annotator stands for most of them."""
    yield ("annotator", "basis", "matter", "label", "given", "cases", "advice")
    everything = [(one.name, one.advice) for one in profiles.people]
    for name, found in (*everything, ("", profiles.everybody)):
        for one in found:
            said = wording.advice(one, profiles.measure)
            yield name, one.basis.value, one.matter.value, one.label, one.given, one.cases, said
