"""State: everything that a person has chosen on the page. A link holds it, and a command repeats
it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, cast

import msgspec

from goldspan.adapters.options import ReadOptions
from goldspan.engine.dissimilarity import Distances, Table
from goldspan.engine.settings import Settings
from goldspan.plugin.measurement import MeasureRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMAT = "--from"
SHARED = {
    "--annotator-from": "annotator_from",
    "--category-from": "category_from",
    "--unlabelled": "unlabelled",
}
"""Answers that every format has an option for."""

LAYER = "--layer"
PRESENCE = "--empty"

Presence: TypeAlias = Literal["", "seen", "unseen"]


class Matrix(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Distances between labels."""

    categories: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]


class State(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to read and how to measure it.

    data      the files, by the name that the server gave them
    answers   values of options that the files left open, by option
    left_out  annotators that do not count; left_out_labels and left_out_tasks likewise
    """

    data: str = ""
    answers: dict[str, str] = msgspec.field(default_factory=dict)
    trim: bool = False
    join_touching: bool = False
    empty: Presence = ""
    left_out: tuple[str, ...] = ()
    left_out_labels: tuple[str, ...] = ()
    left_out_tasks: tuple[str, ...] = ()
    alpha: float = 1.0
    beta: float = 1.0
    chance: str = "auto"
    precision: float = 0.02
    coefficients: tuple[str, ...] = ()
    distances: Matrix | None = None

    @property
    def format(self) -> str:
        """The format that was chosen; empty if it is to be detected."""
        return self.answers.get(FORMAT, "")

    def reading(self, more: Mapping[str, str] | None = None) -> ReadOptions:
        """How to read; `more` are answers that are only tried."""
        answers = {**self.answers, **(more or {})}
        answers.pop(FORMAT, "")
        layer, presence = answers.pop(LAYER, ""), answers.pop(PRESENCE, "")
        shared = {name: answers.pop(flag) for flag, name in SHARED.items() if answers.get(flag)}
        own = {flag.removeprefix("--").replace("-", "_"): v for flag, v in answers.items() if v}
        return ReadOptions(
            annotator_from=shared.get("annotator_from"),
            category_from=shared.get("category_from"),
            unlabelled=shared.get("unlabelled"),
            layers=(layer,) if layer else (),
            exclude_annotators=self.left_out,
            exclude_labels=self.left_out_labels,
            exclude_tasks=self.left_out_tasks,
            trim=self.trim,
            empty=self.empty or cast("Presence", presence) or None,
            join_touching=self.join_touching,
            own=own,
        )

    def measuring(self) -> MeasureRequest:
        """How to measure."""
        settings = Settings.of(
            alpha=self.alpha,
            beta=self.beta,
            distances=self._distances(),
            chance=self.chance,
            precision=self.precision,
        )
        return MeasureRequest(settings, coefficients=self.coefficients)

    def _distances(self) -> Distances | None:
        if self.distances is None:
            return None
        return Table(self.distances.categories, self.distances.rows)
