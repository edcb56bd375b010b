"""Annotator page: one annotator's work beside the others', to read and to print as feedback."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from goldspan.plugin.report.wording import many, number
from goldspan.plugin.service.annotators import FILE, agreement, page_name
from goldspan.plugin.service.pages import RESULT

if TYPE_CHECKING:
    from goldspan.plugin.service.archive import Archive
    from goldspan.plugin.service.history import Project

SMALLEST_HABIT = {"character": 0.25, "millisecond": 20.0}
"""A smaller mean shift is not called a habit; other measures have half a step."""


@dataclass(frozen=True, slots=True)
class AnnotatorPage:
    """What the page shows: the facts of the last sync, and agreement in it and in each round."""

    facts: Mapping[str, Any]
    now: Mapping[str, Any]
    rounds: tuple[tuple[int, Mapping[str, Any]], ...]

    @property
    def habits(self) -> list[str]:
        """Boundary habits in words."""
        return habits(self.facts["boundaries"])


def annotators(archive: Archive, project: int) -> tuple[Mapping[str, Any], ...]:
    """The facts of a project's annotators, by name."""
    return tuple(_read(archive, project, FILE) or ())


def annotator_page(archive: Archive, project: Project, called: str) -> AnnotatorPage | None:
    """The page of this name (see `page_name`)."""
    found = annotators(archive, project.id)
    facts = next((one for one in found if page_name(str(one["name"])) == called), None)
    if facts is None:
        return None
    name = str(facts["name"])
    rounds = []
    for scored in project.rounds:
        path = archive.round(project.id, scored.file)
        if path is not None:
            said = agreement(json.loads(path.read_text(encoding="utf-8")), name)
            if said["mean"] is not None or said["settled"] is not None:
                rounds.append((scored.number, said))
    now = agreement(_read(archive, project.id, RESULT) or {}, name)
    return AnnotatorPage(facts, now, tuple(rounds))


def habits(boundaries: Mapping[str, Any]) -> list[str]:
    """What is usual on average, such as “starts 2.0 characters early”."""
    measure = str(boundaries["measure"])
    least = SMALLEST_HABIT.get(measure, 0.5)
    said = []
    for side, verb in (("start", "starts"), ("end", "ends")):
        shift = boundaries[side]
        if shift is not None and abs(shift) >= least:
            size = number(abs(shift), 1)
            steps = measure if size == "1.0" else f"{measure}s"
            said.append(f"{verb} {size} {steps} {'early' if shift < 0 else 'late'}")
    return said


def duration(seconds: float) -> str:
    """A time in words, to the second below two minutes."""
    return many(round(seconds), "second") if seconds < 120 else many(round(seconds / 60), "minute")


def _read(archive: Archive, project: int, name: str) -> Any:
    try:
        return json.loads(archive.place(project, name).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
