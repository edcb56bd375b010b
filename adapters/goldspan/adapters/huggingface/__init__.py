"""Hugging Face datasets: Parquet and Arrow files whose rows have a text and its spans."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.adapter import Adapter, Notes, Paths, ReadOptions, WriteOptions
from goldspan.engine.errors import SettingsError

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus


class HuggingFaceAdapter(Adapter):
    """Tables of datasets with spans of characters."""

    name = "huggingface"
    summary = "Parquet or Arrow of datasets: a text, its spans, and who marked them"
    annotators = "a column, or a field of each span; or --annotator-from COLUMN, file, dir, pattern"
    presence = "a row is seen, unless a column 'presence' says otherwise"
    extra = "huggingface"
    holds_scale = False
    ignores = ("category_from",)
    suffixes = (".parquet", ".arrow")

    def sniff(self, path: Path) -> bool:
        """A file that begins as Parquet and Arrow do, or a folder of such files."""
        from goldspan.adapters.huggingface.table import looks_right, table_files

        files = table_files(path)
        return bool(files) and all(looks_right(file) for file in files[:8])

    def read(self, paths: Paths, options: ReadOptions) -> Corpus:
        """Every span a unit."""
        from goldspan.adapters.huggingface.reader import read_tables

        return read_tables(paths, options)

    def check(self, path: Path, *, gold: bool) -> None:
        """A dataset is one file."""
        del gold
        if path.suffix.lower() not in self.suffixes:
            raise SettingsError(f"{path} is not a .parquet or .arrow file; name one")

    def write(self, value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
        """A row for each task and annotator; gold has a row for each task."""
        from goldspan.adapters.huggingface.writer import write_table

        return write_table(value, path, options)
