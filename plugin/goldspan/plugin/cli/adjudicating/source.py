"""Source: where the annotations come from, files or a project of Label Studio."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from goldspan.engine.errors import SettingsError
from goldspan.plugin.cli.progress import progress_bar
from goldspan.plugin.cli.reading import Reading, ReadRequest, read_corpus, resolve

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus
    from goldspan.plugin.adjudicate.docket import Docket
    from goldspan.plugin.cli.adjudicating.arguments import Project
    from goldspan.plugin.cli.messages import Messages

LABEL_STUDIO = "label-studio"


class Source(Protocol):
    """What the verb asks of either."""

    @property
    def reading(self) -> Reading:
        """The format, and how it is read."""

    def read(self) -> tuple[Corpus, frozenset[str]]:
        """The corpus, and the tasks in it that a person settled elsewhere."""

    def write(self, docket: Docket, gold: Gold) -> Sequence[str]:
        """What is written apart from the output, and what to know of it."""


@dataclass(frozen=True, slots=True)
class FileSource:
    """Files; nothing is written but the output."""

    reading: Reading
    messages: Messages

    def read(self) -> tuple[Corpus, frozenset[str]]:
        from goldspan.adapters.facts import settled_tasks  # noqa: PLC0415 - loads the engine

        corpus = read_corpus(self.reading, self.messages)
        return corpus, settled_tasks(corpus.notes)

    def write(self, docket: Docket, gold: Gold) -> Sequence[str]:
        del docket, gold
        return ()


@dataclass(frozen=True, slots=True)
class ProjectSource:
    """A project; finished tasks get ground truth."""

    reading: Reading
    messages: Messages
    project: Project

    def read(self) -> tuple[Corpus, frozenset[str]]:
        # These load the engine.
        from goldspan.adapters.facts import settled_tasks  # noqa: PLC0415
        from goldspan.plugin.label_studio.adjudicated import read_project  # noqa: PLC0415

        with self.project.connection.connect() as server:
            corpus, ours = read_project(server, self.project.number, self.reading.options)
        self.messages.say_notes(corpus.notes)
        return corpus, settled_tasks(corpus.notes) - ours

    def write(self, docket: Docket, gold: Gold) -> Sequence[str]:
        # These load the engine.
        from goldspan.plugin.adjudicate.output.derivation import finished_tasks  # noqa: PLC0415
        from goldspan.plugin.label_studio.adjudicated import write_truths  # noqa: PLC0415

        with (
            self.project.connection.connect() as server,
            progress_bar(quiet=self.messages.quiet) as progress,
        ):
            plan = write_truths(
                server, self.project.number, gold, finished_tasks(docket),
                self.reading.options.layers, progress,
            )  # fmt: skip
        counts = plan.counts()
        told = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        said = [
            f"Label Studio: {told or 'nothing to write'}",
            *(note.message for note in plan.notes),
        ]
        for sentence in said:
            self.messages.say(sentence)
        return said


def open_source(request: ReadRequest, project: Project | None, messages: Messages) -> Source:
    """The source that is asked for; a SettingsError unless it is one of the two."""
    if project is None:
        if not request.paths:
            raise SettingsError("name the files to adjudicate, or --url and --project")
        return FileSource(resolve(request, messages), messages)
    if request.paths:
        raise SettingsError(
            f"--project {project.number} and the file {request.paths[0]} exclude each other; "
            "leave one of them out"
        )
    if request.format not in (None, LABEL_STUDIO):
        raise SettingsError(f"--from {request.format} does not apply to --project; leave it out")
    from goldspan.adapters.kit.labels import read_labels  # noqa: PLC0415 - loads the kit

    names = read_labels(request.rename_labels) if request.rename_labels else {}
    reading = Reading(request, LABEL_STUDIO, replace(request.options, rename_labels=names))
    return ProjectSource(reading, messages, project)
