"""ELAN: EAF files, one for all annotators or one for each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.adapter import Adapter, Notes, Paths, ReadOptions, WriteOptions
from goldspan.adapters.elan.options import INCLUDE_INFERRED
from goldspan.adapters.files.text_file import head

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus


class ElanAdapter(Adapter):
    """The EUDICO Linguistic Annotator's files."""

    name = "elan"
    summary = "EAF; categories are values, tiers or referring tiers (--category-from)"
    annotators = "ANNOTATOR of the tiers; or --annotator-from tier, 'tier:PATTERN', file, dir"
    presence = "an empty tier is seen, none is unseen; a file without annotations is not begun"
    extra = "elan"
    holds_scale = False
    reading_options = (INCLUDE_INFERRED,)
    suffixes = (".eaf",)

    def sniff(self, path: Path) -> bool:
        """An .eaf file, or a folder of them, with the root element of EAF."""
        from goldspan.adapters.elan.sources import SUFFIX
        from goldspan.adapters.kit.standoff import mark_files

        files = mark_files(path, SUFFIX)
        return bool(files) and all("<ANNOTATION_DOCUMENT" in head(file) for file in files[:8])

    def read(self, paths: Paths, options: ReadOptions) -> Corpus:
        """Every time-aligned annotation a unit, in milliseconds."""
        from goldspan.adapters.elan.reader import read_elan

        return read_elan(paths, options)

    def write(self, value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
        """A tier for each annotator; gold is a tier more in a copy of the source file."""
        from goldspan.adapters.elan.writer import write_elan

        return write_elan(value, path, options)
