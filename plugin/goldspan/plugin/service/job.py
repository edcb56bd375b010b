"""Job: looking at a project that is due, and bringing it up to date if its round is complete."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from goldspan.engine.comparison import compare
from goldspan.engine.errors import InputError
from goldspan.plugin.platform import Overview, Progress, ProjectInfo
from goldspan.plugin.report.trend import write_trend
from goldspan.plugin.report.wording import many
from goldspan.plugin.rounds import marked, read_round, read_rounds
from goldspan.plugin.service.notify.notifier import Notifier
from goldspan.plugin.service.private import private
from goldspan.plugin.service.rounds import Tally, look, recount, tally

if TYPE_CHECKING:
    from goldspan.engine.result import Result
    from goldspan.plugin.document import Document
    from goldspan.plugin.service.archive import Archive
    from goldspan.plugin.service.history import History, Project
    from goldspan.plugin.service.queue import Claim


class Source(Protocol):
    """What is asked about a project before any work on it; a `Platform` is one."""

    def projects(self) -> Sequence[ProjectInfo]: ...
    def overview(self, project: int, /) -> Overview: ...


class Synced(Protocol):
    """What a sync comes to; `Outcome` is one."""

    @property
    def result(self) -> Result: ...
    @property
    def document(self) -> Document: ...
    @property
    def writes(self) -> Mapping[str, int]: ...
    @property
    def adds_annotations(self) -> bool: ...
    @property
    def report(self) -> Path | None: ...
    @property
    def contaminated(self) -> int: ...
    @property
    def faulty(self) -> Sequence[str]: ...


Sync: TypeAlias = Callable[[int, Progress], Synced]


class ProjectDropped(Exception):  # noqa: N818 - no error: somebody wanted it
    """The project at work is no longer monitored."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """How many annotators a task should have (None: as many as the project says); `live` writes
    gold and agreement after every change, not only when a round is complete; `syncing` is how, in
    any words that are others when it is done otherwise.
    """

    annotators: int | None = None
    live: bool = False
    syncing: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """The work on a claim: everything it needs."""

    source: Source
    sync: Sync
    history: History
    archive: Archive
    wishes: Wishes
    notifier: Notifier = field(default_factory=Notifier)

    def tally(self, number: int) -> tuple[str, Tally]:
        """A project's title, and its tasks counted."""
        found = self.source.overview(number)
        wishes = self.wishes_for(number)
        wanted = wishes.annotators or found.annotators
        # A project is not up to date any more when something else is wished.
        return found.title, tally(found.tasks, wanted, f"{found.config}\n{wishes}")

    def wishes_for(self, number: int) -> Wishes:
        """The wishes, with the options that the project has of its own."""
        known = self.history.project(number)
        if known is None:
            return self.wishes
        live = self.wishes.live if known.live is None else known.live
        return replace(
            self.wishes, annotators=known.annotators or self.wishes.annotators, live=live
        )

    def changed(self, number: int) -> bool:
        """Whether a project is not as it was when it was last brought up to date."""
        known = self.history.project(number)
        return known is not None and self.tally(number)[1].fingerprint != known.fingerprint

    def work(self, claim: Claim) -> str:
        """What was done, in words.

        What the project looked like is noted as of before the sync, so that a change during the
        sync, ours or another's, is seen as one. The sync that follows ours finds nothing to write
        and ends it.
        """
        try:
            return self._work(claim)
        except ProjectDropped:
            return "it is no longer monitored"

    def _work(self, claim: Claim) -> str:
        known = self._known(claim.project)
        title, found = self.tally(claim.project)
        if found.fingerprint == known.fingerprint and not claim.requested:
            return "nothing has changed"
        now, closes = look(known.round, found, requested=claim.requested)
        said = f"round {now.number}: {found.complete} of {found.tasks} tasks are complete"
        if closes or (self.wishes_for(claim.project).live and found.tasks):
            try:
                outcome = self.sync(claim.project, partial(self._go_on, claim.project))
                if closes and not (claim.requested or self._is_news(known, now.number, outcome)):
                    # The next round was begun, and nobody has annotated since.
                    now, closes = replace(now, closed=False), False
                self._keep(claim.project, now.number if closes else None, outcome)
            except InputError:
                # It will say the same until the project changes.
                self.history.looked(claim.project, title, found, known.round)
                raise
            said = _in_words(outcome)
            if closes and outcome.adds_annotations:
                # goldspan's own annotations do not mean a new round.
                now = recount(now, self.tally(claim.project)[1])
        self.history.looked(claim.project, title, found, now)
        if closes:
            self.notifier.scored(known, self._known(claim.project), now.number)
        return said

    def _is_news(self, known: Project, round_number: int, outcome: Synced) -> bool:
        """Whether people's work differs from that of the round before; a round that is scored
        already is renewed in any case.
        """
        before = [one for one in known.rounds if one.number <= round_number]
        if not before or before[-1].number == round_number:
            return True
        return not self._says(known.id, before[-1].file, outcome.document)

    def _keep(self, number: int, round_number: int | None, outcome: Synced) -> None:
        """Remember what was done; the result of a round, if it closes one."""
        if round_number is not None:
            if not outcome.result.tasks:
                raise InputError(
                    "no task has two annotators, so there is no agreement to measure",
                    where=f"project {number}",
                )
            file = self.archive.keep(number, round_number, outcome.document, outcome.report)
            self.history.scored(number, round_number, outcome.result, file)
            names = [one.file for one in self._known(number).rounds]
            self._write_trend(number, names)
        self.history.synced(number, sum(outcome.writes.values()), _in_words(outcome))

    def _says(self, number: int, name: str, document: Document) -> bool:
        """Whether the same people marked the same in the round of this file as in the result."""
        path = self.archive.round(number, name)
        return path is not None and read_round(path, name).marked == marked(document.value)

    def _write_trend(self, number: int, names: Sequence[str]) -> None:
        """Lay the rounds of these files side by side, once there are two."""
        paths = [path for name in names if (path := self.archive.round(number, name))]
        if len(paths) > 1:
            with private(self.archive.folder):
                write_trend(self.archive.place(number, "trend.html"), compare(read_rounds(paths)))

    def _go_on(self, number: int, what: str, done: int, total: int) -> None:
        """Between the steps of a sync: end it if nobody wants it any more, and note how far it is,
        at most a hundred times for each kind of step.
        """
        said = f"{what}, {100 * done // max(total, 1)} % done"
        if self._known(number).progress != said:
            self.history.note_progress(number, said)

    def _known(self, number: int) -> Project:
        known = self.history.project(number)
        if known is None:
            raise ProjectDropped
        return known


def _in_words(outcome: Synced) -> str:
    gamma, writes = outcome.result.gamma, sum(outcome.writes.values())
    words = [f"γ {gamma.value:.2f}" if gamma.value is not None else f"no γ: {gamma.reason}"]
    words.append(many(writes, "write") if writes else "everything was up to date")
    if outcome.result.cut_short:
        words.append("measuring was cut short by the time limit")
    if outcome.contaminated:
        started = many(outcome.contaminated, "annotation")
        words.append(f"{started} that started from suggestions left out")
    if outcome.faulty:
        more = f" and {len(outcome.faulty) - 1} more" if len(outcome.faulty) > 1 else ""
        words.append(f"task {outcome.faulty[0]}{more} left out: it cannot be read")
    return "; ".join(words)
