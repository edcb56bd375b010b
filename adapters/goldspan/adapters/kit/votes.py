"""Votes: a gold span's confidence and its reasons in one line, for tools that show notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import GoldSpan


def votes_line(span: GoldSpan) -> str:
    """Such as `confidence 0.83, majority, 2 of 3: ann1 PER 0-5, ann2 PER 0-6`; one line only."""
    grade = f", {span.grade}" if span.grade is not None else ""
    said = f"confidence {span.confidence:.2f}{grade}, {len(span.voters)} of {span.seen}"
    reasons = ", ".join(
        f"{unit.annotator} {unit.category} {unit.start}-{unit.end}" for unit in sorted(span.votes)
    )
    line = f"{said}: {reasons}" if reasons else said
    return " ".join(line.encode("utf-8", errors="replace").decode().split())
