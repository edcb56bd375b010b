"""Votes: a gold span's confidence and its reasons in a line, for tools that show notes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from goldspan.engine.model import Continuum, Measure
from goldspan.engine.wording import QUESTIONS

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Decision, GoldSpan, Reading
    from goldspan.engine.model import Unit

MOST_WORDS = 60
"""Characters of a text that a line quotes."""


def votes_line(span: GoldSpan) -> str:
    """Such as `confidence 0.83, majority, 2 of 3: ann1 PER 0-5, ann2 PER 0-6; ann3 LOC 0-6`: those
    who gave the label, then those who gave another; one line only.
    """
    grade = f", {span.grade}" if span.grade is not None else ""
    said = f"confidence {span.confidence:.2f}{grade}, {len(span.supporters)} of {span.seen}"
    for_it = [unit for unit in sorted(span.votes) if unit.category == span.category]
    other = [unit for unit in sorted(span.votes) if unit.category != span.category]
    reasons = "; ".join(", ".join(map(_drawn, units)) for units in (for_it, other) if units)
    return _line(f"{said}: {reasons}" if reasons else said)


def label_votes(span: GoldSpan) -> str:
    """Such as `2 of 3: DATE; bruno: LOC; confidence 0.83`: who gave which label, without places."""
    parts = [f"{len(span.supporters)} of {span.seen}: {span.category}"]
    labels: dict[str, list[str]] = {}
    for unit in sorted(span.votes):
        if unit.category != span.category:
            labels.setdefault(unit.category, []).append(unit.annotator)
    parts += [f"{', '.join(dict.fromkeys(names))}: {label}" for label, names in labels.items()]
    return _line("; ".join([*parts, f"confidence {span.confidence:.2f}"]))


def decision_line(decision: Decision, continuum: Continuum) -> str:
    """What a person should decide at a place, and the readings to choose from with their authors;
    in the words of the text where there is one, else by positions.
    """
    readings = "; ".join(
        f"{', '.join(one.annotators)}: {one.category} {_place(one, continuum)}"
        for one in decision.readings
    )
    return _line(f"To decide: {QUESTIONS[decision.question.value]} {readings}")


def concerning(span: GoldSpan, decisions: Iterable[Decision]) -> list[Decision]:
    """The decisions that a suggested span should mention: those about it, and those about a place
    with no suggestion of its own that it overlaps.
    """
    return [
        one
        for one in decisions
        if one.span == span or (one.span is None and one.start < span.end and span.start < one.end)
    ]


def _place(reading: Reading, continuum: Continuum) -> str:
    start, end = reading.start, reading.end
    is_text = continuum.measure is Measure.CHARACTER and continuum.text is not None
    words = " ".join((continuum.text or "")[int(start) : int(end)].split()) if is_text else ""
    if not words:
        return f"{start:g}-{end:g}{' ms' if continuum.measure is Measure.MILLISECOND else ''}"
    return f"“{words if len(words) <= MOST_WORDS else words[: MOST_WORDS - 1] + '…'}”"


def _drawn(unit: Unit) -> str:
    return f"{unit.annotator} {unit.category} {unit.start}-{unit.end}"


def _line(text: str) -> str:
    return " ".join(text.encode("utf-8", errors="replace").decode().split())
