"""Budget: how much work one alignment may still take, and when a run has to end.

Kernels count their steps, about a nanosecond each, and come back when a slice of them is used up.
A budget of steps ends the same way on every machine. Seconds are counted only where a limit is
set; without one no clock is looked at, and the same data give the same alignment every time.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

STEPS = 12_000_000_000
"""What an alignment may take in all: about twelve seconds."""

SLICE = 200_000_000
"""What a kernel may take before the clock is looked at: about a fifth of a second."""

_LEAST_SECONDS = 0.001
"""What an alignment gets when the time of a run is up: enough to return what it has."""

MOST_MEMBERS = 20_000_000
"""More units than this, over all clusters of a list, are not listed."""

UNLIMITED = 1 << 62
"""As many nodes of a search as a kernel can count."""


@dataclass(frozen=True, slots=True)
class Ascent:
    """The steps of an ascent, which many annotators get in addition: so many for each unit, but not
    more than `most`.
    """

    each: int
    most: int

    def steps(self, units: int) -> int:
        """Those that so many units may take."""
        return min(self.each * units, self.most)


OBSERVED = Ascent(40_000_000, 1_000_000_000_000)
"""About 25 milliseconds for each unit, and ten minutes at most."""

SAMPLED = Ascent(10_000_000, 20_000_000_000)
"""A quarter of that for a chance sample, because there are many, and half a minute at most."""


@dataclass(slots=True)
class Budget:
    """The steps left, and the moment at which time is up (None: there is no limit)."""

    steps: int = STEPS
    end: float | None = None
    clock: Callable[[], float] = time.monotonic

    @classmethod
    def of(
        cls, seconds: float | None, clock: Callable[[], float], steps: int | None = None
    ) -> Budget:
        """A budget that begins now, of all the steps that an alignment may take, or of fewer."""
        end = None if seconds is None else clock() + seconds
        return cls(STEPS if steps is None else steps, end, clock)

    @property
    def seconds(self) -> float | None:
        """The seconds left, None for no limit."""
        return None if self.end is None else self.end - self.clock()

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return self.steps <= 0 or (self.end is not None and self.end <= self.clock())

    @property
    def slice(self) -> int:
        """The steps that a kernel may take before it comes back."""
        return max(0, min(SLICE, self.steps))

    def charge(self, steps: int) -> None:
        """Take what was used."""
        self.steps -= steps

    def part(self, share: float) -> Budget:
        """A budget of its own with a share of what is left; what it uses is to be charged."""
        left = self.seconds
        end = None if left is None else self.clock() + share * left
        return Budget(int(share * self.steps), end, self.clock)


@dataclass(frozen=True, slots=True)
class Deadline:
    """The moment after which no more work begins; a value, so that it can travel to workers.

    It is a time of day, which all processes and machines of a cluster share.
    """

    end: float = math.inf

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        """So many seconds from now; without a number, never."""
        return cls() if seconds is None else cls(time.time() + seconds)

    @property
    def is_over(self) -> bool:
        return math.isfinite(self.end) and time.time() >= self.end

    def limit(self, seconds: float | None) -> float | None:
        """The time limit of one alignment: its own, or what is left if that is less."""
        if math.isinf(self.end):
            return seconds
        left = max(self.end - time.time(), _LEAST_SECONDS)
        return left if seconds is None else min(seconds, left)
