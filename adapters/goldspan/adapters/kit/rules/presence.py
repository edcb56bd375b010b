"""Presence: who worked on a task, from the files, the options and a table of assignments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from goldspan.engine.errors import InputError
from goldspan.engine.model import Presence, Unit

if TYPE_CHECKING:
    from goldspan.adapters.kit.task_draft import TaskDraft
    from goldspan.adapters.options import ReadOptions

WORK = (
    Presence.DONE, Presence.EMPTY, Presence.PARTIAL, Presence.SKIPPED, Presence.UNKNOWN,
    Presence.UNSEEN,
)  # fmt: skip
"""Presences, from the most work to the least."""

OPEN = (Presence.DONE, Presence.EMPTY, Presence.UNKNOWN)
"""What files say of an annotator without spans that a table of assignments decides."""


def presences(
    task: TaskDraft, markers: set[str], assigned: Mapping[str, Presence], options: ReadOptions
) -> dict[str, Presence]:
    """Everybody concerned with a task; `markers` are those who marked something in it.

    A table of assignments is complete: an annotator whom it does not list for the task, and who
    marked nothing there, has not seen it.
    """
    done = Presence.DONE
    worked = [done, Presence.EMPTY]
    if options.include_partial:
        worked.append(Presence.PARTIAL)
    # An annotator who marked a span was there, even if the span has no length and is dropped.
    states = dict.fromkeys((*filter(None, markers), *task.texts), done) | task.presences
    for name, state in states.items():
        if state in worked:
            states[name] = done
    if options.empty == "unseen":
        idle = {name for name, state in states.items() if state is done} - markers
        states.update(dict.fromkeys(idle, Presence.UNSEEN))
    if options.assignments is not None:
        unlisted = {name for name, state in states.items() if state in OPEN}
        unlisted.difference_update(markers, assigned)
        states.update(dict.fromkeys(unlisted, Presence.UNSEEN))
    states.update(assigned)
    return states


def unlisted_spans(
    spans: Iterable[tuple[object, ...]], assigned: Mapping[str, Presence], options: ReadOptions
) -> int:
    """How many spans are of annotators whom the table of assignments does not list for the task."""
    if options.assignments is None:
        return 0
    return sum(span[0] not in assigned for span in spans)


def idle(assigned: Mapping[str, Presence]) -> set[str]:
    """Those who did not work on a task, as an assignments file says."""
    return {n for n, s in assigned.items() if s in (Presence.UNSEEN, Presence.SKIPPED)}


def refuse_empty(
    task: str, units: Iterable[Unit], assigned: Mapping[str, Presence], table: object
) -> None:
    """Refuse an annotator with spans who is said to have marked nothing."""
    nothing = {name for name, state in assigned.items() if state is Presence.EMPTY}
    for unit in units if nothing else ():
        if unit.annotator in nothing:
            raise InputError(
                f"'{unit.annotator}' is said to have marked nothing in '{task}' but has spans "
                "there; write done",
                where=str(table),
            )
