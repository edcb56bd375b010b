"""Merging: suggested gold from a scored corpus.

The default, `reliability`: γ's best alignment is cut into sites; annotators' reliabilities,
estimated over the whole project, decide which sites are real and what their categories are;
boundaries are drawn ones in text and weighted means in time. Places for a person to decide are
listed apart. Simpler strategies are in `strategies` and `position_models`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from goldspan.engine.coefficient.all_tasks import alignments_of, observations_of
from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.facts import Fact, FactKind, Note, Reason, ReasonKind
from goldspan.engine.gold.boundaries import AVERAGED, Placing, placing
from goldspan.engine.gold.columns.site_columns import SiteColumns
from goldspan.engine.gold.columns.tally import Counting, settled_sites
from goldspan.engine.gold.conflicts import Conflict, resolve
from goldspan.engine.gold.gold import Decision, Gold, GoldSpan, Grade, Provenance
from goldspan.engine.gold.majority import majority_labels
from goldspan.engine.gold.overview import GoldOverview
from goldspan.engine.gold.position_models import POSITION_MODELS
from goldspan.engine.gold.reliability import LEAST_SITES, Judgement
from goldspan.engine.gold.sites import Site, find_sites
from goldspan.engine.gold.strategies import STRATEGIES
from goldspan.engine.gold.suggestion import Ranking, Suggestion, suggest
from goldspan.engine.gold.task_gold import TaskGold, open_site, split
from goldspan.engine.gold.workers import is_crowd

if TYPE_CHECKING:
    from goldspan.engine.coefficient.observation import Observations
    from goldspan.engine.gold.calibration import Calibration
    from goldspan.engine.model import Corpus, Measure
    from goldspan.engine.result import Result

DEFAULT = "reliability"
SIMPLE = {**STRATEGIES, **POSITION_MODELS}
NAMES = (DEFAULT, *SIMPLE)
"""The strategies that `merge` knows."""

LEAST_GAMMA = 0.4
"""Where γ may be lower than this, a person should look at everything."""


def merge(
    corpus: Corpus,
    result: Result,
    *,
    strategy: str = DEFAULT,
    ties: str = "outer",
    overlaps: bool = True,
    min_confidence: float = 0.0,
    calibration: Calibration | None = None,
) -> Gold:
    """One suggested version of each task that `score` could align.

    `ties` sends a tie between two drawn boundaries `outer` or `inner`. `overlaps=False` keeps the
    likeliest spans that do not overlap. What has less than `min_confidence` is not suggested, but
    left to a person.
    """
    check_options(strategy, min_confidence)
    if calibration is not None and calibration.strategy != strategy:
        raise SettingsError(
            f"the calibration was made for the strategy '{calibration.strategy}', not for "
            f"'{strategy}'; make a new one"
        )
    usable, notes = _usable(corpus, result)
    sites = _sites(usable, result, notes)
    merging = _Merging(usable, result, strategy, ties, overlaps, min_confidence, calibration, sites)
    return merging.gold(notes)


def overview(
    corpus: Corpus, result: Result, shown: Container[str], settled: Container[str] = ()
) -> GoldOverview:
    """What the default merge suggests, as counts, and in full for the tasks that are `shown`. There
    is nothing left to decide in tasks that a person `settled`.
    """
    usable, notes = _usable(corpus, result)
    observations = observations_of(result.tasks, _names(usable, result))
    if observations is not None and not _is_crowd(observations):
        sites, conflicts = settled_sites(observations, result.settings)
        merging = _Merging(usable, result, DEFAULT, "outer", True, 0.0, None, sites)
        return merging.counted(sites, conflicts, notes, shown, settled)
    listed = _sites(usable, result, notes)
    merging = _Merging(usable, result, DEFAULT, "outer", True, 0.0, None, listed)
    return merging.overview(notes, shown, settled)


def _is_crowd(observations: Observations) -> bool:
    """Whether the model for crowds may decide, which needs all sites as values."""
    tasks = observations.columns.tasks
    seen = {one.continuum.id: one.annotators for one in tasks if len(one.annotators) > 2}
    return bool(seen) and is_crowd(seen)


def _names(corpus: Corpus, result: Result) -> list[str]:
    return [continuum.id for continuum in corpus.continua if continuum.id in result.tasks]


def _sites(corpus: Corpus, result: Result, notes: list[Note]) -> list[Site]:
    """The sites of all tasks; a note, where there is nothing to merge."""
    names = _names(corpus, result)
    alignments = alignments_of(result.tasks, names)
    sites = [
        site
        for name, alignment in zip(names, alignments, strict=True)
        for site in find_sites(name, alignment)
    ]
    if not sites and not corpus.layers:
        notes.append(Note.of(FactKind.NOTHING_TO_MERGE))
    return sites


def merge_sites(corpus: Corpus, result: Result, sites: Sequence[Site]) -> Gold:
    """The default merge of other sites than those of the result's alignments."""
    usable, notes = _usable(corpus, result)
    return _Merging(usable, result, DEFAULT, "outer", True, 0.0, None, sites).gold(notes)


def check_options(strategy: str, min_confidence: float) -> None:
    """Refuse what `merge` cannot do; worth asking before a long scoring."""
    if strategy not in NAMES:
        raise SettingsError(f"there is no strategy '{strategy}'; there are {', '.join(NAMES)}")
    if not 0 <= min_confidence <= 1:
        raise SettingsError(f"the least confidence is {min_confidence}; it must be from 0 to 1")


def _usable(corpus: Corpus, result: Result) -> tuple[Corpus, list[Note]]:
    """The tasks with an answer, be it an empty one; and why the others have none."""
    left_out = {one.task: one.reason for one in result.excluded}
    kept, reasons = [], defaultdict(list)
    for continuum in corpus.continua:
        if continuum.id in result.tasks or _is_blank(left_out.get(continuum.id)):
            kept.append(continuum)
        elif continuum.id in left_out:
            reasons[left_out[continuum.id]].append(continuum.id)
        else:
            raise InputError(
                "the result says nothing of it; score this corpus first",
                where=f"task '{continuum.id}'",
            )
    known = {continuum.id for continuum in corpus.continua}
    strangers = [task for task in result.tasks if task not in known]
    if strangers:
        raise InputError(
            f"the result is of another corpus: it has the task '{strangers[0]}', which is not here"
        )
    notes = [
        Note.of(FactKind.TASK_NOT_MERGED, task=tasks[0], reason=reason)
        if len(tasks) == 1
        else Note.of(FactKind.TASKS_NOT_MERGED, count=len(tasks), reason=reason)
        for reason, tasks in sorted(reasons.items())
    ]
    return replace(corpus, continua=tuple(kept)), notes


def _is_blank(reason: Reason | None) -> bool:
    """Whether a task was left out because nobody marked a unit, which is an answer too."""
    return reason is not None and reason.kind is ReasonKind.NO_UNIT


@dataclass(frozen=True)
class _Merging:
    """One merge: what goes in, and the steps to the gold."""

    corpus: Corpus
    result: Result
    strategy: str
    ties: str
    overlaps: bool
    min_confidence: float
    calibration: Calibration | None
    sites: Sequence[Site]

    def gold(self, notes: list[Note]) -> Gold:
        """The gold of all tasks; `notes` get what happened on the way."""
        tasks, judgement = self._tasks(notes)
        found = {one.task: one for one in tasks}
        self._add_notes(notes, sum(one.dropped for one in found.values()))
        measures = self._measures
        return Gold(
            corpus=self.corpus,
            spans={task: found[task].spans if task in found else () for task in measures},
            strategy=self.strategy,
            calibrated=self.calibration is not None,
            decisions={
                task: found[task].decisions
                for task in measures
                if task in found and found[task].decisions
            },
            notes=tuple(notes),
            provenance=self._provenance(judgement),
            labels={
                name: majority_labels(layer, measures, self.min_confidence)
                for name, layer in self.corpus.layers.items()
            },
        )

    def overview(
        self, notes: list[Note], shown: Container[str], settled: Container[str]
    ) -> GoldOverview:
        """Counts over all tasks, and the gold of those that are shown, a task at a time."""
        return self._overview(self._tasks(notes)[0], notes, shown, settled)

    def counted(
        self,
        sites: SiteColumns,
        conflicts: Sequence[Conflict],
        notes: list[Note],
        shown: Container[str],
        settled: Container[str],
    ) -> GoldOverview:
        """The same, from columns: only the gold of tasks that are shown is made."""
        everything = self._low_agreement is not None
        counting = Counting(sites, conflicts, self._ranking(), self._measures, everything)
        tally = counting.tally(shown, settled)
        notes += _fallbacks(int((sites.columns.n == 2).sum()), tally.judgement)
        looked_at = self._suggested(tally.suggestions, conflicts)
        return self._overview(looked_at, notes, shown, settled, (tally.n_spans, tally.n_decisions))

    def _overview(
        self,
        tasks: Iterable[TaskGold],
        notes: list[Note],
        shown: Container[str],
        settled: Container[str],
        before: tuple[int, int] = (0, 0),
    ) -> GoldOverview:
        """Of the gold of these tasks; so many spans and decisions were counted before."""
        spans, decisions = {}, {}
        (n_spans, n_decisions), dropped = before, 0
        for one in tasks:
            left = () if one.task in settled else one.decisions
            n_spans, n_decisions = n_spans + len(one.spans), n_decisions + len(left)
            dropped += one.dropped
            if one.task in shown:
                spans[one.task], decisions[one.task] = one.spans, left
        self._add_notes(notes, dropped)
        return GoldOverview(n_spans, n_decisions, spans, decisions, tuple(notes))

    def _tasks(self, notes: list[Note]) -> tuple[Iterator[TaskGold], Judgement | None]:
        """The gold of each task with a site, made when it is asked for; and what was estimated."""
        if not self.sites:
            return iter(()), None
        if self.strategy != DEFAULT:
            merged = self._apply(notes)
            return (self._task(task, own, ()) for task, own in merged.items()), None
        sites, conflicts = resolve(self.sites, self.result.settings)
        suggestions, judgement = suggest(
            sites, self._ranking(), self._placing(sites), self._measures
        )
        pairs = len({site.task for site in self.sites if site.n == 2})
        notes += _fallbacks(pairs, judgement)
        return self._suggested(suggestions, conflicts), judgement

    def _suggested(
        self, suggestions: Iterable[Suggestion], conflicts: Iterable[Conflict]
    ) -> Iterator[TaskGold]:
        """The default: what is proposed is found, the rest is left to decide."""
        splits: dict[str, list[Decision]] = defaultdict(list)
        for conflict in conflicts:
            splits[conflict.task].append(split(conflict))
        for task, own in groupby(suggestions, key=lambda one: one.site.task):
            found: list[GoldSpan] = []
            decisions: list[Decision] = []
            for one in own:
                span = self._calibrated(one.span) if one.span else None
                if span and span.confidence >= self.min_confidence:
                    found.append(span)
                else:
                    decisions.append(open_site(one))
            yield self._task(task, found, (*decisions, *splits.get(task, ())))

    def _apply(self, notes: list[Note]) -> dict[str, list[GoldSpan]]:
        """A simple strategy; what is not sure enough is counted in a note."""
        found: dict[str, list[GoldSpan]] = defaultdict(list)
        dropped = 0
        merged = SIMPLE[self.strategy](
            self.sites, self._ranking(), self._placing(self.sites), self._measures
        )
        for task, span in merged:
            own = self._calibrated(span)
            if own.confidence >= self.min_confidence:
                found[task].append(own)
            else:
                dropped += 1
        if dropped:
            notes.append(Note.of(FactKind.UNSURE_DROPPED, count=dropped))
        return found

    def _task(
        self, task: str, spans: Sequence[GoldSpan], decisions: Iterable[Decision]
    ) -> TaskGold:
        return TaskGold.of(
            task,
            spans,
            decisions,
            overlaps=self.overlaps,
            everything=self._low_agreement is not None,
            averaged=self._measures[task] in AVERAGED,
        )

    def _add_notes(self, notes: list[Note], dropped: int) -> None:
        """What is known when all tasks are done."""
        if dropped and not self.overlaps:
            notes.append(Note.of(FactKind.OVERLAPS_DROPPED, count=dropped))
        low = self._low_agreement
        if low is not None and self.sites:
            notes.append(Note.of(FactKind.LOW_AGREEMENT, low=low, least=LEAST_GAMMA))

    def _ranking(self) -> Ranking:
        used = _categories(self.sites)
        categories = [c for c in self.corpus.categories if c in used]
        order = {category: at for at, category in enumerate(categories)}
        rows = self.result.settings.dissimilarity.distances.between(categories).tolist()
        return Ranking(lambda one, other: rows[order[one]][order[other]], order)

    def _placing(self, sites: Sequence[Site]) -> Placing:
        return placing(sites, ties=self.ties)

    @cached_property
    def _measures(self) -> Mapping[str, Measure]:
        return {continuum.id: continuum.measure for continuum in self.corpus.continua}

    def _calibrated(self, span: GoldSpan) -> GoldSpan:
        if self.calibration is None:
            return span
        raw = span.evidence.product if span.evidence else span.confidence
        grade = span.grade or Grade.SINGLE
        return replace(span, confidence=self.calibration.confidence(raw, grade, span.seen))

    @cached_property
    def _low_agreement(self) -> float | None:
        gamma = self.result.gamma
        low = gamma.low if gamma.low is not None else gamma.value
        return low if low is not None and low < LEAST_GAMMA else None

    def _provenance(self, judgement: Judgement | None) -> Provenance:
        parameters: dict[str, str | float] = {
            "strategy": self.strategy, "ties": self.ties,
            "overlaps": "allowed" if self.overlaps else "forbidden",
            "min_confidence": self.min_confidence,
            "alpha": self.result.settings.dissimilarity.alpha,
            "beta": self.result.settings.dissimilarity.beta,
        }  # fmt: skip
        if judgement is not None:
            parameters |= judgement.estimates
        trusted = judgement.reliabilities if judgement and judgement.estimated else {}
        return Provenance(
            parameters=parameters,
            reliabilities={
                name: {"recall": one.recall, "accuracy": one.accuracy, "spurious": one.spurious}
                for name, one in trusted.items()
            },
            seed=self.result.settings.seed,
            adjudicated=self.calibration.judged if self.calibration else 0,
            model=self._model(judgement),
        )

    def _model(self, judgement: Judgement | None) -> Fact | None:
        """What decided, and why."""
        if not self.sites:
            return None
        if self.strategy != DEFAULT:
            return Fact.of(FactKind.MODEL_SIMPLE, strategy=self.strategy)
        return judgement.model if judgement is not None else Fact.of(FactKind.MODEL_PAIR)


def _categories(sites: Sequence[Site]) -> set[str]:
    """Those that annotators used."""
    if isinstance(sites, SiteColumns):
        return sites.categories
    return {unit.category for site in sites for unit in site.units}


def _fallbacks(pairs: int, judgement: Judgement | None) -> list[Note]:
    """What a merge could not do as usual, with so many tasks of two annotators."""
    notes = []
    if pairs:
        notes.append(Note.of(FactKind.TWO_ANNOTATORS, count=pairs))
    if judgement is not None and not judgement.estimated:
        found = judgement.n_sites
        notes.append(Note.of(FactKind.FEW_SITES, found=found, needed=LEAST_SITES))
    return notes
