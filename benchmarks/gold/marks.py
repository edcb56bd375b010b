"""Marks for a merge: how near its spans are to the reference's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from goldspan.engine.gold.boundaries import overlap
from goldspan.engine.gold.gold import Gold
from goldspan.engine.model import Corpus

Span: TypeAlias = tuple[float, float, str]
Spans: TypeAlias = dict[str, list[Span]]
"""The spans of each task."""


def spans_of(value: Gold | Corpus) -> Spans:
    """A gold, or a corpus with one annotator a task, as plain spans."""
    if isinstance(value, Gold):
        return {
            task: [(s.start, s.end, s.category) for s in spans]
            for task, spans in value.spans.items()
        }
    return {c.id: [(u.start, u.end, u.category) for u in c.units] for c in value.continua}


def pairs(
    ours: Sequence[Span], truth: Sequence[Span], least: float, *, labelled: bool = True
) -> list[tuple[int, int]]:
    """Which span is which: the closest first, each once, with `least` of the joint length."""
    close = []
    for s, span in enumerate(ours):
        for t, other in enumerate(truth):
            if not labelled or span[2] == other[2]:
                shared = overlap(span[:2], other[:2])
                if shared >= least:
                    close.append((-shared, s, t))
    found: dict[int, int] = {}
    used: set[int] = set()
    for _, s, t in sorted(close):
        if s not in found and t not in used:
            found[s] = t
            used.add(t)
    return sorted(found.items())


def f1(ours: Mapping[str, Sequence[Span]], truth: Spans, least: float) -> float:
    """F1 of spans that share `least` of the joint length and the category; 1 is exact."""
    hits = sum(len(pairs(ours.get(task, ()), own, least)) for task, own in truth.items())
    made = sum(len(spans) for spans in ours.values())
    wanted = sum(len(spans) for spans in truth.values())
    return 2 * hits / (made + wanted) if made + wanted else 1.0


def marks(ours: Spans, truth: Spans) -> dict[str, float]:
    """Exact and relaxed F1; boundary error per length and category accuracy at shared places."""
    errors, right, places = 0.0, 0, 0
    for task, own in truth.items():
        made = ours.get(task, [])
        for s, t in pairs(made, own, 0.5, labelled=False):
            (start, end, category), (begin, stop, wanted) = made[s], own[t]
            errors += (abs(start - begin) + abs(end - stop)) / 2 / (stop - begin)
            right += category == wanted
            places += 1
    return {
        "exact": f1(ours, truth, 1.0),
        "relaxed": f1(ours, truth, 0.5),
        "boundary": errors / places if places else float("nan"),
        "category": right / places if places else float("nan"),
    }


def crowd_marks(ours: Spans, truth: Spans) -> dict[str, float]:
    """Exact, relaxed (half of the joint length), overlap and token F1; and the mean over tasks of
    token F1. A token is a position with a category.
    """
    shared = made = wanted = 0.0
    means = []
    for task, own in truth.items():
        mine, theirs = _positions(ours.get(task, [])), _positions(own)
        both = len(mine & theirs)
        shared, made, wanted = shared + both, made + len(mine), wanted + len(theirs)
        means.append(2 * both / (len(mine) + len(theirs)) if mine or theirs else 1.0)
    return {
        "exact": f1(ours, truth, 1.0),
        "relaxed": f1(ours, truth, 0.5),
        "overlap": f1(ours, truth, 1e-9),
        "token": 2 * shared / (made + wanted) if made + wanted else 1.0,
        "mean": sum(means) / len(means),
    }


def _positions(spans: Sequence[Span]) -> set[tuple[int, str]]:
    return {(at, category) for start, end, category in spans for at in range(int(start), int(end))}


def curve(judged: Iterable[tuple[float, bool]]) -> list[dict[str, float]]:
    """How often spans of each confidence are right: bins from 0.5 on, the last from 0.9."""
    edges = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0 + 1e-9)
    found = list(judged)
    rows = []
    for low, high in pairwise(edges):
        inside = [(p, right) for p, right in found if low <= p < high]
        if inside:
            rows.append(
                {
                    "low": low,
                    "n": len(inside),
                    "confidence": sum(p for p, _ in inside) / len(inside),
                    "right": sum(right for _, right in inside) / len(inside),
                }
            )
    return rows
