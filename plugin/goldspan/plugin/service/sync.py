"""Sync: pull a project, score and merge it, and write back what changed; on any platform."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.files.atomic import new_file
from goldspan.engine.facts import Note
from goldspan.engine.gold.merging import merge
from goldspan.engine.scoring import score
from goldspan.plugin.document import Document
from goldspan.plugin.facts import PlatformFact
from goldspan.plugin.report.page import write_report
from goldspan.plugin.service.private import private
from goldspan.plugin.service.settled import Settled, digest

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result
    from goldspan.plugin.measurement import MeasureOptions
    from goldspan.plugin.platform import P, Platform, Progress, S

RESULT, REPORT, SEAL = "result.json", "report.html", "report.digest"
BESIDE = "with-models"


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
    place = _place(options.folder, project)
    with platform.pull(project) as snapshot:
        corpus = snapshot.corpus
        result = options.measuring.measure(score, corpus, progress)
        gold = merge(
            corpus, result, min_confidence=options.min_confidence, calibration=options.calibration
        )
        document = Document.of(result)
        plan = platform.plan(snapshot, result, gold)
        settled = Settled.of(place, corpus, options)
        keeps = bool(plan.counts()) and settled.keeps(result, is_written=snapshot.is_written)
        with private(options.folder):
            _report(place, snapshot.title, corpus, result, document, gold)
        beside = snapshot.with_models
        if beside is not None:
            models = [name for name in beside.annotators if name not in corpus.annotators]
            title = f"{snapshot.title}, with {' and '.join(models)}"
            _report_models(place / BESIDE, title, beside, options, progress)
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


def pages(folder: Path, project: int) -> tuple[Path, ...]:
    """The files in which a sync keeps its result, whether they are there or not."""
    places = (_place(folder, project), _place(folder, project) / BESIDE)
    return tuple(place / name for place in places for name in (RESULT, REPORT, SEAL))


def _place(folder: Path, project: int) -> Path:
    return folder / f"project-{project}"


def _report_models(
    place: Path, title: str, corpus: Corpus, options: MeasureOptions, progress: Progress | None
) -> None:
    """People and models side by side, in a report of its own: what is written into the project
    is what people agree on.
    """
    result = options.measuring.measure(score, corpus, progress)
    with private(options.folder):
        _report(place, title, corpus, result, Document.of(result), merge(corpus, result))


def _report(
    place: Path, title: str, corpus: Corpus, result: Result, document: Document, gold: Gold
) -> None:
    """The result and the report; where both would be the same they are left as they are."""
    place.mkdir(parents=True, exist_ok=True)
    texts = [continuum.text for continuum in corpus.continua]
    said = digest(title, document.text, gold.as_json(), texts)
    seal = place / SEAL
    complete = all((place / name).exists() for name in (RESULT, REPORT, SEAL))
    if complete and seal.read_text(encoding="ascii") == said:
        return
    seal.unlink(missing_ok=True)
    write_report(place / REPORT, title, corpus, result, gold)
    with new_file(place / RESULT) as temporary:
        temporary.write_text(document.text, encoding="utf-8", errors="backslashreplace")
    with new_file(seal) as temporary:
        temporary.write_text(said, encoding="ascii")
