"""CATMA: annotation collections exported as TEI, which point into a text beside them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.adapter import Adapter, Paths, ReadOptions
from goldspan.adapters.files.text_file import head
from goldspan.adapters.options import FRAGMENTS

if TYPE_CHECKING:
    from goldspan.engine.model import Corpus


class CatmaAdapter(Adapter):
    """TEI files of annotation collections."""

    name = "catma"
    summary = "TEI of annotation collections, with the text as .txt beside it"
    annotators = "the author of each annotation; or --annotator-from file, dir, a pattern"
    presence = "a collection for a document is seen, without one it is unseen"
    writes = False
    extra = "catma"
    suffixes = (".xml",)
    reading_options = (FRAGMENTS,)

    def sniff(self, path: Path) -> bool:
        """A TEI file that CATMA wrote, or a folder of such files."""
        from goldspan.adapters.catma.collection import collection_files

        files = collection_files(path)
        return bool(files) and all(_looks_right(file) for file in files[:8])

    def read(self, paths: Paths, options: ReadOptions) -> Corpus:
        """Every annotation a unit."""
        from goldspan.adapters.catma.reader import read_catma

        return read_catma(paths, options)


def _looks_right(path: Path) -> bool:
    text = head(path)
    return "<TEI" in text and "CATMA_" in text
