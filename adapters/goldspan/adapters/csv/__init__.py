"""csv: rows annotator,category,start,end; with a header also task, length, layer, in any order.

A row without positions is a label of the whole task, of the layer that it names.

Rows cannot show that an annotator saw a task and marked nothing; an assignments file can.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.adapter import Adapter, Notes, Paths, ReadOptions, WriteOptions
from goldspan.adapters.csv.options import OPTIONS

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus


class CsvAdapter(Adapter):
    """Plain tables of spans, or of labels of whole tasks."""

    name = "csv"
    summary = "annotator,category,start,end; with a header also task, length, layer; .csv, .xlsx"
    annotators = "a column, or file and folder names (--annotator-from COLUMN, dir, file, pattern)"
    presence = "rows only; --assignments or --empty says who saw a task and marked nothing"
    holds_scale = False
    holds_labels = True
    reading_options = OPTIONS

    def sniff(self, path: Path) -> bool:
        """A table, or a folder of tables, with start and end or four cells that fit."""
        from goldspan.adapters.csv.columns import is_table, table_files

        files = table_files(path)
        return bool(files) and all(is_table(file) for file in files[:8])

    def check(self, path: Path, *, gold: bool) -> None:
        """Refuse a workbook: tables are written as text."""
        from goldspan.adapters.csv.workbook import SUFFIX
        from goldspan.engine.errors import SettingsError

        del gold
        if path.suffix.lower() == SUFFIX:
            raise SettingsError(
                f"{path}: goldspan reads {SUFFIX} files but writes csv; call it .csv or .tsv"
            )

    def read(self, paths: Paths, options: ReadOptions) -> Corpus:
        """Every row a unit; a file without a task column is one task, called after the file."""
        from goldspan.adapters.csv.reader import read_csv

        return read_csv(paths, options)

    def write(self, value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
        """One table with a header, and `NAME.assignments.csv` when rows cannot tell it all."""
        from goldspan.adapters.csv.writer import write_csv

        return write_csv(value, path, options)
