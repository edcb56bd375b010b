"""Pages: the files in which a sync leaves its result, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldspan.adapters.facts import settled_tasks
from goldspan.adapters.files.atomic import new_file
from goldspan.adapters.kit.digest import digest
from goldspan.plugin.report.decisions import write_decisions
from goldspan.plugin.report.page import write_report
from goldspan.plugin.service.annotators import FILE as ANNOTATORS
from goldspan.plugin.service.annotators import annotator_facts
from goldspan.plugin.service.archive import FIRST

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result
    from goldspan.plugin.document import Document
    from goldspan.plugin.report.surroundings import Surroundings

RESULT, REPORT, SEAL = "result.json", "report.html", "report.digest"
GOLD, DECIDE = "gold.json", "decide.csv"
WRITTEN = (RESULT, REPORT, GOLD, DECIDE, FIRST)
BESIDE = "with-models"

MOST_FIRST = 5
"""So many tasks are named to open first."""

NEARLY = 0.995
"""What would be printed as 1.00 is nothing to look at."""


def place_of(folder: Path, project: int) -> Path:
    """The folder of a project."""
    return folder / f"project-{project}"


def pages(folder: Path, project: int) -> tuple[Path, ...]:
    """The files in which a sync keeps its result, whether they are there or not."""
    place = place_of(folder, project)
    both = (folder / name for folder in (place, place / BESIDE) for name in (*WRITTEN, SEAL))
    return (*both, place / ANNOTATORS)


def write_pages(
    place: Path,
    title: str,
    corpus: Corpus,
    result: Result,
    document: Document,
    gold: Gold,
    surroundings: Surroundings,
) -> None:
    """The report, the result, the gold, and what to decide; where all would be the same they are
    left as they are.
    """
    place.mkdir(parents=True, exist_ok=True)
    texts = [continuum.text for continuum in corpus.continua]
    merged = gold.as_json()
    settled = settled_tasks(corpus.notes)
    said = digest(title, document.text, merged, texts, asdict(surroundings), sorted(settled))
    seal = place / SEAL
    complete = all((place / name).exists() for name in (*WRITTEN, SEAL))
    if complete and seal.read_text(encoding="ascii") == said:
        return
    seal.unlink(missing_ok=True)
    write_report(place / REPORT, title, corpus, result, gold, surroundings=surroundings)
    write_decisions(place / DECIDE, gold)
    _write(place / GOLD, f"{json.dumps(merged, indent=1)}\n")
    _write(place / FIRST, json.dumps(open_first(result, gold, settled)))
    _write(place / RESULT, document.text)
    with new_file(seal) as temporary:
        temporary.write_text(said, encoding="ascii")


def write_annotators(
    place: Path, corpus: Corpus, result: Result, lead_times: Mapping[str, Sequence[float]]
) -> None:
    """The facts of each annotator, for their pages on the dashboard."""
    _write(place / ANNOTATORS, json.dumps(annotator_facts(corpus, result, lead_times)))


def open_first(result: Result, gold: Gold, settled: Collection[str]) -> list[dict[str, Any]]:
    """The tasks with the lowest γ that nobody has settled, and how many places are to be decided in
    each.
    """
    known = sorted(
        (task.gamma.value, task.id)
        for task in result.tasks.values()
        if task.gamma.value is not None and task.gamma.value < NEARLY and task.id not in settled
    )
    return [
        {"task": task, "gamma": value, "to_decide": len(gold.decisions.get(task, ()))}
        for value, task in known[:MOST_FIRST]
    ]


def _write(path: Path, text: str) -> None:
    with new_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8", errors="backslashreplace")
