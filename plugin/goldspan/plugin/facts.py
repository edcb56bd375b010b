"""Facts of platforms: what the service and the platforms did or saw that a person should know.

`wording` has the words for each. A platform of another package writes its own sentence:
`Note.of("a sentence")`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from goldspan.engine.facts import Kind
from goldspan.plugin.wording import WORDS

if TYPE_CHECKING:
    from goldspan.engine.wording import Words


class PlatformFact(Kind):
    """What a sync or undoing it did or saw."""

    RESULT_KEPT = "result_kept"
    # Planning a sync.
    TRUTH_OUTDATED = "truth_outdated"
    TRUTH_WAITS = "truth_waits"
    TRUTH_SETTLED = "truth_settled"
    FIELD_TAKEN = "field_taken", "names"
    COLUMN_TAKEN = "column_taken", "names"
    LABEL_UNKNOWN = "label_unknown", "label"
    # Reading and writing a project.
    ACCOUNTS_DELETED = "accounts_deleted"
    TASKS_DELETED = "tasks_deleted"
    SUGGESTIONS_REFUSED = "suggestions_refused", "tasks"
    # Undoing.
    MODEL_CONNECTED = "model_connected"
    SETTINGS_ELSEWHERE = "settings_elsewhere", "address"
    SETTINGS_UNKNOWN = "settings_unknown"
    COLUMNS_LISTED = "columns_listed", "columns"
    WRITTEN_AGAIN = "written_again"
    NO_LONGER_MONITORED = "no_longer_monitored"
    OTHER_SERVICE = "other_service"
    SUGGESTIONS_EMPTIED = "suggestions_emptied"
    TRUTH_CHANGED = "truth_changed"
    TAB_CHANGED = "tab_changed", "title"

    @classmethod
    def table(cls) -> Mapping[str, Words]:
        return WORDS
