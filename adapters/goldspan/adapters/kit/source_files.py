"""Source files: those a value was read from, found again by task when it is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.kit.naming import spelled

if TYPE_CHECKING:
    from goldspan.engine.model import Continuum


@dataclass(frozen=True, slots=True)
class SourceFiles:
    """Files by their own path, and by every name their task can have been read under."""

    paths: Mapping[Path, Path] = field(default_factory=dict)
    names: Mapping[str, Path] = field(default_factory=dict)

    @classmethod
    def of(cls, files: Iterable[tuple[Path, Iterable[str]]]) -> SourceFiles:
        """Files with the names of their tasks; the first of a name has it."""
        paths: dict[Path, Path] = {}
        names: dict[str, Path] = {}
        for file, tasks in files:
            paths[file.resolve()] = file
            for task in tasks:
                names.setdefault(spelled(task), file)
        return cls(paths, names)

    def of_task(self, continuum: Continuum) -> Path | None:
        """The file of this task, the first by name when each annotator has one."""
        # A unit says where it was read, whatever the task was called: a path, a colon, a line.
        read = {unit.source.rpartition(":")[0] for unit in continuum.units}
        own = sorted({Path(path).resolve() for path in read if path} & self.paths.keys())
        return self.paths[own[0]] if own else self.names.get(continuum.id)
