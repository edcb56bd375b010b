"""The EAF files a value was read from, found again by task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from goldspan.adapters.adapter import Paths
from goldspan.adapters.elan.document import TASK, Eaf, read_eaf
from goldspan.adapters.standoff import mark_files
from goldspan.engine.model import Continuum

SUFFIX = ".eaf"


@dataclass(frozen=True, slots=True)
class Sources:
    """Files by their own path, and by every name their task can have been read under."""

    paths: Mapping[Path, Path] = field(default_factory=dict)
    names: Mapping[str, Path] = field(default_factory=dict)

    @classmethod
    def of(cls, paths: Paths) -> Sources:
        files = [file for given in paths for file in mark_files(given, SUFFIX)]
        names: dict[str, Path] = {}
        for file in files:
            eaf = read_eaf(file)
            for name in (eaf.properties.get(TASK), eaf.recording, file.stem):
                if name:
                    names.setdefault(name, file)
        return cls({file.resolve(): file for file in files}, names)

    def of_task(self, continuum: Continuum) -> Eaf | None:
        """The file of this task, the first by name when each annotator has one."""
        # A unit says where it was read, whatever the task was called.
        read = {unit.source.rpartition(":")[0] for unit in continuum.units}
        own = sorted({Path(path).resolve() for path in read if path} & self.paths.keys())
        path = self.paths[own[0]] if own else self.names.get(continuum.id)
        return None if path is None else read_eaf(path)
