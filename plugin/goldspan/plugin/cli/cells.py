"""Cells: figures and counts as the tables of the terminal show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldspan.plugin.cli.console import escape
from goldspan.plugin.report import wording

if TYPE_CHECKING:
    from rich.console import Console

    from goldspan.engine.coefficient.figure import Figure

MOST_ROWS = 30


def value(figure: Figure) -> str:
    """Three digits."""
    return "undefined" if figure.value is None else f"{figure.value:.3f}"


def interval(figure: Figure) -> str:
    """Both ends; how far chance was sampled if there are none."""
    if figure.low is None or figure.high is None:
        return wording.sampled(figure)
    return escape(f"[{figure.low:.3f}, {figure.high:.3f}]")


def rank(figure: Figure) -> tuple[bool, float]:
    """Lowest first, undefined last."""
    return figure.value is None, figure.value or 0.0


def many(count: int, noun: str) -> str:
    """A count with its noun."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def rest(count: int, what: str, console: Console) -> None:
    """Say that a table does not show all rows."""
    if count > MOST_ROWS:
        console.print(f"… and {count - MOST_ROWS} more {what}; all are in the JSON result.")
