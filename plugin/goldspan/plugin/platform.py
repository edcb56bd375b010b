"""Platform: what goldspan asks of a live annotation platform. Label Studio is one.

The service and `sync` are written against this protocol and import no platform. A platform reads
its projects, says which writes would bring one up to date, and makes them. Scoring, merging,
rounds, reports, the queue and the dashboard are the same for all platforms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, TypeVar

from goldspan.engine.errors import GoldspanError

if TYPE_CHECKING:
    from goldspan.engine.facts import Note
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result
    from goldspan.plugin.adjudications import Adjudications
    from goldspan.plugin.report.surroundings import Surroundings

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called between steps: what is being done, how many are done, how many there are."""


class PlatformError(GoldspanError):
    """The platform cannot be reached, or refuses; the sentence says what to do about it.

    `status` is the HTTP status of its answer, if there was one. `passing` says whether waiting may
    help: the service then tries again. `detail` is what the platform itself said, which may quote
    data; it follows the message.
    """

    def __init__(
        self, message: str, *, status: int | None = None, passing: bool = False, detail: str = ""
    ) -> None:
        super().__init__(f"{message}: {detail}" if detail else message)
        self.message = message
        self.detail = detail
        self.status = status
        self.passing = passing


class MissingProjectError(PlatformError):
    """The project does not exist any more, or goldspan's account may not see it."""


class ProjectInfo(NamedTuple):
    """A project that goldspan's account may see."""

    id: int
    title: str


class TaskState(NamedTuple):
    """A task at a glance: when it was made and last changed, and how many people annotated it.

    Times are texts that sort in the order of time, such as ISO 8601.
    """

    id: int
    made: str
    changed: str
    annotators: int


@dataclass(frozen=True, slots=True)
class Overview:
    """A project at a glance, cheap to get: has anything changed, and is a round complete?

    `annotators` is how many people should annotate each task. `config` is whatever else a score
    depends on, such as the labels; a change in it is a change of the project.
    """

    title: str
    tasks: Iterable[TaskState]
    annotators: int
    config: str = ""


class Snapshot(Protocol):
    """A project as it is now.

    corpus        people's annotations; an InputError if there is nothing to compare
    with_models   people and models side by side, for a report of its own; None if not wanted
    is_written    whether the project holds anything that goldspan wrote
    contaminated  how many annotations were left out because they began from goldspan's suggestions
    faulty        the tasks that could not be read
    lead_times    the seconds that each annotator took for each task; empty if nobody knows
    adjudications what people settled, which is not in the corpus; None if nothing is
    surroundings  the platform's pages of the project and its tasks, and the colours of its labels
    """

    @property
    def title(self) -> str: ...
    @property
    def surroundings(self) -> Surroundings: ...
    @property
    def lead_times(self) -> Mapping[str, Sequence[float]]: ...
    @property
    def adjudications(self) -> Adjudications | None: ...
    @property
    def corpus(self) -> Corpus: ...
    @property
    def with_models(self) -> Corpus | None: ...
    @property
    def is_written(self) -> bool: ...
    @property
    def contaminated(self) -> int: ...
    @property
    def faulty(self) -> Sequence[str]: ...
    @property
    def notes(self) -> Sequence[Note]: ...


class Plan(Protocol):
    """The writes that make a project say what a result says, and no others.

    `adds_annotations` says whether the number of annotators of a task changes by them, which would
    otherwise look like a person's work.
    """

    @property
    def notes(self) -> Sequence[Note]: ...
    @property
    def adds_annotations(self) -> bool: ...
    def counts(self) -> Mapping[str, int]:
        """How many writes of each kind; empty if the project is up to date."""
        ...


S = TypeVar("S", bound=Snapshot)
P = TypeVar("P", bound=Plan)


class Platform(Protocol[S, P]):
    """A live annotation platform, with the options by which goldspan writes to it."""

    def projects(self) -> Sequence[ProjectInfo]:
        """All projects that goldspan's account may see."""
        ...

    def overview(self, project: int, /) -> Overview:
        """The project at a glance."""
        ...

    def pull(self, project: int, /) -> AbstractContextManager[S]:
        """The project now; what the snapshot rests on, such as files, lasts as long as the block.

        It writes nothing.
        """
        ...

    def plan(self, snapshot: S, result: Result, gold: Gold, /) -> P:
        """Compare what the project says with what the result says."""
        ...

    def apply(self, plan: P, progress: Progress | None, /) -> Sequence[Note]:
        """Make the writes; notes on those that were not possible.

        It may be interrupted at any point: the next plan has what is left to write.
        """
        ...
