"""Tally: how many spans and decisions the default merge suggests, and the suggestions of the tasks
that are looked at.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goldspan.engine.gold.calibration import pair_rate
from goldspan.engine.gold.columns.places import Places, averaged_sites, placing_of
from goldspan.engine.gold.columns.site_columns import SiteColumns, tasks_with_neighbours
from goldspan.engine.gold.conflicts import Conflict, settle
from goldspan.engine.gold.cuts import neighbourhood, slack_of
from goldspan.engine.gold.gold import Grade
from goldspan.engine.gold.suggestion import Suggestion, Verdict, judged, suggestion, verdict_on
from goldspan.engine.gold.task_gold import SURE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from goldspan.engine.coefficient.observation import Observations
    from goldspan.engine.gold.boundaries import Placing
    from goldspan.engine.gold.reliability import Judgement
    from goldspan.engine.gold.sites import Ballot
    from goldspan.engine.gold.suggestion import Ranking
    from goldspan.engine.model import Measure
    from goldspan.engine.settings import Settings

    Flags = NDArray[np.bool_]
    Numbers = NDArray[np.int64]


def settled_sites(
    observations: Observations, settings: Settings
) -> tuple[SiteColumns, list[Conflict]]:
    """The sites of all tasks with their conflicts settled, and the conflicts."""
    sites = SiteColumns.of(observations)
    tasks = sites.columns.tasks
    number = {tasks[at].continuum.id: at for at in tasks_with_neighbours(sites.columns)}
    if not number:
        return sites, []
    near = ((task, neighbourhood(sites.units_of(at))) for task, at in number.items())
    changed, conflicts = settle(
        near,
        lambda task: [sites[site] for site in sites.of_task(number[task])],
        _slack(sites),
        settings,
    )
    return sites.with_others({number[task]: some for task, some in changed.items()}), conflicts


def _slack(sites: SiteColumns) -> float:
    k = sites.k
    return slack_of(
        (sites.start[own], sites.end[own], k[low:high].tolist())
        for low, high in sites.some()
        for own in [slice(sites.border[low], sites.border[high])]
    )


@dataclass(frozen=True)
class Tally:
    """What there is in the tasks that are not looked at, and the suggestions of the others."""

    n_spans: int
    n_decisions: int
    suggestions: Iterator[Suggestion]
    judgement: Judgement | None


@dataclass(frozen=True)
class Counting:
    """One merge of all sites. `everything` asks about each span."""

    sites: SiteColumns
    conflicts: Sequence[Conflict]
    ranking: Ranking
    measures: Mapping[str, Measure]
    everything: bool

    def tally(self, looked_at: Container[str], settled: Container[str]) -> Tally:
        """Nothing is left to decide in `settled` tasks."""
        sites = self.sites
        kinds, firsts = self._ballots()
        judgement = self._judged(kinds, firsts)
        verdicts = [
            verdict_on(sites[first], ballot, judgement, self.ranking)
            for ballot, first in firsts.items()
        ]
        placing = placing_of(sites)
        places = Places.of(sites, placing, self.measures)
        proposed = np.array([one.proposed for one in verdicts], dtype=np.bool_)[kinds]
        looked = self._are_in(looked_at)
        looked[sites.task[list(sites.others)]] = True
        looked[self._with_equal_spans(np.flatnonzero(proposed), kinds, verdicts, places)] = True
        counted = ~looked[sites.task]
        to_decide = ~proposed | self._are_doubtful(
            kinds, dict(zip(firsts, verdicts, strict=True)), places
        )
        to_decide &= counted & ~self._are_in(settled)[sites.task]
        number = {one.continuum.id: at for at, one in enumerate(sites.columns.tasks)}
        splits = [
            one for one in self.conflicts if not (one.task in settled or looked[number[one.task]])
        ]
        return Tally(
            int((counted & proposed).sum()),
            int(to_decide.sum()) + len(splits),
            (
                self._suggestion(at, verdicts[kinds[at]], placing, places.right.item(at))
                for at in np.flatnonzero(~counted).tolist()
            ),
            judgement,
        )

    def _suggestion(self, at: int, verdict: Verdict, placing: Placing, right: float) -> Suggestion:
        site = self.sites[at]
        place = placing.place(site, self.measures[site.task])
        return suggestion(site, verdict, place, right, crowd=False)

    def _are_in(self, tasks: Container[str]) -> Flags:
        """Whether each task is one of these."""
        return np.array([one.continuum.id in tasks for one in self.sites.columns.tasks])

    def _ballots(self) -> tuple[Numbers, dict[Ballot, int]]:
        """The number of each site's ballot, and the first site of each ballot."""
        sites = self.sites
        once: dict[tuple[str, ...], int] = {}
        who = [once.setdefault(task.annotators, len(once)) for task in sites.columns.tasks]
        said = (sites.name * len(sites.columns.labels) + sites.label).astype(np.int32)
        written, size = said.tobytes(), said.itemsize
        edges = (sites.border * size).tolist()
        numbers: dict[tuple[int, bytes], int] = {}
        kinds = np.fromiter(
            (
                numbers.setdefault((who[task], written[low:high]), len(numbers))
                for task, low, high in zip(sites.task.tolist(), edges, edges[1:], strict=False)
            ),
            np.int64,
            len(sites),
        )
        firsts = np.unique(kinds, return_index=True)[1].tolist()
        return kinds, {sites[first].ballot: first for first in firsts}

    def _judged(self, kinds: Numbers, firsts: Mapping[Ballot, int]) -> Judgement | None:
        """What follows from all ballots of three annotators and more."""
        count = np.bincount(kinds).tolist()
        many = {one: often for one, often in zip(firsts, count, strict=True) if len(one[0]) > 2}
        if not many:
            return None
        tasks = self.sites.columns.tasks
        seen = {one.continuum.id: one.annotators for one in tasks if len(one.annotators) > 2}
        return judged(many, seen, tuple(self.ranking.order))

    def _with_equal_spans(
        self, proposed: Numbers, kinds: Numbers, verdicts: Sequence[Verdict], places: Places
    ) -> Numbers:
        """The tasks in which the same span is proposed twice."""
        category = np.array([self.ranking.order[one.category] for one in verdicts])
        columns = (
            self.sites.task[proposed], places.start[proposed], places.end[proposed],
            category[kinds[proposed]],
        )  # fmt: skip
        order = np.lexsort(columns)
        same = [column[order][1:] == column[order][:-1] for column in columns]
        return np.asarray(columns[0][order][1:][np.logical_and.reduce(same)])

    def _are_doubtful(
        self, kinds: Numbers, verdicts: Mapping[Ballot, Verdict], places: Places
    ) -> Flags:
        """Whether a person should look at the span of each site, if there is one: as in
        `TaskGold`.
        """
        if self.everything:
            return np.ones(len(kinds), np.bool_)
        few, averaged = self.sites.n == 2, averaged_sites(self.sites, self.measures)
        rows = [_evidence(*one) for one in verdicts.items()]
        several, of_two, of_two_alike = np.array(rows)[kinds].T
        grade = np.array([list(Grade).index(one.grade) for one in verdicts.values()])[kinds]
        exact = (grade == list(Grade).index(Grade.OVERLAP)) & places.alike
        sure = np.where(few, np.where(exact, of_two_alike, of_two), several * places.right)
        misplaced = ~few & (places.right < SURE)
        undrawn = ~(averaged | exact | places.drawn)
        single = grade == list(Grade).index(Grade.SINGLE)
        return np.asarray(misplaced | undrawn | (sure < SURE) | single)


def _evidence(ballot: Ballot, one: Verdict) -> tuple[float, float, float]:
    """What the confidence is made of: of three annotators and more, of two, and of two whose units
    are alike.
    """
    if len(ballot[0]) > 2:
        return one.exists * one.labelled, 0.0, 0.0
    alike = Grade.EXACT if one.grade is Grade.OVERLAP else one.grade
    return 0.0, pair_rate(one.grade), pair_rate(alike)
