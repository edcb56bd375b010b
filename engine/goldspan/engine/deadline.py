"""Deadline: when a run has to come to an end."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

_LEAST_SECONDS = 0.001
"""What an alignment gets when the time is up: enough to return what it has."""


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
