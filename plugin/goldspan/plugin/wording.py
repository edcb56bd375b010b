"""Wording: the sentences for what the service and the platforms did or saw, each in one place.

A note carries a kind and parameters, and becomes words only here. Nothing decides by these words:
change them freely.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldspan.engine.wording import Words

WORDS: dict[str, Words] = {
    "result_kept": (
        "measuring was cut short (--seconds, --max-seconds) and nobody has annotated since the "
        "last time, so the project keeps what it says"
    ),
    # Planning a sync.
    "truth_outdated": "ground truth of goldspan's that is out of date (--ground-truth renews it)",
    "truth_waits": "tasks that wait for annotators, without ground truth yet",
    "truth_settled": "tasks where a person settled the ground truth, left as they are",
    "field_taken": (
        "tasks whose data has a field of your own called {names}, left without columns; give the "
        "field another name"
    ),
    "column_taken": (
        "tasks whose data has a field of your own called {names}, left without the column of that "
        "coefficient; give the field another name"
    ),
    "label_unknown": (
        "suggested spans with the label '{label}', which the labelling configuration does not "
        "have, not written (--rename-labels gives it its new name)"
    ),
    # Reading and writing a project.
    "accounts_deleted": "annotations of deleted accounts left out",
    "tasks_deleted": "tasks deleted in the meantime, skipped",
    "suggestions_refused": (
        "suggestions that Label Studio refuses, of the tasks {tasks}; does the labelling "
        "configuration still fit the annotations?"
    ),
    # Undoing.
    "model_connected": "the model is still connected; disconnect it under Settings > Model",
    "settings_elsewhere": (
        "settings that setup changed under the address {address} stay; give that as --url to put "
        "them back"
    ),
    "settings_unknown": (
        "if setup changed the project's settings, this folder does not know how they were; give "
        "the --folder that setup ran with"
    ),
    "columns_listed": (
        "Label Studio still lists {columns}, now empty, because it counts columns wrongly; hide "
        "them under Columns"
    ),
    "written_again": (
        "goldspan's data is in the project again: a service with another folder wrote it, or a "
        "sync; press “Forget” on that service's dashboard, and undo again"
    ),
    "no_longer_monitored": "the service no longer monitors the project",
    "other_service": (
        "a service with another folder would write again: press “Forget” on its dashboard"
    ),
    "suggestions_emptied": (
        "suggestions that annotations started from stay, without spans, because removing them "
        "would change these annotations; to remove them, delete the annotations and undo again"
    ),
    "truth_changed": "ground truth that a person changed since, kept",
    "tab_changed": "the tab “{title}” has filters of your own, kept",
}
"""For each `PlatformFact`, by its code."""
