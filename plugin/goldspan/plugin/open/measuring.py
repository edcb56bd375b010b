"""Measuring: results while a person changes settings. The newest change of a page wins."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING, Literal

from goldspan.adapters.facts import settled_tasks
from goldspan.engine.errors import GoldspanError
from goldspan.plugin.adjudications import Adjudications
from goldspan.plugin.open.downloads import adjudicate_command
from goldspan.plugin.open.refusal import Refused
from goldspan.plugin.open.views import Measured, figure_views
from goldspan.plugin.report.reproduce import command

if TYPE_CHECKING:
    from goldspan.engine.gold.gold import Gold
    from goldspan.engine.model import Corpus
    from goldspan.engine.result import Result
    from goldspan.plugin.measurement import MeasureRequest
    from goldspan.plugin.open.reading import Reader, Source
    from goldspan.plugin.open.state import State

Stage = Literal["coarse", "figures", "full"]
"""Figures from few chance samples; the figures themselves; and those of pairs and annotators, which
the report shows, as well.
"""

Progress = Callable[[str, int, int], None]

COARSE = 0.2
COARSE_SECONDS = 0.06
"""The precision of figures that are shown first, and the time after which no more chance samples
are drawn for them: with a small α, some take long to align.
"""

MOST_RESULTS = 12
MOST_TABS = 100
DISTANCES = "distances.csv"
"""What the command calls the matrix of the page."""


@dataclass(frozen=True, slots=True)
class Found:
    """A result, with what it was made of."""

    source: Source
    corpus: Corpus
    request: MeasureRequest
    result: Result
    command: str

    def gold(self) -> Gold | None:
        """What the annotations suggest; None if nothing was measured."""
        from goldspan.engine.gold.merging import merge  # noqa: PLC0415 - loads compiled code

        if not self.result.tasks:
            return None
        return merge(self.corpus, self.result).settled(settled_tasks(self.corpus.notes))


class Measurer:
    """Measures one change at a time; a newer one of the same page ends the one before."""

    def __init__(self, reader: Reader, ending: Callable[[], bool]) -> None:
        self._reader = reader
        self._ending = ending
        self._computing = Lock()
        self._beginning = Lock()
        self._newest: dict[str, tuple[int, str]] = {}
        self._found: dict[str, Found] = {}
        self._reports: dict[str, Found] = {}

    def measure(self, state: State, stage: Stage, tab: str, turn: int = 0) -> Measured:
        """The figures; a Refused if a newer change came meanwhile."""
        found = self.find(state, stage, self.begin(tab, turn))
        return Measured(
            stage=stage,
            figures=tuple(figure_views(found.result)),
            tasks=len(found.result.tasks),
            units=found.result.n_units,
            chance=found.result.chance,
            command=found.command,
            report=self._keep_report(found) if stage == "full" else "",
            adjudicate=adjudicate_command(found),
        )

    def find(self, state: State, stage: Stage, stop: Callable[[], bool]) -> Found:
        """The result and what it was made of; `stop` says that nobody waits for it any more."""
        try:
            return self._find(state, stage, stop)
        except GoldspanError as error:
            raise Refused("invalid", reason=str(error)) from error

    def begin(self, tab: str, turn: int = 0) -> Callable[[], bool]:
        """Make this the newest call of a page; what comes back says whether a newer one came.

        The page numbers its calls by `turn`, because threads may begin them in another order.
        """
        own = turn, secrets.token_hex(8)
        with self._beginning:
            if self._newest.get(tab, own)[0] <= turn:
                self._newest.pop(tab, None)
                self._newest[tab] = own
            while len(self._newest) > MOST_TABS:
                self._newest.pop(next(iter(self._newest)), None)
        return lambda: self._newest.get(tab) != own

    def watch(self, tab: str) -> Callable[[], bool]:
        """Whether a newer call of a page came, from now on."""
        own = self._newest.get(tab)
        return lambda: self._newest.get(tab) != own

    def report(self, token: str) -> Found:
        """What a report shows."""
        if token not in self._reports:
            raise Refused("gone")
        return self._reports[token]

    def _find(self, state: State, stage: Stage, stop: Callable[[], bool]) -> Found:
        source, corpus = self._reader.corpus(state)
        full = state.measuring()
        name = DISTANCES if state.distances is not None else ""
        said = command(source.words, full, name)
        request = _staged(full, stage)
        key = f"{source.key} {request!r}"
        with self._computing:
            found = self._found.pop(key, None)
            if found is None:
                if stop():
                    raise Refused("superseded")
                result = self._score(source, corpus, request, stage, stop)
                found = Found(source, corpus, request, result, said)
            self._found[key] = found
            while len(self._found) > MOST_RESULTS:
                self._found.pop(next(iter(self._found)))
        return replace(found, command=said)

    def _score(
        self, source: Source, corpus: Corpus, request: MeasureRequest, stage: Stage,
        stop: Callable[[], bool],
    ) -> Result:  # fmt: skip
        progress = self._progress(stop)
        result = _measured(request, corpus, progress)
        if stage == "full":
            settled = Adjudications.of(corpus, source.read_settled)
            if settled is not None:
                result = settled.compare(corpus, result, request, progress)
        return result

    def measure_other(
        self, request: MeasureRequest, corpus: Corpus, stop: Callable[[], bool]
    ) -> Result:
        """The result of a corpus that is not the page's own; it is not remembered."""
        with self._computing:
            return _measured(request, corpus, self._progress(stop))

    def _progress(self, stop: Callable[[], bool]) -> Progress:
        def progress(_what: str, _done: int, _total: int) -> None:
            if stop() or self._ending():
                raise Refused("superseded")

        return progress

    def _keep_report(self, found: Found) -> str:
        token = secrets.token_urlsafe(24)
        self._reports[token] = found
        while len(self._reports) > MOST_RESULTS:
            self._reports.pop(next(iter(self._reports)), None)
        return token


def _measured(request: MeasureRequest, corpus: Corpus, progress: Progress) -> Result:
    from goldspan.engine.scoring import score  # noqa: PLC0415 - loads compiled code

    return request.measure(score, corpus, progress)


def _staged(full: MeasureRequest, stage: Stage) -> MeasureRequest:
    if stage == "full":
        return full
    if stage == "figures":
        return replace(full, pairs=False)
    settings = replace(
        full.settings, precision=max(COARSE, full.settings.precision), max_seconds=COARSE_SECONDS
    )
    return replace(full, settings=settings, pairs=False, coefficients=())
