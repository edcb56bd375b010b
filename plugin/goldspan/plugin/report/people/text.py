"""Text: annotators' profiles for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from goldspan.plugin.report.people.view import HEAD, LABEL_HEAD, PeopleView, view_people
from goldspan.plugin.report.text_table import text_table

if TYPE_CHECKING:
    from goldspan.engine.annotators.profile import AnnotatorProfiles

MOST_PEOPLE = 20
"""So many annotators are shown without --full."""


def people_text(profiles: AnnotatorProfiles, *, full: bool) -> str:
    """The annotators' figures, what to train, and what is for the guidelines."""
    view = view_people(profiles)
    return "\n".join(_lines(view, full=full))


def _lines(view: PeopleView, *, full: bool) -> Iterator[str]:
    shown = view.people if full else view.people[:MOST_PEOPLE]
    yield text_table([HEAD, *(row for one in shown for row in one.rows)])
    if len(shown) < len(view.people):
        yield f"… and {len(view.people) - len(shown)} more annotators; --full shows all."
    yield ""
    for one in shown:
        if one.habits:
            yield f"{one.person.name}:"
            yield from (f"  {said}" for said in one.habits)
    yield "\nTrain:"
    trained = [one for one in shown if one.advice]
    for one in trained:
        yield f"{one.person.name}:"
        yield from (f"  {said}" for said in one.advice)
    if not trained:
        yield "  nothing that one annotator does more often than the others was found"
    if view.everybody:
        yield "\nMost annotators, so a matter for the guidelines:"
        yield from (f"  {said}" for said in view.everybody)
    if full:
        for one in shown:
            if one.labels:
                yield f"\n{one.person.name} by label"
                yield text_table([LABEL_HEAD, *one.labels])
    yield ""
    yield from view.remarks
