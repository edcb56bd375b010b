"""Decisions as a table: the places where a person should look, and what there is to decide."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.files.atomic import new_file
from goldspan.adapters.files.table import write_rows
from goldspan.engine.model import Continuum, Measure

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Decision, Gold

HEADER = ("task", "start", "end", "decide", "suggested", "readings", "text")


def write_decisions(path: Path, gold: Gold) -> None:
    """A csv file with a row for each place, in the order of tasks and positions."""
    with (
        new_file(path) as temporary,
        temporary.open("w", encoding="utf-8", newline="", errors="backslashreplace") as file,
    ):
        write_rows(file, chain([HEADER], _rows(gold)))


def _rows(gold: Gold) -> Iterator[tuple[object, ...]]:
    for continuum in gold.corpus.continua:
        for decision in gold.decisions.get(continuum.id, ()):
            yield (
                continuum.id,
                decision.start,
                decision.end,
                decision.question.value,
                _suggested(decision),
                "; ".join(
                    f"{r.category} {r.start}-{r.end} ({', '.join(r.annotators)})"
                    for r in decision.readings
                ),
                _text(continuum, decision),
            )


def _suggested(decision: Decision) -> str:
    span = decision.span
    return f"{span.category} {span.start}-{span.end}, {span.confidence:.2f}" if span else ""


def _text(continuum: Continuum, decision: Decision) -> str:
    if continuum.text is None or continuum.measure is not Measure.CHARACTER:
        return ""
    text = continuum.text[int(decision.start) : int(decision.end)]
    return " ".join(text.encode("utf-8", errors="replace").decode().split())
