"""Tables in csv: rows with the line each begins on, and rows that read back as they were.

A spreadsheet takes a cell that begins with = + - @ for a formula and runs it. Written text cells
of that kind begin with an apostrophe, and reading takes it off again.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO, TypeAlias

from goldspan.engine.errors import InputError

Row: TypeAlias = tuple[int, list[str]]
"""The line a row begins on, and its cells."""

FORMULA = re.compile("'*[=+\\-@\\t\\r\\n\\0\uff1d\uff0b\uff0d\uff20]")
"""How text begins that a spreadsheet would run, or that looks like such text made safe."""


def safe_cell(text: str) -> str:
    """Text that a spreadsheet shows instead of running it."""
    return f"'{text}" if FORMULA.match(text) else text


def plain_cell(cell: str) -> str:
    """What `safe_cell` was given; cells that it leaves alone stay as they are."""
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell


def read_rows(text: str, where: str, *, delimiter: str = ",") -> Iterator[Row]:
    """Every row that is not blank, with plain cells. Blanks right after a separator do not count:
    people put them there; those inside quotes do.
    """
    lines = io.StringIO(text, newline="")
    rows = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)
    begun, any_safe = 1, "'" in text
    try:
        for row in rows:
            if any(row):
                yield begun, [plain_cell(cell) for cell in row] if any_safe else row
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
    """Write rows so that `read_rows` gives back every cell as it was; text is made safe for
    spreadsheets, numbers are numbers.
    """
    plain = csv.writer(file, delimiter=delimiter, lineterminator="\n")
    quoted = csv.writer(file, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for given in rows:
        row = [safe_cell(cell) if isinstance(cell, str) else cell for cell in given]
        (quoted if any(_is_delicate(cell) for cell in row) else plain).writerow(row)


def _is_delicate(cell: object) -> bool:
    # Python before 3.13 leaves a carriage return unquoted, which would end the row.
    return isinstance(cell, str) and ("\r" in cell or cell.startswith(" "))
