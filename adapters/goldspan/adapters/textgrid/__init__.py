"""Praat: TextGrid files, a tier or a file for each annotator."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.adapter import Adapter, Notes, Paths, ReadOptions, WriteOptions
from goldspan.adapters.files.text_file import head

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus


class TextGridAdapter(Adapter):
    """Praat's TextGrid files."""

    name = "textgrid"
    summary = "Praat's TextGrid, long or short text; categories are labels or tiers"
    annotators = "--annotator-from tier, 'tier:PATTERN', file, dir or a pattern"
    presence = "a tier of empty intervals is seen, none is unseen; all tiers empty is not begun"
    holds_scale = False
    suffixes = (".textgrid",)

    def sniff(self, path: Path) -> bool:
        """A .TextGrid file, or a folder of them, that begins as Praat's text files do."""
        from goldspan.adapters.kit.standoff import mark_files
        from goldspan.adapters.textgrid.reader import SUFFIX

        files = mark_files(path, SUFFIX)
        return bool(files) and all(_looks_right(file) for file in files[:8])

    def read(self, paths: Paths, options: ReadOptions) -> Corpus:
        """Every interval with a label a unit, in milliseconds."""
        from goldspan.adapters.textgrid.reader import read_textgrids

        return read_textgrids(paths, options)

    def write(self, value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
        """A tier for each annotator; gold is two tiers more in a copy of the source's tiers."""
        from goldspan.adapters.textgrid.writer import write_textgrids

        return write_textgrids(value, path, options)


def _looks_right(path: Path) -> bool:
    start = head(path, 200)
    return "ooTextFile" in start and "TextGrid" in start
