"""brat standoff: .txt and .ann side by side, a folder for each annotator."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.adapter import Adapter, Notes, Paths, ReadOptions, WriteOptions
from goldspan.adapters.files.text_file import head
from goldspan.adapters.options import FRAGMENTS

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus


class BratAdapter(Adapter):
    """The brat rapid annotation tool's folders."""

    name = "brat"
    summary = ".txt and .ann; categories are types, labels or attributes (--category-from)"
    annotators = "a folder each; or --annotator-from dir, file or a pattern"
    presence = "an empty .ann is seen (--empty unseen if your server makes them), none is unseen"
    holds_fragments = True
    reading_options = (FRAGMENTS,)
    suffixes = (".ann",)

    def sniff(self, path: Path) -> bool:
        """A folder or file with .ann files whose first line is an annotation, or that are empty."""
        from goldspan.adapters.brat.sources import SUFFIXES
        from goldspan.adapters.kit.standoff import mark_files

        files = mark_files(path, SUFFIXES.marks)
        return bool(files) and all(_looks_right(file) for file in files[:8])

    def read(self, paths: Paths, options: ReadOptions) -> Corpus:
        """Every T line a unit; positions are code points of the text as brat counts them."""
        from goldspan.adapters.brat.reader import read_brat

        return read_brat(paths, options)

    def write(self, value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
        """A folder for each annotator; gold is one folder, with its confidence in notes."""
        from goldspan.adapters.brat.sources import read_sources
        from goldspan.adapters.brat.writer import write_brat

        return write_brat(value, path, options, read_sources(options.source))


def _looks_right(path: Path) -> bool:
    from goldspan.adapters.brat.lines import LINE

    line = head(path).partition("\n")[0].rstrip("\r")
    return LINE.fullmatch(line) is not None if line else path.stat().st_size == 0
