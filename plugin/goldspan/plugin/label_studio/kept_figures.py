"""Kept figures: what a task keeps as it is, because it changed by less than it is known.

Every figure that is corrected for chance changes a little when somebody annotates another task,
and so does every confidence. Written each time, one annotation would change the whole project.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from json import loads
from typing import TYPE_CHECKING, Any

from goldspan.adapters.kit.roundtrip import KEY
from goldspan.plugin.label_studio.columns import DIGITS, RESERVED, Columns, beside

if TYPE_CHECKING:
    from goldspan.adapters.files.json_stream import Json
    from goldspan.plugin.label_studio.snapshot import Snapshot


CONFIDENCE_PRECISION = 0.05
"""Confidences are learned from the whole project, and are right to about so much."""

DECIMAL = re.compile(r"\b\d+\.\d+\b")
"""A confidence in a text. Positions are whole numbers."""


@dataclass(slots=True)
class KeptFigures:
    """Which tasks of a snapshot keep their figures. `changed` are those whose suggestion does not:
    somebody worked on them, and all they have is written as it is now.
    """

    snapshot: Snapshot
    precision: float
    changed: set[int] = field(default_factory=set)

    def suggestion(self, wanted: Json, columns: Columns) -> Json:
        """The stored prediction if it and the columns differ by no more than the precision, else
        the wanted one.
        """
        task = wanted["task"]
        asked = beside(columns, self.snapshot.own_fields.get(task, ()))
        stored = self.snapshot.suggestions.get(task, [])
        same = task in self.snapshot.taken or self.keeps_columns(task, asked)
        if same and len(stored) == 1 and stored[0].text:
            said = loads(stored[0].text)
            if is_suggestion_kept(said, wanted, self.precision):
                return wanted | {key: value for key, value in said.items() if value is not None}
        self.changed.add(task)
        return wanted

    def keeps_columns(self, task: int, asked: Columns) -> bool:
        """Whether the stored columns differ by no more than the precision."""
        stored = self.snapshot.columns.get(task, {})
        return task not in self.changed and are_columns_kept(stored, asked, self.precision)


def are_columns_kept(stored: Columns, wanted: Columns, precision: float) -> bool:
    """Whether a task has the same columns and its figures are as they were, within the relative
    precision of the expected disorder.
    """
    if stored.keys() != wanted.keys():
        return False
    return all(
        stored[name] == value
        or (name not in RESERVED and _is_close(stored[name], value, precision))
        for name, value in wanted.items()
    )


def is_suggestion_kept(stored: Json, wanted: Json, precision: float) -> bool:
    """Whether a stored prediction suggests the same, by the same votes, with the same confidences
    and score, each within its precision.
    """
    scores = stored.get("score"), wanted.get("score")
    if (scores[0] is None) != (scores[1] is None):
        return False
    if scores[0] is not None and not _is_close(*scores, precision):
        return False
    if list(map(_without_confidence, stored["result"])) != list(
        map(_without_confidence, wanted["result"])
    ):
        return False
    pairs = zip(_confidences(stored["result"]), _confidences(wanted["result"]), strict=True)
    return all(abs(before - after) <= CONFIDENCE_PRECISION for before, after in pairs)


def _is_close(before: float, after: float, precision: float) -> bool:
    """Whether two figures may be one. A figure is 1 - observed / expected. If each expected
    disorder is within `precision` of the truth, they are within twice that of one another, and so
    are the distances of the figures from 1. Both were rounded as well.
    """
    tolerance = 2 * precision * abs(1 - before) + 0.1**DIGITS
    return abs(before - after) <= tolerance + 1e-9


def _without_confidence(region: Mapping[str, Any]) -> Json:
    found = deepcopy({key: value for key, value in region.items() if key != "score"})
    meta = found.get("meta")
    if isinstance(meta, dict):
        if isinstance(meta.get(KEY), dict):
            meta[KEY].pop("confidence", None)
        if isinstance(meta.get("text"), list):
            meta["text"] = [DECIMAL.sub("", str(line)) for line in meta["text"]]
    return found


def _confidences(result: Sequence[Mapping[str, Any]]) -> Iterator[float]:
    return (float(region.get("score") or 0) for region in result)
