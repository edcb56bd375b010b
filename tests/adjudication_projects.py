"""Small projects to adjudicate."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from goldspan.adapters import read
from goldspan.engine import Gold, merge, score
from goldspan.engine.model import Continuum, Corpus, Unit
from goldspan.plugin.adjudicate.desk import Desk, DeskSettings, open_desk

NEWSROOM = Path(__file__).parents[1] / "examples" / "newsroom"


@cache
def newsroom() -> Gold:
    """The example of the documentation: 88 sites, 19 of them open."""
    corpus = read(NEWSROOM / "spans.csv", assignments=NEWSROOM / "spans.assignments.csv")
    return merge(corpus, score(corpus))


def gold_of(units: dict[str, list[Unit]]) -> Gold:
    corpus = Corpus(
        tuple(
            Continuum(task, tuple(own), text="the ferry operator Blue Star Lines moved " * 3)
            for task, own in units.items()
        )
    )
    return merge(corpus, score(corpus))


def desk_at(folder: Path, name: str = "ana", gold: Gold | None = None, **settings: Any) -> Desk:
    return open_desk(gold or newsroom(), folder, DeskSettings(name, **settings))
