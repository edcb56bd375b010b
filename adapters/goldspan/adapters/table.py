"""Tables in csv: rows with the line each begins on, and rows that read back as they were."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO, TypeAlias

from goldspan.engine.errors import InputError

Row: TypeAlias = tuple[int, list[str]]
"""The line a row begins on, and its cells."""


def read_rows(text: str, where: str, *, delimiter: str = ",") -> Iterator[Row]:
    """Every row that is not blank. Blanks right after a separator do not count: people put them
    there; those inside quotes do.
    """
    lines = io.StringIO(text, newline="")
    rows = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)
    begun = 1
    try:
        for row in rows:
            if any(row):
                yield begun, row
            begun = rows.line_num + 1
    except csv.Error as error:
        if "field limit" in str(error):
            limit = f"{csv.field_size_limit():,}"
            raise InputError(
                f"a cell has more than {limit} characters; is a quote left open?",
                where=f"{where}:{begun}",
            ) from error
        raise InputError(f"the quoting is broken: {error}", where=f"{where}:{begun}") from error


def write_rows(file: TextIO, rows: Iterable[Sequence[object]], *, delimiter: str = ",") -> None:
    """Write rows so that `read_rows` gives back every cell as it was."""
    plain = csv.writer(file, delimiter=delimiter, lineterminator="\n")
    quoted = csv.writer(file, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in rows:
        (quoted if any(_is_delicate(cell) for cell in row) else plain).writerow(row)


def _is_delicate(cell: object) -> bool:
    # Python before 3.13 leaves a carriage return unquoted, which would end the row.
    return isinstance(cell, str) and ("\r" in cell or cell.startswith(" "))
