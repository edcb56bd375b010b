"""Task gold: what is suggested in one task, and what a person should decide there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from goldspan.engine.gold.gold import Decision, GoldSpan, Grade, Question
from goldspan.engine.gold.independence import without_overlaps

if TYPE_CHECKING:
    from goldspan.engine.gold.conflicts import Conflict
    from goldspan.engine.gold.suggestion import Suggestion
    from goldspan.engine.model import Position

SURE = 0.9
"""A person should look at suggestions with less confidence."""


class TaskGold(NamedTuple):
    """The spans and decisions of a task in the order of the continuum; `dropped` counts the spans
    that stand twice, or overlap likelier ones.
    """

    task: str
    spans: tuple[GoldSpan, ...]
    decisions: tuple[Decision, ...]
    dropped: int

    @classmethod
    def of(
        cls,
        task: str,
        spans: Sequence[GoldSpan],
        decisions: Iterable[Decision],
        *,
        overlaps: bool,
        everything: bool,
        averaged: bool,
    ) -> TaskGold:
        """Of all spans and decisions; decisions on spans are added. `everything` asks about each
        span, and `averaged` says that boundaries are means.
        """
        kept = _finished(spans, overlaps=overlaps)
        doubts = _doubts(kept, everything=everything, averaged=averaged)
        open_ones = tuple(sorted((*decisions, *doubts), key=_place))
        return cls(task, kept, open_ones, len(spans) - len(kept))


def _finished(spans: Iterable[GoldSpan], *, overlaps: bool) -> tuple[GoldSpan, ...]:
    """Sorted, no span twice, and without overlaps unless they are allowed."""
    equal: dict[tuple[Position, Position, str], list[GoldSpan]] = defaultdict(list)
    for span in spans:
        equal[span.start, span.end, span.category].append(span)
    kept = [_as_one(equal[key]) for key in sorted(equal)]
    return tuple(kept if overlaps else without_overlaps(kept))


def _as_one(spans: Sequence[GoldSpan]) -> GoldSpan:
    """The same span from several sites: the surest, with everybody's units behind it. Between
    equals the whole span decides, so that the order of sites does not matter.
    """
    best = max(spans)
    if len(spans) == 1:
        return best
    return replace(best, votes=tuple(sorted({unit for span in spans for unit in span.votes})))


def open_site(suggestion: Suggestion) -> Decision:
    """What a person should decide about a site that is not suggested."""
    question = Question.MISS
    if suggestion.span is not None:
        question = Question.CHECK
    elif suggestion.grade is Grade.DISPUTED:
        question = Question.LABEL
    start, end = suggestion.site.bounds
    drawn, candidate = suggestion.site.drawn, suggestion.candidate
    return Decision(start, end, question, drawn, candidate=candidate)


def split(conflict: Conflict) -> Decision:
    start = min(unit.start for unit in conflict.units)
    end = max(unit.end for unit in conflict.units)
    return Decision(start, end, Question.SPLIT, conflict.units)


def _doubts(spans: Iterable[GoldSpan], *, everything: bool, averaged: bool) -> list[Decision]:
    """What a person should decide about suggestions."""
    found = []
    for span in spans:
        misplaced = span.evidence is not None and span.evidence.placed < SURE
        if misplaced or not (averaged or span.grade is Grade.EXACT or span.is_drawn):
            question = Question.BOUNDARY
        elif everything or span.confidence < SURE or span.grade is Grade.SINGLE:
            question = Question.CHECK
        else:
            continue
        found.append(Decision(span.start, span.end, question, span.votes, span))
    return found


def _place(decision: Decision) -> tuple[object, ...]:
    return decision.start, decision.end, decision.question.value, decision.units
