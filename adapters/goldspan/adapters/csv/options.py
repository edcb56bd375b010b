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
START_FROM: Option[str | None] = Option(
    "start_from", "the column of starts, if it is not called start", default=None, metavar="COLUMN"
)
END_FROM: Option[str | None] = Option(
    "end_from", "the column of ends, if it is not called end", default=None, metavar="COLUMN"
)
LABEL_SEPARATOR: Option[str | None] = Option(
    "label_separator",
    "what stands between several labels in a cell, such as ';'",
    default=None,
    metavar="TEXT",
)
SHEET: Option[str | None] = Option(
    "sheet", "the sheet of .xlsx files to read", default=None, metavar="NAME"
)
OPTIONS = (TASK_FROM, START_FROM, END_FROM, LABEL_SEPARATOR, SHEET)
