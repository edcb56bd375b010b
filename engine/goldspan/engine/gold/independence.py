"""Independence: the likeliest spans of which no two overlap."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import GoldSpan


def without_overlaps(spans: Sequence[GoldSpan]) -> list[GoldSpan]:
    """The spans of greatest total logit of their confidence that do not overlap, in order.

    A span that is as likely wrong as right adds next to nothing, but is kept where there is room.
    """
    ordered = sorted(spans, key=lambda span: (span.end, span.start, span.category))
    ends = [span.end for span in ordered]
    # best[i]: the greatest weight of the first i spans, and how many spans it takes.
    best: list[tuple[float, int]] = [(0.0, 0)]
    taken: list[int] = []
    for at, span in enumerate(ordered):
        before = bisect_right(ends, span.start, 0, at)
        with_it = (best[before][0] + _weight(span), best[before][1] + 1)
        taken.append(before if with_it > best[-1] else -1)
        best.append(max(with_it, best[-1]))
    kept = []
    at = len(ordered)
    while at:
        if taken[at - 1] >= 0:
            kept.append(ordered[at - 1])
            at = taken[at - 1]
        else:
            at -= 1
    return kept[::-1]


def _weight(span: GoldSpan) -> float:
    p = min(max(span.confidence, 0.5 + 1e-6), 1 - 1e-9)
    return round(math.log(p / (1 - p)), 9)
