"""Figures in words, for tables on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldspan.plugin.cli.console import escape
from goldspan.plugin.report import wording

if TYPE_CHECKING:
    from goldspan.engine.coefficient.figure import Figure


def many(count: int, noun: str) -> str:
    """A number of things."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def rank(figure: Figure) -> tuple[bool, float]:
    """Lowest first, undefined last."""
    return figure.value is None, figure.value or 0.0


def value(figure: Figure) -> str:
    """The value, or that there is none."""
    return "undefined" if figure.value is None else f"{figure.value:.3f}"


def interval(figure: Figure) -> str:
    """The interval, or how far chance was sampled."""
    if figure.low is None or figure.high is None:
        return wording.sampled(figure)
    return escape(f"[{figure.low:.3f}, {figure.high:.3f}]")
