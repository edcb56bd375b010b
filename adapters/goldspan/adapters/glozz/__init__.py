"""Glozz: .ac texts and .aa marks side by side, a folder for each annotator."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.adapter import Adapter, Notes, Paths, ReadOptions, WriteOptions
from goldspan.adapters.files.text_file import head

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus


class GlozzAdapter(Adapter):
    """The Glozz annotation platform's files."""

    name = "glozz"
    summary = ".ac and .aa; categories are types or features (--category-from)"
    annotators = "a folder each, never the author in the file; or --annotator-from"
    presence = "an .aa file is seen, none is unseen"
    extra = "glozz"
    holds_scale = False
    suffixes = (".aa",)

    def sniff(self, path: Path) -> bool:
        """A folder or file with .aa files whose root element is Glozz's."""
        from goldspan.adapters.glozz.reader import SUFFIXES
        from goldspan.adapters.kit.standoff import mark_files

        files = mark_files(path, SUFFIXES.marks)
        return bool(files) and all("<annotations" in head(file) for file in files[:8])

    def read(self, paths: Paths, options: ReadOptions) -> Corpus:
        """Every unit but paragraphs, which are layout."""
        from goldspan.adapters.glozz.reader import read_glozz

        return read_glozz(paths, options)

    def write(self, value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
        """A folder for each annotator; gold is one folder, with its confidence as features."""
        from goldspan.adapters.glozz.writer import write_glozz

        return write_glozz(value, path, options)
