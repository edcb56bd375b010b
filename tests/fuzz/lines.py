"""Lines: rows and columns of text files, their ends and their encoding."""

from __future__ import annotations

import re
from random import Random

from fuzz import atoms

ENCODINGS = ("utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252", "utf-7", "utf-8-sig")
SEPARATORS = ("\t", ",", ";", " ", "=", ":", "|", "-")


def mutate_lines(data: bytes, rng: Random) -> bytes:
    """The file with one change."""
    text = data.decode("utf-8", "surrogateescape")
    if rng.random() < 0.12:
        return _spell(text, rng)
    rows = text.split("\n")
    at = rng.randrange(len(rows))
    rng.choice(CHANGES)(rows, at, rng)
    return "\n".join(rows).encode("utf-8", "surrogatepass" if rng.random() < 0.5 else "replace")


def _spell(text: str, rng: Random) -> bytes:
    kind = rng.randrange(5)
    if kind == 0:
        return text.replace("\n", "\r\n").encode("utf-8", "surrogateescape")
    if kind == 1:
        return text.replace("\n", "\r").encode("utf-8", "surrogateescape")
    if kind == 2:
        return b"\xef\xbb\xbf" + text.encode("utf-8", "surrogateescape")
    return text.encode(rng.choice(ENCODINGS), "replace")


def _drop(rows: list[str], at: int, rng: Random) -> None:
    del rows[at]


def _repeat(rows: list[str], at: int, rng: Random) -> None:
    rows[at:at] = [rows[at]] * rng.choice((1, 1, 1, 200))


def _swap(rows: list[str], at: int, rng: Random) -> None:
    other = rng.randrange(len(rows))
    rows[at], rows[other] = rows[other], rows[at]


def _blank(rows: list[str], at: int, rng: Random) -> None:
    rows.insert(at, rng.choice(("", " ", "\t", "#", "\0", '"', "\x0c", ",,,", "\t\t\t\t")))


def _cells(rows: list[str], at: int, rng: Random) -> tuple[list[str], str]:
    found = [one for one in SEPARATORS if one in rows[at]] or ["\t"]
    separator = rng.choice(found[:2])
    return rows[at].split(separator), separator


def _drop_cell(rows: list[str], at: int, rng: Random) -> None:
    cells, separator = _cells(rows, at, rng)
    del cells[rng.randrange(len(cells))]
    rows[at] = separator.join(cells)


def _repeat_cell(rows: list[str], at: int, rng: Random) -> None:
    cells, separator = _cells(rows, at, rng)
    cells.insert(rng.randrange(len(cells)), rng.choice(cells))
    rows[at] = separator.join(cells)


def _set_cell(rows: list[str], at: int, rng: Random) -> None:
    cells, separator = _cells(rows, at, rng)
    cells[rng.randrange(len(cells))] = atoms.word(rng)
    rows[at] = separator.join(cells)


def _column(rows: list[str], at: int, rng: Random) -> None:
    """A whole column dropped, doubled or filled."""
    _, separator = _cells(rows, at, rng)
    where, kind, word = rng.randrange(6), rng.randrange(3), atoms.word(rng)
    for number, row in enumerate(rows):
        cells = row.split(separator)
        if where < len(cells):
            cells[where : where + 1] = ([], [cells[where]] * 2, [word])[kind]
            rows[number] = separator.join(cells)


def _number(rows: list[str], at: int, rng: Random) -> None:
    numbers = list(re.finditer(r"-?\d+(\.\d+)?", rows[at]))
    if numbers:
        found = rng.choice(numbers)
        rows[at] = rows[at][: found.start()] + str(atoms.number(rng)) + rows[at][found.end() :]


def _insert(rows: list[str], at: int, rng: Random) -> None:
    where = rng.randrange(len(rows[at]) + 1)
    rows[at] = rows[at][:where] + atoms.text(rng) + rows[at][where:]


CHANGES = (
    _drop, _repeat, _swap, _blank, _drop_cell, _repeat_cell, _set_cell, _set_cell, _set_cell,
    _column, _number, _number, _number, _insert,
)  # fmt: skip
