"""Drawing: one task's alignment as plain lists, which the page's script draws to scale.

The lists are short because a report may hold hundreds of them: what they mean is said here once,
and read by `script.js`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from goldspan.engine.errors import brief
from goldspan.engine.model import Continuum, Measure, Position

if TYPE_CHECKING:
    from goldspan.engine.alignment.alignment import UnitaryAlignment
    from goldspan.engine.gold.gold import Decision, GoldSpan
    from goldspan.engine.result import TaskResult

MOST_UNITS = 4_000
MOST_TEXT = 20_000
MOST_DECISIONS = 100
"""A drawing holds no more than this; it says so where something is left out."""


def drawing(
    task: TaskResult,
    continuum: Continuum,
    spans: Sequence[GoldSpan] | None,
    category: Mapping[str, int],
    decisions: Sequence[Decision] = (),
) -> dict[str, Any]:
    """The task for the script.

    `lanes`: a name and its number of rows; `units`: lane, row, start, end, category, alignment;
    `costs`: disorder of each unitary alignment, then its positional, categorial and missing part;
    `gold`: row, start, end, category, confidence, votes, seen; `others`: who takes no part, and
    why; `decide`: question, start, end, the suggestion if there is one (start, end, category), and
    the readings: start, end, category, annotators. Categories are numbers.
    """
    unitary = _first(task.alignment.unitary, MOST_UNITS)
    shown = {unit: number for number, one in enumerate(unitary) for unit in one.units}
    lanes, units = [], []
    for lane, name in enumerate(task.annotators):
        own = sorted(unit for unit in shown if unit.annotator == name)
        rows = stack([(unit.start, unit.end) for unit in own])
        lanes.append([brief(name), max(rows, default=0) + 1])
        units += [
            [lane, row, _short(u.start), _short(u.end), category[u.category], shown[u]]
            for row, u in zip(rows, own, strict=True)
        ]
    start, end = continuum.bounds
    drawn: dict[str, Any] = {
        "lanes": lanes,
        "units": units,
        "costs": [
            # Digits, not decimals: what costs little must not look like full agreement.
            [float(f"{part:.3g}") for part in (o.disorder, o.positional, o.categorial, o.missing)]
            for o in unitary
        ],
        "from": _short(start),
        "to": _short(end),
        "measure": continuum.measure.value,
        "left_out": task.n_units - len(units),
        "others": [
            [brief(name), state.value]
            for name, state in continuum.presence.items()
            if name not in task.annotators
        ],
    }
    if spans is not None:
        drawn["gold"] = _gold(spans[:MOST_UNITS], category)
    if decisions:
        drawn["decide"] = [_decision(one, category) for one in decisions[:MOST_DECISIONS]]
        drawn["decide_left_out"] = max(0, len(decisions) - MOST_DECISIONS)
    if continuum.text is not None and continuum.measure is Measure.CHARACTER:
        drawn["text"] = continuum.text[:MOST_TEXT]
        drawn["text_left_out"] = max(0, len(continuum.text) - MOST_TEXT)
    return drawn


def weight(task: TaskResult, continuum: Continuum) -> int:
    """About how many bytes a drawing takes in the page."""
    text = len((continuum.text or "")[:MOST_TEXT].encode("utf-8", "replace"))
    return 300 + text + 45 * min(task.n_units, MOST_UNITS) + 30 * len(task.alignment.unitary)


def stack(intervals: Iterable[tuple[Position, Position]]) -> list[int]:
    """A row for each interval, in the order given (by start), so that none overlap in a row."""
    ends: list[Position] = []
    rows = []
    for start, end in intervals:
        row = next((at for at, last in enumerate(ends) if last <= start), len(ends))
        if row == len(ends):
            ends.append(end)
        else:
            ends[row] = end
        rows.append(row)
    return rows


def _first(unitary: Sequence[UnitaryAlignment], most: int) -> list[UnitaryAlignment]:
    kept: list[UnitaryAlignment] = []
    total = 0
    for one in unitary:
        total += len(one.units)
        if kept and total > most:
            break
        kept.append(one)
    return kept


def _gold(spans: Sequence[GoldSpan], category: Mapping[str, int]) -> list[list[Any]]:
    ordered = sorted(spans)
    rows = stack([(span.start, span.end) for span in ordered])
    return [
        [row, _short(s.start), _short(s.end), category[s.category], round(s.confidence, 3),
         len(s.supporters), s.seen]
        for row, s in zip(rows, ordered, strict=True)
    ]  # fmt: skip


def _decision(decision: Decision, category: Mapping[str, int]) -> list[Any]:
    span = decision.span
    return [
        decision.question.value,
        _short(decision.start),
        _short(decision.end),
        span and [_short(span.start), _short(span.end), category[span.category]],
        [
            [
                _short(one.start),
                _short(one.end),
                category[one.category],
                [*map(brief, one.annotators)],
            ]
            for one in decision.readings
        ],
    ]


def _short(position: Position) -> Position:
    return int(position) if float(position).is_integer() else round(position, 3)
