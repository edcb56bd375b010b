"""Workbooks: the rows of a sheet of an .xlsx file, as a csv file would have them."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import date, datetime, time
from pathlib import Path
from zipfile import BadZipFile, is_zipfile

from goldspan.adapters.extras import require
from goldspan.adapters.files.table import Row, plain_cell
from goldspan.adapters.files.zip_file import open_zip
from goldspan.adapters.kit.naming import listed
from goldspan.engine.errors import InputError, SettingsError

SUFFIX = ".xlsx"
MEMBER = "xl/workbook.xml"
"""What is in every workbook."""


def is_workbook(path: Path) -> bool:
    """Whether it is one, by its name and its content; needs no optional package."""
    if path.suffix.lower() != SUFFIX or not is_zipfile(path):
        return False
    try:
        with open_zip(path) as archive:
            return MEMBER in archive.names
    except (InputError, BadZipFile):
        return False


def workbook_rows(path: Path, sheet: str | None) -> Iterator[Row]:
    """Every row that is not blank, with its number. Formulas are read as the values that the
    spreadsheet stored with them.
    """
    openpyxl = require("openpyxl", feature="reading .xlsx files", extra="xlsx")
    with open_zip(path) as archive:
        # Read once, within the limits of open_zip, so that the parts cannot expand without end.
        if MEMBER not in archive.names:
            raise InputError("this is not a workbook; save it as .xlsx again", where=str(path))
        for name in archive.names:
            archive.read(name)
    try:
        book = openpyxl.load_workbook(io.BytesIO(path.read_bytes()), data_only=True)
        sheets = {one.title: list(one.iter_rows(values_only=True)) for one in book.worksheets}
    except Exception as error:  # a damaged workbook shows in many ways
        raise InputError(
            f"the workbook cannot be read ({type(error).__name__}); save it as .xlsx again, or "
            "as .csv",
            where=str(path),
        ) from error
    title = _chosen(sheets, sheet, path)
    for number, row in enumerate(sheets[title], start=1):
        cells = [_text(cell) for cell in row]
        if any(cells):
            yield number, cells


def _chosen(sheets: dict[str, list[tuple[object, ...]]], sheet: str | None, path: Path) -> str:
    if sheet is not None:
        if sheet not in sheets:
            raise SettingsError(f"{path} has no sheet '{sheet}'; there are {listed(sheets)}")
        return sheet
    filled = [title for title, rows in sheets.items() if any(any(row) for row in rows)]
    if len(filled) > 1:
        raise InputError(
            f"the workbook has the sheets {listed(filled)}; --sheet NAME names the one to read",
            where=str(path),
            choices={"--sheet": tuple(filled)},
        )
    return filled[0] if filled else next(iter(sheets), "")


def _text(cell: object) -> str:
    """A cell as csv has it; whole numbers without a point, because a spreadsheet has no others."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return str(int(cell))
    if isinstance(cell, (datetime, date, time)):
        return cell.isoformat()
    return plain_cell(str(cell))
