"""Refusals: what the log says once a minute, however often it happens."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

LOG = logging.getLogger("goldspan.service")
PAUSE = 60.0


@dataclass(frozen=True, slots=True)
class Refusals:
    """Who calls as often as they like must not fill the log."""

    clock: Callable[[], float] = time.monotonic
    told: dict[str, float] = field(default_factory=dict)

    def tell(self, sentence: str) -> None:
        """It has happened once more."""
        now = self.clock()
        if now - self.told.get(sentence, -math.inf) >= PAUSE:
            self.told[sentence] = now
            LOG.warning("%s", sentence)
