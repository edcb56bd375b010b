"""Merging: suggested gold from a scored corpus.

The default, `reliability`: γ's best alignment is cut into sites; annotators' reliabilities,
estimated over the whole project, decide which sites are real and what their categories are;
boundaries are drawn ones in text and weighted means in time. Places for a person to decide are
listed apart. Simpler strategies are in `strategies` and `position_models`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from goldspan.engine.errors import InputError, SettingsError
from goldspan.engine.facts import Fact, FactKind, Note, Reason, ReasonKind
from goldspan.engine.gold.boundaries import AVERAGED, Placing, placing
from goldspan.engine.gold.conflicts import Conflict, resolve
from goldspan.engine.gold.gold import Decision, Gold, GoldSpan, Grade, Provenance, Question
from goldspan.engine.gold.independence import without_overlaps
from goldspan.engine.gold.majority import majority_labels
from goldspan.engine.gold.position_models import POSITION_MODELS
from goldspan.engine.gold.reliability import LEAST_SITES, Judgement
from goldspan.engine.gold.sites import Site, find_sites
from goldspan.engine.gold.strategies import STRATEGIES
from goldspan.engine.gold.suggestion import Ranking, Suggestion, suggest

if TYPE_CHECKING:
    from goldspan.engine.gold.calibration import Calibration
    from goldspan.engine.model import Corpus, Measure, Position
    from goldspan.engine.result import Result

DEFAULT = "reliability"
SIMPLE = {**STRATEGIES, **POSITION_MODELS}
NAMES = (DEFAULT, *SIMPLE)
"""The strategies that `merge` knows."""

SURE = 0.9
"""A person should look at suggestions with less confidence."""

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
    sites = [
        site
        for continuum in usable.continua
        if continuum.id in result.tasks
        for site in find_sites(continuum.id, result.tasks[continuum.id].alignment)
    ]
    if not sites and not corpus.layers:
        notes.append(Note.of(FactKind.NOTHING_TO_MERGE))
    merging = _Merging(usable, result, strategy, ties, overlaps, min_confidence, calibration, sites)
    return merging.gold(notes)


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


@dataclass(frozen=True, slots=True)
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
        found: dict[str, list[GoldSpan]] = defaultdict(list)
        decisions: dict[str, list[Decision]] = defaultdict(list)
        conflicts: Sequence[Conflict] = ()
        judgement: Judgement | None = None
        if self.strategy == DEFAULT and self.sites:
            sites, conflicts = resolve(self.sites, self.result.settings)
            judgement = self._suggest(sites, found, decisions)
            notes += _fallbacks(self.sites, judgement)
        elif self.sites:
            notes += self._apply(found)
        spans = {task: self._finish(own) for task, own in found.items()}
        dropped = sum(map(len, found.values())) - sum(map(len, spans.values()))
        if dropped and not self.overlaps:
            notes.append(Note.of(FactKind.OVERLAPS_DROPPED, count=dropped))
        low = self._low_agreement()
        if low is not None and self.sites:
            notes.append(Note.of(FactKind.LOW_AGREEMENT, low=low, least=LEAST_GAMMA))
        measures = self._measures()
        for conflict in conflicts:
            decisions[conflict.task].append(_split(conflict))
        for task, own in spans.items():
            decisions[task] += _doubts(
                own, everything=low is not None, averaged=measures[task] in AVERAGED
            )
        return Gold(
            corpus=self.corpus,
            spans={task: spans.get(task, ()) for task in measures},
            strategy=self.strategy,
            calibrated=self.calibration is not None,
            decisions={
                task: tuple(sorted(decisions[task], key=_place))
                for task in measures
                if decisions.get(task)
            },
            notes=tuple(notes),
            provenance=self._provenance(judgement),
            labels={
                name: majority_labels(layer, measures, self.min_confidence)
                for name, layer in self.corpus.layers.items()
            },
        )

    def _suggest(
        self,
        sites: Sequence[Site],
        found: dict[str, list[GoldSpan]],
        decisions: dict[str, list[Decision]],
    ) -> Judgement | None:
        """The default: what is proposed is found, the rest is left to decide."""
        suggestions, judgement = suggest(
            sites, self._ranking(), self._placing(sites), self._measures()
        )
        for one in suggestions:
            span = self._calibrated(one.span) if one.span else None
            if span and span.confidence >= self.min_confidence:
                found[one.site.task].append(span)
            else:
                decisions[one.site.task].append(_open(one))
        return judgement

    def _apply(self, found: dict[str, list[GoldSpan]]) -> list[Note]:
        """A simple strategy; what is not sure enough is counted in a note."""
        dropped = 0
        merged = SIMPLE[self.strategy](
            self.sites, self._ranking(), self._placing(self.sites), self._measures()
        )
        for task, span in merged:
            own = self._calibrated(span)
            if own.confidence >= self.min_confidence:
                found[task].append(own)
            else:
                dropped += 1
        return [Note.of(FactKind.UNSURE_DROPPED, count=dropped)] if dropped else []

    def _ranking(self) -> Ranking:
        used = {unit.category for site in self.sites for unit in site.units}
        categories = [c for c in self.corpus.categories if c in used]
        order = {category: at for at, category in enumerate(categories)}
        rows = self.result.settings.dissimilarity.distances.between(categories).tolist()
        return Ranking(lambda one, other: rows[order[one]][order[other]], order)

    def _placing(self, sites: Sequence[Site]) -> Placing:
        return placing(sites, ties=self.ties)

    def _measures(self) -> Mapping[str, Measure]:
        return {continuum.id: continuum.measure for continuum in self.corpus.continua}

    def _calibrated(self, span: GoldSpan) -> GoldSpan:
        if self.calibration is None:
            return span
        raw = span.evidence.product if span.evidence else span.confidence
        grade = span.grade or Grade.SINGLE
        return replace(span, confidence=self.calibration.confidence(raw, grade, span.seen))

    def _finish(self, spans: Iterable[GoldSpan]) -> tuple[GoldSpan, ...]:
        """Sorted, no span twice, and without overlaps if so asked."""
        equal: dict[tuple[Position, Position, str], list[GoldSpan]] = defaultdict(list)
        for span in spans:
            equal[span.start, span.end, span.category].append(span)
        kept = [_as_one(equal[key]) for key in sorted(equal)]
        return tuple(kept if self.overlaps else without_overlaps(kept))

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


def _as_one(spans: Sequence[GoldSpan]) -> GoldSpan:
    """The same span from several sites: the surest, with everybody's units behind it. Between
    equals the whole span decides, so that the order of sites does not matter.
    """
    best = max(spans)
    if len(spans) == 1:
        return best
    return replace(best, votes=tuple(sorted({unit for span in spans for unit in span.votes})))


def _fallbacks(sites: Sequence[Site], judgement: Judgement | None) -> list[Note]:
    notes = []
    pairs = len({site.task for site in sites if site.n == 2})
    if pairs:
        notes.append(Note.of(FactKind.TWO_ANNOTATORS, count=pairs))
    if judgement is not None and not judgement.estimated:
        found = judgement.n_sites
        notes.append(Note.of(FactKind.FEW_SITES, found=found, needed=LEAST_SITES))
    return notes


def _open(suggestion: Suggestion) -> Decision:
    """What a person should decide about a site that is not suggested."""
    question = Question.MISS
    if suggestion.span is not None:
        question = Question.CHECK
    elif suggestion.grade is Grade.DISPUTED:
        question = Question.LABEL
    start, end = suggestion.site.bounds
    drawn, candidate = suggestion.site.drawn, suggestion.candidate
    return Decision(start, end, question, drawn, candidate=candidate)


def _split(conflict: Conflict) -> Decision:
    start = min(unit.start for unit in conflict.units)
    end = max(unit.end for unit in conflict.units)
    return Decision(start, end, Question.SPLIT, conflict.units)


def _doubts(spans: Iterable[GoldSpan], *, everything: bool, averaged: bool) -> list[Decision]:
    """What a person should decide about suggestions."""
    found = []
    for span in spans:
        misplaced = span.evidence is not None and span.evidence.placed < SURE
        if misplaced or not (averaged or span.grade is Grade.EXACT or span.is_drawn):
            question = Question.BOUNDARY
        elif everything or span.confidence < SURE or span.grade is Grade.SINGLE:
            question = Question.CHECK
        else:
            continue
        found.append(Decision(span.start, span.end, question, span.votes, span))
    return found


def _place(decision: Decision) -> tuple[object, ...]:
    return decision.start, decision.end, decision.question.value, decision.units
