"""Sync: pull a project, score and merge it, and write back what changed."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from goldspan.adapters.adapter import ReadOptions
from goldspan.adapters.files.atomic import new_file
from goldspan.adapters.label_studio.options import INCLUDE_PREDICTIONS
from goldspan.adapters.label_studio.presence import NOT_INDEPENDENT, PREDICTIONS_LEFT_OUT
from goldspan.engine.errors import InputError
from goldspan.engine.gold.calibration import Calibration
from goldspan.engine.gold.gold import Gold
from goldspan.engine.gold.merging import merge
from goldspan.engine.model import Corpus, Note
from goldspan.engine.result import Result
from goldspan.engine.scoring import score
from goldspan.plugin.label_studio.ground_truth import digest
from goldspan.plugin.label_studio.plan import Plan, Wish, make_plan
from goldspan.plugin.label_studio.private import private
from goldspan.plugin.label_studio.server import Server
from goldspan.plugin.label_studio.settled import Settled
from goldspan.plugin.label_studio.snapshot import Snapshot, faults, pull
from goldspan.plugin.label_studio.writeback import write
from goldspan.plugin.report.page import write_report

Progress = Callable[[str, int, int], None]

RESULT, REPORT, SEAL = "result.json", "report.html", "report.digest"
BESIDE = "with-models"


@dataclass(frozen=True, slots=True)
class SyncOptions:
    """How to sync.

    folder            where reports and results go, a folder for each project in it
    ground_truth      write gold as ground-truth annotations, beside the suggestions
    with_predictions  model versions to score beside the people, in a report of their own
    lenient           a model version that is not there is no error
    low               the tab's limit; None leaves it as it is, or sets it to the usual one
    min_confidence    suggest only spans of this confidence or more
    calibration       of the confidences
    reading           how to read the annotations
    scoring           arguments of `goldspan.engine.score`
    """

    folder: Path
    ground_truth: bool = False
    with_predictions: tuple[str, ...] = ()
    lenient: bool = False
    low: float | None = None
    min_confidence: float = 0.0
    calibration: Calibration | None = None
    reading: ReadOptions = field(default_factory=ReadOptions)
    scoring: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a sync found and did. `plan` is what it wrote, or would have written in a dry run;
    `contaminated` counts annotations that began with our suggestions and were left out; `faulty`
    are the tasks that could not be read.
    """

    project: int
    title: str
    corpus: Corpus
    result: Result
    gold: Gold
    plan: Plan
    report: Path
    model_report: Path | None
    notes: tuple[Note, ...]
    contaminated: int
    faulty: tuple[str, ...]

    @property
    def writes(self) -> Mapping[str, int]:
        """How many writes of each kind; empty when the project said it all already."""
        return self.plan.counts()


def sync(
    server: Server,
    project: int,
    options: SyncOptions,
    *,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Outcome:
    """Score the project and make it say so; a dry run writes the report and nothing else."""
    with tempfile.TemporaryDirectory() as scratch:
        snapshot = pull(server, project, Path(scratch), options.with_predictions)
        title = str(snapshot.project.get("title") or f"project {project}")
        corpus = _corpus(snapshot, options)
        result = score(corpus, progress=progress, **options.scoring)
        gold = merge(
            corpus, result, min_confidence=options.min_confidence, calibration=options.calibration
        )
        left_out = sum(n.count for n in corpus.notes if n.message == NOT_INDEPENDENT)
        wish = Wish(options.ground_truth, options.low, options.reading.layers)
        place = _place(options.folder, project)
        with private(options.folder):
            settled = Settled.of(place, corpus, options)
            plan = make_plan(snapshot, corpus, result, gold, wish, left_out)
            plan = settled.calmed(plan, snapshot, result)
            _report(place, title, corpus, result, gold)
        beside = _with_models(snapshot, options, place, title, progress)
    notes = () if dry_run else write(server, plan, progress)
    if not dry_run:
        settled.note()
    return Outcome(
        project, title, corpus, result, gold, plan, place / REPORT, beside,
        (*snapshot.notes, *_of_people(corpus), *gold.notes, *plan.notes, *notes), left_out,
        tuple(note.task for note in faults(corpus)),
    )  # fmt: skip


def pages(folder: Path, project: int) -> tuple[Path, ...]:
    """The files in which a sync keeps its result, whether they are there or not."""
    places = (_place(folder, project), _place(folder, project) / BESIDE)
    return tuple(place / name for place in places for name in (RESULT, REPORT, SEAL))


def _place(folder: Path, project: int) -> Path:
    return folder / f"project-{project}"


def _corpus(snapshot: Snapshot, options: SyncOptions) -> Corpus:
    corpus = snapshot.corpus(INCLUDE_PREDICTIONS.given(options.reading, False))
    shared = [continuum for continuum in corpus.continua if len(continuum.annotators) > 1]
    if not any(continuum.units for continuum in shared):
        for fault in faults(corpus):
            raise InputError(fault.message, where=f"project {snapshot.number}, task {fault.task}")
    if not shared:
        old = "; what an earlier sync wrote is still there, and --undo removes it"
        raise InputError(
            "no task has two annotators yet, so there is nothing to compare; `goldspan "
            "label-studio setup --annotators 3` lets several people annotate each task"
            + (old if snapshot.suggestions or snapshot.columns else ""),
            where=f"project {snapshot.number}",
        )
    return corpus


def _of_people(corpus: Corpus) -> list[Note]:
    """The reader's notes, but for models: which of them are wanted, and where, is asked here."""
    return [note for note in corpus.notes if note.message != PREDICTIONS_LEFT_OUT]


def _with_models(
    snapshot: Snapshot,
    options: SyncOptions,
    place: Path,
    title: str,
    progress: Progress | None,
) -> Path | None:
    """People and models side by side, in a report of its own: what is written into the project
    is what people agree on.
    """
    if not options.with_predictions:
        return None
    corpus = snapshot.corpus(INCLUDE_PREDICTIONS.given(options.reading, True))
    missing = [name for name in options.with_predictions if name not in corpus.annotators]
    if missing and not options.lenient:
        raise InputError(
            f"there are no predictions of the model version '{missing[0]}'",
            where=f"project {snapshot.number}",
        )
    if len(missing) == len(options.with_predictions):
        return None
    result = score(corpus, progress=progress, **options.scoring)
    names = " and ".join(options.with_predictions)
    place /= BESIDE
    with private(options.folder):
        _report(place, f"{title}, with {names}", corpus, result, merge(corpus, result))
    return place / REPORT


def _report(place: Path, title: str, corpus: Corpus, result: Result, gold: Gold) -> None:
    """The result and the report; where both would be the same they are left as they are."""
    place.mkdir(parents=True, exist_ok=True)
    texts = [continuum.text for continuum in corpus.continua]
    said = digest(title, result.as_json(), gold.as_json(), texts)
    seal = place / SEAL
    complete = all((place / name).exists() for name in (RESULT, REPORT, SEAL))
    if complete and seal.read_text(encoding="ascii") == said:
        return
    seal.unlink(missing_ok=True)
    write_report(place / REPORT, title, corpus, result, gold)
    text = json.dumps(result.as_json(), ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    with new_file(place / RESULT) as temporary:
        temporary.write_text(text, encoding="utf-8", errors="backslashreplace")
    with new_file(seal) as temporary:
        temporary.write_text(said, encoding="ascii")
