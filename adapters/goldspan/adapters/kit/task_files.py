"""Task files: a file for each task in a new folder, or the one file of the only task."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.files.atomic import new_file, new_folder
from goldspan.adapters.files.file_names import FileNames
from goldspan.adapters.kit.assignments import (
    assignment_rows,
    assignments_note,
    tells_more,
    with_assignments,
    write_assignments,
)
from goldspan.engine.errors import SettingsError
from goldspan.engine.gold.gold import Gold

if TYPE_CHECKING:
    from goldspan.adapters.adapter import WriteOptions
    from goldspan.engine.facts import Note
    from goldspan.engine.model import Corpus


@dataclass(slots=True)
class TaskFiles:
    """Where to write each task; `notes` are complete when the block is over."""

    place: Path
    suffix: str
    names: FileNames | None
    notes: list[Note] = field(default_factory=list)

    def of(self, task: str) -> Path:
        """The file of this task; its folder is there."""
        if self.names is None:
            return self.place
        path = self.place / f"{self.names[task]}{self.suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


@contextmanager
def task_files(
    value: Corpus | Gold,
    path: Path,
    suffix: str,
    options: WriteOptions,
    *,
    inside: bool = False,
) -> Iterator[TaskFiles]:
    """Files that appear when the block ends well: in the folder `path`, or at `path` itself when
    its name has the suffix and there is one task.

    `inside` says that files hold the task's id themselves, so that their names do not matter.
    A table of assignments goes with a corpus whose presences the files cannot tell.
    """
    corpus = value.corpus if isinstance(value, Gold) else value
    table = not isinstance(value, Gold) and tells_more(corpus)
    if path.suffix.lower() != suffix.lower():
        names = FileNames((continuum.id for continuum in corpus.continua), folders=inside)
        with new_folder(path, replace=options.replace) as folder:
            files = TaskFiles(folder, suffix, names, [] if inside else [*names.notes])
            yield files
            if table:
                rows = assignment_rows(corpus)
                known = ((t if inside else names[t], name, state) for t, name, state in rows)
                write_assignments(known, folder / "assignments.csv")
                files.notes.append(assignments_note(path / "assignments.csv"))
    else:
        if len(corpus.continua) != 1:
            raise SettingsError(
                f"{path} can hold one task, and there are {len(corpus.continua)}; name a folder"
            )
        states = assignment_rows(corpus) if table else ()
        known = ((t if inside else path.stem, name, state) for t, name, state in states)
        with with_assignments(path, known, options) as told, new_file(path) as file:
            files = TaskFiles(file, suffix, None, [*told])
            yield files
