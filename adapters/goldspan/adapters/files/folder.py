"""Folders: the files below one, without what tools hide in it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

FOREIGN = "__MACOSX"
"""Where a Mac packs what it knows of the files beside."""


def files_below(path: Path, suffixes: Iterable[str] = ()) -> list[Path]:
    """The files in the folder and below, sorted; of these suffixes, in any case, where given.

    Hidden files and folders are skipped: editors keep older copies of the same files there,
    which would count as more annotations. A folder that may not be read is an error, because
    an annotator may be in it.
    """
    wanted = {suffix.lower() for suffix in suffixes}
    found: list[Path] = []
    for place, folders, names in os.walk(path, onerror=_fail, followlinks=False):
        folders[:] = [name for name in folders if not is_hidden(name)]
        files = (Path(place, name) for name in names if not is_hidden(name))
        found.extend(f for f in files if not wanted or f.suffix.lower() in wanted)
    return sorted(file for file in found if file.is_file())


def is_hidden(name: str) -> bool:
    """Whether a file or folder of this name is skipped."""
    return name.startswith(".") or name == FOREIGN


def _fail(error: OSError) -> NoReturn:
    raise error
