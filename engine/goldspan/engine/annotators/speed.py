"""Speed: how long annotators take for tasks, beside the others and over time."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from statistics import median
from typing import TYPE_CHECKING

from goldspan.engine.annotators.comparison import DRIFTS, halves, together
from goldspan.engine.annotators.estimates import Mean, change_of_means, mean
from goldspan.engine.annotators.matter import Matter
from goldspan.engine.annotators.profile import Drift, Speed

if TYPE_CHECKING:
    from goldspan.engine.annotators.worktime import Times


def speeds(times: Times, level: float) -> dict[str, Speed]:
    """The speed of everybody whose times are known."""
    by_task: dict[str, dict[str, float]] = defaultdict(dict)
    when: dict[str, dict[str, float]] = defaultdict(dict)
    for (task, name), one in sorted(times.items()):
        if one.seconds is not None:
            by_task[task][name] = one.seconds
        if one.when is not None:
            when[name][task] = one.when
    names = {name for known in by_task.values() for name in known}
    return {name: _speed(name, by_task, when[name], level) for name in sorted(names)}


def _speed(
    name: str,
    by_task: Mapping[str, Mapping[str, float]],
    when: Mapping[str, float],
    level: float,
) -> Speed:
    own = [known[name] for known in by_task.values() if name in known]
    ratios = {
        task: [math.log(known[name] / median(others))]
        for task, known in by_task.items()
        if name in known
        and (others := [seconds for other, seconds in known.items() if other != name])
    }
    return Speed(
        n_tasks=len(own),
        median=median(own),
        ratio=_ratio(mean(list(ratios.values()), level)),
        tasks_shared=len(ratios),
        drift=_drift(ratios, when, together(level, DRIFTS)),
    )


def _ratio(logs: Mean | None) -> Mean | None:
    if logs is None:
        return None
    low, high = (None if end is None else math.exp(end) for end in (logs.low, logs.high))
    return Mean(math.exp(logs.value), logs.n, low, high)


def _drift(
    ratios: Mapping[str, list[float]], when: Mapping[str, float], level: float
) -> Drift | None:
    """Of the ratio to the others, because later tasks may be longer."""
    found = halves({task: when[task] for task in ratios if task in when})
    if found is None:
        return None
    first, second = ([ratios[task] for task in sorted(half)] for half in found[:2])
    change = change_of_means(first, second, level)
    if change is None:
        return None
    return Drift(Matter.SECONDS, change, len(first) + len(second), found[2])
