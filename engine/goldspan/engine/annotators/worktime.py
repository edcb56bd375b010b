"""Work time: when an annotator did a task, and how long it took."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class WorkTime:
    """What is known of one annotator's work on one task; None where it is not.

    seconds  how long it took
    when     the time it was submitted, in seconds since 1970 (UTC)
    """

    seconds: float | None = None
    when: float | None = None


Times: TypeAlias = Mapping[tuple[str, str], WorkTime]
"""By task and annotator."""


def moment(text: str) -> float | None:
    """The seconds since 1970 of a time as ISO 8601 writes it; None if it is something else. A time
    without a zone is taken as UTC.
    """
    try:
        found = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
        return (found if found.tzinfo else found.replace(tzinfo=timezone.utc)).timestamp()
    except (ValueError, OverflowError):
        return None


def duration(value: object) -> float | None:
    """A number of seconds above 0; None if it is something else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if 0 < value < math.inf else None
