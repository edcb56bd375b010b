"""The EAF files a value was read from, and the names their tasks may have had."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldspan.adapters.elan.document import TASK, read_eaf
from goldspan.adapters.kit.source_files import SourceFiles
from goldspan.adapters.kit.standoff import mark_files

if TYPE_CHECKING:
    from goldspan.adapters.adapter import Paths

SUFFIX = ".eaf"


def read_sources(paths: Paths) -> SourceFiles:
    """Every file under these paths, by what goldspan wrote in it, its recording and its name."""
    found = []
    for file in (file for given in paths for file in mark_files(given, SUFFIX)):
        eaf = read_eaf(file)
        names = (eaf.properties.get(TASK), eaf.recording, file.stem)
        found.append((file, [name for name in names if name]))
    return SourceFiles.of(found)
