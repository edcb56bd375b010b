"""Sync: pull a project, score and merge it, and write back what changed; on any platform."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.facts import settled_tasks
from goldspan.engine.facts import Note
from goldspan.engine.gold.merging import merge
from goldspan.engine.scoring import score
from goldspan.plugin.document import Document
from goldspan.plugin.facts import PlatformFact
from goldspan.plugin.service.pages import BESIDE, REPORT, place_of, write_annotators, write_pages
from goldspan.plugin.service.private import private
from goldspan.plugin.service.settled import Settled

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result
    from goldspan.plugin.measurement import MeasureOptions
    from goldspan.plugin.platform import P, Platform, Progress, S
    from goldspan.plugin.report.surroundings import Surroundings


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a sync found and did. `document` is the result as JSON. `writes` are what it wrote by
    kind, or would have written in a dry run; empty when the project said it all already.
    `contaminated` and `faulty` are the snapshot's, `adds_annotations` the plan's.
    """

    project: int
    title: str
    corpus: Corpus
    result: Result
    document: Document
    gold: Gold
    writes: Mapping[str, int]
    adds_annotations: bool
    report: Path
    model_report: Path | None
    notes: tuple[Note, ...]
    contaminated: int
    faulty: tuple[str, ...]


def sync(
    platform: Platform[S, P],
    project: int,
    options: MeasureOptions,
    *,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Outcome:
    """Score the project and make it say so; a dry run writes the report and nothing else."""
    place = place_of(options.folder, project)
    with platform.pull(project) as snapshot:
        corpus = snapshot.corpus
        adjudications = snapshot.adjudications
        result = options.measuring.measure(score, corpus, progress)
        if adjudications is not None:
            result = adjudications.compare(corpus, result, options.measuring, progress)
        calibration = options.calibration
        if calibration is None and adjudications is not None:
            calibration = adjudications.calibration(merge(corpus, result))
        merged = merge(
            corpus, result, min_confidence=options.min_confidence, calibration=calibration
        )
        settled_by_people = sorted(settled_tasks(corpus.notes))
        gold = merged.settled(settled_by_people)
        document = Document.of(result)
        plan = platform.plan(snapshot, result, gold)
        settled = Settled.of(place, corpus, (options, settled_by_people))
        keeps = bool(plan.counts()) and settled.keeps(result, is_written=snapshot.is_written)
        with private(options.folder):
            write_pages(
                place, snapshot.title, corpus, result, document, gold, snapshot.surroundings
            )
            write_annotators(place, corpus, result, snapshot.lead_times)
        beside = snapshot.with_models
        if beside is not None:
            models = [name for name in beside.annotators if name not in corpus.annotators]
            title = f"{snapshot.title}, with {' and '.join(models)}"
            _report_models(place / BESIDE, title, beside, options, snapshot.surroundings, progress)
    notes = [*snapshot.notes, *gold.notes, *plan.notes]
    if keeps:
        notes.append(Note.of(PlatformFact.RESULT_KEPT))
    elif not dry_run:
        notes += platform.apply(plan, progress)
        with private(options.folder):
            settled.note()
    return Outcome(
        project, snapshot.title, corpus, result, document, gold, {} if keeps else plan.counts(),
        plan.adds_annotations and not keeps, place / REPORT,
        place / BESIDE / REPORT if beside else None, tuple(notes),
        snapshot.contaminated, tuple(snapshot.faulty),
    )  # fmt: skip


def _report_models(
    place: Path,
    title: str,
    corpus: Corpus,
    options: MeasureOptions,
    surroundings: Surroundings,
    progress: Progress | None,
) -> None:
    """People and models side by side, in a report of its own: what is written into the project
    is what people agree on.
    """
    result = options.measuring.measure(score, corpus, progress)
    with private(options.folder):
        gold = merge(corpus, result)
        write_pages(place, title, corpus, result, Document.of(result), gold, surroundings)
