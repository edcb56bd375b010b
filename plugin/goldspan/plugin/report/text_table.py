"""Text tables: rows of cells for a terminal, in columns as wide as their cells."""

from __future__ import annotations

from collections.abc import Sequence

GAP = 2


def text_table(rows: Sequence[Sequence[str]]) -> str:
    """The rows one below the other; all have the same number of cells."""
    widths = [max(map(len, column)) + GAP for column in zip(*rows, strict=True)]
    lines = (
        "".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
    return "\n".join(lines)
