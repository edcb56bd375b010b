"""RTTM: who speaks when, a file for each annotator, with UEM for what was to be annotated."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.adapter import Adapter, Notes, Paths, ReadOptions, WriteOptions
from goldspan.adapters.files.text_file import head

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus


class RttmAdapter(Adapter):
    """Rich transcription time marks."""

    name = "rttm"
    summary = "RTTM with UEM; categories are speakers"
    annotators = "a file each; or --annotator-from dir or a pattern"
    presence = "a .uem file says it; without one, rows only (--assignments or --empty)"
    holds_scale = False
    suffixes = (".rttm",)

    def sniff(self, path: Path) -> bool:
        """An .rttm file, or a folder of them, whose first row has as many fields as RTTM."""
        from goldspan.adapters.kit.standoff import mark_files
        from goldspan.adapters.rttm.reader import RTTM

        files = mark_files(path, RTTM)
        return bool(files) and all(_looks_right(file) for file in files[:8])

    def read(self, paths: Paths, options: ReadOptions) -> Corpus:
        """Every SPEAKER row a unit, in milliseconds."""
        from goldspan.adapters.rttm.reader import read_rttm

        return read_rttm(paths, options)

    def write(self, value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
        """An .rttm and a .uem file for each annotator; gold is one, with its confidence."""
        from goldspan.adapters.rttm.writer import write_rttm

        return write_rttm(value, path, options)


def _looks_right(path: Path) -> bool:
    from goldspan.adapters.rttm.rows import COMMENT, FIELDS

    rows = [line for line in head(path).split("\n") if not line.startswith(COMMENT)]
    return not rows[0].strip() or len(rows[0].split()) in (len(FIELDS) - 1, len(FIELDS))
