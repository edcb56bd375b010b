"""Options that only this format has."""

from __future__ import annotations

from goldspan.adapters.options import Option

TASK_FROM: Option[str | None] = Option(
    "task_from",
    "where tasks' names come from: a column, file if all rows of a file are one task, or a "
    "pattern such as '{task}_*.csv'",
    default=None,
    metavar="SOURCE",
)
