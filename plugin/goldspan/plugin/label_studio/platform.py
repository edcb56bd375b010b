"""Label Studio as a platform: its projects are read, compared with a result, and written to."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING

from goldspan.adapters.adapter import ReadOptions
from goldspan.adapters.facts import FormatFact
from goldspan.adapters.label_studio.config import label_colours
from goldspan.adapters.label_studio.options import INCLUDE_PREDICTIONS
from goldspan.engine.errors import InputError
from goldspan.plugin.adjudications import Adjudications
from goldspan.plugin.label_studio.connection import NAME, project_page, task_page
from goldspan.plugin.label_studio.plan import Plan, WriteRequest, make_plan
from goldspan.plugin.label_studio.snapshot import Snapshot, faults, pull
from goldspan.plugin.label_studio.writing.writeback import write
from goldspan.plugin.measurement import MeasureOptions
from goldspan.plugin.platform import Overview, Progress, ProjectInfo, TaskState
from goldspan.plugin.report.surroundings import DASHBOARD, Surroundings
from goldspan.plugin.service.settings import Source

if TYPE_CHECKING:
    from goldspan.engine.facts import Note
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result
    from goldspan.plugin.label_studio.connection import ConnectionRequest
    from goldspan.plugin.label_studio.server import Server


@dataclass(frozen=True, slots=True)
class SyncOptions(MeasureOptions):
    """How to sync a project of Label Studio.

    ground_truth      write gold as ground-truth annotations, beside the suggestions
    with_predictions  model versions to score beside the people, in a report of their own
    lenient           a model version that is not there is no error
    low               the tab's limit; None leaves it as it is, or sets it to the usual one
    reading           how to read the annotations
    served            whether a service shows the reports
    browser_url       where people open Label Studio; "" if it is where goldspan calls it
    """

    ground_truth: bool = False
    with_predictions: tuple[str, ...] = ()
    lenient: bool = False
    low: float | None = None
    reading: ReadOptions = field(default_factory=ReadOptions)
    served: bool = False
    browser_url: str = ""


@dataclass(frozen=True, slots=True)
class Pulled:
    """A project of Label Studio as it is now: the snapshot, and the people's work in it."""

    snapshot: Snapshot
    corpus: Corpus
    options: SyncOptions
    url: str = ""

    @property
    def surroundings(self) -> Surroundings:
        """Its pages, the colours of its labels, and the dashboard if a service shows reports."""
        number = self.snapshot.number
        return Surroundings(
            NAME,
            project_page(self.url, number),
            task_page(self.url, number, "{task}"),
            DASHBOARD if self.options.served else "",
            label_colours(str(self.snapshot.project["label_config"])),
        )

    @property
    def lead_times(self) -> dict[str, list[float]]:
        """The seconds of every submitted annotation, by annotator."""
        found: dict[str, list[float]] = {}
        for task in self.snapshot.tasks:
            for one in task["annotations"]:
                by, seconds = one["completed_by"], one.get("lead_time")
                name = str(by.get("email") or by["id"]) if isinstance(by, dict) else str(by)
                if isinstance(seconds, int | float) and not one.get("was_cancelled"):
                    found.setdefault(name, []).append(float(seconds))
        return found

    @property
    def adjudications(self) -> Adjudications | None:
        """What people settled by marking it as ground truth."""
        reading = replace(self.options.reading, adjudicated=True)
        return Adjudications.of(self.corpus, lambda: self.snapshot.corpus(reading))

    @property
    def title(self) -> str:
        """Its title, or its number where it has none."""
        return str(self.snapshot.project.get("title") or f"project {self.snapshot.number}")

    @property
    def with_models(self) -> Corpus | None:
        """People and the model versions that were asked for; None if there are none of them."""
        wanted = self.options.with_predictions
        if not wanted:
            return None
        corpus = self.snapshot.corpus(INCLUDE_PREDICTIONS.given(self.options.reading, True))
        missing = [name for name in wanted if name not in corpus.annotators]
        if missing and not self.options.lenient:
            raise InputError(
                f"there are no predictions of the model version '{missing[0]}'",
                where=f"project {self.snapshot.number}",
            )
        return None if len(missing) == len(wanted) else corpus

    @property
    def is_written(self) -> bool:
        """Whether an earlier sync wrote into it."""
        return bool(self.snapshot.suggestions or self.snapshot.columns)

    @property
    def contaminated(self) -> int:
        """How many annotations began with our suggestions and were left out."""
        return sum(
            note.count for note in self.corpus.notes if note.fact.kind is FormatFact.NOT_INDEPENDENT
        )

    @property
    def faulty(self) -> tuple[str, ...]:
        """The tasks that could not be read."""
        return tuple(note.task for note in faults(self.corpus))

    @property
    def notes(self) -> tuple[Note, ...]:
        """The reader's notes, except those about models, which are an option here."""
        people = [
            note
            for note in self.corpus.notes
            if note.fact.kind is not FormatFact.PREDICTIONS_LEFT_OUT
        ]
        return (*self.snapshot.notes, *people)


@dataclass(frozen=True, slots=True)
class LabelStudio:
    """The projects of one Label Studio."""

    server: Server
    options: SyncOptions

    def projects(self) -> Sequence[ProjectInfo]:
        """All projects that the token's user may see."""
        return tuple(starmap(ProjectInfo, self.server.projects()))

    def overview(self, project: int, /) -> Overview:
        """The project at a glance; an annotator who skips a task counts."""
        settings = self.server.project(project)
        return Overview(
            title=str(settings.get("title") or ""),
            tasks=starmap(TaskState, self.server.tasks_overview(project)),
            annotators=int(settings.get("maximum_annotations") or 0),
            config=str(settings.get("label_config") or ""),
        )

    @contextmanager
    def pull(self, project: int, /) -> Iterator[Pulled]:
        """The project now, in files that last as long as the block."""
        with tempfile.TemporaryDirectory() as scratch:
            found = pull(self.server, project, Path(scratch), self.options.with_predictions)
            corpus = people_of(found, self.options.reading)
            url = self.options.browser_url or self.server.url
            yield Pulled(found, corpus, self.options, url)

    def plan(self, pulled: Pulled, result: Result, gold: Gold, /) -> Plan:
        """The writes that make the project say what the result says."""
        request = WriteRequest(
            self.options.ground_truth, self.options.low, self.options.reading.layers
        )
        return make_plan(pulled.snapshot, pulled.corpus, result, gold, request, pulled.contaminated)

    def apply(self, plan: Plan, progress: Progress | None, /) -> Sequence[Note]:
        """Write it."""
        return write(self.server, plan, progress)


@contextmanager
def open_label_studio(connection: ConnectionRequest, options: SyncOptions) -> Iterator[LabelStudio]:
    """The Label Studio of a connection, until the block ends."""
    with connection.connect() as server:
        yield LabelStudio(server, options)


def make_source(connection: ConnectionRequest, options: SyncOptions) -> Source:
    """What a service keeps up to date: the projects of this Label Studio, by these options."""
    token = connection.token_file
    remedy = f"put it into {token}" if token else "restart the service with it"
    # Not every monitored project has every model.
    lenient = replace(options, lenient=True, served=True)
    return Source(partial(open_label_studio, connection, lenient), lenient, remedy)


def people_of(snapshot: Snapshot, reading: ReadOptions) -> Corpus:
    """People's annotations; an InputError if there is nothing to compare."""
    corpus = snapshot.corpus(INCLUDE_PREDICTIONS.given(reading, False))
    shared = [continuum for continuum in corpus.continua if len(continuum.annotators) > 1]
    if not any(continuum.units for continuum in shared) and not corpus.layers:
        for fault in faults(corpus):
            raise InputError(fault.message, where=f"project {snapshot.number}, task {fault.task}")
    if not shared:
        # The dashboard shows it too, to people who ran no command.
        old = "; what was written before is still there"
        raise InputError(
            "no task has two annotators yet, so there is nothing to compare; let a second person "
            "annotate the same tasks" + (old if snapshot.suggestions or snapshot.columns else ""),
            where=f"project {snapshot.number}",
        )
    return corpus
