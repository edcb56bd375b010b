"""Overview: how much gold there is, and the gold of the few tasks that a report shows.

The gold of a corpus of 100,000 tasks takes as much memory as the corpus itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldspan.engine.facts import Note
    from goldspan.engine.gold.gold import Decision, GoldSpan


@dataclass(frozen=True, slots=True)
class GoldOverview:
    """`n_spans` and `n_decisions` count over all tasks; `spans` and `decisions` are those of the
    tasks that are shown, by task id. `calibrated` and `notes` are as in `Gold`.
    """

    n_spans: int
    n_decisions: int
    spans: Mapping[str, tuple[GoldSpan, ...]]
    decisions: Mapping[str, tuple[Decision, ...]]
    notes: tuple[Note, ...]
    calibrated: bool = False
