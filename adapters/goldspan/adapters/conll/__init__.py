"""CoNLL: a token a line and its tags in columns, counted in tokens."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.adapter import Adapter, Notes, Paths, ReadOptions, WriteOptions
from goldspan.adapters.conll.options import NOT_ANNOTATED, SKIP_BAD_ROWS
from goldspan.adapters.files.text_file import head

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus


class ConllAdapter(Adapter):
    """Columns of IOB1, IOB2 or BIOES tags."""

    name = "conll"
    summary = "token and tags in columns: IOB1, IOB2, BIOES; positions are tokens"
    annotators = "columns named by global.columns; or --annotator-from column, file, dir, pattern"
    presence = "a column or file of O is seen; a column of _ or ?, or no file, is unseen"
    holds_scale = False
    ignores = ("category_from",)
    reading_options = (NOT_ANNOTATED, SKIP_BAD_ROWS)

    def sniff(self, path: Path) -> bool:
        """A file, or a folder of files called like CoNLL, whose rows end in tags."""
        from goldspan.adapters.conll.sources import conll_files

        files = conll_files(path)
        return bool(files) and all(_looks_right(file) for file in files[:8])

    def read(self, paths: Paths, options: ReadOptions) -> Corpus:
        """Every span of tags a unit, counted in tokens."""
        from goldspan.adapters.conll.reader import read_conlls

        return read_conlls(paths, options)

    def write(self, value: Corpus | Gold, path: Path, options: WriteOptions) -> Notes:
        """One file with a column for each annotator; gold is one column."""
        from goldspan.adapters.conll.writer import write_conll

        return write_conll(value, path, options)


def _looks_right(path: Path) -> bool:
    """Whether all rows are of one width and end in a tag, and one in more than O."""
    from goldspan.adapters.conll.tags import OUTSIDE, is_tag

    lines = [line.rstrip("\r") for line in head(path).split("\n")[:-1]]
    rows = [line for line in lines if line.strip() and not line.startswith(("#", "-DOCSTART-"))]
    cells = [row.split("\t") if "\t" in row else row.split() for row in rows]
    widths = {len(row) for row in cells}
    if len(widths) != 1 or min(widths) < 2:
        return False
    unasked = NOT_ANNOTATED.default
    tags = [row[-1] for row in cells if row[-1] != unasked]
    if not tags:  # The last of many annotators may come late in the file.
        tags = [cell for row in cells for cell in row[1:] if cell != unasked]
    named = any("global.columns" in line for line in lines)
    return (
        bool(tags)
        and all(map(is_tag, tags))
        and (named or any(tag not in OUTSIDE for tag in tags) or "O" in tags)
    )
