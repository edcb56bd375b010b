"""Reading datasets: rows of one task together, by annotators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from goldspan.adapters.huggingface.rows import Columns
from goldspan.adapters.huggingface.table import SUFFIXES, Table, open_table, table_files
from goldspan.adapters.kit.draft import Draft
from goldspan.adapters.kit.naming import ANNOTATOR_FROM, Naming
from goldspan.engine.errors import InputError
from goldspan.engine.model import Corpus, Measure, Presence

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Paths, ReadOptions
    from goldspan.adapters.kit.task_draft import TaskDraft


def read_tables(paths: Paths, options: ReadOptions) -> Corpus:
    """Every span a unit; rows of one id are one task."""
    files = [file for given in paths for file in table_files(given)]
    if not files:
        raise InputError(f"there is no {' or '.join(SUFFIXES)} file here", where=str(paths[0]))
    reading = _Reading(Draft(options))
    for file in files:
        reading.read(open_table(file))
    reading.finish()
    return reading.draft.corpus()


@dataclass(slots=True)
class _Reading:
    """One reading of many files."""

    draft: Draft
    by_text: dict[str, str] = field(default_factory=dict)
    everyone: set[str] = field(default_factory=set)
    met: set[tuple[str, str]] = field(default_factory=set)

    def read(self, table: Table) -> None:
        """Add every row of a file."""
        source = self.draft.options.annotator_from or ""
        by_name = source in ("file", "dir") or "{" in source
        owner = Naming(source).read(table.path.resolve())[0] if by_name else ""
        columns = Columns.of(table, self.draft.options.layers, "" if by_name else source)
        for number, row in enumerate(table.rows, start=1):
            self._row(columns, row, owner, f"{table.path}, row {number}")

    def finish(self) -> None:
        """An annotator who has no row of a task did not see it."""
        for task in self.draft.tasks.values():
            for name in self.everyone - task.presences.keys():
                task.saw(name, Presence.UNSEEN)

    def _row(self, columns: Columns, row: Mapping[str, Any], owner: str, where: str) -> None:
        text = row.get(columns.text) if columns.text else None
        if text is not None and not isinstance(text, str):
            raise InputError(f"'{columns.text}' is not a text", where=where)
        task = self._task(columns, row, text, where)
        if text is not None and task.text is None:
            task.text = text
        _take_measures(task, row, where)
        given = owner or row.get(columns.annotator) if columns.annotator or owner else None
        name = "" if given is None else str(given)
        marked = {name} - {""}
        for span in columns.read(row, where):
            marker = name or span.annotator
            if not marker:
                raise InputError(
                    "nothing says who marked the spans; --annotator-from COLUMN, or file, dir or a "
                    "pattern such as '{annotator}.parquet'",
                    where=where,
                    choices={ANNOTATOR_FROM: ()},
                )
            task.span(marker, span.start, span.end, span.label, where)
            marked.add(marker)
        state = _presence(row, where)
        for marker in marked:
            if marker in task.texts and name:
                raise InputError(
                    f"'{marker}' has the task '{task.id}' twice; keep one", where=where
                )
            task.saw(marker, state)
            if text is not None:
                task.read_by(marker, text)
        self.everyone |= marked

    def _task(
        self, columns: Columns, row: Mapping[str, Any], text: str | None, where: str
    ) -> TaskDraft:
        """By its id; without one, the same text is the same task."""
        given = row.get(columns.task) if columns.task else None
        if given is not None:
            return self.draft.task(str(given))
        if text is None:
            raise InputError("the row has neither an id nor a text", where=where)
        return self.draft.task(self.by_text.setdefault(text, f"text {len(self.by_text) + 1}"))


def _take_measures(task: TaskDraft, row: Mapping[str, Any], where: str) -> None:
    """What our own writer adds: measure, length and medium."""
    measure, length, media = (row.get(key) for key in ("measure", "length", "media"))
    if isinstance(measure, str):
        if measure not in set(Measure):
            raise InputError(f"'{measure}' is not a measure", where=where)
        task.measure = Measure(measure)
    if isinstance(length, (int, float)) and not isinstance(length, bool):
        task.length = length
    if isinstance(media, str):
        task.media = media


def _presence(row: Mapping[str, Any], where: str) -> Presence:
    given = row.get("presence")
    if given is None:
        return Presence.DONE
    if given not in set(Presence):
        raise InputError(f"'{given}' is not one of {', '.join(Presence)}", where=where)
    return Presence(given)
