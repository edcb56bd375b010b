"""Remaining: how long a run will still take, as far as it can be known.

A run reports steps: it aligns tasks, draws chance samples, compares annotators; the steps inside of
a comparison are reported between its own reports. How many there will be of these is known, so the
estimate is for all of them once one is done. Before that it is for the step alone, and says so.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

WINDOW_SECONDS = 30.0
"""The pace is that of the last seconds: finished work that was only loaded is soon forgotten."""

LEAST_SECONDS = 2.0
"""So much work has to be seen before an estimate is made."""

WHOLE_STEPS = ("comparing annotators", "comparing with the reference")
"""Steps that have the others inside."""


class Remaining:
    """Estimates from the pace of what was reported."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._step = ""
        self._paces: dict[str, deque[tuple[float, int]]] = {}
        self._whole: tuple[str, int, int] | None = None

    def estimate(self, what: str, done: int, total: int) -> str:
        """What is left after this report, in words; nothing where nobody can know."""
        if what in WHOLE_STEPS:
            self._whole = what, done, total
        elif what != self._step:
            self._step = what
            self._paces.pop(what, None)
        seen = self._paces.setdefault(what, deque())
        if seen and done < seen[-1][1]:
            seen.clear()
        seen.append((self._clock(), done))
        # The comparisons are few and long: of these all are the pace.
        while what not in WHOLE_STEPS and seen[-1][0] - seen[1 % len(seen)][0] > WINDOW_SECONDS:
            seen.popleft()
        if self._whole is not None:
            name, known, last = self._whole
            left = self._seconds(name, known, last)
            return "" if left is None else f"about {_in_words(left)} left"
        left = self._seconds(what, done, total)
        return "" if left is None else f"about {_in_words(left)} left in this step"

    def _seconds(self, what: str, done: int, total: int) -> float | None:
        seen = self._paces[what]
        began, first = seen[0]
        passed = self._clock() - began
        if done <= first or passed < LEAST_SECONDS:
            return None
        reported = seen[-1][0]
        pace = (reported - began) / (done - first)
        return max(0.0, pace * (total - done) - (self._clock() - reported))


def _in_words(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"
